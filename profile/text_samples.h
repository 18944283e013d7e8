/* SPDX-License-Identifier: MIT */
/*
 * Collects the samples of text captures, whose frames are strings (struct event_text_sample). The
 * callchains of such samples have ids of raw texts instead of addresses, and their keys have the id
 * of a head, which is a comm and an event.
 *
 *     comm, event ─ head ───────────┐
 *     raw frames ─ raw_texts ─▶ callchain key + numbers ─▶ callchains ─▶ stacks of raw texts
 *
 * Each worker has its own text_samples; these are merged in input order. text_samples_finish then
 * parses each distinct text once.
 */
#ifndef PROFILE_TEXT_SAMPLES_H
#define PROFILE_TEXT_SAMPLES_H

#include "profile/callchains.h"
#include "profile/location.h"
#include "profile/profile.h"
#include "profile/raw_texts.h"

/* Counts of the samples with one head. */
struct text_count {
	uint64_t sample_count;
	uint64_t period_sum;
	uint64_t first_time_ns; /* of all samples, also those not selected; UINT64_MAX if none */
	uint64_t present;
	bool has_callchain;
	double deviation;         /* for counters: sum of the deviations of their lines */
	uint64_t deviation_count; /* number of lines with a deviation */
	uint32_t run_count;
};

/* A parsed head. */
struct text_head {
	uint32_t event; /* event of the profile */
	uint32_t comm;  /* a str_id, or PROCESS_HISTORY_NONE */
};

struct text_samples {
	struct raw_texts frames, heads;
	VEC(struct text_count) counts; /* by row of heads */
	VEC(uint64_t) chain;           /* callchain of the last sample */
	VEC(uint32_t) chain_rows;      /* likewise, rows of frames */
	VEC(char) line;
	uint32_t last_head;  /* row of the head of the last sample */
	size_t merged_count; /* number of rows of frames already merged */
	/* After text_samples_finish. Locations are in the order of the rows of frames. */
	VEC(struct text_head) of_heads;
	VEC(uint32_t) of_frames; /* by row: the first location; one extra entry at the end */
	VEC(bool) is_kernel;     /* by location */
};

void text_samples_init(struct text_samples *samples);
void text_samples_deinit(struct text_samples *samples);

/* Frees everything early, because text samples can take most of kiln's memory. */
void text_samples_clear(struct text_samples *samples);

/* Sets the head of a sample in its key. */
void text_samples_set_head(struct text_samples *samples, const struct event_sample *sample,
			   struct callchain_key *key);

/* Returns the callchain of a sample, innermost first; valid until the next call. */
const uint64_t *text_samples_callchain(struct text_samples *samples,
				       const struct event_text_sample *text, uint32_t *count_ret);

/* Returns the rows of frames; valid until the next call. */
const uint32_t *text_samples_rows(struct text_samples *samples, const struct text *frames,
				  uint32_t count);

/* Counts the sample whose head was set last, with this period. */
void text_samples_count(struct text_samples *samples, const struct event *event, uint64_t period);

/* The time of the first sample with the head that was set last; the caller updates it. */
uint64_t *text_samples_first_time(struct text_samples *samples);

/* Adds the new texts and the counts of `from` to `all`, and resets the counts of `from`. */
void text_samples_merge(struct text_samples *all, struct text_samples *from);

/*
 * Parses all texts. Adds a row for each frame to locations, which must be empty; adds the events
 * and their counts to the profile. kernel: the module of kernel frames that do not name one.
 * Returns false if two texts have the same hash, or if an event has too many label keys.
 */
bool text_samples_finish(struct text_samples *samples, event_frame_reader *read_frame,
			 const void *reader, struct profile *profile, struct locations *locations,
			 module_id kernel, struct error *err) WARN_UNUSED;

/*
 * Returns the parsed head of a key, or NULL if the head did not exist when the texts of all workers
 * were merged.
 */
static inline const struct text_head *text_samples_head(const struct text_samples *samples,
							uint64_t number)
{
	uint32_t row = raw_texts_find(&samples->heads, number);

	return row == RAW_TEXT_NONE ? NULL : &samples->of_heads.at[row];
}

#endif
