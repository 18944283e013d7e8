/* SPDX-License-Identifier: MIT */
/*
 * What readers of text share: finding slices that begin with a record, windows of bytes that move
 * over a slice, lines, and counting what had to be skipped.
 *
 *     slice   |rec|rec|rec|rec|rec|rec|rec|
 *     window  [bytes .......... at → . end]     a record the window cuts is seen whole in the next
 *
 * A window grows only when a single record does not fit, and a record may not grow beyond
 * LIMIT_TEXT_RECORD_BYTES: of what is longer the line is skipped.
 */
#ifndef LIBPARSE_TEXT_H
#define LIBPARSE_TEXT_H

#include "base/scan.h"
#include "libparse/formats.h"

struct text_window {
	const char *begin;
	const char *at;   /* up to here it is read: the reader moves this */
	const char *stop; /* records that begin here or later are not wanted */
	const char *end;
	uint64_t offset; /* of begin in the input */
	bool is_last;    /* behind end there is nothing */
};

/* Lines that no sample could be made of. */
struct text_skips {
	uint64_t count;
	uint64_t first_offset; /* of the first of them in the input */
};

static inline uint64_t text_offset(const struct text_window *window, const char *at)
{
	return window->offset + (uint64_t)(at - window->begin);
}

static inline void text_skip(struct text_skips *skips, uint64_t offset)
{
	if (!skips->count++)
		skips->first_offset = offset;
}

/*
 * The next line at or behind *at, without its end, be that LF, CRLF or, when is_last, nothing; *at
 * moves to the next one. False: there is no whole line left.
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

/* Without the blanks at both ends. */
struct text text_trim(struct text text);

/* The next word, and *text what is behind it; words are between blanks. False: there is none. */
bool text_next_word(struct text *text, struct text *ret);

/* What is counted of an event, from its name alone. */
enum weight_unit text_unit_of_event(struct text event);

/*
 * Where a record begins at or behind from, as far as [from, end) tells; NULL: none does. from is
 * where a line begins.
 */
typedef const char *text_finder(const char *from, const char *end);

/* Cuts the input into slices; find NULL: into one. An input that passes by gets its slices from
 * capture->stream, or is spooled where it cannot be cut. */
bool text_cut(struct capture *capture, text_finder *find, struct error *err) WARN_UNUSED;

/* Cuts a part of the input that begins with a record. */
bool text_cut_part(struct capture *capture, struct slice part, text_finder *find,
		   struct error *err) WARN_UNUSED;

/* Reads the whole records of a window, as long as at is before stop, and moves at behind each. When
 * is_last is set, all records are whole. */
typedef void text_taker(void *context, struct text_window *window);

/* Has all of a slice taken. Lines that are too long are counted as skipped. */
bool text_read(const struct capture *capture, struct slice slice, text_taker *take, void *context,
	       struct text_skips *skips, struct error *err) WARN_UNUSED;

/* For a taker whose record goes on behind the window, which grows then, but not for ever. True: the record is too
 * long. What there is of it, up to its last whole line, is skipped, and the taker drops the rest. */
bool text_give_up(struct text_window *window, struct text_skips *skips);

/* Whether a slice begins inside of a record: of one that is too long, out of a pipe. */
bool text_begins_inside(const struct capture *capture, struct slice slice);

/* What a reader keeps of a slice that needs no more than this. */
struct text_parser {
	const struct event_sink *sink;
	VEC(struct text) frames; /* of the sample under way */
	struct text_skips skips;
	bool drops_record; /* it was given up: what is left of it is not taken */
};

/* Has all of a slice taken, the context of take being a struct text_parser, and tells what was skipped. */
bool text_read_samples(const struct capture *capture, struct slice slice, text_taker *take,
		       const struct event_sink *sink, struct error *err) WARN_UNUSED;

/* Tells what was skipped as a loss. */
void text_tell_skips(const struct text_skips *skips, const struct event_sink *sink);

/* The number of the line a byte of the input is in, from 1 on; 0: it cannot be read. */
uint64_t text_line_number(const struct input *input, uint64_t offset);

/* Tells something the capture says of itself. */
void text_tell_fact(const struct event_sink *sink, enum fact fact, struct text value);

#endif
