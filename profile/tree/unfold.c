/* SPDX-License-Identifier: MIT */
/*
 * Equal stacks are found by the hashes of their frames. The hash of callers continues that of their
 * parent, so each node is read only once, and only the stacks that remain are written.
 */
#include "profile/tree/unfold.h"

#include "base/arithmetic.h"
#include "base/bit_rank.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "profile/tree/callers.h"

/* The number of stacks that are unfolded together, so that their cache misses overlap. */
#define BATCH 32

/* The frames of callers. */
struct unfolded_callers {
	struct sequence_hash hash; /* of the frames up to the maximum depth */
	uint32_t count;            /* of all frames */
	uint32_t separator_count;  /* frames after a separator belong to the stack of a waker */
};

/* A stack that remains. */
struct unfolded_stack {
	struct sequence_hash hash;
	const struct resolved_stack *source; /* one of the equal stacks */
	uint32_t dso;                        /* group frame, if stacks are grouped by DSO */
	uint32_t count;                      /* of all frames below the group frames */
	uint64_t sample_count, weight;
};

struct unfolder {
	const struct unfolding *unfolding;
	const struct resolved *resolved;
	const struct unfolded_groups *groups;
	uint32_t depth_max; /* more frames are left out; UINT32_MAX: no limit */
	/* Callers that stacks or other callers, which do not follow them, refer to. */
	struct bit_rank_word *kept; /* by node */
	size_t kept_count;
	/* Frames of the kept callers; NULL until a stack needs them. */
	struct unfolded_callers *of_callers[2][FRAME_SEVERAL]; /* [is_java][activity] */
	VEC(struct unfolded_stack) stacks;
	struct idtable ids;
};

void unfolded_init(struct unfolded *unfolded)
{
	*unfolded = (struct unfolded){ 0 };
	arena_init(&unfolded->arena);
}

void unfolded_deinit(struct unfolded *unfolded)
{
	arena_deinit(&unfolded->arena);
	vec_free(&unfolded->rows);
}

static void choose_kept(struct unfolder *unfolder)
{
	const struct resolved *resolved = unfolder->resolved;
	size_t word_count = resolved->callers.has_parent.count;

	unfolder->kept = memory_zalloc(word_count, sizeof(*unfolder->kept));
	bit_rank_set(unfolder->kept, CALLERS_NONE);
	for (size_t i = 0; i < resolved->callers.parents.count; i++)
		bit_rank_set(unfolder->kept, resolved->callers.parents.at[i]);
	for (size_t i = 0; i < resolved->stacks.count; i++)
		bit_rank_set(unfolder->kept, resolved->stacks.at[i].callers);
	for (size_t i = 0; i < word_count; i++) {
		unfolder->kept[i].before = (uint32_t)unfolder->kept_count;
		unfolder->kept_count += (size_t)__builtin_popcountll(unfolder->kept[i].bits);
	}
}

static void unfolder_init(struct unfolder *unfolder, const struct unfolding *unfolding,
			  const struct resolved *resolved, const struct unfolded_groups *groups)
{
	uint32_t depth_max = unfolding->transform.depth_max;

	*unfolder = (struct unfolder){
		.unfolding = unfolding,
		.resolved = resolved,
		.groups = groups,
		/* A transformed stack is cut later. */
		.depth_max = depth_max && !stack_transform_is_needed(&unfolding->transform)
				     ? depth_max
				     : UINT32_MAX,
	};
	idtable_init(&unfolder->ids);
	choose_kept(unfolder);
}

static void unfolder_deinit(struct unfolder *unfolder)
{
	memory_free(unfolder->kept);
	for (size_t i = 0; i < ARRAY_SIZE(unfolder->of_callers); i++)
		for (size_t k = 0; k < ARRAY_SIZE(unfolder->of_callers[i]); k++)
			memory_free(unfolder->of_callers[i][k]);
	vec_free(&unfolder->stacks);
	idtable_deinit(&unfolder->ids);
}

/* The frames of all locations, by location. */
struct location_runs {
	const struct frame_run *own;
	const struct frame_run *of_wakers; /* after a separator */
};

