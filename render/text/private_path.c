/* SPDX-License-Identifier: MIT */
#include "render/text/private_path.h"

bool private_path_cut(struct text *path)
{
	static const char *const homes[] = { "/home/", "/Users/", "/var/home/", "/export/home/" };
	struct text rest = *path;

	if (text_is(*path, "/root") || text_has_prefix(*path, "/root/")) {
		*path = (struct text){ path->at + 5, path->length - 5 };
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(homes); i++) {
		uint32_t length = (uint32_t)strlen(homes[i]);
		const char *slash;

		if (!text_has_prefix(*path, homes[i]))
			continue;
		rest = (struct text){ path->at + length, path->length - length };
		slash = memchr(rest.at, '/', rest.length);
		length += slash ? (uint32_t)(slash - rest.at) : rest.length;
		*path = (struct text){ path->at + length, path->length - length };
		return true;
	}
	return false;
}

void private_path_write(struct sink *sink, struct text path)
{
	if (private_path_cut(&path))
		sink_char(sink, '~');
	sink_text(sink, path);
}

void private_path_write_word(struct sink *sink, struct text word)
{
	const char *equals = memchr(word.at, '=', word.length);
	uint32_t option = 0; /* what is before the value */
	struct text value;
	struct text inside;

	if (word.length > 1 && word.at[0] == '-' && word.at[1] != '-')
		option = 2;
	else if (word.length && word.at[0] == '-' && equals)
		option = (uint32_t)(equals + 1 - word.at);
	value = (struct text){ word.at + option, word.length - option };
	while (value.length > 1 && value.at[value.length - 1] == '/')
		value.length--;
	sink_bytes(sink, word.at, option);
	/* The last part of a home folder is somebody's name. */
	inside = value;
	if (private_path_cut(&inside) && !inside.length)
		sink_char(sink, '~');
	else
		sink_text(sink,
			  value.length > 1 && value.at[0] == '/' ? text_basename(value) : value);
}
