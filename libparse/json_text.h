/* SPDX-License-Identifier: MIT */
/*
 * JSON read from left to right, a piece at a time: who reads knows what should come. Nothing is built,
 * nothing recurses.
 *
 *     {"type": "map", "data": {"@": {"bash": 3}}}
 *      ▲ at: what was read is behind it
 */
#ifndef LIBPARSE_JSON_TEXT_H
#define LIBPARSE_JSON_TEXT_H

#include "base/strings.h"

struct json {
	const char *at, *end;
};

/* The next byte that is no blank; '\0': there is none. */
char json_peek(struct json *json);

/* Takes that byte off if it is c. */
bool json_take(struct json *json, char c);

/* Takes a string, as it is written between its quotes. */
bool json_take_string(struct json *json, struct text *ret);

/* Takes a string that is a name in an object, and the colon behind it. */
bool json_take_name(struct json *json, struct text *ret);

/* Takes what is neither string, array nor object: a number, or a word. */
bool json_take_word(struct json *json, struct text *ret);

/* Takes any value, whatever is in it. */
bool json_skip(struct json *json);

/* Writes what a string stands for to buffer, which has room for its length, and returns the end. */
char *json_unescape(struct text string, char *buffer);

#endif
