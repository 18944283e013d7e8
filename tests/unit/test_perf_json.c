/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_session.h"

#define BEGIN "{\"linux-perf-json-version\":1,\"headers\":{},\"samples\":["
#define END   "]}\n"
#define SAMPLE(chain) \
	"{\"timestamp\":5,\"pid\":7,\"tid\":8,\"comm\":\"app\",\"callchain\":[" chain "]}"
#define READ "{\"ip\":\"0x7f12\",\"symbol\":\"read\",\"dso\":\"libc.so.6\"}"
#define MAIN "{\"ip\":\"0x40\",\"symbol\":\"main\",\"dso\":\"app\"}"

Test(perf_json, reads_stacks)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ BEGIN SAMPLE(READ "," MAIN) "," SAMPLE(READ "," MAIN) "," SAMPLE(MAIN) END,
		  "app;main 1\napp;main;read 2\n" },
		/* Frames without a symbol, and no frames. */
		{ BEGIN SAMPLE("{\"ip\":\"0x0\"}," MAIN) "," SAMPLE("") END,
		  "app 1\napp;main;[unknown] 1\n" },
		/* As perf indents; unknown numbers are -1; members that are not known. */
		{ "{\n\t\"linux-perf-json-version\": 1,\n\t\"headers\": {\n\t},\n\t\"samples\": [\n\t\t{\n"
		  "\t\t\t\"timestamp\": -1,\n\t\t\t\"pid\": -1,\n\t\t\t\"tid\": -1,\n\t\t\t\"cpu\": -1,\n"
		  "\t\t\t\"comm\": \"a\",\n\t\t\t\"new\": [{}],\n\t\t\t\"callchain\": [\n\t\t\t\t" MAIN
		  "\n\t\t\t]\n\t\t}\n\t]\n}\n",
		  "a;main 1\n" },
		/* As sorted by another tool: the samples come before the version. */
		{ "{\"headers\":{},\"samples\":[" SAMPLE(MAIN) "],\"linux-perf-json-version\":1}",
		  "app;main 1\n" },
		/* Fields of a tracepoint with the names of the sample's own members. */
		{ BEGIN "{\"timestamp\":5,\"pid\":7,\"tid\":7,\"comm\":\"app\",\"callchain\":[" MAIN
			"],\"comm\":\"other\",\"pid\":\"9\",\"callchain\":\"x\",\"cpu\":\"1\"}" END,
		  "app;main 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

/* perf writes bytes above 7f as \uffffffXX. */
Test(perf_json, repairs_escapes)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		{ "{\"comm\":\"w\\uffffffc3\\uffffffb6r\\\"k\",\"callchain\":[{\"symbol\":\"\\u00e9\"}]}",
		  "w\xc3\xb6r\"k;\xc3\xa9 1\n" },
		/* An escaped backslash; a byte below 80; too few digits. */
		{ "{\"comm\":\"\\\\uffffffc3\",\"callchain\":[]}", "\\uffffffc3 1\n" },
		{ "{\"comm\":\"\\uffffff41\",\"callchain\":[]}", "\xef\xbf\xbf"
								 "ff41 1\n" },
		{ "{\"comm\":\"a\\uffffffc\",\"callchain\":[]}", "a\xef\xbf\xbf"
								 "ffc 1\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char input[512];

		snprintf(input, sizeof(input), "%s%s%s", BEGIN, rows[i].input, END);
		text_session_expect(input, rows[i].folded);
	}
	assert_no_leaks();
}

struct seen {
	uint32_t sample_count, pid, tid, cpu;
	uint64_t time_ns, present;
	bool is_switch;
	struct event_sched_switch sched_switch;
};

static void on_event(void *context, const struct event *event)
{
	struct seen *seen = context;

	if (event->kind != EVENT_SAMPLE)
		return;
	seen->sample_count++;
	seen->pid = event->sample.pid;
	seen->tid = event->sample.tid;
	seen->cpu = event->sample.cpu;
	seen->time_ns = event->time_ns;
	seen->present = event->sample.present;
	seen->is_switch = event->sample.text->sched_switch != NULL;
	if (seen->is_switch)
		seen->sched_switch = *event->sample.text->sched_switch;
}

