/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_renamed.h"

#include <math.h>

/* Of a side: the heaviest functions it alone has. */
#define CANDIDATES_MAX 512
/* Of a side and a caller. */
#define SIBLINGS_MAX 16
/* Of its side; what weighs less calls too little to be known by. */
#define SHARE_MIN   0.002
#define SAMPLES_MIN 8
/* What is applied, and what is mentioned. */
#define SCORE_SURE   0.75
#define SCORE_LIKELY 0.5
/* How much better than the next best it has to be to be sure. */
#define SCORE_LEAD 0.05
#define ROUNDS_MAX 8
/* Ends of calls that are looked at in a round, and matches that are kept: beyond, what is heavy has been seen. */
#define WORK_MAX    (UINT64_C(1) << 25)
#define MATCHES_MAX 4096
/* A function that calls next to nothing is known by its callers alone. */
#define LEAF_SELF 0.95

/* In the place of a frame, as an end of a call. */
#define END_SELF  (UINT32_MAX - 1) /* it calls nothing */
#define END_OTHER (UINT32_MAX - 2) /* what only its side has */

struct candidate {
	uint32_t frame;
	size_t first, middle, end; /* of its ends: callers, from middle on callees */
	double self;               /* the share of it that it weighs itself */
};

/* A caller or a callee of a candidate, and how much of the candidate's weight it is. */
struct call_end {
	uint32_t candidate, frame;
	bool is_callee;
	double weight;
};

typedef VEC(struct candidate) candidate_list;
typedef VEC(struct call_end) end_list;

struct match {
	uint32_t candidates[DIFF_SIDES];
	double score;
};

struct renamed {
	const struct diff_graph *graph;
	uint32_t *to;
	candidate_list candidates[DIFF_SIDES];
	uint32_t *number[DIFF_SIDES]; /* by frame: of its candidate, or DIFF_FRAME_NONE */
	end_list ends[DIFF_SIDES];
	VEC(struct match) matches;
	bool *is_tried; /* by both candidates, in this round */
	uint64_t work;  /* of this round */
};

static struct text name_of(const struct renamed *renamed, uint32_t frame)
{
	return profile_frame_name(renamed->graph->tree->profile, (frame_id){ frame });
}

static int compare_weights(const void *a, const void *b, void *context)
{
	const struct renamed *renamed = context;
	const struct candidate *left = a;
	const struct candidate *right = b;
	/* One side's is 0. */
	uint64_t left_weight = renamed->graph->total[DIFF_BEFORE][left->frame] +
			       renamed->graph->total[DIFF_AFTER][left->frame];
	uint64_t right_weight = renamed->graph->total[DIFF_BEFORE][right->frame] +
				renamed->graph->total[DIFF_AFTER][right->frame];

	if (left_weight != right_weight)
		return left_weight > right_weight ? -1 : 1;
	return text_compare(name_of(renamed, left->frame), name_of(renamed, right->frame));
}

/* Whether a function weighs enough to be known by whom it calls. */
static bool is_heavy(const struct diff_graph *graph, uint32_t frame, enum diff_side side)
{
	double share = diff_graph_share(graph, frame, side);

	return share >= SHARE_MIN && share * (double)graph->sample_count[side] >= SAMPLES_MIN;
}

static void list_candidates(struct renamed *renamed, enum diff_side side)
{
	const struct diff_graph *graph = renamed->graph;
	candidate_list *list = &renamed->candidates[side];

	renamed->number[side] = memory_alloc(graph->frame_count, sizeof(uint32_t));
	for (uint32_t i = 0; i < graph->frame_count; i++) {
		const struct frame *frame = &graph->tree->profile->frames.at[i];

		renamed->number[side][i] = DIFF_FRAME_NONE;
		if (frame->kind != FRAME_GROUP && frame->kind != FRAME_MARK && frame->is_named &&
		    diff_graph_is_only(graph, i, side) && is_heavy(graph, i, side))
			vec_push(list, (struct candidate){ .frame = i });
	}
	if (list->count)
		qsort_r(list->at, list->count, sizeof(*list->at), compare_weights, renamed);
	if (list->count > CANDIDATES_MAX)
		list->count = CANDIDATES_MAX;
	for (uint32_t i = 0; i < list->count; i++)
		renamed->number[side][list->at[i].frame] = i;
}

