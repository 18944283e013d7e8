/* SPDX-License-Identifier: MIT */
/*
 * Reads text from a pipe once, with two buffers: one is filled while the samples of the other are
 * read. The current buffer ends with a whole record; the bytes after it are moved to the other
 * buffer.
 *
 *     current  |rec|rec|rec|rec|       the input's window, cut into slices
 *     next     |rec|rec|rec|re.....    ◀── pipe
 *
 * A buffer grows only if a record does not fit, up to about twice the maximum size of a record. A
 * longer record is split between buffers, and the rest of an overlong line is dropped.
 */
#ifndef LIBPARSE_TEXT_STREAM_H
#define LIBPARSE_TEXT_STREAM_H

#include "libparse/text.h"

/* Creates a stream that has not read anything yet. Free the stream with text_stream_destroy. */
struct text_stream *text_stream_create(text_finder *find);
void text_stream_destroy(struct text_stream *stream);

/*
 * Reads about size_bytes into the next buffer. Another thread may read the current buffer at the
 * same time.
 */
bool text_stream_fill(struct text_stream *stream, struct input *input, size_t size_bytes,
		      struct error *err) WARN_UNUSED;

/*
 * Makes the next buffer current, and cuts it into slices for parallel reading. Returns false at
 * the end of the input.
 */
bool text_stream_show(struct text_stream *stream, struct capture *capture);

/* The line number of an offset in the current buffer. */
uint64_t text_stream_line_number(const struct text_stream *stream, uint64_t offset);

/* Whether the current buffer begins at offset, inside an over-long record. */
bool text_stream_begins_inside(const struct text_stream *stream, uint64_t offset);

#endif
