/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define VTUNE "Function Stack,CPU Time:Self,Module\n"
#define SAMPLED \
	"Level,Function Name,Inclusive Samples,Exclusive Samples,Exclusive Samples %,Module Name,\n"
#define TRACED "Level,Function Name,Number of Calls,Elapsed Exclusive Time %,Module Name,\n"

Test(call_tree_csv, reads_stacks)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* A line before the heading; quotes; quotes in quotes; a function without time. */
		{ "war:Column filter is ON.\n" VTUNE "Total,0.0,[Unknown]\n main,0.010,app\n"
		  "  \"std::swap<int, int>\",1.5,lib.so\n  g,0,app\n   \"say \"\"hi\"\"\",0.25,app\n",
		  "[program];main 10000000\n[program];main;g;say \"hi\" 250000000\n"
		  "[program];main;std::swap<int, int> 1500000000\n" },
		/* Without quotes around it, a quote is itself. */
		{ VTUNE "Total,0.0,\n main,1,app\n  f \"\"_x,2,app\n",
		  "[program];main 1000000000\n[program];main;f \"\"_x 2000000000\n" },
		/* More columns, in another order; no module; no row Total. */
		{ "Function Stack,Source File,CPU Time:Self\nmain,a.c,1\n f,b.c,2\n",
		  "[program];main 1000000000\n[program];main;f 2000000000\n" },
		{ SAMPLED
		  "0,\"App.exe\",30,0,0.00,\"\",\n1,\"Main(string[])\",30,\"1,024\",1.00,\"App.exe\",\n"
		  "2,\"Sort<int,int>()\",28,28,9.00,\"lib.dll\",\n0,\"b.exe\",2,2,1.00,\"\",\n"
		  "1,\"Main()\",2,2,1.00,\"b.exe\",\n",
		  "App.exe;Main(string[]) 1024\nApp.exe;Main(string[]);Sort<int,int>() 28\nb.exe 2\n"
		  "b.exe;Main() 2\n" },
		{ TRACED "0,\"App.exe\",0,0.00,\"\",\r\n1,\"Main\",7,2.50,\"App.exe\",\r\n",
		  "App.exe;Main 2.5\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

/* A decimal comma would make numbers a hundred times as large. A row that is bad in one column counts. */
Test(call_tree_csv, commas_separate_thousands_only)
{
	text_session_expect_skips(
		TRACED "0,a,1,1.00,,\n1,b,\"1,234,567\",\"2,50\",,\n1,c,\"1,5\",3.00,,\n",
		"a 1\na;c 3\n", 1);
	text_session_expect_skips(SAMPLED
				  "0,a,1,1,1,,\n1,b,1,\"1,234,567\",1,,\n1,c,1,\"12,34\",1,,\n",
				  "a 1\na;b 1234567\n", 1);
	assert_no_leaks();
}

Test(call_tree_csv, has_calls_as_an_event)
{
	static const char input[] =
		TRACED "0,\"App.exe\",0,0.00,\"\",\n1,\"Main\",\"2,893\",2.50,\"App.exe\",\n";
	struct text_session test;

	text_session_open(&test, input, strlen(input), NULL);
	cr_assert_eq(test.session.profile.events.count, 2);
	cr_expect_eq(test.session.profile.events.at[1].sample_count, 2893);
	text_session_close(&test);
	assert_no_leaks();
}

Test(call_tree_csv, skips_rows_that_it_cannot_place)
{
	static const struct {
		const char *input, *folded;
		uint64_t skip_count;
	} rows[] = {
		/* No time, a missing level, children of such rows, an open quote, a time that is none. */
		{ VTUNE
		  "Total,0.0,x\n f,1,x\n g\n  h,1,x\n   i,1,x\n k,1,x\n   l,1,x\n \"m,1,x\n n,1s,x\n",
		  "[program];f 1000000000\n[program];k 1000000000\n", 6 },
		/* A level that is no number, no function, too many digits. */
		{ SAMPLED
		  "0,a,1,1,1,,\n1,,1,1,1,,\n1,c,1,99999999999999999999,1,,\n1,d,1,3,1,,\nx,b,1,1,1,,\n2,e,1,1,1,,\n",
		  "a 1\na;d 3\n", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_skips(rows[i].input, rows[i].folded, rows[i].skip_count);
	assert_no_leaks();
}
