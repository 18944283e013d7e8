/* SPDX-License-Identifier: MIT */
#include "object/store.h"

#include <sys/stat.h>

#define BASE_OF_SERVERS "/buildid"

static const char *const debuginfod_files[] = { "/executable", "/debuginfo", NULL };
static const char *const distribution_files[] = { "", ".debug", NULL };
static const char *const perf_files[] = { "/elf", "/debug", "/vdso", NULL };

static const struct layout {
	const char *base;
	bool splits_id; /* the first byte of the build-id is the name of a directory */
	const char *const *files;
	const char *
		/*
		 * The file to report as missing if the store does not contain any of the files.
		 * NULL if no file is to be reported. A directory that looks like a store need not
		 * be a store.
		 */
		missed;
} layouts[] = {
	{ BASE_OF_SERVERS, false, debuginfod_files, "/executable" },
	{ "", false, debuginfod_files, NULL },
	{ "/.build-id", true, distribution_files, NULL },
	{ "/.build-id", true, perf_files, NULL },
	{ "/.build-id", true, debuginfod_files, NULL },
	{ "/usr/lib/debug/.build-id", true, distribution_files, NULL },
};

static const char *const suffixes[] = { "", ".zst", ".gz", ".xz" };

static bool is_kind(const char *directory, const char *path, mode_t kind, struct arena *arena)
{
	struct stat status;

	return stat(arena_format(arena, "%s%s", directory, path), &status) == 0 &&
	       (status.st_mode & S_IFMT) == kind;
}

static void add(struct located_list *list, const char *directory, const char *path)
{
	vec_push(&list->rows,
		 ((struct located){ .how = LOCATED_BY_BUILD_ID, .root = directory, .path = path }));
}

static bool add_file(const char *directory, const char *path, struct arena *arena,
		     struct located_list *list)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		const char *whole = arena_format(arena, "%s%s", path, suffixes[i]);

		if (is_kind(directory, whole, S_IFREG, arena)) {
			add(list, directory, whole);
			return true;
		}
	}
	return false;
}

static void add_layout(const struct layout *layout, const char *directory, const char *hex,
		       struct arena *arena, struct located_list *list)
{
	const char *stem = layout->splits_id
				   ? arena_format(arena, "%s/%.2s/%s", layout->base, hex, hex + 2)
				   : arena_format(arena, "%s/%s", layout->base, hex);
	bool has_any = false;

	if (!is_kind(directory, layout->base, S_IFDIR, arena))
		return;
	for (size_t i = 0; layout->files[i]; i++)
		has_any |= add_file(directory, arena_format(arena, "%s%s", stem, layout->files[i]),
				    arena, list);
	if (!has_any && layout->missed)
		add(list, directory, arena_format(arena, "%s%s", stem, layout->missed));
}

void store_locate(const char *directory, const struct build_id *id, struct arena *arena,
		  struct located_list *list)
{
	char hex[BUILD_ID_TEXT_BYTES];

	build_id_hex(id, hex);
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		add_layout(&layouts[i], directory, hex, arena, list);
}

bool store_covers(const char *directory, struct text path)
{
	struct build_id id;

	return text_has_prefix(path, directory) &&
	       text_has_prefix((struct text){ path.at + strlen(directory),
					      path.length - (uint32_t)strlen(directory) },
			       BASE_OF_SERVERS "/") &&
	       path.length - text_basename(path).length ==
		       strlen(directory) + sizeof(BASE_OF_SERVERS) &&
	       build_id_parse(text_basename(path), &id);
}
