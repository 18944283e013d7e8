/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_name.h"

#include <criterion/criterion.h>

#include "base/attributes.h"
#include "session/symbol_files.h"

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
		{ "parse.split.0", "parse" },
		{ "parse.llvm.3F9A0B12C", "parse" },
		{ "parse.llvm.12345", "parse" },
		{ ".llvm.12345", ".llvm.12345" },
		{ "runtime.memmove.abi0", "runtime.memmove" },
		{ "parse.__part.3", "parse" },
		{ "parse.part.3", "parse" },
		{ "java/lang/String.split", "java/lang/String.split" },
		{ "java/lang/Object.clone", "java/lang/Object.clone" },
		{ "parse.clone.2", "parse" },
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
		/* Mangled, without a demangler. */
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "_ZN4core3fmt5write" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE.llvm.123", "_ZN4core3fmt5write" },
		{ "_ZN4core3fmt5write17h0123456789abcdeE",
		  "_ZN4core3fmt5write17h0123456789abcdeE" },
		{ "_ZN17h0123456789abcdefE", "_ZN17h0123456789abcdefE" },
		{ "_RNvCs15kBYyAo9fc_7mycrate3run", "_RNvC7mycrate3run" },
		{ "_RINvNtCs3Z_4core3mem4dropNtCsabc_5alloc3VecE",
		  "_RINvNtC4core3mem4dropNtC5alloc3VecE" },
		{ "_RNvC7mycrate3run", "_RNvC7mycrate3run" },
		{ "_RNvCs15kBYyAo9fc_", "_RNvCs15kBYyAo9fc_" },
		{ "runCs1_7mycrate", "runCs1_7mycrate" },
		/* Suffixes that tools append when they fold stacks. */
		{ "do_nanosleep_[k]", "do_nanosleep" },
		{ "parse_[i]", "parse" },
		{ "Foo::run_[j]", "Foo::run" },
		{ "Foo.run_[0]", "Foo.run" },
		{ "clock_nanosleep@GLIBC_2.2.5", "clock_nanosleep" },
		{ "clock_gettime@@GLIBC_2.17", "clock_gettime" },
		{ "std::ostream::write(char const*, long)@@GLIBCXX_3.4",
		  "std::ostream::write(char const*, long)" },
		{ "parse.isra.0_[k]", "parse" },
		/* Names that only seem to have such a suffix. */
		{ "write@plt", "write@plt" },
		{ "_[k]", "_[k]" },
		{ "name@1a2b", "name@1a2b" },
		{ "a@b_1@", "a@b_1@" },
		{ "@V_1", "@V_1" },
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

/* Names as truncated by stackcollapse-perf.pl, which can be recognised as truncated. */
Test(diff_name, names_are_cut_as_the_script_cuts_them)
{
	static const struct {
		const char *name, *expected;
	} rows[] = {
		{ "run", "run" },
		{ "run(int)", "run" },
		{ "std::function<void (int)>::operator()", "std::function<void" },
		{ "std::function<void ", "std::function<void" },
		{ "(anonymous namespace)::run(int)", "(anonymous namespace)::run" },
		{ "a::(anonymous namespace)::run", "a::(anonymous namespace)::run" },
		{ "net/http.(*Client).Do", "net/http.(*Client).Do" },
		{ "Lazy::operator()", "Lazy::operator" },
		{ "(", "(" },
	};
	static const struct {
		const char *name;
		bool is_cut;
	} names[] = {
		{ "std::function<void ", true },
		{ "std::_Function_handler<int", true },
		{ "std::sort<main::{lambda", true },
		{ "Lazy::operator", true },
		{ "std::sort<main::{lambda_[i]", true },
		{ "std::function<void (int)>::operator()", false },
		{ "Lazy::operator()", false },
		{ "std::operator<", false },
		{ "std::operator<< <char>", false },
		{ "a::B::operator->", false },
		{ "a::B::my_operator", false },
		{ "<T as a::Trait>::call", false },
		{ "RegExp:[<{", false },
		{ "run", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_name(rows[i].name, DIFF_NAMING_CUT, rows[i].expected);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		cr_expect_eq(diff_name_is_cut(text_of(names[i].name)), names[i].is_cut, "%s",
			     names[i].name);
}

/* A line may have 16 MB: quadratic time would take hours. */
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

/* Names that are mangled on one side only. */
Test(diff_name, mangled_names_are_those_they_stand_for)
{
	static const struct {
		const char *name, *expected;
		enum diff_naming naming;
	} rows[] = {
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write",
		  DIFF_NAMING_ALIGNED },
		{ "_RNvCs15kBYyAo9fc_7mycrate3run", "mycrate::run", DIFF_NAMING_ALIGNED },
		{ "_ZN3net4pollEi.part.0_[i]", "net::poll", DIFF_NAMING_ALIGNED },
		{ "_ZNSt8functionIFviEEclEi", "std::function<void", DIFF_NAMING_CUT },
		/* As in frames of a perf.data file. */
		{ "_ZZ4workiENK3$_1clEi", "work", DIFF_NAMING_ALIGNED },
		{ "_RINvC3lib4readAhj8_E", "lib::read::<[u8: 8]>", DIFF_NAMING_ALIGNED },
		{ "_ZN3net", "_ZN3net", DIFF_NAMING_ALIGNED },
		{ "_start", "_start", DIFF_NAMING_ALIGNED },
		{ "_", "_", DIFF_NAMING_ALIGNED },
		{ "_ZN3net4pollEi", "_ZN3net4pollEi", DIFF_NAMING_WHOLE },
	};
	struct sink probe;
	bool can_demangle;

	sink_init_memory(&probe);
	can_demangle = demangle_name(&probe, text_of("_Z3runv"));
	sink_deinit(&probe);
	if (!can_demangle)
		cr_skip_test("built without libiberty");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		diff_name_write_readable(&sink, text_of(rows[i].name), rows[i].naming,
					 demangle_name);
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "%s became %.*s",
			  rows[i].name, (int)sink_memory(&sink).length, sink_memory(&sink).at);
		sink_deinit(&sink);
	}
}
