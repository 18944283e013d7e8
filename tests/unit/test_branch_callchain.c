/* SPDX-License-Identifier: MIT */
#include "profile/branch_callchain.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "base/vec.h"
#include "profile/callchains.h"
#include "tests/support/leaks.h"

#define KERNEL_TEXT 0xffffffff81000000ull
#define ROW_MAX     8

struct row {
	const char *what;
	enum cpu_mode mode;
	uint64_t ips[ROW_MAX];         /* 0 at the end */
	uint64_t branches[ROW_MAX][2]; /* pairs of from and to, newest first; 0, 0 at the end */
	const char *expected;
	const char *as_perf; /* NULL: as expected */
};

static const char *name_of(uint64_t entry)
{
	switch (entry) {
	case CALLCHAIN_KERNEL:
		return "KERNEL";
	case CALLCHAIN_USER:
		return "USER";
	case CALLCHAIN_EXACT:
		return "EXACT";
	case CALLCHAIN_RETURNS:
		return "RETURNS";
	default:
		return NULL;
	}
}

/* Writes a callchain as text, such as "USER 10 EXACT 20 KERNEL k+30". */
static void write_chain(const struct callchain_buffer *chain, struct sink *sink)
{
	sink->used = 0;
	for (size_t i = 0; i < chain->count; i++) {
		uint64_t entry = chain->at[i];

		sink_puts(sink, i ? " " : "");
		if (name_of(entry))
			sink_puts(sink, name_of(entry));
		else if (entry >= KERNEL_TEXT)
			sink_printf(sink, "k+%llx", (unsigned long long)(entry - KERNEL_TEXT));
		else
			sink_printf(sink, "%llx", (unsigned long long)entry);
	}
	sink_char(sink, '\0');
}

static void fill(const struct row *row, struct event_branch *branches, struct event_sample *ret)
{
	*ret = (struct event_sample){
		.present = SAMPLE_HAS_IP | SAMPLE_HAS_CALLCHAIN | SAMPLE_HAS_BRANCHES,
		.cpu_mode = row->mode,
		.ip = row->mode == CPU_MODE_KERNEL ? KERNEL_TEXT + 0x77 : 0x77,
		.ips = row->ips,
		.branches = branches,
	};
	while (ret->ip_count < ROW_MAX && row->ips[ret->ip_count])
		ret->ip_count++;
	while (ret->branch_count < ROW_MAX &&
	       (row->branches[ret->branch_count][0] || row->branches[ret->branch_count][1])) {
		branches[ret->branch_count] = (struct event_branch){
			.from = row->branches[ret->branch_count][0],
			.to = row->branches[ret->branch_count][1],
		};
		ret->branch_count++;
	}
}

static const struct row calls[] = {
	{ "in the program: where it was, and the calls that led there",
	  CPU_MODE_USER,
	  { CALLCHAIN_USER, 0x79, 0x5000 },
	  { { 0x205, 0x70 }, { 0x305, 0x200 } },
	  "USER 77 EXACT 205 305",
	  "USER 70 EXACT 205 305" },
	{ "in the kernel: its part of the chain, and where the program entered it",
	  CPU_MODE_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT + 0x77, KERNEL_TEXT + 8, CALLCHAIN_USER, 0x79, 0x5000 },
	  { { 0x205, 0x70 }, { 0x305, 0x200 } },
	  "KERNEL k+77 k+8 USER 79 EXACT 205 305",
	  "KERNEL k+77 k+8 USER 70 EXACT 205 305" },
	{ "nothing known of where that was",
	  CPU_MODE_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT + 0x77, CALLCHAIN_USER },
	  { { 0x205, 0x70 } },
	  "KERNEL k+77 USER 70 EXACT 205",
	  NULL },
	{ "no calls recorded", CPU_MODE_USER, { CALLCHAIN_USER, 0x79 }, { { 0 } }, NULL, NULL },
	{ "a kernel thread",
	  CPU_MODE_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT + 0x77 },
	  { { 0x205, 0x70 } },
	  NULL,
	  NULL },
	{ "no chain recorded", CPU_MODE_USER, { 0 }, { { 0x205, 0x70 } }, NULL, NULL },
	{ "calls from where no code can be",
	  CPU_MODE_USER,
	  { CALLCHAIN_USER, 0x79 },
	  { { 0x205, 0x70 }, { CALLCHAIN_KERNEL, 0x200 }, { 0x305, 0x200 } },
	  "USER 77 EXACT 205 305",
	  "USER 70 EXACT 205 305" },
};

Test(branch_callchain, of_calls)
{
	struct callchain_buffer chain = { 0 };
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(calls); i++) {
		const struct row *row = &calls[i / 2];
		bool as_perf = i % 2;
		const char *expected = as_perf && row->as_perf ? row->as_perf : row->expected;
		struct event_branch branches[ROW_MAX];
		struct event_sample sample;
		bool good;

		fill(row, branches, &sample);
		good = branch_callchain_of_calls(&sample, as_perf, &chain);
		cr_expect_eq(good, expected != NULL, "%s, as perf %d", row->what, as_perf);
		if (!good || !expected)
			continue;
		write_chain(&chain, &sink);
		cr_expect_str_eq(sink.buffer, expected, "%s, as perf %d: %s, not %s", row->what,
				 as_perf, sink.buffer, expected);
	}
	sink_deinit(&sink);
	vec_free(&chain);
	assert_no_leaks();
}

