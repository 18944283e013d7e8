/* SPDX-License-Identifier: MIT */
/*
 * The result of reading one capture from memory, from opening it to its last sample. Also asserts
 * that the early samples, if they are complete, are those of the second pass.
 */
#ifndef TESTS_SUPPORT_OUTCOME_H
#define TESTS_SUPPORT_OUTCOME_H

#include "base/error.h"
#include "tests/support/event_log.h"

struct outcome {
	struct event_log log;
	bool good;
	struct error err; /* when not good */
	bool is_partial;
	struct error damage; /* when partial */
};

/*
 * Reads the bytes as kiln reads a file, or the file at path. The caller calls outcome_deinit in any
 * case.
 */
void outcome_read(const unsigned char *bytes, size_t size_bytes, struct outcome *ret);
void outcome_read_path(const char *path, struct outcome *ret);
/* The same, with this many threads. */
void outcome_read_by(const char *path, unsigned thread_count, struct outcome *ret);
void outcome_deinit(struct outcome *outcome);

/* The lines of the log without those of facts and attrs, which are removed from it. */
const char *outcome_records(struct outcome *outcome);

#endif
