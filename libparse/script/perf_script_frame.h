/* SPDX-License-Identifier: MIT */
/*
 * A frame of `perf script` text: the line, and behind it the one with its place in the source where
 * that was printed.
 *
 *     	    7f3a91c0b2d4 std::function<void (int)>::operator()(int)+0x14 (/usr/bin/app (deleted))
 *     	      ip         symbol                                   offset  module
 *
 * Source: tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain and sample__fprintf_sym.
 */
#ifndef LIBPARSE_SCRIPT_PERF_SCRIPT_FRAME_H
#define LIBPARSE_SCRIPT_PERF_SCRIPT_FRAME_H

#include "libparse/event.h"

/* Whether a line that begins with a blank is a frame rather than a sample whose comm is padded. */
bool perf_script_is_frame(struct text line);

/* Reads what a line says; raw may have a second line. */
void perf_script_parse_frame(struct text raw, struct event_frame *ret);

/* The same as an event_frame_reader, which takes functions apart that perf-map-agent put into one. */
void perf_script_read_frame(const void *reader, struct text raw, event_frame_callback *take,
			    void *context);

#endif