static struct location_runs runs_of(const struct unfolder *unfolder, struct frame_variant variant)
{
	struct location_runs runs = { .own = frames_of_locations(unfolder->unfolding->frames,
								 variant) };

	variant.activity = FRAME_WAKES;
	runs.of_wakers = unfolder->unfolding->has_wakers
				 ? frames_of_locations(unfolder->unfolding->frames, variant)
				 : runs.own;
	return runs;
}

/* The frames of a location of callers, or of a leaf below them. */
static const struct frame_run *run_of(const struct location_runs *runs, uint32_t separator_count,
				      location_id location)
{
	return &(separator_count ? runs->of_wakers : runs->own)[location.i];
}

static void append_run(const struct unfolder *unfolder, struct unfolded_callers *callers,
		       const struct frame_run *run)
{
	const uint32_t *frames = unfolder->unfolding->frames->in_runs.at + run->first;

	for (uint32_t i = 0; i < run->count; i++)
		if (callers->count++ < unfolder->depth_max)
			callers->hash = hash_append(callers->hash, frames[i]);
}

static bool is_separator(const struct unfolder *unfolder, location_id location)
{
	return unfolder->unfolding->has_wakers &&
	       unfolder->unfolding->frames->locations->rows.at[location.i].kind ==
		       LOCATION_SEPARATOR;
}

/* Returns the frames of all kept callers, in memory of their own. */
static struct unfolded_callers *unfold_callers(const struct unfolder *unfolder,
					       struct frame_variant variant)
{
	const struct callers *callers = &unfolder->resolved->callers;
	struct unfolded_callers *kept = memory_alloc(unfolder->kept_count, sizeof(*kept));
	struct unfolded_callers unfolded = { .hash = hash_sequence(0) };
	struct location_runs runs = runs_of(unfolder, variant);

	kept[0] = unfolded;
	for (uint32_t i = 1; i < callers->locations.count; i++) {
		location_id location = callers->locations.at[i];
		uint32_t parent = callers_parent(callers, i);

		if (i + BATCH < callers->locations.count)
			__builtin_prefetch(run_of(&runs, 0, callers->locations.at[i + BATCH]));
		if (parent != i - 1)
			unfolded = kept[bit_rank(unfolder->kept, parent)];
		unfolded.separator_count += is_separator(unfolder, location);
		append_run(unfolder, &unfolded, run_of(&runs, unfolded.separator_count, location));
		if (bit_rank_is_set(unfolder->kept, i))
			kept[bit_rank(unfolder->kept, i)] = unfolded;
	}
	return kept;
}

/* Returns the frames of a kept node of callers. */
static const struct unfolded_callers *callers_of(struct unfolder *unfolder,
						 struct frame_variant variant, uint32_t node)
{
	struct unfolded_callers **known = &unfolder->of_callers[variant.is_java][variant.activity];

	if (!*known)
		*known = unfold_callers(unfolder, variant);
	return &(*known)[bit_rank(unfolder->kept, node)];
}

/* A stack that is being unfolded. */
struct pending_stack {
	const struct resolved_stack *source;
	const struct unfolded_callers *callers;
	const struct frame_run *leaf; /* NULL if there is none */
	uint32_t dso;
	struct unfolded_callers unfolded; /* the callers and the leaf */
};

static struct frame_variant variant_of(const struct unfolder *unfolder, uint32_t key)
{
	uint32_t event = unfolder->resolved->keys.at[key].event;

	return (struct frame_variant){
		unfolder->groups->is_java[unfolder->groups->rows[key]],
		unfolder->unfolding->profile->events.at[event].is_off_cpu ? FRAME_WAITS
									  : FRAME_RUNS,
	};
}

/* Returns the index of the innermost location in of_dso and takes_leaf. */
static size_t index_of_innermost(const struct unfolder *unfolder,
				 const struct resolved_stack *stack)
{
	location_id innermost = resolved_innermost(unfolder->resolved, stack);

	return innermost.i == LOCATION_NONE.i ? unfolder->unfolding->frames->locations->rows.count
					      : innermost.i;
}