static const struct row histories[] = {
	{ "before the chain, each where it went and where it came from",
	  CPU_MODE_USER,
	  { CALLCHAIN_USER, 0x77, 0x5000 },
	  { { 0x200, 0x70 }, { 0x300, 0x190 } },
	  "USER 70 EXACT 200 190 300 USER 77 5000",
	  NULL },
	{ "no chain", CPU_MODE_USER, { 0 }, { { 0x200, 0x70 } }, "USER 70 EXACT 200", NULL },
	{ "into the kernel and out of it",
	  CPU_MODE_USER,
	  { CALLCHAIN_USER, 0x77 },
	  { { KERNEL_TEXT + 9, 0x70 },
	    { KERNEL_TEXT + 1, KERNEL_TEXT + 8 },
	    { 0x60, KERNEL_TEXT } },
	  "USER 70 KERNEL k+9 EXACT k+8 k+1 k+0 USER 60 USER 77",
	  NULL },
	{ "a chain without a marker",
	  CPU_MODE_KERNEL,
	  { KERNEL_TEXT + 0x77, KERNEL_TEXT + 0x99 },
	  { { 0x200, 0x70 } },
	  "USER 70 EXACT 200 KERNEL k+77 k+99",
	  NULL },
	{ "a call that is in the chain too: told once",
	  CPU_MODE_USER,
	  { CALLCHAIN_USER, 0x77, 0x205, 0x5000 },
	  { { 0x72, 0x75 }, { 0x200, 0x70 }, { 0x300, 0x190 } },
	  "USER 75 EXACT 72 70 200 190 300 USER RETURNS 5000",
	  NULL },
	{ "all of the chain in the branches",
	  CPU_MODE_USER,
	  { CALLCHAIN_USER, 0x77, 0x205, 0x308 },
	  { { 0x200, 0x70 }, { 0x300, 0x190 } },
	  "USER 70 EXACT 200 190 300",
	  NULL },
	{ "the user part is left, and begins as it always does",
	  CPU_MODE_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT + 0x77, KERNEL_TEXT + 0x205, CALLCHAIN_USER, 0x55, 0x66 },
	  { { KERNEL_TEXT + 0x200, KERNEL_TEXT + 0x70 } },
	  "KERNEL k+70 EXACT k+200 USER 55 66",
	  NULL },
	{ "9 bytes behind the branch is no return from it",
	  CPU_MODE_USER,
	  { CALLCHAIN_USER, 0x77, 0x209 },
	  { { 0x200, 0x70 } },
	  "USER 70 EXACT 200 USER 77 209",
	  NULL },
	{ "rounds of a loop: told once",
	  CPU_MODE_USER,
	  { 0 },
	  { { 0x20, 0x10 },
	    { 0x15, 0x18 },
	    { 0x20, 0x10 },
	    { 0x15, 0x18 },
	    { 0x20, 0x10 },
	    { 0x15, 0x18 },
	    { 0x90, 0x10 } },
	  "USER 10 EXACT 20 18 15 10 90",
	  NULL },
	{ "the last round is not whole",
	  CPU_MODE_USER,
	  { 0 },
	  { { 0x20, 0x10 }, { 0x15, 0x18 }, { 0x20, 0x10 } },
	  "USER 10 EXACT 20 18 15",
	  NULL },
	{ "another way through the loop",
	  CPU_MODE_USER,
	  { 0 },
	  { { 0x20, 0x10 }, { 0x15, 0x18 }, { 0x20, 0x10 }, { 0x16, 0x18 }, { 0x22, 0x19 } },
	  "USER 10 EXACT 20 18 15 10 20 18 16 19 22",
	  NULL },
};

Test(branch_callchain, of_history)
{
	struct callchain_buffer chain = { 0 };
	struct sink sink;

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(histories); i++) {
		const struct row *row = &histories[i];
		struct event_branch branches[ROW_MAX];
		struct event_sample sample;

		fill(row, branches, &sample);
		branch_callchain_of_history(&sample, sample.ips, sample.ip_count, &chain);
		write_chain(&chain, &sink);
		cr_expect_str_eq(sink.buffer, row->expected, "%s: %s, not %s", row->what,
				 sink.buffer, row->expected);
	}
	sink_deinit(&sink);
	vec_free(&chain);
	assert_no_leaks();
}

/* Unused branch entries of a CPU are zero; invalid ones are not shown. */
Test(branch_callchain, of_unused_and_too_many_branches)
{
	static struct event_branch branches[2 * LIMIT_HISTORY_BRANCHES];
	struct event_sample sample = { .branches = branches };
	struct callchain_buffer chain = { 0 };

	sample.branch_count = 3;
	branches[1] = (struct event_branch){ .from = 0x20, .to = 0x10 };
	branch_callchain_of_history(&sample, NULL, 0, &chain);
	cr_expect_eq(chain.count, 4, "%zu entries", chain.count);
	for (uint32_t i = 0; i < ARRAY_SIZE(branches); i++)
		branches[i] = (struct event_branch){ .from = 0x1000 + i, .to = 0x10 };
	sample.branch_count = ARRAY_SIZE(branches);
	branch_callchain_of_history(&sample, NULL, 0, &chain);
	cr_expect_eq(chain.count, 2 * LIMIT_HISTORY_BRANCHES + 2, "%zu entries", chain.count);
	vec_free(&chain);
}
