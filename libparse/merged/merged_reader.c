/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_reader.h"

#include <inttypes.h>

#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_file.h"
#include "libparse/merged/merged_stacks.h"
#include "libparse/merged/merged_text.h"
#include "libparse/text.h"

static void note_damage(struct capture *capture, const struct error *damage)
{
	if (capture->is_partial)
		return;
	capture->is_partial = true;
	capture->damage = *damage;
}

/* Reports the data that was already missing when the file was written. */
static void note_missing(struct capture *capture, const struct merged_summary *summary)
{
	uint64_t skipped = summary->skipped_count;
	uint64_t partial = summary->partial_count;
	struct error damage;
	struct sink text;

	if (!skipped && !partial)
		return;
	sink_init_memory(&text);
	if (skipped)
		sink_printf(&text, "when it was merged, %" PRIu64 " %s skipped", skipped,
			    skipped == 1 ? "input was" : "inputs were");
	if (partial)
		sink_printf(&text, "%s%" PRIu64 " of %" PRIu64 " captures %s incomplete",
			    skipped ? "; " : "", partial, summary->capture_count,
			    partial == 1 ? "was" : "were");
	error_set(&damage, ERROR_CORRUPT, "%.*s", (int)text.used, text.buffer);
	note_damage(capture, &damage);
	sink_deinit(&text);
}

static bool merged_open(struct capture *capture, struct error *err)
{
	struct merged_file *file = memory_alloc(1, sizeof(*file));
	const struct merged_summary *summary = &file->summary;
	struct error damage = { .code = ERROR_NONE };

	capture->reader = file;
	if (!merged_file_open(file, &capture->input, &damage)) {
		if (!file->slices.count || damage.code == ERROR_LIMIT) {
			*err = damage;
			return false;
		}
		note_damage(capture, &damage);
	}
	for (size_t i = 0; i < file->slices.count; i++)
		vec_push(&capture->slices, file->slices.at[i]);
	capture->lacks_sample_counts = summary->lacks_sample_counts;
	note_missing(capture, summary);
	return true;
}

static void merged_close(struct capture *capture)
{
	merged_file_close(capture->reader);
	memory_free(capture->reader);
}

/* "3", or "3; labels: host, release": the number of captures, and their label keys. */
static void report_captures(const struct merged_summary *summary, const struct event_sink *sink)
{
	struct sink line;

	if (!summary->capture_count)
		return;
	sink_init_memory(&line);
	sink_printf(&line, "%" PRIu64, summary->capture_count);
	for (size_t i = 0; i < summary->label_keys.count; i++)
		sink_printf(&line, "%s%.*s",
			    i ? ", " : "; labels: ", (int)summary->label_keys.at[i].length,
			    summary->label_keys.at[i].at);
	text_report_fact(sink, FACT_CAPTURES, sink_memory(&line));
	sink_deinit(&line);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct merged_file *file = capture->reader;
	const struct merged_summary *summary = &file->summary;

	(void)err;
	report_captures(summary, sink);
	for (size_t i = 0; i < FACT_COUNT; i++)
		if (summary->facts[i].at)
			text_report_fact(sink, (enum fact)i, summary->facts[i]);
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		text_report_loss(sink, (enum loss_kind)i, summary->losses[i], 0);
	text_report_loss(sink, LOSS_UNKNOWN_RECORDS, file->unknown_count, 0);
	return true;
}

/* A chunk whose stacks are being sent. */
struct chunk_scan {
	const struct event_sink *sink;
	struct merged_stacks stacks;
	struct merged_group group;
	VEC(struct text) frames;
	uint64_t offset;
};

static void send_stack(struct chunk_scan *scan)
{
	struct merged_stacks *stacks = &scan->stacks;
	uint32_t shared = stacks->shared_count;
	struct event_text_sample text = {
		.is_outermost_first = true,
		.shared_count = shared ? shared - 1 : 0,
		.sample_count = stacks->sample_count,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = scan->offset };

	if (!shared)
		(void)!merged_group_read(merged_stacks_element(stacks, 0), &scan->group);
	scan->frames.count = shared ? shared - 1 : 0;
	for (uint32_t i = (uint32_t)scan->frames.count + 1; i < stacks->path.count; i++)
		vec_push(&scan->frames, merged_stacks_element(stacks, i));
	text.comm = scan->group.comm;
	text.event = scan->group.event;
	text.unit = scan->group.unit;
	text.is_histogram = scan->group.flags & MERGED_IS_HISTOGRAM;
	text.is_table = scan->group.flags & MERGED_IS_TABLE;
	text.labels = scan->group.labels;
	text.label_count = scan->group.label_count;
	text.frames = scan->frames.at;
	text.frame_count = (uint32_t)scan->frames.count;
	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = stacks->weight,
		.text = &text,
	};
	event_send(scan->sink, &event);
}

/* A corrupt chunk counts as a loss, because the other chunks can still be read. */
static void read_chunk(const struct capture *capture, const struct merged_chunk *chunk,
		       struct chunk_scan *scan)
{
	struct error err = { .code = ERROR_NONE };
	bool good = merged_stacks_open(&scan->stacks, &capture->input, chunk, &err);

	scan->offset = chunk->offset;
	while (good && merged_stacks_next(&scan->stacks, &err))
		send_stack(scan);
	merged_stacks_close(&scan->stacks);
	if (!good || err.code != ERROR_NONE)
		text_report_loss(scan->sink, LOSS_CORRUPT_RECORDS, 1, 0);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct chunk_scan scan = { .sink = sink };
	uint64_t offset = slice.begin < MERGED_HEADER_BYTES ? MERGED_HEADER_BYTES : slice.begin;
	struct merged_chunk chunk;
	struct error end;

	(void)err;
	/* text.frames must not be NULL, even for stacks without frames. */
	vec_reserve(&scan.frames, 1);
	while (offset < slice.end && merged_chunk_read(&capture->input, offset, &chunk, &end)) {
		if (chunk.kind == MERGED_STACKS)
			read_chunk(capture, &chunk, &scan);
		offset = merged_chunk_end(&chunk);
	}
	vec_free(&scan.frames);
	return true;
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct merged_frame frame;
	struct event_frame row = { .name = { "", 0 }, .module = { "", 0 } };

	(void)reader;
	if (merged_frame_read(raw, &frame)) {
		row.name = frame.name;
		row.module = frame.module;
		row.build_id = frame.build_id;
		row.is_exact = frame.name.length > 0;
		row.is_kernel = frame.kind == MERGED_KERNEL;
		row.is_jit = frame.kind == MERGED_JIT;
		row.is_inlined = frame.kind == MERGED_INLINED;
		row.is_group = frame.kind == MERGED_GROUP;
		row.is_mark = frame.kind == MERGED_MARK;
	}
	callback(context, &row);
}

static struct evidence probe(struct span head)
{
	if (span_left(&head) < MERGED_MAGIC_BYTES ||
	    memcmp(head.at, MERGED_MAGIC, MERGED_MAGIC_BYTES) != 0)
		return evidence_none();
	return evidence_of(CONFIDENCE_CERTAIN, "begins with the mark of a merged profile");
}

const struct input_format merged_format = {
	.name = "merged",
	.summary = "merged profiles, written by kiln merge",
	.title = "merged profile",
	.probe = probe,
	.open = merged_open,
	.close = merged_close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
