/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "compat/rust_legacy.h"

static const struct {
	const char *name;
	const char *meant; /* NULL: it is no such name */
} rows[] = {
	{ "core::fmt::write::h0123456789abcdef", "core::fmt::write" },
	{ "_$LT$a..B$u20$as$u20$C$GT$::d::hFEDCBA9876543210", "<a::B as C>::d" },
	{ "_$RF$$u5b$T$u3b$N$u5d$::x..y.z::h0123456789abcdef", "&[T;N]::x::y.z" },
	{ "f$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "f{{closure}}" },
	/* What is no escape ends what is understood. */
	{ "a..b$u99$c..d$GT$::h0123456789abcdef", "a::b$u99$c..d$GT$" },
	{ "a$::h0123456789abcdef", "a$" },
	{ "h0123456789abcdef", "" },
	{ "mainh0123456789abcdef", "main" },
	{ "main", NULL },
	{ "", NULL },
	{ "0123456789abcdef", NULL },
	{ "main::h0123456789abcde", NULL },
	{ "main::g0123456789abcdef", NULL },
	{ "main::h0123456789abcdeg", NULL },
};

Test(rust_legacy, names)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;
		bool is_one;

		sink_init_memory(&sink);
		is_one = rust_legacy_write(text_of(rows[i].name), &sink);
		cr_expect_eq(is_one, rows[i].meant != NULL, "%s", rows[i].name);
		cr_expect(text_is(sink_memory(&sink), rows[i].meant ? rows[i].meant : ""),
			  "%s gives \"%.*s\"", rows[i].name, (int)sink.used, sink.buffer);
		sink_deinit(&sink);
	}
}
