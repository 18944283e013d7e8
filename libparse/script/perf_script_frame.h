/* SPDX-License-Identifier: MIT */
/*
 * Parses a frame of `perf script` text. A frame is a line; with -F srcline, a source line follows.
 *
 *     	    7f3a91c0b2d4 std::function<void (int)>::operator()(int)+0x14 (/usr/bin/app (deleted))
 *     	      ip         symbol                                   offset  module
 *
 * Source: tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain and sample__fprintf_sym.
 */
#ifndef LIBPARSE_SCRIPT_PERF_SCRIPT_FRAME_H
#define LIBPARSE_SCRIPT_PERF_SCRIPT_FRAME_H

#include "libparse/event.h"

/* Whether an indented line is a frame, as opposed to a sample whose comm is padded. */
bool perf_script_is_frame(struct text line);

/*
 * Whether an indented line begins with an address as perf prints it, in a column of 16 digits.
 * After a tab, the column may be narrower if the address has a decimal digit, because words such as
 * "add" consist of hexadecimal digits, too.
 */
bool perf_script_has_address(struct text line);

/* Like perf_script_has_address, but the address must end where it does in the output of perf. */
bool perf_script_has_wide_address(struct text line);

/* Whether an indented line consists of an address in such a column. */
bool perf_script_is_bare_address(struct text line);

/*
 * Whether a line consists of fields that perf prints behind the frames of a sample: registers,
 * branches, instructions, physical addresses or page sizes.
 */
bool perf_script_is_behind_frames(struct text line);

/*
 * Whether only perf prints such a frame: the address has all columns, or a path in brackets or an
 * offset "+0x1f" ends the line.
 */
bool perf_script_is_certain_frame(struct text line);

/*
 * Whether a frame is only an address below CALLCHAIN_LOWEST_ADDRESS, without symbol and module. As
 * the last frame it is garbage, see callchain_trimmed_count.
 */
bool perf_script_is_stray_frame(struct text raw);

/*
 * The frame in a sample on a single line. rest: the text after the event. Other fields can come in
 * front of the frame and behind it:
 *
 *     5588 |OP LOAD|LVL L1 hit|...   12 ffffffff81775b9a elf_load+0x28a ([kernel.kallsyms])    77
 *     data source, weight               the frame                                physical address
 */
struct text perf_script_single_frame(struct text rest);

/* Parses a frame; raw may include its source line. */
void perf_script_parse_frame(struct text raw, struct event_frame *ret);

/* An event_frame_reader. Splits names in which perf-map-agent joined inlined functions. */
void perf_script_read_frame(const void *reader, struct text raw, event_frame_callback *take,
			    void *context);

#endif
