/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text, of all versions and with any fields:
 *
 *     # hostname : ci                    comments: metadata of the capture
 *     comm 4711 5669.617688: cycles:     a sample: perf_script_header
 *     	    1149 parse+0x9 (app)          its frames, innermost first: perf_script_frame
 *     	    1210 main+0x40 (app)
 *                                        an empty line, unless samples have no frames
 *
 * perf does not escape names, even if they contain newlines. Lines that match no rule are skipped
 * and counted.
 */
#ifndef LIBPARSE_SCRIPT_PERF_SCRIPT_H
#define LIBPARSE_SCRIPT_PERF_SCRIPT_H

#include "libparse/formats.h"

extern const struct input_format perf_script_format;

#endif
