/* SPDX-License-Identifier: MIT */
#include "object/host_kernel.h"

#include <stdlib.h>
#include <unistd.h>

#include "object/elf.h"
#include "object/file.h"

static bool read_notes(const char *path, struct build_id *ret)
{
	struct file_bytes bytes;
	struct error ignored;
	int fd = file_open(path, &ignored);
	bool is_found = false;

	*ret = (struct build_id){ .size_bytes = 0 };
	if (fd < 0)
		return false;
	if (file_read(fd, LIMIT_ELF_NOTE_BYTES, &bytes, &ignored)) {
		is_found =
			elf_build_id_of_notes(span_of(bytes.at, bytes.size_bytes, 0, false), ret);
		file_bytes_deinit(&bytes);
	}
	close(fd);
	return is_found;
}

int host_kernel_setting(const char *name)
{
	struct file_bytes bytes;
	struct error ignored;
	char path[128];
	int value = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	fd = file_open(path, &ignored);
	if (fd < 0)
		return -1;
	if (file_read(fd, sizeof(path), &bytes, &ignored)) {
		value = (int)strtol(bytes.at, NULL, 10);
		file_bytes_deinit(&bytes);
	}
	close(fd);
	return value;
}

bool host_kernel_build_id(struct build_id *ret)
{
	return read_notes("/sys/kernel/notes", ret);
}

bool host_module_build_id(const char *sysfs, struct text name, struct build_id *ret)
{
	char plain[128], path[512];

	*ret = (struct build_id){ .size_bytes = 0 };
	if (!name.length || name.length > sizeof(plain) || memchr(name.at, '/', name.length) ||
	    memchr(name.at, '.', name.length))
		return false;
	for (uint32_t i = 0; i < name.length; i++)
		plain[i] = name.at[i] == '-' ? '_' : name.at[i];
	snprintf(path, sizeof(path), "%s/module/%.*s/notes/.note.gnu.build-id", sysfs,
		 (int)name.length, plain);
	return read_notes(path, ret);
}

/* The part of a list before the symbols of modules and BPF programs, which change at run time. */
static struct text unchanging_part(struct text list)
{
	const char *tab = list.length ? memchr(list.at, '\t', list.length) : NULL;

	if (tab)
		list.length = (uint32_t)(tab - list.at);
	while (list.length && list.at[list.length - 1] != '\n')
		list.length--;
	return list;
}

/*
 * Reads the next bytes of fd, and removes them from the beginning of text. Returns false if text
 * begins with other bytes.
 */
static bool take_equal(int fd, struct text *text)
{
	char chunk[4096];
	ssize_t got = read(fd, chunk, text->length < sizeof(chunk) ? text->length : sizeof(chunk));

	if (got <= 0 || memcmp(chunk, text->at, (size_t)got) != 0)
		return false;
	*text = (struct text){ text->at + got, text->length - (uint32_t)got };
	return true;
}

bool host_kernel_has_list(struct text text)
{
	struct text left = unchanging_part(text);
	bool is_copy = left.length > 0;
	struct error ignored;
	int fd = file_open(HOST_KERNEL_LIST, &ignored);

	/* Most texts differ in their first lines. */
	while (fd >= 0 && is_copy && left.length)
		is_copy = take_equal(fd, &left);
	if (fd >= 0)
		close(fd);
	return fd >= 0 && is_copy;
}
