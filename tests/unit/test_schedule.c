/* SPDX-License-Identifier: MIT */
#include "offcpu/schedule.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "base/strings.h"
#include "libparse/event.h"
#include "offcpu/wait_reason.h"

#define EVENTS_MAX    9
#define INTERVALS_MAX 8
#define FIRST_NS      100
#define END_NS        1000

struct collected {
	struct schedule_interval at[INTERVALS_MAX + 1];
	size_t count;
};

static void collect(void *context, const struct schedule_interval *interval)
{
	struct collected *collected = context;

	if (collected->count <= INTERVALS_MAX)
		collected->at[collected->count++] = *interval;
}

/* Constructors of events: the CPU is 0 unless it is set later. */
#define SWITCH(time, out, letter, in)                                                       \
	{                                                                                   \
		.time_ns = (time), .kind = SCHEDULE_SWITCH, .tid = (out), .next_tid = (in), \
		.task_state = (letter), .label = 7                                          \
	}
#define WAKE(time, by, of)                                                               \
	{                                                                                \
		.time_ns = (time), .kind = SCHEDULE_WAKE, .tid = (by), .next_tid = (of), \
		.waker = SCHEDULE_WAKER_THREAD                                           \
	}
#define SAMPLE(time, of, duration)                                                   \
	{                                                                            \
		.time_ns = (time), .kind = SCHEDULE_SAMPLE, .tid = (of), .label = 9, \
		.duration_ns = (duration)                                            \
	}
#define RECORD_ON(on, time, what, of, state)                                          \
	{                                                                             \
		.time_ns = (time), .kind = SCHEDULE_##what, .tid = (of), .cpu = (on), \
		.task_state = (state)                                                 \
	}
#define RECORD(time, what, of, state) RECORD_ON(3, time, what, of, state)

struct expected {
	uint32_t tid;
	enum schedule_state state;
	uint64_t from_ns, to_ns;
	uint32_t label, waker_tid;
	bool is_open;
};

struct trial {
	const char *what;
	enum schedule_source source;
	struct schedule_event events[EVENTS_MAX]; /* until time 0 */
	struct expected expected[INTERVALS_MAX];  /* until time 0; only of threads below 50 */
	uint64_t missing_count;
};

