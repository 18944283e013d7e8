/* SPDX-License-Identifier: MIT */
/* Reads the rows of the profile that kiln embeds in its SVGs; see render/svg/embed_columns.h. */
#include "libparse/svg/frame_code.h"
#include "libparse/svg/svg_reader.h"

/* The frames that rows had below a caller: a part of the vector of all callees. */
struct callee_list {
	uint32_t begin, count;
};

struct rows_reading {
	struct spooled *stacks;
	struct json_reader up, frame, known, self, before;
	uint32_t frame_count;          /* frames that rows have */
	VEC(uint32_t) path;            /* the frames of the last row, root first */
	VEC(uint32_t) callees;         /* parts for all callers */
	VEC(struct callee_list) lists; /* indexed by caller + 1; the root has index 0 */
};

static bool find_columns(struct rows_reading *reading, struct json_reader json)
{
	const struct {
		const char *name;
		struct json_reader *column;
	} columns[] = {
		{ "up", &reading->up },         { "frame", &reading->frame },
		{ "known", &reading->known },   { "self", &reading->self },
		{ "before", &reading->before },
	};
	struct text name;

	if (!json_read_open(&json, '{'))
		return false;
	while (json_read_next(&json, '}') && json_read_name(&json, &name)) {
		for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
			if (text_is(name, columns[i].name))
				*columns[i].column = json;
		json_read_skip(&json);
	}
	return !json.has_failed && reading->up.at && json_read_open(&reading->up, '[') &&
	       reading->frame.at && json_read_open(&reading->frame, '[') && reading->known.at &&
	       json_read_open(&reading->known, '[') && reading->self.at &&
	       json_read_open(&reading->self, '[') &&
	       (!reading->stacks->has_two_sides ||
		(reading->before.at && json_read_open(&reading->before, '[')));
}

static bool read_number(struct json_reader *column, uint64_t *ret)
{
	return json_read_next(column, ']') && json_read_u64(column, ret);
}

/* Finds the frame that was added as number `place` below a caller. */
static bool find_callee(const struct rows_reading *reading, uint32_t slot, uint64_t place,
			uint32_t *ret)
{
	if (slot >= reading->lists.count || place >= reading->lists.at[slot].count)
		return false;
	*ret = reading->callees.at[reading->lists.at[slot].begin + place];
	return true;
}

/*
 * Adds a frame below a caller. A list with 1, 2, 4 ... frames, or none, is full. Such a list moves
 * to the end when it grows.
 */
static void add_callee(struct rows_reading *reading, uint32_t slot, uint32_t frame)
{
	struct callee_list *list;

	while (reading->lists.count <= slot)
		vec_push(&reading->lists, (struct callee_list){ .count = 0 });
	list = &reading->lists.at[slot];
	if (!(list->count & (list->count - 1))) {
		uint32_t begin = (uint32_t)reading->callees.count;

		for (uint32_t i = 0; i < list->count; i++)
			vec_push(&reading->callees, reading->callees.at[list->begin + i]);
		for (uint32_t i = 0; i < list->count || !i; i++)
			vec_push(&reading->callees, 0);
		list->begin = begin;
	}
	reading->callees.at[list->begin + list->count++] = frame;
}

/* Reads the frame of a row whose parent is the last frame of the path. */
static bool read_frame(struct rows_reading *reading, uint32_t *ret)
{
	size_t depth = reading->path.count;
	uint32_t slot = depth ? reading->path.at[depth - 1] + 1 : 0;
	uint64_t frame = reading->frame_count;
	uint64_t code;

	if (!read_number(&reading->frame, &code))
		return false;
	if (code >= FRAME_CODE_CALLEE)
		return find_callee(reading, slot, code - FRAME_CODE_CALLEE, ret);
	if (code == FRAME_CODE_KNOWN && !read_number(&reading->known, &frame))
		return false;
	if (frame >= reading->stacks->frames.count)
		return false;
	reading->frame_count += code == FRAME_CODE_NEW;
	*ret = (uint32_t)frame;
	add_callee(reading, slot, *ret);
	return true;
}

static bool read_row(struct rows_reading *reading, uint64_t up)
{
	struct spooled *stacks = reading->stacks;
	struct spooled_row row = { .depth = 0 };

	if (up > reading->path.count)
		return false;
	reading->path.count -= up;
	if (!read_frame(reading, &row.frame) || !read_number(&reading->self, &row.self.after) ||
	    (stacks->has_two_sides && !read_number(&reading->before, &row.self.before)))
		return false;
	vec_push(&reading->path, row.frame);
	row.depth = (uint32_t)reading->path.count;
	return spooled_push(stacks, &row);
}

static bool has_ended(struct json_reader *column)
{
	return !json_read_next(column, ']') && !column->has_failed;
}

/* Whether all columns are at their end after the last row of `up`. */
static bool have_ended(struct rows_reading *reading)
{
	return !reading->up.has_failed && has_ended(&reading->frame) &&
	       has_ended(&reading->known) && has_ended(&reading->self) &&
	       (!reading->stacks->has_two_sides || has_ended(&reading->before));
}

uint64_t svg_rows_count(struct json_reader rows)
{
	struct spooled none = { .has_two_sides = false };
	struct rows_reading reading = { .stacks = &none };
	uint64_t count = 0;

	if (!find_columns(&reading, rows))
		return 0;
	for (; json_read_next(&reading.up, ']'); count++)
		json_read_skip(&reading.up);
	return count;
}

bool svg_rows_read(struct spooled *stacks, struct json_reader rows)
{
	struct rows_reading reading = { .stacks = stacks };
	bool good = find_columns(&reading, rows);
	uint64_t up;

	while (good && json_read_next(&reading.up, ']'))
		good = json_read_u64(&reading.up, &up) && read_row(&reading, up);
	good = good && have_ended(&reading);
	vec_free(&reading.path);
	vec_free(&reading.callees);
	vec_free(&reading.lists);
	return good;
}
