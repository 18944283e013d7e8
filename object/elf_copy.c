/* SPDX-License-Identifier: MIT */
/* Copies an ELF file for use after it is closed, or by another process. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "object/elf.h"

int elf_share(const struct elf_file *elf)
{
	int fd;

	if (!elf->bytes)
		return fcntl(elf->fd, F_DUPFD_CLOEXEC, 0);
	fd = memfd_create("kiln-elf", MFD_CLOEXEC);
	for (uint64_t done = 0; fd >= 0 && done < elf->size_bytes;) {
		ssize_t wrote = write(fd, elf->bytes + done, elf->size_bytes - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			close(fd);
			return -1;
		}
		done += (uint64_t)wrote;
	}
	return fd;
}

/* Reads in the same way as libelf. */
static bool read_fully(int fd, unsigned char *to, uint64_t size_bytes, uint64_t offset)
{
	while (size_bytes) {
		ssize_t got = pread(fd, to, (size_t)size_bytes, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		offset += (uint64_t)got;
		size_bytes -= (uint64_t)got;
	}
	return true;
}

unsigned char *elf_section_copy(const struct elf_file *elf, const struct elf_section *section)
{
	bool is_read = elf->fd >= 0 && !elf->decompressed;
	struct span bytes = span_of("", 0, 0, false);
	unsigned char *copy;

	if (!section->size_bytes || section->type == SHT_NOBITS ||
	    section->file_offset > elf->size_bytes ||
	    section->size_bytes > elf->size_bytes - section->file_offset)
		return NULL;
	if (!is_read) {
		bytes = elf_section_bytes(elf, section);
		if (span_left(&bytes) != section->size_bytes)
			return NULL;
	}
	copy = memory_alloc_large((size_t)section->size_bytes);
	if (!is_read)
		memcpy(copy, bytes.at, span_left(&bytes));
	else if (!read_fully(elf->fd, copy, section->size_bytes, section->file_offset)) {
		memory_free(copy);
		return NULL;
	}
	return copy;
}
