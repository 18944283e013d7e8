/* SPDX-License-Identifier: MIT */
#include "libparse/tree/tree_path.h"

void tree_path_deinit(struct tree_path *path)
{
	vec_free(&path->nodes);
	vec_free(&path->bytes);
	vec_free(&path->frames);
}

void tree_path_push(struct tree_path *path, struct text text, uint64_t count)
{
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
}

void tree_path_pop(struct tree_path *path)
{
	path->bytes.count = path->nodes.at[--path->nodes.count].begin;
	if (path->shared_count > path->nodes.count)
		path->shared_count = path->nodes.count;
}

struct text tree_path_text(const struct tree_path *path, size_t index)
{
	const struct tree_node *node = &path->nodes.at[index];

	return node->length ? (struct text){ path->bytes.at + node->begin, node->length }
			    : text_of("");
}

const struct text *tree_path_frames(struct tree_path *path, size_t first)
{
	path->frames.count = 0;
	path->shared_count = path->nodes.count;
	for (size_t i = first; i < path->nodes.count; i++)
		vec_push(&path->frames, tree_path_text(path, i));
	return path->frames.at;
}