/* A frame as an end of a candidate's call: what both sides have, or have by another name. */
static uint32_t end_of(const struct renamed *renamed, uint32_t frame)
{
	const struct diff_graph *graph = renamed->graph;
	uint32_t to = renamed->to[frame];

	if (to != frame || (graph->total[DIFF_BEFORE][to] && graph->total[DIFF_AFTER][to]))
		return to;
	/* Another one may be compared as it. */
	return renamed->number[DIFF_AFTER][to] != DIFF_FRAME_NONE &&
			       renamed->candidates[DIFF_AFTER]
					       .at[renamed->number[DIFF_AFTER][to]]
					       .frame == DIFF_FRAME_NONE
		       ? to
		       : END_OTHER;
}

static void add_end(struct renamed *renamed, enum diff_side side, uint32_t candidate,
		    uint32_t frame, bool is_callee, uint64_t weight)
{
	double whole;

	if (candidate == DIFF_FRAME_NONE || !weight ||
	    renamed->candidates[side].at[candidate].frame == DIFF_FRAME_NONE)
		return;
	whole = (double)renamed->graph->total[side][renamed->candidates[side].at[candidate].frame];
	vec_push(&renamed->ends[side],
		 (struct call_end){ candidate, frame, is_callee, (double)weight / whole });
}

static int compare_ends(const void *a, const void *b)
{
	const struct call_end *left = a;
	const struct call_end *right = b;

	if (left->candidate != right->candidate)
		return left->candidate < right->candidate ? -1 : 1;
	if (left->is_callee != right->is_callee)
		return left->is_callee ? 1 : -1;
	return left->frame < right->frame ? -1 : left->frame > right->frame;
}

/* Adds up ends that are one, and notes where those of each candidate are. */
static void join_ends(struct renamed *renamed, enum diff_side side)
{
	end_list *ends = &renamed->ends[side];
	candidate_list *list = &renamed->candidates[side];
	size_t count = 0;

	if (ends->count)
		qsort(ends->at, ends->count, sizeof(*ends->at), compare_ends);
	for (size_t i = 0; i < ends->count; i++) {
		if (count && compare_ends(&ends->at[count - 1], &ends->at[i]) == 0)
			ends->at[count - 1].weight += ends->at[i].weight;
		else
			ends->at[count++] = ends->at[i];
	}
	ends->count = count;
	for (size_t i = 0; i < list->count; i++)
		list->at[i].first = list->at[i].middle = list->at[i].end = 0;
	for (size_t i = 0; i < count; i++) {
		struct candidate *candidate = &list->at[ends->at[i].candidate];

		if (!candidate->end)
			candidate->first = candidate->middle = i;
		candidate->middle += !ends->at[i].is_callee;
		candidate->end = i + 1;
	}
}

/* Who calls the candidates of a side, and whom they call. */
static void find_ends(struct renamed *renamed, enum diff_side side)
{
	const struct diff_graph *graph = renamed->graph;
	const struct diff_node *nodes = graph->tree->nodes.at;
	const uint32_t *number = renamed->number[side];

	renamed->ends[side].count = 0;
	for (size_t i = 1; i < graph->tree->nodes.count; i++) {
		uint32_t parent = nodes[i].parent ? nodes[nodes[i].parent].frame : DIFF_FRAME_NONE;
		uint32_t frame = nodes[i].frame;
		uint64_t weight = graph->node_total[side][i];

		add_end(renamed, side, number[frame], END_SELF, true, graph->node_self[side][i]);
		if (parent == frame)
			continue;
		add_end(renamed, side, number[frame],
			parent == DIFF_FRAME_NONE ? END_SELF : end_of(renamed, parent), false,
			weight);
		if (parent != DIFF_FRAME_NONE)
			add_end(renamed, side, number[parent], end_of(renamed, frame), true,
				weight);
	}
	join_ends(renamed, side);
	for (size_t i = 0; i < renamed->candidates[side].count; i++) {
		struct candidate *candidate = &renamed->candidates[side].at[i];

		candidate->self = 0;
		for (size_t k = candidate->middle; k < candidate->end; k++)
			if (renamed->ends[side].at[k].frame == END_SELF)
				candidate->self = renamed->ends[side].at[k].weight;
	}
}

