/* SPDX-License-Identifier: MIT */
/* The frame that a reader of text is expected to send, for tables of raw texts. */
#ifndef TESTS_SUPPORT_EXPECTED_FRAME_H
#define TESTS_SUPPORT_EXPECTED_FRAME_H

#include "libparse/event.h"

struct expected_frame {
	const char *raw, *name, *module;
	uint64_t address, offset;
	bool is_kernel, is_inlined, is_exact;
};

/* Aborts the test unless read sends exactly one frame for the raw text, equal to the expected one. */
void expected_frame_check(const struct expected_frame *expected, event_frame_reader *read);

#endif
