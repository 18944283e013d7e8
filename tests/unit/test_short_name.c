/* SPDX-License-Identifier: MIT */
#include "render/short_name.h"

#include <criterion/criterion.h>

#include "base/attributes.h"

/* An argument of which no part can be elided alone. */
#define WIDE "an_argument_that_is_no_template_and_that_is_as_wide_as_a_line_of_a_table_is"
#define LONG "std::pair<std::string, std::vector<int, std::allocator<int> > >"

static void check(struct text name, enum short_name_level level, const char *expected)
{
	struct sink sink;
	struct text got;

	sink_init_memory(&sink);
	short_name_write(name, level, &sink);
	got = sink_memory(&sink);
	cr_expect(text_is(got, expected), "%.*s became %.*s, not %s", (int)name.length, name.at,
		  (int)got.length, got.at, expected);
	sink_deinit(&sink);
}

Test(short_name, arguments_and_parameters_are_elided)
{
	static const struct {
		const char *name, *expected;
	} rows[] = {
		{ "", "" },
		{ "main", "main" },
		{ "f<int>(int)", "f<int>(int)" },
		{ "std::_Hashtable<std::string, int>::find(std::string const&)",
		  "std::_Hashtable<…>::find(…)" },
		{ "f() const", "f() const" },
		{ "a<b<cccc> >::d<eeee>::f(int, long) [clone .isra.0]",
		  "a<…>::d<eeee>::f(…) [clone .isra.0]" },
		/* operators */
		{ "operator<(" LONG ", int)", "operator<(…)" },
		{ "bool operator< <std::string, int>(A, B const&)", "bool operator< <…>(…)" },
		{ "std::ostream& operator<< <std::char_traits<char> >(std::ostream&, char)",
		  "std::ostream& operator<< <…>(…)" },
		{ "ptr<std::string>::operator->() const", "ptr<…>::operator->() const" },
		{ "ptr<std::string>::operator->*(int std::string::*)", "ptr<…>::operator->*(…)" },
		{ "A::operator()(int, std::vector<int>) const", "A::operator()(…) const" },
		{ "operator<=><std::string>(A const&, A const&)", "operator<=><…>(…)" },
		{ "A<std::string>::operator>>=(unsigned)", "A<…>::operator>>=(…)" },
		{ "my_operator<std::string>", "my_operator<…>" },
		{ "A::operator std::vector<int, long>()", "A::operator std::vector<…>()" },
		/* lambdas, and brackets that are part of a name */
		{ "run<std::string>(int, int)::{lambda(std::pair<int, int>)#1}::operator()(int) const",
		  "run<…>(…)::{lambda(…)#1}::operator()(int) const" },
		{ "(anonymous namespace)::f(std::string)", "(anonymous namespace)::f(…)" },
		{ "main.(*Server).handle", "main.(*Server).handle" },
		{ "f[abi:cxx11](std::string)", "f[abi:cxx11](…)" },
		{ "call<void (*)(std::string)>::f", "call<…>::f" },
		/* less-than and arrows */
		{ "f<(N<8), std::string>::g(int)", "f<…>::g(int)" },
		{ "f<decltype (a->b), std::string>::g", "f<…>::g" },
		{ "core::ops::FnOnce<fn(u32) -> alloc::string::String>::call",
		  "core::ops::FnOnce<…>::call" },
		/* Rust */
		{ "<T as core::Trait>::f", "<T as core::Trait>::f" },
		{ "<alloc::vec::Vec<alloc::string::String> as core::ops::Drop>::drop",
		  "<alloc::vec::Vec<…> as core::ops::Drop>::drop" },
		{ "core::impls::<impl core::ops::Fn<(u32, u32)> for &F>::call",
		  "core::impls::<impl core::ops::Fn<…> for &F>::call" },
		{ "<[alloc::string::String]>::len", "<[alloc::string::String]>::len" },
		{ "<Vec<<T as Trait<u8, u8>>::Item> as X>::f", "<Vec<…> as X>::f" },
		{ "app::main::{closure#0}::{{closure}}", "app::main::{closure#0}::{{closure}}" },
		/* not balanced */
		{ "a<bbbbbbbb", "a<bbbbbbbb" },
		{ "a>bbbbbbbb(", "a>bbbbbbbb(" },
		{ ")>}>)((<{", ")>}>)((<{" },
		{ "a(bbbbb<cccccc)d>", "a(…)d>" },
		{ "f<int, (long>)", "f<int, (…)" },
		{ "operator", "operator" },
		{ "operator<", "operator<" },
		/* invalid UTF-8, and valid */
		{ "größe<größe, größe>::\xff(ééé)", "größe<…>::\xff(…)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(text_of(rows[i].name), SHORT_NAME_ALL, rows[i].expected);
}

Test(short_name, levels_keep_more_or_less)
{
	static const char *const expected[SHORT_NAME_LEVELS] = {
		[SHORT_NAME_FULL] = "a<b<c<ddddd, e> > >(int, int)",
		[SHORT_NAME_PARAMETERS] = "a<b<c<ddddd, e> > >(…)",
		[SHORT_NAME_DEEP] = "a<b<c<…> > >(…)",
		[SHORT_NAME_NESTED] = "a<b<…> >(…)",
		[SHORT_NAME_ALL] = "a<…>(…)",
	};

	for (int level = 0; level < SHORT_NAME_LEVELS; level++)
		check(text_of(expected[0]), (enum short_name_level)level, expected[level]);
}

Test(short_name, names_that_are_too_long_lose_their_middle)
{
	static const struct {
		const char *what;
		enum short_name_level level;
		uint32_t expected; /* bytes */
	} rows[] = {
		/* A character of two bytes, which are never separated. */
		{ "é", SHORT_NAME_FULL, 2 * (FULL_NAME_CHARACTERS - 1) + 3 },
		/* Brackets that are nested as deeply as possible, and not closed. */
		{ "<(", SHORT_NAME_ALL, FULL_NAME_CHARACTERS - 1 + 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink name;
		struct sink shown;

		sink_init_memory(&name);
		sink_init_memory(&shown);
		for (int k = 0; k < 40000; k++)
			sink_puts(&name, rows[i].what);
		short_name_write(sink_memory(&name), rows[i].level, &shown);
		cr_expect_eq(sink_memory(&shown).length, rows[i].expected);
		sink_deinit(&name);
		sink_deinit(&shown);
	}
}

static const struct {
	const char *name, *shown; /* NULL: in another way than all others */
} together[] = {
	/* A name that is short enough, although it has parts to elide. */
	{ "std::vector<std::string>::push_back(std::string const&)",
	  "std::vector<std::string>::push_back(std::string const&)" },
	/* Only its parameters are too long. */
	{ "std::vector<std::string>::emplace(std::string const&, " LONG " const&, bool)",
	  "std::vector<std::string>::emplace(…)" },
	{ "std::_Hashtable<" LONG ", std::allocator<" LONG " > >::find(int)",
	  "std::_Hashtable<std::pair<…>, std::allocator<…> >::find(int)" },
	/* Two names that are equal if everything is elided. */
	{ "table<" LONG ", " LONG ", " LONG ", first>::get",
	  "table<std::pair<…>, std::pair<…>, std::pair<…>, first>::get" },
	{ "table<" LONG ", " LONG ", " LONG ", second>::get",
	  "table<std::pair<…>, std::pair<…>, std::pair<…>, second>::get" },
	/* The same name again is not another name. */
	{ "table<" LONG ", " LONG ", " LONG ", second>::get",
	  "table<std::pair<…>, std::pair<…>, std::pair<…>, second>::get" },
	/* Two names that would be equal after the necessary elisions keep the words in which they
	 * differ. */
	{ "wide<" WIDE ", first>::get", "wide<…first>::get" },
	{ "wide<" WIDE ", second>::get", "wide<…second>::get" },
	/* Some of the names differ in one word, and others in another. */
	{ "pair<" WIDE ", ns::A*, " WIDE ", x>::get(" WIDE ")", "pair<…ns::A*…x>::get(…)" },
	{ "pair<" WIDE ", ns::A*, " WIDE ", y>::get(" WIDE ")", "pair<…ns::A*…y>::get(…)" },
	{ "pair<" WIDE ", ns::B*, " WIDE ", y>::get(" WIDE ")", "pair<…ns::B*…>::get(…)" },
	/* One name is a prefix of the other. */
	{ "last(" WIDE " const&, " WIDE " const&, int)", "last(…int)" },
	{ "last(" WIDE " const&, " WIDE " const&, int, bool)", "last(…int…)" },
	/* Names that differ in several words: more of everything is shown. */
	{ "many<" WIDE ", a1, a2, a3, a4, " WIDE ">::get", NULL },
	{ "many<" WIDE ", b1, a2, a3, a4, " WIDE ">::get", NULL },
	{ "many<" WIDE ", a1, b2, a3, a4, " WIDE ">::get", NULL },
	{ "many<" WIDE ", a1, a2, b3, a4, " WIDE ">::get", NULL },
	{ "many<" WIDE ", a1, a2, a3, b4, " WIDE ">::get", NULL },
	/* No word differs. */
	{ "call<" WIDE ", " WIDE ", (((1)))>::f", NULL },
	{ "call<" WIDE ", " WIDE ", ((1))>::f", NULL },
	/* Overloads of one length. */
	{ "overloaded(" LONG " const&, " LONG " const&, int)", "overloaded(…int)" },
	{ "overloaded(" LONG " const&, " LONG " const&, bool)", "overloaded(…bool)" },
	/* Another name equals the short form of this one. */
	{ "deep<cccccccccccccccccccc<dddddddddddddddddddddddd<eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee> > >::f",
	  "deep<cccccccccccccccccccc<dddddddddddddddddddddddd<eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee> > >::f" },
	{ "deep<cccccccccccccccccccc<dddddddddddddddddddddddd<…> > >::f",
	  "deep<cccccccccccccccccccc<dddddddddddddddddddddddd<…> > >::f" },
};

static void check_shown(const struct short_names *names, size_t index)
{
	const char *name = together[index].name;
	const char *expected = together[index].shown;
	struct text shown = short_names_get(names, index);

	if (expected)
		cr_expect(text_is(shown, expected), "%s is shown as %.*s", name, (int)shown.length,
			  shown.at);
	cr_expect_eq(short_names_is_short(names, index), !text_is(shown, name));
	for (size_t i = 0; i < index; i++)
		cr_expect_eq(text_equal(shown, short_names_get(names, i)),
			     strcmp(name, together[i].name) == 0, "%s and %s", name,
			     together[i].name);
}

Test(short_name, names_that_differ_stay_different)
{
	struct short_names names;

	short_names_init(&names);
	for (size_t i = 0; i < ARRAY_SIZE(together); i++)
		short_names_add(&names, text_of(together[i].name));
	short_names_finish(&names);
	for (size_t i = 0; i < ARRAY_SIZE(together); i++)
		check_shown(&names, i);
	short_names_deinit(&names);
}
