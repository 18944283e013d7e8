/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

const unsigned char hash_anchor = 0;
