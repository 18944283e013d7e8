/* SPDX-License-Identifier: MIT */
#include "render/page/page_columns.h"

#include "base/leb128.h"
#include "render/escape.h"

void page_columns_init(struct page_columns *columns)
{
	*columns = (struct page_columns){ 0 };
	sink_init_memory(&columns->bytes);
}

void page_columns_deinit(struct page_columns *columns)
{
	sink_deinit(&columns->bytes);
	vec_free(&columns->list);
}

static struct page_column *last_column(struct page_columns *columns)
{
	return &columns->list.at[columns->list.count - 1];
}

void page_columns_begin(struct page_columns *columns, const char *name, bool is_text)
{
	vec_push(&columns->list, (struct page_column){
					 .name = name,
					 .is_text = is_text,
					 .scale = 1,
					 .offset = sink_memory(&columns->bytes).length,
				 });
}

void page_columns_begin_scaled(struct page_columns *columns, const char *name, uint64_t scale)
{
	page_columns_begin(columns, name, false);
	last_column(columns)->scale = scale;
}

void page_columns_end(struct page_columns *columns)
{
	struct page_column *column = last_column(columns);

	column->size_bytes = sink_memory(&columns->bytes).length - column->offset;
}

void page_columns_number(struct page_columns *columns, uint64_t value)
{
	last_column(columns)->count++;
	leb128_write(&columns->bytes, value);
}

void page_columns_text(struct page_columns *columns, struct text text)
{
	last_column(columns)->count++;
	for (uint32_t i = 0; i < text.length; i++)
		sink_char(&columns->bytes, text.at[i] ? text.at[i] : '?');
	sink_char(&columns->bytes, '\0');
}

void page_columns_path(struct page_columns *columns, struct text path, bool shows_homes)
{
	if (!shows_homes && escape_cut_home(&path))
		sink_char(&columns->bytes, '~');
	page_columns_text(columns, path);
}

void page_columns_json(const struct page_columns *columns, struct json *json)
{
	json_open_array(json, "columns");
	for (size_t i = 0; i < columns->list.count; i++) {
		const struct page_column *column = &columns->list.at[i];

		json_open_object(json, NULL);
		json_text(json, "name", text_of(column->name));
		json_text(json, "type", text_of(column->is_text ? "text" : "uint"));
		if (column->scale != 1)
			json_u64(json, "scale", column->scale);
		json_u64(json, "count", column->count);
		json_u64(json, "offset", column->offset);
		json_u64(json, "size", column->size_bytes);
		json_close_object(json);
	}
	json_close_array(json);
}
