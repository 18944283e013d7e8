/* SPDX-License-Identifier: MIT */
/*
 * The data about an architecture that is needed for unwinding. Each architecture has a file with
 * one struct machine. In unwind/, registers have their DWARF numbers; in samples, they are in
 * perf's order.
 *
 *     registers of a sample ── perf_bit ──▶ value[0..register_count) ── rules ──▶ the caller's registers
 */
#ifndef UNWIND_MACHINE_H
#define UNWIND_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/*
 * The largest number of registers of an architecture: the general purpose registers, the stack
 * pointer and the pc.
 */
#define MACHINE_REGISTERS_MAX 33

#define MACHINE_REGISTER_BIT(number) ((uint64_t)1 << (number))

/* The registers at one frame of a stack. */
struct registers {
	uint64_t value[MACHINE_REGISTERS_MAX];
	uint64_t known; /* MACHINE_REGISTER_BIT of each register with a known value */
	uint64_t pc;
};

/* Where the interrupted registers are in a signal frame, relative to the stack pointer. */
struct signal_layout {
	uint8_t count;
	int8_t words_to_next; /* distance in words from register N to register N + 1 */
	uint16_t first_offset, pc_offset;
};

struct stack_dump;

struct machine {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t word_bytes;   /* size of an address, and of a saved register */
	uint8_t register_count;
	uint8_t return_column; /* number of the return address in call frame information */
	uint8_t stack_pointer, frame_pointer;
	const uint8_t *perf_bit; /* bit in perf's register mask, by DWARF number */
	uint8_t perf_pc_bit;
	/*
	 * Callee-saved registers. These registers are unchanged unless call frame information
	 * states otherwise.
	 */
	uint64_t preserved;
	/*
	 * Registers that may be missing in a sample taken in an NMI. The kernel then writes all
	 * ones for the missing registers.
	 */
	uint64_t maybe_missing;
	/* A call puts the return address into the register return_column, not on the stack. */
	bool has_link_register;
	/*
	 * Called for a return address in the vdso, to which a signal handler may return. Returns
	 * the layout of the signal frame at sp, or NULL if there is no signal frame. The pointer is
	 * NULL for machines whose call frame information covers signal frames.
	 */
	const struct signal_layout *(*find_signal_layout)(const struct stack_dump *copy,
							  uint64_t sp);
	/*
	 * Steps out of the vdso function that enters the kernel. Returns false if the stack does
	 * not match this function. The pointer is NULL for machines whose system calls do not use
	 * the vdso.
	 */
	bool (*leave_system_call)(const struct stack_dump *copy, struct registers *registers);
	/* Removes the authentication code from a signed return address. */
	uint64_t (*strip)(uint64_t address, const struct registers *start);
};

extern const struct machine machine_x86_64, machine_i386, machine_aarch64;

/*
 * Returns the machine of a sample, or NULL if it is not supported. arch: the name in the capture,
 * such as "x86_64"; .at is NULL if unknown. abi: PERF_SAMPLE_REGS_ABI_*. mask: sample_regs_user of
 * the event.
 */
const struct machine *machine_find(struct text arch, uint64_t abi, uint64_t mask);

/* The position of each register in a sample. A sample has one word for each bit of the mask. */
struct register_layout {
	const struct machine *machine;
	uint64_t mask;
	uint8_t index[MACHINE_REGISTERS_MAX]; /* positions, indexed by DWARF number */
	uint8_t pc_index;
};

#define REGISTER_ABSENT UINT8_MAX

void register_layout_init(struct register_layout *layout, const struct machine *machine,
			  uint64_t mask);

/* Reads the registers of a sample. Returns false if the pc or the stack pointer is missing. */
bool registers_read(const struct register_layout *layout, struct span words, struct registers *ret);

#endif
