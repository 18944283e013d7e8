/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_aliases.h"

#include "diff/align/diff_alias.h"

struct keyed {
	str_id key;
	uint32_t frame;
};

typedef VEC(struct keyed) keyed_list;

struct aliases {
	const struct diff_graph *graph;
	struct diff_aligned *aligned;
	uint32_t *to;
	struct strings keys;
	struct sink scratch;
	bool *is_joined; /* by frame: another one is compared as it */
	bool is_changed;
};

static bool is_on(const struct aliases *aliases, uint32_t frame, enum diff_side side)
{
	return aliases->graph->total[side][frame] != 0;
}

static struct text name_of(const struct aliases *aliases, uint32_t frame)
{
	return profile_frame_name(aliases->graph->tree->profile, (frame_id){ frame });
}

/* Frame from, of one side, is compared as frame into. */
static void join(struct aliases *aliases, uint32_t from, uint32_t into)
{
	const struct frame *frames = aliases->graph->tree->profile->frames.at;
	enum diff_side side = is_on(aliases, from, DIFF_AFTER) ? DIFF_AFTER : DIFF_BEFORE;
	struct diff_pair pair = { .kind = DIFF_PAIR_ALIAS, .shown = frames[into].name, .score = 1 };

	aliases->to[from] = into;
	aliases->is_joined[into] = true;
	aliases->is_changed = true;
	pair.names[side] = frames[from].name;
	pair.names[!side] = frames[into].name;
	vec_push(&aliases->aligned->pairs, pair);
}

static int compare(const void *a, const void *b)
{
	const struct keyed *left = a;
	const struct keyed *right = b;

	if (left->key.i != right->key.i)
		return left->key.i < right->key.i ? -1 : 1;
	return left->frame < right->frame ? -1 : left->frame > right->frame;
}

static str_id take_key(struct aliases *aliases)
{
	struct text key = sink_memory(&aliases->scratch);

	return strings_intern(&aliases->keys, key.at, key.length);
}

/* The heaviest of a class on a side: what both sides have before what one has. */
static uint32_t find_shown(const struct aliases *aliases, const struct keyed *rows, size_t count)
{
	const struct diff_graph *graph = aliases->graph;
	uint32_t best = rows[0].frame;

	for (size_t i = 1; i < count; i++) {
		uint32_t frame = rows[i].frame;
		bool is_both =
			is_on(aliases, frame, DIFF_BEFORE) && is_on(aliases, frame, DIFF_AFTER);
		bool was_both =
			is_on(aliases, best, DIFF_BEFORE) && is_on(aliases, best, DIFF_AFTER);

		if (is_both != was_both
			    ? is_both
			    : graph->total[DIFF_AFTER][frame] > graph->total[DIFF_AFTER][best])
			best = frame;
	}
	return best;
}

/* Frames of one key are joined where each side has one of them at least. */
static void join_class(struct aliases *aliases, const struct keyed *rows, size_t count)
{
	bool is_there[DIFF_SIDES] = { false };
	uint32_t shown = find_shown(aliases, rows, count);

	for (size_t i = 0; i < count; i++)
		for (int side = 0; side < DIFF_SIDES; side++)
			is_there[side] |= is_on(aliases, rows[i].frame, (enum diff_side)side);
	if (!is_there[DIFF_BEFORE] || !is_there[DIFF_AFTER])
		return;
	for (size_t i = 0; i < count; i++) {
		uint32_t frame = rows[i].frame;

		if (frame != shown &&
		    (!is_on(aliases, frame, DIFF_BEFORE) || !is_on(aliases, frame, DIFF_AFTER)))
			join(aliases, frame, shown);
	}
}

/* One frame a side, and exactly one of them is written without arguments. */
static void join_bare(struct aliases *aliases, const struct keyed *rows, size_t count)
{
	uint32_t frames[DIFF_SIDES];
	bool is_bare[DIFF_SIDES];

	if (count != 2)
		return;
	for (int side = 0; side < DIFF_SIDES; side++) {
		size_t at = is_on(aliases, rows[0].frame, (enum diff_side)side) ? 0 : 1;

		frames[side] = rows[at].frame;
		is_bare[side] = text_equal(name_of(aliases, frames[side]),
					   strings_get(&aliases->keys, rows[at].key));
	}
	if (frames[DIFF_BEFORE] != frames[DIFF_AFTER] &&
	    is_bare[DIFF_BEFORE] != is_bare[DIFF_AFTER])
		join(aliases, frames[DIFF_BEFORE], frames[DIFF_AFTER]);
}

static void join_classes(struct aliases *aliases, keyed_list *list,
			 void (*join_rows)(struct aliases *, const struct keyed *, size_t))
{
	if (list->count)
		qsort(list->at, list->count, sizeof(*list->at), compare);
	for (size_t i = 0, end; i < list->count; i = end) {
		for (end = i + 1; end < list->count && list->at[end].key.i == list->at[i].key.i;)
			end++;
		if (end - i > 1)
			join_rows(aliases, list->at + i, end - i);
	}
	list->count = 0;
}

static bool is_function(const struct aliases *aliases, uint32_t frame)
{
	const struct frame *row = &aliases->graph->tree->profile->frames.at[frame];

	return row->kind != FRAME_GROUP && row->kind != FRAME_MARK &&
	       (is_on(aliases, frame, DIFF_BEFORE) || is_on(aliases, frame, DIFF_AFTER));
}

static void join_spellings(struct aliases *aliases)
{
	keyed_list list = { 0 };

	for (uint32_t i = 0; i < aliases->graph->frame_count; i++) {
		if (!is_function(aliases, i))
			continue;
		aliases->scratch.used = 0;
		diff_alias_write(&aliases->scratch, name_of(aliases, i));
		vec_push(&list, (struct keyed){ take_key(aliases), i });
	}
	join_classes(aliases, &list, join_class);
	vec_free(&list);
}

static void join_arguments(struct aliases *aliases)
{
	keyed_list list = { 0 };

	for (uint32_t i = 0; i < aliases->graph->frame_count; i++) {
		if (!is_function(aliases, i) || aliases->to[i] != i || aliases->is_joined[i])
			continue;
		aliases->scratch.used = 0;
		diff_alias_write_bare(&aliases->scratch, name_of(aliases, i));
		vec_push(&list, (struct keyed){ take_key(aliases), i });
	}
	join_classes(aliases, &list, join_bare);
	vec_free(&list);
}

/* Whether there is anything that only this side has. */
static bool has_only(const struct diff_graph *graph, enum diff_side side)
{
	for (uint32_t i = 0; i < graph->frame_count; i++)
		if (diff_graph_is_only(graph, i, side))
			return true;
	return false;
}

bool diff_aliases_map(const struct diff_graph *graph, struct diff_aligned *aligned, uint32_t *to)
{
	struct aliases aliases = { .graph = graph, .aligned = aligned, .to = to };

	if (!has_only(graph, DIFF_BEFORE) && !has_only(graph, DIFF_AFTER))
		return false;
	for (uint32_t i = 0; i < graph->frame_count; i++)
		to[i] = i;
	aliases.is_joined = memory_zalloc(graph->frame_count, sizeof(*aliases.is_joined));
	strings_init(&aliases.keys);
	sink_init_memory(&aliases.scratch);
	join_spellings(&aliases);
	join_arguments(&aliases);
	sink_deinit(&aliases.scratch);
	strings_deinit(&aliases.keys);
	memory_free(aliases.is_joined);
	return aliases.is_changed;
}
