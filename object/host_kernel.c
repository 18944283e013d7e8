/* SPDX-License-Identifier: MIT */
#include "object/host_kernel.h"

#include <unistd.h>

#include "base/limits.h"
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