/* How alike two distributions are: what they have in common, over what either has. */
static double likeness(const struct call_end *left, size_t left_count, const struct call_end *right,
		       size_t right_count)
{
	double common = 0;
	double sum = 0;

	for (size_t i = 0; i < left_count; i++)
		sum += left[i].weight;
	for (size_t k = 0; k < right_count; k++)
		sum += right[k].weight;
	for (size_t i = 0, k = 0; i < left_count && k < right_count;) {
		if (left[i].frame == right[k].frame)
			common += fmin(left[i++].weight, right[k++].weight);
		else if (left[i].frame < right[k].frame)
			i++;
		else
			k++;
	}
	return sum > common ? common / (sum - common) : 0;
}

/* The share of pairs of bytes that two names have in common (Dice's coefficient). */
static double name_likeness(struct text a, struct text b)
{
	uint8_t counts[1024] = { 0 };
	uint32_t common = 0;

	if (a.length < 2 || b.length < 2)
		return 0;
	for (uint32_t i = 0; i + 1 < a.length; i++) {
		uint8_t *count = &counts[((uint8_t)a.at[i] * 31u + (uint8_t)a.at[i + 1]) % 1024];

		*count += *count < UINT8_MAX;
	}
	for (uint32_t i = 0; i + 1 < b.length; i++) {
		uint8_t *count = &counts[((uint8_t)b.at[i] * 31u + (uint8_t)b.at[i + 1]) % 1024];

		common += *count > 0;
		*count -= *count > 0;
	}
	return 2.0 * common / (a.length + b.length - 2);
}

static double score_of(const struct renamed *renamed, const struct candidate *before,
		       const struct candidate *after)
{
	const struct diff_graph *graph = renamed->graph;
	const struct call_end *left = renamed->ends[DIFF_BEFORE].at;
	const struct call_end *right = renamed->ends[DIFF_AFTER].at;
	double left_share = diff_graph_share(graph, before->frame, DIFF_BEFORE);
	double right_share = diff_graph_share(graph, after->frame, DIFF_AFTER);
	double names =
		name_likeness(name_of(renamed, before->frame), name_of(renamed, after->frame));
	double callers = likeness(left + before->first, before->middle - before->first,
				  right + after->first, after->middle - after->first);
	double callees = likeness(left + before->middle, before->end - before->middle,
				  right + after->middle, after->end - after->middle);
	double size = fmin(left_share, right_share) / fmax(left_share, right_share);
	double score = sqrt(callers * callees) * (0.5 + 0.3 * sqrt(size) + 0.2 * names);

	/* That both call nothing tells little. */
	if (before->self > LEAF_SELF && after->self > LEAF_SELF)
		score *= 0.6 + 0.4 * names;
	return score;
}

static int compare_siblings(const void *a, const void *b)
{
	const struct call_end *left = a;
	const struct call_end *right = b;

	if (left->frame != right->frame)
		return left->frame < right->frame ? -1 : 1;
	/* Candidates are numbered by weight, the heaviest first. */
	return left->candidate < right->candidate ? -1 : left->candidate > right->candidate;
}

