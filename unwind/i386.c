/* SPDX-License-Identifier: MIT */
/*
 * Also of 32-bit programs on an x86-64 kernel, whose samples have the registers of that.
 * Source: System V ABI, Intel386 supplement, "DWARF Definition".
 */
#include <elf.h>

#include "unwind/machine.h"

enum {
	EBX = 3,
	ESP = 4,
	EBP = 5,
	ESI = 6,
	EDI = 7,
	EIP = 8,
	COUNT
};

/* eax ecx edx ebx esp ebp esi edi eip */
static const uint8_t perf_bits[COUNT] = { 0, 2, 3, 1, 7, 6, 4, 5, 8 };

const struct machine machine_i386 = {
	.name = "i386",
	.elf_machine = EM_386,
	.word_bytes = 4,
	.register_count = COUNT,
	.return_column = EIP,
	.stack_pointer = ESP,
	.frame_pointer = EBP,
	.perf_bit = perf_bits,
	.perf_pc_bit = 8,
	.preserved = MACHINE_REGISTER_BIT(EBX) | MACHINE_REGISTER_BIT(EBP) |
		     MACHINE_REGISTER_BIT(ESI) | MACHINE_REGISTER_BIT(EDI),
};
