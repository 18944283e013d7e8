/* SPDX-License-Identifier: MIT */
/*
 * Pairs threads that have the same role but different names. Otherwise, all their stacks would be
 * gone on one side and new on the other:
 *
 *     before               after
 *      svc_before 90%       svc_after 91%       executables of two builds
 *      worker-1             worker-17           a pool: names differ only in digits
 *
 * Candidates are groups at the root that only one side has. Threads with names that differ only in
 * digits are paired first, then threads that do the same work. If names are similar, or threads are
 * heavy, a smaller share of common work suffices.
 */
#include "diff/align/diff_align.h"

#include "base/scan.h"

/* The number of heaviest roots on each side that are compared with each other. */
#define ROOTS_MAX 32
/*
 * Two roots are paired if at least this share of their work is common. There are three limits: for
 * roots with similar names, for roots with more than half of their side's weight, and for all
 * others.
 */
#define WORK_MIN_ALIKE 0.1
#define WORK_MIN_MAIN  0.3
#define WORK_MIN       0.5
/*
 * Names are similar if their common beginning and common end together have at least this many
 * bytes, and at least this share of the shorter name.
 */
#define ALIKE_BYTES_MIN 3
#define ALIKE_SHARE_MIN 0.4
/* The kernel truncates comms to this length. */
#define COMM_LENGTH_MAX 15

/* A group at the root that only one side has. */
struct root {
	uint32_t frame;
	uint32_t own_module; /* frame of unsymbolised code of its executable, or DIFF_FRAME_NONE */
	size_t first, count; /* rows of its work */
};

/* Self weight of a function in a root, as a share of the root. */
struct root_work {
	uint32_t root, frame;
	double share;
};

struct root_match {
	uint32_t roots[DIFF_SIDES]; /* indexes in the lists */
	double score;
};

typedef VEC(struct root) root_list;
typedef VEC(struct root_work) work_list;

struct roots {
	const struct diff_graph *graph;
	struct diff_aligned *aligned;
	uint32_t *to;
	root_list lists[DIFF_SIDES];
	work_list works[DIFF_SIDES];
	bool *is_paired; /* by frame */
	bool is_changed;
};

static const struct frame *frame_of(const struct roots *roots, uint32_t frame)
{
	return &roots->graph->tree->profile->frames.at[frame];
}

static void add_pair(struct roots *roots, uint32_t before, uint32_t after, double score)
{
	struct diff_pair pair = {
		.kind = DIFF_PAIR_ROOT,
		.names = { frame_of(roots, before)->name, frame_of(roots, after)->name },
		.shown = frame_of(roots, after)->name,
		.score = score,
	};

	vec_push(&roots->aligned->pairs, pair);
	roots->to[before] = after;
	roots->is_paired[before] = roots->is_paired[after] = true;
	roots->is_changed = true;
}

/* Lists the groups at the root that only this side has. */
static void list_roots(struct roots *roots, enum diff_side side)
{
	const struct diff_graph *graph = roots->graph;
	const struct diff_node *nodes = graph->tree->nodes.at;
	bool *is_listed = memory_zalloc(graph->frame_count, sizeof(*is_listed));

	for (size_t i = 1; i < graph->tree->nodes.count; i++) {
		uint32_t frame = nodes[i].frame;

		if (nodes[i].parent || is_listed[frame] || roots->to[frame] != frame ||
		    frame_of(roots, frame)->kind != FRAME_GROUP ||
		    !diff_graph_is_only(graph, frame, side))
			continue;
		is_listed[frame] = true;
		vec_push(&roots->lists[side],
			 (struct root){ .frame = frame, .own_module = DIFF_FRAME_NONE });
	}
	memory_free(is_listed);
}

/* Compares names as if all runs of digits were the same number. */
static int compare_roles(struct text a, struct text b)
{
	uint32_t i = 0;
	uint32_t k = 0;

	while (i < a.length && k < b.length) {
		bool has_digit = false;

		for (; i < a.length && is_digit(a.at[i]); i++)
			has_digit = true;
		if (has_digit != is_digit(b.at[k]))
			return has_digit ? -1 : 1;
		for (; k < b.length && is_digit(b.at[k]); k++)
			;
		if (has_digit)
			continue;
		if (a.at[i] != b.at[k])
			return (unsigned char)a.at[i] < (unsigned char)b.at[k] ? -1 : 1;
		i++;
		k++;
	}
	return (i < a.length) - (k < b.length);
}

static int compare_frames(const void *a, const void *b, void *context)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	const struct roots *roots = context;
	int order = compare_roles(diff_graph_name(roots->graph, left),
				  diff_graph_name(roots->graph, right));

	return order ? order : left < right ? -1 : left > right;
}

