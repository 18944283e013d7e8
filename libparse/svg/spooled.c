/* SPDX-License-Identifier: MIT */
#include "libparse/svg/spooled.h"

#include "base/limits.h"
#include "base/ratio.h"
#include "base/saturate.h"
#include "libparse/text.h"

#define CHUNK_BYTES ((size_t)1 << 20)

void spooled_init(struct spooled *stacks)
{
	*stacks = (struct spooled){ .unit = UNIT_SAMPLES };
	strings_init(&stacks->strings);
}

void spooled_deinit(struct spooled *stacks)
{
	strings_deinit(&stacks->strings);
	vec_free(&stacks->frames);
	vec_free(&stacks->rows);
	vec_free(&stacks->functions);
	vec_free(&stacks->names);
}

uint32_t spooled_intern_frame(struct spooled *stacks, struct text name)
{
	str_id id = strings_intern(&stacks->strings, name.length ? name.at : "", name.length);

	while (stacks->frames.count < stacks->strings.rows.count) {
		str_id next = { (uint32_t)stacks->frames.count };

		vec_push(&stacks->frames,
			 (struct spooled_frame){ .name = next, .kind = SPOOLED_KIND_COUNT });
	}
	return id.i;
}

bool spooled_push(struct spooled *stacks, const struct spooled_row *row)
{
	uint32_t before = stacks->rows.count ? stacks->rows.at[stacks->rows.count - 1].depth : 0;

	if (!row->depth || row->depth > before + 1 || row->depth > LIMIT_SPOOLED_DEPTH ||
	    row->frame >= stacks->frames.count)
		return false;
	vec_push(&stacks->rows, *row);
	return true;
}

/* Samples dealt out to rows by what they weigh: rounded down at each row, but none is lost. */
struct dealing {
	uint64_t samples, weight; /* of all */
	uint64_t dealt, done;     /* of the rows before */
};

static uint64_t deal(struct dealing *dealing, uint64_t weight)
{
	uint64_t until;
	uint64_t dealt;

	if (!dealing->samples || !dealing->weight)
		return weight > 0;
	dealing->done = saturate_add(dealing->done, weight);
	until = ratio_of(dealing->samples, dealing->done, dealing->weight).quotient;
	dealt = until - dealing->dealt;
	dealing->dealt = until;
	return dealt;
}

static void write_line(const struct spooled_row *row, struct spooled_weight samples,
		       const uint32_t *path, struct sink *sink)
{
	const uint64_t numbers[] = { row->self.after, samples.after, row->self.before,
				     samples.before };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		sink_u64(sink, numbers[i]);
		sink_char(sink, ' ');
	}
	for (uint32_t i = 0; i < row->depth; i++) {
		if (i)
			sink_char(sink, ',');
		sink_u64(sink, path[i]);
	}
	sink_char(sink, '\n');
}

static bool write_chunk(struct sink *sink, struct input *spool, uint64_t limit_bytes,
			struct error *err)
{
	if (!input_append_spool(spool, sink->buffer, sink->used, err))
		return false;
	sink->used = 0;
	return spool->size_bytes <= limit_bytes ||
	       error_set(err, ERROR_LIMIT, "its stacks are far longer than those of a picture are");
}

static bool write_rows(const struct spooled *stacks, struct sink *sink, struct input *spool,
		       uint64_t limit_bytes, struct error *err)
{
	uint32_t *path = memory_alloc(LIMIT_SPOOLED_DEPTH, sizeof(*path));
	struct dealing after = { .samples = stacks->samples.after };
	struct dealing before = { .samples = stacks->samples.before };
	bool good = true;

	for (size_t i = 0; i < stacks->rows.count; i++) {
		after.weight = saturate_add(after.weight, stacks->rows.at[i].self.after);
		before.weight = saturate_add(before.weight, stacks->rows.at[i].self.before);
	}
	for (size_t i = 0; good && i < stacks->rows.count; i++) {
		const struct spooled_row *row = &stacks->rows.at[i];

		path[row->depth - 1] = row->frame;
		if (!row->self.after && !row->self.before)
			continue;
		write_line(row,
			   (struct spooled_weight){ deal(&after, row->self.after),
						    deal(&before, row->self.before) },
			   path, sink);
		if (sink->used >= CHUNK_BYTES)
			good = write_chunk(sink, spool, limit_bytes, err);
	}
	memory_free(path);
	return good && write_chunk(sink, spool, limit_bytes, err);
}

static bool write_spool(const struct spooled *stacks, struct input *spool, uint64_t limit_bytes,
			struct error *err)
{
	struct sink sink;
	bool good;

	sink_init_memory(&sink);
	good = input_create_spool(spool, err) && write_rows(stacks, &sink, spool, limit_bytes, err);
	sink_deinit(&sink);
	return good;
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

bool spooled_replace(struct spooled *stacks, struct capture *capture, struct error *err)
{
	struct input spool = { .fd = -1 };
	struct input old = capture->input;
	uint64_t limit_bytes = LIMIT_SPOOLED_FREE_BYTES + LIMIT_SPOOLED_RATIO * old.size_bytes;

	if (!write_spool(stacks, &spool, limit_bytes, err)) {
		input_close(&spool);
		return false;
	}
	vec_free(&stacks->rows);
	/* The bytes of the spool under the name and the time of what it was made of. */
	capture->input = spool;
	capture->input.name = old.name;
	capture->input.written_time_ns = old.written_time_ns;
	old.name = spool.name;
	input_close(&old);
	return text_cut(capture, find_line, err);
}
