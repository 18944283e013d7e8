/* SPDX-License-Identifier: MIT */
/*
 * Finds renamed functions: pairs of a function that only the BEFORE side has and a function that
 * only the AFTER side has, with similar callers and callees:
 *
 *     before                          after
 *      main                            main
 *       parse_header 19.7%              decode_head 19.4%       score 0.94
 *        scan 18%, hash 1.7%             scan 18%, hash 1.4%
 *
 * The score combines four similarities: of callers, of callees together with self weight, of total
 * weights, and of names. Only functions with a common caller are compared. When a pair is accepted,
 * its two functions become a common caller of their callees, so matching runs in rounds.
 */
#include "diff/align/diff_align.h"

#include <math.h>

/* Maximum number of candidates: the heaviest functions that only one side has. */
#define CANDIDATES_MAX 512
/* Maximum number of candidates with the same caller, on each side. */
#define SIBLINGS_MAX 16
/*
 * A candidate needs at least this share of its side, and this many samples, because smaller
 * functions have too few calls to compare.
 */
#define SHARE_MIN   0.002
#define SAMPLES_MIN 8
/* A pair is compared if its score is at least SCORE_SURE, and listed if at least SCORE_LIKELY. */
#define SCORE_SURE   0.75
#define SCORE_LIKELY 0.5
/* The score of a sure pair exceeds the score of the next best pair by at least this. */
#define SCORE_LEAD 0.05
#define ROUNDS_MAX 8
/*
 * Limits per round: the number of comparisons of callers and callees, and the number of matches
 * kept. Heavy functions come first.
 */
#define WORK_MAX    (UINT64_C(1) << 25)
#define MATCHES_MAX 4096
/* A function with a larger share of self weight has hardly any callees to compare. */
#define LEAF_SELF 0.95

/* Values used in place of a frame for the other end of a call. */
#define END_SELF  (UINT32_MAX - 1) /* the function itself */
#define END_OTHER (UINT32_MAX - 2) /* a function present on one side only */

struct rename_candidate {
	uint32_t frame;
	size_t first, middle, end; /* its rows of ends: callers from first, callees from middle */
	double self;               /* self weight as a share of its total */
};

/* A caller or callee of a candidate, with its share of the candidate's weight. */
struct call_end {
	uint32_t candidate, frame;
	bool is_callee;
	double weight;
};

typedef VEC(struct rename_candidate) candidate_list;
typedef VEC(struct call_end) end_list;

struct rename_match {
	uint32_t candidates[DIFF_SIDES];
	double score;
};

struct renamed {
	const struct diff_graph *graph;
	uint32_t *to;
	candidate_list candidates[DIFF_SIDES];
	uint32_t *number[DIFF_SIDES]; /* by frame: its candidate, or DIFF_FRAME_NONE */
	end_list ends[DIFF_SIDES];
	VEC(struct rename_match) matches;
	bool *is_tried; /* by pair of candidates: whether it was tried in this round */
	uint64_t work;  /* comparisons in this round */
};

static int compare_weights(const void *a, const void *b, void *context)
{
	const struct renamed *renamed = context;
	const struct rename_candidate *left = a;
	const struct rename_candidate *right = b;

	return diff_graph_compare_only(renamed->graph, left->frame, right->frame);
}

/* Whether a function weighs enough for its calls to be compared. */
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
			vec_push(list, (struct rename_candidate){ .frame = i });
	}
	if (list->count)
		qsort_r(list->at, list->count, sizeof(*list->at), compare_weights, renamed);
	if (list->count > CANDIDATES_MAX)
		list->count = CANDIDATES_MAX;
	for (uint32_t i = 0; i < list->count; i++)
		renamed->number[side][list->at[i].frame] = i;
}

/*
 * Returns the frame at the other end of a candidate's call if both sides have the frame, or if it
 * is matched; otherwise END_OTHER.
 */
static uint32_t end_of(const struct renamed *renamed, uint32_t frame)
{
	const struct diff_graph *graph = renamed->graph;
	uint32_t to = renamed->to[frame];

	if (to != frame || (graph->total[DIFF_BEFORE][to] && graph->total[DIFF_AFTER][to]))
		return to;
	/* The frame is the new name of a matched candidate. */
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

/* Adds up the weights of equal ends, and finds the rows of each candidate. */
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
		struct rename_candidate *candidate = &list->at[ends->at[i].candidate];

		if (!candidate->end)
			candidate->first = candidate->middle = i;
		candidate->middle += !ends->at[i].is_callee;
		candidate->end = i + 1;
	}
}

/* Finds callers and callees of a side's candidates. */
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
		struct rename_candidate *candidate = &renamed->candidates[side].at[i];

		candidate->self = 0;
		for (size_t k = candidate->middle; k < candidate->end; k++)
			if (renamed->ends[side].at[k].frame == END_SELF)
				candidate->self = renamed->ends[side].at[k].weight;
	}
}

/*
 * Returns the similarity of two distributions: the sum of the smaller shares divided by the sum of
 * the larger ones.
 */
static double similarity(const struct call_end *left, size_t left_count,
			 const struct call_end *right, size_t right_count)
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

/* Returns the share of byte pairs that two names have in common (Dice's coefficient). */
static double name_similarity(struct text a, struct text b)
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

