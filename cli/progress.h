/* SPDX-License-Identifier: MIT */
/*
 * A line on the terminal that says how far long work is: "1.2 of 3.4 GB, 2.1 GB/s, 1 s left". It
 * appears only when standard error is a terminal and the work has taken a while, and is wiped out
 * when it is done.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool is_shown; /* standard error is a terminal, and not --quiet */
	uint64_t begin_ns;
	atomic_uint_fast64_t next_ns; /* when to print again */
	atomic_bool has_printed;
};

void progress_begin(struct progress *progress, bool is_wanted);

/* Tells that done of total bytes have been read; 0 in all: nobody knows. Any thread may call it. */
void progress_update(void *progress, uint64_t done_bytes, uint64_t total_bytes);

/* The same of a file that is fetched: "fetching libc.so.6: 3 of 12 MB". */
void progress_fetch(void *progress, const char *name, uint64_t done_bytes, uint64_t total_bytes);

/* The same of work on so many things: "naming: 3 of 12 files". */
void progress_step(void *progress, const char *what, uint64_t done_count, uint64_t total_count);

void progress_end(struct progress *progress);

#endif
