/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/bpftrace_frame.h"

#include <criterion/criterion.h>

#include "base/error.h"
#include "tests/support/expected_frame.h"

Test(bpftrace_frame, reads_all_modes)
{
	static const struct expected_frame rows[] = {
		{ .raw = "main+35", .name = "main", .module = "", .offset = 35 },
		{ .raw = "vfs_read+145\n",
		  .name = "vfs_read",
		  .module = "",
		  .offset = 145,
		  .is_kernel = true },
		{ .raw = "vfs_read+145\r\n",
		  .name = "vfs_read",
		  .module = "",
		  .offset = 145,
		  .is_kernel = true },
		{ .raw = "main+35@src/c++/12/m.c:7", .name = "main", .module = "", .offset = 35 },
		{ .raw = "read@@GLIBC_2.2.5+9",
		  .name = "read@@GLIBC_2.2.5",
		  .module = "",
		  .offset = 9 },
		{ .raw = "operator++12", .name = "operator+", .module = "", .offset = 12 },
		{ .raw = "operator+", .name = "operator+", .module = "" },
		{ .raw = "+12", .name = "+12", .module = "" },
		{ .raw = "operator new(unsigned long)+7",
		  .name = "operator new(unsigned long)",
		  .module = "",
		  .offset = 7 },
		{ .raw = "f+99999999999999999999", .name = "f", .module = "" },
		{ .raw = "[inlined] f::g@src/f.c:3",
		  .name = "f::g",
		  .module = "",
		  .is_inlined = true },
		{ .raw = "0x7f195de8e24a", .name = "", .module = "" },
		{ .raw = "7f195de8e24a", .name = "", .module = "", .address = 0x7f195de8e24a },
		{ .raw = "7f195de8e24a main+35 (/usr/bin/a b)",
		  .name = "main",
		  .module = "/usr/bin/a b",
		  .address = 0x7f195de8e24a,
		  .offset = 35 },
		{ .raw = "ffffffff81415af0 do_syscall_64+506\n",
		  .name = "do_syscall_64",
		  .module = "",
		  .address = 0xffffffff81415af0,
		  .offset = 506,
		  .is_kernel = true },
		{ .raw = "7f195de8e24a 0x7f195de8e24a ([unknown])",
		  .name = "",
		  .module = "",
		  .address = 0x7f195de8e24a },
		{ .raw = "7f195de8e24a f (inlined)",
		  .name = "f",
		  .module = "",
		  .address = 0x7f195de8e24a,
		  .is_inlined = true },
		{ .raw = "0123456789abcdef0123456789abcdef01234567 0x1f3c0",
		  .name = "",
		  .module = "0123456789abcdef0123456789abcdef01234567" },
		{ .raw = "<unwind failure>", .name = "<unwind failure>", .module = "" },
		/* Short words are names, even if they are hexadecimal. */
		{ .raw = "add", .name = "add", .module = "" },
		/* Words of keys. */
		{ .raw = " a+1", .name = "a+1", .module = "", .is_exact = true },
		{ .raw = ",0x12", .name = "0x12", .module = "", .is_exact = true },
		{ .raw = "\n[2, 4)", .name = "[2, 4)", .module = "", .is_exact = true },
		{ .raw = "[7", .name = "7", .module = "", .is_exact = true },
		{ .raw = "[unknown]", .name = "[unknown]", .module = "" },
		{ .raw = "", .name = "", .module = "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expected_frame_check(&rows[i], bpftrace_read_frame);
}

Test(bpftrace_frame, knows_the_kernel)
{
	static const char *const kernel[] = {
		"entry_SYSCALL_64_after_hwframe+118",
		"asm_exc_page_fault+34",
		"ret_from_fork_asm+26",
		"secondary_startup_64_no_verify+224",
		"el0t_64_sync+400",
		"kthread+12",
		"ffffffff81415af0 do_syscall_64+506",
		"ffffffff81415af0",
		"0xffffffff81415af0",
	};
	static const char *const others[] = {
		"main+1",         "kthread_fifo::run+3",      "clone+63", "", "7f195de8e24a",
		"0x7f195de8e24a", "7f195de8e24a asm_x+1 (/a)"
	};

	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++)
		cr_assert(bpftrace_frame_is_of_kernel(text_of(kernel[i])), "%s", kernel[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		cr_assert(!bpftrace_frame_is_of_kernel(text_of(others[i])), "%s", others[i]);
}

Test(bpftrace_frame, knows_frames_without_indent)
{
	static const char *const frames[] = {
		"_raw_spin_lock_bh+0",
		"7f195de8e24a",
		"0x7f195de8e24a",
		"0123456789abcdef0123456789abcdef01234567 0x1f3c0",
	};
	static const char *const others[] = { "",   "Lost 12 events",   "hello", "a b+1", "+1",
					      "12", "7f195de8e24a word" };

	for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
		cr_assert(bpftrace_frame_is_bare(text_of(frames[i])), "%s", frames[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		cr_assert(!bpftrace_frame_is_bare(text_of(others[i])), "%s", others[i]);
}
