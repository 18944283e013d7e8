/* SPDX-License-Identifier: MIT */
#include "libparse/folder.h"

#include <dirent.h>
#include <limits.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/scan.h"

#define FILE_NAME_BYTES 16

void folder_init(struct folder *folder)
{
	*folder = (struct folder){ 0 };
}

void folder_deinit(struct folder *folder)
{
	memory_free(folder->path);
	for (size_t i = 0; i < folder->files.count; i++)
		input_close(&folder->files.at[i].input);
	vec_free(&folder->files);
	folder_init(folder);
}

bool folder_read_number(const char *name, uint32_t *ret)
{
	static const char prefix[] = FOLDER_HEADER_NAME ".";
	struct text digits = text_of(name);
	uint32_t number;

	if (!scan_prefix(&digits, prefix))
		return false;
	/* perf writes no leading zeros, so each number has one name. */
	if (digits.length > 1 && digits.at[0] == '0')
		return false;
	if (!text_to_u32(digits, &number) || number >= LIMIT_DATA_FILES)
		return false;
	*ret = number;
	return true;
}

void folder_set_path_of(struct folder *folder, const char *file)
{
	char real[PATH_MAX];
	char *slash;

	if (!realpath(file, real))
		return;
	slash = strrchr(real, '/');
	if (!slash)
		return;
	/* For a file in the root directory, keep the slash. */
	folder->path = memory_duplicate(real, slash == real ? 1 : (size_t)(slash - real));
}

void folder_add(struct folder *folder, uint32_t number, struct input *input)
{
	size_t at = folder->files.count;

	while (at && folder->files.at[at - 1].number >= number)
		at--;
	if (at < folder->files.count && folder->files.at[at].number == number) {
		input_close(&folder->files.at[at].input);
		folder->files.at[at].input = *input;
		return;
	}
	vec_push(&folder->files, (struct folder_file){ 0 });
	memmove(&folder->files.at[at + 1], &folder->files.at[at],
		(folder->files.count - 1 - at) * sizeof(*folder->files.at));
	folder->files.at[at] = (struct folder_file){ number, *input };
}

static void refuse(struct folder *folder, const struct error *err)
{
	if (folder->refused.code == ERROR_NONE)
		folder->refused = *err;
}

static void open_file(struct folder *folder, uint32_t number)
{
	char name[FILE_NAME_BYTES];
	struct input file;
	struct error err;

	snprintf(name, sizeof(name), FOLDER_HEADER_NAME ".%u", (unsigned)number);
	if (!input_open_in(&file, folder->path, name, &err)) {
		refuse(folder, &err);
		return;
	}
	folder_add(folder, number, &file);
}

/* Marks the numbers of the record files. */
static void list_numbers(struct folder *folder, bool *is_there)
{
	DIR *directory = opendir(folder->path);
	const struct dirent *entry;
	struct error err;
	uint32_t number;

	if (!directory) {
		error_set_errno(&err, "%s: cannot open the folder", folder->path);
		refuse(folder, &err);
		return;
	}
	for (uint32_t i = 0; i < LIMIT_FOLDER_FILES && (entry = readdir(directory)); i++)
		if (folder_read_number(entry->d_name, &number))
			is_there[number] = true;
	closedir(directory);
}

void folder_open_files(struct folder *folder)
{
	bool *is_there;

	if (!folder->path)
		return;
	is_there = memory_zalloc(LIMIT_DATA_FILES, sizeof(*is_there));
	list_numbers(folder, is_there);
	for (uint32_t i = 0; i < LIMIT_DATA_FILES; i++)
		if (is_there[i])
			open_file(folder, i);
	memory_free(is_there);
}
