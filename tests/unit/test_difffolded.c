/* SPDX-License-Identifier: MIT */
#include "compat/difffolded.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

struct row {
	const char *before, *after, *expected;
	uint64_t skipped_count;
};

static void read_side(struct difffolded *pairs, const char *text, int side,
		      const struct difffolded_options *options)
{
	struct memory_file file;
	struct error err;

	memory_file_open(&file, text, strlen(text));
	cr_assert(difffolded_read(pairs, file.path, side, options, &err), "%s", err.text);
	memory_file_close(&file);
}

static void write_sum(const struct difffolded_sum *sum, struct sink *sink)
{
	if (sum->is_real)
		sink_printf(sink, " %g", sum->real);
	else
		sink_printf(sink, " %llu", (unsigned long long)sum->whole);
}

/* Writes all stacks in the order of the input. */
static void write_pairs(const struct difffolded *pairs, struct sink *sink)
{
	for (uint32_t i = pairs->has_empty ? 0 : 1; i < pairs->rows.count; i++) {
		sink_text(sink, strings_get(&pairs->stacks, (str_id){ i }));
		for (int side = 0; side < 2; side++)
			write_sum(&pairs->rows.at[i].side[side], sink);
		sink_char(sink, '\n');
	}
}

static void expect(const struct row *row, const struct difffolded_options *options,
		   bool is_normalised)
{
	struct difffolded pairs;
	struct sink sink;

	difffolded_init(&pairs);
	sink_init_memory(&sink);
	read_side(&pairs, row->before, 0, options);
	read_side(&pairs, row->after, 1, options);
	if (is_normalised)
		cr_assert(difffolded_normalise(&pairs), "%s", row->before);
	write_pairs(&pairs, &sink);
	cr_expect(text_is(sink_memory(&sink), row->expected), "%s, %s became %.*s", row->before,
		  row->after, (int)sink_memory(&sink).length, sink_memory(&sink).at);
	cr_expect_eq(pairs.skipped_count, row->skipped_count, "%s", row->before);
	sink_deinit(&sink);
	difffolded_deinit(&pairs);
}

static void expect_all(const struct row *rows, size_t count,
		       const struct difffolded_options *options, bool is_normalised)
{
	for (size_t i = 0; i < count; i++)
		expect(&rows[i], options, is_normalised);
	assert_no_leaks();
}

Test(difffolded, what_a_file_lacks_is_0_there)
{
	static const struct row rows[] = {
		{ "a;b 3\na;c 1\n", "a;b 5\n", "a;b 3 5\na;c 1 0\n", 0 },
		{ "a 1\na 2\n", "b 4\n", "a 3 0\nb 0 4\n", 0 },
		{ "a 1.5\na .5\n", "a 2.5", "a 1.5 2.5\n", 1 },
		{ "a 1 2\n", "a 1 3\n", "a 1 2 3\n", 0 },
		{ " 3\n", "", " 3 0\n", 0 },
		{ "", "", "", 0 },
		{ "no number\n\n-4\na -4\n12\n", "", "", 5 },
		/* Numbers are those of Perl, which are exact up to 64 bits. */
		{ "a 18446744073709551615\n", "a 18446744073709551616\n",
		  "a 18446744073709551615 1.84467e+19\n", 0 },
		{ "a 18446744073709551615\na 1\n", "", "a 1.84467e+19 0\n", 0 },
	};
	const struct difffolded_options options = { .strips_hex = false };

	expect_all(rows, ARRAY_SIZE(rows), &options, false);
}

Test(difffolded, numbers_in_hexadecimal_are_alike_when_asked)
{
	static const struct row rows[] = {
		{ "a;0x12ab 1\na;0xFf 2\n", "a;0x7;b 1\n", "a;0x... 3 0\na;0x...;b 0 1\n", 0 },
		{ "0x 1\n0xg 2\nx0x0x1 3\n", "", "0x 1 0\n0xg 2 0\nx0x...x1 3 0\n", 0 },
	};
	const struct difffolded_options options = { .strips_hex = true };

	expect_all(rows, ARRAY_SIZE(rows), &options, false);
}

/* In a long name, only the bytes after each 0x are searched for hexadecimal digits. */
Test(difffolded, long_names_take_long_only_by_their_length)
{
	const struct difffolded_options options = { .strips_hex = true };
	struct difffolded pairs;
	struct sink line;

	sink_init_memory(&line);
	for (uint32_t i = 0; i < 4u << 20; i++)
		sink_char(&line, 'a');
	sink_puts(&line, "0x1 5\n");
	sink_char(&line, '\0');
	difffolded_init(&pairs);
	read_side(&pairs, line.buffer, 0, &options);
	cr_expect_eq(pairs.total[0].whole, 5);
	cr_expect(text_has_suffix(pairs.stacks.rows.at[1], "a0x..."));
	difffolded_deinit(&pairs);
	sink_deinit(&line);
}

Test(difffolded, decimals_are_cut_and_lines_trimmed_in_inferno_s_way)
{
	static const struct row rows[] = {
		{ "a 1.9 \r\n# a comment 3\n\n", "a 2.9\t\n", "a 1 2\n", 0 },
	};
	const struct difffolded_options options = { .cuts_decimals = true };

	expect_all(rows, ARRAY_SIZE(rows), &options, false);
}

Test(difffolded, the_first_side_is_scaled_to_the_sum_of_the_second)
{
	static const struct row rows[] = {
		{ "a 10\nb 30\n", "a 5\nc 15\n", "a 5 5\nb 15 0\nc 0 15\n", 0 },
		/* Cut, not rounded. */
		{ "a 1\nb 2\n", "a 2\n", "a 0 2\nb 1 0\n", 0 },
		{ "a 1.5\n", "a 1.5\n", "a 1.5 1.5\n", 0 },
		{ "a 0\n", "a 0\n", "a 0 0\n", 0 },
		/* Exact up to 64 bits. */
		{ "a 1\n", "b 18446744073709549568\n",
		  "a 18446744073709549568 0\nb 0 18446744073709549568\n", 0 },
	};
	const struct difffolded_options options = { .strips_hex = false };
	struct difffolded pairs;

	expect_all(rows, ARRAY_SIZE(rows), &options, true);
	difffolded_init(&pairs);
	read_side(&pairs, "a 0\n", 0, &options);
	read_side(&pairs, "a 1\n", 1, &options);
	cr_expect_not(difffolded_normalise(&pairs));
	difffolded_deinit(&pairs);
}
