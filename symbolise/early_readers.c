/* SPDX-License-Identifier: MIT */
#include "symbolise/early_readers.h"

#include <unistd.h>

#include "symbolise/inlines.h"

struct early_reader {
	module_id module;
	uint64_t packed_bytes;
	struct dwarf_files files; /* until it begins */
	bool has_begun;           /* and was not taken */
	struct dwarf_reading reading;
};

struct early_readers {
	const struct dwarf_helper *helper;
	const struct file_index *index;
	bool wants_lines;
	size_t count_max;
	VEC(struct early_reader) rows;
};

struct early_readers *early_readers_create(const struct symbolise_options *options)
{
	struct early_readers *readers;

	/* One thread goes on by itself. And what was read before may be all that is needed. */
	if (!options->helper || options->table_cache || options->thread_count < 2)
		return NULL;
	readers = memory_alloc(1, sizeof(*readers));
	*readers = (struct early_readers){
		.helper = options->helper,
		.index = options->index,
		.wants_lines = options->wants_lines,
		.count_max = options->thread_count - 1,
	};
	return readers;
}

static void close_files(struct dwarf_files *files)
{
	if (files->fd >= 0)
		close(files->fd);
	if (files->shared_fd >= 0)
		close(files->shared_fd);
	files->fd = files->shared_fd = -1;
}

void early_readers_destroy(struct early_readers *readers)
{
	if (!readers)
		return;
	for (size_t i = 0; i < readers->rows.count; i++) {
		close_files(&readers->rows.at[i].files);
		if (readers->rows.at[i].has_begun)
			dwarf_reading_cancel(&readers->rows.at[i].reading);
	}
	vec_free(&readers->rows);
	memory_free(readers);
}

/* How much there is to unpack; 0 too where further files belong to it, which are told when it is asked. */
static uint64_t packed_bytes(const struct early_readers *readers, const struct elf_file *elf)
{
	const struct elf_section *section = elf_find_section(elf, ".debug_info");

	if (!section || !section->is_packed ||
	    (readers->index->packed_split.count && elf_find_section(elf, ".debug_addr")))
		return 0;
	return section->size_bytes;
}

/* Where one of that size is kept; NULL: there are enough that are larger. */
static struct early_reader *find_room(struct early_readers *readers, uint64_t size_bytes)
{
	struct early_reader *smallest = readers->rows.at;

	if (readers->rows.count < readers->count_max) {
		vec_push(&readers->rows, (struct early_reader){ .has_begun = false });
		return &readers->rows.at[readers->rows.count - 1];
	}
	for (size_t i = 1; i < readers->rows.count; i++)
		if (readers->rows.at[i].packed_bytes < smallest->packed_bytes)
			smallest = &readers->rows.at[i];
	if (smallest->packed_bytes >= size_bytes)
		return NULL;
	close_files(&smallest->files);
	return smallest;
}

void early_readers_offer(struct early_readers *readers, module_id module,
			 const struct elf_pair *pair)
{
	const struct elf_file *elf = readers ? inlines_file(pair) : NULL;
	uint64_t size_bytes = elf ? packed_bytes(readers, elf) : 0;
	struct early_reader *row = size_bytes ? find_room(readers, size_bytes) : NULL;

	if (!row)
		return;
	*row = (struct early_reader){
		.module = module,
		.packed_bytes = size_bytes,
		.files = {
			.fd = elf_share(elf),
			.shared_fd = pair->supplement ? elf_share(pair->supplement) : -1,
			.wants_lines = readers->wants_lines,
		},
	};
}

void early_readers_start(struct early_readers *readers)
{
	struct error ignored;

	for (size_t i = 0; readers && i < readers->rows.count; i++) {
		struct early_reader *row = &readers->rows.at[i];

		/* Whatever is wrong will be found again, and said, by who is in need of it. */
		row->has_begun =
			row->files.fd >= 0 &&
			dwarf_helper_begin(readers->helper, &row->files, &row->reading, &ignored);
		close_files(&row->files);
	}
}

bool early_readers_take(struct early_readers *readers, module_id module, struct dwarf_reading *ret)
{
	for (size_t i = 0; readers && i < readers->rows.count; i++) {
		struct early_reader *row = &readers->rows.at[i];

		if (row->module.i != module.i || !row->has_begun)
			continue;
		row->has_begun = false;
		*ret = row->reading;
		return true;
	}
	return false;
}