static double score_of(const struct renamed *renamed, const struct rename_candidate *before,
		       const struct rename_candidate *after)
{
	const struct diff_graph *graph = renamed->graph;
	const struct call_end *left = renamed->ends[DIFF_BEFORE].at;
	const struct call_end *right = renamed->ends[DIFF_AFTER].at;
	double left_share = diff_graph_share(graph, before->frame, DIFF_BEFORE);
	double right_share = diff_graph_share(graph, after->frame, DIFF_AFTER);
	double names = name_similarity(diff_graph_name(renamed->graph, before->frame),
				       diff_graph_name(renamed->graph, after->frame));
	double callers = similarity(left + before->first, before->middle - before->first,
				    right + after->first, after->middle - after->first);
	double callees = similarity(left + before->middle, before->end - before->middle,
				    right + after->middle, after->end - after->middle);
	double size = fmin(left_share, right_share) / fmax(left_share, right_share);
	double score = sqrt(callers * callees) * (0.5 + 0.3 * sqrt(size) + 0.2 * names);

	/* Two leaf functions have no callees to compare, so their names must be similar. */
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

/* Lists the callers of all candidates of one side that both sides have, grouped by caller. */
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
	const struct rename_candidate *left = &renamed->candidates[DIFF_BEFORE].at[before];
	const struct rename_candidate *right = &renamed->candidates[DIFF_AFTER].at[after];
	bool *is_tried = &renamed->is_tried[before * CANDIDATES_MAX + after];
	struct rename_match match = { { before, after }, 0 };

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
	const struct rename_match *left = a;
	const struct rename_match *right = b;

	if (left->score != right->score)
		return left->score > right->score ? -1 : 1;
	for (int side = 0; side < DIFF_SIDES; side++)
		if (left->candidates[side] != right->candidates[side])
			return left->candidates[side] < right->candidates[side] ? -1 : 1;
	return 0;
}

/* Finds possible renames, the most similar first. */
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

static bool is_same(const struct rename_match *a, const struct rename_match *b)
{
	return a->candidates[DIFF_BEFORE] == b->candidates[DIFF_BEFORE] &&
	       a->candidates[DIFF_AFTER] == b->candidates[DIFF_AFTER];
}

/* Whether no other match of either candidate has a similar score. */
static bool is_sure(const struct renamed *renamed, const struct rename_match *match)
{
	if (match->score < SCORE_SURE)
		return false;
	for (size_t i = 0; i < renamed->matches.count; i++) {
		const struct rename_match *other = &renamed->matches.at[i];

		if (other->score <= match->score - SCORE_LEAD)
			break;
		if (!is_same(match, other) &&
		    (match->candidates[DIFF_BEFORE] == other->candidates[DIFF_BEFORE] ||
		     match->candidates[DIFF_AFTER] == other->candidates[DIFF_AFTER]))
			return false;
	}
	return true;
}

static void accept_match(struct renamed *renamed, const struct rename_match *match,
			 enum diff_pair_kind kind, struct diff_aligned *aligned)
{
	const struct profile *profile = renamed->graph->tree->profile;
	struct rename_candidate *before =
		&renamed->candidates[DIFF_BEFORE].at[match->candidates[DIFF_BEFORE]];
	struct rename_candidate *after =
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

static bool is_matched(const struct renamed *renamed, const struct rename_match *match)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		if (renamed->candidates[side].at[match->candidates[side]].frame == DIFF_FRAME_NONE)
			return true;
	return false;
}

/*
 * Accepts matches; with wants_sure, only matches whose candidates do not have other matches that
 * are similarly good. Returns the number of accepted matches.
 */
static size_t accept_matches(struct renamed *renamed, bool wants_sure, enum diff_pair_kind kind,
			     struct diff_aligned *aligned)
{
	size_t count = 0;

	for (size_t i = 0; i < renamed->matches.count; i++) {
		const struct rename_match *match = &renamed->matches.at[i];

		if (match->score < SCORE_LIKELY || is_matched(renamed, match) ||
		    (wants_sure && !is_sure(renamed, match)))
			continue;
		accept_match(renamed, match, kind, aligned);
		count++;
	}
	return count;
}

/* Without applies_renames, sure pairs are only listed as likely, and frames do not change. */
bool diff_renamed_map(const struct diff_graph *graph, const struct diff_alignment *alignment,
		      struct diff_aligned *aligned, uint32_t *to)
{
	struct renamed renamed = { .graph = graph, .to = to };
	bool applies = alignment->applies_renames;
	bool is_changed = false;

	if (!alignment->finds_renames || alignment->key != DIFF_KEY_FUNCTION)
		return false;
	for (int side = 0; side < DIFF_SIDES; side++)
		list_candidates(&renamed, (enum diff_side)side);
	if (renamed.candidates[DIFF_BEFORE].count && renamed.candidates[DIFF_AFTER].count) {
		enum diff_pair_kind kind = applies ? DIFF_PAIR_RENAME : DIFF_PAIR_LIKELY;
		uint32_t *sure = memory_alloc(graph->frame_count, sizeof(*sure));

		renamed.is_tried = memory_alloc(CANDIDATES_MAX * CANDIDATES_MAX, sizeof(bool));
		find_matches(&renamed);
		for (int i = 0; i < ROUNDS_MAX && accept_matches(&renamed, true, kind, aligned);
		     i++) {
			is_changed = true;
			find_matches(&renamed);
		}
		memcpy(sure, to, graph->frame_count * sizeof(*sure));
		accept_matches(&renamed, false, DIFF_PAIR_LIKELY, aligned);
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
