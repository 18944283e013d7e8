/* SPDX-License-Identifier: MIT */
/*
 * assert_no_leaks(), at the end of a test: fails it when memory was lost. Checks only where the
 * address sanitizer is built in; a test's process ends without its usual check for leaks.
 */
#ifndef TESTS_SUPPORT_LEAKS_H
#define TESTS_SUPPORT_LEAKS_H

#include <criterion/criterion.h>

#include "base/attributes.h"

#if HAS_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>

#define assert_no_leaks() cr_assert(!__lsan_do_recoverable_leak_check(), "memory was lost")
#else
#define assert_no_leaks() \
	do {              \
	} while (0)
#endif

#endif
