/* SPDX-License-Identifier: MIT */
/* Compresses bytes as xz does, for tests of decompression. Only with liblzma. */
#ifndef TESTS_SUPPORT_XZ_PACK_H
#define TESTS_SUPPORT_XZ_PACK_H

#ifdef HAVE_LZMA

#include <stddef.h>

/* The packed bytes, to be freed by the caller; *size_ret is their number. */
unsigned char *xz_pack(const void *bytes, size_t size_bytes, size_t *size_ret);

#endif
#endif
