/* SPDX-License-Identifier: MIT */
#include "profile/tree/merge.h"

#include "base/arithmetic.h"
#include "base/idmap.h"
#include "profile/event_name.h"
#include "profile/frame_table.h"
#include "profile/tree/join_builds.h"
#include "profile/tree/merge_parts.h"
#include "profile/tree/stack_tree.h"

struct merge {
	struct profile *profile;
	const struct profile *from;
	bool parts_modules;
	struct frame_table frames;
	uint32_t *of_own, *of_other; /* new ids, by old id in the profile and in `from` */
};

static str_id take_string(struct merge *merge, str_id id)
{
	struct text text = strings_get(merge->from->strings, id);

	return strings_intern(merge->profile->strings, text.at, text.length);
}

/* For a module of the other profile, copies the paths at which its symbol files were searched. */
static void copy_searched_paths(struct merge *merge, struct module *module)
{
	const struct searched_path *from = merge->from->modules->searched_paths.at;
	struct modules *modules = merge->profile->modules;
	uint32_t first = (uint32_t)modules->searched_paths.count;

	for (uint32_t i = 0; i < module->searched_count; i++) {
		struct searched_path searched = from[module->searched_first + i];

		searched.path = take_string(merge, searched.path);
		searched.reason = take_string(merge, searched.reason);
		vec_push(&modules->searched_paths, searched);
	}
	module->searched_first = first;
}

static module_id take_module(struct merge *merge, module_id id)
{
	struct modules *modules = merge->profile->modules;
	struct module module = *modules_get(merge->from->modules, id);
	size_t count_before = modules->rows.count;
	struct module *row;
	module_id taken;

	module.path = take_string(merge, module.path);
	module.reference_symbol = take_string(merge, module.reference_symbol);
	module.symbol_file = take_string(merge, module.symbol_file);
	module.reason = take_string(merge, module.reason);
	module.inline_reason = take_string(merge, module.inline_reason);
	taken = modules_intern(modules, &module);
	row = modules_get(modules, taken);
	if (modules->rows.count > count_before) {
		copy_searched_paths(merge, row);
		return taken;
	}
	if (row->match == MATCH_NOT_NEEDED) {
		copy_searched_paths(merge, &module);
		row->searched_first = module.searched_first;
		row->searched_count = module.searched_count;
		row->searched_more_count = module.searched_more_count;
		row->match = module.match;
		row->build_id_proof = module.build_id_proof;
		row->symbol_file = module.symbol_file;
		row->reason = module.reason;
		row->inline_reason = module.inline_reason;
	}
	row->location_count += module.location_count;
	row->named_count += module.named_count;
	return taken;
}

/* Renumbers the frames of both profiles; equal frames get the same id. */
static void take_frames(struct merge *merge)
{
	const struct profile *from = merge->from;
	struct profile *profile = merge->profile;
	module_id *modules = memory_alloc(from->modules->rows.count, sizeof(*modules));

	/* Build-ids may have been assigned to modules after they were added. */
	modules_index(profile->modules);
	for (uint32_t i = 0; i < from->modules->rows.count; i++)
		modules[i] = take_module(merge, (module_id){ i });
	merge->of_own = memory_alloc(profile->frames.count, sizeof(*merge->of_own));
	for (size_t i = 0; i < profile->frames.count; i++)
		merge->of_own[i] = frame_table_intern(&merge->frames, &profile->frames.at[i]);
	merge->of_other = memory_alloc(from->frames.count, sizeof(*merge->of_other));
	for (size_t i = 0; i < from->frames.count; i++) {
		struct frame frame = from->frames.at[i];

		frame.name = take_string(merge, frame.name);
		frame.source = take_string(merge, frame.source);
		frame.module = modules[frame.module.i];
		merge->of_other[i] = frame_table_intern(&merge->frames, &frame);
	}
	memory_free(modules);
}

static struct text path_of(const struct merge *merge, const struct frame *frame)
{
	return strings_get(merge->profile->strings,
			   modules_get(merge->profile->modules, frame->module)->path);
}

/*
 * Returns which of two rows comes first. The deeper row comes first, because the other tree lacks
 * its subtree or has already left it. Rows of the same depth have the same parent.
 */
static int compare(const struct merge *merge, const struct stack *own, const struct stack *other)
{
	const struct frame *left = &merge->frames.rows.at[merge->of_own[own->frame.i]];
	const struct frame *right = &merge->frames.rows.at[merge->of_other[other->frame.i]];
	int order;

	if (own->depth != other->depth)
		return own->depth > other->depth ? -1 : 1;
	order = frame_name_compare(strings_get(merge->profile->strings, left->name),
				   strings_get(merge->profile->strings, right->name));
	return order || !merge->parts_modules
		       ? order
		       : text_compare(path_of(merge, left), path_of(merge, right));
}

