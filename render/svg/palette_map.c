/* SPDX-License-Identifier: MIT */
#include "render/svg/palette_map.h"

void palette_map_init(struct palette_map *map)
{
	*map = (struct palette_map){ 0 };
	strings_init(&map->names);
}

void palette_map_deinit(struct palette_map *map)
{
	strings_deinit(&map->names);
	vec_free(&map->rows);
}

static struct palette_map_row *row_of(struct palette_map *map, struct text name)
{
	str_id id = strings_intern(&map->names, name.at, name.length);

	while (map->rows.count < map->names.rows.count)
		vec_push(&map->rows, (struct palette_map_row){ .is_set = false });
	return &map->rows.at[id.i];
}

void palette_map_set(struct palette_map *map, struct text name, struct colour colour)
{
	*row_of(map, name) = (struct palette_map_row){ colour, true };
}

bool palette_map_find(struct palette_map *map, struct text name, struct colour *ret)
{
	const struct palette_map_row *row = row_of(map, name);

	*ret = row->colour;
	return row->is_set;
}

static bool take_line(struct palette_map *map, struct text line)
{
	struct text name = line;
	struct text value;
	struct colour colour;

	if (line.length && line.at[line.length - 1] == '\r')
		name.length = --line.length;
	if (!line.length)
		return true;
	do {
		const char *end = name.length ? memrchr(name.at, '-', name.length) : NULL;

		if (!end)
			return false;
		name.length = (uint32_t)(end - name.at);
	} while (name.length + 1 >= line.length || name.at[name.length + 1] != '>');
	value = (struct text){ name.at + name.length + 2, line.length - name.length - 2 };
	if (!colour_parse(value, &colour))
		return false;
	palette_map_set(map, name, colour);
	return true;
}

bool palette_map_read(struct palette_map *map, struct text file, struct error *err)
{
	const char *at = file.at;
	const char *end = file.at + file.length;

	for (uint64_t number = 1; at < end; number++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			stop = end;
		if (!take_line(map, (struct text){ at, (uint32_t)(stop - at) }))
			return error_set(err, ERROR_FORMAT,
					 "line %llu is no name->rgb(red,green,blue)",
					 (unsigned long long)number);
		at = stop + (stop < end);
	}
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return text_compare(**(const struct text *const *)a, **(const struct text *const *)b);
}

void palette_map_write(const struct palette_map *map, struct sink *sink)
{
	VEC(const struct text *) order = { 0 };

	for (size_t i = 0; i < map->rows.count; i++)
		if (map->rows.at[i].is_set)
			vec_push(&order, &map->names.rows.at[i]);
	if (order.count)
		qsort(order.at, order.count, sizeof(*order.at), compare_names);
	for (size_t i = 0; i < order.count; i++) {
		struct colour colour = map->rows.at[order.at[i] - map->names.rows.at].colour;

		sink_text(sink, *order.at[i]);
		sink_printf(sink, "->rgb(%u,%u,%u)\n", colour.red, colour.green, colour.blue);
	}
	vec_free(&order);
}
