/* SPDX-License-Identifier: MIT */
#include "render/text/summary.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/short_label.h"
#include "render/svg/palette.h"

/* Maximum number of parts and functions that are named, and of cells for each name. */
#define PARTS_MAX  3
#define NAME_CELLS 40
/* Parts with less than a 50th of the profile are not named. */
#define SHARE_MIN 50
/*
 * A frame with more than 49 fiftieths of its caller's weight does not show how the time is divided.
 */
#define SHARE_ALMOST_ALL 49

static int compare(const struct hottest *left, const struct hottest *right)
{
	if (left->self != right->self)
		return left->self > right->self ? -1 : 1;
	return text_compare(left->name, right->name);
}

/* Returns the weight of samples whose leaf is this row's frame. */
static uint64_t ended_in(const struct profile *profile, const struct stack *stack)
{
	const struct stack *below = &profile->stacks.at[stack->parent];
	bool is_group = profile->frames.at[stack->frame.i].kind == FRAME_GROUP;

	if (!profile->is_reversed || is_group)
		return stack->self;
	if (stack->parent && profile->frames.at[below->frame.i].kind != FRAME_GROUP)
		return 0;
	return stack->total;
}

/* Inserts a row into sorted rows. The last row is dropped if there are more than count_max. */
static size_t insert(struct hottest *rows, size_t count, size_t count_max, struct hottest row)
{
	size_t at = count;

	for (; at && compare(&row, &rows[at - 1]) < 0; at--)
		if (at < count_max)
			rows[at] = rows[at - 1];
	if (at < count_max)
		rows[at] = row;
	return count < count_max ? count + 1 : count;
}

size_t summary_hottest(const struct profile *profile, struct hottest *rows, size_t count_max)
{
	uint64_t *self;
	size_t count = 0;

	if (profile->lanes.has_instants)
		return 0;
	self = memory_zalloc(profile->strings->rows.count, sizeof(*self));
	for (size_t i = 0; i < profile->exact.functions.count; i++)
		self[profile->frames.at[i].name.i] += profile->exact.functions.at[i].self;
	for (size_t i = 1; i < profile->stacks.count && !profile->exact.functions.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];
		uint64_t *sum = &self[profile->frames.at[stack->frame.i].name.i];

		*sum = saturate_add(*sum, ended_in(profile, stack));
	}
	for (uint32_t i = 0; i < profile->strings->rows.count; i++)
		if (self[i])
			count = insert(rows, count, count_max,
				       (struct hottest){
					       strings_get(profile->strings, (str_id){ i }),
					       self[i],
				       });
	memory_free(self);
	return count;
}

void summary_write(const struct profile *profile, struct sink *sink)
{
	uint64_t total = profile->stacks.count ? profile->stacks.at[0].total : 0;
	struct hottest hottest;

	sink_puts(sink, "samples:      ");
	number_grouped(sink, profile->view_sample_count);
	sink_puts(sink, " of ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, "\ntime span:    ");
	if (profile_has_time(profile))
		number_duration(sink, profile->last_time_ns - profile->first_time_ns);
	else
		sink_puts(sink,
			  profile->added_count
				  ? "unknown, because samples of some inputs have no timestamps"
				  : "unknown, because the samples have no timestamps");
	sink_puts(sink, "\nhottest leaf: ");
	if (summary_hottest(profile, &hottest, 1)) {
		escape_terminal(sink, hottest.name);
		sink_puts(sink, ", ");
		number_percent(sink, hottest.self, total);
	} else {
		sink_puts(sink, profile->lanes.has_instants
					? "unknown, because the durations of samples are unknown"
					: "none, because there are no samples");
	}
	sink_char(sink, '\n');
}

struct part {
	uint32_t row;
	uint64_t weight;
};

static void write_name(struct text name, struct sink *sink)
{
	short_label_write(palette_bare_name(name), NAME_CELLS, sink);
}

/* Keeps the heaviest parts, largest first. If parts are equal, the first stays first. */
static void keep_part(struct part parts[PARTS_MAX], struct part part)
{
	for (size_t i = 0; i < PARTS_MAX; i++) {
		struct part smaller = parts[i];

		if (part.weight <= smaller.weight)
			continue;
		parts[i] = part;
		part = smaller;
	}
}

static void find_parts(const struct profile *profile, uint32_t row, struct part parts[PARTS_MAX])
{
	memset(parts, 0, PARTS_MAX * sizeof(*parts));
	for (uint32_t i = row + 1; i < profile->stacks.at[row].end; i = profile->stacks.at[i].end)
		keep_part(parts, (struct part){ i, profile->stacks.at[i].total });
}

/*
 * Finds the frame below which the profile divides: the root, or a frame that contains almost all of
 * the profile. Lists its parts.
 */
static uint32_t find_division(const struct profile *profile, uint64_t total,
			      struct part parts[PARTS_MAX])
{
	uint64_t least = total - total / (SHARE_ALMOST_ALL + 1);
	uint32_t row = 0;

	find_parts(profile, row, parts);
	while (parts[0].weight >= least) {
		struct part found[PARTS_MAX];

		find_parts(profile, parts[0].row, found);
		if (!found[0].weight)
			break;
		row = parts[0].row;
		memcpy(parts, found, sizeof(found));
	}
	return row;
}

static bool is_worth_naming(uint64_t total, uint64_t weight)
{
	return weight && weight >= total / SHARE_MIN;
}

static void write_share(uint64_t total, uint64_t weight, struct sink *sink)
{
	sink_char(sink, ' ');
	number_percent(sink, weight, total);
}

static const char *write_parts(const struct profile *profile, uint64_t total, struct sink *sink)
{
	struct part parts[PARTS_MAX];
	uint32_t row = find_division(profile, total, parts);
	const char *separator = "";

	if (row && is_worth_naming(total, parts[0].weight)) {
		write_name(profile_frame_name(profile, profile->stacks.at[row].frame), sink);
		separator = ": ";
	}
	for (size_t i = 0; i < PARTS_MAX && is_worth_naming(total, parts[i].weight); i++) {
		sink_puts(sink, separator);
		write_name(profile_frame_name(profile, profile->stacks.at[parts[i].row].frame),
			   sink);
		write_share(total, parts[i].weight, sink);
		separator = ", ";
	}
	return *separator ? "; " : "";
}

void summary_write_headline(const struct profile *profile, uint64_t total, struct sink *sink)
{
	struct hottest rows[PARTS_MAX];
	const char *separator = "";
	size_t count;

	if (!profile->stacks.count || !total)
		return;
	/*
	 * Not for flame charts and reversed profiles, whose first level is time, or the leaf
	 * functions, which are listed anyway.
	 */
	if (!profile->begins.count && !profile->is_reversed)
		separator = write_parts(profile, total, sink);
	count = summary_hottest(profile, rows, PARTS_MAX);
	for (size_t i = 0; i < count && is_worth_naming(total, rows[i].self); i++) {
		sink_puts(sink, separator);
		sink_puts(sink, i ? "" : "top self: ");
		write_name(rows[i].name, sink);
		write_share(total, rows[i].self, sink);
		separator = ", ";
	}
}
