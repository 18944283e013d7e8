/* SPDX-License-Identifier: MIT */
/*
 * A frame of `perf script` text: a line, with -F srcline followed by a source line.
 *
 *     	    7f3a91c0b2d4 std::function<void (int)>::operator()(int)+0x14 (/usr/bin/app (deleted))
 *     	      ip         symbol                                   offset  module
 *
 * Source: tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain and sample__fprintf_sym.
 */
#ifndef LIBPARSE_SCRIPT_PERF_SCRIPT_FRAME_H
#define LIBPARSE_SCRIPT_PERF_SCRIPT_FRAME_H

#include "libparse/event.h"

/* Whether a line that begins with a blank is a frame, and not a sample with a padded comm. */
bool perf_script_is_frame(struct text line);

/* Parses a frame; raw may include its source line. */
void perf_script_parse_frame(struct text raw, struct event_frame *ret);

/* An event_frame_reader. Splits the inlined functions that perf-map-agent joins in one name. */
void perf_script_read_frame(const void *reader, struct text raw, event_frame_callback *take,
			    void *context);

#endif
