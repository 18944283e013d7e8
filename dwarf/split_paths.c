/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/split_paths.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strings.h"

static const char package_suffix[] = ".dwp";

/* The next offer of a kind after `last`, or the first if last is NULL. NULL at the end. */
static const char *next_offer(struct text offers, char kind, const char *last)
{
	const char *end = offers.at + offers.length;
	const char *at = last ? last + strlen(last) + 1 : offers.at;

	while (at < end && *at != kind)
		at += strlen(at) + 1;
	return at < end ? at : NULL;
}

static void add(split_path_list *list, const char *offer, const char *path)
{
	vec_push(list, (struct split_path){ offer, path });
}

/* Adds the archive members with this file name. */
static void add_members(struct text offers, struct text base, split_path_list *list)
{
	for (const char *offer = next_offer(offers, 'A', NULL); offer;
	     offer = next_offer(offers, 'A', offer)) {
		const char *name = offer;

		for (int i = 0; i < 3 && name; i++)
			name = strchr(name + 1, ':');
		if (name && text_is(base, name + 1))
			add(list, offer, "");
	}
}

void split_paths_of_unit(const struct split_sources *sources, const char *name,
			 const char *directory, struct arena *arena, split_path_list *list)
{
	struct text offers = sources->places;
	struct text base = text_basename(text_of(name));
	const char *host = next_offer(offers, 'H', NULL);
	const char *path = name;

	if (strnlen(name, LIMIT_NAME_BYTES) == LIMIT_NAME_BYTES)
		return;
	if (*name != '/' && directory && strnlen(directory, LIMIT_NAME_BYTES) < LIMIT_NAME_BYTES)
		path = arena_format(arena, "%s/%s", directory, name);
	if (host)
		add(list, host, path);
	for (const char *root = next_offer(offers, 'R', NULL); root;
	     root = next_offer(offers, 'R', root)) {
		add(list, root, path);
		add(list, root, name);
		add(list, root, base.at);
	}
	add_members(offers, base, list);
}

void split_paths_of_package(const struct split_sources *sources, struct arena *arena,
			    split_path_list *list)
{
	struct text offers = sources->places;
	const char *program = next_offer(offers, 'P', NULL);
	const char *host = next_offer(offers, 'H', NULL);
	const char *beside = next_offer(offers, 'B', NULL);
	const char *path;

	if (beside)
		add(list, beside, "");
	if (!program)
		return;
	/*
	 * The package is in the program's directory, and its name is the program's name with a
	 * suffix.
	 */
	path = arena_format(arena, "%s%s", program + 1, package_suffix);
	if (host)
		add(list, host, path);
	for (const char *root = next_offer(offers, 'R', NULL); root;
	     root = next_offer(offers, 'R', root)) {
		add(list, root, path);
		add(list, root, text_basename(text_of(path)).at);
	}
	add_members(offers, text_basename(text_of(path)), list);
}

/* Maps the range of "ADESCRIPTOR:BEGIN:SIZE:NAME", starting at a page boundary. */
static bool map_member(struct split_file *file, const struct split_sources *sources,
		       const char *offer, struct span *ret)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	char *end;
	unsigned long archive = strtoul(offer + 1, &end, 10);
	uint64_t begin = *end == ':' ? strtoull(end + 1, &end, 10) : 0;
	uint64_t size_bytes = *end == ':' ? strtoull(end + 1, &end, 10) : 0;
	uint64_t before = begin % page_bytes;
	void *mapping;

	if (archive >= sources->files->archive_count || !size_bytes || size_bytes > SIZE_MAX / 2)
		return false;
	mapping = mmap(NULL, (size_t)(before + size_bytes), PROT_READ, MAP_PRIVATE,
		       sources->files->archive_fds[archive], (off_t)(begin - before));
	if (mapping == MAP_FAILED)
		return false;
	file->mapping = mapping;
	file->mapping_bytes = (size_t)(before + size_bytes);
	*ret = span_of((unsigned char *)mapping + before, (size_t)size_bytes, 0, false);
	return true;
}

bool split_file_open(struct split_file *file, const struct split_sources *sources,
		     const struct split_path *place)
{
	struct error ignored;
	struct span bytes;

	*file = (struct split_file){ .fd = -1 };
	if (*place->offer == 'A')
		return map_member(file, sources, place->offer, &bytes) &&
		       debug_image_open_memory(&file->image, bytes, true, &ignored);
	if (sources->opener)
		file->fd =
			sources->opener->open(sources->opener->context, place->offer, place->path);
	return file->fd >= 0 && debug_image_open(&file->image, file->fd, true, &ignored);
}

void split_file_close(struct split_file *file)
{
	debug_image_close(&file->image);
	if (file->fd >= 0)
		close(file->fd);
	if (file->mapping)
		munmap(file->mapping, file->mapping_bytes);
	*file = (struct split_file){ .fd = -1 };
}

#endif
