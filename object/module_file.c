/* SPDX-License-Identifier: MIT */
#include "object/module_file.h"

/* The module's name in a path, without suffixes. */
static struct text module_file_name(struct text path)
{
	struct text name = text_basename(path);
	const char *suffix = memmem(name.at, name.length, ".ko", 3);

	if (suffix)
		name.length = (uint32_t)(suffix - name.at);
	return name;
}

bool module_file_is(struct text path)
{
	return module_file_name(path).length < text_basename(path).length;
}

static int plain(char c)
{
	return c == '-' ? '_' : c;
}

int module_file_compare(struct text a, struct text b)
{
	struct text left = module_file_name(a);
	struct text right = module_file_name(b);

	for (uint32_t i = 0; i < left.length && i < right.length; i++)
		if (plain(left.at[i]) != plain(right.at[i]))
			return plain(left.at[i]) - plain(right.at[i]);
	return (left.length > right.length) - (left.length < right.length);
}
