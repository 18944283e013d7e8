/* SPDX-License-Identifier: MIT */
/*
 * Collects return addresses from stacks that are not resolved completely, because only their leaves
 * are shown or because they have not been unwound yet. These addresses show whether a file matches
 * the capture.
 *
 *     stack of a sample   | 7ffd12 | 401136 | 0 | 7f30a1 | ...
 *                                      |           '-- libc.so.6 + 0x271a1
 *                                      '-- app + 0x1136
 *
 * Most words of a stack dump that point to code are return addresses of current or past calls.
 */
#ifndef PROFILE_RETURN_WORDS_H
#define PROFILE_RETURN_WORDS_H

#include "libparse/formats.h"
#include "process/process_state.h"

struct return_word {
	module_id module;
	uint64_t offset; /* in the file */
};

/* Once finished, rows are distinct, and sorted by module and offset. */
typedef VEC(struct return_word) return_word_list;

/* A word that was read, whether or not it points to code. */
struct recent_word {
	const return_word_list *list;
	uint64_t address;
	space_id space;
};

struct return_words {
	return_word_list of_dumps;
	return_word_list of_callchains;
	struct recent_word *recent; /* by hash; only while samples are read */
};

/* Reads only a limited number of samples. */
struct return_words_reading {
	struct return_words *words;
	const struct process_state *state; /* finished */
	bool reads_callchains;             /* of samples without a stack dump */
	uint32_t sample_max;               /* the number of samples still to be read */
};

void return_words_init(struct return_words *words);
void return_words_deinit(struct return_words *words);

/*
 * Reads samples from the whole capture, because files may be replaced during recording. Read errors
 * are ignored, because they are reported when all samples are read. state is finished.
 */
void return_words_search(struct return_words *words, const struct capture *capture,
			 const struct process_state *state, bool reads_callchains,
			 unsigned thread_count);

/* The on_event of an event_sink whose context is the struct return_words_reading. */
void return_words_on_event(void *context, const struct event *event);

/* Sorts the rows after the last sample. */
void return_words_finish(struct return_words *words);

/* Returns the index of the first word of a module, and the count. */
size_t return_words_find(const return_word_list *words, module_id module, size_t *count);

#endif
