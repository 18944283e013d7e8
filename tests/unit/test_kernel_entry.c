/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/kernel_entry.h"

#include <criterion/criterion.h>

#include "base/attributes.h"

Test(kernel_entry, functions)
{
	static const struct {
		const char *name;
		bool is_entry, is_interrupt, is_deferral;
	} rows[] = {
		{ "asm_sysvec_apic_timer_interrupt", true, true, false },
		{ "asm_common_interrupt", true, true, false },
		{ "common_interrupt", true, true, false },
		{ "el1h_64_irq", true, true, false },
		{ "el0t_64_irq", true, true, false },
		/* Functions that these call, and other ways into the kernel. */
		{ "el1h_64_irq_handler", true, false, false },
		{ "sysvec_apic_timer_interrupt", false, false, false },
		{ "el0t_64_sync", true, false, false },
		{ "asm_exc_page_fault", true, false, false },
		{ "entry_SYSCALL_64_after_hwframe", true, false, false },
		{ "ret_from_fork", true, false, false },
		{ "do_softirq", false, false, true },
		{ "do_softirq.part.0", false, false, true },
		{ "__local_bh_enable_ip", false, false, true },
		{ "run_ksoftirqd", false, false, true },
		/* These are also called when an interrupt ends. */
		{ "handle_softirqs", false, false, false },
		{ "__do_softirq", false, false, false },
		{ "do_softirq_own_stack", false, false, false },
		{ "", false, false, false },
		{ ".", false, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text name = text_of(rows[i].name);

		cr_expect_eq(kernel_entry_is(name), rows[i].is_entry, "%s", rows[i].name);
		cr_expect_eq(kernel_entry_is_interrupt(name), rows[i].is_interrupt, "%s",
			     rows[i].name);
		cr_expect_eq(kernel_entry_is_deferral(name), rows[i].is_deferral, "%s",
			     rows[i].name);
	}
}
