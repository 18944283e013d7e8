/* SPDX-License-Identifier: MIT */
#include "process/module_kind.h"

#include <criterion/criterion.h>

Test(module_kind, what_a_path_says)
{
	static const struct {
		const char *path;
		enum module_kind in_user, in_kernel;
	} rows[] = {
		{ "/usr/bin/app", MODULE_FILE, MODULE_KERNEL },
		{ "/usr/lib/libc.so.6", MODULE_FILE, MODULE_KERNEL },
		{ "/srv/app (deleted)", MODULE_FILE, MODULE_KERNEL },
		{ "app", MODULE_FILE, MODULE_KERNEL },
		{ "[vdso]", MODULE_VDSO, MODULE_KERNEL_MODULE },
		{ "[vdso32]", MODULE_VDSO, MODULE_KERNEL_MODULE },
		{ "", MODULE_ANONYMOUS, MODULE_KERNEL },
		{ "//anon", MODULE_ANONYMOUS, MODULE_KERNEL },
		{ "[anon:dalvik-jit]", MODULE_ANONYMOUS, MODULE_KERNEL_MODULE },
		{ "/memfd:jit (deleted)", MODULE_ANONYMOUS, MODULE_KERNEL },
		{ "/srv/memfd:app", MODULE_FILE, MODULE_KERNEL },
		{ "/dev/zero (deleted)", MODULE_ANONYMOUS, MODULE_KERNEL },
		{ "/anon_hugepage (deleted)", MODULE_ANONYMOUS, MODULE_KERNEL },
		{ "/SYSV00000000 (deleted)", MODULE_ANONYMOUS, MODULE_KERNEL },
		{ "[heap]", MODULE_ANONYMOUS, MODULE_KERNEL_MODULE },
		{ "[stack]", MODULE_ANONYMOUS, MODULE_KERNEL_MODULE },
		{ "[stack:123]", MODULE_ANONYMOUS, MODULE_KERNEL_MODULE },
		{ "[vsyscall]", MODULE_SPECIAL, MODULE_KERNEL_MODULE },
		{ "[uprobes]", MODULE_SPECIAL, MODULE_KERNEL_MODULE },
		{ "anon_inode:[perf_event]", MODULE_SPECIAL, MODULE_KERNEL },
		{ "/dev/dri/card0", MODULE_SPECIAL, MODULE_KERNEL },
		{ "/proc/kcore", MODULE_SPECIAL, MODULE_KERNEL },
		{ "/devices/app", MODULE_FILE, MODULE_KERNEL },
		{ "[kernel.kallsyms]", MODULE_SPECIAL, MODULE_KERNEL },
		{ "[kernel.kallsyms]_text", MODULE_SPECIAL, MODULE_KERNEL },
		{ "[kernel.vmlinux]", MODULE_SPECIAL, MODULE_KERNEL },
		{ "/usr/lib/debug/vmlinux", MODULE_FILE, MODULE_KERNEL },
		{ "[ext4]", MODULE_SPECIAL, MODULE_KERNEL_MODULE },
		{ "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko", MODULE_FILE, MODULE_KERNEL_MODULE },
		{ "/lib/modules/6.1.0/kernel/fs/xfs/xfs.ko.xz", MODULE_FILE, MODULE_KERNEL_MODULE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_mmap mmap = { .path = text_of(rows[i].path) };

		cr_expect_eq(module_kind_of(&mmap), rows[i].in_user, "\"%s\" of a process is %d",
			     rows[i].path, module_kind_of(&mmap));
		mmap.is_kernel = true;
		cr_expect_eq(module_kind_of(&mmap), rows[i].in_kernel, "\"%s\" of the kernel is %d",
			     rows[i].path, module_kind_of(&mmap));
		mmap.is_guest = true;
		cr_expect_eq(module_kind_of(&mmap), MODULE_GUEST, "%s", rows[i].path);
	}
}

/* A program that runs from a file in memory is still a program, which its build-id can identify. */
Test(module_kind, what_is_private)
{
	static const struct {
		const char *path;
		enum module_kind kind;
	} rows[] = {
		{ "/memfd:runc_cloned:/proc/self/exe (deleted)", MODULE_FILE },
		{ "/dev/zero (deleted)", MODULE_ANONYMOUS },
		{ "//anon", MODULE_ANONYMOUS },
		{ "/usr/bin/app", MODULE_FILE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_mmap mmap = { .path = text_of(rows[i].path), .is_private = true };

		cr_expect_eq(module_kind_of(&mmap), rows[i].kind, "%s", rows[i].path);
	}
}

Test(module_kind, the_symbol_a_kernel_mapping_names)
{
	static const struct {
		const char *path, *expected;
	} rows[] = {
		{ "[kernel.kallsyms]_text", "_text" },
		{ "[kernel.kallsyms]_stext", "_stext" },
		{ "[kernel.kallsyms]", "" },
		{ "[kernel.vmlinux]_text", "" },
		{ "/boot/vmlinux", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect(text_is(module_kernel_reference(text_of(rows[i].path)), rows[i].expected),
			  "%s", rows[i].path);
}
