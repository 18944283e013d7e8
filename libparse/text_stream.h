/* SPDX-License-Identifier: MIT */
/*
 * A text that passes by in a pipe. Two buffers take turns: while the samples of one are read, the other is
 * filled. Each ends where a record does, and what is behind that goes to the beginning of the other.
 *
 *     shown    |rec|rec|rec|rec|       the input's window, cut into slices
 *     filling  |rec|rec|rec|re.....    ◀── pipe
 *
 * A buffer grows only when a single record does not fit, and not beyond what a record may have: what is longer is cut
 * inside. Of a line that is longer than any record may be, what nobody would read is dropped.
 */
#ifndef LIBPARSE_TEXT_STREAM_H
#define LIBPARSE_TEXT_STREAM_H

#include "libparse/text.h"

/* Text of an input that passes by, of which nothing is shown yet. */
struct text_stream *text_stream_create(text_finder *find);
void text_stream_destroy(struct text_stream *stream);

/* Reads what is to be shown next, about size_bytes of it. While it does, what is shown can be read. */
bool text_stream_fill(struct text_stream *stream, struct input *input, size_t size_bytes,
		      struct error *err) WARN_UNUSED;

/* Shows what was filled last, in slices that can be read by as many threads at once; false: it was all. */
bool text_stream_show(struct text_stream *stream, struct capture *capture);

/* The number of the line that a byte of what is shown is in. */
uint64_t text_stream_line_number(const struct text_stream *stream, uint64_t offset);

/* Whether what is shown begins there, inside of a record that was too long. */
bool text_stream_begins_inside(const struct text_stream *stream, uint64_t offset);

#endif
