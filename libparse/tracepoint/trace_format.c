/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/trace_format.h"

#include "base/scan.h"
#include "base/vec.h"
#include "libparse/perf/abi.h"

typedef VEC(struct field) field_list;

static bool next_line(struct text *text, struct text *ret)
{
	const char *newline = text->length ? memchr(text->at, '\n', text->length) : NULL;
	uint32_t length = newline ? (uint32_t)(newline - text->at) : text->length;
	uint32_t step = newline ? length + 1 : length;

	if (!text->length)
		return false;
	*ret = (struct text){ text->at, length };
	*text = (struct text){ text->at + step, text->length - step };
	return true;
}

static bool is_padding(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static void trim(struct text *text)
{
	while (text->length && is_padding(text->at[0]))
		*text = (struct text){ text->at + 1, text->length - 1 };
	while (text->length && is_padding(text->at[text->length - 1]))
		text->length--;
}

/* Reads the next "key:value", up to a semicolon. */
static bool next_item(struct text *line, struct text *key, struct text *value)
{
	const char *colon = line->length ? memchr(line->at, ':', line->length) : NULL;
	const char *end = line->length ? memchr(line->at, ';', line->length) : NULL;

	if (!colon || !end || colon > end)
		return false;
	*key = (struct text){ line->at, (uint32_t)(colon - line->at) };
	*value = (struct text){ colon + 1, (uint32_t)(end - colon - 1) };
	*line = (struct text){ end + 1, line->length - (uint32_t)(end + 1 - line->at) };
	trim(key);
	trim(value);
	return true;
}

/*
 * The size of a type in bytes, by a part of its name: __u8 contains "u8", and uint8_t contains
 * "int8". Returns 0 if the size is unknown.
 */
static uint32_t element_bytes_of(struct text type)
{
	static const struct {
		const char *part;
		uint32_t bytes;
	} parts[] = {
		{ "char", 1 }, { "u8", 1 }, { "s8", 1 },    { "int8", 1 },
		{ "bool", 1 }, { "16", 2 }, { "short", 2 }, { "64", 8 },
		{ "long", 8 }, { "32", 4 }, { "int", 4 },
	};

	if (text_contains(type, "*"))
		return 8;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (text_contains(type, parts[i].part))
			return parts[i].bytes;
	return 0;
}

/* Removes a trailing "[...]". */
static bool take_brackets(struct text *text, struct text *inside)
{
	uint32_t length = text->length;

	if (!length || text->at[length - 1] != ']')
		return false;
	while (length && text->at[length - 1] != '[')
		length--;
	if (!length)
		return false;
	*inside = (struct text){ text->at + length, text->length - length - 1 };
	text->length = length - 1;
	trim(text);
	return true;
}

static bool take_name(struct text *declaration, struct text *ret)
{
	uint32_t length = declaration->length;

	while (length && is_identifier(declaration->at[length - 1]))
		length--;
	*ret = (struct text){ declaration->at + length, declaration->length - length };
	declaration->length = length;
	trim(declaration);
	return ret->length && ret->length <= LIMIT_TRACEPOINT_NAME_BYTES;
}

/*
 * Reads a declaration: "unsigned int flags", "char comm[16]", "__data_loc char[] name" or "const
 * char * path".
 */
static bool read_declaration(struct text declaration, struct field *field)
{
	struct text inside = { 0 };
	bool has_count = take_brackets(&declaration, &inside);
	uint32_t count;

	if (!take_name(&declaration, &field->name))
		return false;
	field->is_relative = text_has_prefix(declaration, "__rel_loc");
	field->is_located = field->is_relative || text_has_prefix(declaration, "__data_loc");
	field->is_array = has_count || take_brackets(&declaration, &inside);
	field->is_hex =
		text_contains(declaration, "*") || (text_contains(declaration, "long") &&
						    (!field->is_signed || field->size_bytes == 4));
	if (!field->is_array)
		return true;
	field->is_text = !text_contains(declaration, "*") &&
			 (text_contains(declaration, "char") || text_contains(declaration, "u8") ||
			  text_contains(declaration, "s8"));
	field->element_bytes = element_bytes_of(declaration);
	if (!field->is_located && text_to_u32(inside, &count) && count)
		field->element_bytes = field->size_bytes / count;
	return true;
}

static bool read_field(struct text line, struct field *field)
{
	struct text declaration = { 0 };
	struct text key;
	struct text value;
	uint32_t is_signed = 0;
	bool has_offset = false;
	bool has_size = false;

	*field = (struct field){ 0 };
	while (next_item(&line, &key, &value)) {
		if (text_is(key, "field"))
			declaration = value;
		else if (text_is(key, "offset"))
			has_offset = text_to_u32(value, &field->offset);
		else if (text_is(key, "size"))
			has_size = text_to_u32(value, &field->size_bytes);
		else if (text_is(key, "signed") && !text_to_u32(value, &is_signed))
			return false;
	}
	field->is_signed = is_signed != 0;
	return has_offset && has_size && field->offset < LIMIT_RECORD_BYTES &&
	       field->size_bytes < LIMIT_RECORD_BYTES && read_declaration(declaration, field);
}

void trace_format_read(struct text text, struct arena *arena, struct trace_format *ret)
{
	static const char print_key[] = "print fmt:";
	field_list fields = { 0 };
	struct text line;
	struct field *copy;

	*ret = (struct trace_format){ 0 };
	while (!ret->print.length && next_line(&text, &line)) {
		struct field field;

		trim(&line);
		/* The print format comes last and may extend over several lines. */
		if (text_has_prefix(line, print_key)) {
			const char *begin = line.at + sizeof(print_key) - 1;

			ret->print = (struct text){
				begin,
				(uint32_t)(text.at + text.length - begin),
			};
			trim(&ret->print);
		} else if (text_has_prefix(line, "field:") &&
			   fields.count < LIMIT_TRACEPOINT_FIELDS && read_field(line, &field)) {
			vec_push(&fields, field);
		}
	}
	copy = arena_alloc(arena, fields.count * sizeof(*copy), _Alignof(struct field));
	if (fields.count)
		memcpy(copy, fields.at, fields.count * sizeof(*copy));
	ret->fields = copy;
	ret->field_count = (uint32_t)fields.count;
	vec_free(&fields);
}

const struct field *trace_format_find(const struct trace_format *format, struct text name)
{
	for (uint32_t i = 0; i < format->field_count; i++)
		if (text_equal(format->fields[i].name, name))
			return &format->fields[i];
	return NULL;
}