/* Starts a stack; returns false if it does not count. Fetches its callers. */
static bool begin_stack(struct unfolder *unfolder, const struct resolved_stack *stack,
			struct pending_stack *pending)
{
	const struct unfolding *unfolding = unfolder->unfolding;
	uint32_t event = unfolder->resolved->keys.at[stack->key].event;
	size_t innermost = index_of_innermost(unfolder, stack);

	if (!unfolding->profile->events.at[event].is_shown ||
	    (unfolding->takes_leaf && !unfolding->takes_leaf[innermost]))
		return false;
	*pending = (struct pending_stack){
		.source = stack,
		.callers = callers_of(unfolder, variant_of(unfolder, stack->key), stack->callers),
		.dso = unfolding->of_dso ? unfolding->of_dso[innermost] : 0,
	};
	__builtin_prefetch(pending->callers);
	return true;
}

/* Finds the frames of the leaf, and fetches them. */
static void find_leaf(const struct unfolder *unfolder, struct pending_stack *pending)
{
	struct location_runs runs = runs_of(unfolder, variant_of(unfolder, pending->source->key));

	pending->unfolded = *pending->callers;
	if (pending->source->leaf.i == LOCATION_NONE.i)
		return;
	pending->leaf = run_of(&runs, pending->callers->separator_count, pending->source->leaf);
	__builtin_prefetch(pending->leaf);
}

/* Completes the hash, and fetches what `add` reads first. */
static void hash_stack(const struct unfolder *unfolder, struct pending_stack *pending)
{
	struct unfolded_callers *unfolded = &pending->unfolded;

	if (pending->leaf)
		append_run(unfolder, unfolded, pending->leaf);
	unfolded->hash =
		hash_append(unfolded->hash, (uint64_t)pending->source->key << 32 | pending->dso);
	idtable_prefetch(&unfolder->ids, unfolded->hash.first);
}

static void prefetch_row(const struct unfolder *unfolder, const struct pending_stack *pending)
{
	uint32_t id = idtable_guess(&unfolder->ids, pending->unfolded.hash.first);

	if (id != IDTABLE_NONE)
		__builtin_prefetch(&unfolder->stacks.at[id]);
}

/* Adds the counts of a stack to an equal one; if there is none, it remains. */
static void add(struct unfolder *unfolder, const struct pending_stack *pending)
{
	struct sequence_hash hash = pending->unfolded.hash;
	struct idtable_probe probe = idtable_find(&unfolder->ids, hash.first);
	struct unfolded_stack stack = {
		.hash = hash,
		.source = pending->source,
		.dso = pending->dso,
		.count = pending->unfolded.count,
		.sample_count = pending->source->sample_count,
		.weight = unfolder->unfolding->counts_samples ? pending->source->sample_count
							      : pending->source->period_sum,
	};
	uint32_t id;

	while ((id = idtable_next(&unfolder->ids, &probe)) != IDTABLE_NONE) {
		struct unfolded_stack *row = &unfolder->stacks.at[id];

		if (row->hash.first != hash.first || row->hash.second != hash.second)
			continue;
		row->sample_count = saturate_add(row->sample_count, stack.sample_count);
		row->weight = saturate_add(row->weight, stack.weight);
		return;
	}
	idtable_add(&unfolder->ids, hash.first, (uint32_t)unfolder->stacks.count);
	vec_push(&unfolder->stacks, stack);
}

static void unfold_batch(struct unfolder *unfolder, const struct resolved_stack *stacks,
			 size_t stack_count)
{
	struct pending_stack pending[BATCH];
	size_t count = 0;

	for (size_t i = 0; i < stack_count; i++)
		count += begin_stack(unfolder, &stacks[i], &pending[count]);
	for (size_t i = 0; i < count; i++)
		find_leaf(unfolder, &pending[i]);
	for (size_t i = 0; i < count; i++)
		hash_stack(unfolder, &pending[i]);
	for (size_t i = 0; i < count; i++)
		prefetch_row(unfolder, &pending[i]);
	for (size_t i = 0; i < count; i++)
		add(unfolder, &pending[i]);
}

