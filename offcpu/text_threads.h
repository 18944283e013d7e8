/* SPDX-License-Identifier: MIT */
/*
 * The threads of a text capture, which has no records of processes and names. Each sample names its
 * thread, and possibly the process; a switch names two threads.
 *
 *     nginx 412/415 [001] 7.250: sched:sched_switch: ... next_comm=rsync next_pid=7
 *
 *     thread   415                     7
 *              nginx, of process 412   rsync, of an unknown process
 */
#ifndef OFFCPU_TEXT_THREADS_H
#define OFFCPU_TEXT_THREADS_H

#include "base/strings.h"
#include "offcpu/thread_table.h"

struct text_thread {
	uint32_t pid; /* EVENT_NO_TID: not known */
	str_id comm;  /* the last name; empty if not known */
};

struct text_threads {
	struct thread_table table;
	VEC(struct text_thread) rows; /* by index in the table */
	struct strings strings;       /* the names */
};

struct text_threads *text_threads_create(void);
void text_threads_destroy(struct text_threads *threads);

/*
 * Notes the name and the process of a thread. pid: EVENT_NO_TID if not known; comm: empty. A comm
 * that stands for an unknown name, such as "<...>" or ":4711", does not replace a name.
 */
void text_threads_note(struct text_threads *threads, uint32_t pid, uint32_t tid, struct text comm);

/* Adds the threads of a later part of the text. */
void text_threads_add(struct text_threads *threads, const struct text_threads *later);

/* Returns NULL if the text does not name the thread. */
const struct text_thread *text_threads_find(const struct text_threads *threads, uint32_t tid);

#endif
