/* SPDX-License-Identifier: MIT */
#include "histogram/histogram_set.h"

#include "base/hash.h"
#include <math.h>
#include <stdlib.h>

#include "base/scan.h"
#include "base/sink.h"
#include "offcpu/single_intervals.h"
#include "profile/bucket.h"
#include "profile/interval.h"

#define MARK_NONE UINT32_MAX

/* A leaf frame: its bucket and count, and the row to which they are added. */
struct leaf {
	uint32_t row;
	uint32_t mark; /* the frame that states why a runnable thread did not run; or MARK_NONE */
	struct bucket_range range;
	uint64_t count;
};

struct maker {
	const struct profile *profile;
	const struct histogram_set_options *options;
	VEC(struct leaf) leaves;
	struct histogram_set *set;
};

/*
 * Finds the unit in an event name, such as "usecs" and "query latency (ms)" from BCC's tools, or
 * "@lat_us" from a bpftrace map.
 */
static double unit_of(struct text event)
{
	static const struct {
		const char *ending;
		double ns;
	} rows[] = {
		{ "nsecs", 1 }, { "usecs", 1e3 }, { "msecs", 1e6 }, { " secs", 1e9 },
		{ "(ns)", 1 },  { "(us)", 1e3 },  { "(ms)", 1e6 },  { "(s)", 1e9 },
		{ "_ns", 1 },   { "_us", 1e3 },   { "_ms", 1e6 },   { "_s", 1e9 },
		{ "@ns", 1 },   { "@us", 1e3 },   { "@ms", 1e6 },   { "@usecs", 1e3 },
	};

	if (text_is(event, "secs") || text_is(event, "@s"))
		return 1e9;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (text_has_suffix(event, rows[i].ending))
			return rows[i].ns;
	return 0;
}

static struct bucket_range range_of_rounded(uint64_t duration_ns)
{
	/* interval_round_ns returned the middle of this range. */
	unsigned shift = duration_ns >> 13 ? 51 - (unsigned)__builtin_clzll(duration_ns) : 0;
	double half = shift ? ldexp(1, (int)shift - 1) : 0;

	return (struct bucket_range){ (double)duration_ns - half, (double)duration_ns + half };
}

static bool range_of(const struct maker *maker, frame_id frame, struct bucket_range *ret)
{
	struct text name = profile_frame_name(maker->profile, frame);
	const struct single_interval *single;
	uint64_t duration_ns;

	if (!maker->options->are_durations)
		return bucket_range(name, ret);
	/*
	 * Round the duration like those of intervals without a frame, so that frames do not affect
	 * quantiles.
	 */
	single = single_intervals_find(maker->profile, frame);
	if (single)
		duration_ns = interval_round_ns(single->duration_ns);
	else if (!text_to_u64(name, &duration_ns))
		return false;
	*ret = range_of_rounded(duration_ns);
	return true;
}

static uint32_t row_of(const struct maker *maker, uint32_t leaf)
{
	const struct stack *stacks = maker->profile->stacks.at;
	uint32_t row = stacks[leaf].parent;

	while (maker->options->level_count && stacks[row].depth > maker->options->level_count)
		row = stacks[row].parent;
	return row;
}

/*
 * Distinguishes delays on the run queue from blocked time. Needed only if stacks are grouped,
 * because whole stacks include the mark.
 */
static uint32_t mark_of(const struct maker *maker, uint32_t leaf)
{
	const struct stack *stacks = maker->profile->stacks.at;
	frame_id frame = stacks[stacks[leaf].parent].frame;
	enum frame_kind kind = maker->profile->frames.at[frame.i].kind;

	return kind == FRAME_RUN_QUEUE || kind == FRAME_PREEMPTED ? frame.i : MARK_NONE;
}

static bool collect(struct maker *maker, struct error *err)
{
	const struct profile *profile = maker->profile;

	for (uint32_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];
		struct leaf leaf = { .count = stack->self };
		struct text name = profile_frame_name(profile, stack->frame);

		if (!stack->self)
			continue;
		if (!range_of(maker, stack->frame, &leaf.range)) {
			if (maker->options->are_durations)
				continue;
			return error_set(
				err, ERROR_USAGE,
				"%s is not a histogram (\"%.*s\" is not a bucket); use --event to "
				"choose one, or --latency for off-CPU times",
				strings_text(profile->strings, profile->event_name),
				(int)(name.length < 40 ? name.length : 40), name.at);
		}
		leaf.row = row_of(maker, i);
		leaf.mark = mark_of(maker, i);
		vec_push(&maker->leaves, leaf);
	}
	return true;
}

static int compare_leaves(const void *a, const void *b)
{
	const struct leaf *left = a;
	const struct leaf *right = b;

	if (left->mark != right->mark)
		return left->mark < right->mark ? 1 : -1;
	return (left->row > right->row) - (left->row < right->row);
}

static struct text name_of(const struct maker *maker, const struct leaf *leaf, bool is_all)
{
	const struct profile *profile = maker->profile;
	uint32_t depth = is_all ? 0 : profile->stacks.at[leaf->row].depth;
	struct text *names = memory_alloc(depth + 1, sizeof(*names));
	struct sink name;
	struct text ret;