/* Frames that are written from the innermost one outwards. */
struct code_writer {
	const struct unfolder *unfolder;
	uint32_t *frames;
	size_t at, end; /* frames from `end` on are left out */
};

static void write_run(struct code_writer *writer, const struct frame_run *run)
{
	for (uint32_t i = run->count; i-- > 0;)
		if (--writer->at < writer->end)
			writer->frames[writer->at] =
				writer->unfolder->unfolding->frames->in_runs.at[run->first + i];
}

/* Writes the frames below the group frames. */
static void write_code(struct code_writer *writer, const struct unfolded_stack *stack)
{
	const struct unfolder *unfolder = writer->unfolder;
	const struct callers *callers = &unfolder->resolved->callers;
	struct frame_variant variant = variant_of(unfolder, stack->source->key);
	const struct unfolded_callers *kept =
		unfolder->of_callers[variant.is_java][variant.activity];
	uint32_t node = stack->source->callers;
	uint32_t separator_count = kept[bit_rank(unfolder->kept, node)].separator_count;
	struct location_runs runs = runs_of(unfolder, variant);

	if (stack->source->leaf.i != LOCATION_NONE.i)
		write_run(writer, run_of(&runs, separator_count, stack->source->leaf));
	for (; node != CALLERS_NONE; node = callers_parent(callers, node)) {
		location_id location = callers->locations.at[node];

		write_run(writer, run_of(&runs, separator_count, location));
		separator_count -= is_separator(unfolder, location);
	}
}

/* Writes the group frames of a stack. */
static void write_groups(const struct unfolder *unfolder, const struct unfolded_stack *stack,
			 uint32_t *frames)
{
	const struct unfolding *unfolding = unfolder->unfolding;
	uint32_t level_count = unfolding->grouping->count;
	size_t row = unfolder->groups->rows[stack->source->key];

	for (uint32_t i = 0; i < level_count; i++)
		frames[i] = unfolder->groups->frames[row * level_count + i];
	if (unfolding->of_dso)
		frames[unfolding->dso_level] = stack->dso;
}

static void write_stack(const struct unfolder *unfolder, const struct unfolded_stack *stack,
			struct unfolded *unfolded)
{
	const struct unfolding *unfolding = unfolder->unfolding;
	const struct stack_key *key = &unfolder->resolved->keys.at[stack->source->key];
	uint32_t group_count = unfolding->grouping->count;
	uint32_t code_count =
		stack->count < unfolder->depth_max ? stack->count : unfolder->depth_max;
	struct code_writer writer = { unfolder, NULL, stack->count, code_count };
	struct sorted_stack row = {
		.count = group_count + code_count,
		.time_bin = key->time_bin,
		.cpu = key->cpu,
		.sample_count = stack->sample_count,
		.weight = stack->weight,
	};
	uint32_t *frames =
		arena_alloc(&unfolded->arena, row.count * sizeof(*frames), _Alignof(uint32_t));

	write_groups(unfolder, stack, frames);
	writer.frames = frames + group_count;
	write_code(&writer, stack);
	row.frames = frames;
	if (stack_transform_is_needed(&unfolding->transform) &&
	    !stack_transform_apply(&unfolding->transform, frames, &row.count, group_count))
		return;
	vec_push(&unfolded->rows, row);
}

void unfold(const struct unfolding *unfolding, const struct resolved *resolved,
	    const struct unfolded_groups *groups, struct unfolded *unfolded)
{
	size_t count = resolved->stacks.count;
	struct unfolder unfolder;

	unfolder_init(&unfolder, unfolding, resolved, groups);
	for (size_t i = 0; i < count; i += BATCH)
		unfold_batch(&unfolder, resolved->stacks.at + i,
			     count - i < BATCH ? count - i : BATCH);
	for (size_t i = 0; i < unfolder.stacks.count; i++)
		write_stack(&unfolder, &unfolder.stacks.at[i], unfolded);
	unfolder_deinit(&unfolder);
}
