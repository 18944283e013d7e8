/* SPDX-License-Identifier: MIT */
/* Symbolises as a session does, with the files that a user gives by paths. */
#ifndef TESTS_SUPPORT_SYMBOLISE_PATHS_H
#define TESTS_SUPPORT_SYMBOLISE_PATHS_H

#include "symbolise/symbolise.h"

static inline void symbolise_paths(struct modules *modules, struct locations *locations,
				   struct strings *strings, struct symbolise_options *options,
				   const char *const *paths, size_t count)
{
	struct file_index index;

	file_index_init(&index);
	for (size_t i = 0; i < count; i++)
		file_index_add(&index, paths[i]);
	file_index_finish(&index);
	options->index = &index;
	symbolise(modules, locations, strings, options);
	options->index = NULL;
	file_index_deinit(&index);
}

#endif
