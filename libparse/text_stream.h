/* SPDX-License-Identifier: MIT */
/*
 * Text from a pipe, read once. While the samples of one buffer are read, the other is filled. Each
 * buffer ends where a record does; the rest is moved to the start of the other.
 *
 *     current  |rec|rec|rec|rec|       the input's window, cut into slices
 *     next     |rec|rec|rec|re.....    ◀── pipe
 *
 * A buffer grows only for a record that does not fit, up to the maximum size of a record. A longer
 * record is cut inside, and of an over-long line the unused rest is dropped.
 */
#ifndef LIBPARSE_TEXT_STREAM_H
#define LIBPARSE_TEXT_STREAM_H

#include "libparse/text.h"

/* A stream before its first buffer. */
struct text_stream *text_stream_create(text_finder *find);
void text_stream_destroy(struct text_stream *stream);

/* Fills the next buffer with about size_bytes. The current one can be read meanwhile. */
bool text_stream_fill(struct text_stream *stream, struct input *input, size_t size_bytes,
		      struct error *err) WARN_UNUSED;

/*
 * Makes the filled buffer current, and cuts it into slices for parallel reading. False: end of
 * input.
 */
bool text_stream_show(struct text_stream *stream, struct capture *capture);

/* The line number of an offset in the current buffer. */
uint64_t text_stream_line_number(const struct text_stream *stream, uint64_t offset);

/* Whether the current buffer begins at offset, inside an over-long record. */
bool text_stream_begins_inside(const struct text_stream *stream, uint64_t offset);

#endif
