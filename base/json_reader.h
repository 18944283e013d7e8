/* SPDX-License-Identifier: MIT */
/*
 * JSON (RFC 8259) in memory, value by value, in the order it is written. Nothing is built and nothing
 * recurses: who knows what is expected asks for it, and skips the rest.
 *
 *     {"rows":[0,1,2]}
 *     open '{' ─ next ─ string "rows" ─ colon ─ open '[' ─ next ─ number ... ─ next is false at ']'
 *
 * What is not as it was asked for fails, and from then on everything does.
 */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include "base/sink.h"

struct json_reader {
	const char *at, *end;
	bool is_first; /* no value was read yet of what was opened last */
	bool has_failed;
};

struct json_reader json_reader_of(struct text json);

/* Steps into an object, '{', or an array, '['. */
bool json_read_open(struct json_reader *reader, char bracket);

/* Whether one more value or name is in what was opened last, which ends with bracket, '}' or ']';
 * false: it is behind it now. */
bool json_read_next(struct json_reader *reader, char bracket);

/* The name of a member, up to where its value begins; escapes in it stay. */
bool json_read_name(struct json_reader *reader, struct text *ret);

/* A string, its escapes undone, appended to sink. */
bool json_read_string(struct json_reader *reader, struct sink *sink);

/* A value that is no object and no array, as it is written; of a string what is between its quotes. */
bool json_read_plain(struct json_reader *reader, struct text *ret);

/* Appends what stands between quotes, its escapes undone: of a name, whose escapes stay. */
void json_unescape(struct text raw, struct sink *sink);

/* A number as it is written, or as a string that holds one. */
bool json_read_number(struct json_reader *reader, struct text *ret);

/* A number without sign, point and exponent, of at most 64 bits. */
bool json_read_u64(struct json_reader *reader, uint64_t *ret);

/* Whether a value begins with this character, which says its kind: " { [. */
bool json_read_begins(struct json_reader *reader, char first);

/* Any value. */
bool json_read_skip(struct json_reader *reader);

#endif
