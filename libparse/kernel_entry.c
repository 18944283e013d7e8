/* SPDX-License-Identifier: MIT */
#include "libparse/kernel_entry.h"

#include "base/attr.h"
#include "base/hex.h"

bool kernel_entry_is(struct text name)
{
	static const char *const names[] = {
		"kthread",          "page_fault",           "rest_init",
		"do_idle",          "retint_user",          "ret_fast_syscall",
		"common_interrupt", "apic_timer_interrupt", "return_from_execve",
	};
	static const char *const beginnings[] = {
		"entry_SYS",
		"entry_INT80",
		"do_syscall_64",
		"asm_exc_",
		"asm_sysvec_",
		"asm_common_",
		"ret_from_",
		"el0_",
		"el0t_",
		"el1h_",
		"secondary_startup",
		"start_secondary",
		"start_kernel",
		"x86_64_start",
		"cpu_startup_entry",
		"system_call",
		"int_ret_from_sys",
		"syscall_return_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(name, names[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text_has_prefix(name, beginnings[i]))
			return true;
	return false;
}

bool kernel_entry_is_address(struct text frame)
{
	uint32_t length = 0;

	if (text_has_prefix(frame, "0x"))
		frame = (struct text){ frame.at + 2, frame.length - 2 };
	while (length < frame.length && hex_value(frame.at[length]) >= 0)
		length++;
	return length == 16 && frame.at[0] == 'f' &&
	       (length == frame.length || frame.at[length] == ' ' || frame.at[length] == '\n');
}
