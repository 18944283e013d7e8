/* SPDX-License-Identifier: MIT */
/*
 * i386, including 32-bit programs on an x86-64 kernel.
 *
 * Source: System V ABI, Intel386 supplement, "DWARF Definition"; in Linux,
 * arch/x86/include/asm/sigframe.h, arch/x86/include/uapi/asm/sigcontext.h,
 * arch/x86/entry/vdso/vdso32/system_call.S.
 */
#include <elf.h>

#include "unwind/machine.h"
#include "unwind/stack_dump.h"

enum {
	ECX = 1,
	EDX = 2,
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

static bool is_word(const struct stack_dump *copy, uint64_t address, uint64_t wanted)
{
	uint64_t word;

	return stack_dump_word(copy, (uint32_t)address, &word) && word == (uint32_t)wanted;
}

/*
 * The kernel pushes one of two signal frames: without or with siginfo (SA_SIGINFO). Both frames
 * contain a struct sigcontext with the registers in descending order: four segments, edi, esi, ebp,
 * esp, ebx, edx, ecx, eax, two words, eip, two words, and esp again.
 *
 *     sp   signal | sigcontext              sp   signal | &siginfo | &ucontext | siginfo | ucontext
 */
static const struct signal_layout *find_signal_layout(const struct stack_dump *copy, uint64_t sp)
{
	enum {
		PLAIN = 4,
		INFO = 12,
		CONTEXT = INFO + 128,
		WITH_INFO = CONTEXT + 20,
		TO_ESP = 7 * 4,
		TO_EAX = 11 * 4,
		TO_EIP = 14 * 4,
		TO_ESP_AGAIN = 17 * 4,
	};
	static const struct signal_layout plain = { EIP, -1, PLAIN + TO_EAX, PLAIN + TO_EIP };
	static const struct signal_layout with_info = { EIP, -1, WITH_INFO + TO_EAX,
							WITH_INFO + TO_EIP };
	uint64_t esp;

	if (is_word(copy, sp + 4, sp + INFO) && is_word(copy, sp + 8, sp + CONTEXT))
		return &with_info;
	if (stack_dump_word(copy, (uint32_t)(sp + PLAIN + TO_ESP), &esp) &&
	    is_word(copy, sp + PLAIN + TO_ESP_AGAIN, esp))
		return &plain;
	return NULL;
}

/* __kernel_vsyscall pushes ecx, edx and ebp, and changes only ebp. */
static bool leave_system_call(const struct stack_dump *copy, struct registers *registers)
{
	uint64_t sp = registers->value[ESP];
	uint64_t frame, return_address;

	if (!is_word(copy, sp + 4, registers->value[EDX]) ||
	    !is_word(copy, sp + 8, registers->value[ECX]) ||
	    !stack_dump_word(copy, (uint32_t)(sp + 12), &return_address) ||
	    !stack_dump_word(copy, sp, &frame))
		return false;
	registers->value[EBP] = frame;
	registers->value[ESP] = (uint32_t)(sp + 16);
	registers->pc = return_address;
	return true;
}

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
	.find_signal_layout = find_signal_layout,
	.leave_system_call = leave_system_call,
};
