/* SPDX-License-Identifier: MIT */
/*
 * x86-64.
 *
 * Source: System V ABI, AMD64 supplement, "DWARF Definition";
 * arch/x86/include/uapi/asm/perf_regs.h.
 */
#include <elf.h>

#include "unwind/machine.h"

enum {
	RBX = 3,
	RBP = 6,
	RSP = 7,
	R12 = 12,
	R13 = 13,
	R14 = 14,
	R15 = 15,
	RIP = 16,
	COUNT
};

/* rax rdx rcx rbx rsi rdi rbp rsp r8 to r15 rip */
static const uint8_t perf_bits[COUNT] = {
	0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8,
};

#define SAVED_BY_CALLEES                                                                     \
	(MACHINE_REGISTER_BIT(RBX) | MACHINE_REGISTER_BIT(R12) | MACHINE_REGISTER_BIT(R13) | \
	 MACHINE_REGISTER_BIT(R14) | MACHINE_REGISTER_BIT(R15))

const struct machine machine_x86_64 = {
	.name = "x86-64",
	.elf_machine = EM_X86_64,
	.word_bytes = 8,
	.register_count = COUNT,
	.return_column = RIP,
	.stack_pointer = RSP,
	.frame_pointer = RBP,
	.perf_bit = perf_bits,
	.perf_pc_bit = 8,
	.preserved = SAVED_BY_CALLEES | MACHINE_REGISTER_BIT(RBP),
	.maybe_missing = SAVED_BY_CALLEES,
};
