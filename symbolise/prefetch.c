/* SPDX-License-Identifier: MIT */
#include "symbolise/prefetch.h"

#include <unistd.h>

#include "symbolise/inlines.h"

struct prefetched_file {
	module_id module;
	uint64_t packed_bytes;
	struct dwarf_files files; /* until started */
	bool has_begun;           /* reading has started, and the answer has not been received */
	struct dwarf_reading reading;
};

struct prefetch {
	const struct service *service;
	const struct file_index *index;
	bool wants_lines;
	size_t count_max;
	VEC(struct prefetched_file) rows;
};

struct prefetch *prefetch_create(const struct symbolise_options *options)
{
	struct prefetch *prefetch;

	/* A single thread gains nothing, and the cache may already have the answer. */
	if (!options->service || options->table_cache || options->thread_count < 2)
		return NULL;
	prefetch = memory_alloc(1, sizeof(*prefetch));
	*prefetch = (struct prefetch){
		.service = options->service,
		.index = options->index,
		.wants_lines = options->wants_lines,
		.count_max = options->thread_count - 1,
	};
	return prefetch;
}

static void close_files(struct dwarf_files *files)
{
	if (files->fd >= 0)
		close(files->fd);
	if (files->shared_fd >= 0)
		close(files->shared_fd);
	files->fd = files->shared_fd = -1;
}

void prefetch_destroy(struct prefetch *prefetch)
{
	if (!prefetch)
		return;
	for (size_t i = 0; i < prefetch->rows.count; i++) {
		close_files(&prefetch->rows.at[i].files);
		if (prefetch->rows.at[i].has_begun)
			dwarf_reading_cancel(&prefetch->rows.at[i].reading);
	}
	vec_free(&prefetch->rows);
	memory_free(prefetch);
}

/*
 * The compressed size of .debug_info. Returns 0 for files with split DWARF, whose paths are known
 * only later.
 */
static uint64_t packed_bytes(const struct prefetch *prefetch, const struct elf_file *elf)
{
	const struct elf_section *section = elf_find_section(elf, ".debug_info");

	if (!section || !section->is_compressed ||
	    (prefetch->index->archived_split.count && elf_find_section(elf, ".debug_addr")))
		return 0;
	return section->size_bytes;
}

/* A free row, or the row of the smallest file; NULL if all kept files are larger. */
static struct prefetched_file *find_room(struct prefetch *prefetch, uint64_t size_bytes)
{
	struct prefetched_file *smallest = prefetch->rows.at;

	if (prefetch->rows.count < prefetch->count_max) {
		vec_push(&prefetch->rows, (struct prefetched_file){ .has_begun = false });
		return &prefetch->rows.at[prefetch->rows.count - 1];
	}
	for (size_t i = 1; i < prefetch->rows.count; i++)
		if (prefetch->rows.at[i].packed_bytes < smallest->packed_bytes)
			smallest = &prefetch->rows.at[i];
	if (smallest->packed_bytes >= size_bytes)
		return NULL;
	close_files(&smallest->files);
	return smallest;
}

void prefetch_offer(struct prefetch *prefetch, module_id module, const struct elf_pair *pair)
{
	const struct elf_file *elf = prefetch ? inlines_file(pair) : NULL;
	uint64_t size_bytes = elf ? packed_bytes(prefetch, elf) : 0;
	struct prefetched_file *row = size_bytes ? find_room(prefetch, size_bytes) : NULL;

	if (!row)
		return;
	*row = (struct prefetched_file){
		.module = module,
		.packed_bytes = size_bytes,
		.files = {
			.fd = elf_share(elf),
			.shared_fd = pair->supplement ? elf_share(pair->supplement) : -1,
			.wants_lines = prefetch->wants_lines,
		},
	};
}

void prefetch_start(struct prefetch *prefetch)
{
	struct error ignored;

	for (size_t i = 0; prefetch && i < prefetch->rows.count; i++) {
		struct prefetched_file *row = &prefetch->rows.at[i];

		/* Ignore errors, because symbolisation repeats the attempt and reports them. */
		row->has_begun =
			row->files.fd >= 0 &&
			dwarf_helper_begin(prefetch->service, &row->files, &row->reading, &ignored);
		close_files(&row->files);
	}
}

bool prefetch_take(struct prefetch *prefetch, module_id module, struct dwarf_reading *ret)
{
	for (size_t i = 0; prefetch && i < prefetch->rows.count; i++) {
		struct prefetched_file *row = &prefetch->rows.at[i];

		if (row->module.i != module.i || !row->has_begun)
			continue;
		row->has_begun = false;
		*ret = row->reading;
		return true;
	}
	return false;
}
