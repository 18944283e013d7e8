/* SPDX-License-Identifier: MIT */
#include "symbolise/inlines.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/sink.h"
#include "object/file.h"

/*
 * Gets the row of the archive with this descriptor, or adds a row. Returns false if there is no
 * space.
 */
static bool find_archive(struct split_offer *offer, int fd, size_t *ret)
{
	for (*ret = 0; *ret < offer->archive_count; ++*ret)
		if (offer->archive_fds[*ret] == fd)
			return true;
	if (offer->archive_count == DWARF_ARCHIVES_MAX)
		return false;
	offer->archive_fds[offer->archive_count++] = fd;
	return true;
}

static void write_packed(const struct file_index *index, struct split_offer *offer,
			 struct sink *sink)
{
	for (size_t i = 0; i < index->archived_split.count; i++) {
		const struct index_file *file = index->archived_split.at[i];
		size_t archive;

		if (find_archive(offer, file->contents->spool.fd, &archive))
			sink_printf(sink, "A%zu:%llu:%llu:%s%c", archive,
				    (unsigned long long)file->begin,
				    (unsigned long long)file->size_bytes,
				    text_basename(file->path).at, '\0');
	}
}

/* Writes the path of the DWARF package (.dwp) next to the program's file. */
static void write_beside(const struct elf_file *elf, struct sink *sink)
{
	char link[64], path[LIMIT_NAME_BYTES];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", elf->fd);
	length = elf->fd >= 0 ? readlink(link, path, sizeof(path)) : -1;
	if (length > 0 && length < (ssize_t)sizeof(path))
		sink_printf(sink, "B%.*s.dwp%c", (int)length, path, '\0');
}

void split_files_offer(struct naming_job *job, const struct naming *naming,
		       const struct elf_file *elf, struct split_offer *ret)
{
	const struct symbolise_options *options = job->context->options;
	struct text program = locate_original_path(naming->path);
	struct sink sink;

	*ret = (struct split_offer){ .archive_count = 0 };
	sink_init_memory(&sink);
	write_beside(elf, &sink);
	if (options->use_host_files)
		sink_printf(&sink, "H%c", '\0');
	for (size_t i = 0; i < options->index->directories.count; i++)
		sink_printf(&sink, "R%s%c", options->index->directories.at[i].at, '\0');
	if (program.length && program.at[0] == '/' && !locate_has_parent(program))
		sink_printf(&sink, "P%.*s%c", (int)program.length, program.at, '\0');
	/* Split DWARF always needs .debug_addr. */
	if (elf_find_section(elf, ".debug_addr"))
		write_packed(options->index, ret, &sink);
	ret->places = sink_memory(&sink);
	ret->places.at = arena_text(&job->arena, ret->places.at, ret->places.length);
	sink_deinit(&sink);
}

static bool has_split_information(const struct elf_file *elf)
{
	return elf_find_section(elf, ".debug_info.dwo") || elf_find_section(elf, ".debug_cu_index");
}

static bool open_packed(struct elf_file *elf, const struct split_offer *offer, const char *place)
{
	struct error ignored;
	char *end;
	size_t archive = strtoul(place + 1, &end, 10);
	uint64_t begin = *end == ':' ? strtoull(end + 1, &end, 10) : 0;
	uint64_t size_bytes = *end == ':' ? strtoull(end + 1, &end, 10) : 0;

	return archive < offer->archive_count && size_bytes &&
	       elf_open_range(elf, offer->archive_fds[archive], begin, size_bytes, &ignored);
}

static bool is_offered(const struct split_offer *offer, const char *place)
{
	const char *end = offer->places.at + offer->places.length;

	for (const char *at = offer->places.at; at < end; at += strlen(at) + 1)
		if (strcmp(at, place) == 0)
			return true;
	return false;
}

int split_files_open(void *context, const char *place, const char *path)
{
	struct error ignored;

	if (!is_offered(context, place))
		return -1;
	switch (*place) {
	case 'R':
		return elf_keep(file_open_beneath(place + 1, path, &ignored));
	case 'H':
		return elf_keep(file_open_captured(path, &ignored));
	case 'B':
		return elf_keep(file_open_captured(place + 1, &ignored));
	default:
		return -1;
	}
}

static bool open_used(struct elf_file *elf, struct split_offer *offer, const char *place,
		      const char *path)
{
	struct error ignored;
	int fd;

	if (*place == 'A')
		return open_packed(elf, offer, place);
	fd = split_files_open(offer, place, path);
	return fd >= 0 && elf_open_fd(elf, fd, &ignored);
}

static void collect(const struct naming_job *job, const struct naming *naming,
		    struct split_offer *offer, const char *place, const char *path)
{
	const char *name = *place == 'A' ? strrchr(place, ':') : NULL;
	struct elf_file elf;

	if (!open_used(&elf, offer, place, path))
		return;
	if (has_split_information(&elf))
		naming_collect(job, &(struct collected_file){
					    .kind = COLLECTED_SPLIT,
					    .module = naming->module,
					    .match = MATCH_VERIFIED,
					    .path = name            ? name + 1
						    : *place == 'B' ? place + 1
								    : path,
					    .fd = elf.fd,
					    .bytes = elf.bytes,
					    .size_bytes = elf.size_bytes,
				    });
	elf_close(&elf);
}

void split_files_collect(const struct naming_job *job, const struct naming *naming,
			 struct split_offer *offer, const byte_list *used)
{
	const char *at = (const char *)used->at;
	const char *end = used->count ? at + used->count : at;

	while (at < end) {
		const char *place = at;
		const char *path = place + strlen(place) + 1;

		if (path >= end)
			break;
		collect(job, naming, offer, place, path);
		at = path + strlen(path) + 1;
	}
}
