/* SPDX-License-Identifier: MIT */
#include "profile/tree/resolve_texts.h"

#include "profile/resolve.h"

/* While texts are looked up, those this far ahead are fetched. */
#define TEXTS_AHEAD 16

/* The frames of all texts, by place; those of a text are innermost first. */
struct frames_of_texts {
	struct location_list list;
	size_t *ends;
	bool are_single; /* each text has one frame */
};

static struct frames_of_texts find_frames(const struct places *places,
					  const struct text_samples *text, const struct view *view)
{
	size_t count = places->rows.count;
	struct frames_of_texts frames = {
		.ends = memory_alloc(count, sizeof(*frames.ends)),
		.are_single = true,
	};

	vec_reserve(&frames.list, count);
	for (size_t i = 0; i < count; i++) {
		size_t begin = frames.list.count;

		if (i + TEXTS_AHEAD < count)
			raw_texts_prefetch(&text->frames, places->rows.at[i + TEXTS_AHEAD].address);
		resolve_text(text, view, places->rows.at[i].address, &frames.list);
		frames.ends[i] = frames.list.count;
		frames.are_single &= frames.list.count == begin + 1;
	}
	return frames;
}

static void frames_free(struct frames_of_texts *frames)
{
	vec_free(&frames->list);
	memory_free(frames->ends);
}

static size_t begin_of(const struct frames_of_texts *frames, location_id text)
{
	return text.i ? frames->ends[text.i - 1] : 0;
}

/* Adds the frames of a text below a node. Returns the node of the innermost frame. */
static uint32_t add_text(struct callers *callers, uint32_t node,
			 const struct frames_of_texts *frames, location_id text)
{
	for (size_t i = frames->ends[text.i]; i-- > begin_of(frames, text);)
		node = callers_add(callers, node, frames->list.at[i]);
	return node;
}

static void resolve_stack(struct callers *callers, struct resolved_stack *stack,
			  const struct frames_of_texts *frames)
{
	location_id text = stack->leaf;
	size_t begin;

	if (text.i == LOCATION_NONE.i)
		return;
	begin = begin_of(frames, text);
	stack->leaf = LOCATION_NONE;
	if (frames->ends[text.i] - begin == 1)
		stack->leaf = frames->list.at[begin];
	else
		stack->callers = add_text(callers, stack->callers, frames, text);
}

static void resolve_stacks(struct resolved *resolved, const struct frames_of_texts *frames)
{
	struct callers *old = &resolved->callers;
	size_t count = old->locations.count;
	uint32_t *nodes = memory_alloc(count, sizeof(*nodes));
	struct callers callers;

	callers_init(&callers);
	nodes[CALLERS_NONE] = CALLERS_NONE;
	for (uint32_t i = 1; i < count; i++)
		nodes[i] = add_text(&callers, nodes[callers_parent(old, i)], frames,
				    old->locations.at[i]);
	for (size_t i = 0; i < resolved->stacks.count; i++) {
		struct resolved_stack *stack = &resolved->stacks.at[i];

		stack->callers = nodes[stack->callers];
		resolve_stack(&callers, stack, frames);
	}
	memory_free(nodes);
	callers_deinit(old);
	*old = callers;
}

static void resolve_keys(struct resolved *resolved, const struct text_samples *text)
{
	for (size_t i = 0; i < resolved->keys.count; i++) {
		struct stack_key *key = &resolved->keys.at[i];
		const struct text_head *head = text_samples_head(text, key->head);

		key->head = 0;
		key->event = head->event;
		key->comm = head->comm;
	}
}

void resolve_texts(struct resolved *resolved, const struct text_samples *text,
		   const struct view *view)
{
	struct frames_of_texts frames = find_frames(&resolved->places, text, view);

	places_deinit(&resolved->places);
	places_init(&resolved->places);
	resolve_keys(resolved, text);
	if (frames.are_single)
		resolved_renumber(resolved, frames.list.at);
	else
		resolve_stacks(resolved, &frames);
	frames_free(&frames);
}

void resolve_trie(struct resolved *resolved, const struct text_samples *all,
		  const struct trie *trie, const struct raw_texts *texts, uint64_t first_offset)
{
	resolved->trie = trie;
	for (size_t i = 0; i < texts->rows.count; i++) {
		uint32_t row = raw_texts_find(&all->frames, texts->rows.at[i].number);

		vec_push(&resolved->text_locations, all->of_frames.at[row]);
	}
	for (size_t i = 0; i < trie->roots.count; i++) {
		const struct callchain_key *key = &trie->roots.at[i].key;
		const struct text_head *head = text_samples_head(all, key->head);

		vec_push(&resolved->keys, (struct stack_key){
						  .event = head->event,
						  .comm = head->comm,
						  .unnamed_tid = key->unnamed_tid,
						  .pid = key->pid,
						  .tid = key->tid,
						  .cpu = key->cpu,
						  .values = key->values,
						  .first_offset = first_offset + i,
					  });
	}
}
