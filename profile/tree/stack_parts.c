/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_parts.h"

#include "base/arithmetic.h"
#include "base/hash.h"

/* The number of callers that are looked up together, so that their cache misses overlap. */
#define BATCH 16

/* Returns the size of the batch that begins at row `at`. */
static size_t batch_size(size_t count, size_t at)
{
	return count - at < BATCH ? count - at : BATCH;
}

/* The part of the struct that distinguishes callers. */
#define KEY_BYTES offsetof(struct resolved_callers, stack_count)

void stack_part_init(struct stack_part *part)
{
	*part = (struct stack_part){ 0 };
	resolved_init(&part->rows);
	idtable_init(&part->callers_ids);
	idtable_init(&part->stack_ids);
}

void stack_part_deinit(struct stack_part *part)
{
	resolved_deinit(&part->rows);
	idtable_deinit(&part->callers_ids);
	idtable_deinit(&part->stack_ids);
	vec_free(&part->stacks);
	vec_free(&part->wanted);
}

void hashed_stacks_deinit(struct hashed_stacks *hashed)
{
	vec_free(&hashed->rows);
	vec_free(&hashed->hashes);
}

static uint64_t hash_of(const struct resolved *from, const struct resolved_callers *callers)
{
	uint64_t hash = hash_bytes(callers, KEY_BYTES, 0);

	if (!callers->frame_count)
		return hash;
	return hash_bytes(from->frames.at + callers->frame_first,
			  callers->frame_count * sizeof(*from->frames.at), hash);
}

void hashed_stacks_set(struct hashed_stacks *hashed, const struct resolved *from)
{
	size_t next[STACK_PARTS_COUNT];
	size_t count = from->callers.count;

	hashed->from = from;
	memset(hashed->firsts, 0, sizeof(hashed->firsts));
	hashed->hashes.count = 0;
	vec_reserve(&hashed->hashes, count);
	for (size_t i = 0; i < count; i++) {
		uint64_t hash = hash_of(from, &from->callers.at[i]);

		vec_push(&hashed->hashes, hash);
		hashed->firsts[hash % STACK_PARTS_COUNT + 1]++;
	}
	for (size_t i = 0; i < STACK_PARTS_COUNT; i++) {
		next[i] = hashed->firsts[i];
		hashed->firsts[i + 1] += hashed->firsts[i];
	}
	vec_reserve(&hashed->rows, count);
	for (size_t i = 0; i < count; i++) {
		uint64_t hash = hashed->hashes.at[i];

		hashed->rows.at[next[hash % STACK_PARTS_COUNT]++] =
			(struct hashed_callers){ hash, (uint32_t)i };
	}
	hashed->rows.count = count;
}

static bool are_same(const struct resolved *a, uint32_t a_row, const struct resolved *b,
		     uint32_t b_row)
{
	const struct resolved_callers *one = &a->callers.at[a_row];
	const struct resolved_callers *other = &b->callers.at[b_row];

	return memcmp(one, other, KEY_BYTES) == 0 &&
	       (!one->frame_count ||
		memcmp(a->frames.at + one->frame_first, b->frames.at + other->frame_first,
		       one->frame_count * sizeof(*a->frames.at)) == 0);
}

/* Returns the part's row for these callers. */
static uint32_t intern_callers(struct stack_part *part, const struct resolved *from,
			       const struct hashed_callers *wanted)
{
	struct idtable_probe probe = idtable_find(&part->callers_ids, wanted->hash);
	struct resolved_callers copy = from->callers.at[wanted->row];
	struct location_list *frames = &part->rows.frames;
	uint32_t id;

	while ((id = idtable_next(&part->callers_ids, &probe)) != IDTABLE_NONE) {
		struct resolved_callers *same = &part->rows.callers.at[id];

		if (!are_same(&part->rows, id, from, wanted->row))
			continue;
		if (copy.first_offset < same->first_offset)
			same->first_offset = copy.first_offset;
		return id;
	}
	vec_reserve(frames, frames->count + copy.frame_count);
	if (copy.frame_count)
		memcpy(frames->at + frames->count, from->frames.at + copy.frame_first,
		       copy.frame_count * sizeof(*frames->at));
	copy.frame_first = frames->count;
	copy.stack_count = 0;
	frames->count += copy.frame_count;
	id = (uint32_t)part->rows.callers.count;
	idtable_add(&part->callers_ids, wanted->hash, id);
	vec_push(&part->rows.callers, copy);
	return id;
}

static uint64_t stack_hash(uint32_t callers, location_id leaf)
{
	return hash_u64((uint64_t)callers << 32 | leaf.i);
}

/* Adds the counts of one stack. */
static void add_stack(struct stack_part *part, const struct stack_wanted *wanted)
{
	struct idtable_probe probe = idtable_find(&part->stack_ids, wanted->hash);
	const struct resolved_stack *stack = wanted->stack;
	uint32_t id;

	while ((id = idtable_next(&part->stack_ids, &probe)) != IDTABLE_NONE) {
		struct stack_part_row *row = &part->stacks.at[id];

		if (row->leaf.i == stack->leaf.i && row->callers == wanted->callers) {
			row->sample_count = saturate_add(row->sample_count, stack->sample_count);
			row->period_sum = saturate_add(row->period_sum, stack->period_sum);
			return;
		}
	}
	idtable_add(&part->stack_ids, wanted->hash, (uint32_t)part->stacks.count);
	vec_push(&part->stacks, (struct stack_part_row){
					.leaf = stack->leaf,
					.callers = wanted->callers,
					.sample_count = stack->sample_count,
					.period_sum = stack->period_sum,
				});
	part->rows.callers.at[wanted->callers].stack_count++;
}

