/* SPDX-License-Identifier: MIT */
/*
 * Samples that are sent in the first pass. A caller that needs only the samples themselves, and no
 * state of their processes, saves reading the input twice:
 *
 *     header   attrs ─▶ begin                 part 0   part 1     part 2      a part for each thread
 *     pass 1   state records and samples      |s s r s|s s s r ...|s s r ... |
 *
 * Formats may ignore this. They also leave it incomplete if the attrs are not known before the
 * first record, as in a pipe, or if a record changes them.
 */
#ifndef LIBPARSE_EARLY_SAMPLES_H
#define LIBPARSE_EARLY_SAMPLES_H

#include "libparse/event.h"

/* Maximum number of threads that send early samples. */
#define EARLY_PARTS_MAX 8u

struct early_samples {
	struct event_sink attrs; /* gets the attrs */
	uint64_t record_bytes;   /* set before begin: the size of all records, to estimate memory */
	/*
	 * Called after the attrs. Returns whether samples are wanted. The context is that of attrs.
	 */
	bool (*begin)(void *context);
	/* Each gets its samples in file order, from one thread. Losses are sent here, too. */
	struct event_sink parts[EARLY_PARTS_MAX];
	/* Set after the first pass if the parts have received the samples of all slices. */
	bool is_complete;
};

#endif
