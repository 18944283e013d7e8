/* SPDX-License-Identifier: MIT */
#include "libparse/script/switch_text.h"

#include <criterion/criterion.h>

#include "offcpu/pairing_plan.h"
#include "render/text/folded.h"
#include "session/off_cpu.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

Test(switch_text, parses_payloads)
{
	static const struct {
		const char *payload;
		bool is_switch;
		uint32_t previous, next;
		char state;
		bool is_preempted;
		const char *previous_comm, *next_comm;
	} rows[] = {
		{ "prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 "
		  "next_prio=120",
		  true, 7, 8, 'S', false, "a", "b" },
		{ "prev_comm=prev_pid=1 prev_state=D prev_pid=7 prev_prio=120 prev_state=R+ ==> "
		  "next_comm=next_pid=2 next_pid=0 next_prio=120",
		  true, 7, 0, 'R', true, "prev_pid=1 prev_state=D", "next_pid=2" },
		{ "prev_comm=a prev_pid=7 prev_prio=1 prev_state=D|K ==> next_comm=b next_pid=8 "
		  "next_prio=1",
		  true, 7, 8, 'D', false, "a", "b" },
		{ "a b:7 [120] R ==> c:d:8 [98]", true, 7, 8, 'R', false, "a b", "c:d" },
		{ "a:7 [120] S ==> swapper/0:0 [120]", true, 7, 0, 'S', false, "a", "swapper/0" },
		{ "prev_comm=a prev_pid=99999999999 prev_state=S ==> next_pid=8", false, 0, 0, 0,
		  false, NULL, NULL },
		{ "prev_comm=a prev_pid=7 prev_state= ==> next_pid=8", false, 0, 0, 0, false, NULL,
		  NULL },
		{ "prev_comm=a prev_state=S ==> next_pid=8", false, 0, 0, 0, false, NULL, NULL },
		{ "a:7 [120] ==> b:8 [120]", false, 0, 0, 0, false, NULL, NULL },
		{ "a [120] S ==> b [120]", false, 0, 0, 0, false, NULL, NULL },
		{ "] S ==> ]", false, 0, 0, 0, false, NULL, NULL },
		{ " ==> ", false, 0, 0, 0, false, NULL, NULL },
		{ "", false, 0, 0, 0, false, NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_sched_switch sched_switch;
		bool good = switch_text_parse(text_of(rows[i].payload), &sched_switch);

		cr_assert_eq(good, rows[i].is_switch, "%s", rows[i].payload);
		if (!good)
			continue;
		cr_expect_eq(sched_switch.previous_tid, rows[i].previous, "%s", rows[i].payload);
		cr_expect_eq(sched_switch.next_tid, rows[i].next, "%s", rows[i].payload);
		cr_expect_eq(sched_switch.state, rows[i].state, "%s", rows[i].payload);
		cr_expect_eq(sched_switch.is_preempted, rows[i].is_preempted, "%s",
			     rows[i].payload);
		cr_expect(text_is(sched_switch.previous_comm, rows[i].previous_comm), "%s",
			  rows[i].payload);
		cr_expect(text_is(sched_switch.next_comm, rows[i].next_comm), "%s",
			  rows[i].payload);
	}
}

Test(switch_text, parses_wakeups)
{
	static const struct {
		const char *payload;
		bool is_wakeup;
		uint32_t tid;
	} rows[] = {
		{ "comm=a pid=7 prio=120 target_cpu=001", true, 7 },
		{ "comm=a pid=1 pid=7 prio=120 success=1 target_cpu=001", true, 7 },
		{ "comm=a success=1 pid=7 prio=120 success=0 target_cpu=001", false, 0 },
		{ "comm=a success=0 pid=7 prio=120 success=1 target_cpu=001", true, 7 },
		{ "comm=a success=0 pid=7 prio=120 target_cpu=001", true, 7 },
		{ "a:7 [120] success=1 CPU:001", true, 7 },
		{ "a success=0:7 [120] CPU:001", true, 7 },
		{ "a [1]:7 [120] CPU:001", true, 7 },
		{ "a:7 [120]<CANT FIND FIELD success> CPU:001", true, 7 },
		{ "a:7 [120] success=0 CPU:001", false, 0 },
		{ "comm=a prio=120", false, 0 },
		{ "comm=a pid=99999999999 prio=120", false, 0 },
		{ "a [120]", false, 0 },
		{ "]", false, 0 },
		{ "", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t tid = 0;
		bool good = switch_text_parse_wakeup(text_of(rows[i].payload), &tid);

		cr_expect_eq(good, rows[i].is_wakeup, "%s", rows[i].payload);
		cr_expect(!good || tid == rows[i].tid, "%s", rows[i].payload);
	}
	cr_expect(switch_text_is_wakeup(text_of("sched_waking")));
	cr_expect(switch_text_is_wakeup(text_of("sched:sched_wakeup_new")));
	cr_expect(!switch_text_is_wakeup(text_of("sched:sched_switch")));
	cr_expect(!switch_text_is_wakeup(text_of("sched:")));
}

#define SWITCH "sched:sched_switch: "
#define FROM(comm, tid, state) \
	"prev_comm=" comm " prev_pid=" tid " prev_prio=120 prev_state=" state " ==> "
#define TO(comm, tid) "next_comm=" comm " next_pid=" tid " next_prio=120\n"

/* 7 sleeps for 3 us and is blocked for 500 ns, 8 is preempted. */
static const char switches[] = "a 7 [000] 1.000001000: " SWITCH FROM("a", "7", "S")
	TO("b", "8") "\t 1 nap ([k])\n\n"
		     "b 8 [000] 1.000004000: " SWITCH FROM("b", "8", "R")
			     TO("a", "7") "\t 1 spin ([k])\n\n"
					  "a 7 [001] 1.000005000: " SWITCH FROM("a", "7", "D")
						  TO("b",
						     "8") "\t 1 read ([k])\n\n"
							  "b 8 [001] 1.000005500: " SWITCH FROM(
								  "b", "8", "S")
								  TO("a", "7") "\t 1 last ([k])\n";

static void expect(const struct pairing_options *pairing, const char *folded)
{
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.pairing = pairing,
	};
	struct memory_file file;
	struct session session;
	struct sink sink;
	struct error err;

	memory_file_open(&file, switches, sizeof(switches) - 1);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_offcpu(&session, &err), "%s", err.text);
	sink_init_memory(&sink);
	folded_write_in(&session.profile, 1, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, folded);
	sink_deinit(&sink);
	session_close(&session);
	memory_file_close(&file);
}

