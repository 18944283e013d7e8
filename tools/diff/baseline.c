/* SPDX-License-Identifier: MIT */
#include "tools/diff/baseline.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "cli/command.h"

/* The name of the capture in a directory written by perf record --threads or --kcore. */
#define CAPTURE_FILE "data"
#define ADVICE       "store the captures of previous runs there"

typedef VEC(char *) name_list;

static void names_free(name_list *names)
{
	for (size_t i = 0; i < names->count; i++)
		memory_free(names->at[i]);
	vec_free(names);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists all names that are not hidden, sorted, because readdir returns names in any order. */
static bool list_names(DIR *directory, name_list *ret, struct error *err)
{
	const struct dirent *entry;

	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		if (ret->count == LIMIT_DIRECTORY_FILES)
			return error_set(err, ERROR_LIMIT, "has more files than the limit of %u",
					 LIMIT_DIRECTORY_FILES);
		vec_push(ret, memory_duplicate(entry->d_name, strlen(entry->d_name)));
	}
	if (ret->count)
		qsort(ret->at, ret->count, sizeof(*ret->at), compare_names);
	return true;
}

static char *join_path(const char *directory, const char *name)
{
	size_t length = strlen(directory);
	size_t size = length + strlen(name) + 2;
	char *path = memory_alloc(size, 1);

	snprintf(path, size, "%s%s%s", directory, length && directory[length - 1] == '/' ? "" : "/",
		 name);
	return path;
}

static bool is_among(const struct stat *file, const text_list *others)
{
	struct stat other;

	for (size_t i = 0; i < others->count; i++)
		if (stat(others->at[i], &other) == 0 && other.st_dev == file->st_dev &&
		    other.st_ino == file->st_ino)
			return true;
	return false;
}

/* Returns why a file cannot be a run, or NULL if it can. */
static const char *refusal_of(const struct stat *file, const text_list *others)
{
	if (S_ISLNK(file->st_mode))
		return "is a symbolic link";
	if (S_ISDIR(file->st_mode))
		return "is a directory";
	if (!S_ISREG(file->st_mode))
		return "is not a regular file";
	return is_among(file, others) ? "is already an input on the side \"after\"" : NULL;
}

static void add_file(struct baseline *baseline, int directory_fd, const char *name,
		     const text_list *others)
{
	char *path = join_path(baseline->directory, name);
	const char *refusal;
	struct stat status;
	struct error why;

	if (fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		error_set_errno(&why, "%s: cannot read", path);
	else if ((refusal = refusal_of(&status, others)))
		error_set(&why, ERROR_FORMAT, "%s: %s", path, refusal);
	else if (baseline->paths.count < BASELINE_RUNS_MAX) {
		vec_push(&baseline->paths, path);
		return;
	} else {
		baseline->older_count++;
		memory_free(path);
		return;
	}
	baseline_skip(baseline, path, &why);
	memory_free(path);
}

static bool find_runs(struct baseline *baseline, DIR *directory, const text_list *others,
		      struct error *err)
{
	name_list names = { 0 };
	bool good = list_names(directory, &names, err);
	struct stat status;

	if (good && fstatat(dirfd(directory), CAPTURE_FILE, &status, 0) == 0)
		good = error_set(err, ERROR_USAGE,
				 "contains a file named " CAPTURE_FILE
				 ", so it is a capture itself; give a directory that contains "
				 "captures");
	/* Start at the last name, so that the oldest runs are dropped. */
	for (size_t i = names.count; good && i-- > 0;)
		add_file(baseline, dirfd(directory), names.at[i], others);
	names_free(&names);
	if (baseline->paths.count)
		qsort(baseline->paths.at, baseline->paths.count, sizeof(*baseline->paths.at),
		      compare_names);
	return good;
}

bool baseline_init(struct baseline *baseline, const char *directory, const text_list *others,
		   struct error *err)
{
	DIR *opened = opendir(directory);
	bool good;

	*baseline = (struct baseline){ .directory = directory };
	if (!opened)
		return error_set(err, ERROR_IO,
				 "--baseline %s: cannot open the directory: %s; " ADVICE, directory,
				 strerror(errno));
	good = find_runs(baseline, opened, others, err);
	closedir(opened);
	if (good)
		return baseline->paths.count || baseline_report(baseline, NULL, 0, err);
	baseline_deinit(baseline);
	return error_prefix(err, "--baseline %s", directory);
}

void baseline_deinit(struct baseline *baseline)
{
	for (size_t i = 0; i < baseline->paths.count; i++)
		memory_free(baseline->paths.at[i]);
	vec_free(&baseline->paths);
	memory_free(baseline->first_skipped);
	*baseline = (struct baseline){ 0 };
}

void baseline_skip(struct baseline *baseline, const char *path, const struct error *reason)
{
	baseline->skipped_count++;
	if (baseline->first_skipped && strcmp(baseline->first_skipped, path) <= 0)
		return;
	memory_free(baseline->first_skipped);
	baseline->first_skipped = memory_duplicate(path, strlen(path));
	baseline->reason = *reason;
}

bool baseline_report(const struct baseline *baseline, const struct settings *settings,
		     size_t run_count, struct error *err)
{
	const char *plural = baseline->skipped_count == 1 ? "" : "s";
	char reason[sizeof(baseline->reason.text) + 32] = "";

	if (baseline->skipped_count)
		error_text(&baseline->reason, reason, sizeof(reason));
	if (!run_count && !baseline->skipped_count)
		return error_set(err, ERROR_USAGE, "--baseline %s: the directory is empty; " ADVICE,
				 baseline->directory);
	if (!run_count)
		return error_set(err, ERROR_USAGE,
				 "--baseline %s: the directory has no capture to compare with (%zu "
				 "file%s skipped; the first: %s); " ADVICE,
				 baseline->directory, baseline->skipped_count, plural, reason);
	if (baseline->skipped_count)
		command_warn(settings, "--baseline %s: %zu file%s skipped; the first: %s",
			     baseline->directory, baseline->skipped_count, plural, reason);
	if (baseline->older_count)
		command_warn(
			settings,
			"--baseline %s: %zu older file%s ignored; only the last %d in name order "
			"are read",
			baseline->directory, baseline->older_count,
			baseline->older_count == 1 ? "" : "s", BASELINE_RUNS_MAX);
	return true;
}
