/* SPDX-License-Identifier: MIT */
#include "libparse/svg/svg_rectangles.h"

#include "base/scan.h"

#define NONE UINT32_MAX

#define UNITS_PER_PIXEL 10000
#define THOUSAND        1000u
/* The delta of a title is in these of all. */
#define DELTAS_PER_WHOLE 10000

/* Measures beyond this are of no picture. */
#define MEASURE_MAX ((int64_t)1 << 40)

/* "608.4", "12.3456%" */
static bool parse_measure(struct text text, int64_t *ret)
{
	int64_t value = 0;
	int64_t place = UNITS_PER_PIXEL;
	bool is_behind_point = false;
	bool is_negative = text.length && text.at[0] == '-';

	for (uint32_t i = is_negative; i < text.length; i++) {
		char c = text.at[i];

		if (c == '.' && !is_behind_point) {
			is_behind_point = true;
			continue;
		}
		if (c < '0' || c > '9')
			break;
		if (is_behind_point)
			value += (place /= 10) * (c - '0');
		else
			value = value * 10 + (int64_t)UNITS_PER_PIXEL * (c - '0');
		if (value > MEASURE_MAX)
			return false;
	}
	*ret = is_negative ? -value : value;
	return text.length > 0;
}

static bool parse_box(const struct xml_attribute *attributes, size_t count, struct svg_box *box)
{
	return parse_measure(xml_find(attributes, count, "", "x"), &box->x) &&
	       parse_measure(xml_find(attributes, count, "", "y"), &box->y) &&
	       parse_measure(xml_find(attributes, count, "", "width"), &box->width) &&
	       box->width > 0;
}

/* inferno has the exact numbers beside those of the picture. */
static void take_exact(const struct xml_attribute *attributes, size_t count, struct svg_box *box)
{
	(void)text_to_u64(xml_find(attributes, count, "fg", "w"), &box->weight);
}

static struct text module_in(struct text title)
{
	const char *line = memmem(title.at, title.length, "\nin ", 4);
	struct text module = { "", 0 };
	const char *stop;

	if (!line)
		return module;
	module.at = line + 4;
	module.length = (uint32_t)(title.at + title.length - module.at);
	stop = module.length ? memchr(module.at, '\n', module.length) : NULL;
	if (stop)
		module.length = (uint32_t)(stop - module.at);
	return module;
}

/* The module is one more string, and so a frame that no box is of. */
static void set_module(struct spooled *stacks, uint32_t frame, struct text module)
{
	str_id id = { spooled_intern_frame(stacks, module) };

	if (module.length && stacks->frames.at[frame].module.i == STR_EMPTY.i)
		stacks->frames.at[frame].module = id;
}

void svg_boxes_add(struct svg_boxes *boxes, struct spooled *stacks, struct text title,
		   const struct xml_attribute *attributes, size_t count)
{
	struct svg_title parsed = svg_title_parse(title);
	struct svg_box box = { .weight = parsed.count / THOUSAND, .delta = parsed.delta };

	if (!parse_box(attributes, count, &box) || (!parsed.has_count && !boxes->boxes.count))
		return;
	if (boxes->is_of_kiln && svg_title_duration(&parsed, &box.weight))
		boxes->has_durations = true;
	take_exact(attributes, count, &box);
	boxes->has_deltas |= parsed.has_delta;
	box.frame = spooled_intern_frame(stacks, parsed.name);
	if (boxes->is_of_kiln)
		set_module(stacks, box.frame, module_in(title));
	if (parsed.unit.length && parsed.unit.length < sizeof(boxes->unit_bytes)) {
		memcpy(boxes->unit_bytes, parsed.unit.at, parsed.unit.length);
		boxes->unit = (struct text){ boxes->unit_bytes, parsed.unit.length };
	}
	vec_push(&boxes->boxes, box);
}

static int compare_downwards(const void *a, const void *b)
{
	const struct svg_box *left = a;
	const struct svg_box *right = b;

	if (left->y != right->y)
		return left->y > right->y ? -1 : 1;
	if (left->x != right->x)
		return left->x < right->x ? -1 : 1;
	return (left->width > right->width) - (left->width < right->width);
}

static int compare_upwards(const void *a, const void *b)
{
	const struct svg_box *left = a;
	const struct svg_box *right = b;

	return left->y == right->y ? compare_downwards(a, b) : left->y < right->y ? -1 : 1;
}

/* The widest box of the highest or the lowest row. */
static const struct svg_box *widest_at_edge(const struct svg_boxes *boxes, bool is_top)
{
	const struct svg_box *found = &boxes->boxes.at[0];

	for (size_t i = 0; i < boxes->boxes.count; i++) {
		const struct svg_box *box = &boxes->boxes.at[i];
		bool is_further = is_top ? box->y < found->y : box->y > found->y;

		if (is_further || (box->y == found->y && box->width > found->width))
			found = box;
	}
	return found;
}

