/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <zlib.h>

#include "base/library.h"

#define ZLIB_FUNCTIONS(_) \
	_(crc32)          \
	_(zlibVersion)

struct zlib {
	ZLIB_FUNCTIONS(LIBRARY_MEMBER)
};

#ifdef HAVE_DLOPEN

Test(library, loads_functions_in_their_order)
{
	struct zlib lib;

	cr_assert(LIBRARY_LOAD("libz.so.1", ZLIB_FUNCTIONS, &lib));
	cr_assert_str_eq(lib.zlibVersion(), zlibVersion());
	cr_assert_eq(lib.crc32(0, (const unsigned char *)"kiln", 4), 0xe9273745);
}

Test(library, misses_libraries_and_functions)
{
	static const char *const missing[] = { "crc32", "no_such_function", NULL };
	void *functions[2];

	cr_expect_not(library_load("libno-such-library.so.1", missing, functions));
	cr_expect_not(library_load("libz.so.1", missing, functions));
}

#endif
