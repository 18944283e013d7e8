/* SPDX-License-Identifier: MIT */
/* Reads a text capture from its bytes up to folded lines, for tests of text formats. */
#ifndef TESTS_SUPPORT_TEXT_SESSION_H
#define TESTS_SUPPORT_TEXT_SESSION_H

#include "session/session.h"

struct text_session {
	struct memory_file *file;
	struct session session;
	struct sink folded;
};

/* Reads bytes with these options (NULL: the defaults, one thread); aborts the test on failure. */
void text_session_open(struct text_session *test, const void *bytes, size_t size_bytes,
		       const struct session_options *options);
void text_session_close(struct text_session *test);

/* Fails the test unless the text folds to these lines. */
void text_session_expect(const char *input, const char *folded);

/* The same, and fails unless this many lines were skipped. */
void text_session_expect_skips(const char *input, const char *folded, uint64_t skip_count);

/* The same, and fails if a line was skipped. */
void text_session_expect_whole(const char *input, const char *folded);

#endif
