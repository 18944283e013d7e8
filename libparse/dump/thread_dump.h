/* SPDX-License-Identifier: MIT */
/*
 * Code that all readers of thread dumps share. A dump shows the stack of each thread once; several
 * dumps may be concatenated. Each thread with a stack is a sample.
 *
 *     "worker 1" #9 ... nid=0x4227 runnable      DUMP_THREAD
 *        java.lang.Thread.State: RUNNABLE        DUMP_NOTE
 *             at Sleepers.spin(Sleepers.java:10) DUMP_FRAME, the innermost first
 *                                                an empty line ends a stack
 */
#ifndef LIBPARSE_DUMP_THREAD_DUMP_H
#define LIBPARSE_DUMP_THREAD_DUMP_H

#include "libparse/text.h"

/* The kinds of lines in a dump. */
enum dump_line {
	DUMP_UNKNOWN,     /* the line is not part of the format; it is skipped and counted */
	DUMP_NOTE,        /* nothing of interest, or a note about the current thread */
	DUMP_THREAD,      /* begins a thread */
	DUMP_FRAME,       /* a frame of the current stack */
	DUMP_FIRST_FRAME, /* the innermost frame: begins a stack, even without a thread */
	DUMP_END,         /* a line that ends a stack, and is otherwise ignored */
	DUMP_OTHER,       /* the line and the frames after it are not part of the dump */
};

struct dumped_thread {
	struct text comm;  /* .at is NULL if unknown */
	struct text state; /* .at is NULL if unknown */
	uint32_t tid;
	bool has_tid;
	bool is_left_out; /* the stack has no thread, or is also in another place of the dump */
};

struct dump_syntax {
	/*
	 * Classifies a line, which may be empty. *thread is the current thread. A DUMP_THREAD or
	 * DUMP_OTHER line replaces *thread with a different thread. A DUMP_NOTE line may change the
	 * fields of *thread. Other lines leave *thread unchanged.
	 */
	enum dump_line (*read_line)(struct text line, struct dumped_thread *thread);
	struct text comm;     /* the comm for threads without a name */
	bool has_bare_stacks; /* a frame begins a stack, even without a thread before it */
};

/* The first line in [from, end) that begins a thread, or NULL. from is the start of a line. */
const char *dump_find_thread(const struct dump_syntax *syntax, const char *from, const char *end);

/* Sends the threads of a slice. */
bool dump_read_samples(const struct capture *capture, struct slice slice,
		       const struct dump_syntax *syntax, const struct event_sink *sink,
		       struct error *err) WARN_UNUSED;

#endif
