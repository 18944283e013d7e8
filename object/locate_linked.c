/* SPDX-License-Identifier: MIT */
#include "object/file.h"
#include "object/locate.h"

static const char debug_root[] = "/usr/lib/debug";

/* A directory below a directory from --symbols, or on this machine if root is NULL. */
struct linked_directory {
	const char *root;
	uint32_t root_pid;
	struct text directory; /* path below root, without a final slash */
};

static struct text directory_of(struct text path)
{
	path.length -= text_basename(path).length;
	return path.length ? (struct text){ path.at, path.length - 1 } : path;
}

static void add(struct located_list *list, const char *root, const char *path)
{
	vec_push(&list->rows,
		 ((struct located){ .how = root ? LOCATED_IN_DIRECTORY : LOCATED_BY_LINK,
				    .root = root,
				    .path = path }));
}

static void add_in(struct located_list *list, const struct linked_directory *place,
		   const char *path)
{
	add(list, place->root, path);
	list->rows.at[list->rows.count - 1].root_pid = place->root_pid;
}

/*
 * Finds the directory of a file. Returns false if this directory must not be searched, because the
 * user named the file itself, or because the file is in an archive.
 */
static bool find_place(const struct locator *locator, const struct located *from,
		       struct linked_directory *ret)
{
	struct text path = text_of(from->path);
	struct text root = file_index_directory_of(locator->index, path);

	*ret = (struct linked_directory){ from->root, from->root_pid, directory_of(path) };
	/* In an archive, the files next to this one are found by name. */
	if (from->file && from->file->contents)
		return false;
	if (from->root)
		return true;
	if (root.at) {
		ret->root = root.at;
		ret->directory.at += root.length;
		ret->directory.length -= root.length;
		return true;
	}
	return locator->uses_host && from->how != LOCATED_BY_NAME;
}

/*
 * Adds the recorded path below a debug root, and the same path without /usr. Debug files may date
 * from before /lib became /usr/lib.
 */
static void add_below_debug_root(struct located_list *list, const char *root, struct arena *arena,
				 const struct locate_link *link)
{
	struct text directory = directory_of(link->captured_path);
	static const char usr[] = "/usr";

	add(list, root,
	    arena_format(arena, "%s%.*s/%.*s", debug_root, (int)directory.length, directory.at,
			 (int)link->name.length, link->name.at));
	if (!text_has_prefix(directory, "/usr/"))
		return;
	directory.at += sizeof(usr) - 1;
	directory.length -= (uint32_t)sizeof(usr) - 1;
	add(list, root,
	    arena_format(arena, "%s%.*s/%.*s", debug_root, (int)directory.length, directory.at,
			 (int)link->name.length, link->name.at));
}

/* Adds a debug file in the directory of the file with the link, and in .debug there. */
static void add_beside(struct located_list *list, const struct linked_directory *place,
		       struct arena *arena, struct text name)
{
	add_in(list, place,
	       arena_format(arena, "%.*s/%.*s", (int)place->directory.length, place->directory.at,
			    (int)name.length, name.at));
	add_in(list, place,
	       arena_format(arena, "%.*s/.debug/%.*s", (int)place->directory.length,
			    place->directory.at, (int)name.length, name.at));
}

/*
 * Adds the places that the recorded path leads to. The file with the link may be a copy elsewhere,
 * such as in perf's cache.
 */
static void add_by_captured_path(struct located_list *list, const char *root, struct arena *arena,
				 const struct locate_link *link)
{
	struct linked_directory place = { .root = root,
					  .directory = directory_of(link->captured_path) };

	add_beside(list, &place, arena, link->name);
	add_below_debug_root(list, root, arena, link);
}

/* Whether the recorded path leads to a directory. */
static bool has_captured_directory(const struct locate_link *link)
{
	return link->captured_path.length && link->captured_path.at[0] == '/' &&
	       !locate_has_parent(link->captured_path);
}

static void add_by_name(const struct locator *locator, struct text name, struct located_list *list)
{
	struct index_matches called_so = file_index_find_name(locator->index, name);

	for (size_t i = 0; i < called_so.count; i++)
		vec_push(&list->rows, located_offered(LOCATED_BY_LINK, called_so.at[i]));
}

void locate_debug_file(const struct locator *locator, const struct locate_link *link,
		       struct arena *arena, struct located_list *list)
{
	bool has_directory = has_captured_directory(link);
	struct linked_directory place;

	if (find_place(locator, link->from, &place))
		add_beside(list, &place, arena, link->name);
	for (size_t i = 0; i < locator->index->directories.count && has_directory; i++)
		add_by_captured_path(list, locator->index->directories.at[i].at, arena, link);
	if (locator->uses_host && has_directory)
		add_by_captured_path(list, NULL, arena, link);
	add_by_name(locator, link->name, list);
}

/* Adds a path that is relative to the file with the link, or to where it was captured. */
static void add_relative(const struct locator *locator, const struct locate_link *link,
			 const char *path, struct arena *arena, struct located_list *list)
{
	struct text directory = directory_of(link->captured_path);
	struct linked_directory place;

	if (find_place(locator, link->from, &place))
		add_in(list, &place,
		       arena_format(arena, "%.*s/%s", (int)place.directory.length,
				    place.directory.at, path));
	if (locator->uses_host && has_captured_directory(link))
		add(list, NULL,
		    arena_format(arena, "%.*s/%s", (int)directory.length, directory.at, path));
}

void locate_supplement(const struct locator *locator, const struct locate_link *link,
		       struct arena *arena, struct located_list *list)
{
	const char *path = arena_text(arena, link->name.at, link->name.length);

	if (*path != '/') {
		add_relative(locator, link, path, arena, list);
		return;
	}
	for (size_t i = 0; i < locator->index->directories.count; i++)
		add(list, locator->index->directories.at[i].at, path);
	if (locator->uses_host)
		add(list, NULL, path);
}
