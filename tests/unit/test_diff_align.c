/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_align.h"

#include <criterion/criterion.h>

#include "base/attributes.h"
#include "render/diff/diff_output.h"
#include "tests/support/diff_maker.h"
#include "tests/support/random.h"

struct row {
	const char *what, *before[6], *after[6];
	const char *expected; /* stacks with their weights before and after */
	size_t pairs[DIFF_PAIR_KINDS];
};

static void expect_row(const struct row *row, const struct diff_options *options)
{
	struct sink sink;
	struct diff diff;

	diff_maker_compare(&diff, options, row->before, row->after);
	sink_init_memory(&sink);
	diff_folded_write(&diff, &sink);
	cr_expect(text_is(sink_memory(&sink), row->expected), "%s:\n%.*s", row->what,
		  (int)sink_memory(&sink).length, sink_memory(&sink).at);
	for (int kind = 0; kind < DIFF_PAIR_KINDS; kind++)
		cr_expect_eq(diff_aligned_count(&diff.aligned, (enum diff_pair_kind)kind),
			     row->pairs[kind], "%s: kind %d", row->what, kind);
	sink_deinit(&sink);
	diff_deinit(&diff);
}

static struct diff_options options_of(bool mends, bool pairs_roots, bool renames)
{
	struct diff_options options = diff_maker_defaults;

	options.normalising.by = DIFF_BY_NOTHING;
	options.alignment.mends = mends;
	options.alignment.pairs_roots = pairs_roots;
	options.alignment.finds_renames = options.alignment.applies_renames = renames;
	return options;
}

Test(diff_align, threads_of_one_role)
{
	static const struct row rows[] = {
		{ "executables of two builds",
		  { "svc_before;main;f 60", "svc_before;main;g 40" },
		  { "svc_after;main;f 50", "svc_after;main;h 50" },
		  "svc_after;main;f 60 50\nsvc_after;main;g 40 0\nsvc_after;main;h 0 50\n",
		  { [DIFF_PAIR_ROOT] = 1 } },
		{ "a pool",
		  { "worker-1;f 10", "worker-2;f 20", "main;g 5" },
		  { "worker-17;f 30", "main;g 5" },
		  "main;g 5 5\nworker-17;f 30 30\n",
		  { [DIFF_PAIR_ROOT] = 2 } },
		{ "a pool that grew: what both have stays",
		  { "worker-1;f 10" },
		  { "worker-1;f 10", "worker-2;f 10" },
		  "worker-1;f 10 10\nworker-2;f 0 10\n",
		  { 0 } },
		{ "numbers are no roles",
		  { ":17;f 10" },
		  { ":18;g 10" },
		  ":17;f 10 0\n:18;g 0 10\n",
		  { 0 } },
		{ "programs of one name's length that do something else",
		  { "redis;f 10", "redis;x 1" },
		  { "nginx;g 10", "nginx;x 1" },
		  "nginx;g 0 10\nnginx;x 0 1\nredis;f 10 0\nredis;x 1 0\n",
		  { 0 } },
		{ "the more alike first",
		  { "a1b;f 10", "xyz;g 10" },
		  { "uvw;g 10", "rst;f 9", "rst;g 1" },
		  "rst;f 10 9\nrst;g 0 1\nuvw;g 10 10\n",
		  { [DIFF_PAIR_ROOT] = 2 } },
	};
	struct diff_options options = options_of(false, true, false);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_row(&rows[i], &options);
}

Test(diff_align, spellings)
{
	static const struct row rows[] = {
		{ "one code of two names",
		  { "a;__memcpy_avx_unaligned 5" },
		  { "a;__memmove_evex_unaligned 6" },
		  "a;__memmove_evex_unaligned 5 6\n",
		  { [DIFF_PAIR_ALIAS] = 1 } },
		{ "both names on one side",
		  { "a;memcpy 5", "a;memmove 1" },
		  { "a;memmove 6" },
		  "a;memmove 6 6\n",
		  { [DIFF_PAIR_ALIAS] = 1 } },
		{ "both names on both sides",
		  { "a;memcpy 5", "a;memmove 1" },
		  { "a;memcpy 2", "a;memmove 6" },
		  "a;memcpy 5 2\na;memmove 1 6\n",
		  { 0 } },
		{ "one side has no arguments",
		  { "a;mix<long> 5" },
		  { "a;mix 6" },
		  "a;mix 5 6\n",
		  { [DIFF_PAIR_ALIAS] = 1 } },
		{ "other arguments are other functions",
		  { "a;push<int> 5", "a;push<long> 2" },
		  { "a;push<int> 6", "a;push<char> 1" },
		  "a;push<char> 0 1\na;push<int> 5 6\na;push<long> 2 0\n",
		  { 0 } },
	};
	struct diff_options options = options_of(true, false, false);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_row(&rows[i], &options);
}

