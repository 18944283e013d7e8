/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_name.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "tests/support/leaks.h"

/* The parts of a name, with | between them. */
static void expect_parts(const char *name, struct callgrind_name parts, const char *expected)
{
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
		/* Comparisons and shifts in template arguments are no brackets. */
		{ "e<((N)<(1)), void>::type f<0>(A<0>)'e<((N)>=(1)), void>::type f<1>(A<1>)'main",
		  "e<((N)<(1)), void>::type f<0>(A<0>)|e<((N)>=(1)), void>::type f<1>(A<1>)|main" },
		{ "e<(N)<(1)>::type f<0>()'e<(N)>=(1)>::type f<1>()'main",
		  "e<(N)<(1)>::type f<0>()|e<(N)>=(1)>::type f<1>()|main" },
		{ "h<(N)<<(1)>()'h<(N)<=(1)>()'h<(N)>>(1)>()'main",
		  "h<(N)<<(1)>()|h<(N)<=(1)>()|h<(N)>>(1)>()|main" },
		{ "a::operator()<(char)99>(int)'b::operator-<(char)99>(b)'c::operator><int>(c)'f",
		  "a::operator()<(char)99>(int)|b::operator-<(char)99>(b)|c::operator><int>(c)|f" },
		/* Rust */
		{ "r::k::<for<'a> fn(&'a str) -> &'a str>'<T as for<'a> R<'a>>::f::{closure#0}'g",
		  "r::k::<for<'a> fn(&'a str) -> &'a str>|<T as for<'a> R<'a>>::f::{closure#0}|g" },
		{ "r::p::<'('>'r::p::<'''>'g", "r::p::<'('>|r::p::<'''>|g" },
		/* Brackets or apostrophes that do not match */
		{ "a(b'c'd", "a(b|c|d" },
		{ "a::'b", "a::|b" },
		{ "'a'b", "|a|b" },
		{ "a'b<c'd", "a|b<c|d" },
		{ "", "" },
		{ "'", "|" },
		{ "a'", "a|" },
		{ "a''b", "a||b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_parts(rows[i].name, callgrind_name_of(text_of(rows[i].name)), rows[i].parts);
	assert_no_leaks();
}

/* Before a known caller, brackets that do not match are part of one name. */
Test(callgrind_name, is_a_callee)
{
	static const struct {
		const char *name, *parts;
	} rows[] = {
		{ "scan", "scan" },
		{ "scan'2", "scan" },
		{ "scan'2'parse", "scan|parse" },
		{ "a<(b'c", "a<(b'c" },
		{ "a<(b'2", "a<(b" },
		{ "x'a<(b'c", "x|a<(b'c" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_parts(rows[i].name, callgrind_name_of_callee(text_of(rows[i].name)),
			     rows[i].parts);
	expect_parts("one", callgrind_name_of_one(text_of("a'b")), "a'b");
	expect_parts("one with a level", callgrind_name_of_one(text_of("a'b'2")), "a'b");
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
		{ "parse_operator(int)", "parse_operator" },
		/* Return types */
		{ "void apply<int>(int)", "apply<int>" },
		{ "std::enable_if<((N)<(1)), void>::type f<0>(A<0>)", "f<0>" },
		{ "e<(N)>=(1), unsigned int>::type ns::f<1>(A<1>) [clone .cold]", "ns::f<1>" },
		{ "unsigned long const& a<b, c>::get<int>(b) const", "a<b, c>::get<int>" },
		{ "decltype ({parm#1}+{parm#2}) add<int, int>(int, int)", "add<int, int>" },
		{ "std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>" },
		{ "bool (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<int>" },
		{ "void a::f(int) const::{lambda(auto:1)#1}::operator()<int>(int) const",
		  "a::f(int) const::{lambda(auto:1)#1}::operator()<int>" },
		{ "f() const &::{lambda(int)#1}::operator()(int) const",
		  "f() const &::{lambda(int)#1}::operator()" },
		{ "int (*getfp<long>(long))(int)", "getfp<long>" },
		{ "int (&ns::get<a (*)(b)>(a (*)(b)))(char)", "ns::get<a (*)(b)>" },
		{ "void (*(*twice<int>(int))(long))(char)", "twice<int>" },
		{ "a::operator unsigned int() const", "a::operator unsigned int" },
		{ "operator new(unsigned long)", "operator new" },
		{ "non-virtual thunk to a::f(int)", "non-virtual thunk to a::f" },
		{ "transaction clone for f(int)", "transaction clone for f" },
		{ "void f<(a", "void f<(a" },
		{ "f(a))", "f(a))" },
		{ "void f<(int)", "void f<" },
		{ "x (int)", "x " },
		{ "type:.eq.struct { F int }", "type:.eq.struct { F int }" },
		{ "f)", "f)" },
		{ "r::k::<fn(&str) -> usize>", "r::k::<fn(&str) -> usize>" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text got = callgrind_name_of_function(text_of(rows[i].name));

		cr_expect(text_is(got, rows[i].expected), "%s: %.*s", rows[i].name, (int)got.length,
			  got.at);
	}
}
