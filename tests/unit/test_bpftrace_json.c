/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "libparse/bpftrace/bpftrace.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define MAP(kind, data) "{\"type\": \"" kind "\", \"data\": {" data "}}\n"

static void open_all(struct text_session *test, const char *input)
{
	const struct view view = {
		.grouping = { .by = { GROUP_EVENT, GROUP_COMM }, .count = 2 },
		.naming.is_annotated = true,
	};
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.view = &view,
	};

	text_session_open(test, input, strlen(input), &options);
}

Test(bpftrace_json, reads_maps)
{
	static const struct {
		const char *input, *folded;
		uint64_t skipped;
	} rows[] = {
		{ MAP("map", "\"@\": {\"\\n    a+1\\n    b+2\\n\": 3}"), "@;b;a 3\n", 0 },
		{ MAP("map", "\"@\": {\"bash,\\n    a+1\\n    b+2\\n,7\": 3, \"x,,8\": 4}"),
		  "@;bash;7;b;a 3\n@;x;8 4\n", 0 },
		/* Two stacks, as old versions write them, and as versions that omit blanks do. */
		{ MAP("map",
		      "\"@\": {\"\\n    k+1\\n    do_syscall_64+2\\n,\\n    u+1\\n,bash\": 3}"),
		  "@;bash;u;do_syscall_64_[k];k_[k] 3\n", 0 },
		{ MAP("map",
		      "\"@\": {\"\\nk+1\\ndo_syscall_64+2\\n,\\noperatornew(int)+1\\n,bash\": 3}"),
		  "@;bash;operatornew;do_syscall_64_[k];k_[k] 3\n", 0 },
		{ MAP("map", "\"@\": {\"\\n,\\n u+1\\n,bash\": 3}"), "@;bash;u 3\n", 0 },
		/* Maps without keys, an empty key, numbers as text, and escapes. */
		{ MAP("map", "\"@c\": 4") MAP("map", "\"@k\": \"\"")
			  MAP("map", "\"@d\": {\"\": 5}"),
		  "@c;@c 4\n@d;@d 5\n", 0 },
		{ MAP("map", "\"@\": {\"a\": \"18446744073709551615\", \"b\": -1, \"c\": 1.5}"),
		  "@;a 18446744073709551615\n", 1 },
		{ MAP("map", "\"@\": {\"a\\\"\\\\\\u00e9\\ud800\": 3}"),
		  "@;a\"\\\xc3\xa9\xef\xbf\xbd 3\n", 0 },
		{ MAP("map",
		      "\"@\": {\"a\": [1,2], \"b\": {\"x\": {\"y\": 1}}, \"c\": true, \"d\": 2}"),
		  "@;d 2\n", 0 },
		/* Histograms and statistics, with and without keys. */
		{ MAP("hist",
		      "\"@h\": [{\"max\": -1, \"count\": 1}, {\"min\": 0, \"max\": 0, \"count\": 2}, "
		      "{\"min\": 2, \"max\": 3, \"count\": 3}, "
		      "{\"min\": 65536, \"max\": 131071, \"count\": 4}, "
		      "{\"min\": 2048, \"max\": 3071, \"count\": 5}, {\"min\": 10, \"count\": 6}]"),
		  "@h;@h;(..., 0) 1\n@h;@h;[0] 2\n@h;@h;[2, 4) 3\n@h;@h;[10, ...) 6\n"
		  "@h;@h;[2048, 3072) 5\n@h;@h;[64K, 128K) 4\n",
		  0 },
		/* A range whose bounds are swapped. */
		{ MAP("hist", "\"@h\": [{\"min\": 9223372036854775807, "
			      "\"max\": -9223372036854775807, \"count\": 1}]"),
		  "@h;@h;[9223372036854775807, -9223372036854775806) 1\n", 0 },
		{ MAP("hist", "\"@h\": {\"bash\": [{\"min\": 2, \"max\": 3, \"count\": 3}]}"),
		  "@h;bash;[2, 4) 3\n", 0 },
		{ MAP("stats", "\"@s\": {\"count\": 3, \"average\": 2, \"total\": 7}"), "@s;@s 3\n",
		  0 },
		{ MAP("stats", "\"@s\": {\"x\": {\"count\": 3, \"average\": 2, \"total\": 7}}"),
		  "@s;x 3\n", 0 },
		{ MAP("tseries", "\"@t\": [{\"interval_start\": \"12:00:01\", \"value\": 4}]"),
		  "@t;@t;12:00:01 4\n", 0 },
		/* What else there is. */
		{ "\n{\"type\": \"attached_probes\", \"data\": {\"probes\": 2}}\n"
		  "{\"type\": \"printf\", \"data\": \"hello {\\\"@\\\"}\\n\"}\n" MAP(
			  "map", "\"@\": {\"a\": 3}"),
		  "@;a 3\n", 0 },
		/* Noise, and truncated lines. */
		{ "Attaching\n" MAP(
			  "map",
			  "\"@\": {\"a\": 3}") "{\"type\": \"map\", \"data\": {\"@b\": {\"x\": 1, \"y",
		  "@;a 3\n@b;x 1\n", 2 },
		{ "{\"type\": \"map\", \"data\": {\"@\": {\"x\": 1, \"y\": 12", "@;x 1\n", 1 },
		{ "{\"type\": \"map\", \"data\": {\"@b\": 12", "", 1 },
		{ MAP("map",
		      "\"@\": {\"a\": 3}") "{\"type\": \"map\", \"data\": 3}\n{}\n[]\n{\"type\"\n",
		  "@;a 3\n", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;

		open_all(&test, rows[i].input);
		cr_assert_str_eq(test.folded.buffer, rows[i].folded, "%s", rows[i].input);
		cr_assert_eq(test.session.profile.losses[LOSS_SKIPPED_LINES], rows[i].skipped, "%s",
			     rows[i].input);
		text_session_close(&test);
	}
	assert_no_leaks();
}

Test(bpftrace_json, takes_printings_and_losses)
{
	static const char input[] = MAP("map", "\"@\": {\"a\": 3}")
		MAP("map", "\"@c\": {\"a\": 3}") "{\"type\": \"lost_events\", \"data\": {\"events\": 12}}\n" MAP(
			"map", "\"@\": {\"a\": 1}")
			MAP("map",
			    "\"@c\": {\"a\": 5, \"b\": 1}") "{\"type\": \"lost_events\", \"data\": {\"events\": 3}}\n";
	struct text_session test;

	open_all(&test, input);
	cr_assert_str_eq(test.folded.buffer, "@;a 4\n@c;a 5\n@c;b 1\n");
	cr_assert(text_is(test.session.profile.facts[FACT_SNAPSHOTS],
			  "2 of @, added up; 2 of @c, last used"));
	cr_assert_eq(test.session.profile.losses[LOSS_RECORDS], 15);
	text_session_close(&test);
}

/* A map is one line: here one of 12 MB. */
Test(bpftrace_json, reads_long_lines)
{
	struct text_session test;
	struct sink sink;

	sink_init_memory(&sink);
	sink_puts(&sink, "{\"type\": \"map\", \"data\": {\"@\": {\"x\": 1");
	for (uint32_t i = 0; i < 600000; i++)
		sink_printf(&sink, ", \"\\n    a+%u\\n\": 1", i);
	sink_puts(&sink, "}}}\n");
	sink_char(&sink, '\0');
	open_all(&test, sink.buffer);
	cr_assert_str_eq(test.folded.buffer, "@;a 600000\n@;x 1\n");
	text_session_close(&test);
	sink_deinit(&sink);
}