/* Names without letters, such as ":4711" and "17", do not describe a role. */
static bool has_letters(struct text name)
{
	for (uint32_t i = 0; i < name.length; i++)
		if ((name.at[i] | 0x20) >= 'a' && (name.at[i] | 0x20) <= 'z')
			return true;
	return false;
}

/*
 * Compares all threads of a pool as one, because it is unknown which threads correspond to each
 * other.
 */
static void pair_pool(struct roots *roots, const uint32_t *frames, size_t count)
{
	uint32_t heaviest[DIFF_SIDES] = { DIFF_FRAME_NONE, DIFF_FRAME_NONE };

	for (size_t i = 0; i < count; i++) {
		const struct diff_graph *graph = roots->graph;
		enum diff_side side =
			graph->total[DIFF_AFTER][frames[i]] ? DIFF_AFTER : DIFF_BEFORE;
		uint32_t *best = &heaviest[side];

		if (*best == DIFF_FRAME_NONE ||
		    graph->total[side][frames[i]] > graph->total[side][*best])
			*best = frames[i];
	}
	if (heaviest[DIFF_BEFORE] == DIFF_FRAME_NONE || heaviest[DIFF_AFTER] == DIFF_FRAME_NONE)
		return;
	for (size_t i = 0; i < count; i++) {
		if (roots->graph->total[DIFF_BEFORE][frames[i]])
			add_pair(roots, frames[i], heaviest[DIFF_AFTER], 1);
		else if (frames[i] != heaviest[DIFF_AFTER])
			add_pair(roots, heaviest[DIFF_BEFORE], frames[i], 1);
	}
	for (size_t i = 0; i < count; i++)
		roots->to[frames[i]] = heaviest[DIFF_AFTER];
}

static void pair_pools(struct roots *roots)
{
	VEC(uint32_t) frames = { 0 };

	for (int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < roots->lists[side].count; i++)
			if (has_letters(
				    diff_graph_name(roots->graph, roots->lists[side].at[i].frame)))
				vec_push(&frames, roots->lists[side].at[i].frame);
	if (frames.count)
		qsort_r(frames.at, frames.count, sizeof(*frames.at), compare_frames, roots);
	for (size_t i = 0, end; i < frames.count; i = end) {
		for (end = i + 1; end < frames.count &&
				  !compare_roles(diff_graph_name(roots->graph, frames.at[i]),
						 diff_graph_name(roots->graph, frames.at[end]));)
			end++;
		if (end - i > 1)
			pair_pool(roots, frames.at + i, end - i);
	}
	vec_free(&frames);
}

static int compare_weights(const void *a, const void *b, void *context)
{
	const struct root *left = a;
	const struct root *right = b;
	const struct roots *roots = context;

	return diff_graph_compare_only(roots->graph, left->frame, right->frame);
}

/* Keeps the heaviest unpaired roots. */
static void choose_heaviest(struct roots *roots, enum diff_side side)
{
	root_list *list = &roots->lists[side];
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		if (!roots->is_paired[list->at[i].frame])
			list->at[count++] = list->at[i];
	list->count = count;
	if (count)
		qsort_r(list->at, count, sizeof(*list->at), compare_weights, roots);
	if (count > ROOTS_MAX)
		list->count = ROOTS_MAX;
}

/*
 * Whether the name of unsymbolised code, "[svc_before]" or a path, names the executable from which
 * the thread has its comm.
 */
static bool is_own_module(struct text name, struct text comm)
{
	if (name.length > 2 && name.at[0] == '[' && name.at[name.length - 1] == ']')
		name = (struct text){ name.at + 1, name.length - 2 };
	else if (name.length && name.at[0] == '/')
		name = text_basename(name);
	else
		return false;
	if (comm.length == COMM_LENGTH_MAX && name.length > comm.length)
		name.length = comm.length;
	return text_equal(name, comm);
}

static void find_own_modules(struct roots *roots, enum diff_side side)
{
	for (uint32_t frame = 0; frame < roots->graph->frame_count; frame++) {
		if (frame_of(roots, frame)->kind == FRAME_GROUP ||
		    !diff_graph_is_only(roots->graph, frame, side))
			continue;
		for (size_t i = 0; i < roots->lists[side].count; i++)
			if (is_own_module(
				    diff_graph_name(roots->graph, frame),
				    diff_graph_name(roots->graph, roots->lists[side].at[i].frame)))
				roots->lists[side].at[i].own_module = frame;
	}
}

static int compare_work(const void *a, const void *b)
{
	const struct root_work *left = a;
	const struct root_work *right = b;

	if (left->root != right->root)
		return left->root < right->root ? -1 : 1;
	return left->frame < right->frame ? -1 : left->frame > right->frame;
}

