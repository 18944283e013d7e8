/* SPDX-License-Identifier: MIT */
/*
 * What is read when the command line names no input, by what standard input is:
 *
 *     pipe, socket, file              standard input; an error when it is empty
 *     terminal, /dev/null, closed     perf.data in this folder; an error when there is none
 *
 * The first is a pipeline, the second a shell, a cron job or a step of a build. An empty pipe means
 * that the program before it failed: perf.data is then not what was asked for, and only named.
 */
#ifndef CLI_DEFAULT_INPUT_H
#define CLI_DEFAULT_INPUT_H

#include "base/error.h"

/* ret: "-" or a file's name. Waits for a pipe until it has something or ends. */
bool default_input_find(const char **ret, bool is_quiet, struct error *err) WARN_UNUSED;

#endif
