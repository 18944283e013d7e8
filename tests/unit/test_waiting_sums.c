/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "render/text/folded.h"
#include "session/off_cpu.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#define SAYS_SO "Tracing off-CPU time (us) of all threads by user + kernel stack.\n"

struct outcome {
	bool good;
	char text[400]; /* the stacks, in nanoseconds, or the error */
	uint64_t assumed_unit_ns, sample_count;
};

static void read_sums(const char *input, const struct pairing_options *pairing,
		      const char *event_pattern, struct outcome *ret)
{
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.pairing = pairing,
		.view = &(struct view){ .event_pattern = event_pattern,
					.grouping = GROUPING_BY_COMM },
	};
	struct memory_file file;
	struct session session;
	struct error err;
	struct sink sink;

	memory_file_open(&file, input, strlen(input));
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	ret->good = session_build_offcpu(&session, &err);
	sink_init_memory(&sink);
	if (ret->good)
		folded_write_in(&session.profile, 1, &sink);
	else
		sink_puts(&sink, err.text);
	sink_char(&sink, '\0');
	snprintf(ret->text, sizeof(ret->text), "%s", sink.buffer);
	ret->assumed_unit_ns = session.offcpu.wait_sums.assumed_ns;
	ret->sample_count = session.profile.view_sample_count;
	sink_deinit(&sink);
	session_close(&session);
	memory_file_close(&file);
}

Test(waiting_sums, are_nanoseconds)
{
	static const struct {
		const char *name, *input, *event, *folded;
		uint64_t assumed_unit_ns;
	} rows[] = {
		{ "offcputime, long",
		  SAYS_SO "\n    schedule\n    read\n    -    app (7)\n        12\n\n", NULL,
		  "app;read;schedule 12000\n", 0 },
		{ "offcputime, folded", "app;read;-;schedule 12\nb;x 3\n", NULL,
		  "app;read;-;schedule 12000\nb;x 3000\n", 1000 },
		{ "folded, in ns", "# unit: nanoseconds\napp;read 12\n", NULL, "app;read 12\n", 0 },
		{ "map without a unit", "@[\n    schedule+25\n, app]: 12\n", NULL,
		  "app;schedule 12\n", 1 },
		{ "map of microseconds", "@off_us[\n    schedule+25\n, app]: 12\n", NULL,
		  "app;schedule 12000\n", 0 },
		{ "another map", "@a[\n    x+25\n, app]: 1\n@b_us[\n    schedule+25\n, app]: 2\n",
		  "@b_us", "app;schedule 2000\n", 0 },
		{ "beyond 64 bits", "app;read 18446744073709551615\n", NULL,
		  "app;read 18446744073709551615\n", 1000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct outcome got;

		read_sums(rows[i].input, &(struct pairing_options){ .states = NULL }, rows[i].event,
			  &got);
		cr_expect(got.good, "%s: %s", rows[i].name, got.text);
		cr_expect_str_eq(got.text, rows[i].folded, "%s: %s", rows[i].name, got.text);
		cr_expect_eq(got.assumed_unit_ns, rows[i].assumed_unit_ns, "%s", rows[i].name);
		if (got.assumed_unit_ns)
			cr_expect_leq(got.sample_count, 2, "%s", rows[i].name);
	}
	assert_no_leaks();
}

Test(waiting_sums, are_no_single_waits)
{
	static const struct {
		struct pairing_options pairing;
		const char *input, *error;
	} rows[] = {
		{ { .states = "D" }, "a;b 1\n", "contains only sums" },
		{ { .shortest_ns = 1 }, "a;b 1\n", "contains only sums" },
		{ { .longest_ns = 1 }, "a;b 1\n", "contains only sums" },
		{ { .groups_by_duration = true }, "a;b 1\n", "--latency" },
		{ { .is_wall = true }, "a;b 1\n", "--wall" },
		{ { .span = "a,b" }, "a;b 1\n", "--span" },
		{ { .states = NULL }, "# unit: bytes\na;b 1\n", "does not measure off-CPU time" },
		{ { .states = NULL },
		  "@us[app]: \n[2, 4)                 3 |@@@@|\n[4, 8)                 1 |@   |\n",
		  "@us is a histogram" },
		{ { .states = NULL },
		  "{\"type\": \"hist\", \"data\": {\"@ns\": [{\"min\": 2, \"max\": 3, \"count\": 5}]}}\n",
		  "@ns is a histogram" },
		{ { .states = NULL },
		  "Sampling at 49 Hertz of all threads by user + kernel stack\n\n    read\n"
		  "    -    app (7)\n        12\n\n",
		  "does not measure off-CPU time" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct outcome got;

		read_sums(rows[i].input, &rows[i].pairing, NULL, &got);
		cr_expect_not(got.good, "%s", rows[i].error);
		cr_expect(strstr(got.text, rows[i].error), "%s: %s", rows[i].error, got.text);
	}
	assert_no_leaks();
}
