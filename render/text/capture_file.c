/* SPDX-License-Identifier: MIT */
#include "render/text/capture_file.h"

#include "render/text/private_path.h"

static struct text path_of(const diff_capture_list *captures, const struct strings *strings,
			   size_t index, bool shows_homes)
{
	struct text path = strings_get(strings, captures->at[index].file);

	if (!shows_homes)
		private_path_cut(&path);
	while (path.length > 1 && path.at[path.length - 1] == '/')
		path.length--;
	return path;
}

/* The last parts of a path, so many, or all of it. */
static struct text last_parts(struct text path, unsigned count)
{
	uint32_t at = path.length;

	while (at && (path.at[at - 1] != '/' || --count))
		at--;
	return (struct text){ path.at + at, path.length - at };
}

struct text capture_file_name(const diff_capture_list *captures, const struct strings *strings,
			      size_t index, bool shows_homes)
{
	struct text path = path_of(captures, strings, index, shows_homes);
	struct text name = last_parts(path, 1);
	unsigned count = 1;

	for (size_t i = 0; i < captures->count; i++) {
		struct text other = path_of(captures, strings, i, shows_homes);

		if (text_equal(other, path))
			continue;
		while (name.length < path.length && text_equal(last_parts(other, count), name))
			name = last_parts(path, ++count);
	}
	return name;
}
