/* SPDX-License-Identifier: MIT */
/*
 * Samples whose frames are text (struct event_text_sample), on their way to chains and back. A chain holds
 * numbers of raw texts in the place of addresses, its key that of a head: what of the sample is words.
 *
 *     comm, event ─ head ───────────┐
 *     raw frames ─ raw_texts ─▶ chain key + numbers ─▶ chains ... ─▶ the same rows as locations
 *
 * Each worker has its own, merged in the order of the input. What a text says is read when all are
 * together, once for each distinct one: text_samples_finish.
 */
#ifndef PROFILE_TEXT_SAMPLES_H
#define PROFILE_TEXT_SAMPLES_H

#include "profile/callchains.h"
#include "profile/location.h"
#include "profile/profile.h"
#include "profile/raw_texts.h"

/* What was counted of the samples with one head. */
struct text_count {
	uint64_t sample_count;
	uint64_t period_sum;
	uint64_t first_time_ns; /* UINT64_MAX: none */
	uint64_t present;
	bool has_callchain;
	double deviation;         /* of counters: the sum of that of their lines */
	uint64_t deviation_count; /* of how many lines */
	uint32_t run_count;
};

/* What a head says, once it was read. */
struct text_head {
	uint32_t event; /* of the profile */
	uint32_t comm;  /* a str_id, or PROCESS_HISTORY_NONE */
};

struct text_samples {
	struct raw_texts frames, heads;
	VEC(struct text_count) counts; /* by row of heads */
	VEC(uint64_t) chain;           /* of the last sample */
	VEC(uint32_t) chain_rows;      /* likewise, of frames */
	VEC(char) line;
	uint32_t last_head;  /* row of the last sample's head */
	size_t merged_count; /* rows of frames that were added to others already */
	/* After text_samples_finish. Locations are in the order of the rows of frames. */
	VEC(struct text_head) of_heads;
	VEC(uint32_t) of_frames; /* by row: the first location; one more than rows */
	VEC(bool) is_kernel;     /* by location */
	bool has_several;        /* some raw text is more than one frame */
};

void text_samples_init(struct text_samples *samples);
void text_samples_deinit(struct text_samples *samples);

/* Makes it what it was at first: what it holds may be most of the memory, and nobody needs it any more. */
void text_samples_clear(struct text_samples *samples);

/* Puts the head of a sample into its key. */
void text_samples_take_head(struct text_samples *samples, const struct event_sample *sample,
			    struct callchain_key *key);

/* The chain of a sample, innermost first; valid until the next call. */
const uint64_t *text_samples_callchain(struct text_samples *samples,
				       const struct event_text_sample *text, uint32_t *count_ret);

/* The rows of frames; valid until the next call. */
const uint32_t *text_samples_rows(struct text_samples *samples, const struct text *frames,
				  uint32_t count);

/* Counts a sample whose head was taken last. */
void text_samples_count(struct text_samples *samples, const struct event *event);

/* Adds what is new in from since the last time, and what it counted; its counts begin anew. */
void text_samples_merge(struct text_samples *all, struct text_samples *from);

/*
 * Reads what all texts say: locations, which must be empty, get a row for each frame, the profile
 * its events with what was counted of them. kernel: the module of kernel frames that name none.
 * False: two texts could not be told apart.
 */
bool text_samples_finish(struct text_samples *samples, event_frame_reader *read_frame,
			 const void *reader, struct profile *profile, struct locations *locations,
			 module_id kernel, struct error *err) WARN_UNUSED;

/* What a head says; NULL: it was not there when all were together. */
static inline const struct text_head *text_samples_head(const struct text_samples *samples,
							uint64_t number)
{
	uint32_t row = raw_texts_find(&samples->heads, number);

	return row == RAW_TEXT_NONE ? NULL : &samples->of_heads.at[row];
}

#endif
