/* SPDX-License-Identifier: MIT */
#include "object/debug_link.h"

#include <errno.h>
#include <unistd.h>

#include "base/strings.h"

#define CRC_POLYNOMIAL 0xedb88320u /* the polynomial of IEEE 802.3, lowest bit first */
#define READ_BYTES     ((size_t)256 << 10)

bool debug_link_read(const struct elf_file *elf, struct debug_link *ret)
{
	const struct elf_section *section = elf_find_section(elf, ".gnu_debuglink");
	struct span bytes;

	if (!section)
		return false;
	bytes = elf_section_bytes(elf, section);
	return span_cstring(&bytes, &ret->name) &&
	       span_skip(&bytes, -(uint64_t)(ret->name.length + 1) & 3) &&
	       span_u32(&bytes, &ret->crc) && ret->name.length > 0 &&
	       ret->name.length <= LIMIT_NAME_BYTES && !memchr(ret->name.at, '/', ret->name.length);
}

bool debug_link_read_supplement(const struct elf_file *elf, struct debug_supplement *ret)
{
	const struct elf_section *section = elf_find_section(elf, ".gnu_debugaltlink");
	struct span bytes;
	size_t size_bytes;

	if (!section)
		return false;
	bytes = elf_section_bytes(elf, section);
	if (!span_cstring(&bytes, &ret->path) || !ret->path.length ||
	    ret->path.length > LIMIT_NAME_BYTES)
		return false;
	size_bytes = span_left(&bytes);
	if (size_bytes < BUILD_ID_BYTES_MIN)
		return false;
	ret->build_id.size_bytes =
		size_bytes < BUILD_ID_BYTES_MAX ? (uint8_t)size_bytes : BUILD_ID_BYTES_MAX;
	memcpy(ret->build_id.bytes, bytes.at, ret->build_id.size_bytes);
	return true;
}

static void fill_table(uint32_t *table)
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? CRC_POLYNOMIAL : 0);
	}
}

static uint32_t add_bytes(const uint32_t *table, uint32_t crc, const unsigned char *bytes,
			  size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
	return crc;
}

uint32_t debug_link_crc_of(const unsigned char *bytes, size_t size_bytes)
{
	uint32_t table[256];

	fill_table(table);
	return ~add_bytes(table, UINT32_MAX, bytes, size_bytes);
}

bool debug_link_crc(int fd, uint32_t *ret, struct error *err)
{
	unsigned char *buffer = memory_alloc(READ_BYTES, 1);
	uint32_t table[256];
	uint32_t crc = UINT32_MAX;
	off_t offset = 0;
	ssize_t got;

	fill_table(table);
	while ((got = pread(fd, buffer, READ_BYTES, offset)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		crc = add_bytes(table, crc, buffer, (size_t)got);
		offset += got;
	}
	memory_free(buffer);
	*ret = ~crc;
	return got == 0 || error_set_errno(err, "cannot read");
}
