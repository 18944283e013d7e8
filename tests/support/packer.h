/* SPDX-License-Identifier: MIT */
/* Packs bytes in every way that kiln unpacks them, as far as this build has the libraries. */
#ifndef TESTS_SUPPORT_PACKER_H
#define TESTS_SUPPORT_PACKER_H

#include "compress/codec.h"

/* The packed bytes, to be freed by the caller; *size_ret is their number. Aborts the test where there is
 * no library for it. */
unsigned char *pack(enum codec packing, const void *bytes, size_t size_bytes, size_t *size_ret);

#endif
