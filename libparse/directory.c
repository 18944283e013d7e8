/* SPDX-License-Identifier: MIT */
#include "libparse/directory.h"

#include <dirent.h>
#include <limits.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/scan.h"

#define FILE_NAME_BYTES 16

void directory_init(struct directory *directory)
{
	*directory = (struct directory){ 0 };
}

void directory_deinit(struct directory *directory)
{
	memory_free(directory->path);
	for (size_t i = 0; i < directory->files.count; i++)
		input_close(&directory->files.at[i].input);
	vec_free(&directory->files);
	directory_init(directory);
}

bool directory_read_number(const char *name, uint32_t *ret)
{
	static const char prefix[] = DIRECTORY_HEADER_NAME ".";
	struct text digits = text_of(name);
	uint32_t number;

	if (!scan_prefix(&digits, prefix))
		return false;
	/* perf does not write leading zeros, so each number has only one name. */
	if (digits.length > 1 && digits.at[0] == '0')
		return false;
	if (!text_to_u32(digits, &number) || number >= LIMIT_DATA_FILES)
		return false;
	*ret = number;
	return true;
}

void directory_set_path_of(struct directory *directory, const char *file)
{
	char real[PATH_MAX];
	char *slash;

	if (!realpath(file, real))
		return;
	slash = strrchr(real, '/');
	if (!slash)
		return;
	/* For a file in the root directory, keep the slash. */
	directory->path = memory_duplicate(real, slash == real ? 1 : (size_t)(slash - real));
}

void directory_add(struct directory *directory, uint32_t number, struct input *input)
{
	size_t at = directory->files.count;

	while (at && directory->files.at[at - 1].number >= number)
		at--;
	if (at < directory->files.count && directory->files.at[at].number == number) {
		input_close(&directory->files.at[at].input);
		directory->files.at[at].input = *input;
		return;
	}
	vec_push(&directory->files, (struct directory_file){ 0 });
	memmove(&directory->files.at[at + 1], &directory->files.at[at],
		(directory->files.count - 1 - at) * sizeof(*directory->files.at));
	directory->files.at[at] = (struct directory_file){ number, *input };
}

static void refuse(struct directory *directory, const struct error *err)
{
	if (directory->refused.code == ERROR_NONE)
		directory->refused = *err;
}

static void open_file(struct directory *directory, uint32_t number)
{
	char name[FILE_NAME_BYTES];
	struct input file;
	struct error err;

	snprintf(name, sizeof(name), DIRECTORY_HEADER_NAME ".%u", (unsigned)number);
	if (!input_open_in(&file, directory->path, name, &err)) {
		refuse(directory, &err);
		return;
	}
	directory_add(directory, number, &file);
}

/* Marks the numbers of the record files. */
static void list_numbers(struct directory *directory, bool *is_there)
{
	DIR *listing = opendir(directory->path);
	const struct dirent *entry;
	struct error err;
	uint32_t number;

	if (!listing) {
		error_set_errno(&err, "%s: cannot open the directory", directory->path);
		refuse(directory, &err);
		return;
	}
	for (uint32_t i = 0; i < LIMIT_DIRECTORY_FILES && (entry = readdir(listing)); i++)
		if (directory_read_number(entry->d_name, &number))
			is_there[number] = true;
	closedir(listing);
}

void directory_open_files(struct directory *directory)
{
	bool *is_there;

	if (!directory->path)
		return;
	is_there = memory_zalloc(LIMIT_DATA_FILES, sizeof(*is_there));
	list_numbers(directory, is_there);
	for (uint32_t i = 0; i < LIMIT_DATA_FILES; i++)
		if (is_there[i])
			open_file(directory, i);
	memory_free(is_there);
}
