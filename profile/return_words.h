/* SPDX-License-Identifier: MIT */
/*
 * Collects the words of stack dumps that point to code. Most are return addresses of current or
 * past calls. Before stacks are unwound with a file, these words show whether the file matches the
 * capture.
 *
 *     stack of a sample   | 7ffd12 | 401136 | 0 | 7f30a1 | ...
 *                                      |           '-- libc.so.6 + 0x271a1
 *                                      '-- app + 0x1136
 */
#ifndef PROFILE_RETURN_WORDS_H
#define PROFILE_RETURN_WORDS_H

#include "process/process_state.h"

struct return_word {
	module_id module;
	uint64_t offset; /* in the file */
};

struct return_words {
	VEC(struct return_word) rows; /* once finished: distinct, sorted by module and offset */
};

/* Reads only a limited number of samples. */
struct return_words_reading {
	struct return_words *words;
	const struct process_state *state; /* finished */
	uint32_t sample_max;               /* how many samples are still to be read */
};

void return_words_init(struct return_words *words);
void return_words_deinit(struct return_words *words);

/* An event_sink's on_event; context is the struct return_words_reading. */
void return_words_on_event(void *context, const struct event *event);

/* Sorts the rows after the last sample. */
void return_words_finish(struct return_words *words);

/* Returns the first row of a module, and the count. */
size_t return_words_find(const struct return_words *words, module_id module, size_t *count);

#endif
