/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_align.h"

#include <criterion/criterion.h>

#include "base/attributes.h"

Test(diff_aliases, spellings_of_one_function_have_one_key)
{
	static const struct {
		const char *name, *expected;
	} rows[] = {
		{ "main", "main" },
		{ "__memcpy_avx512_unaligned_erms", "memmove" },
		{ "__memmove_evex_unaligned_erms", "memmove" },
		{ "memcpy", "memmove" },
		{ "mempcpy", "mempcpy" },
		{ "__strlen_avx2_rtm", "strlen" },
		{ "strlen_avx2", "strlen_avx2" },
		{ "__avx2", "__avx2" },
		{ "__schedule", "__schedule" },
		{ "__GI___libc_malloc", "malloc" },
		{ "__vdso_clock_gettime", "clock_gettime" },
		{ "__libc_", "__libc_" },
		{ "(anonymous namespace)::f", "{anonymous}::f" },
		{ "_GLOBAL__N_1::f", "{anonymous}::f" },
		{ "a_GLOBAL__N_1::f", "a_GLOBAL__N_1::f" },
		{ "mix<long int>", "mix<long>" },
		{ "mix<long unsigned int>", "mix<unsigned long>" },
		{ "belong int", "belong int" },
		{ "f<std::vector<int, std::allocator<int> > >", "f<std::vector<int>>" },
		{ "std::vector<int>::push_back", "std::vector<int>::push_back" },
		{ "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::f",
		  "std::basic_string<char>::f" },
		{ "f<int, std::allocator<int", "f<int,std::allocator<int" },
		{ "run(int)::{lambda(int)#}", "run(int)::{lambda}" },
		{ "run(int)::<lambda(int, int)>", "run(int)::{lambda}" },
		{ "run(int)::<lambda(int", "run(int)::<lambda(int" },
		{ "f[abi:cxx11]", "f" },
		{ "[abi:cxx11]", "[abi:cxx11]" },
		{ "main.Map[go.shape.int]", "main.Map[....int]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		diff_alias_write(&sink, text_of(rows[i].name));
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "%s became %.*s, not %s",
			  rows[i].name, (int)sink_memory(&sink).length, sink_memory(&sink).at,
			  rows[i].expected);
		sink_deinit(&sink);
	}
}

Test(diff_aliases, arguments_are_left_out)
{
	static const struct {
		const char *name, *expected;
		bool had_any;
	} rows[] = {
		{ "main", "main", false },
		{ "mix<long>", "mix", true },
		{ "std::map<int, std::vector<int> >::find(int const&)", "std::map::find", true },
		{ "A<int>::operator<", "A::operator<", true },
		{ "operator<< <int>", "operator<< ", true },
		{ "A::operator()(int)", "A::operator()", true },
		{ "(anonymous namespace)::f<int>", "(anonymous namespace)::f", true },
		{ "f<int", "f<int", false },
		{ "<T as U>::f", "<T as U>::f", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;
		bool had_any;

		sink_init_memory(&sink);
		had_any = diff_alias_write_bare(&sink, text_of(rows[i].name));
		cr_expect(text_is(sink_memory(&sink), rows[i].expected) &&
				  had_any == rows[i].had_any,
			  "%s became %.*s, not %s", rows[i].name, (int)sink_memory(&sink).length,
			  sink_memory(&sink).at, rows[i].expected);
		sink_deinit(&sink);
	}
}
