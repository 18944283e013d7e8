/* SPDX-License-Identifier: MIT */
#include "libparse/perf_report/perf_report.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_session.h"

#define SAMPLES "# Samples: 100  of event 'cycles'\n# Event count (approx.): 10000\n#\n"
#define HEADING \
	"# Overhead  Command  Shared Object  Symbol\n# ........  .......  .............  ......\n#\n"
#define COUNTS   "# Overhead       Samples  Command  Shared Object  Symbol\n"
#define CHILDREN "# Children      Self  Command  Shared Object  Symbol\n"
#define PERIODS  "# Overhead        Period  Command  Shared Object  Symbol\n"

#define CALLER                                               \
	"    60.00%  app      app            [.] read\n"     \
	"            |\n"                                    \
	"            ---main\n"                              \
	"               |          \n"                       \
	"               |--40.00%--load\n"                   \
	"               |          |          \n"            \
	"               |           --30.00%--parse\n"       \
	"               |                     read\n"        \
	"               |          \n"                       \
	"                --20.00%--read\n\n"                 \
	"    40.00%  app      [kernel]       [k] schedule\n" \
	"            |\n"                                    \
	"            ---main\n"                              \
	"               schedule\n\n"

Test(perf_report, reads_all_layouts)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* -g caller: the weight that no branch has is of the node above. */
		{ SAMPLES HEADING CALLER,
		  "app;main;load;[not shown];read 1000\napp;main;load;parse;read 3000\n"
		  "app;main;read 2000\n"
		  "app;main;schedule 4000\n" },
		/* -g callee, with several roots, without blanks at the end of lines. */
		{ SAMPLES HEADING "    70.00%  app      app            [.] read\n            |\n"
				  "            ---read\n               |\n"
				  "               |--40.00%--load\n               |          main\n"
				  "               |\n                --30.00%--scan\n"
				  "                          main\n",
		  "app;main;load;read 4000\napp;main;scan;read 3000\n" },
		/* perf of Linux 3.18: blanks before names. */
		{ SAMPLES HEADING
		  "   100.00%  app      app            [.] read\n               |\n"
		  "               --- read\n                   load\n"
		  "                  |          \n                  |--60.00%-- main\n"
		  "                  |          start\n                   --40.00%-- run\n",
		  "app;run;load;read 4000\napp;start;main;load;read 6000\n" },
		/* -g flat: 60% includes the 20% of the longer stack. */
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n           60.00%\n"
				  "                main\n                f\n\n           40.00%\n"
				  "                main\n                g\n                f\n\n"
				  "           20.00%\n                main\n                f\n"
				  "                f\n\n",
		  "app;main;f 4000\napp;main;f;f 2000\napp;main;g;f 4000\n" },
		/* -g folded; the address 0. */
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n"
				  "60.00% f;operator new(unsigned long);main\n40.00% f;0x7f12;0\n",
		  "app;[unknown];[unknown];f 4000\napp;main;operator new;f 6000\n" },
		/* Counts and periods. */
		{ SAMPLES COUNTS
		  "    60.00%            60  app      app            [.] f\n            |\n"
		  "            ---main\n               |--31--g\n"
		  "               |          f\n                --29--f\n"
		  "    40.00%            40  app      app            [.] h\n            |\n"
		  "            ---main\n               h\n",
		  "app;main;f 29\napp;main;g;f 31\napp;main;h 40\n" },
		{ SAMPLES PERIODS
		  "   100.00%         10000  app      app            [.] f\n            |\n"
		  "            ---main\n               |--6001--g\n"
		  "               |          f\n                --3999--f\n",
		  "app;main;f 3999\napp;main;g;f 6001\n" },
		/* A text with two blanks, in columns whose positions are known. */
		{ SAMPLES "# Overhead  Command   Shared Object  Symbol\n"
			  "# ........  ........  .............  ......\n"
			  "   100.00%  my  prog  a  b           [.] f\n            |\n"
			  "            ---main\n               f\n",
		  "my__prog;main;f 10000\n" },
		/* Functions of JavaScript contain their source line. */
		{ SAMPLES HEADING
		  "    60.00%  node     jit            [.] Lazy:* /a.js:1\n            |\n"
		  "            ---Lazy:* /b.js:2\n               Lazy:* /a.js:1\n"
		  "    40.00%  node     jit            [.] Lazy:* /b.js:2\n            |\n"
		  "            ---Lazy:* /b.js:2\n",
		  "node;Lazy:* /b.js:2 4000\nnode;Lazy:* /b.js:2;Lazy:* /a.js:1 6000\n" },
		/* Three events: percentages are rounded to nearest. */
		{ "# Samples: 3  of event 'cycles'\n# Event count (approx.): 3\n" HEADING
		  "   100.00%  app      app            [.] f\n            |\n            ---main\n"
		  "               |--66.67%--f\n                --33.33%--g\n"
		  "                          f\n",
		  "app;main;f 2\napp;main;g;f 1\n" },
		/* One event of 100 is not noise. */
		{ "# Samples: 100  of event 'cycles'\n# Event count (approx.): 100\n" HEADING
		  "   100.00%  app      app            [.] f\n            |\n            ---main\n"
		  "               f\n               |--98.00%--g\n               |          f\n"
		  "                --1.00%--h\n                          f\n",
		  "app;main;f 1\napp;main;f;g;f 98\napp;main;f;h;f 1\n" },
		/* Periods, because there are fewer samples. */
		{ "# Samples: 1K of event 'cycles'\n# Event count (approx.): 10000\n" PERIODS
		  "   100.00%         10000  app      app            [.] f\n            |\n"
		  "            ---main\n               f\n               |\n"
		  "                --6010--g\n                          f\n",
		  "app;main;f 3990\napp;main;f;g;f 6010\n" },
		/* The column of the numbers is that which they fit: here, the second. */
		{ SAMPLES "# Overhead       Samples        Period  Command  Shared Object  Symbol\n"
			  "   100.00%             4         10000  app      app            [.] f\n"
			  "            |\n            ---main\n               |--6001--g\n"
			  "               |          f\n                --3999--f\n",
		  "app;main;f 3999\napp;main;g;f 6001\n" },
		/* -v */
		{ SAMPLES HEADING "   100.00%  app      /bin/app       0x1176             B [.] f\n"
				  "            |\n            ---f\n               main\n",
		  "app;main;f 10000\n" },
		/* -s pid,sym */
		{ SAMPLES "# Overhead      Pid:Command  Symbol\n"
			  "   100.00%    712:two words  [.] f\n            |\n            ---f\n"
			  "               main\n",
		  "two_words;main;f 10000\n" },
		/* No number of events. */
		{ "    62.50%  app      app            [.] f\n            |\n            ---f\n"
		  "               main\n    37.50%  app      app            [.] g\n            |\n"
		  "            ---g\n               main\n",
		  "app;main;f 62.5\napp;main;g 37.5\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(perf_report, reads_self_of_children)
{
	/* 40% of sort are whole stacks; the other 60% are in those of compare. */
	static const char input[] = SAMPLES CHILDREN
		"   100.00%     0.00%  app      app            [.] main\n            |\n"
		"            ---main\n               sort\n               |          \n"
		"                --60.00%--compare\n\n"
		"   100.00%    40.00%  app      app            [.] sort\n            |          \n"
		"            |--60.00%--sort\n            |          compare\n            |          \n"
		"             --40.00%--main\n                       sort\n\n"
		"    60.00%    60.00%  app      app            [.] compare\n            |\n"
		"            ---main\n               sort\n               compare\n";
	/* A part without a heading. */
	static const char part[] =
		"    75.00%    50.00%  app      app            [.] sort\n            |          \n"
		"            |--50.00%--main\n            |          sort\n            |          \n"
		"             --25.00%--sort\n                       compare\n\n"
		"    50.00%    50.00%  app      app            [.] compare\n\t    |\n"
		"\t    |--25.00%--main\n\t    |          sort\n\t    |          compare\n"
		"\t     --25.00%--run\n\t\t       compare\n";

	text_session_expect_whole(input, "app;main;sort 4000\napp;main;sort;compare 6000\n");
	text_session_expect_whole(part, "app;main;sort 50\napp;main;sort;compare 25\n"
					"app;run;compare 25\n");
	assert_no_leaks();
}

Test(perf_report, reads_quoted_text)
{
	static const char *const inputs[] = {
		/* A mail, with CRLF. */
		"Hi!\r\n> # Overhead  Command  Shared Object  Symbol\r\n>\r\n"
		">    100.00%  app      app            [.] f\r\n>             |\r\n"
		">             ---f\r\n>                |\r\n>                |--75.00%--main\r\n>\r\n"
		">                 --25.00%--run\r\n",
		/* Tabs instead of blanks, and no heading. */
		"Hi!\n  100.00%  app\tapp\t[.] f\n\t    |\n\t    ---f\n\t       |\n\t       |--75.00%--main\n"
		"\t        --25.00%--run\n",
		/* Indented, as code is in Markdown. */
		"Hi!\n    # Overhead  Command  Shared Object  Symbol\n"
		"       100.00%  app      app            [.] f\n                |\n                ---f\n"
		"                   |--75.00%--main\n                    --25.00%--run\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++)
		text_session_expect_skips(inputs[i], "app;main;f 75\napp;run;f 25\n", 1);
	assert_no_leaks();
}

/* perf omits branches below 0.5%, if there are enough samples. */
#define MANY "# Samples: 4K of event 'cycles'\n# Event count (approx.): 10000\n#\n"

Test(perf_report, marks_incomplete_stacks)
{
	static const struct {
		const char *input, *folded, *damage;
	} rows[] = {
		/* The callers of 10% are unknown, because main has callers elsewhere. */
		{ MANY HEADING
		  "    80.00%  app      app            [.] f\n            |\n            ---f\n"
		  "               |--60.00%--main\n               |          start\n"
		  "                --10.00%--main\n"
		  "    20.00%  app      app            [.] g\n",
		  "app;[not shown];f 1000\napp;[not shown];g 2000\napp;[not shown];main;f 1000\n"
		  "app;start;main;f 6000\n",
		  "omits functions in the stacks of 40.00% of the samples; " },
		/* The functions between main and f are unknown. */
		{ MANY HEADING "   100.00%  app      app            [.] f\n            |\n"
			       "            ---main\n                --90.00%--f\n",
		  "app;main;[not shown];f 1000\napp;main;f 9000\n",
		  "omits functions in the stacks of 10.00% of the samples; " },
		/* Self of f: perf may have omitted callers of f, or functions that it calls. */
		{ MANY CHILDREN
		  "   100.00%    40.00%  app      app            [.] f\n            |\n"
		  "            ---f\n               |\n                --60.00%--g\n"
		  "    60.00%    60.00%  app      app            [.] g\n            |\n"
		  "            ---f\n               g\n",
		  "app;[not shown];f 4000\napp;f;g 6000\n",
		  "omits functions in the stacks of 40.00% of the samples; " },
		/* -g callee --max-stack 3: main has a caller elsewhere. */
		{ SAMPLES HEADING
		  "    60.00%  app      app            [.] f\n            |\n            ---f\n"
		  "               |--40.00%--a\n               |          main\n"
		  "                --20.00%--main\n                          start\n\n"
		  "    39.70%  app      app            [.] main\n            |\n"
		  "            ---main\n               start\n\n"
		  "     0.30%  app      app            [.] g\n            |\n"
		  "            ---g\n\n",
		  "app;[not shown];main;a;f 4000\napp;g 30\napp;start;main 3970\n"
		  "app;start;main;f 2000\n",
		  "omits functions in the stacks of 40.00% of the samples; " },
		/* -g callee; the last call graph is truncated. */
		{ SAMPLES HEADING
		  "    99.70%  app      app            [.] f\n            |\n            ---f\n"
		  "               main\n               start\n\n"
		  "     0.30%  app      app            [.] g\n            |\n            ---g\n"
		  "               main\n",
		  "app;[not shown];main;g 30\napp;start;main;f 9970\n",
		  "omits functions in the stacks of 0.30% of the samples; " },
		/* --percent-limit, or a part of a report. */
		{ SAMPLES HEADING "    90.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               main\n",
		  "app;main;f 9000\n", "omits 9.99% of the samples; " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		text_session_expect(rows[i].input, rows[i].folded);
		text_session_open(&test, rows[i].input, strlen(rows[i].input), NULL);
		cr_assert(test.session.capture.is_partial, "row %zu", i);
		cr_expect(strstr(test.session.capture.damage.text, rows[i].damage), "row %zu: %s",
			  i, test.session.capture.damage.text);
		text_session_close(&test);
	}
	assert_no_leaks();
}

Test(perf_report, has_exact_weights_only_of_numbers)
{
	/* 33.33% + 33.33% + 33.33%: what rounding leaves is not of main. */
	text_session_expect("# Event count (approx.): 1000000\n" HEADING
			    "    66.67%  app      app            [.] f\n            |\n"
			    "            ---main\n               |--33.33%--a\n"
			    "               |          f\n                --33.33%--b\n"
			    "                          f\n"
			    "    33.33%  app      app            [.] g\n            |\n"
			    "            ---main\n               g\n",
			    "app;main;a;f 333300\napp;main;b;f 333300\napp;main;g 333300\n");
	assert_no_leaks();
}

static void expect_refusal(const char *input, const char *why, size_t row)
{
	struct memory_file file;
	struct capture capture;
	struct error err = { .code = ERROR_NONE };

	memory_file_open(&file, input, strlen(input));
	cr_assert_not(capture_open(&capture, file.path, &err), "row %zu", row);
	cr_expect(strstr(err.text, why), "row %zu: %s", row, err.text);
	memory_file_close(&file);
}

Test(perf_report, refuses_what_has_no_stack_for_each_sample)
{
	static const struct {
		const char *input, *why;
	} rows[] = {
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n",
		  "without call graphs" },
		{ SAMPLES "# Overhead  Command\n   100.00%  app\n            |\n            ---f\n",
		  "without the Symbol column" },
		/* The percentages of callers are those of callers. */
		{ SAMPLES HEADING "    50.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               |--60.00%--a\n"
				  "                --40.00%--b\n",
		  "-g fractal" },
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               |--60.00%--a\n"
				  "                --40.00%--[...]\n",
		  "is the output of `perf report -g fractal`" },
		/* -F overhead,comm,dso,sym: the graphs are those of Children. */
		{ SAMPLES HEADING "    40.00%  app      app            [.] f\n            |\n"
				  "            ---main\n               |--60.00%--f\n"
				  "               |          g\n                --40.00%--f\n",
		  "larger than those of their rows, as with `perf report -g fractal`, or with -F" },
		/* Both graphs begin at f. */
		{ SAMPLES CHILDREN
		  "   100.00%   100.00%  app      app            [.] f\n            |\n"
		  "            ---f\n               main\n"
		  "   100.00%     0.00%  app      app            [.] main\n            |\n"
		  "            ---main\n",
		  "as with -g callee" },
		/* Decided for each row: only one of them has stacks. */
		{ SAMPLES CHILDREN
		  "    60.00%    60.00%  app      app            [.] g\n            |\n"
		  "            ---main\n               g\n"
		  "    40.00%    40.00%  app      app            [.] f\n            |\n"
		  "            ---f\n               main\n",
		  "as with -g callee" },
		{ SAMPLES
		  "# Children      Self       Samples  Command  Shared Object  Symbol\n"
		  "   100.00%   100.00%            10  app      app            [.] f\n            |\n"
		  "            ---main\n               |--6--f\n                --4--g\n"
		  "                          f\n",
		  "lack the numbers of Children" },
		{ SAMPLES "# Overhead  Symbol\n    60.00%  [.] read\n            |\n"
			  "            ---load\n               main\n",
		  "with a symbol as its first text column" },
		{ SAMPLES
		  "# Overhead  Symbol size  Command  Symbol\n    60.00%  12  app  [.] read\n",
		  "with a symbol as its first text column" },
		/* Without a heading. */
		{ "    60.00%  [.] read\n            |\n            ---load\n               main\n",
		  "with a symbol as its first text column" },
		/* -g count without its column. */
		{ SAMPLES PERIODS
		  "   100.00%         10000  app      app            [.] f\n            |\n"
		  "            ---main\n               |--61--g\n"
		  "               |          f\n                --39--f\n",
		  "numbers that no column" },
		/* The same with periods of 2: 5000 samples cannot be told from periods. */
		{ "# Samples: 5K of event 'page-faults'\n# Event count (approx.): 10000\n" PERIODS
		  "   100.00%         10000  app      app            [.] f\n            |\n"
		  "            ---f\n               |--3000--a\n                --2000--b\n",
		  "numbers that no column" },
		{ SAMPLES HEADING
		  "   100.00%  app      app            [.] f\n            |\n"
		  "            ---main\n               g (inlined)\n               f\n",
		  "inlined functions" },
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            ---main main.c:3\n               f f.c:12\n",
		  "-g address" },
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               f +119\n               main\n",
		  "-g address" },
		/* Texts with two blanks, in columns whose positions are unknown. */
		{ SAMPLES "# Overhead  Command   Shared Object  Symbol\n"
			  "   100.00%  my  prog  app            [.] f\n            |\n"
			  "            ---main\n               f\n",
		  "cells do not match" },
		{ "   100.00%  my  prog  app            [.] f\n            |\n"
		  "            ---main\n               f\n",
		  "cells do not match" },
		/* Rows of more than 100%, and two reports. */
		{ HEADING CALLER "    40.00%  app      app            [.] f\n            |\n"
				 "            ---main\n               f\n",
		  "rows add up to more than 100%" },
		{ SAMPLES HEADING CALLER SAMPLES HEADING CALLER, "for one event" },
		/* Prose, percentages without decimals, other styles. */
		{ SAMPLES HEADING "    50.00%  app      app            [.] f\n50.00% f;main\n"
				  "    50.00%  app      app            [.] g\n50.00% g;main\n"
				  "50% of the time; as you can see\n",
		  "not a part of its call graphs" },
		{ SAMPLES HEADING "    50.00%  app      app            [.] f\n50.00% f;main\n"
				  "    50.00%  app      app            [.] g\n            |\n"
				  "            ---g\n               main\n",
		  "not a part of its call graphs" },
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               main\n            ---main\n",
		  "not a part of its call graphs" },
		/* A line that a mail program wrapped. */
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               f(int,\nint)\n",
		  "not a part of its call graphs" },
		{ SAMPLES HEADING CALLER "Other callers:\n            ---f\n", "no row" },
		{ SAMPLES HEADING "   100.00%  java     jit            [.] La;::f\n"
				  "100.00% La;::f;Lb;::main\n",
		  "semicolons" },
		/* Which end is the leaf? */
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               g\n               h\n"
				  "               f\n",
		  "caller or callee order" },
		/* -g graph,0,1,callee */
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            ---f\n               |--60.00%--a\n"
				  "                          |--0.10%--c\n",
		  "stacks end or perf omitted" },
		{ SAMPLES "# Overhead|Command|Shared Object|Symbol\n 100.00%|app|app|[.] f\n",
		  "another separator (-t)" },
		{ SAMPLES
		  "#    Overhead  Command / Shared Object / Symbol\n   100.00%        app\n",
		  "--hierarchy" },
		{ SAMPLES "# Overhead  Comm  Shared Object  Symbol\n"
			  "   100.00%  kiln  app            [.] f\n",
		  "-w, which shortens names" },
		{ SAMPLES HEADING "\033[31m   100.00%\033[m  app      app            [.] f\n",
		  "with colours" },
		{ SAMPLES HEADING "   100.00%  app      app            [.] f\n            |\n"
				  "            |--60--f\n             --40--g\n",
		  "numbers that no column" },
		/* The first rows of a report with Children. */
		{ SAMPLES CHILDREN
		  "   100.00%     0.00%  app      app            [.] main\n            |\n"
		  "            ---main\n               f\n",
		  "no row has samples of its own" },
		/* --group prints several percentages. */
		{ "# Samples: 9 of events 'a, b'\n#         Overhead  Command  Symbol\n"
		  "    60.00%  40.00%  app      [.] f\n            |\n            ---f\n",
		  "cells do not match" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_refusal(rows[i].input, rows[i].why, i);
	assert_no_leaks();
}

