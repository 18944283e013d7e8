/* SPDX-License-Identifier: MIT */
/*
 * What readers of text share: slices that begin with a record, windows that move over a slice,
 * lines, and counting skipped lines.
 *
 *     slice   |rec|rec|rec|rec|rec|rec|rec|
 *     window  [bytes .......... at → . end]     a record at the end is complete in the next window
 *
 * A window grows only for a record that does not fit, up to LIMIT_TEXT_RECORD_BYTES. Longer lines
 * are skipped.
 */
#ifndef LIBPARSE_TEXT_H
#define LIBPARSE_TEXT_H

#include "base/scan.h"
#include "libparse/evidence.h"
#include "libparse/formats.h"

/* One sample or line of a text. Even very deep stacks with long names need less. */
#define LIMIT_TEXT_RECORD_BYTES ((size_t)16 << 20)

struct text_window {
	const char *begin;
	const char *at;   /* the reader has read up to here, and moves it */
	const char *stop; /* records that begin here or later are not part of the slice */
	const char *end;
	uint64_t offset; /* of begin in the input */
	bool is_last;    /* the input ends at end */
};

/* Skipped lines. */
struct text_skips {
	uint64_t count;
	uint64_t long_count;   /* longer than LIMIT_TEXT_RECORD_BYTES; not in count */
	uint64_t first_offset; /* of the first, in the input */
};

static inline uint64_t text_offset(const struct text_window *window, const char *at)
{
	return window->offset + (uint64_t)(at - window->begin);
}

static inline void text_skip(struct text_skips *skips, uint64_t offset)
{
	if (!skips->count && !skips->long_count)
		skips->first_offset = offset;
	skips->count++;
}

/*
 * The line at *at, without its LF or CRLF; with is_last, the last line may lack it. *at moves to
 * the next line. False: no complete line is left.
 */
static inline bool text_next_line(const char **at, const char *end, bool is_last, struct text *ret)
{
	const char *begin = *at;
	size_t left = (size_t)(end - begin);
	const char *stop = left ? memchr(begin, '\n', left) : NULL;

	if (!stop && (!is_last || !left))
		return false;
	*at = stop ? stop + 1 : end;
	if (!stop)
		stop = end;
	if (stop > begin && stop[-1] == '\r')
		stop--;
	*ret = (struct text){ begin, (uint32_t)(stop - begin) };
	return true;
}

/* Removes blanks at both ends. */
struct text text_trim(struct text text);

static inline bool text_is_blank(struct text line)
{
	return !text_trim(line).length;
}

static inline bool text_is_indented(struct text line)
{
	return line.length && is_blank(line.at[0]);
}

/* The next blank-separated word; *text becomes the rest. False: there is none. */
bool text_next_word(struct text *text, struct text *ret);

/*
 * Evidence for a format with a line of its own: CONFIDENCE_LIKELY if is_own is true for a line of
 * head.
 */
struct evidence text_probe(struct span head, bool (*is_own)(struct text line), const char *what);

/* The unit of an event, guessed from its name. */
enum weight_unit text_unit_of_event(struct text event);

/* Returns the first record that begins in [from, end), or NULL. from is the start of a line. */
typedef const char *text_finder(const char *from, const char *end);

/*
 * Cuts the input into slices; find NULL: one slice. A pipe gets its slices from capture->stream, or
 * is spooled if it cannot be cut.
 */
bool text_cut(struct capture *capture, text_finder *find, struct error *err) WARN_UNUSED;

/* Cuts a part of the input, which begins with a record. */
bool text_cut_part(struct capture *capture, struct slice part, text_finder *find,
		   struct error *err) WARN_UNUSED;

/* Reads the whole records of a window, as long as at is before stop, and moves at behind each. When
 * is_last is set, all records are whole. */
typedef void text_record_callback(void *context, struct text_window *window);

/* Passes all windows of a slice to callback. Lines that are too long count as skipped. */
bool text_read(const struct capture *capture, struct slice slice, text_record_callback *callback,
	       void *context, struct text_skips *skips, struct error *err) WARN_UNUSED;

/*
 * Call if a record does not end in the window. False: return, and the window will grow. True: the
 * record is too long; its lines in the window are skipped, and the caller must drop the rest.
 */
bool text_give_up(struct text_window *window, struct text_skips *skips);

/* Whether a slice begins inside a record that is too long, in a streamed pipe. */
bool text_begins_inside(const struct capture *capture, struct slice slice);

/* The state of a simple reader. */
struct text_parser {
	const struct event_sink *sink;
	VEC(struct text) frames; /* of the current sample */
	struct text_skips skips;
	bool drops_record; /* the rest of a record that is too long is ignored */
};

/* Like text_read, with a struct text_parser as context. Reports skipped lines. */
bool text_read_samples(const struct capture *capture, struct slice slice,
		       text_record_callback *callback, const struct event_sink *sink,
		       struct error *err) WARN_UNUSED;

/* Sends skipped lines as a loss event. */
void text_report_skips(const struct text_skips *skips, const struct event_sink *sink);

/* The number of the line at an offset, counted from 1; 0 if it cannot be read. */
uint64_t text_line_number(const struct input *input, uint64_t offset);

/* Sends a fact about the capture. */
void text_report_fact(const struct event_sink *sink, enum fact fact, struct text value);

#endif
