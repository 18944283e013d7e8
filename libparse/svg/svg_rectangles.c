/* SPDX-License-Identifier: MIT */
#include "libparse/svg/svg_rectangles.h"

#include "base/scan.h"

#define NONE UINT32_MAX

#define UNITS_PER_PIXEL 10000
#define THOUSAND        1000u
/* Deltas are in hundredths of a percent. */
#define DELTAS_PER_WHOLE 10000

/* Larger coordinates do not occur in real SVGs. */
#define MEASURE_MAX ((int64_t)1 << 40)

/*
 * A name may also contain " (". The parser therefore tries several occurrences of " (" to find the
 * weight. At most 8 occurrences are tried, from the end of the title on.
 */
#define TRIES_MAX 8

/* Reads "28,028.25" in units of 1/scale, a power of ten. Further decimals are dropped. */
static bool take_count(struct text *text, uint64_t scale, uint64_t *ret)
{
	uint64_t value = 0;
	uint64_t fraction = scale;
	bool is_behind_point = false;
	uint32_t i;

	for (i = 0; i < text->length; i++) {
		char c = text->at[i];

		if (c == ',' && i && !is_behind_point)
			continue;
		if (c == '.' && i && !is_behind_point) {
			is_behind_point = true;
			continue;
		}
		if (!is_digit(c))
			break;
		if (is_behind_point) {
			fraction /= 10;
			if (__builtin_add_overflow(value, fraction * (uint64_t)(c - '0'), &value))
				return false;
		} else if (__builtin_mul_overflow(value, 10u, &value) ||
			   __builtin_add_overflow(value, scale * (uint64_t)(c - '0'), &value)) {
			return false;
		}
	}
	*text = text_from(*text, i);
	*ret = value;
	return i && is_digit(text->at[-1]);
}

/* Reads "; +1.05%" at the end. */
static bool take_delta(struct text *text, struct svg_title *title)
{
	uint64_t hundredths;
	bool is_negative;

	if (!text_has_prefix(*text, "; "))
		return true;
	*text = text_from(*text, 2);
	is_negative = text_has_prefix(*text, "-");
	if (is_negative || text_has_prefix(*text, "+"))
		*text = text_from(*text, 1);
	if (!take_count(text, 100, &hundredths) || hundredths > INT64_MAX ||
	    !text_has_prefix(*text, "%"))
		return false;
	*text = text_from(*text, 1);
	title->delta = is_negative ? -(int64_t)hundredths : (int64_t)hundredths;
	title->has_delta = true;
	return true;
}

/* Parses the text in brackets: "28,028 samples, 2.22%". */
static bool parse_weight(struct text text, struct svg_title *title)
{
	uint64_t ignored;
	uint32_t comma;

	if (!take_count(&text, THOUSAND, &title->count))
		return false;
	if (text_has_prefix(text, " "))
		text = text_from(text, 1);
	/* The unit may contain a comma, but the last comma precedes the percentage. */
	comma = text.length;
	while (comma && !text_has_prefix(text_from(text, comma), ", "))
		comma--;
	if (!text_has_prefix(text_from(text, comma), ", "))
		return false;
	title->unit = (struct text){ text.at, comma };
	text = text_from(text, comma + 2);
	if (!take_count(&text, 1, &ignored) || !text_has_prefix(text, "%"))
		return false;
	text = text_from(text, 1);
	return take_delta(&text, title) && text.length == 0;
}

struct svg_title svg_title_parse(struct text title)
{
	const char *stop = title.length ? memchr(title.at, '\n', title.length) : NULL;
	uint32_t tries = 0;
	uint32_t length;

	if (stop)
		title.length = (uint32_t)(stop - title.at);
	length = title.length;
	if (length < 2 || title.at[length - 1] != ')')
		return (struct svg_title){ .name = title };
	for (uint32_t at = length - 1; at-- && tries < TRIES_MAX;) {
		struct svg_title found = { .name = { title.at, at } };

		if (title.at[at] != ' ' || title.at[at + 1] != '(')
			continue;
		tries++;
		found.has_count =
			parse_weight((struct text){ title.at + at + 2, length - at - 3 }, &found);
		if (found.has_count)
			return found;
	}
	return (struct svg_title){ .name = title };
}