/* clang-format off */
static const struct trial trials[] = {
	{ "records: an exiting thread is preempted, and its last switch-out has no tid", SCHEDULE_SWITCHES,
	  { RECORD(150, IN, 12, 0), RECORD(200, EXIT, 12, 0), RECORD(210, OUT, 12, 'R'), RECORD(220, IN, 12, 0),
	    RECORD(230, OUT, 12, 'R'), RECORD(250, IN, 12, 0), RECORD(260, OUT, EVENT_NO_TID, '?') },
	  { { 12, SCHEDULE_RUNNING, 150, 200, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 200, 210, 0, 0, false },
	    { 12, SCHEDULE_PREEMPTED, 210, 220, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 220, 230, 0, 0, false },
	    { 12, SCHEDULE_PREEMPTED, 230, 250, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 250, 260, 0, 0, false } }, 0 },
	{ "the same, and the CPU is not known", SCHEDULE_SWITCHES,
	  { RECORD_ON(EVENT_NO_CPU, 150, IN, 12, 0), RECORD_ON(EVENT_NO_CPU, 200, EXIT, 12, 0),
	    RECORD_ON(EVENT_NO_CPU, 260, OUT, EVENT_NO_TID, '?') },
	  { { 12, SCHEDULE_RUNNING, 150, 200, 0, 0, false } }, 0 },
	{ "records: the last switch-out of an exiting thread is missing", SCHEDULE_SWITCHES,
	  { RECORD(150, IN, 12, 0), RECORD(200, EXIT, 12, 0), RECORD(260, IN, 60, 0) },
	  { { 12, SCHEDULE_RUNNING, 150, 200, 0, 0, false } }, 0 },
	{ "records: a thread that exited does not wait until the end", SCHEDULE_SWITCHES,
	  { RECORD(150, IN, 12, 0), RECORD(200, EXIT, 12, 0), RECORD(210, OUT, 12, '?') },
	  { { 12, SCHEDULE_RUNNING, 150, 200, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 200, 210, 0, 0, false } }, 0 },
	{ "records: another thread with the tid of one that has exited", SCHEDULE_SWITCHES,
	  { RECORD(150, IN, 12, 0), RECORD(200, EXIT, 12, 0), RECORD(220, IN, 12, 0), RECORD(230, OUT, 12, 'R'),
	    RECORD(240, IN, 12, 0) },
	  { { 12, SCHEDULE_RUNNING, 150, 200, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 220, 230, 0, 0, false },
	    { 12, SCHEDULE_PREEMPTED, 230, 240, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 240, 1000, 0, 0, true } }, 0 },
	{ "records: thread 13 calls exec, and gets the tid of its leader, 12", SCHEDULE_SWITCHES,
	  { RECORD(150, IN, 12, 0), RECORD(160, EXIT, 12, 0), RECORD(170, OUT, 12, '?'), RECORD(200, IN, 13, 0),
	    RECORD(250, EXEC, 12, 0), RECORD(300, OUT, 12, '?'), RECORD(500, IN, 12, 0), RECORD(550, OUT, 12, '?') },
	  { { 12, SCHEDULE_RUNNING, 150, 160, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 160, 170, 0, 0, false },
	    { 13, SCHEDULE_RUNNING, 200, 250, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 250, 300, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 300, 500, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 500, 550, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 550, 1000, 0, 0, true } }, 0 },
	{ "a thread that calls exec keeps its tid", SCHEDULE_SWITCHES,
	  { RECORD(150, IN, 12, 0), RECORD(160, EXEC, 12, 0), RECORD(170, OUT, 12, '?'), RECORD(200, IN, 12, 0) },
	  { { 12, SCHEDULE_RUNNING, 150, 170, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 170, 200, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 200, 1000, 0, 0, true } }, 0 },
	{ "without a record of the exec: the leader has exited, and is switched out again", SCHEDULE_SWITCHES,
	  { SWITCH(150, 12, 'Z', 13), SWITCH(300, 12, 'S', 0), SWITCH(500, 0, 'R', 12) },
	  { { 12, SCHEDULE_RUNNING, 100, 150, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 150, 300, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 300, 500, 7, 0, false },
	    { 12, SCHEDULE_RUNNING, 500, 1000, 0, 0, true },
	    { 13, SCHEDULE_UNKNOWN, 150, 1000, 0, 0, true } }, 0 },
	{ "only samples of a thread, and many switches are missing", SCHEDULE_SWITCHES,
	  { SAMPLE(200, 12, 50), SAMPLE(230, 12, 50), SAMPLE(500, 12, 50), SWITCH(600, 12, 'S', 0) },
	  { { 12, SCHEDULE_RUNNING, 150, 200, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 200, 230, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 450, 500, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 500, 600, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 600, 1000, 7, 0, true } }, 0 },
	{ "the same, and hardly any switch is missing", SCHEDULE_MOST_SWITCHES,
	  { SAMPLE(200, 12, 50), SAMPLE(500, 12, 50) },
	  { { 12, SCHEDULE_RUNNING, 100, 150, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 150, 200, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 200, 450, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 450, 500, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 500, 1000, 0, 0, true } }, 0 },
	{ "a thread that was running when the capture began", SCHEDULE_SWITCHES,
	  { SWITCH(200, 12, 'S', 0) },
	  { { 12, SCHEDULE_RUNNING, 100, 200, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 200, 1000, 7, 0, true } }, 0 },
	{ "blocked, woken, running", SCHEDULE_SWITCHES,
	  { SWITCH(200, 12, 'D', 60), WAKE(300, 60, 12), WAKE(310, 61, 12), SWITCH(350, 60, 'S', 12) },
	  { { 12, SCHEDULE_RUNNING, 100, 200, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 200, 300, 7, 60, false },
	    { 12, SCHEDULE_RUNNABLE, 300, 350, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 350, 1000, 0, 0, true } }, 0 },
	{ "preempted; a wake-up changes nothing", SCHEDULE_SWITCHES,
	  { SWITCH(200, 12, 'R', 60), WAKE(300, 60, 12), SWITCH(350, 60, 'S', 12) },
	  { { 12, SCHEDULE_RUNNING, 100, 200, 0, 0, false },
	    { 12, SCHEDULE_PREEMPTED, 200, 350, 7, 0, false },
	    { 12, SCHEDULE_RUNNING, 350, 1000, 0, 0, true } }, 0 },
	{ "a new thread waits for a CPU, runs and exits; the tid is reused", SCHEDULE_SWITCHES,
	  { SWITCH(150, 60, 'S', 0), WAKE(200, 60, 12), SWITCH(250, 0, 'R', 12), SWITCH(300, 12, 'X', 0),
	    SWITCH(400, 0, 'R', 12), SWITCH(450, 12, 'Z', 0) },
	  { { 12, SCHEDULE_RUNNABLE, 200, 250, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 250, 300, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 400, 450, 0, 0, false } }, 0 },
	{ "a wake-up does not revive a thread that has exited", SCHEDULE_SWITCHES,
	  { SWITCH(150, 60, 'S', 12), SWITCH(300, 12, 'X', 0), WAKE(350, 60, 12) },
	  { { 12, SCHEDULE_RUNNING, 150, 300, 0, 0, false } }, 0 },
	{ "a sample names the time before it", SCHEDULE_SWITCHES,
	  { SWITCH(150, 60, 'S', 12), SAMPLE(300, 12, 50), SAMPLE(320, 12, 50), SWITCH(400, 12, 'S', 0) },
	  { { 12, SCHEDULE_RUNNING, 150, 250, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 250, 300, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 300, 320, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 320, 400, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 400, 1000, 7, 0, true } }, 0 },
	{ "samples alone: overlaps count once", SCHEDULE_SAMPLES,
	  { SAMPLE(300, 12, 50), SAMPLE(330, 12, 50), SAMPLE(500, 12, 50) },
	  { { 12, SCHEDULE_RUNNING, 250, 300, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 300, 330, 9, 0, false },
	    { 12, SCHEDULE_RUNNING, 450, 500, 9, 0, false } }, 0 },
	{ "the switch-in is missing", SCHEDULE_SWITCHES,
	  { SWITCH(150, 12, 'S', 0), SWITCH(400, 12, 'S', 0) },
	  { { 12, SCHEDULE_RUNNING, 100, 150, 0, 0, false },
	    { 12, SCHEDULE_UNKNOWN, 150, 400, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 400, 1000, 7, 0, true } }, 1 },
	{ "the same, and hardly any other is missing: it ran after it was woken", SCHEDULE_MOST_SWITCHES,
	  { SWITCH(150, 12, 'S', 0), WAKE(300, 60, 12), SWITCH(400, 12, 'S', 0) },
	  { { 12, SCHEDULE_RUNNING, 100, 150, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 150, 300, 7, 60, false },
	    { 12, SCHEDULE_UNKNOWN, 300, 400, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 400, 1000, 7, 0, true } }, 1 },
	{ "the switch-out is missing: another thread leaves this CPU", SCHEDULE_SWITCHES,
	  { SWITCH(150, 60, 'S', 12), SWITCH(400, 61, 'S', 0), SWITCH(500, 0, 'R', 12), SWITCH(600, 12, 'S', 0) },
	  { { 12, SCHEDULE_UNKNOWN, 150, 500, 0, 0, false },
	    { 12, SCHEDULE_RUNNING, 500, 600, 0, 0, false },
	    { 12, SCHEDULE_BLOCKED, 600, 1000, 7, 0, true } }, 2 },
};
/* clang-format on */

