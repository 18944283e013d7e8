/* SPDX-License-Identifier: MIT */
/*
 * Words of recorded stacks that point to code: most of them are return addresses, of calls that are under way or
 * were before. They tell one file from another before any stack is unwound, which takes the right file.
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
	VEC(struct return_word) rows; /* finished: distinct, by module and offset */
};

/* Of some samples, which is enough. */
struct return_words_reading {
	struct return_words *words;
	const struct process_state *state; /* finished */
	uint32_t sample_max;               /* that are still to be looked at */
};

void return_words_init(struct return_words *words);
void return_words_deinit(struct return_words *words);

/* An event_sink's take: context is a reading. */
void return_words_take(void *context, const struct event *event);

/* After the last sample. */
void return_words_finish(struct return_words *words);

/* The words in one module: rows [first, first + count). */
size_t return_words_find(const struct return_words *words, module_id module, size_t *count);

#endif
