/* SPDX-License-Identifier: MIT */
/*
 * Code that all readers of text share: slices that begin with a record, windows that move over a
 * slice, lines, and counts of skipped lines.
 *
 *     slice   |rec|rec|rec|rec|rec|rec|rec|
 *     window  [bytes .......... at → . end]     a record cut off here is whole in the next window
 *
 * A window grows only if a record does not fit, up to LIMIT_TEXT_RECORD_BYTES. Longer lines are
 * skipped.
 */
#ifndef LIBPARSE_TEXT_H
#define LIBPARSE_TEXT_H

#include "base/scan.h"
#include "libparse/evidence.h"
#include "libparse/formats.h"

/*
 * Maximum size of a sample or line of a text. Even very deep stacks with long names need fewer
 * bytes.
 */
#define LIMIT_TEXT_RECORD_BYTES ((size_t)16 << 20)

struct text_window {
	const char *begin;
	const char *at;   /* the reader's position, which the reader advances */
	const char *stop; /* records that begin here or later belong to another slice */
	const char *end;
	uint64_t offset; /* input offset of `begin` */
	bool is_last;    /* `end` is the end of the input */
};

/* Skipped lines. */
struct text_skips {
	uint64_t count;
	uint64_t long_count;   /* longer than LIMIT_TEXT_RECORD_BYTES; not included in `count` */
	uint64_t first_offset; /* input offset of the first skipped line */
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
 * The line at *at, without its LF or CRLF; *at becomes the next line. The last line of the input
 * (is_last) may lack its newline. Returns false if no complete line is left.
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
	uint32_t i = 0;

	while (i < line.length && (is_blank(line.at[i]) || line.at[i] == '\r'))
		i++;
	return i == line.length;
}

static inline bool text_is_indented(struct text line)
{
	return line.length && is_blank(line.at[0]);
}

/*
 * The next blank-separated word; *text becomes the rest. Returns false if there is no further word.
 */
bool text_next_word(struct text *text, struct text *ret);

/*
 * Returns evidence for formats with characteristic lines: CONFIDENCE_LIKELY if is_own is true for a
 * line of `head`.
 */
struct evidence text_probe(struct span head, bool (*is_own)(struct text line), const char *what);

/* The unit of an event, guessed from its name. */
enum weight_unit text_unit_of_event(struct text event);

/* Returns the first record that begins in [from, end), or NULL. from is the start of a line. */
typedef const char *text_finder(const char *from, const char *end);

/*
 * Divides the input into slices that begin with a record. If find is NULL, there is only one slice,
 * and a pipe is spooled. Otherwise, a pipe is streamed, and capture->stream provides its slices.
 */
bool text_cut(struct capture *capture, text_finder *find, struct error *err) WARN_UNUSED;

/* Like text_cut, for a part of the input that begins with a record. */
bool text_cut_part(struct capture *capture, struct slice part, text_finder *find,
		   struct error *err) WARN_UNUSED;

/*
 * Reads the complete records in the window that begin before `stop`, and advances `at` past each
 * record. If is_last is set, all records are complete.
 */
typedef void text_record_callback(void *context, struct text_window *window);

/* Calls back for each window of a slice. Over-long lines count as skipped. */
bool text_read(const struct capture *capture, struct slice slice, text_record_callback *callback,
	       void *context, struct text_skips *skips, struct error *err) WARN_UNUSED;

/*
 * Must be called for a record that does not end in the window. If this returns false, the caller
 * must return, and the window grows. If this returns true, the record is too long: at least half of
 * LIMIT_TEXT_RECORD_BYTES. The lines of the record in the window are skipped, and the caller must
 * ignore the rest of the record.
 */
bool text_give_up(struct text_window *window, struct text_skips *skips);

/* Whether a slice of a streamed pipe begins inside an over-long record. */
bool text_begins_inside(const struct capture *capture, struct slice slice);

/*
 * Reads the whole input into *ret, whose bytes the caller frees. A larger input than limit_bytes is
 * an error. limit_bytes must be below 2^32. `what` names the input in the error, such as "a CPU
 * profile".
 */
bool text_load(const struct capture *capture, uint64_t limit_bytes, const char *what,
	       struct text *ret, struct error *err) WARN_UNUSED;

/* The state of a simple reader. */
struct text_parser {
	const struct event_sink *sink;
	VEC(struct text) frames; /* frames of the current sample */
	struct text_skips skips;
	bool drops_record; /* an over-long record is being ignored */
};

/* Like text_read, with a struct text_parser as context. Also reports skipped lines. */
bool text_read_samples(const struct capture *capture, struct slice slice,
		       text_record_callback *callback, const struct event_sink *sink,
		       struct error *err) WARN_UNUSED;

/* Sends skipped lines as a loss event. */
void text_report_skips(const struct text_skips *skips, const struct event_sink *sink);

/*
 * Sends a loss event, unless count is 0. offset: where the loss begins in the input; 0 if unknown.
 */
void text_report_loss(const struct event_sink *sink, enum loss_kind kind, uint64_t count,
		      uint64_t offset);

/* The number of the line at an offset, counted from 1; 0 if it cannot be read. */
uint64_t text_line_number(const struct input *input, uint64_t offset);

/* Sends a fact about the capture. */
void text_report_fact(const struct event_sink *sink, enum fact fact, struct text value);

#endif
