/* SPDX-License-Identifier: MIT */
/* Compresses bytes in all formats that kiln decompresses, if this build has the library. */
#ifndef TESTS_SUPPORT_PACKER_H
#define TESTS_SUPPORT_PACKER_H

#include "compress/codec.h"

/* The packed bytes, to be freed by the caller; *size_ret is their number. Aborts the test if this
 * build has no library for the format. */
unsigned char *pack(enum codec packing, const void *bytes, size_t size_bytes, size_t *size_ret);

#endif
