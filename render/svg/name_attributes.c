/* SPDX-License-Identifier: MIT */
#include "render/svg/name_attributes.h"

#include <strings.h>

void name_attributes_init(struct name_attributes *attributes)
{
	*attributes = (struct name_attributes){ 0 };
	strings_init(&attributes->names);
	strings_init(&attributes->values);
}

void name_attributes_deinit(struct name_attributes *attributes)
{
	strings_deinit(&attributes->names);
	strings_deinit(&attributes->values);
	vec_free(&attributes->rows);
}

/*
 * Removes and returns the text up to the separator, which is dropped. Without a separator, removes
 * the whole text.
 */
static struct text take_until(struct text *text, char separator)
{
	const char *stop = memchr(text->at, separator, text->length);
	uint32_t length = stop ? (uint32_t)(stop - text->at) : text->length;
	struct text part = { text->at, length };

	length += stop != NULL;
	*text = (struct text){ text->at + length, text->length - length };
	return part;
}

/*
 * Without a colon, or with one of / # ? . at the beginning, a link is relative. Otherwise, its
 * scheme is the text before the first colon.
 */
bool name_attributes_is_link(struct text href)
{
	static const char *const schemes[] = { "http", "https", "ftp", "file", "mailto" };
	const char *colon = memchr(href.at, ':', href.length);
	size_t length = colon ? (size_t)(colon - href.at) : 0;

	for (uint32_t i = 0; i < href.length; i++)
		if ((unsigned char)href.at[i] <= ' ')
			return false;
	if (!colon || (href.length && strchr("/#?.", href.at[0])))
		return href.length != 0;
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strlen(schemes[i]) == length && strncasecmp(href.at, schemes[i], length) == 0)
			return true;
	return false;
}

static struct text without_quotes(struct text value)
{
	if (value.length < 2 || value.at[0] != '"' || value.at[value.length - 1] != '"')
		return value;
	return (struct text){ value.at + 1, value.length - 2 };
}

static void take_attribute(struct name_attributes *attributes, struct name_attributes_row *row,
			   struct text pair)
{
	static const char *const keys[] = {
		[NAME_ATTRIBUTE_HREF] = "href",   [NAME_ATTRIBUTE_TARGET] = "target",
		[NAME_ATTRIBUTE_ID] = "id",       [NAME_ATTRIBUTE_CLASS] = "class",
		[NAME_ATTRIBUTE_TITLE] = "title",
	};
	struct text key = take_until(&pair, '=');

	if (attributes->is_inferno)
		pair = without_quotes(pair);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!text_is(key, keys[i]) ||
		    (i == NAME_ATTRIBUTE_HREF && !name_attributes_is_link(pair)))
			continue;
		row->at[i] = strings_get(&attributes->values,
					 strings_intern(&attributes->values, pair.at, pair.length));
		return;
	}
	attributes->refused_count++;
}

static bool take_line(struct name_attributes *attributes, struct text line)
{
	struct name_attributes_row row = { 0 };
	struct text name;
	str_id id;

	if (line.length && line.at[line.length - 1] == '\r')
		line.length--;
	if (!memchr(line.at, '\t', line.length))
		return attributes->is_inferno;
	name = take_until(&line, '\t');
	while (line.length)
		take_attribute(attributes, &row, take_until(&line, '\t'));
	id = strings_intern(&attributes->names, name.at, name.length);
	while (attributes->rows.count <= id.i)
		vec_push(&attributes->rows, (struct name_attributes_row){ 0 });
	attributes->rows.at[id.i] = row;
	return true;
}

bool name_attributes_read(struct name_attributes *attributes, struct text file, struct error *err)
{
	for (uint64_t number = 1; file.length; number++)
		if (!take_line(attributes, take_until(&file, '\n')))
			return error_set(err, ERROR_FORMAT,
					 "line %llu does not have the form "
					 "NAME<tab>ATTRIBUTE=VALUE",
					 (unsigned long long)number);
	return true;
}

const struct name_attributes_row *name_attributes_find(const struct name_attributes *attributes,
						       struct text name)
{
	str_id id = strings_find(&attributes->names, name);

	if (id.i >= attributes->rows.count || (id.i == STR_EMPTY.i && name.length))
		return NULL;
	return &attributes->rows.at[id.i];
}
