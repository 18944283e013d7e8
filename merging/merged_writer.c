/* SPDX-License-Identifier: MIT */
#include "merging/merged_writer.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/leb128.h"
#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_stacks.h"
#include "libparse/merged/merged_text.h"

/* Larger chunks hardly compress better, and a merge keeps one chunk of each input in memory. */
#define CHUNK_BYTES ((size_t)1 << 20)

/* The maximum size of the length field before each text in a chunk. */
#define TEXT_LENGTH_BYTES 4u

static void texts_init(struct chunk_texts *texts)
{
	*texts = (struct chunk_texts){ .ends = { .at = NULL } };
	sink_init_memory(&texts->bytes);
	idtable_init(&texts->ids);
}

static void texts_deinit(struct chunk_texts *texts)
{
	sink_deinit(&texts->bytes);
	vec_free(&texts->ends);
	idtable_deinit(&texts->ids);
}

static struct text texts_get(const struct chunk_texts *texts, uint32_t row)
{
	size_t begin = row ? texts->ends.at[row - 1] : 0;

	return (struct text){ texts->bytes.buffer + begin,
			      (uint32_t)(texts->ends.at[row] - begin) };
}

static uint32_t texts_intern(struct chunk_texts *texts, struct text text)
{
	uint64_t hash = hash_bytes(text.at, text.length, 0);
	struct idtable_probe probe = idtable_find(&texts->ids, hash);
	uint32_t row;

	while ((row = idtable_next(&texts->ids, &probe)) != IDTABLE_NONE)
		if (text_equal(texts_get(texts, row), text))
			return row;
	row = (uint32_t)texts->ends.count;
	sink_text(&texts->bytes, text);
	vec_push(&texts->ends, texts->bytes.used);
	idtable_add(&texts->ids, hash, row);
	return row;
}

static void texts_write(const struct chunk_texts *texts, struct sink *sink)
{
	leb128_write(sink, texts->ends.count);
	for (uint32_t i = 0; i < texts->ends.count; i++)
		merged_string_write(sink, texts_get(texts, i));
}

static void chunk_init(struct merged_writer *writer)
{
	texts_init(&writer->groups);
	texts_init(&writer->frames);
	sink_init_memory(&writer->stacks);
	writer->stack_count = writer->element_count = 0;
	writer->path.count = 0;
}

static void chunk_deinit(struct merged_writer *writer)
{
	texts_deinit(&writer->groups);
	texts_deinit(&writer->frames);
	sink_deinit(&writer->stacks);
}

void merged_writer_init(struct merged_writer *writer, struct sink *sink,
			struct merged_summary *summary)
{
	*writer = (struct merged_writer){ .sink = sink, .summary = summary };
	chunk_init(writer);
	if (sink)
		merged_header_write(sink);
}

void merged_writer_deinit(struct merged_writer *writer)
{
	chunk_deinit(writer);
	vec_free(&writer->path);
}

/* Encodes the last stack, once no equal stack can follow. */
static void end_stack(struct merged_writer *writer)
{
	struct sink *sink = &writer->stacks;

	if (!writer->path.count)
		return;
	leb128_write(sink, writer->shared_count);
	leb128_write(sink, writer->path.count - writer->shared_count);
	for (size_t i = writer->shared_count; i < writer->path.count; i++)
		leb128_write(sink, writer->path.at[i]);
	leb128_write(sink, writer->sample_count);
	leb128_write(sink, writer->weight);
	writer->stack_count++;
	writer->element_count += writer->path.count;
	writer->summary->stack_count++;
	writer->event->sample_count =
		saturate_add(writer->event->sample_count, writer->sample_count);
	writer->event->weight = saturate_add(writer->event->weight, writer->weight);
}

static void end_chunk(struct merged_writer *writer)
{
	struct sink raw;

	if (writer->sink && writer->stack_count) {
		sink_init_memory(&raw);
		texts_write(&writer->groups, &raw);
		texts_write(&writer->frames, &raw);
		sink_text(&raw, sink_memory(&writer->stacks));
		merged_chunk_write(MERGED_STACKS, sink_memory(&raw), writer->stack_count,
				   writer->sink);
		sink_deinit(&raw);
	}
	chunk_deinit(writer);
	chunk_init(writer);
}