/* Returns the count in nanoseconds. Fails if the unit is not a time. */
static bool svg_title_duration(const struct svg_title *title, uint64_t *ret)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "µs", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!text_is(title->unit, units[i].unit))
			continue;
		if (units[i].ns == 1)
			*ret = title->count / THOUSAND;
		else if (__builtin_mul_overflow(title->count, units[i].ns / THOUSAND, ret))
			return false;
		return true;
	}
	return false;
}

/* Parses "608.4" or "12.3456%". */
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

static bool parse_rectangle(const struct xml_attribute *attributes, size_t count,
			    struct svg_rectangle *rectangle)
{
	return parse_measure(xml_find(attributes, count, "", "x"), &rectangle->x) &&
	       parse_measure(xml_find(attributes, count, "", "y"), &rectangle->y) &&
	       parse_measure(xml_find(attributes, count, "", "width"), &rectangle->width) &&
	       rectangle->width > 0;
}

/* inferno writes the exact weights in attributes. */
static void read_exact_weight(const struct xml_attribute *attributes, size_t count,
			      struct svg_rectangle *rectangle)
{
	(void)text_to_u64(xml_find(attributes, count, "fg", "w"), &rectangle->weight);
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

/* Interning the module also creates a frame with its name, which no rectangle uses. */
static void set_module(struct spooled *stacks, uint32_t frame, struct text module)
{
	str_id id = { spooled_intern_frame(stacks, module) };

	if (module.length && stacks->frames.at[frame].module.i == STR_EMPTY.i)
		stacks->frames.at[frame].module = id;
}

void svg_rectangles_add(struct svg_rectangles *rects, struct spooled *stacks, struct text title,
			const struct xml_attribute *attributes, size_t count)
{
	struct svg_title parsed = svg_title_parse(title);
	struct svg_rectangle rectangle = { .weight = parsed.count / THOUSAND,
					   .delta = parsed.delta };

	if (!parse_rectangle(attributes, count, &rectangle) ||
	    (!parsed.has_count && !rects->rectangles.count))
		return;
	if (rects->is_of_kiln && svg_title_duration(&parsed, &rectangle.weight))
		rects->has_durations = true;
	read_exact_weight(attributes, count, &rectangle);
	rects->has_deltas |= parsed.has_delta;
	rectangle.frame = spooled_intern_frame(stacks, parsed.name);
	if (rects->is_of_kiln)
		set_module(stacks, rectangle.frame, module_in(title));
	if (parsed.unit.length && parsed.unit.length < sizeof(rects->unit_bytes)) {
		memcpy(rects->unit_bytes, parsed.unit.at, parsed.unit.length);
		rects->unit = (struct text){ rects->unit_bytes, parsed.unit.length };
	}
	vec_push(&rects->rectangles, rectangle);
}

static int compare_downwards(const void *a, const void *b)
{
	const struct svg_rectangle *left = a;
	const struct svg_rectangle *right = b;

	if (left->y != right->y)
		return left->y > right->y ? -1 : 1;
	if (left->x != right->x)
		return left->x < right->x ? -1 : 1;
	return (left->width > right->width) - (left->width < right->width);
}

static int compare_upwards(const void *a, const void *b)
{
	const struct svg_rectangle *left = a;
	const struct svg_rectangle *right = b;

	return left->y == right->y ? compare_downwards(a, b) : left->y < right->y ? -1 : 1;
}

/* The widest rectangle in the top or the bottom row. */
static const struct svg_rectangle *widest_at_edge(const struct svg_rectangles *rects, bool is_top)
{
	const struct svg_rectangle *found = &rects->rectangles.at[0];

	for (size_t i = 0; i < rects->rectangles.count; i++) {
		const struct svg_rectangle *rectangle = &rects->rectangles.at[i];
		bool is_further = is_top ? rectangle->y < found->y : rectangle->y > found->y;

		if (is_further || (rectangle->y == found->y && rectangle->width > found->width))
			found = rectangle;
	}
	return found;
}

/* Whether the root is at the top. No rectangle is wider than the root. */
static bool is_icicle(const struct svg_rectangles *rects, uint32_t root_frame)
{
	const struct svg_rectangle *top = widest_at_edge(rects, true);
	const struct svg_rectangle *bottom = widest_at_edge(rects, false);

	if (top->width != bottom->width)
		return top->width > bottom->width;
	return top->frame == root_frame && bottom->frame != root_frame;
}

/*
 * Finds the parents of the rectangles in a row among the rectangles in the previous row. Both rows
 * are sorted by x.
 */
static void find_parents(struct svg_rectangles *rects, size_t row_before, size_t row, size_t end)
{
	struct svg_rectangle *at = rects->rectangles.at;
	size_t parent = row_before;

	for (size_t i = row; i < end; i++) {
		int64_t middle = at[i].x + at[i].width / 2;

		while (parent < row && at[parent].x + at[parent].width < middle)
			parent++;
		if (parent < row && at[parent].x <= middle)
			at[i].parent = (uint32_t)parent;
	}
}

static void link_rectangles(struct svg_rectangles *rects)
{
	struct svg_rectangle *at = rects->rectangles.at;
	size_t count = rects->rectangles.count;
	size_t row_before = 0;
	size_t row = 0;

	for (size_t i = 0; i < count; i++)
		at[i].parent = at[i].child = at[i].sibling = NONE;
	for (size_t i = 1; i <= count; i++) {
		if (i < count && at[i].y == at[row].y)
			continue;
		find_parents(rects, row_before, row, i);
		row_before = row;
		row = i;
	}
	/* Go backwards, so that lists of children end up sorted by x. */
	for (size_t i = count; i-- > 0;) {
		if (at[i].parent == NONE)
			continue;
		at[i].sibling = at[at[i].parent].child;
		at[at[i].parent].child = (uint32_t)i;
	}
}

static struct spooled_weight self_of(const struct svg_rectangles *rects,
				     const struct svg_rectangle *rectangle, uint64_t all)
{
	struct spooled_weight self = { .after = rectangle->weight };
	double before;

	for (uint32_t i = rectangle->child; i != NONE; i = rects->rectangles.at[i].sibling) {
		uint64_t weight = rects->rectangles.at[i].weight;

		self.after = self.after > weight ? self.after - weight : 0;
	}
	before = (double)self.after - (double)rectangle->delta * (double)all / DELTAS_PER_WHOLE;
	if (rects->has_deltas)
		self.before = before >= 0x1p63 ? INT64_MAX
			      : before > 0     ? (uint64_t)(before + 0.5)
					       : 0;
	return self;
}

/* The self weight of the root belongs to frames that were too narrow to draw. */
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

/* Appends the rows of the root's descendants, in preorder. */
static uint64_t push_rows(const struct svg_rectangles *rects, struct spooled *stacks)
{
	const struct svg_rectangle *at = rects->rectangles.at;
	uint64_t all = at[0].weight;
	uint64_t pushed = 1;
	uint32_t depth = 1;
	uint32_t i = at[0].child;

	while (i != NONE) {
		struct spooled_row row = { depth, at[i].frame, self_of(rects, &at[i], all) };

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

static enum weight_unit unit_of(const struct svg_rectangles *rects)
{
	if (rects->has_durations)
		return UNIT_NANOSECONDS;
	if (text_is(rects->unit, "samples") || !rects->unit.length)
		return UNIT_SAMPLES;
	return text_is(rects->unit, "bytes") ? UNIT_BYTES : UNIT_EVENTS;
}

void svg_rectangles_finish(struct svg_rectangles *rects, struct spooled *stacks,
			   uint64_t *orphan_count)
{
	size_t count = rects->rectangles.count;

	*orphan_count = 0;
	stacks->has_two_sides = rects->has_deltas;
	stacks->unit = unit_of(rects);
	if (count) {
		bool is_upside_down =
			is_icicle(rects, spooled_intern_frame(stacks, text_of("all")));

		qsort(rects->rectangles.at, count, sizeof(*rects->rectangles.at),
		      is_upside_down ? compare_upwards : compare_downwards);
		link_rectangles(rects);
		push_root_self(stacks, self_of(rects, &rects->rectangles.at[0],
					       rects->rectangles.at[0].weight));
		*orphan_count = count - push_rows(rects, stacks);
	}
	stacks->event = strings_intern(&stacks->strings, rects->unit_bytes, rects->unit.length);
	if (!rects->unit.length)
		stacks->event = strings_intern_text(&stacks->strings, "samples");
}

void svg_rectangles_deinit(struct svg_rectangles *rects)
{
	vec_free(&rects->rectangles);
}
