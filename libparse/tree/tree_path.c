/* SPDX-License-Identifier: MIT */
#include "libparse/tree/tree_path.h"

void tree_path_deinit(struct tree_path *path)
{
	vec_free(&path->nodes);
	vec_free(&path->bytes);
	vec_free(&path->frames);
}

static struct text text_at(const struct tree_path *path, size_t index)
{
	const struct tree_node *node = &path->nodes.at[index];

	return node->length ? (struct text){ path->bytes.at + node->begin, node->length }
			    : text_of("");
}

void tree_path_push(struct tree_path *path, struct text text, uint64_t count)
{
	const char *bytes = path->bytes.at;
	struct tree_node node = {
		.count = count,
		.begin = path->bytes.count,
		.length = text.length,
	};

	vec_reserve(&path->bytes, path->bytes.count + text.length);
	if (text.length)
		memcpy(path->bytes.at + node.begin, text.at, text.length);
	path->bytes.count += text.length;
	vec_push(&path->nodes, node);
	/* Texts move rarely, when the array of bytes grows. */
	if (path->bytes.at != bytes)
		path->frames.count = 0;
	for (size_t i = path->frames.count; i < path->nodes.count; i++)
		vec_push(&path->frames, text_at(path, i));
}

void tree_path_pop(struct tree_path *path)
{
	path->bytes.count = path->nodes.at[--path->nodes.count].begin;
	path->frames.count = path->nodes.count;
	if (path->shared_count > path->nodes.count)
		path->shared_count = path->nodes.count;
}

struct text tree_path_text(const struct tree_path *path, size_t index)
{
	return path->frames.at[index];
}

const struct text *tree_path_frames(struct tree_path *path, size_t first)
{
	path->shared_count = path->nodes.count;
	return path->frames.at + first;
}