/* Reads one sample with these members before its callchain, and these fields after it. */
static struct seen read_one(const char *members, const char *fields)
{
	struct seen seen = { .sample_count = 0 };
	struct event_sink sink = { .context = &seen, .on_event = on_event };
	struct text_session test;
	struct error err;
	char input[1024];

	snprintf(input, sizeof(input), "%s{%s\"comm\":\"a\",\"callchain\":[]%s}%s", BEGIN, members,
		 fields, END);
	text_session_open(&test, input, strlen(input), NULL);
	cr_expect(capture_read_samples(&test.session.capture, test.session.capture.slices.at[0],
				       &sink, &err));
	text_session_close(&test);
	cr_expect_eq(seen.sample_count, 1);
	return seen;
}

Test(perf_json, has_threads_and_times)
{
	uint64_t wanted = SAMPLE_HAS_TID | SAMPLE_HAS_TIME | SAMPLE_HAS_CPU;
	struct seen seen =
		read_one("\"timestamp\":8853795664233,\"pid\":7,\"tid\":8,\"cpu\":3,", "");

	cr_expect_eq(seen.present & wanted, wanted);
	cr_expect_eq(seen.time_ns, 8853795664233u);
	cr_expect_eq(seen.pid, 7);
	cr_expect_eq(seen.tid, 8);
	cr_expect_eq(seen.cpu, 3);
	/* Unknown, or out of range. */
	seen = read_one("\"timestamp\":-1,\"pid\":-1,\"tid\":4294967296,\"cpu\":-1,", "");
	cr_expect_eq(seen.present & wanted, 0);
	cr_expect_eq(seen.tid, EVENT_NO_TID);
	assert_no_leaks();
}

#define SWITCH(state, next)                                                                     \
	",\"prev_comm\":\"a\",\"prev_pid\":\"7\",\"prev_prio\":\"120\",\"prev_state\":\"" state \
	"\",\"next_comm\":\"b\",\"next_pid\":\"" next "\""

