/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4). A Content-Security-Policy identifies permitted scripts by this hash. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/strings.h"

#define SHA256_BYTES 32

void sha256_of(struct text bytes, unsigned char ret[SHA256_BYTES]);

#endif
