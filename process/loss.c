/* SPDX-License-Identifier: MIT */
#include "process/loss.h"

static const struct {
	struct loss_text text;
	const char *one; /* singular */
} rows[LOSS_KIND_COUNT] = {
	[LOSS_RECORDS] = { { "records_lost", "records lost while recording", true },
			   "record lost while recording" },
	[LOSS_SAMPLES] = { { "samples_lost", "samples lost while recording", true },
			   "sample lost while recording" },
	[LOSS_FILTERED] = { { "samples_filtered", "samples dropped by a BPF filter", false },
			    "sample dropped by a BPF filter" },
	[LOSS_THROTTLED] = { { "throttled", "times sampling was throttled", true },
			     "time sampling was throttled" },
	[LOSS_TRUNCATED_BYTES] = { { "bytes_truncated", "bytes of an incomplete record at the end",
				     false },
				   "byte of an incomplete record at the end" },
	[LOSS_TRAILING_BYTES] = { { "bytes_following", "bytes after the end of the capture ignored",
				    false },
				  "byte after the end of the capture ignored" },
	[LOSS_CORRUPT_RECORDS] = { { "records_damaged", "corrupt records skipped", true },
				   "corrupt record skipped" },
	[LOSS_UNKNOWN_RECORDS] = { { "records_unknown", "records of unknown type skipped", true },
				   "record of unknown type skipped" },
	[LOSS_UNKNOWN_IDS] = { { "samples_of_no_event", "samples with an unknown event id", true },
			       "sample with an unknown event id" },
	[LOSS_SHARED_IDS] = { { "ids_of_several_events",
				"event ids are ambiguous; their samples were assigned to the "
				"first event",
				true },
			      "event id is ambiguous; its samples were assigned to the first event" },
	[LOSS_AUX_TRUNCATED] = { { "traces_truncated", "hardware traces truncated while recording",
				   true },
				 "hardware trace truncated while recording" },
	[LOSS_AUX_TRACES] = { { "traces_undecoded", "hardware traces not decoded", true },
			      "hardware trace not decoded" },
	[LOSS_DEFERRED_CALLCHAINS] = { { "user_chains_missing",
					 "samples without their deferred user callchain", true },
				       "sample without its deferred user callchain" },
	[LOSS_UNWIND_TRUNCATED] = { { "stacks_truncated", "stacks longer than their stack dump",
				      true },
				    "stack longer than its stack dump" },
	[LOSS_UNWIND_FAILED] = { { "stacks_lost", "stacks not unwound completely", true },
				 "stack not unwound completely" },
	[LOSS_UNWIND_NO_FILE] = { { "stacks_without_file",
				    "stacks unwound by heuristics, because a file is missing",
				    true },
				  "stack unwound by heuristics, because a file is missing" },
	[LOSS_UNWIND_NO_REGISTERS] = { { "stacks_without_registers",
					 "stacks without user registers", false },
				       "stack without user registers" },
	[LOSS_SKIPPED_LINES] = { { "lines_skipped", "unrecognised lines skipped", true },
				 "unrecognised line skipped" },
	[LOSS_LONG_LINES] = { { "lines_too_long", "lines over 16 MiB or samples over 8 MiB skipped",
				true },
			      "line over 16 MiB or sample over 8 MiB skipped" },
	[LOSS_NEGATIVE_COUNTS] = { { "counts_negative",
				     "negative counts skipped; to compare profiles, fold each and "
				     "use kiln diff",
				     true },
				   "negative count skipped; to compare profiles, fold each and use "
				   "kiln diff" },
	[LOSS_ROUNDED_COUNTS] = { { "counts_rounded", "counts rounded", true }, "count rounded" },
	[LOSS_CALLERS] = { { "callers_missing",
			     "stacks with more callers than callgrind recorded; record with a "
			     "larger --separate-callers",
			     true },
			   "stack with more callers than callgrind recorded; record with a larger "
			   "--separate-callers" },
	[LOSS_FULL_MAPS] = { { "maps_full",
			       "maps have 4096 keys, bpftrace's default limit, so other keys are "
			       "probably missing; record with a larger BPFTRACE_MAX_MAP_KEYS "
			       "(before 0.20: BPFTRACE_MAP_KEYS_MAX)",
			       true },
			     "map has 4096 keys, bpftrace's default limit, so other keys are "
			     "probably missing; record with a larger BPFTRACE_MAX_MAP_KEYS "
			     "(before 0.20: BPFTRACE_MAP_KEYS_MAX)" },
	[LOSS_MAPS_TRUNCATED] = { { "maps_truncated", "processes with incomplete mappings", true },
				  "process with incomplete mappings" },
	[LOSS_MAPPINGS] = { { "mappings_dropped",
			      "mapping changes ignored, because overlapping mappings exceed "
			      "the memory limit",
			      true },
			    "mapping change ignored, because overlapping mappings exceed the "
			    "memory limit" },
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

void loss_spans_deinit(struct loss_spans *spans)
{
	vec_free(&spans->rows);
}

void loss_spans_add(struct loss_spans *spans, uint64_t time_ns, uint32_t cpu)
{
	/* The beginning of the loss is unknown, so the span has only its end. */
	vec_push(&spans->rows, (struct loss_span){ time_ns - (time_ns > 0), time_ns, cpu });
}

static int compare(const void *a, const void *b)
{
	const struct loss_span *left = a;
	const struct loss_span *right = b;

	if (left->end_ns != right->end_ns)
		return left->end_ns < right->end_ns ? -1 : 1;
	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

void loss_spans_sort(struct loss_spans *spans)
{
	if (spans->rows.count > 1)
		qsort(spans->rows.at, spans->rows.count, sizeof(*spans->rows.at), compare);
}

/* Each beginning becomes the minimum of itself and all later beginnings. */
void loss_spans_finish(struct loss_spans *spans)
{
	for (size_t i = spans->rows.count; i-- > 1;)
		if (spans->rows.at[i].begin_ns < spans->rows.at[i - 1].begin_ns)
			spans->rows.at[i - 1].begin_ns = spans->rows.at[i].begin_ns;
}

bool loss_spans_overlap(const struct loss_spans *spans, uint64_t from_ns, uint64_t until_ns)
{
	size_t begin = vec_count_first(&spans->rows, span, span->end_ns <= from_ns);
	return begin < spans->rows.count && spans->rows.at[begin].begin_ns < until_ns;
}