static void add_wanted(struct stack_part *part)
{
	for (size_t i = 0; i < part->wanted.count; i++) {
		uint32_t id = idtable_guess(&part->stack_ids, part->wanted.at[i].hash);

		if (id != IDTABLE_NONE)
			__builtin_prefetch(&part->stacks.at[id]);
	}
	for (size_t i = 0; i < part->wanted.count; i++)
		add_stack(part, &part->wanted.at[i]);
	part->wanted.count = 0;
}

/* Fetches the callers that are probably the same, and then their frames. */
static void prefetch_same(const struct stack_part *part, const struct hashed_callers *rows,
			  size_t count)
{
	const struct resolved_callers *same[BATCH];

	for (size_t i = 0; i < count; i++) {
		uint32_t id = idtable_guess(&part->callers_ids, rows[i].hash);

		same[i] = id == IDTABLE_NONE ? NULL : &part->rows.callers.at[id];
		if (same[i])
			__builtin_prefetch(same[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (same[i] && same[i]->frame_count)
			__builtin_prefetch(part->rows.frames.at + same[i]->frame_first);
}

static void add_batch(struct stack_part *part, const struct resolved *from,
		      const struct hashed_callers *rows, size_t count)
{
	prefetch_same(part, rows, count);
	for (size_t i = 0; i < count; i++) {
		const struct resolved_callers *callers = &from->callers.at[rows[i].row];
		uint32_t id = intern_callers(part, from, &rows[i]);

		for (uint32_t k = 0; k < callers->stack_count; k++) {
			const struct resolved_stack *stack =
				&from->stacks.at[callers->stack_first + k];
			uint64_t hash = stack_hash(id, stack->leaf);

			idtable_prefetch(&part->stack_ids, hash);
			vec_push(&part->wanted, (struct stack_wanted){ hash, stack, id });
		}
	}
	add_wanted(part);
}

/* Fetches the beginning of what add_batch will read. */
static void prefetch_rows(const struct stack_part *part, const struct resolved *from,
			  const struct hashed_callers *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		__builtin_prefetch(&from->callers.at[rows[i].row]);
		idtable_prefetch(&part->callers_ids, rows[i].hash);
	}
}

/* Fetches the rest, after prefetch_rows. */
static void prefetch_lists(const struct resolved *from, const struct hashed_callers *rows,
			   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct resolved_callers *callers = &from->callers.at[rows[i].row];

		if (callers->frame_count)
			__builtin_prefetch(from->frames.at + callers->frame_first);
		__builtin_prefetch(from->stacks.at + callers->stack_first);
	}
}

void stack_part_add(struct stack_part *part, uint32_t index, const struct hashed_stacks *hashed)
{
	const struct hashed_callers *rows = hashed->rows.at;
	size_t begin = hashed->firsts[index];
	size_t end = hashed->firsts[index + 1];

	/* While a batch is added, the next two are fetched. */
	for (size_t i = begin; i < end + 2 * BATCH; i += BATCH) {
		if (i < end)
			prefetch_rows(part, hashed->from, rows + i, batch_size(end, i));
		if (i >= begin + BATCH && i - BATCH < end)
			prefetch_lists(hashed->from, rows + i - BATCH, batch_size(end, i - BATCH));
		if (i >= begin + 2 * BATCH)
			add_batch(part, hashed->from, rows + i - 2 * BATCH,
				  batch_size(end, i - 2 * BATCH));
	}
}

void stack_part_take(struct stack_part *part, const location_id *renumbered, struct resolved *ret)
{
	struct resolved *rows = &part->rows;
	struct resolved_stack *grouped = memory_alloc(part->stacks.count, sizeof(*grouped));
	size_t first = 0;

	idtable_deinit(&part->callers_ids);
	idtable_deinit(&part->stack_ids);
	for (size_t i = 0; i < rows->callers.count; i++) {
		struct resolved_callers *callers = &rows->callers.at[i];

		callers->stack_first = first;
		first += callers->stack_count;
		callers->stack_count = 0;
	}
	for (size_t i = 0; i < part->stacks.count; i++) {
		const struct stack_part_row *stack = &part->stacks.at[i];
		struct resolved_callers *callers = &rows->callers.at[stack->callers];
		bool has_leaf = stack->leaf.i != LOCATION_NONE.i;

		grouped[callers->stack_first + callers->stack_count++] = (struct resolved_stack){
			.leaf = has_leaf ? renumbered[stack->leaf.i] : LOCATION_NONE,
			.sample_count = stack->sample_count,
			.period_sum = stack->period_sum,
		};
	}
	for (size_t i = 0; i < rows->frames.count; i++)
		rows->frames.at[i] = renumbered[rows->frames.at[i].i];
	rows->stacks.at = grouped;
	rows->stacks.count = rows->stacks.capacity = part->stacks.count;
	*ret = *rows;
	resolved_init(rows);
	stack_part_deinit(part);
	stack_part_init(part);
}
