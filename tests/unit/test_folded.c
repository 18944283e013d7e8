/* SPDX-License-Identifier: MIT */
#include "render/text/folded.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"
#include "tests/support/random.h"

static void expect_folded(const struct profile_maker *maker, const char *expected)
{
	struct sink sink;

	sink_init_memory(&sink);
	folded_write(&maker->profile, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s\nwanted:\n%s", sink.buffer, expected);
	sink_deinit(&sink);
}

static const struct {
	const char *stacks[8];
	const char *expected;
} rows[] = {
	{ { NULL }, "" },
	{ { "app" }, "app 1\n" },
	{ { "b", "a", "a", "c" }, "a 2\nb 1\nc 1\n" },
	{ { "app;main", "app;main", "app" }, "app 1\napp;main 2\n" },
	{ { "app;main;read;f", "app;main;write" }, "app;main;read;f 1\napp;main;write 1\n" },
	/* The blank after a stack sorts before most characters of longer names. */
	{ { "a;read", "a;read2", "a;read;copy", "a;read2;copy" },
	  "a;read 1\na;read2 1\na;read2;copy 1\na;read;copy 1\n" },
	{ { "a;read", "a;read x", "a;read;c", "a;read x;c" },
	  "a;read 1\na;read x 1\na;read x;c 1\na;read;c 1\n" },
	{ { "a;read,", "a;read", "a;read!", "a;read!;x", "a;read;x" },
	  "a;read 1\na;read! 1\na;read!;x 1\na;read, 1\na;read;x 1\n" },
	/* Terminal escapes are not written. */
	{ { "a;re\x1b[31mad" }, "a;re?[31mad 1\n" },
	{ { "a;f<int>", "a;f", "a;f;g", "a;f<int>;g", "a;f:", "a;f:;g" },
	  "a;f 1\na;f: 1\na;f:;g 1\na;f;g 1\na;f<int> 1\na;f<int>;g 1\n" },
};

Test(folded, lines_are_sorted_as_a_whole)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;

		profile_maker_init(&maker);
		for (size_t k = 0; k < ARRAY_SIZE(rows[i].stacks) && rows[i].stacks[k]; k++)
			profile_maker_stack(&maker, rows[i].stacks[k], 1);
		profile_maker_build(&maker, NULL);
		expect_folded(&maker, rows[i].expected);
		profile_maker_deinit(&maker);
	}
	assert_no_leaks();
}

/*
 * The naive way: one string for each stack; they are sorted by bytes, and equal neighbours added
 * up.
 */
#define STACKS      400
#define STACK_BYTES 100

struct naive {
	char lines[STACKS][STACK_BYTES];
	uint64_t periods[STACKS];
	size_t order[STACKS];
};

static const struct naive *comparing;

static int compare_lines(const void *a, const void *b)
{
	return strcmp(comparing->lines[*(const size_t *)a], comparing->lines[*(const size_t *)b]);
}

static void write_naively(struct naive *naive, struct sink *sink)
{
	comparing = naive;
	for (size_t i = 0; i < STACKS; i++)
		naive->order[i] = i;
	qsort(naive->order, STACKS, sizeof(*naive->order), compare_lines);
	for (size_t i = 0; i < STACKS;) {
		const char *line = naive->lines[naive->order[i]];
		uint64_t sum = 0;

		for (; i < STACKS && strcmp(naive->lines[naive->order[i]], line) == 0; i++)
			sum += naive->periods[naive->order[i]];
		sink_printf(sink, "%s %" PRIu64 "\n", line, sum);
	}
}

/* Few letters, which sort before or after ";", so that names are often prefixes of others. */
static void random_line(struct random *random, char *line)
{
	static const char letters[] = "a!<: a2";
	uint32_t depth = 1 + random_below(random, 4);
	size_t length = 0;

	for (uint32_t i = 0; i < depth; i++) {
		uint32_t name = 1 + random_below(random, 3);

		if (i)
			line[length++] = ';';
		/* A comm is simplified by other rules, so it is plain here. */
		line[length++] = 'a';
		for (uint32_t k = 0; i && k < name - 1; k++)
			line[length++] = letters[random_below(random, sizeof(letters) - 1)];
	}
	line[length] = '\0';
}

Test(folded, agrees_with_a_sort_of_whole_lines)
{
	static struct naive naive;
	struct random random = { 424242 };

	for (unsigned round = 0; round < 30; round++) {
		struct profile_maker maker;
		struct sink expected;

		profile_maker_init(&maker);
		sink_init_memory(&expected);
		for (size_t i = 0; i < STACKS; i++) {
			random_line(&random, naive.lines[i]);
			naive.periods[i] = 1 + random_below(&random, 100);
			profile_maker_stack(&maker, naive.lines[i], naive.periods[i]);
		}
		profile_maker_build(&maker, NULL);
		write_naively(&naive, &expected);
		sink_char(&expected, '\0');
		expect_folded(&maker, expected.buffer);
		sink_deinit(&expected);
		profile_maker_deinit(&maker);
	}
	assert_no_leaks();
}

Test(folded, a_failed_sink_is_not_written_on)
{
	struct profile_maker maker;
	struct error err;
	struct sink sink;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "a;b", 1);
	profile_maker_build(&maker, NULL);
	sink_init_fd(&sink, 9999);
	folded_write(&maker.profile, &sink);
	cr_expect_not(sink_flush(&sink, &err));
	cr_expect_eq(err.code, ERROR_IO);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}
