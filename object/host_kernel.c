/* SPDX-License-Identifier: MIT */
#include "object/host_kernel.h"

#include <unistd.h>

#include "base/limits.h"
#include "object/elf.h"
#include "object/file.h"

bool host_kernel_build_id(struct build_id *ret)
{
	struct file_bytes bytes;
	struct error ignored;
	int fd = file_open("/sys/kernel/notes", &ignored);
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
