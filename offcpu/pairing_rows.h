/* SPDX-License-Identifier: MIT */
/*
 * Collects the samples that begin or end an interval, as rows of 32 bytes without stacks. The pass
 * that counts stacks identifies the samples by their position.
 *
 *     sample  sched_switch, offset 4096, time 17: 12 switched out in state D, 40 switched in
 *     row     17 | 4096 | 12 40 | 0 | switch | D
 *
 * The rows of a CPU also show which switches are missing (cpu_switches.c).
 */
#ifndef OFFCPU_PAIRING_ROWS_H
#define OFFCPU_PAIRING_ROWS_H

#include "base/workers.h"
#include "profile/interval.h"
#include "offcpu/pairing_plan.h"
#include "offcpu/schedule.h"
#include "offcpu/text_threads.h"
#include "process/loss.h"

struct pairing_row {
	uint64_t time_ns;
	uint64_t offset;
	union {
		struct {
			/* tids; for a wake-up: the waker and the thread that it wakes */
			uint32_t previous, next;
		};
		struct {
			uint32_t tid,
				period; /* for a sample; period 0: the event does not measure CPU time */
		};
		uint64_t key; /* the key of a begin or end (--span), or of a disk request */
	};
	uint32_t ordinal;
	uint16_t cpu;     /* except for samples: CPU number plus 1; 0 if unknown */
	char state;       /* state of `previous`, as a letter of ps */
	uint8_t role : 4; /* enum pairing_role */
	bool is_preempted : 1;
	bool is_interrupt : 1; /* the waker is an interrupt, not the interrupted thread */
	bool is_deferred : 1;  /* the waker is a softirq, which the thread itself may have run */
};

typedef VEC(struct pairing_row) pairing_row_list;

/* Converts a CPU number to the form of a row. */
static inline uint16_t pairing_row_cpu(uint32_t cpu)
{
	return cpu < UINT16_MAX ? (uint16_t)(cpu + 1) : 0;
}

/* The rows of one worker. All zeros: none. */
struct pairing_rows {
	const struct pairing_plan *plan;
	pairing_row_list rows;
	size_t expected_count; /* estimated number of rows; 0 if unknown */
	struct sample_position place;
	uint64_t corrupt_count;       /* samples without a thread or a time */
	uint64_t sampled_count;       /* samples that represent several events */
	uint64_t last_time_ns;        /* time of the last sample of any of these events */
	struct text_threads *threads; /* threads of a text; NULL if they are not wanted */
	char gap[CACHE_LINE_BYTES];   /* so that workers do not write to the same cache line */
};

/* Releases the rows and threads. */
void pairing_rows_deinit(struct pairing_rows *rows);

/*
 * The idle task itself does not wake threads, so if no interrupt is known either, the waker is
 * unknown.
 */
static inline enum schedule_waker pairing_row_waker(const struct pairing_row *row)
{
	if (row->is_deferred)
		return SCHEDULE_WAKER_SOFTIRQ;
	if (row->is_interrupt)
		return SCHEDULE_WAKER_INTERRUPT;
	return row->previous ? SCHEDULE_WAKER_THREAD : SCHEDULE_WAKER_UNKNOWN;
}

/* Whether the row is from a record of its own, and not from a sample. */
static inline bool pairing_row_is_record(const struct pairing_row *row)
{
	return row->role == PAIRING_SWITCH_OUT || row->role == PAIRING_SWITCH_IN ||
	       row->role == PAIRING_EXIT || row->role == PAIRING_EXEC;
}

/*
 * Whether a record names its thread. tid 0 is the idle task, and the last switch-out of an exiting
 * thread often has no tid.
 */
static inline bool pairing_row_names_thread(const struct pairing_row *row)
{
	return row->tid && row->tid != EVENT_NO_TID;
}

/* The key by which a row is paired; of a switch, that of the thread that is switched out. */
static inline uint64_t pairing_row_key(const struct pairing_row *row)
{
	switch ((enum pairing_role)row->role) {
	case PAIRING_BEGIN:
	case PAIRING_END:
		return row->key;
	case PAIRING_WAKE:
		return row->next;
	default:
		return row->tid;
	}
}

