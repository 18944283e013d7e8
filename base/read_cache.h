/* SPDX-License-Identifier: MIT */
/*
 * Keeps the blocks of inputs that were read last, so that small reads near each other need no
 * system call. Samples in time order are read from one place for each CPU:
 *
 *     file      | buffer of CPU 0       | buffer of CPU 1       | buffer of CPU 0 ...
 *     reads        1  3  4                 2  5                   6
 *     blocks      [            ]          [            ]         [            ]
 *
 * Only one thread at a time may use a cache.
 */
#ifndef BASE_READ_CACHE_H
#define BASE_READ_CACHE_H

#include "base/input.h"

struct read_cache;

struct read_cache *read_cache_create(void);

/* Accepts NULL. */
void read_cache_destroy(struct read_cache *cache);

/*
 * Like input_read, through the cache unless it is NULL. The input must stay open, must not change,
 * and must not be streamed.
 */
bool read_cache_read(struct read_cache *cache, const struct input *input, uint64_t offset,
		     void *buffer, size_t size_bytes, size_t *got, struct error *err) WARN_UNUSED;

#endif
