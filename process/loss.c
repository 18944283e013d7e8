/* SPDX-License-Identifier: MIT */
#include "process/loss.h"

static const struct {
	struct loss_text text;
	const char *one; /* behind a 1 */
} rows[LOSS_KIND_COUNT] = {
	[LOSS_RECORDS] = { { "records_lost", "records lost while recording", true },
			   "record lost while recording" },
	[LOSS_SAMPLES] = { { "samples_lost", "samples lost while recording", true },
			   "sample lost while recording" },
	[LOSS_FILTERED] = { { "samples_filtered", "samples left out by a filter", false },
			    "sample left out by a filter" },
	[LOSS_THROTTLED] = { { "throttled", "times sampling was throttled", true },
			     "time sampling was throttled" },
	[LOSS_TRUNCATED_BYTES] = { { "bytes_truncated", "bytes at the end that are no whole record",
				     false },
				   "byte at the end that is no whole record" },
	[LOSS_TRAILING_BYTES] = { { "bytes_following", "bytes behind the capture not read", false },
				  "byte behind the capture not read" },
	[LOSS_CORRUPT_RECORDS] = { { "records_damaged", "damaged records skipped", true },
				   "damaged record skipped" },
	[LOSS_UNKNOWN_RECORDS] = { { "records_unknown", "records of unknown types skipped", true },
				   "record of an unknown type skipped" },
	[LOSS_UNKNOWN_IDS] = { { "samples_of_no_event", "samples of no event of this capture",
				 true },
			       "sample of no event of this capture" },
	[LOSS_SHARED_IDS] = { { "ids_of_several_events",
				"ids that several events claim, the first of which got their samples",
				true },
			      "id that several events claim, the first of which got its samples" },
	[LOSS_AUX_TRUNCATED] = { { "traces_truncated", "hardware traces cut while recording",
				   true },
				 "hardware trace cut while recording" },
	[LOSS_AUX_TRACES] = { { "traces_undecoded", "runs of hardware trace not decoded", true },
			      "run of hardware trace not decoded" },
	[LOSS_DEFERRED_CALLCHAINS] = { { "user_chains_missing",
					 "samples whose user call chain was never written", true },
				       "sample whose user call chain was never written" },
	[LOSS_UNWIND_TRUNCATED] = { { "stacks_truncated",
				      "stacks longer than what was copied of them", true },
				    "stack longer than what was copied of it" },
	[LOSS_UNWIND_FAILED] = { { "stacks_lost", "stacks that could not be followed to their end",
				   true },
				 "stack that could not be followed to its end" },
	[LOSS_UNWIND_NO_FILE] = { { "stacks_without_file",
				    "stacks that were guessed at, for want of their files", true },
				  "stack that was guessed at, for want of its file" },
	[LOSS_UNWIND_NO_REGISTERS] = { { "stacks_without_registers",
					 "stacks without the program's registers", false },
				       "stack without the program's registers" },
	[LOSS_SKIPPED_LINES] = { { "lines_skipped", "lines skipped that are no part of a sample",
				   true },
				 "line skipped that is no part of a sample" },
	[LOSS_NEGATIVE_COUNTS] = { { "counts_negative",
				     "lines with negative counts skipped: a profile has none; fold what is to be "
				     "compared by itself, and use kiln diff",
				     true },
				   "line with a negative count skipped: a profile has none; fold what is to be "
				   "compared by itself, and use kiln diff" },
	[LOSS_ROUNDED_COUNTS] = { { "counts_rounded", "counts rounded", true }, "count rounded" },
	[LOSS_MAPS_TRUNCATED] = { { "maps_truncated", "processes with incomplete mappings", true },
				  "process with incomplete mappings" },
};

const struct loss_text *loss_text_of(enum loss_kind kind)
{
	return &rows[kind].text;
}

const char *loss_words(enum loss_kind kind, uint64_t count)
{
	return count == 1 ? rows[kind].one : rows[kind].text.text;
}

double loss_share(enum loss_kind kind, uint64_t count, uint64_t sample_count)
{
	double lost = (double)count;
	double samples = (double)sample_count;

	switch (kind) {
	case LOSS_RECORDS:
	case LOSS_SAMPLES:
		return count ? lost / (lost + samples) : 0;
	case LOSS_DEFERRED_CALLCHAINS:
	case LOSS_UNWIND_TRUNCATED:
	case LOSS_UNWIND_FAILED:
	case LOSS_UNWIND_NO_FILE:
		return lost < samples ? lost / samples : count > 0;
	default:
		return LOSS_SHARE_UNKNOWN;
	}
}

uint64_t loss_complete_stacks(const uint64_t losses[LOSS_KIND_COUNT], uint64_t unwound_count)
{
	uint64_t incomplete = 0;

	for (int i = LOSS_UNWIND_TRUNCATED; i <= LOSS_UNWIND_NO_REGISTERS; i++)
		incomplete += losses[i];
	return unwound_count - incomplete;
}