/* The number of workers that pair rows; each reads all rows, and pairs those of some keys. */
size_t pairing_share_count(const struct pairing_plan *plan, size_t row_count);

/* Keys are divided among workers in groups, by their lowest bits: keys are tids or hashes. */
#define PAIRING_KEY_GROUPS 4096u

/*
 * Divides the groups of keys so that each share has about the same number of rows. Returns the
 * share of each group, for memory_free.
 */
uint8_t *pairing_rows_divide(const struct pairing_row *rows, size_t count, size_t share_count);

/* Returns the event of a row that is a switch, an exit or a wake-up, without a label. */
static inline struct schedule_event pairing_row_event(const struct pairing_row *row)
{
	bool is_record = pairing_row_is_record(row);

	return (struct schedule_event){
		.time_ns = row->time_ns,
		.kind = row->role == PAIRING_WAKE         ? SCHEDULE_WAKE
			: row->role == PAIRING_SWITCH_OUT ? SCHEDULE_OUT
			: row->role == PAIRING_SWITCH_IN  ? SCHEDULE_IN
			: row->role == PAIRING_EXIT       ? SCHEDULE_EXIT
			: row->role == PAIRING_EXEC       ? SCHEDULE_EXEC
							  : SCHEDULE_SWITCH,
		.tid = is_record ? row->tid : row->previous,
		.next_tid = is_record ? 0 : row->next,
		.cpu = row->cpu ? row->cpu - 1u : EVENT_NO_CPU,
		.task_state = row->role == PAIRING_WAKE ? 0
			      : row->is_preempted       ? 'R'
							: row->state,
		.waker =
			row->role == PAIRING_WAKE ? pairing_row_waker(row) : SCHEDULE_WAKER_UNKNOWN,
	};
}

/*
 * Joins the rows of several workers and sorts them by time, then by the position of the sample.
 * Equal rows stay in order. The rows are moved from the parts to *ret, which the caller frees.
 */
void pairing_rows_sort(struct pairing_rows *parts, size_t count, unsigned thread_count,
		       pairing_row_list *ret);

/*
 * The last switch on each CPU, to find missing switches: the thread that is switched out must be
 * the one that was switched in last.
 *
 *     cpu 1    3: 12 out, 40 in      9: 7 out, 12 in      a switch from 40 to 7 is missing
 */
struct cpu_switch {
	uint64_t time_ns;
	uint32_t next; /* the thread switched in */
};

struct cpu_switches {
	VEC(struct cpu_switch) rows; /* by CPU, numbered as in struct pairing_row */
};

/* Properties of a capture, derived from all its switches. */
struct cpu_survey {
	/*
	 * at most one switch in a hundred is missing; with wake-ups, missing switches out of the
	 * idle task are not counted
	 */
	bool is_nearly_complete;
	bool has_wakes; /* there are wake-ups */
	bool has_idle;  /* there are switches from the idle task */
};

void cpu_switches_deinit(struct cpu_switches *switches);

/* Returns the last switch on a CPU, or NULL if there is none or the CPU is not known. */
const struct cpu_switch *cpu_switches_find(const struct cpu_switches *switches, uint16_t cpu);

/* Adds a row that is a switch. */
void cpu_switches_note(struct cpu_switches *switches, const struct pairing_row *row);

/* Adds a row that is a record. It is known whether its thread is on the CPU, but not which other. */
void cpu_switches_note_record(struct cpu_switches *switches, const struct pairing_row *row);

/* Surveys rows, which are sorted by time. Sets the start of each loss. */
struct cpu_survey cpu_switches_survey(const struct pairing_row *rows, size_t count,
				      struct loss_spans *losses);

/* The on_event of an event_sink whose context is the struct pairing_rows. */
void pairing_rows_on_event(void *context, const struct event *event);

/* The sink that adds the rows of samples. */
struct event_sink pairing_rows_sink(struct pairing_rows *rows);

#endif
