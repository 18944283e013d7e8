/* SPDX-License-Identifier: MIT */
#include "libparse/script/perf_script_header.h"

#include <criterion/criterion.h>

#define TASK (SAMPLE_HAS_TID | SAMPLE_HAS_TIME)

struct row {
	const char *line;
	const char *comm, *event, *rest;
	uint64_t present;
	uint32_t pid, tid, cpu;
	uint64_t time_ns, period;
};

static bool is(struct text text, const char *wanted)
{
	return wanted ? text.at && text_is(text, wanted) : !text.at;
}

Test(perf_script_header, reads_whichever_fields_were_printed)
{
	static const struct row rows[] = {
		{ "app 17 5.000001: cycles: ", "app", "cycles", "", TASK, 17, 17, 0,
		  .time_ns = 5000001000 },
		{ "app 16/17 [003] 5.000001:     250000 cycles:u: ", "app", "cycles:u", "",
		  TASK | SAMPLE_HAS_CPU | SAMPLE_HAS_PERIOD, 16, 17, 3, 5000001000,
		  .period = 250000 },
		{ "             app    17 [000]  5.000000001:  1 cpu/event=0x3c/:  ffff f (app)",
		  "app", "cpu/event=0x3c/", "ffff f (app)",
		  TASK | SAMPLE_HAS_CPU | SAMPLE_HAS_PERIOD, 17, 17, 0, 5000000001, .period = 1 },
		{ "app 16/17 [003] U     5.000001: cycles:", "app", "cycles", "",
		  TASK | SAMPLE_HAS_CPU, 16, 17, 3, .time_ns = 5000001000 },
		{ "app 17 5.000001: raw 0x1c2: ", "app", "raw 0x1c2", "", TASK, 17, 17, 0,
		  .time_ns = 5000001000 },
		{ "swapper     0 [001] 5.000001: sched:sched_switch: a:1 [120] R ==> b: 2",
		  "swapper", "sched:sched_switch", "a:1 [120] R ==> b: 2", TASK | SAMPLE_HAS_CPU, 0,
		  0, 1, .time_ns = 5000001000 },
		{ ":-1    -1/-1    [001] 5.000001: cycles: ", ":-1", "cycles", "",
		  TASK | SAMPLE_HAS_CPU, UINT32_MAX, UINT32_MAX, 1, .time_ns = 5000001000 },
		/* Without a time. */
		{ "node-v011 31912 cpu-clock: ", "node-v011", "cpu-clock", "", SAMPLE_HAS_TID,
		  31912, .tid = 31912 },
		{ "node 31912 [001] 10101 cpu-clock: ", "node", "cpu-clock", "",
		  SAMPLE_HAS_TID | SAMPLE_HAS_CPU | SAMPLE_HAS_PERIOD, 31912, 31912, 1,
		  .period = 10101 },
		{ "node 31912         20 cpu-clock: ", "node", "cpu-clock", "",
		  SAMPLE_HAS_TID | SAMPLE_HAS_PERIOD, 31912, 31912, .period = 20 },
		{ "app 16/17    [003] U             20 cycles:u: ", "app", "cycles:u", "",
		  SAMPLE_HAS_TID | SAMPLE_HAS_CPU | SAMPLE_HAS_PERIOD, 16, 17, 3, .period = 20 },
		{ "app    17 U     cycles: ", "app", "cycles", "", SAMPLE_HAS_TID, 17, .tid = 17 },
		{ "foo 12   345 cycles: ", "foo 12", "cycles", "", SAMPLE_HAS_TID, 345,
		  .tid = 345 },
		{ "foo 12 345 cycles: ", "foo", "cycles", "", SAMPLE_HAS_TID | SAMPLE_HAS_PERIOD,
		  12, 12, .period = 345 },
		{ "U    17 cycles: ", "U", "cycles", "", SAMPLE_HAS_TID, 17, .tid = 17 },
		{ "tmux: server  1234 cycles: ", "tmux: server", "cycles", "", SAMPLE_HAS_TID, 1234,
		  .tid = 1234 },
		{ "app 17 cycles:  ilen: 5", "app", "cycles", "ilen: 5", SAMPLE_HAS_TID, 17,
		  .tid = 17 },
		{ "app 17 cycles:  ABI:2    AX:0x1 ", "app", "cycles", "ABI:2    AX:0x1",
		  SAMPLE_HAS_TID, 17, .tid = 17 },
		{ "app 17 cycles:  0x401/0x402/P/-/-/0", "app", "cycles", "0x401/0x402/P/-/-/0",
		  SAMPLE_HAS_TID, 17, .tid = 17 },
		{ "app 17 cycles:  insn: 48 d1 e8", "app", "cycles", "insn: 48 d1 e8",
		  SAMPLE_HAS_TID, 17, .tid = 17 },
		/* Headers without a task, a comm or an event. */
		{ "app [001] 5.000001: cycles: ", "app", "cycles", "",
		  SAMPLE_HAS_TIME | SAMPLE_HAS_CPU, 0, 0, 1, .time_ns = 5000001000 },
		{ "   17 5.000001: cycles: ", NULL, "cycles", "", TASK, 17, 17, 0,
		  .time_ns = 5000001000 },
		{ "app 17 5.000001: ", "app", "", "", TASK, 17, 17, 0, .time_ns = 5000001000 },
		{ "app 17 5.000001:    401000 main+0x1 (app)", "app", "", "401000 main+0x1 (app)",
		  TASK, 17, 17, 0, .time_ns = 5000001000 },
		{ "app 17 5.000001:       1250            401000 add (app)", "app", "",
		  "401000 add (app)", TASK | SAMPLE_HAS_PERIOD, 17, 17, 0, 5000001000,
		  .period = 1250 },
		{ "31912 cycles:            401000 f (app)", NULL, "cycles", "401000 f (app)",
		  SAMPLE_HAS_TID, 31912, .tid = 31912 },
		/* Comms that look like other fields. */
		{ "t 17 5.000001: cycles: ", "t", "cycles", "", TASK, 17, 17, 0,
		  .time_ns = 5000001000 },
		{ "Web Content 17 5.000001: cycles: ", "Web Content", "cycles", "", TASK, 17, 17, 0,
		  .time_ns = 5000001000 },
		{ "foo 12 345 [000] 5.000001: cycles: ", "foo 12", "cycles", "",
		  TASK | SAMPLE_HAS_CPU, 345, 345, 0, .time_ns = 5000001000 },
		{ "kworker/3:1-events 17 5.000001: cycles: ", "kworker/3:1-events", "cycles", "",
		  TASK, 17, 17, 0, .time_ns = 5000001000 },
		{ "[x] (y) 7: z 17 [002] 5.000001: cycles: ", "[x] (y) 7: z", "cycles", "",
		  TASK | SAMPLE_HAS_CPU, 17, 17, 2, .time_ns = 5000001000 },
		{ "U 17 5.000001: cycles: ", "U", "cycles", "", TASK, 17, 17, 0,
		  .time_ns = 5000001000 },
		{ "a;b 17 5.000001: cycles: ", "a;b", "cycles", "", TASK, 17, 17, 0,
		  .time_ns = 5000001000 },
		/* Virtual machines. */
		{ "VM:  123 VCPU:001 app 17 [000] 5.000001: cycles: ", "app", "cycles", "",
		  TASK | SAMPLE_HAS_CPU, 17, 17, 0, .time_ns = 5000001000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct perf_script_header got;

		cr_assert(perf_script_header_parse(text_of(row->line), false, &got), "%s",
			  row->line);
		cr_assert(is(got.comm, row->comm), "%s: comm %.*s", row->line, (int)got.comm.length,
			  got.comm.at);
		cr_assert(is(got.event, row->event) || (!got.event.at && !*row->event),
			  "%s: event %.*s", row->line, (int)got.event.length, got.event.at);
		cr_assert(text_is(got.rest, row->rest), "%s: rest %.*s", row->line,
			  (int)got.rest.length, got.rest.at);
		cr_assert_eq(got.present, row->present, "%s: %lx", row->line,
			     (unsigned long)got.present);
		cr_assert(got.pid == row->pid && got.tid == row->tid && got.cpu == row->cpu, "%s",
			  row->line);
		cr_assert(got.time_ns == row->time_ns && got.period == row->period, "%s",
			  row->line);
	}
}

Test(perf_script_header, takes_an_event_alone_for_a_sample_only_before_frames)
{
	struct perf_script_header header;

	cr_assert_not(perf_script_header_parse(text_of("Warning:"), false, &header));
	cr_assert(perf_script_header_parse(text_of("app cycles:u: "), true, &header));
	cr_assert(text_is(header.comm, "app") && text_is(header.event, "cycles:u"));
	cr_assert(perf_script_header_parse(text_of("app [001]       1250 cycles:u: "), true,
					   &header));
	cr_assert(text_is(header.comm, "app") && header.cpu == 1 && header.period == 1250);
	cr_assert(perf_script_header_parse(text_of("        20 cycles:u: "), true, &header));
	cr_assert(!header.comm.at && header.period == 20);
	cr_assert(perf_script_header_parse(text_of("31912 cycles:u: "), true, &header));
	cr_assert(!header.comm.at && header.tid == 31912);
}

Test(perf_script_header, parses_tasks_alone)
{
	static const struct {
		const char *line, *comm;
		uint64_t present;
		uint32_t pid, tid, cpu;
	} rows[] = {
		{ "app 17 ", "app", SAMPLE_HAS_TID, 17, 17, 0 },
		{ "Web Content  16/17   ", "Web Content", SAMPLE_HAS_TID, 16, 17, 0 },
		{ "app 17 [003] ", "app", SAMPLE_HAS_TID | SAMPLE_HAS_CPU, 17, 17, 3 },
		{ " 16/17 ", NULL, SAMPLE_HAS_TID, 16, 17, 0 },
		{ "app    17       1250 ", "app", SAMPLE_HAS_TID | SAMPLE_HAS_PERIOD, 17, 17, 0 },
	};
	static const char *const others[] = { "",     " ",      "app 17",   "17 ",
					      "app ", "[003] ", "app 17: ", "app       1250 " };
	struct perf_script_header got;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cr_assert(perf_script_header_parse_task(text_of(rows[i].line), &got), "%s",
			  rows[i].line);
		cr_expect(is(got.comm, rows[i].comm), "%s", rows[i].line);
		cr_expect(got.present == rows[i].present && got.pid == rows[i].pid &&
				  got.tid == rows[i].tid && got.cpu == rows[i].cpu,
			  "%s", rows[i].line);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		cr_expect_not(perf_script_header_parse_task(text_of(others[i]), &got), "%s",
			      others[i]);
}

Test(perf_script_header, refuses_what_is_no_sample)
{
	static const char *const lines[] = {
		"",
		"[ perf record: Woken up 12 times to write data ]",
		"Processed 12 events and lost 1 chunks!",
		"cannot open /tmp/perf-17.map: No such file",
		"app 17",
		"app 99999999999999999999 cycles: ",
		"return is_set ? 1 : 0",
		"18446744073709551616.000001: cycles",
		/* Numbers in front of colons, and words that are hexadecimal numbers. */
		"Jan 12 10:00:01 host 17 error: dead link",
		"There are 3 of 12 tests: bad ones",
		" * wakers  0: 7 at 90, which woke 0 at 40",
		"host 17 error: 5 (five)",
		"host 17 error: decade of age (see above)",
		"foo.c 17 note: 65536 bytes (64 KiB)",
		"Jan 12 10:00:01 host 17 warning: 20231128 backups failed (see log)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct perf_script_header header;

		cr_assert_not(perf_script_header_parse(text_of(lines[i]), false, &header), "%s",
			      lines[i]);
	}
}
