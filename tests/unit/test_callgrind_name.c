/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_name.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "tests/support/leaks.h"

/* The parts of a name, with | between them. */
static void expect_parts(const char *name, const char *expected)
{
	struct callgrind_name parts = callgrind_name_of(text_of(name));
	const char *separator = "";
	struct text part;
	struct sink sink;

	sink_init_memory(&sink);
	while (callgrind_name_next(&parts, &part)) {
		sink_puts(&sink, separator);
		sink_text(&sink, part);
		separator = "|";
	}
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s: %s", name, sink.buffer);
	sink_deinit(&sink);
}

Test(callgrind_name, is_split_into_callers)
{
	static const struct {
		const char *name, *parts;
	} rows[] = {
		{ "main", "main" },
		{ "scan'parse'main'(below main)'0x00000000000010e0",
		  "scan|parse|main|(below main)|0x00000000000010e0" },
		/* A recursion level follows only the first name. */
		{ "scan'2", "scan" },
		{ "scan'12'parse'2", "scan|parse|2" },
		{ "odd(int)'2'even(int)'odd(int)'main", "odd(int)|even(int)|odd(int)|main" },
		/* C++, as valgrind demangles it */
		{ "(anonymous namespace)::a::operator<((anonymous namespace)::a const&) const'f",
		  "(anonymous namespace)::a::operator<((anonymous namespace)::a const&) const|f" },
		{ "operator<< <int>'operator->*'a::operator()(b) const'operator \"\"_x(char)'f",
		  "operator<< <int>|operator->*|a::operator()(b) const|operator \"\"_x(char)|f" },
		{ "int apply<main::{lambda(int)#1}>(main::{lambda(int)#1}, int)'main",
		  "int apply<main::{lambda(int)#1}>(main::{lambda(int)#1}, int)|main" },
		{ "f<(a>b)>()'auto g(int) -> decltype (x->y)'h[abi:cxx11](int)'main",
		  "f<(a>b)>()|auto g(int) -> decltype (x->y)|h[abi:cxx11](int)|main" },
		{ "foo(int)::$_0::operator()(int) const'2'operator_of'my_operator<a>'m",
		  "foo(int)::$_0::operator()(int) const|operator_of|my_operator<a>|m" },
		/* Names of clang's demangler have apostrophes. */
		{ "foo()::'lambda'(int)::operator()(int) const'foo()'main",
		  "foo()::'lambda'(int)::operator()(int) const|foo()|main" },
		{ "a<foo()::'lambda0'(int)>'bar()::'unnamed'::x''block-literal'(int)'main",
		  "a<foo()::'lambda0'(int)>|bar()::'unnamed'::x|'block-literal'(int)|main" },
		/* Rust */
		{ "r::k::<for<'a> fn(&'a str) -> &'a str>'<T as for<'a> R<'a>>::f::{closure#0}'g",
		  "r::k::<for<'a> fn(&'a str) -> &'a str>|<T as for<'a> R<'a>>::f::{closure#0}|g" },
		{ "r::p::<'('>'r::p::<'''>'g", "r::p::<'('>|r::p::<'''>|g" },
		/* Brackets or apostrophes that do not match */
		{ "a(b'c'd", "a(b|c|d" },
		{ "a::'b", "a::|b" },
		{ "a'b<c'd", "a|b<c|d" },
		{ "", "" },
		{ "'", "|" },
		{ "a'", "a|" },
		{ "a''b", "a||b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_parts(rows[i].name, rows[i].parts);
	assert_no_leaks();
}

Test(callgrind_name, loses_its_parameters)
{
	static const struct {
		const char *name, *expected;
	} rows[] = {
		{ "main", "main" },
		{ "scan(unsigned int)", "scan" },
		{ "(below main)", "(below main)" },
		{ "(anonymous namespace)::a::operator<(a const&) const",
		  "(anonymous namespace)::a::operator<" },
		{ "f(int)::{lambda(int)#1}::operator()(int) const",
		  "f(int)::{lambda(int)#1}::operator()" },
		{ "a::operator()", "a::operator()" },
		{ "a::f(int (*)(char)) const &", "a::f" },
		{ "f(int) [clone .part.0] [clone .cold]", "f" },
		{ "f [clone", "f [clone" },
		{ "a]", "a]" },
		{ "[clone ]", "[clone ]" },
		{ "f)", "f)" },
		{ "r::k::<fn(&str) -> usize>", "r::k::<fn(&str) -> usize>" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text got = callgrind_name_without_parameters(text_of(rows[i].name));

		cr_expect(text_is(got, rows[i].expected), "%s: %.*s", rows[i].name, (int)got.length,
			  got.at);
	}
}
