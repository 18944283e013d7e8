/* SPDX-License-Identifier: MIT */
/*
 * aarch64. Return addresses may be signed. A signed address has an authentication code in the bits
 * above the virtual address. Addresses have 39 to 52 bits, depending on the kernel's configuration.
 * Code and stack are far apart, so the highest bit that is set in pc or sp shows the number of
 * bits.
 *
 * Source: DWARF for the Arm 64-bit Architecture; struct rt_sigframe of arch/arm64/kernel/signal.c.
 */
#include <elf.h>

#include "unwind/machine.h"

enum {
	X19 = 19,
	X29 = 29,
	X30 = 30,
	SP = 31,
	COUNT
};

static const uint8_t perf_bits[COUNT] = {
	0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};

static uint64_t strip(uint64_t address, const struct registers *start)
{
	static const uint8_t widths[] = { 39, 42, 47, 48, 52 };
	uint64_t seen = start->pc | start->value[SP];

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		uint64_t limit = (uint64_t)1 << widths[i];

		if (seen < limit)
			return address & (limit - 1);
	}
	return address;
}

static const struct signal_layout *find_signal_layout(const struct stack_dump *copy, uint64_t sp)
{
	/*
	 * siginfo; then the fields of ucontext: flags, link, stack, mask, padding, fault address.
	 */
	enum {
		REGISTERS = 128 + 176 + 8
	};
	static const struct signal_layout layout = { COUNT, 1, REGISTERS, REGISTERS + COUNT * 8 };

	(void)copy;
	(void)sp;
	return &layout;
}

const struct machine machine_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.word_bytes = 8,
	.register_count = COUNT,
	.return_column = X30,
	.stack_pointer = SP,
	.frame_pointer = X29,
	.perf_bit = perf_bits,
	.perf_pc_bit = 32,
	.preserved = (MACHINE_REGISTER_BIT(X29 + 1) - 1) & ~(MACHINE_REGISTER_BIT(X19) - 1),
	.has_link_register = true,
	.find_signal_layout = find_signal_layout,
	.strip = strip,
};