Test(diff_align, renames)
{
	static const struct row rows[] = {
		{ "the same callers and callees",
		  { "a;main;old;f 50", "a;main;old;g 30", "a;main;h 20" },
		  { "a;main;new;f 52", "a;main;new;g 28", "a;main;h 20" },
		  "a;main;h 20 20\na;main;new;f 50 52\na;main;new;g 30 28\n",
		  { [DIFF_PAIR_RENAME] = 1 } },
		{ "one below another",
		  { "a;main;old;inner;f 50", "a;main;old;inner;g 30", "a;main;old;k 40" },
		  { "a;main;new;deeper;f 52", "a;main;new;deeper;g 28", "a;main;new;k 41" },
		  "a;main;new;deeper;f 50 52\na;main;new;deeper;g 30 28\na;main;new;k 40 41\n",
		  { [DIFF_PAIR_RENAME] = 2 } },
		{ "other callees",
		  { "a;main;old;f 50", "a;main;g 50" },
		  { "a;main;new;g 50", "a;main;f 50" },
		  "a;main;f 0 50\na;main;g 50 0\na;main;new;g 0 50\na;main;old;f 50 0\n",
		  { 0 } },
		{ "two that could be meant",
		  { "a;main;one;f 50" },
		  { "a;main;two;f 25", "a;main;six;f 25" },
		  "a;main;one;f 50 0\na;main;six;f 0 25\na;main;two;f 0 25\n",
		  { [DIFF_PAIR_LIKELY] = 1 } },
		{ "leaves of other names",
		  { "a;main;crc 50", "a;main;f 50" },
		  { "a;main;hash 50", "a;main;f 50" },
		  "a;main;crc 50 0\na;main;f 50 50\na;main;hash 0 50\n",
		  { 0 } },
		{ "too few samples",
		  { "a;main;old;f 5", "a;main;h 90" },
		  { "a;main;new;f 5", "a;main;h 90" },
		  "a;main;h 90 90\na;main;new;f 0 5\na;main;old;f 5 0\n",
		  { 0 } },
	};
	struct diff_options options = options_of(false, false, true);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_row(&rows[i], &options);
}

#define LINES 60

/*
 * Random stacks of a few functions with similar names: no weight is lost, whichever stacks are
 * paired.
 */
Test(diff_align, weights_stay)
{
	static const char *const names[] = { "f",
					     "g<int>",
					     "g",
					     "memcpy",
					     "memmove",
					     "w-1",
					     "w-2",
					     "(anonymous namespace)::k",
					     "_GLOBAL__N_1::k" };
	struct diff_options options = options_of(true, true, true);
	struct random random = { 7 };

	for (int round = 0; round < 50; round++) {
		char texts[DIFF_SIDES][LINES][200];
		const char *lines[DIFF_SIDES][LINES + 1] = { 0 };
		struct diff diff;

		for (int side = 0; side < DIFF_SIDES; side++)
			for (int i = 0; i < LINES; i++) {
				const char *parts[4];

				for (int k = 0; k < 4; k++)
					parts[k] =
						names[random_below(&random, ARRAY_SIZE(names) / 2) +
						      random_below(&random, 2) * (unsigned)side *
							      4];
				snprintf(texts[side][i], sizeof(texts[side][i]), "%s;%s;%s;%s 2",
					 parts[0], parts[1], parts[2], parts[3]);
				lines[side][i] = texts[side][i];
			}
		diff_maker_compare(&diff, &options, lines[DIFF_BEFORE], lines[DIFF_AFTER]);
		cr_expect_eq(diff.rows[0].total.weight[DIFF_BEFORE], 2 * LINES);
		cr_expect_eq(diff.rows[0].total.weight[DIFF_AFTER], 2 * LINES);
		for (size_t i = 1; i < diff.profile.stacks.count; i++)
			cr_expect(diff.rows[i].total.weight[DIFF_BEFORE] ||
				  diff.rows[i].total.weight[DIFF_AFTER]);
		diff_deinit(&diff);
	}
}