Test(switch_text, is_paired)
{
	expect(&(struct pairing_options){ .states = NULL }, "a;nap 3000\na;read 500\n");
	expect(&(struct pairing_options){ .states = "D" }, "a;read 500\n");
	expect(&(struct pairing_options){ .states = "R" }, "b;spin 1000\n");
	expect(&(struct pairing_options){ .shortest_ns = 600 }, "a;nap 3000\n");
	assert_no_leaks();
}

Test(switch_text, is_not_made_up)
{
	static const char nothing[] = "a 7 [000] 1.000001000: 1 cycles:\n\t 1 nap ([k])\n\n";
	struct pairing_options pairing = { .has_run_queue = true };
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.pairing = &pairing,
	};
	struct memory_file file;
	struct session session;
	struct error err;

	memory_file_open(&file, switches, sizeof(switches) - 1);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_expect_not(session_build_offcpu(&session, &err));
	cr_expect(strstr(err.text, "--runqueue"), "%s", err.text);
	session_close(&session);
	memory_file_close(&file);

	pairing.has_run_queue = false;
	memory_file_open(&file, nothing, sizeof(nothing) - 1);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_expect_not(session_build_offcpu(&session, &err));
	cr_expect(strstr(err.text, "has no context switches"), "%s", err.text);
	session_close(&session);
	memory_file_close(&file);
}
