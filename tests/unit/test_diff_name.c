/* SPDX-License-Identifier: MIT */
#include "profile/diff_name.h"

#include <criterion/criterion.h>

#include "base/attr.h"

static void expect_name(const char *name, enum diff_naming naming, const char *expected)
{
	struct sink sink;

	sink_init_memory(&sink);
	diff_name_write(&sink, text_of(name), naming);
	cr_expect(text_is(sink_memory(&sink), expected), "%s became %.*s, not %s", name,
		  (int)sink_memory(&sink).length, sink_memory(&sink).at, expected);
	sink_deinit(&sink);
}

Test(diff_name, what_changes_between_builds_is_left_out)
{
	static const struct {
		const char *name, *expected;
	} rows[] = {
		{ "main", "main" },
		{ "parse.isra.0", "parse" },
		{ "parse.constprop.0.isra.12.cold", "parse" },
		{ "parse.part.3", "parse" },
		{ "parse [clone .cold]", "parse" },
		{ "parse.llvm.1234567890", "parse" },
		{ ".cold", ".cold" },
		{ "std::sort<int>::{lambda(int)#12}::operator()",
		  "std::sort<int>::{lambda(int)#}::operator()" },
		{ "run::$_7::call", "run::$_::call" },
		{ "run::{closure#3}", "run::{closure#}" },
		{ "main.serve.func2", "main.serve.func" },
		{ "main.serve.func2.1.3", "main.serve.func" },
		{ "lambda$main$14", "lambda$main$" },
		{ "Lambda$31/0x00007f3c5a.run", "Lambda$/0x....run" },
		{ "core::fmt::write::h0123456789abcdef", "core::fmt::write" },
		{ "::h0123456789abcdef", "::h0123456789abcdef" },
		{ "core[1f3c5a7b9d1e3f50]::fmt", "core::fmt" },
		{ "stub_7f3c01ab90", "stub_..." },
		{ "[libc.so.6+0x1f3c0]", "[libc.so.6+0x...]" },
		{ "0x", "0x" },
		/* Names that only look like it. */
		{ "sha256_transform", "sha256_transform" },
		{ "defaced", "defaced" },
		{ "feedface", "feedface" },
		{ "memcpy_avx512", "memcpy_avx512" },
		{ "operator[]", "operator[]" },
		{ "a[12]", "a[12]" },
		{ "v8.func1x", "v8.func1x" },
		{ "parse.5", "parse.5" },
		{ "1234", "1234" },
		{ "x1234", "x1234" },
		{ "x120x12", "x120x..." },
		{ "$1", "$1" },
		{ "$1lambda$2", "$1lambda$" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_name(rows[i].name, DIFF_NAMING_ALIGNED, rows[i].expected);
}

/* A line of text may be 16 MB long; were each byte to look at all the others, this would take hours. */
Test(diff_name, long_names_take_long_only_by_their_length)
{
	static const char *const pieces[] = { "1", " 1", "$1", "[a", ".1", "0x", ".isra.0" };

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		struct sink name;
		struct sink written;

		sink_init_memory(&name);
		sink_init_memory(&written);
		sink_puts(&name, "name");
		while (name.used < 4u << 20)
			sink_puts(&name, pieces[i]);
		sink_puts(&name, "end");
		diff_name_write(&written, sink_memory(&name), DIFF_NAMING_ALIGNED);
		cr_expect(text_has_prefix(sink_memory(&written), "name"));
		cr_expect(text_has_suffix(sink_memory(&written), "end"));
		sink_deinit(&name);
		sink_deinit(&written);
	}
}

Test(diff_name, less_is_done_when_less_is_asked_for)
{
	expect_name("f.isra.0 0x1F3c+0xg", DIFF_NAMING_HEX, "f.isra.0 0x...+0xg");
	expect_name("f.isra.0 0x1F3c", DIFF_NAMING_WHOLE, "f.isra.0 0x1F3c");
}