/* The callers that both sides have, of all candidates, those of a caller together. */
static end_list list_callers(const struct renamed *renamed, enum diff_side side)
{
	end_list callers = { 0 };

	for (size_t i = 0; i < renamed->ends[side].count; i++) {
		const struct call_end *end = &renamed->ends[side].at[i];

		if (!end->is_callee && end->frame != END_OTHER)
			vec_push(&callers, *end);
	}
	if (callers.count)
		qsort(callers.at, callers.count, sizeof(*callers.at), compare_siblings);
	return callers;
}

static size_t count_siblings(const end_list *callers, size_t first)
{
	size_t count = 1;

	while (first + count < callers->count &&
	       callers->at[first + count].frame == callers->at[first].frame)
		count++;
	return count;
}

static size_t at_most(size_t count)
{
	return count < SIBLINGS_MAX ? count : SIBLINGS_MAX;
}

static void try_pair(struct renamed *renamed, uint32_t before, uint32_t after)
{
	const struct candidate *left = &renamed->candidates[DIFF_BEFORE].at[before];
	const struct candidate *right = &renamed->candidates[DIFF_AFTER].at[after];
	bool *is_tried = &renamed->is_tried[before * CANDIDATES_MAX + after];
	struct match match = { { before, after }, 0 };

	if (*is_tried || renamed->work > WORK_MAX)
		return;
	*is_tried = true;
	renamed->work += left->end - left->first + right->end - right->first;
	match.score = score_of(renamed, left, right);
	if (match.score >= SCORE_LIKELY - SCORE_LEAD)
		vec_push(&renamed->matches, match);
}

static void try_siblings(struct renamed *renamed, const struct call_end *left, size_t left_count,
			 const struct call_end *right, size_t right_count)
{
	for (size_t i = 0; i < left_count; i++)
		for (size_t k = 0; k < right_count; k++)
			try_pair(renamed, left[i].candidate, right[k].candidate);
}

static int compare_matches(const void *a, const void *b)
{
	const struct match *left = a;
	const struct match *right = b;

	if (left->score != right->score)
		return left->score > right->score ? -1 : 1;
	for (int side = 0; side < DIFF_SIDES; side++)
		if (left->candidates[side] != right->candidates[side])
			return left->candidates[side] < right->candidates[side] ? -1 : 1;
	return 0;
}

/* Finds what may be renamed, the most alike first. */
static void find_matches(struct renamed *renamed)
{
	end_list left, right;

	for (int side = 0; side < DIFF_SIDES; side++)
		find_ends(renamed, (enum diff_side)side);
	left = list_callers(renamed, DIFF_BEFORE);
	right = list_callers(renamed, DIFF_AFTER);
	renamed->matches.count = 0;
	renamed->work = 0;
	memset(renamed->is_tried, 0, CANDIDATES_MAX * CANDIDATES_MAX * sizeof(bool));
	for (size_t i = 0, k = 0; i < left.count && k < right.count;) {
		size_t left_count = count_siblings(&left, i);
		size_t right_count = count_siblings(&right, k);
		uint32_t left_frame = left.at[i].frame;
		uint32_t right_frame = right.at[k].frame;

		if (left_frame == right_frame)
			try_siblings(renamed, left.at + i, at_most(left_count), right.at + k,
				     at_most(right_count));
		i += left_frame <= right_frame ? left_count : 0;
		k += right_frame <= left_frame ? right_count : 0;
	}
	if (renamed->matches.count)
		qsort(renamed->matches.at, renamed->matches.count, sizeof(*renamed->matches.at),
		      compare_matches);
	if (renamed->matches.count > MATCHES_MAX)
		renamed->matches.count = MATCHES_MAX;
	vec_free(&left);
	vec_free(&right);
}

static bool is_same(const struct match *a, const struct match *b)
{
	return a->candidates[DIFF_BEFORE] == b->candidates[DIFF_BEFORE] &&
	       a->candidates[DIFF_AFTER] == b->candidates[DIFF_AFTER];
}

