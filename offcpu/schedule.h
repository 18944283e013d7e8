/* SPDX-License-Identifier: MIT */
/*
 * Determines the state of each thread at each time. Events in time order become intervals, which
 * are sent to a callback as soon as they end:
 *
 *     time      0        3           9          12         20
 *     cpu 0     12 runs  12 out, D ─ 40 in      40 wakes 12
 *     cpu 1                                                12 in
 *     thread 12 running ─┤ blocked ─────────────┤ runnable ┤ running ...
 *
 * The intervals of a thread follow each other in time. The state of a thread before its first event
 * is unknown, unless that event shows that it was running. In that case, the thread has been
 * running since the capture began, because its switch-in would otherwise have been recorded. If many
 * switches are missing, a thread of which there are only samples runs for their durations.
 *
 * A switch record often does not name a thread that has exited, so the run after its exit ends with
 * the next switch on this CPU:
 *
 *     time      0        3           9          12         20
 *     cpu 0     12 in    12 exits    12 out, R  12 in      out, without a tid
 *
 * A thread that calls exec gets the tid of the leader of its process, which exits.
 *
 * If a switch is missing, the thread's state since its last event is SCHEDULE_UNKNOWN. If hardly
 * any switch is missing, the thread cannot have run before the last switch on its CPU, nor before
 * it was woken. Only the time after the later of these two events is unknown.
 */
#ifndef OFFCPU_SCHEDULE_H
#define OFFCPU_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "offcpu/thread_table.h"

enum schedule_state {
	SCHEDULE_RUNNING,
	SCHEDULE_RUNNABLE,  /* woken, waiting for a CPU */
	SCHEDULE_PREEMPTED, /* switched out while runnable, waiting for a CPU */
	SCHEDULE_BLOCKED,
	SCHEDULE_UNKNOWN, /* switches are missing */
	SCHEDULE_STATE_COUNT,
};

/* What ended a blocked interval. */
enum schedule_waker {
	SCHEDULE_WAKER_UNKNOWN, /* no wake-up was recorded */
	SCHEDULE_WAKER_THREAD,
	SCHEDULE_WAKER_SOFTIRQ,   /* ran in a thread, possibly on that thread's behalf */
	SCHEDULE_WAKER_INTERRUPT, /* the interrupted thread is not the waker */
};

/* No label. */
#define SCHEDULE_LABEL_NONE 0u

struct schedule_interval {
	uint64_t from_ns, to_ns;
	uint32_t tid;
	/* where the thread runs, or ran last, or runs first after this interval; or EVENT_NO_CPU */
	uint32_t cpu;
	enum schedule_state state;
	uint32_t label;  /* running: the sample's; other states: the switch-out's */
	char task_state; /* if preempted or blocked: a letter as in ps; '?' if not recorded */
	bool is_open;    /* had not ended at the end of the capture */
	enum schedule_waker waker;
	uint32_t waker_tid;
};

struct schedule_sink {
	void *context;
	void (*on_interval)(void *context, const struct schedule_interval *interval);
};

/* An event. Members that its kind does not use are 0. */
struct schedule_event {
	uint64_t time_ns;
	enum schedule_kind {
		SCHEDULE_SWITCH, /* tid is switched out, next_tid is switched in */
		SCHEDULE_OUT,    /* one side of a switch */
		SCHEDULE_IN,
		SCHEDULE_EXIT, /* tid, which is on the CPU, begins to exit */
		SCHEDULE_EXEC, /* tid, which is on the CPU, called exec under this tid or another */
		SCHEDULE_WAKE, /* tid wakes next_tid */
		SCHEDULE_SAMPLE, /* tid is on the CPU */
	} kind;
	uint32_t tid, next_tid; /* 0 means the idle task; tid may be EVENT_NO_TID */
	uint32_t cpu;           /* or EVENT_NO_CPU */
	uint32_t label;         /* label of the sample, or of the wait that begins */
	uint32_t duration_ns;   /* of a sample: the CPU time that it represents */
	char task_state;        /* of the thread that is switched out */
	enum schedule_waker waker;
};

/* The recorded events. */
enum schedule_source {
	SCHEDULE_SAMPLES, /* only samples: a thread runs for the durations of its samples */
	SCHEDULE_SWITCHES,
	/* at most one switch in a hundred is missing, apart from missing_idle_count */
	SCHEDULE_MOST_SWITCHES,
};

/*
 * The threads of one of several workers: each worker adds all events, but gets only the intervals
 * of its own threads. The threads are numbered. If owners is NULL, all threads are wanted.
 */
struct schedule_part {
	const uint8_t *owners; /* the worker of each thread; borrowed */
	uint32_t thread_count;
	uint8_t number; /* of the worker */
};

static inline bool schedule_part_has(const struct schedule_part *part, uint32_t tid)
{
	return !part->owners || (tid < part->thread_count && part->owners[tid] == part->number);
}

struct schedule_thread;

struct schedule_cpu {
	uint32_t tid; /* 0 means idle, or not known */
	uint64_t time_ns;
	bool has_switched;
};

struct schedule {
	struct schedule_sink sink;
	struct schedule_part part;           /* may be set after schedule_init */
	uint64_t first_ns;                   /* time at which the capture began */
	VEC(struct schedule_thread) threads; /* by index in the table */
	VEC(struct schedule_cpu) cpus;       /* by CPU number */
	struct thread_table table;
	uint32_t numbered_count; /* lower tids are indexes of threads; 0: none */
	enum schedule_source source;
	uint64_t missing_count; /* switches that must have happened but were not recorded */
	/* of these, switches from the idle task to a thread whose wake-up was recorded */
	uint64_t missing_idle_count;
};

void schedule_init(struct schedule *schedule, const struct schedule_sink *sink, uint64_t first_ns,
		   enum schedule_source source);
void schedule_deinit(struct schedule *schedule);

/*
 * Adds this many threads. In all events, tids below this count are the indexes of these threads,
 * and thread 0 is the idle task. Must be called before the first event.
 */
void schedule_number_threads(struct schedule *schedule, uint32_t count);

/* Adds an event, which must not be earlier than the previous event. */
void schedule_add(struct schedule *schedule, const struct schedule_event *event);

/* Ends all intervals that are open at the end of the capture. */
void schedule_finish(struct schedule *schedule, uint64_t end_ns);

#endif