/* Whether the root, as wide as any box, is at the top. */
static bool is_icicle(const struct svg_boxes *boxes, uint32_t root_frame)
{
	const struct svg_box *top = widest_at_edge(boxes, true);
	const struct svg_box *bottom = widest_at_edge(boxes, false);

	if (top->width != bottom->width)
		return top->width > bottom->width;
	return top->frame == root_frame && bottom->frame != root_frame;
}

/* Finds who stands on whom, row by row; both rows are in order of x. */
static void find_parents(struct svg_boxes *boxes, size_t row_before, size_t row, size_t end)
{
	struct svg_box *at = boxes->boxes.at;
	size_t parent = row_before;

	for (size_t i = row; i < end; i++) {
		int64_t middle = at[i].x + at[i].width / 2;

		while (parent < row && at[parent].x + at[parent].width < middle)
			parent++;
		if (parent < row && at[parent].x <= middle)
			at[i].parent = (uint32_t)parent;
	}
}

static void link_boxes(struct svg_boxes *boxes)
{
	struct svg_box *at = boxes->boxes.at;
	size_t count = boxes->boxes.count;
	size_t row_before = 0;
	size_t row = 0;

	for (size_t i = 0; i < count; i++)
		at[i].parent = at[i].child = at[i].sibling = NONE;
	for (size_t i = 1; i <= count; i++) {
		if (i < count && at[i].y == at[row].y)
			continue;
		find_parents(boxes, row_before, row, i);
		row_before = row;
		row = i;
	}
	/* Backwards, so that children are in order of x. */
	for (size_t i = count; i-- > 0;) {
		if (at[i].parent == NONE)
			continue;
		at[i].sibling = at[at[i].parent].child;
		at[at[i].parent].child = (uint32_t)i;
	}
}

static struct spooled_weight self_of(const struct svg_boxes *boxes, const struct svg_box *box,
				     uint64_t all)
{
	struct spooled_weight self = { .after = box->weight };
	double before;

	for (uint32_t i = box->child; i != NONE; i = boxes->boxes.at[i].sibling) {
		uint64_t weight = boxes->boxes.at[i].weight;

		self.after = self.after > weight ? self.after - weight : 0;
	}
	before = (double)self.after - (double)box->delta * (double)all / DELTAS_PER_WHOLE;
	if (boxes->has_deltas)
		self.before = before >= 0x1p63 ? INT64_MAX
			      : before > 0     ? (uint64_t)(before + 0.5)
					       : 0;
	return self;
}

/* What stands on no drawn box of its own: a frame says so. */
static void push_root_self(struct spooled *stacks, struct spooled_weight self)
{
	struct spooled_row row = { .depth = 1, .self = self };

	if (!self.after && !self.before)
		return;
	row.frame = spooled_intern_frame(stacks, text_of(FRAME_NAME_TOO_NARROW));
	stacks->frames.at[row.frame].kind = SPOOLED_MARK;
	if (!spooled_push(stacks, &row))
		return;
}

/* The rows above the root, in preorder. */
static uint64_t push_rows(const struct svg_boxes *boxes, struct spooled *stacks)
{
	const struct svg_box *at = boxes->boxes.at;
	uint64_t all = at[0].weight;
	uint64_t pushed = 1;
	uint32_t depth = 1;
	uint32_t i = at[0].child;

	while (i != NONE) {
		struct spooled_row row = { depth, at[i].frame, self_of(boxes, &at[i], all) };

		if (spooled_push(stacks, &row)) {
			pushed++;
			if (at[i].child != NONE) {
				i = at[i].child;
				depth++;
				continue;
			}
		}
		while (at[i].sibling == NONE && at[i].parent) {
			i = at[i].parent;
			depth--;
		}
		i = at[i].sibling;
	}
	return pushed;
}

static enum weight_unit unit_of(const struct svg_boxes *boxes)
{
	if (boxes->has_durations)
		return UNIT_NANOSECONDS;
	if (text_is(boxes->unit, "samples") || !boxes->unit.length)
		return UNIT_SAMPLES;
	return text_is(boxes->unit, "bytes") ? UNIT_BYTES : UNIT_EVENTS;
}

void svg_boxes_finish(struct svg_boxes *boxes, struct spooled *stacks, uint64_t *orphan_count)
{
	size_t count = boxes->boxes.count;

	*orphan_count = 0;
	stacks->has_two_sides = boxes->has_deltas;
	stacks->unit = unit_of(boxes);
	if (count) {
		bool is_upside_down =
			is_icicle(boxes, spooled_intern_frame(stacks, text_of("all")));

		qsort(boxes->boxes.at, count, sizeof(*boxes->boxes.at),
		      is_upside_down ? compare_upwards : compare_downwards);
		link_boxes(boxes);
		push_root_self(stacks,
			       self_of(boxes, &boxes->boxes.at[0], boxes->boxes.at[0].weight));
		*orphan_count = count - push_rows(boxes, stacks);
	}
	stacks->event = strings_intern(&stacks->strings, boxes->unit_bytes, boxes->unit.length);
	if (!boxes->unit.length)
		stacks->event = strings_intern_text(&stacks->strings, "samples");
}

void svg_boxes_deinit(struct svg_boxes *boxes)
{
	vec_free(&boxes->boxes);
}