/*
 * Returns a frame that stands for a frame of each profile, which have the same name. The order of
 * several merges does not matter, but partly merged frames stay in the table.
 */
static uint32_t merge_frames(struct merge *merge, uint32_t own, uint32_t other)
{
	struct frame frame = merge->frames.rows.at[own];
	module_id module;

	if (own == other)
		return own;
	module = join_builds_of(merge->profile->modules, frame.module,
				merge->frames.rows.at[other].module);
	frame_merge(&frame, &merge->frames.rows.at[other], merge->profile->modules);
	frame.module = module;
	return frame_table_intern(&merge->frames, &frame);
}

/* Adds a row that only one tree has, or the sum of two rows if both trees have it. */
static void add_row(struct merge *merge, const struct stack *own, const struct stack *other)
{
	uint32_t frame = own ? merge->of_own[own->frame.i] : merge->of_other[other->frame.i];
	struct stack *row;

	if (own && other)
		frame = merge_frames(merge, frame, merge->of_other[other->frame.i]);
	row = stack_tree_add_row(merge->profile, own ? own->depth : other->depth, frame);
	row->self = saturate_add(own ? own->self : 0, other ? other->self : 0);
}

/* Adds sample counts to the row that was added last. */
static void add_count(struct merge *merge, uint64_t own, uint64_t other)
{
	profile_count_samples(merge->profile, merge->profile->stacks.count - 1,
			      saturate_add(own, other));
}

static void merge_trees(struct merge *merge)
{
	const struct profile *from = merge->from;
	struct profile *profile = merge->profile;
	struct profile old = *profile;
	uint32_t *of_own = memory_zalloc(old.stacks.count, sizeof(*of_own));
	uint32_t *of_other = memory_zalloc(from->stacks.count, sizeof(*of_other));
	size_t i = 1;
	size_t k = 1;

	profile->stacks.at = NULL;
	profile->stacks.count = profile->stacks.capacity = 0;
	profile->sample_counts.at = NULL;
	profile->sample_counts.count = profile->sample_counts.capacity = 0;
	stack_tree_add_row(profile, 0, 0)->self =
		saturate_add(old.stacks.at[0].self, from->stacks.at[0].self);
	add_count(merge, profile_sample_count(&old, 0), profile_sample_count(from, 0));
	while (i < old.stacks.count || k < from->stacks.count) {
		const struct stack *own = i < old.stacks.count ? &old.stacks.at[i] : NULL;
		const struct stack *other = k < from->stacks.count ? &from->stacks.at[k] : NULL;
		int order = !other ? -1 : !own ? 1 : compare(merge, own, other);

		add_row(merge, order <= 0 ? own : NULL, order >= 0 ? other : NULL);
		add_count(merge, order <= 0 ? profile_sample_count(&old, i) : 0,
			  order >= 0 ? profile_sample_count(from, k) : 0);
		if (order <= 0)
			of_own[i++] = (uint32_t)profile->stacks.count - 1;
		if (order >= 0)
			of_other[k++] = (uint32_t)profile->stacks.count - 1;
	}
	stack_tree_finish(profile);
	merge_bins(profile, from, of_own, of_other);
	memory_free(of_own);
	memory_free(of_other);
	vec_free(&old.stacks);
	vec_free(&old.sample_counts);
	frame_table_finish(&merge->frames, profile);
}

static void merge_event(struct profile_event *event, const struct profile_event *from)
{
	event->is_shown |= from->is_shown;
	event->sample_count = saturate_add(event->sample_count, from->sample_count);
	event->period_sum = saturate_add(event->period_sum, from->period_sum);
	event->deviation += from->deviation;
	event->has_deviation &= from->has_deviation;
	if (from->first_time_ns < event->first_time_ns)
		event->first_time_ns = from->first_time_ns;
}

/* Fills a map from the profile's event names to their indexes. */
static void index_events(const struct profile *profile, struct idmap *known)
{
	idmap_init(known);
	for (size_t i = 0; i < profile->events.count; i++)
		idmap_add(known, profile->events.at[i].name.i, (uint32_t)i);
	idmap_sort(known);
}

/* The selected events of both profiles are the same, but their names can be spelled differently. */
static str_id merged_name(struct merge *merge, const struct profile_event *event)
{
	if (event->name.i == merge->from->event_name.i)
		return merge->profile->event_name;
	return take_string(merge, event->name);
}

static void merge_events(struct merge *merge)
{
	struct profile *profile = merge->profile;
	struct idmap known;

	index_events(profile, &known);
	for (size_t i = 0; i < merge->from->events.count; i++) {
		struct profile_event event = merge->from->events.at[i];
		uint32_t row;

		event.name = merged_name(merge, &event);
		/*
		 * Samples are already weighted and grouped by their fields, so the fields are not
		 * merged.
		 */
		event.field_first = event.field_count = 0;
		row = idmap_find(&known, event.name.i);
		if (row == IDMAP_NONE)
			vec_push(&profile->events, event);
		else
			merge_event(&profile->events.at[row], &event);
	}
	idmap_deinit(&known);
}

