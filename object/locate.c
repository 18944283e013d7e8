/* SPDX-License-Identifier: MIT */
#include "object/locate.h"

#include "object/file.h"
#include "object/host_process.h"
#include "object/store.h"

static const char debug_root[] = "/usr/lib/debug";

struct text locate_original_path(struct text path)
{
	static const char suffix[] = " (deleted)";

	if (text_has_suffix(path, suffix))
		path.length -= sizeof(suffix) - 1;
	return path;
}

static const char *concatenate(struct arena *arena, const char *const *parts, size_t count)
{
	size_t length = 0;
	char *path, *at;

	for (size_t i = 0; i < count; i++)
		length += strlen(parts[i]);
	path = at = arena_alloc(arena, length + 1, 1);
	for (size_t i = 0; i < count; i++) {
		memcpy(at, parts[i], strlen(parts[i]));
		at += strlen(parts[i]);
	}
	*at = '\0';
	return path;
}

/* The path ROOT/.build-id/ab/cdef...SUFFIX. */
static const char *build_id_path(struct arena *arena, const char *root, const struct build_id *id,
				 const char *suffix)
{
	char hex[BUILD_ID_TEXT_BYTES], first[3];
	const char *parts[] = { root, "/.build-id/", first, "/", hex + 2, suffix };

	build_id_hex(id, hex);
	memcpy(first, hex, 2);
	first[2] = '\0';
	return concatenate(arena, parts, ARRAY_SIZE(parts));
}

const char *locate_in_cache(const struct locator *locator, const struct build_id *id,
			    const char *name, struct arena *arena)
{
	const char *parts[] = { "/", name };

	if (!locator->build_id_cache || id->size_bytes < 2)
		return NULL;
	return build_id_path(arena, locator->build_id_cache, id,
			     concatenate(arena, parts, ARRAY_SIZE(parts)));
}

static void add(struct located_list *list, enum located_how how, const char *root, const char *path)
{
	if (path)
		vec_push(&list->rows, ((struct located){ .how = how, .root = root, .path = path }));
}

struct located located_offered(enum located_how how, const struct index_file *file)
{
	return (struct located){ .how = how, .path = file->path.at, .file = file };
}

static void add_by_build_id(const struct locator *locator, const struct build_id *id,
			    struct arena *arena, struct located_list *list)
{
	static const char *const cached[] = { "elf", "debug", "vdso" };
	struct index_matches offered = file_index_find_build_id(locator->index, id);

	for (size_t i = 0; i < offered.count; i++)
		if (build_id_equal(&offered.at[i]->build_id, id))
			vec_push(&list->rows, located_offered(LOCATED_BY_BUILD_ID, offered.at[i]));
	for (size_t i = 0; i < locator->index->directories.count; i++)
		store_locate(locator->index->directories.at[i].at, id, arena, list);
	for (size_t i = 0; i < ARRAY_SIZE(cached); i++)
		add(list, LOCATED_BY_BUILD_ID, NULL,
		    locate_in_cache(locator, id, cached[i], arena));
	/* Before perf 4.8, an entry of the cache was a link to the file itself. */
	if (locator->build_id_cache)
		add(list, LOCATED_BY_BUILD_ID, NULL,
		    build_id_path(arena, locator->build_id_cache, id, ""));
	if (locator->uses_host)
		add(list, LOCATED_BY_BUILD_ID, NULL,
		    build_id_path(arena, debug_root, id, ".debug"));
}

/* The number of equal components at the ends of two paths. */
static uint32_t shared_components(struct text a, struct text b)
{
	uint32_t count = 0;

	while (a.length && b.length) {
		struct text a_name = text_basename(a);
		struct text b_name = text_basename(b);

		if (!text_equal(a_name, b_name) || !a_name.length)
			break;
		count++;
		a.length -= a_name.length;
		b.length -= b_name.length;
		if (a.length)
			a.length--;
		if (b.length)
			b.length--;
	}
	return count;
}

/*
 * The file whose path shares the most components with the end of `path`. Returns NULL if several
 * different files share equally many components, because only one of them can be right.
 */
