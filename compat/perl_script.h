/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text as stackcollapse-perf.pl reads it, options has_source_lines included:
 *
 *     comm line, frames, empty line ─▶ one sample; what has no empty line behind it is none
 */
#ifndef COMPAT_PERL_SCRIPT_H
#define COMPAT_PERL_SCRIPT_H

#include "compat/collapse_frame.h"

extern const struct input_format perl_script_format;

#endif
