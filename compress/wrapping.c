/* SPDX-License-Identifier: MIT */
#include "compress/wrapping.h"

#define TAR_CHECKSUM_AT    148
#define TAR_CHECKSUM_BYTES 8

/* The sum of all bytes of the header, that of the sum itself taken as blanks, in octal. */
static bool is_tar(struct span head)
{
	const unsigned char *field = head.at + TAR_CHECKSUM_AT;
	uint32_t claimed = 0;
	uint32_t sum = 0;
	unsigned i = 0;

	if (span_left(&head) < WRAPPING_HEAD_BYTES || !head.at[0])
		return false;
	while (i < TAR_CHECKSUM_BYTES && field[i] == ' ')
		i++;
	for (; i < TAR_CHECKSUM_BYTES && field[i] >= '0' && field[i] <= '7'; i++)
		claimed = claimed * 8 + (field[i] - '0');
	for (unsigned k = 0; k < WRAPPING_HEAD_BYTES; k++)
		sum += k - TAR_CHECKSUM_AT < TAR_CHECKSUM_BYTES ? ' ' : head.at[k];
	return sum == claimed;
}

static bool begins_with(struct span head, const char *magic, size_t size_bytes)
{
	return span_left(&head) >= size_bytes && memcmp(head.at, magic, size_bytes) == 0;
}

static const char *const names[] = {
	[WRAPPING_GZIP] = "gzip",   [WRAPPING_XZ] = "xz",   [WRAPPING_ZSTD] = "zstd",
	[WRAPPING_BZIP2] = "bzip2", [WRAPPING_TAR] = "tar",
};

enum wrapping wrapping_find(struct span head)
{
	if (begins_with(head, "\x1f\x8b\x08", 3))
		return WRAPPING_GZIP;
	if (begins_with(head,
			"\xfd"
			"7zXZ\0",
			6))
		return WRAPPING_XZ;
	/* Or a frame to be skipped, with which pzstd begins; there are sixteen kinds. */
	if (begins_with(head, "\x28\xb5\x2f\xfd", 4) ||
	    (span_left(&head) >= 4 && (head.at[0] & 0xf0) == 0x50 &&
	     memcmp(head.at + 1, "\x2a\x4d\x18", 3) == 0))
		return WRAPPING_ZSTD;
	if (begins_with(head, "BZh", 3) && span_left(&head) >= 10 && head.at[3] >= '1' &&
	    head.at[3] <= '9' && memcmp(head.at + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0)
		return WRAPPING_BZIP2;
	return is_tar(head) ? WRAPPING_TAR : WRAPPING_NONE;
}

const char *wrapping_name(enum wrapping wrapping)
{
	return names[wrapping];
}