/* Returns an array that maps frames to indexes in a side's list, or to DIFF_FRAME_NONE. */
static uint32_t *number_roots(const struct roots *roots, enum diff_side side)
{
	uint32_t *numbers = memory_alloc(roots->graph->frame_count, sizeof(*numbers));

	for (size_t i = 0; i < roots->graph->frame_count; i++)
		numbers[i] = DIFF_FRAME_NONE;
	for (uint32_t i = 0; i < roots->lists[side].count; i++)
		numbers[roots->lists[side].at[i].frame] = i;
	return numbers;
}

/* Adds up rows of the same function, and finds the first row of each root. */
static void join_work(root_list *list, work_list *works)
{
	size_t count = 0;

	for (size_t i = 0; i < works->count; i++) {
		const struct root_work *row = &works->at[i];

		if (count && compare_work(&works->at[count - 1], row) == 0)
			works->at[count - 1].share += row->share;
		else
			works->at[count++] = *row;
	}
	works->count = count;
	for (size_t i = count; i-- > 0;) {
		struct root *root = &list->at[works->at[i].root];

		root->first = i;
		root->count++;
	}
}

/*
 * Adds up the self weights of functions in each root. Unsymbolised code of the root's own
 * executable is summed as DIFF_FRAME_NONE.
 */
static void find_work(struct roots *roots, enum diff_side side)
{
	const struct diff_graph *graph = roots->graph;
	const struct diff_node *nodes = graph->tree->nodes.at;
	root_list *list = &roots->lists[side];
	work_list *works = &roots->works[side];
	uint32_t *numbers = number_roots(roots, side);
	uint32_t *root_of = memory_alloc(graph->tree->nodes.count, sizeof(*root_of));

	for (size_t i = 1; i < graph->tree->nodes.count; i++) {
		uint32_t number =
			nodes[i].parent ? root_of[nodes[i].parent] : numbers[nodes[i].frame];
		uint32_t frame = nodes[i].frame;
		const struct root *root;

		root_of[i] = number;
		if (number == DIFF_FRAME_NONE || !graph->node_self[side][i])
			continue;
		root = &list->at[number];
		vec_push(works,
			 (struct root_work){
				 .root = number,
				 .frame = frame == root->own_module ? DIFF_FRAME_NONE : frame,
				 .share = (double)graph->node_self[side][i] /
					  (double)graph->total[side][root->frame],
			 });
	}
	if (works->count)
		qsort(works->at, works->count, sizeof(*works->at), compare_work);
	join_work(list, works);
	memory_free(numbers);
	memory_free(root_of);
}

/* Returns the share of work that two roots have in common, from 0 to 1. */
static double common_work(const struct roots *roots, const struct root *before,
			  const struct root *after)
{
	const struct root_work *left = roots->works[DIFF_BEFORE].at + before->first;
	const struct root_work *right = roots->works[DIFF_AFTER].at + after->first;
	double sum = 0;

	for (size_t i = 0, k = 0; i < before->count && k < after->count;) {
		if (left[i].frame == right[k].frame) {
			sum += left[i].share < right[k].share ? left[i].share : right[k].share;
			i++;
			k++;
		} else if (left[i].frame < right[k].frame) {
			i++;
		} else {
			k++;
		}
	}
	return sum;
}

/*
 * Whether the common beginning and end of two names are long enough, as in svc_before and
 * svc_after.
 */
static bool are_similar(struct text a, struct text b)
{
	uint32_t shorter = a.length < b.length ? a.length : b.length;
	uint32_t begin = 0;
	uint32_t end = 0;

	while (begin < shorter && a.at[begin] == b.at[begin])
		begin++;
	while (end < shorter - begin && a.at[a.length - 1 - end] == b.at[b.length - 1 - end])
		end++;
	return begin + end >= ALIKE_BYTES_MIN && begin + end >= ALIKE_SHARE_MIN * shorter;
}

static double least_common_work(const struct roots *roots, const struct root *before,
				const struct root *after)
{
	const struct diff_graph *graph = roots->graph;

	if (are_similar(diff_graph_name(roots->graph, before->frame),
			diff_graph_name(roots->graph, after->frame)))
		return WORK_MIN_ALIKE;
	return diff_graph_share(graph, before->frame, DIFF_BEFORE) > 0.5 &&
			       diff_graph_share(graph, after->frame, DIFF_AFTER) > 0.5
		       ? WORK_MIN_MAIN
		       : WORK_MIN;
}

static int compare_matches(const void *a, const void *b)
{
	const struct root_match *left = a;
	const struct root_match *right = b;

	if (left->score != right->score)
		return left->score > right->score ? -1 : 1;
	/* Ties are decided by weight, because lists are sorted by weight. */
	if (left->roots[DIFF_BEFORE] != right->roots[DIFF_BEFORE])
		return left->roots[DIFF_BEFORE] < right->roots[DIFF_BEFORE] ? -1 : 1;
	return left->roots[DIFF_AFTER] < right->roots[DIFF_AFTER] ? -1 : 1;
}