/* Whether the stack must begin a new chunk. The result depends only on the stacks. */
static bool is_full(const struct merged_writer *writer)
{
	return writer->groups.bytes.used + writer->frames.bytes.used + writer->stacks.used >=
		       CHUNK_BYTES ||
	       writer->element_count >= LIMIT_MERGED_CHUNK_ELEMENTS / 2;
}

static struct text element_of(const struct merged_writer *writer, uint32_t depth)
{
	uint32_t row = writer->path.at[depth];

	return depth ? texts_get(&writer->frames, row) : texts_get(&writer->groups, row);
}

/* The number of elements that the stack shares with the last stack. */
static uint32_t count_shared(const struct merged_writer *writer, const struct merged_stack *stack)
{
	uint32_t depth = stack->shared_count;

	if (depth > writer->path.count)
		depth = 0;
	while (depth < writer->path.count && depth < stack->count &&
	       text_equal(element_of(writer, depth), stack->elements[depth]))
		depth++;
	return depth;
}

/* Counts the group in the summary. */
static bool begin_group(struct merged_writer *writer, struct text text, struct error *err)
{
	struct merged_group group;

	if (!merged_group_read(text, &group))
		return error_set(err, ERROR_CORRUPT, "a group of stacks is not valid");
	writer->event = merged_summary_event(writer->summary, group.event, group.unit, err);
	if (!writer->event)
		return false;
	if (writer->event->unit != group.unit)
		return error_set(err, ERROR_CORRUPT, "weights of %.*s have two different units",
				 (int)group.event.length, group.event.at);
	for (uint32_t i = 0; i < group.label_count; i++)
		if (!merged_summary_add_key(writer->summary, group.labels[i].key, err))
			return false;
	return true;
}

static bool check_size(const struct merged_stack *stack, struct error *err)
{
	uint64_t size_bytes = 0;

	for (uint32_t i = 0; i < stack->count; i++)
		size_bytes += stack->elements[i].length + TEXT_LENGTH_BYTES;
	return (stack->count <= LIMIT_MERGED_STACK_ELEMENTS &&
		size_bytes < LIMIT_MERGED_CHUNK_BYTES - 2 * CHUNK_BYTES) ||
	       error_set(err, ERROR_LIMIT, "a stack of %u frames is too long to be merged",
			 stack->count - 1);
}

bool merged_writer_add(struct merged_writer *writer, const struct merged_stack *stack,
		       struct error *err)
{
	uint32_t shared = count_shared(writer, stack);

	if (writer->path.count && shared == stack->count && shared == writer->path.count) {
		writer->sample_count = saturate_add(writer->sample_count, stack->sample_count);
		writer->weight = saturate_add(writer->weight, stack->weight);
		return true;
	}
	if (!check_size(stack, err))
		return false;
	end_stack(writer);
	if (is_full(writer)) {
		end_chunk(writer);
		shared = 0;
	}
	writer->shared_count = shared;
	writer->path.count = shared;
	for (uint32_t i = shared; i < stack->count; i++)
		vec_push(&writer->path,
			 texts_intern(i ? &writer->frames : &writer->groups, stack->elements[i]));
	writer->sample_count = stack->sample_count;
	writer->weight = stack->weight;
	return shared || begin_group(writer, stack->elements[0], err);
}

void merged_writer_finish(struct merged_writer *writer)
{
	struct sink raw;

	end_stack(writer);
	writer->path.count = 0;
	end_chunk(writer);
	if (!writer->sink)
		return;
	sink_init_memory(&raw);
	merged_summary_write(writer->summary, &raw);
	merged_chunk_write(MERGED_SUMMARY, sink_memory(&raw), 0, writer->sink);
	sink_deinit(&raw);
}
