/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/kernel_entry.h"

#include "base/attributes.h"
#include "base/scan.h"

static bool is_any(struct text name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

static bool begins_with_any(struct text name, const char *const *beginnings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_has_prefix(name, beginnings[i]))
			return true;
	return false;
}

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

	return is_any(name, names, ARRAY_SIZE(names)) ||
	       begins_with_any(name, beginnings, ARRAY_SIZE(beginnings));
}

/* The name without compiler suffixes such as ".part.0". */
static struct text whole_function(struct text name)
{
	const char *dot = name.length ? memchr(name.at, '.', name.length) : NULL;

	return dot ? (struct text){ name.at, (uint32_t)(dot - name.at) } : name;
}

bool kernel_entry_is_interrupt(struct text name)
{
	static const char *const names[] = {
		/* x86, including names before 5.8 */
		"asm_common_interrupt",
		"common_interrupt",
		"ret_from_intr",
		"apic_timer_interrupt",
		"reschedule_interrupt",
		"call_function_interrupt",
		"call_function_single_interrupt",
		"irq_work_interrupt",
		"hyperv_callback_vector",
		"xen_hvm_callback_vector",
		/* arm64, including names before 5.11; arm */
		"el1h_64_irq",
		"el1h_64_fiq",
		"el0t_64_irq",
		"el0t_64_fiq",
		"el0t_32_irq",
		"el0t_32_fiq",
		"el1_irq",
		"el0_irq",
		"el0_irq_naked",
		"__irq_svc",
		"__irq_usr",
		/* powerpc */
		"hardware_interrupt_common",
		"hardware_interrupt_common_virt",
		"decrementer_common",
		"decrementer_common_virt",
		"doorbell_super_common",
		"doorbell_super_common_virt",
		/* s390; RISC-V and LoongArch have a single entry function */
		"io_int_handler",
		"ext_int_handler",
		"do_irq",
		"handle_riscv_irq",
		"do_vint",
		"handle_loongarch_irq",
	};
	static const char *const beginnings[] = { "asm_sysvec_" };

	name = whole_function(name);
	return is_any(name, names, ARRAY_SIZE(names)) ||
	       begins_with_any(name, beginnings, ARRAY_SIZE(beginnings));
}

bool kernel_entry_is_deferral(struct text name)
{
	static const char *const names[] = { "do_softirq", "__local_bh_enable_ip", "run_ksoftirqd",
					     "run_ktimerd" };

	return is_any(whole_function(name), names, ARRAY_SIZE(names));
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
