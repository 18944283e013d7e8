/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#define FOLDED    "app;main;parse 3\napp;main 4\n"
#define SCRIPT    "app 7 1.5: 3 cycles:\n\t    1149 f (/bin/app)\n\t    1210 main (/bin/app)\n\n"
#define BPFTRACE  "@[\n    f+1\n    g+2\n]: 3\n"
#define HISTOGRAM "@us[app]: \n[64, 128)             12 |@@@@@@@@@@|\n"
#define COUNTERS  " Performance counter stats for 'true':\n\n   1,234      cycles\n"
#define FIELDS    "1234,,cycles,5000,100.00,,\n"
#define BLOCK     "    f\n    main\n    -                app (7)\n        3\n"
#define BACKTRACE "#0  0x1 in f () from /lib/f.so\n#1  0x2 in main ()\n"
#define GRAPH     " 1)               |  f() {\n 1)   0.500 us    |    g();\n 1)   1.500 us    |  }\n"
#define NOISE     "WARNING: addresses are restricted\nSee the manual page.\nGoing on.\n"
#define MARK      "\xef\xbb\xbf"

/* NULL: it is none. */
static const char *format_of(const char *text)
{
	struct memory_file file;
	struct capture capture;
	struct error err;
	const char *name = NULL;

	memory_file_open(&file, text, strlen(text));
	if (capture_open(&capture, file.path, &err)) {
		name = capture.format->name;
		capture_close(&capture);
	}
	memory_file_close(&file);
	return name;
}

Test(formats, are_found_by_content)
{
	static const struct {
		const char *text, *name;
	} rows[] = {
		{ FOLDED, "folded" },
		{ SCRIPT, "perf-script" },
		{ BPFTRACE, "bpftrace" },
		{ HISTOGRAM, "bpftrace" },
		{ COUNTERS, "perf-stat" },
		{ FIELDS, "perf-stat" },
		{ BLOCK, "bcc" },
		{ BACKTRACE, "backtrace" },
		{ GRAPH, "function-graph" },
		{ "There is nothing\nin 3 lines\nof prose.\n", NULL },
		/* Other things before them. */
		{ NOISE FOLDED, "folded" },
		{ "\n\n\n" FOLDED, "folded" },
		{ MARK FOLDED, "folded" },
		{ NOISE SCRIPT, "perf-script" },
		{ NOISE BPFTRACE, "bpftrace" },
		{ NOISE COUNTERS, "perf-stat" },
		{ "the program's output 5\n" FIELDS, "perf-stat" },
		{ NOISE BLOCK, "bcc" },
		{ NOISE BACKTRACE, "backtrace" },
		{ NOISE GRAPH, "function-graph" },
		/* Cut at either end. */
		{ "    f\n    main\n    -                app (7)\n        3", "bcc" },
		{ "#4  0x2 in main ()\n#5  0x3 in start ()\n", "backtrace" },
		{ " 128)             12 |@@@@@@@@@@|\n" HISTOGRAM, "bpftrace" },
		/* Lines that end in a carriage return, and empty ones between them. */
		{ "a;b 1\r\n\r\nc;d 2\r\n\r\n", "folded" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = format_of(rows[i].text);

		cr_expect(name && rows[i].name ? strcmp(name, rows[i].name) == 0
					       : name == rows[i].name,
			  "row %zu: %s", i, name ? name : "none");
	}
	assert_no_leaks();
}

/* The first is read, and of the other what looks like it: most of its lines are skipped. */
Test(formats, of_two_captures_in_one_the_first_counts)
{
	static const struct {
		const char *text, *name;
	} texts[] = {
		{ SCRIPT, "perf-script" }, { BPFTRACE, "bpftrace" },   { COUNTERS, "perf-stat" },
		{ BLOCK, "bcc" },          { BACKTRACE, "backtrace" }, { GRAPH, "function-graph" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t j = 0; j < ARRAY_SIZE(texts); j++) {
			char both[512];
			const char *name;

			snprintf(both, sizeof(both), "%s%s", texts[i].text, texts[j].text);
			name = format_of(both);
			/* Each line of function_graph is one that perf script could have. */
			if (strcmp(texts[j].name, "function-graph") == 0 && i == 0)
				continue;
			cr_expect(name && strcmp(name, texts[i].name) == 0, "%s before %s: %s",
				  texts[i].name, texts[j].name, name ? name : "none");
		}
	assert_no_leaks();
}
