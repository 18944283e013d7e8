/* SPDX-License-Identifier: MIT */
/*
 * Checks that hold for the profile of any capture, however corrupt. A failed check stops the
 * program, as fuzz targets require.
 */
#ifndef TESTS_SUPPORT_SESSION_CHECKS_H
#define TESTS_SUPPORT_SESSION_CHECKS_H

#include "session/session.h"

/* Stops the program and prints the condition unless it holds. */
#define require(holds) ((holds) ? (void)0 : session_checks_fail(__FILE__, __LINE__, #holds))

_Noreturn void session_checks_fail(const char *file, int line, const char *condition);

/* Whether bytes begin as perf.data does, in any byte order. */
bool session_checks_is_perf(const void *bytes, size_t size_bytes);

/*
 * Opens a capture in this process: with one thread, without the processes that read debug
 * information, and without files of this machine. False if the capture cannot be read; then it is
 * checked that the error has a text. Options may change view, thread_count and pairing; NULL: none.
 */
bool session_checks_open(struct session *session, const char *path,
			 const struct session_options *options) WARN_UNUSED;

/* Checks that an error has a code and a text. */
void session_checks_error(const struct error *err);

/* Parents come before children; each stack's range has its descendants; the root's total is the sum of all. */
void session_checks_tree(const struct profile *profile);

/*
 * Builds the profile, checks it, and writes it as folded stacks, tables and JSON: the event in view has as many samples
 * as the root, and folded lines ascend and add up.
 */
void session_checks_build(struct session *session);

#endif
