/* SPDX-License-Identifier: MIT */
/* The blocks of time a capture's samples are in: their times are looked at before all else of them. */
#ifndef DIFF_SAMPLE_BLOCKS_H
#define DIFF_SAMPLE_BLOCKS_H

#include "session/session.h"

/* Of the samples that are selected. Of an open session that has read no samples yet. */
bool sample_blocks_find(const struct session *session, struct time_blocks *ret,
			struct error *err) WARN_UNUSED;

#endif
