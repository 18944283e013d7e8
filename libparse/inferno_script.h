/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text as inferno-collapse-perf reads it, options last_names included:
 *
 *     comm line, frames, empty line or the end ─▶ one sample; a comm line with a frame behind it is one too
 */
#ifndef LIBPARSE_INFERNO_SCRIPT_H
#define LIBPARSE_INFERNO_SCRIPT_H

#include "libparse/collapse.h"

extern const struct input_format inferno_script_format;

#endif
