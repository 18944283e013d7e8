/* SPDX-License-Identifier: MIT */
/*
 * What a profile lacks of what was recorded, or of what should have been, and the words for it. They are the
 * same in kiln info, on stderr and in an SVG.
 */
#ifndef PROCESS_LOSS_H
#define PROCESS_LOSS_H

#include "libparse/event.h"

struct loss_text {
	const char *key;  /* in JSON */
	const char *text; /* behind a number that is not 1: "records lost while recording" */
	bool is_warning;  /* worth a line without being asked for */
};

/* Of a loss whose share of the profile is not known. */
#define LOSS_SHARE_UNKNOWN (-1.0)

const struct loss_text *loss_text_of(enum loss_kind kind);

/* What to say behind the count. */
const char *loss_words(enum loss_kind kind, uint64_t count);

/* The share of all samples that was lost or is affected, from 0 to 1, or LOSS_SHARE_UNKNOWN. */
double loss_share(enum loss_kind kind, uint64_t count, uint64_t sample_count);

/* How many of the stack dumps that were unwound were so to their end. */
uint64_t loss_complete_stacks(const uint64_t losses[LOSS_KIND_COUNT], uint64_t unwound_count);

#endif
