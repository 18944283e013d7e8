/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text as inferno-collapse-perf reads it, options last_names included:
 *
 *     comm line, frames, empty line or the end ─▶ one sample; a comm line with a frame behind it is one too
 */
#ifndef COMPAT_INFERNO_SCRIPT_H
#define COMPAT_INFERNO_SCRIPT_H

#include "compat/collapse_frame.h"

extern const struct input_format inferno_script_format;

#endif
