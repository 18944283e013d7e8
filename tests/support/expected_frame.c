/* SPDX-License-Identifier: MIT */
#include "tests/support/expected_frame.h"

#include <stdio.h>
#include <stdlib.h>

struct check {
	const struct expected_frame *expected;
	uint32_t count;
};

static void require(bool holds, const struct expected_frame *expected, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s differs\n", expected->raw, what);
	abort();
}

static void take(void *context, const struct event_frame *frame)
{
	struct check *check = context;
	const struct expected_frame *expected = check->expected;

	check->count++;
	require(text_is(frame->name, expected->name), expected, "the name");
	require(text_is(frame->module, expected->module), expected, "the module");
	require(frame->address == expected->address, expected, "the address");
	require(frame->offset == expected->offset, expected, "the offset");
	require(frame->is_kernel == expected->is_kernel, expected, "is_kernel");
	require(frame->is_inlined == expected->is_inlined, expected, "is_inlined");
	require(frame->is_exact == expected->is_exact, expected, "is_exact");
}

void expected_frame_check(const struct expected_frame *expected, event_frame_reader *read)
{
	struct check check = { .expected = expected };

	read(NULL, text_of(expected->raw), take, &check);
	require(check.count == 1, expected, "how many there are");
}
