/* SPDX-License-Identifier: MIT */
/* What a reader of text should say of one frame, for tests: tables of raw texts and what is in them. */
#ifndef TESTS_SUPPORT_EXPECTED_FRAME_H
#define TESTS_SUPPORT_EXPECTED_FRAME_H

#include "libparse/event.h"

struct expected_frame {
	const char *raw, *name, *module;
	uint64_t address, offset;
	bool is_kernel, is_inlined, is_exact;
};

/* Aborts the test unless read tells one frame of the raw text, and that is as it should be. */
void expected_frame_check(const struct expected_frame *expected, event_frame_reader *read);

#endif