	for (uint32_t row = leaf->row, i = depth; i; row = profile->stacks.at[row].parent)
		names[--i] = profile_frame_name(profile, profile->stacks.at[row].frame);
	if (leaf->mark != MARK_NONE && (is_all || maker->options->level_count))
		names[depth++] = profile_frame_name(profile, (frame_id){ leaf->mark });
	sink_init_memory(&name);
	for (uint32_t i = 0; i < depth; i++) {
		sink_puts(&name, i ? ";" : "");
		sink_text(&name, names[i]);
	}
	ret = sink_memory(&name);
	ret.at = arena_text(&maker->set->arena, ret.length ? ret.at : "", ret.length);
	sink_deinit(&name);
	memory_free(names);
	return ret;
}

/* Adds a histogram for each set of leaves with the same row or, with is_all, the same mark. */
static bool add_rows(struct maker *maker, bool is_all, struct error *err)
{
	const struct leaf *leaves = maker->leaves.at;
	size_t end;

	for (size_t i = 0; i < maker->leaves.count; i = end) {
		struct named_histogram row = { .name = name_of(maker, &leaves[i], is_all) };

		for (end = i; end < maker->leaves.count && leaves[end].mark == leaves[i].mark &&
			      (is_all || leaves[end].row == leaves[i].row);
		     end++)
			histogram_add(&row.histogram, leaves[end].range.low, leaves[end].range.high,
				      leaves[end].count);
		vec_push(&maker->set->rows, row);
		if (!histogram_finish(&maker->set->rows.at[maker->set->rows.count - 1].histogram))
			return error_set(
				err, ERROR_UNSUPPORTED,
				"buckets of the histogram overlap, so its quantiles are not "
				"known");
	}
	return true;
}

static int compare_rows(const void *a, const void *b)
{
	const struct named_histogram *left = a;
	const struct named_histogram *right = b;

	if (left->histogram.count != right->histogram.count)
		return left->histogram.count > right->histogram.count ? -1 : 1;
	return text_compare(left->name, right->name);
}

bool histogram_set_make(struct histogram_set *set, const struct profile *profile,
			const struct histogram_set_options *options, struct error *err)
{
	struct maker maker = { .profile = profile, .options = options, .set = set };
	bool good;

	*set = (struct histogram_set){ .are_durations = options->are_durations };
	arena_init(&set->arena);
	idtable_init(&set->ids);
	set->what = strings_get(profile->strings, options->are_durations ? profile->weight_name
									 : profile->event_name);
	set->unit_ns = options->are_durations ? 1 : unit_of(set->what);
	good = collect(&maker, err);
	if (maker.leaves.count > 1)
		qsort(maker.leaves.at, maker.leaves.count, sizeof(*maker.leaves.at),
		      compare_leaves);
	good = good && add_rows(&maker, true, err);
	set->all_count = set->rows.count;
	good = good && add_rows(&maker, false, err);
	if (set->rows.count > set->all_count + 1)
		qsort(set->rows.at + set->all_count, set->rows.count - set->all_count,
		      sizeof(*set->rows.at), compare_rows);
	for (size_t i = 0; i < set->rows.count; i++) {
		struct text name = set->rows.at[i].name;

		idtable_add(&set->ids, hash_bytes(name.at, name.length, 0), (uint32_t)i);
	}
	vec_free(&maker.leaves);
	return good;
}

static struct text copy_text(struct histogram_set *set, struct text text)
{
	return (struct text){ arena_text(&set->arena, text.at, text.length), text.length };
}

void histogram_set_begin(struct histogram_set *set, struct text what, double unit_ns)
{
	*set = (struct histogram_set){ .are_durations = true, .all_count = 1, .unit_ns = unit_ns };
	arena_init(&set->arena);
	idtable_init(&set->ids);
	set->what = copy_text(set, what);
	vec_push(&set->rows, (struct named_histogram){ .name = text_of("") });
}

void histogram_set_add(struct histogram_set *set, struct text name, const uint64_t *values,
		       size_t count, double factor)
{
	struct named_histogram row = { .name = copy_text(set, name) };

	for (size_t i = 0; i < count; i++) {
		double value = (double)values[i] * factor;

		histogram_add(&set->rows.at[0].histogram, value, value, 1);
		if (name.length)
			histogram_add(&row.histogram, value, value, 1);
	}
	/* The row for all values has no name. */
	if (name.length)
		vec_push(&set->rows, row);
}

void histogram_set_end(struct histogram_set *set)
{
	for (size_t i = 0; i < set->rows.count; i++) {
		struct named_histogram *row = &set->rows.at[i];

		(void)!histogram_finish(&row->histogram);
		idtable_add(&set->ids, hash_bytes(row->name.at, row->name.length, 0), (uint32_t)i);
	}
}

void histogram_set_deinit(struct histogram_set *set)
{
	for (size_t i = 0; i < set->rows.count; i++)
		histogram_deinit(&set->rows.at[i].histogram);
	vec_free(&set->rows);
	idtable_deinit(&set->ids);
	arena_deinit(&set->arena);
}

bool histogram_sets_match(const struct histogram_set *before, const struct histogram_set *after,
			  struct error *err)
{
	return before->unit_ns == after->unit_ns ||
	       error_set(err, ERROR_USAGE,
			 "the units of %.*s and %.*s differ or are not known; histograms with "
			 "different units cannot be compared",
			 (int)before->what.length, before->what.at, (int)after->what.length,
			 after->what.at);
}

const struct histogram *histogram_set_find(const struct histogram_set *set, struct text name)
{
	struct idtable_probe probe = idtable_find(&set->ids, hash_bytes(name.at, name.length, 0));
	uint32_t id;

	while ((id = idtable_next(&set->ids, &probe)) != IDTABLE_NONE)
		if (text_equal(set->rows.at[id].name, name))
			return &set->rows.at[id].histogram;
	return NULL;
}
