/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/trace_events.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

static const char fields[] = "name: sched_switch\nID: 300\nformat:\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
			     "\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
			     "\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
			     "\tfield:long prev_state;\toffset:16;\tsize:8;\tsigned:1;\n\n";
/* Of Linux 4.8 to 4.13, from include/trace/events/sched.h. */
static const char linux_4_8[] =
	"print fmt: \"prev_state=%s%s\", REC->prev_state & (4096-1) ? __print_flags(REC->prev_state & "
	"(4096-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, "
	"\"X\" }, { 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }, { 1024, \"N\" }) : \"R\", "
	"REC->prev_state & 4096 ? \"+\" : \"\"\n";
static const char linux_4_14[] =
	"print fmt: \"prev_state=%s%s\", (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & "
	"0xff, \"|\", { 0x01, \"S\" }, { 0x02, \"D\" }, { 0x10, \"X\" }, { 0x80, \"I\" }) : \"R\", "
	"REC->prev_state & 0x100 ? \"+\" : \"\"\n";

static bool read_switch(const char *print_format, const char *release, uint64_t value,
			struct event_sched_switch *ret)
{
	struct perf_tracepoints tracepoints;
	struct trace_events events;
	struct sink text, part;
	unsigned char record[24] = { 300 & 0xff, 300 >> 8, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 9 };
	struct span span;
	uint64_t length;
	bool good;

	sink_init_memory(&text);
	sink_puts(&text, fields);
	sink_puts(&text, print_format);
	length = text.used;
	sink_init_memory(&part);
	sink_bytes(&part, "\1\0\0\0sched\0\1\0\0", 13);
	sink_char(&part, '\0');
	for (unsigned i = 0; i < 8; i++)
		sink_char(&part, (char)(length >> 8 * i));
	sink_text(&part, sink_memory(&text));
	for (unsigned i = 0; i < 8; i++)
		record[16 + i] = (unsigned char)(value >> 8 * i);
	perf_tracepoints_init(&tracepoints);
	span = span_of(part.buffer, part.used, 0, HOST_IS_BIG_ENDIAN);
	cr_assert(perf_tracepoints_read_systems(&tracepoints, &span));
	perf_tracepoints_sort(&tracepoints);
	trace_events_init(&events, &tracepoints, text_of(release));
	span = span_of(record, sizeof(record), 0, HOST_IS_BIG_ENDIAN);
	good = trace_event_read_switch(trace_events_find(&events, &tracepoints, span), span, ret);
	trace_events_deinit(&events);
	perf_tracepoints_deinit(&tracepoints);
	sink_deinit(&text);
	sink_deinit(&part);
	return good;
}

Test(trace_events, states_of_every_kernel)
{
	static const struct {
		const char *print_format, *release;
		uint64_t value;
		char state;
		bool is_preempted;
	} rows[] = {
		{ linux_4_8, "4.8.0", 0, 'R', false },
		{ linux_4_8, "4.8.0", 1, 'S', false },
		{ linux_4_8, "4.8.0", 2 | 1024, 'D', false },
		{ linux_4_8, "4.8.0", 4096, 'R', true },
		{ linux_4_14, "", 2, 'D', false },
		{ linux_4_14, "", 0x10, 'X', false },
		{ linux_4_14, "", 0x100, 'R', true },
		/* Without a print format. */
		{ "", "3.10.0-1160.el7.x86_64", 16, 'Z', false },
		{ "", "6.1.0", 16, 'X', false },
		{ "", "", 16, 'X', false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_sched_switch ret;

		cr_assert(read_switch(rows[i].print_format, rows[i].release, rows[i].value, &ret));
		cr_expect_eq(ret.previous_tid, 7);
		cr_expect_eq(ret.next_tid, 9);
		cr_expect_eq(ret.state, rows[i].state, "row %zu: %c", i, ret.state);
		cr_expect_eq(ret.is_preempted, rows[i].is_preempted, "row %zu", i);
	}
	assert_no_leaks();
}