/* Stacks that share many functions, in both orders: as text, they grow with the square of the report. */
Test(perf_report, refuses_more_frames_than_its_size_allows)
{
	static const char *const leaves[] = { "---main\n", "---f\n" };

	for (size_t i = 0; i < ARRAY_SIZE(leaves); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		sink_printf(&sink,
			    COUNTS
			    "   100.00%%          1000  app      app            [.] f\n            "
			    "|\n            %s",
			    leaves[i]);
		for (unsigned j = 0; j < 1000; j++)
			sink_printf(&sink, "               g%u\n", j);
		for (unsigned j = 0; j < 1000; j++)
			sink_printf(&sink, "               |--1--%s%u\n%s", i ? "h" : "k", j,
				    i ? "" : "               |          f\n");
		sink_printf(&sink, "%c", 0);
		expect_refusal(sink.buffer, "more frames", i);
		sink_deinit(&sink);
	}
	assert_no_leaks();
}

Test(perf_report, is_complete_before_a_comment)
{
	/* The last call graph ends at main, which has a caller elsewhere. */
	static const char input[] = SAMPLES HEADING
		"    99.70%  app      app            [.] f\n            |\n            ---f\n"
		"               main\n               start\n\n"
		"     0.30%  app      app            [.] g\n            |\n            ---g\n"
		"               main\n\n\n#\n# (Tip: Use --symfs <dir>)\n#\n";

	text_session_expect_whole(input, "app;main;g 30\napp;start;main;f 9970\n");
	assert_no_leaks();
}

Test(perf_report, skips_text_after_a_report)
{
	text_session_expect_skips(SAMPLES HEADING CALLER "What is wrong?\nBye\n",
				  "app;main;load;[not shown];read 1000\n"
				  "app;main;load;parse;read 3000\napp;main;read 2000\n"
				  "app;main;schedule 4000\n",
				  2);
	assert_no_leaks();
}

Test(perf_report, reads_every_event)
{
	static const char input[] =
		"# hostname : web-1\n# Total Lost Samples: 3\n" SAMPLES HEADING
		"   100.00%  app      app            [.] f\n            |\n            ---main\n"
		"               f\n# Samples: 3  of event 'page-faults'\n"
		"# Event count (approx.): 30\n" HEADING
		"   100.00%  app      app            [.] g\n            |\n            ---main\n"
		"               g\n";
	struct text_session test;

	text_session_open(&test, input, strlen(input), NULL);
	cr_assert_eq(test.session.profile.events.count, 2);
	cr_expect_eq(test.session.profile.losses[LOSS_SAMPLES], 3);
	cr_expect(test.session.profile.lacks_sample_counts);
	text_session_close(&test);
	assert_no_leaks();
}
