/* SPDX-License-Identifier: MIT */
#include "syscalls/syscall_names.h"

#include <criterion/criterion.h>

static void expect(const char *arch, uint32_t number, const char *name)
{
	struct text found = syscall_name(syscall_abi_of(text_of(arch)), number);

	cr_expect(name ? found.at && text_is(found, name) : !found.at, "%s %u: %.*s", arch, number,
		  (int)found.length, found.at ? found.at : "");
}

Test(syscall_names, by_architecture)
{
	expect("x86_64", 0, "read");
	expect("x86_64", 202, "futex");
	expect("x86_64", 334, "rseq");
	expect("x86_64", 335, NULL);
	expect("i686", 3, "read");
	expect("i386", 240, "futex");
	expect("i386", 222, NULL);
	expect("i386", 403, "clock_gettime64");
	expect("aarch64", 63, "read");
	expect("aarch64", 79, "newfstatat");
	expect("aarch64", 98, "futex");
	expect("aarch64", 222, "mmap");
	expect("aarch64", 244, NULL);
	expect("s390x", 0, NULL);
	expect("s390x", 3, "read");
	expect("s390x", 238, "futex");
	expect("s390x", 392, "semtimedop");
}

/* From 424 on, the numbers are the same everywhere. */
Test(syscall_names, shared)
{
	static const char *const archs[] = { "x86_64", "i586", "aarch64", "s390x", "riscv64" };

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		expect(archs[i], 423, i == 1 ? "sched_rr_get_interval_time64" : NULL);
		expect(archs[i], 424, "pidfd_send_signal");
		expect(archs[i], 435, "clone3");
		expect(archs[i], 462, "mseal");
		expect(archs[i], 469, "file_setattr");
		expect(archs[i], 470, NULL);
		expect(archs[i], UINT32_MAX, NULL);
	}
}

Test(syscall_names, of_other_architectures)
{
	expect("ppc64le", 3, NULL);
	cr_expect_eq(syscall_abi_of((struct text){ NULL, 0 }), SYSCALL_ABI_UNKNOWN);
}

Test(syscall_names, errors)
{
	cr_expect(text_is(syscall_error_name(2), "ENOENT"));
	cr_expect(text_is(syscall_error_name(110), "ETIMEDOUT"));
	cr_expect(text_is(syscall_error_name(133), "EHWPOISON"));
	cr_expect(text_is(syscall_error_name(512), "ERESTARTSYS"));
	cr_expect_null(syscall_error_name(0).at);
	cr_expect_null(syscall_error_name(41).at);
	cr_expect_null(syscall_error_name(134).at);
	cr_expect_null(syscall_error_name(SYSCALL_ERROR_MAX).at);
	for (uint32_t error = 1; error <= 600; error++)
		if (syscall_error_name(error).at)
			cr_expect_eq(syscall_error_of(syscall_error_name(error)), error);
	cr_expect_eq(syscall_error_of(text_of("EFOO")), 0);
}