/* Whether nothing else is nearly as much like either of the two. */
static bool is_sure(const struct renamed *renamed, const struct match *match)
{
	if (match->score < SCORE_SURE)
		return false;
	for (size_t i = 0; i < renamed->matches.count; i++) {
		const struct match *other = &renamed->matches.at[i];

		if (other->score <= match->score - SCORE_LEAD)
			break;
		if (!is_same(match, other) &&
		    (match->candidates[DIFF_BEFORE] == other->candidates[DIFF_BEFORE] ||
		     match->candidates[DIFF_AFTER] == other->candidates[DIFF_AFTER]))
			return false;
	}
	return true;
}

static void take(struct renamed *renamed, const struct match *match, enum diff_pair_kind kind,
		 struct diff_aligned *aligned)
{
	const struct profile *profile = renamed->graph->tree->profile;
	struct candidate *before =
		&renamed->candidates[DIFF_BEFORE].at[match->candidates[DIFF_BEFORE]];
	struct candidate *after =
		&renamed->candidates[DIFF_AFTER].at[match->candidates[DIFF_AFTER]];
	struct diff_pair pair = {
		.kind = kind,
		.names = { profile->frames.at[before->frame].name,
			   profile->frames.at[after->frame].name },
		.shown = profile->frames.at[after->frame].name,
		.score = match->score,
	};

	vec_push(&aligned->pairs, pair);
	renamed->to[before->frame] = after->frame;
	before->frame = after->frame = DIFF_FRAME_NONE;
}

static bool is_taken(const struct renamed *renamed, const struct match *match)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		if (renamed->candidates[side].at[match->candidates[side]].frame == DIFF_FRAME_NONE)
			return true;
	return false;
}

/* Takes what is sure until nothing more is; then, when it is only to be listed, what is likely. */
static size_t take_matches(struct renamed *renamed, bool wants_sure, enum diff_pair_kind kind,
			   struct diff_aligned *aligned)
{
	size_t count = 0;

	for (size_t i = 0; i < renamed->matches.count; i++) {
		const struct match *match = &renamed->matches.at[i];

		if (match->score < SCORE_LIKELY || is_taken(renamed, match) ||
		    (wants_sure && !is_sure(renamed, match)))
			continue;
		take(renamed, match, kind, aligned);
		count++;
	}
	return count;
}

bool diff_renamed_map(const struct diff_graph *graph, bool applies, struct diff_aligned *aligned,
		      uint32_t *to)
{
	struct renamed renamed = { .graph = graph, .to = to };
	bool is_changed = false;

	for (uint32_t i = 0; i < graph->frame_count; i++)
		to[i] = i;
	for (int side = 0; side < DIFF_SIDES; side++)
		list_candidates(&renamed, (enum diff_side)side);
	if (renamed.candidates[DIFF_BEFORE].count && renamed.candidates[DIFF_AFTER].count) {
		enum diff_pair_kind kind = applies ? DIFF_PAIR_RENAME : DIFF_PAIR_LIKELY;
		uint32_t *sure = memory_alloc(graph->frame_count, sizeof(*sure));

		renamed.is_tried = memory_alloc(CANDIDATES_MAX * CANDIDATES_MAX, sizeof(bool));
		find_matches(&renamed);
		for (int i = 0; i < ROUNDS_MAX && take_matches(&renamed, true, kind, aligned);
		     i++) {
			is_changed = true;
			find_matches(&renamed);
		}
		memcpy(sure, to, graph->frame_count * sizeof(*sure));
		take_matches(&renamed, false, DIFF_PAIR_LIKELY, aligned);
		memcpy(to, sure, graph->frame_count * sizeof(*sure));
		memory_free(sure);
	}
	for (int side = 0; side < DIFF_SIDES; side++) {
		vec_free(&renamed.candidates[side]);
		vec_free(&renamed.ends[side]);
		memory_free(renamed.number[side]);
	}
	vec_free(&renamed.matches);
	memory_free(renamed.is_tried);
	return is_changed && applies;
}