Test(perf_json, reads_context_switches)
{
	static const struct {
		const char *fields;
		bool is_switch;
		char state;
		bool is_preempted;
	} rows[] = {
		{ SWITCH("1", "9"), true, 'S', false },
		{ SWITCH("0x2", "9"), true, 'D', false },
		{ SWITCH("130", "9"), true, 'D', false },
		{ SWITCH("128", "9"), true, 'I', false },
		{ SWITCH("0", " 9"), true, 'R', false },
		{ SWITCH("256", "9"), true, 'R', true },
		{ SWITCH("S", "9"), false, 0, false },
		{ SWITCH("1", "-1"), false, 0, false },
		{ SWITCH("1", "4294967295"), false, 0, false },
		{ ",\"prev_pid\":\"7\",\"next_pid\":\"9\",\"prev_state\":1", false, 0, false },
		{ ",\"prev_pid\":\"7\",\"next_pid\":\"9\"", false, 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct seen seen = read_one("", rows[i].fields);

		cr_expect_eq(seen.is_switch, rows[i].is_switch, "row %zu", i);
		cr_expect_eq(seen.sched_switch.state, rows[i].state, "row %zu", i);
		cr_expect_eq(seen.sched_switch.is_preempted, rows[i].is_preempted, "row %zu", i);
		cr_expect_eq(seen.sched_switch.previous_tid, rows[i].is_switch ? 7 : 0);
		cr_expect_eq(seen.sched_switch.next_tid, rows[i].is_switch ? 9 : 0);
	}
	assert_no_leaks();
}

Test(perf_json, counts_corrupt_samples)
{
	static const struct {
		const char *samples, *folded;
		uint64_t corrupt_count;
	} rows[] = {
		/* Values of other types; a number that is too large; no callchain. */
		{ "1,[],\"x\"," SAMPLE(MAIN), "app;main 1\n", 3 },
		{ "{\"timestamp\":99999999999999999999,\"callchain\":[]}," SAMPLE(MAIN),
		  "app;main 1\n", 1 },
		{ "{\"comm\":\"x\",\"callchain\":7}," SAMPLE(MAIN), "app;main 1\n", 1 },
		{ "{\"callchain\" []}," SAMPLE(MAIN), "app;main 1\n", 1 },
		/* Frames that are none have no name. */
		{ SAMPLE("7,{\"symbol\":[]},{\"ip\":7,\"symbol\":\"f\"}"),
		  "app;f;[unknown];[unknown] 1\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text_session test;
		char input[512];

		snprintf(input, sizeof(input), "%s%s%s", BEGIN, rows[i].samples, END);
		text_session_expect(input, rows[i].folded);
		text_session_open(&test, input, strlen(input), NULL);
		cr_expect_eq(test.session.profile.losses[LOSS_CORRUPT_RECORDS],
			     rows[i].corrupt_count, "row %zu", i);
		text_session_close(&test);
	}
	assert_no_leaks();
}

/* The text is truncated after each of its bytes. */
Test(perf_json, keeps_complete_samples_of_truncated_files)
{
	static const char input[] = BEGIN SAMPLE(READ "," MAIN) "," SAMPLE(MAIN) "]}";
	size_t first = sizeof(BEGIN SAMPLE(READ "," MAIN)) - 1;
	size_t second = sizeof(BEGIN SAMPLE(READ "," MAIN) "," SAMPLE(MAIN)) - 1;

	for (size_t length = first; length < sizeof(input); length++) {
		struct text_session test;

		text_session_open(&test, input, length, NULL);
		cr_expect_eq(test.session.capture.is_partial, length < sizeof(input) - 1);
		cr_expect_eq(test.session.profile.sample_count, length < second ? 1 : 2,
			     "length %zu", length);
		text_session_close(&test);
	}
	assert_no_leaks();
}

/* Many samples are read in several slices. A sample above the limit of 16 MiB is skipped. */
Test(perf_json, reads_large_files)
{
	enum {
		COUNT = 40000,
		LONG_BYTES = 17 << 20
	};
	struct text_session test;
	struct sink input;

	sink_init_memory(&input);
	sink_puts(&input, BEGIN);
	for (int i = 0; i < COUNT; i++)
		sink_puts(&input, SAMPLE(READ "," MAIN) ",\n");
	sink_puts(&input, "{\"comm\":\"");
	for (int i = 0; i < LONG_BYTES; i++)
		sink_char(&input, 'x');
	sink_puts(&input, "\",\"callchain\":[]}" END);
	text_session_open(&test, input.buffer, input.used, NULL);
	cr_expect_gt(test.session.capture.slices.count, 3);
	cr_expect_eq(test.session.profile.sample_count, COUNT);
	cr_expect_eq(test.session.profile.losses[LOSS_LONG_LINES], 1);
	cr_expect_eq(test.session.profile.losses[LOSS_CORRUPT_RECORDS], 0);
	cr_expect(!test.session.capture.is_partial);
	text_session_close(&test);
	sink_deinit(&input);
	assert_no_leaks();
}

Test(perf_json, rejects_files_without_samples)
{
	static const struct {
		const char *input, *message;
	} rows[] = {
		{ "{\"linux-perf-json-version\":1,\"headers\":{\"host",
		  "is JSON from perf data convert, but is truncated or corrupt at byte 45, before the end of "
		  "its first sample; convert the perf.data file again" },
		{ BEGIN END, "is JSON from perf data convert, but has no samples" },
		{ "{\"linux-perf-json-version\":2,\"samples\":[" SAMPLE(MAIN) END,
		  "is JSON from perf data convert, version 2, but kiln reads only version 1; use the "
		  "perf.data" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct memory_file file;
		struct capture capture;
		struct error err;

		memory_file_open(&file, rows[i].input, strlen(rows[i].input));
		cr_assert_not(capture_open(&capture, file.path, &err));
		cr_expect(strstr(err.text, rows[i].message), "%s", err.text);
		memory_file_close(&file);
	}
	assert_no_leaks();
}
