/* SPDX-License-Identifier: MIT */
#include "render/json.h"

#include <inttypes.h>
#include <math.h>

#include "render/escape.h"
#include "render/number.h"

void json_init(struct json *json, struct sink *sink)
{
	*json = (struct json){ .sink = sink };
}

void json_finish(struct json *json)
{
	sink_char(json->sink, '\n');
}

static void new_line(struct json *json)
{
	if (json->is_compact)
		return;
	sink_char(json->sink, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		sink_puts(json->sink, "  ");
}

static void begin_value(struct json *json, const char *key)
{
	if (json->has_element)
		sink_char(json->sink, ',');
	if (json->depth)
		new_line(json);
	json->has_element = true;
	if (!key)
		return;
	sink_char(json->sink, '"');
	escape_json(json->sink, text_of(key));
	sink_puts(json->sink, json->is_compact ? "\":" : "\": ");
}

static void begin_container(struct json *json, const char *key, char bracket)
{
	begin_value(json, key);
	sink_char(json->sink, bracket);
	json->depth++;
	json->has_element = false;
}

static void end_container(struct json *json, char bracket)
{
	json->depth--;
	if (json->has_element)
		new_line(json);
	sink_char(json->sink, bracket);
	json->has_element = true;
}

void json_open_object(struct json *json, const char *key)
{
	begin_container(json, key, '{');
}

void json_close_object(struct json *json)
{
	end_container(json, '}');
}

void json_open_array(struct json *json, const char *key)
{
	begin_container(json, key, '[');
}

void json_close_array(struct json *json)
{
	end_container(json, ']');
}

void json_text(struct json *json, const char *key, struct text value)
{
	begin_value(json, key);
	sink_char(json->sink, '"');
	escape_json(json->sink, value);
	sink_char(json->sink, '"');
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	sink_u64(json->sink, value);
}

void json_decimal(struct json *json, const char *key, uint64_t value, unsigned decimals)
{
	uint64_t scale = 1;

	for (unsigned i = 0; i < decimals; i++)
		scale *= 10;
	begin_value(json, key);
	sink_printf(json->sink, "%" PRIu64 ".%0*" PRIu64, value / scale, (int)decimals,
		    value % scale);
}

void json_literal(struct json *json, const char *key, const char *literal)
{
	begin_value(json, key);
	sink_puts(json->sink, literal);
}

void json_weight(struct json *json, const char *key, uint64_t value, enum weight_unit unit)
{
	begin_value(json, key);
	number_plain(json->sink, value, unit);
}

void json_unit(struct json *json, enum weight_unit unit)
{
	json_text(json, "unit", text_of(number_shown_unit(unit)));
}

void json_number(struct json *json, const char *key, double value)
{
	begin_value(json, key);
	if (isfinite(value))
		sink_printf(json->sink, "%.6g", value);
	else
		sink_puts(json->sink, "null");
}

void json_range(struct json *json, const char *key, double low, double high)
{
	json_open_array(json, key);
	json_number(json, NULL, low);
	json_number(json, NULL, high);
	json_close_array(json);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	sink_puts(json->sink, value ? "true" : "false");
}
