/* SPDX-License-Identifier: MIT */
/*
 * Answers queries. The index has a sorted order for each key, and searches this order by bisection.
 */
#include "object/index.h"
#include "object/module_file.h"

typedef int index_comparison(const struct index_file *a, const struct index_file *b);

/* Build-ids of different lengths may be equal, because the shorter one may be truncated. */
static int compare_build_ids(const struct index_file *a, const struct index_file *b)
{
	return memcmp(a->build_id.bytes, b->build_id.bytes, BUILD_ID_BYTES_MIN);
}

static int compare_base_names(const struct index_file *a, const struct index_file *b)
{
	return text_compare(text_basename(a->path), text_basename(b->path));
}

static int compare_pids(const struct index_file *a, const struct index_file *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static int compare_modules(const struct index_file *a, const struct index_file *b)
{
	return module_file_compare(a->path, b->path);
}

static int in_order(const void *a, const void *b, void *comparison)
{
	const struct index_file *const *left = a;
	const struct index_file *const *right = b;
	int order = (*(index_comparison *const *)comparison)(*left, *right);

	return order ? order : (*left > *right) - (*left < *right);
}

static void sort(index_order *order, index_comparison *comparison)
{
	if (order->count)
		qsort_r(order->at, order->count, sizeof(*order->at), in_order, &comparison);
}

static bool is_archived_split(const struct index_file *file)
{
	return file->contents &&
	       (text_has_suffix(file->path, ".dwo") || text_has_suffix(file->path, ".dwp"));
}

void file_index_finish(struct file_index *index)
{
	for (size_t i = 0; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];

		if (file->kind == INDEX_PERF_MAP || file->kind == INDEX_JITDUMP)
			vec_push(&index->by_pid, file);
		if (file->kind != INDEX_ELF)
			continue;
		if (is_archived_split(file))
			vec_push(&index->archived_split, file);
		if (!file->has_no_name)
			vec_push(&index->by_name, file);
		if (!file->has_no_name && module_file_is(file->path))
			vec_push(&index->by_module, file);
		if (file->build_id.size_bytes)
			vec_push(&index->by_build_id, file);
	}
	sort(&index->by_build_id, compare_build_ids);
	sort(&index->by_name, compare_base_names);
	sort(&index->by_pid, compare_pids);
	sort(&index->by_module, compare_modules);
}

/* Returns the number of files before key. with_equal: include the files with an equal key. */
static size_t count_before(const index_order *order, index_comparison *comparison,
			   const struct index_file *key, bool with_equal)
{
	int limit = with_equal ? 1 : 0;

	return vec_count_first(order, file, comparison(*file, key) < limit);
}

static struct index_matches find(const index_order *order, index_comparison *comparison,
				 const struct index_file *key)
{
	size_t begin = count_before(order, comparison, key, false);
	size_t end = count_before(order, comparison, key, true);

	return (struct index_matches){ order->count ? order->at + begin : NULL, end - begin };
}

struct index_matches file_index_find_build_id(const struct file_index *index,
					      const struct build_id *id)
{
	return find(&index->by_build_id, compare_build_ids,
		    &(struct index_file){ .build_id = *id });
}

struct index_matches file_index_find_name(const struct file_index *index, struct text name)
{
	return find(&index->by_name, compare_base_names, &(struct index_file){ .path = name });
}

struct index_matches file_index_find_module(const struct file_index *index, struct text name)
{
	return find(&index->by_module, compare_modules, &(struct index_file){ .path = name });
}

struct text file_index_directory_of(const struct file_index *index, struct text path)
{
	for (size_t i = 0; i < index->directories.count; i++) {
		struct text directory = index->directories.at[i];

		if (text_has_prefix(path, directory.at) &&
		    (path.at[directory.length] == '/' || text_is(directory, "/")))
			return directory;
	}
	return (struct text){ .at = NULL };
}

bool file_index_has_bundle(const struct file_index *index)
{
	for (size_t i = 0; i < index->archives.count; i++)
		if (contents_find(index->archives.at[i], text_of(CONTENTS_MANIFEST_NAME)))
			return true;
	return false;
}

bool file_index_has_map_for(const struct file_index *index, uint32_t pid)
{
	for (size_t i = 0; i < index->given_pids.count; i++)
		if (index->given_pids.at[i] == pid)
			return true;
	return false;
}

struct index_matches file_index_find_pid(const struct file_index *index, uint32_t pid)
{
	return find(&index->by_pid, compare_pids,
		    &(struct index_file){ .kind = INDEX_PERF_MAP, .pid = pid });
}

struct index_matches file_index_find_only_map(const struct file_index *index)
{
	struct index_matches run = { index->by_pid.at, 0 };

	while (run.count < index->by_pid.count && run.at[run.count]->kind == INDEX_PERF_MAP)
		run.count++;
	if (run.count != 1 || !run.at[0]->is_explicit)
		run.count = 0;
	return run;
}

struct index_matches file_index_find_jitdump(const struct file_index *index, uint32_t pid)
{
	return find(&index->by_pid, compare_pids,
		    &(struct index_file){ .kind = INDEX_JITDUMP, .pid = pid });
}