static const struct index_file *find_by_name(const struct file_index *index, struct text path)
{
	struct index_matches called_so = file_index_find_name(index, text_basename(path));
	const struct index_file *best = NULL;
	uint32_t best_shared = 0;
	bool is_ambiguous = false;

	for (size_t i = 0; i < called_so.count; i++) {
		const struct index_file *file = called_so.at[i];
		uint32_t shared = shared_components(file->path, path);

		if (shared == 0 || shared < best_shared)
			continue;
		if (shared == best_shared) {
			is_ambiguous |= !build_id_equal(&file->build_id, &best->build_id);
			continue;
		}
		best = file;
		best_shared = shared;
		is_ambiguous = false;
	}
	return is_ambiguous ? NULL : best;
}

bool locate_has_parent(struct text path)
{
	for (uint32_t i = 0; i + 1 < path.length; i++)
		if (path.at[i] == '.' && path.at[i + 1] == '.' &&
		    (i == 0 || path.at[i - 1] == '/') &&
		    (i + 2 == path.length || path.at[i + 2] == '/'))
			return true;
	return false;
}

/*
 * Adds the recorded path on this machine, as process pid sees it. For pid 0, adds it as kiln sees
 * it.
 */
static void add_live(const struct locate_query *query, uint32_t pid, const char *path,
		     struct arena *arena, struct located_list *list)
{
	const char *root = pid ? arena_format(arena, "/proc/%u/root", (unsigned)pid) : NULL;

	vec_push(&list->rows, ((struct located){ .how = LOCATED_LIVE,
						 .root = root,
						 .root_pid = pid,
						 .path = path,
						 .is_recorded = query->is_recorded }));
}

/* Adds the recorded path in the root directories of processes in containers. */
static void add_in_processes(const struct locator *locator, const struct locate_query *query,
			     const char *path, struct arena *arena, struct located_list *list)
{
	const uint32_t *pids = query->pids;

	for (size_t i = 0; i < 2; i++) {
		struct host_process process;

		if (!pids[i] || (i && pids[i] == pids[0]) ||
		    !host_process_find(pids[i], locator->capture_time_s, &process) ||
		    !host_process_sees_other_files(locator->roots, pids[i]))
			continue;
		add_live(query, pids[i], path, arena, list);
	}
}

static void add_by_path(const struct locator *locator, const struct locate_query *query,
			struct text path, struct arena *arena, struct located_list *list)
{
	const struct index_file *named = find_by_name(locator->index, path);
	const char *copy;

	if (named)
		vec_push(&list->rows, located_offered(LOCATED_BY_NAME, named));
	if (!path.length || path.at[0] != '/' || locate_has_parent(path) ||
	    memchr(path.at, '\0', path.length))
		return;
	copy = arena_text(arena, path.at, path.length);
	for (size_t i = 0; i < locator->index->directories.count; i++)
		add(list, LOCATED_IN_DIRECTORY, locator->index->directories.at[i].at, copy);
	if (locator->uses_host)
		add_in_processes(locator, query, copy, arena, list);
	if (locator->uses_host)
		add_live(query, 0, copy, arena, list);
}

void locate_objects(const struct locator *locator, const struct locate_query *query,
		    struct arena *arena, struct located_list *list)
{
	struct text path = locate_original_path(query->path);

	if (query->build_id.size_bytes > 1)
		add_by_build_id(locator, &query->build_id, arena, list);
	if (path.length)
		add_by_path(locator, query, path, arena, list);
}

static int open_located(const struct locator *locator, const struct located *located,
			struct error *err)
{
	if (located->root_pid)
		return host_process_open_file(locator->roots, located->root_pid, located->path,
					      located->is_recorded ? FILE_LAST_LINK_REFUSED
								   : FILE_LAST_LINK_FOLLOWED,
					      err);
	if (located->is_recorded)
		return file_open_recorded(located->root, located->path, err);
	return located->root ? file_open_beneath(located->root, located->path, err)
			     : file_open_captured(located->path, err);
}

bool located_open(const struct locator *locator, const struct located *located,
		  struct elf_file *elf, bool *is_there, struct error *err)
{
	int fd;

	*is_there = true;
	if (located->file && located->file->contents)
		return index_file_open_elf(located->file, elf, err);
	fd = open_located(locator, located, err);
	*is_there = fd >= 0;
	return fd >= 0 && elf_open_fd(elf, fd, err);
}
