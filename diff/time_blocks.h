/* SPDX-License-Identifier: MIT */
/*
 * Times of samples, parted into blocks of about equally many:
 *
 *     times  ─ time_bins_add ─▶ bins of 2^shift ns      . : | . . : : | | . : .
 *     bins   ─ time_blocks_make ─▶ blocks               [ 0  ][  1  ][2][  3  ]
 *
 * However long a capture is, and in whatever order its times come, the bins are as many at most: when
 * a time is too far from the others, all become twice as wide. They depend on the times alone.
 */
#ifndef DIFF_TIME_BLOCKS_H
#define DIFF_TIME_BLOCKS_H

#include <stdint.h>

#define TIME_BINS 4096

/*
 * All captures that have blocks have as many, as those of one are compared to those of another. The
 * fewer, the longer they are against what lasts over several samples, and the less is known of how
 * they vary: by Schmeiser (1982) between ten and thirty are best.
 */
#define TIME_BLOCKS 16
/* Samples in a block, at least. */
#define TIME_BLOCK_SAMPLES 8

struct time_bins {
	unsigned shift;
	uint64_t first, last; /* of those in use, which are times >> shift */
	uint64_t total;       /* samples; 0: none is in use */
	uint64_t counts[TIME_BINS];
};

struct time_blocks {
	uint32_t count; /* TIME_BLOCKS, or 0: samples are too few, or have no times */
	uint64_t until_ns[TIME_BLOCKS]; /* where each ends; the last at UINT64_MAX */
};

/* bins are all 0 at first. */
void time_bins_add(struct time_bins *bins, uint64_t time_ns, uint64_t sample_count);

/* Adds what is in from. */
void time_bins_merge(struct time_bins *bins, const struct time_bins *from);

void time_blocks_make(struct time_blocks *blocks, const struct time_bins *bins);

/* The block a time is in; 0 where there are none. */
uint32_t time_blocks_find(const struct time_blocks *blocks, uint64_t time_ns);

#endif
