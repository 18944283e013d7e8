/* SPDX-License-Identifier: MIT */
/*
 * What differs between processors, for who walks a stack: one file for each, which ends in one of
 * these. Registers go by their DWARF numbers everywhere in unwind/; perf has numbers of its own.
 *
 *     perf's registers of a sample ── perf_bit ──▶ value[0..register_count) ── rules ──▶ caller's
 */
#ifndef UNWIND_MACHINE_H
#define UNWIND_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/* DWARF numbers that are followed, on any processor: those of the integers and addresses. */
#define MACHINE_REGISTERS_MAX 33

#define MACHINE_REGISTER_BIT(number) ((uint64_t)1 << (number))

/* The registers of a thread, or of the caller of one of its functions. */
struct registers {
	uint64_t value[MACHINE_REGISTERS_MAX];
	uint64_t known; /* a bit for each that has its value */
	uint64_t pc;
};

/* Where the kernel has put the registers of what a signal interrupted, from a stack pointer on. */
struct signal_layout {
	uint8_t count;
	int8_t words_to_next; /* from each to that of the next number */
	uint16_t first_offset, pc_offset;
};

struct stack_copy;

struct machine {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t word_bytes;   /* of an address, and of a register that was saved */
	uint8_t register_count;
	uint8_t return_column; /* in which call frame information has the return address */
	uint8_t stack_pointer, frame_pointer;
	const uint8_t *perf_bit; /* by DWARF number: which bit of perf's mask it is */
	uint8_t perf_pc_bit;
	uint64_t preserved; /* registers a function leaves as they were, unless it says otherwise */
	/* Registers that an interrupt of the highest kind leaves as all ones where they are unknown. */
	uint64_t maybe_missing;
	/* Calls leave the return address in a register, return_column; functions save it, or not. */
	bool has_link_register;
	/* In the vdso nothing is called but by the kernel: what returns there returns from a signal. How
	 * its frame looks whose handler returns with that stack pointer; NULL: it is none. Unset where
	 * the vdso is not needed for that. */
	const struct signal_layout *(*find_signal_layout)(const struct stack_copy *copy,
							  uint64_t sp);
	/* Leaves the place in the vdso where the kernel is entered, for its caller, if the stack looks like
	 * that. Unset where it is entered elsewhere. */
	bool (*leave_system_call)(const struct stack_copy *copy, struct registers *registers);
	/* Bits of an address that are the processor's own; given two that are none. */
	uint64_t (*strip)(uint64_t address, const struct registers *start);
};

extern const struct machine machine_x86_64, machine_i386, machine_aarch64;

/*
 * The machine of a sample: arch is what the capture calls it ("x86_64"; at NULL: it does not), abi is
 * perf's word before the registers, and mask tells which are there. NULL: none that is known.
 */
const struct machine *machine_find(struct text arch, uint64_t abi, uint64_t mask);

/* Where a sample has each register among its words, of which there is one for each bit of a mask. */
struct register_layout {
	const struct machine *machine;
	uint64_t mask;
	uint8_t index[MACHINE_REGISTERS_MAX]; /* by DWARF number */
	uint8_t pc_index;
};

#define REGISTER_ABSENT UINT8_MAX

void register_layout_init(struct register_layout *layout, const struct machine *machine,
			  uint64_t mask);

/* The registers of a sample; false: those without which there is no frame are not among them. */
bool registers_read(const struct register_layout *layout, struct span words, struct registers *ret);

#endif
