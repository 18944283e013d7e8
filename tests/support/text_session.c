/* SPDX-License-Identifier: MIT */
#include "tests/support/text_session.h"

#include <inttypes.h>
#include <stdio.h>

#include "render/text/folded.h"
#include "tests/support/memory_file.h"

static void require(bool holds, const char *what, const char *detail)
{
	if (holds)
		return;
	fprintf(stderr, "text_session: %s: %s\n", what, detail);
	abort();
}

void text_session_open(struct text_session *test, const void *bytes, size_t size_bytes,
		       const struct session_options *options)
{
	struct session_options own = { .thread_count = 1, .ignores_host = true };
	struct view view = view_default;
	struct error err;

	if (options)
		own = *options;
	if (own.view)
		view = *own.view;
	view.naming.folds_comms = true;
	own.view = &view;
	test->file = memory_alloc(1, sizeof(*test->file));
	memory_file_open(test->file, bytes, size_bytes);
	require(session_open(&test->session, test->file->path, &own, &err), "cannot open",
		err.text);
	require(session_build_profile(&test->session, &err), "cannot read", err.text);
	sink_init_memory(&test->folded);
	folded_write(&test->session.profile, &test->folded);
	sink_char(&test->folded, '\0');
}

void text_session_close(struct text_session *test)
{
	session_close(&test->session);
	memory_file_close(test->file);
	memory_free(test->file);
	sink_deinit(&test->folded);
}

/* skip_count: NULL: any number of lines may be skipped. */
static void expect(const char *input, const char *folded, const uint64_t *skip_count)
{
	struct text_session test;
	uint64_t skipped;

	text_session_open(&test, input, strlen(input), NULL);
	skipped = test.session.profile.losses[LOSS_SKIPPED_LINES];
	if (strcmp(test.folded.buffer, folded) != 0)
		fprintf(stderr, "of\n%s\ncame\n%s\nand not\n%s\n", input, test.folded.buffer,
			folded);
	require(strcmp(test.folded.buffer, folded) == 0, "folded", "differs");
	if (skip_count && skipped != *skip_count)
		fprintf(stderr, "of\n%s\n%" PRIu64 " lines were skipped\n", input, skipped);
	require(!skip_count || skipped == *skip_count, "lines", "another number was skipped");
	text_session_close(&test);
}

void text_session_expect(const char *input, const char *folded)
{
	expect(input, folded, NULL);
}

void text_session_expect_skips(const char *input, const char *folded, uint64_t skip_count)
{
	expect(input, folded, &skip_count);
}

void text_session_expect_whole(const char *input, const char *folded)
{
	text_session_expect_skips(input, folded, 0);
}