/* Pairs roots that do the same work, the most similar first. */
static void pair_by_work(struct roots *roots)
{
	const root_list *lists = roots->lists;
	VEC(struct root_match) matches = { 0 };

	for (uint32_t i = 0; i < lists[DIFF_BEFORE].count; i++)
		for (uint32_t k = 0; k < lists[DIFF_AFTER].count; k++) {
			const struct root *before = &lists[DIFF_BEFORE].at[i];
			const struct root *after = &lists[DIFF_AFTER].at[k];
			double score = common_work(roots, before, after);

			if (score >= least_common_work(roots, before, after))
				vec_push(&matches, (struct root_match){ { i, k }, score });
		}
	if (matches.count)
		qsort(matches.at, matches.count, sizeof(*matches.at), compare_matches);
	for (size_t i = 0; i < matches.count; i++) {
		const struct root *before =
			&lists[DIFF_BEFORE].at[matches.at[i].roots[DIFF_BEFORE]];
		const struct root *after = &lists[DIFF_AFTER].at[matches.at[i].roots[DIFF_AFTER]];

		if (roots->is_paired[before->frame] || roots->is_paired[after->frame])
			continue;
		add_pair(roots, before->frame, after->frame, matches.at[i].score);
		if (before->own_module != DIFF_FRAME_NONE && after->own_module != DIFF_FRAME_NONE)
			roots->to[before->own_module] = after->own_module;
	}
	vec_free(&matches);
}

/* The group with each name, by str_id; DIFF_FRAME_NONE if there is none. */
static uint32_t *list_groups(const struct profile *profile)
{
	uint32_t *groups = memory_alloc(profile->strings->rows.count, sizeof(*groups));

	for (size_t i = 0; i < profile->strings->rows.count; i++)
		groups[i] = DIFF_FRAME_NONE;
	for (uint32_t i = 0; i < profile->frames.count; i++)
		if (profile->frames.at[i].kind == FRAME_GROUP)
			groups[profile->frames.at[i].name.i] = i;
	return groups;
}

/* Whether each frame has callers other than groups at the root. */
static bool *list_called(const struct diff_graph *graph)
{
	const struct diff_node *nodes = graph->tree->nodes.at;
	bool *is_called = memory_zalloc(graph->frame_count, sizeof(*is_called));

	for (size_t i = 1; i < graph->tree->nodes.count; i++)
		if (nodes[i].parent && nodes[nodes[i].parent].parent)
			is_called[nodes[i].frame] = true;
	return is_called;
}

/*
 * If stacks of one side begin without a thread, their first function counts as the thread. It is
 * then the first function of the other side's threads, which is not new:
 *
 *     before        after
 *      main 9        app 9
 *       parse 9       main 9
 *                      parse 9
 */
bool diff_groups_map(const struct diff_graph *graph, const struct diff_alignment *alignment,
		     struct diff_aligned *aligned, uint32_t *to)
{
	const struct profile *profile = graph->tree->profile;
	uint32_t *groups = list_groups(profile);
	bool *is_called = list_called(graph);
	bool is_changed = false;

	(void)aligned;
	for (uint32_t i = 0; i < graph->frame_count && alignment->mends; i++) {
		uint32_t group = groups[profile->frames.at[i].name.i];

		if (group == DIFF_FRAME_NONE || group == i || is_called[i])
			continue;
		for (int side = 0; side < DIFF_SIDES; side++)
			if (diff_graph_is_only(graph, i, (enum diff_side)side) &&
			    diff_graph_is_only(graph, group, (enum diff_side) !side))
				to[i] = group;
		is_changed |= to[i] != i;
	}
	memory_free(groups);
	memory_free(is_called);
	return is_changed;
}

bool diff_roots_map(const struct diff_graph *graph, const struct diff_alignment *alignment,
		    struct diff_aligned *aligned, uint32_t *to)
{
	struct roots roots = { .graph = graph, .aligned = aligned, .to = to };

	if (!alignment->pairs_roots)
		return false;
	roots.is_paired = memory_zalloc(graph->frame_count, sizeof(*roots.is_paired));
	list_roots(&roots, DIFF_BEFORE);
	list_roots(&roots, DIFF_AFTER);
	if (roots.lists[DIFF_BEFORE].count && roots.lists[DIFF_AFTER].count) {
		pair_pools(&roots);
		for (int side = 0; side < DIFF_SIDES; side++) {
			choose_heaviest(&roots, (enum diff_side)side);
			find_own_modules(&roots, (enum diff_side)side);
			find_work(&roots, (enum diff_side)side);
		}
		pair_by_work(&roots);
	}
	for (int side = 0; side < DIFF_SIDES; side++) {
		vec_free(&roots.lists[side]);
		vec_free(&roots.works[side]);
	}
	memory_free(roots.is_paired);
	return roots.is_changed;
}
