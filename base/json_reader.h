/* SPDX-License-Identifier: MIT */
/*
 * A pull parser for JSON (RFC 8259) in memory: the caller requests the values it expects in order,
 * and skips the others. The parser allocates nothing and does not recurse.
 *
 *     {"rows":[0,1,2]}
 *     open '{' ─ next ─ string "rows" ─ colon ─ open '[' ─ next ─ number ... ─ next is false at ']'
 *
 * If a value does not have the requested type, this call and all later ones fail.
 */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include "base/scan.h"
#include "base/sink.h"

struct json_reader {
	const char *at, *end;
	bool is_first; /* the next value is the first one of the innermost object or array */
	bool has_failed;
	const char *failed_at; /* position at which the first read failed */
};

struct json_reader json_reader_of(struct text json);

/* Enters an object ('{') or an array ('['). */
bool json_read_open(struct json_reader *reader, char bracket);

/*
 * Whether the innermost object or array, which ends with bracket ('}' or ']'), has another value.
 * If there is no further value, leaves the object or array.
 */
bool json_read_next(struct json_reader *reader, char bracket);

/* Reads the name of a member, and the colon. Escapes are kept. */
bool json_read_name(struct json_reader *reader, struct text *ret);

/* Appends a string to sink, unescaped. */
bool json_read_string(struct json_reader *reader, struct sink *sink);

/*
 * Reads a value other than an object or array, verbatim; for a string, the text between the quotes.
 */
bool json_read_plain(struct json_reader *reader, struct text *ret);

/* Appends `raw`, for example a name from json_read_name, with its escapes resolved. */
void json_unescape(struct text raw, struct sink *sink);

/* Reads a number as text. Quotes around the number are accepted. */
bool json_read_number(struct json_reader *reader, struct text *ret);

/* Reads a number below 2^64 without sign, point or exponent. */
bool json_read_u64(struct json_reader *reader, uint64_t *ret);

/*
 * Reads any number below 2^63, in units of 10^-decimals, as scan_number does. Fails on larger
 * numbers.
 */
bool json_read_fixed(struct json_reader *reader, unsigned decimals, struct scanned_number *ret);

/* Whether the next value begins with this character: ", { or [. */
bool json_read_begins(struct json_reader *reader, char first);

/* Skips any value. */
bool json_read_skip(struct json_reader *reader);

#endif
