/* SPDX-License-Identifier: MIT */
/* The threads, or keys of --span, whose intervals are being paired. */
#ifndef OFFCPU_PAIRING_THREADS_H
#define OFFCPU_PAIRING_THREADS_H

#include "base/idtable.h"
#include "base/vec.h"
#include "libparse/tracepoint/task_state.h"
#include "profile/interval.h"

/* The state of one thread, or of one key of --span. */
struct thread_state {
	uint64_t key;
	uint64_t begin_ns, woken_ns;
	uint64_t seen_ns;   /* when the thread last ran */
	uint16_t cpu;       /* the CPU on which it was last switched in, as in a row */
	uint16_t begin_cpu; /* the CPU on which it was last switched out */
	bool is_open;
	bool was_seen; /* if false, its next event may end an interval from before the capture */
	bool is_woken;
	bool has_reused_tid; /* a different thread had this tid before */
	bool is_exiting;     /* the record of its exit precedes its last switch-out */
	bool has_switched;
	struct task_state state;
	uint32_t wake;                   /* the wake that ends the current wait, or WAKE_NONE */
	uint32_t last_wake;              /* the wake that ended the last finished wait */
	struct sample_position begin_at; /* the sample that begins it, if it has a stack */
	struct sample_position last_sample, last_switch; /* its latest sample and switch */
};

#define RECENT_THREADS 512u

/* Added to the tid of a thread that exited. Such a key is never looked up. */
#define KEY_GONE ((uint64_t)1 << 32)

/* Threads have numbers, which never change: the indices of rows. */
struct pairing_threads {
	struct idtable table;
	VEC(struct thread_state) rows;
	/* the latest thread with the same lowest bits of the key, which is found without a hash */
	uint32_t recent[RECENT_THREADS];
};

void pairing_threads_init(struct pairing_threads *threads);
void pairing_threads_deinit(struct pairing_threads *threads);

/* Returns the number of the thread with this key. Adds the thread if there is none. */
uint32_t pairing_threads_add(struct pairing_threads *threads, uint64_t key);

/* Returns the thread with this key, until the next call. Adds it if there is none. */
static inline struct thread_state *pairing_threads_find(struct pairing_threads *threads,
							uint64_t key)
{
	uint32_t *recent = &threads->recent[key % RECENT_THREADS];

	if (*recent >= threads->rows.count || threads->rows.at[*recent].key != key)
		*recent = pairing_threads_add(threads, key);
	return &threads->rows.at[*recent];
}

/*
 * Replaces a thread that exited with a new thread, because its key may be reused. With
 * keeps_number, the former thread keeps its number, but is not found any more.
 */
void pairing_threads_end(struct pairing_threads *threads, uint64_t key, bool keeps_number);

#endif