/*
 * The clocks of two captures may differ, so the merged profile begins when the first capture began,
 * and its duration is the sum of both. A sum of which a part is unknown would mislead.
 */
static void merge_times(struct profile *profile, const struct profile *from)
{
	uint64_t spans_ns = saturate_add(profile->last_time_ns - profile->first_time_ns,
					 from->last_time_ns - from->first_time_ns);
	bool are_known = profile->clock.is_known && from->clock.is_known;
	bool is_earlier;

	if (!profile_has_time(profile) || !profile_has_time(from)) {
		profile->first_time_ns = UINT64_MAX;
		profile->last_time_ns = 0;
		return;
	}
	is_earlier = are_known ? wall_clock_of(&from->clock, from->first_time_ns) <
					 wall_clock_of(&profile->clock, profile->first_time_ns)
			       : from->first_time_ns < profile->first_time_ns;
	if (is_earlier) {
		profile->first_time_ns = from->first_time_ns;
		profile->clock = from->clock;
	}
	profile->clock.is_known = are_known;
	profile->last_time_ns = saturate_add(profile->first_time_ns, spans_ns);
	profile->unselected_ns = saturate_add(profile->unselected_ns, from->unselected_ns);
}

static void merge_counts(struct merge *merge)
{
	const struct profile *from = merge->from;
	struct profile *profile = merge->profile;

	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		profile->losses[i] = saturate_add(profile->losses[i], from->losses[i]);
	profile->shows_waits |= from->shows_waits;
	profile->lacks_sample_counts |= from->lacks_sample_counts;
	profile->sample_count = saturate_add(profile->sample_count, from->sample_count);
	profile->unwound_count += from->unwound_count;
	profile->view_sample_count =
		saturate_add(profile->view_sample_count, from->view_sample_count);
	profile->mapping_count += from->mapping_count;
	profile->process_count += from->process_count;
	profile->thread_count += from->thread_count;
	profile->added_count = saturate_add(profile->added_count, from->added_count + 1);
	merge_times(profile, from);
	if (!profile->partial_reason && from->partial_reason)
		profile->partial_reason =
			strings_text(profile->strings,
				     strings_intern_text(profile->strings, from->partial_reason));
	for (size_t i = 0; i < FACT_COUNT; i++)
		if (!from->facts[i].at || !profile->facts[i].at ||
		    !text_equal(from->facts[i], profile->facts[i]))
			profile->facts[i] = (struct text){ 0 };
}

/*
 * If each event has its own unit, returns the name of an event that has different units in the two
 * profiles, or NULL.
 */
static const char *event_of_two_units(const struct profile *profile, const struct profile *from)
{
	const char *found = NULL;
	struct idmap known;

	index_events(profile, &known);
	for (size_t i = 0; !found && i < from->events.count; i++) {
		const struct profile_event *event = &from->events.at[i];
		struct text name = strings_get(from->strings, event->name);
		uint32_t row = idmap_find(&known, strings_find(profile->strings, name).i);
		const struct profile_event *own =
			row == IDMAP_NONE ? NULL : &profile->events.at[row];

		if (own && own->is_shown && event->is_shown &&
		    profile_event_unit(profile, own) != profile_event_unit(from, event))
			found = name.at;
	}
	idmap_deinit(&known);
	return found;
}

static bool can_merge(const struct profile *profile, const struct profile *from, struct error *err)
{
	const char *event = strings_text(profile->strings, profile->event_name);
	const char *other = strings_text(from->strings, from->event_name);
	const char *two_units;

	if (!event_names_add_up(text_of(event), text_of(other)))
		return error_set(err, ERROR_USAGE,
				 "has the event %s, but the previous input has %s, and different "
				 "events cannot be added up; choose one with --event, or use --by "
				 "event",
				 other, event);
	two_units = profile->unit == from->unit ? event_of_two_units(profile, from) : event;
	return !two_units ||
	       error_set(err, ERROR_USAGE,
			 "has the event %s in a different unit from the previous input, "
			 "and different units cannot be added up",
			 two_units);
}

bool profile_merge(struct profile *profile, const struct profile *from, bool parts_modules,
		   struct error *err)
{
	struct merge merge = { .profile = profile, .from = from, .parts_modules = parts_modules };
	struct merge_exact exact;

	if (!can_merge(profile, from, err))
		return false;
	frame_table_init(&merge.frames);
	merge_exact_begin(&exact, profile, from);
	take_frames(&merge);
	merge_trees(&merge);
	merge_exact_end(&exact, profile, from, merge.of_own, merge.of_other);
	merge_events(&merge);
	merge_counts(&merge);
	memory_free(merge.of_own);
	memory_free(merge.of_other);
	frame_table_deinit(&merge.frames);
	return true;
}
