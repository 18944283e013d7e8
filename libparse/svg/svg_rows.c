/* SPDX-License-Identifier: MIT */
/* Reads the rows of the profile that kiln embeds in its SVGs; see render/svg/embed_columns.h. */
#include "base/memory.h"
#include "libparse/svg/svg_reader.h"

/* Values of the column `frame`. */
#define FRAME_NEW    0
#define FRAME_KNOWN  1
#define FRAME_CALLEE 2 /* and above */

typedef VEC(uint32_t) frame_list;

struct rows_reading {
	struct spooled *stacks;
	struct json_reader up, frame, known, self, before;
	uint32_t frame_count; /* frames that rows have */
	frame_list path;      /* the frames of the last row, root first */
	frame_list *callees;  /* by caller + 1 (root: 0): the frames below it */
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

/* Reads the frame of a row whose parent is the last frame of the path. */
static bool read_frame(struct rows_reading *reading, uint32_t *ret)
{
	size_t depth = reading->path.count;
	frame_list *list = &reading->callees[depth ? reading->path.at[depth - 1] + 1 : 0];
	uint64_t frame;
	uint64_t code;

	if (!read_number(&reading->frame, &code))
		return false;
	if (code >= FRAME_CALLEE) {
		if (code - FRAME_CALLEE >= list->count)
			return false;
		*ret = list->at[code - FRAME_CALLEE];
		return true;
	}
	frame = reading->frame_count;
	if (code == FRAME_KNOWN && !read_number(&reading->known, &frame))
		return false;
	if (frame >= reading->stacks->frames.count)
		return false;
	reading->frame_count += code == FRAME_NEW;
	*ret = (uint32_t)frame;
	vec_push(list, *ret);
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

bool svg_rows_read(struct spooled *stacks, struct json_reader rows)
{
	struct rows_reading reading = { .stacks = stacks };
	size_t list_count = stacks->frames.count + 1;
	bool good = find_columns(&reading, rows);
	uint64_t up;

	reading.callees = memory_zalloc(list_count, sizeof(*reading.callees));
	while (good && json_read_next(&reading.up, ']'))
		good = json_read_u64(&reading.up, &up) && read_row(&reading, up);
	good = good && !reading.up.has_failed;
	for (size_t i = 0; i < list_count; i++)
		vec_free(&reading.callees[i]);
	memory_free(reading.callees);
	vec_free(&reading.path);
	return good;
}
