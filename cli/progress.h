/* SPDX-License-Identifier: MIT */
/*
 * A progress line on the terminal: "1200 of 3400 MB, 2100 MB/s, 1 s left". The line appears after a
 * second, only if standard error is a terminal, and is cleared at the end. All functions that
 * report progress may be called by any thread.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool is_shown; /* standard error is a terminal, and not --quiet */
	uint64_t begin_ns;
	atomic_uint_fast64_t next_ns; /* when to print next */
	atomic_bool has_printed;
};

void progress_begin(struct progress *progress, bool is_wanted);

/* Reports bytes read so far. total_bytes 0: unknown. */
void progress_update(void *progress, uint64_t done_bytes, uint64_t total_bytes);

/* Reports a download: "fetching libc.so.6: 3 of 12 MB". */
void progress_fetch(void *progress, const char *name, uint64_t done_bytes, uint64_t total_bytes);

/* Reports finished items: "packing: 3 of 12 files". */
void progress_step(void *progress, const char *what, uint64_t done_count, uint64_t total_count);

void progress_end(struct progress *progress);

#endif