static void judge(const struct trial *trial)
{
	struct collected collected = { .count = 0 };
	const struct schedule_sink sink = { .context = &collected, .on_interval = collect };
	struct schedule schedule;
	size_t seen = 0;

	schedule_init(&schedule, &sink, FIRST_NS, trial->source);
	for (size_t i = 0; i < EVENTS_MAX && trial->events[i].time_ns; i++)
		schedule_add(&schedule, &trial->events[i]);
	schedule_finish(&schedule, END_NS);
	cr_expect_eq(schedule.missing_count, trial->missing_count, "%s: %lu", trial->what,
		     (unsigned long)schedule.missing_count);
	schedule_deinit(&schedule);
	for (size_t i = 0; i < collected.count; i++) {
		const struct schedule_interval *got = &collected.at[i];
		const struct expected *expected = &trial->expected[seen];

		if (got->tid >= 50)
			continue;
		seen++;
		cr_assert_leq(seen, INTERVALS_MAX, "%s", trial->what);
		cr_expect_eq(got->tid, expected->tid, "%s: %zu", trial->what, i);
		cr_expect_eq(got->state, expected->state, "%s: %zu", trial->what, i);
		cr_expect_eq(got->from_ns, expected->from_ns, "%s: %zu", trial->what, i);
		cr_expect_eq(got->to_ns, expected->to_ns, "%s: %zu", trial->what, i);
		cr_expect_eq(got->label, expected->label, "%s: %zu", trial->what, i);
		cr_expect_eq(got->waker_tid, expected->waker_tid, "%s: %zu", trial->what, i);
		cr_expect_eq(got->is_open, expected->is_open, "%s: %zu", trial->what, i);
	}
	cr_expect(seen == INTERVALS_MAX || !trial->expected[seen].to_ns, "%s: %zu", trial->what,
		  seen);
}

Test(schedule, intervals)
{
	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
}

Test(schedule, reasons)
{
	static const struct {
		const char *function, *reason;
	} rows[] = {
		{ "futex_wait_queue", "futex lock" },
		{ "rwsem_down_read_slowpath", "kernel lock" },
		{ "io_schedule", "disk" },
		{ "ep_poll", "poll" },
		{ "anon_pipe_read", "pipe" },
		{ "unix_stream_read_generic", "network" },
		{ "worker_thread", "idle kernel thread" },
		{ "schedule", NULL },
		{ "main", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *reason = wait_reason_of(text_of(rows[i].function));

		cr_expect((!reason && !rows[i].reason) ||
				  (reason && rows[i].reason && strcmp(reason, rows[i].reason) == 0),
			  "%s: %s", rows[i].function, reason ? reason : "none");
	}
	cr_expect(text_is(wait_reason_call(text_of("__x64_sys_ioctl")), "ioctl"));
	cr_expect(text_is(wait_reason_call(text_of("__x64_sys_")), ""));
	cr_expect(text_is(wait_reason_call(text_of("ioctl")), ""));
}
