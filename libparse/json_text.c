/* SPDX-License-Identifier: MIT */
#include "libparse/json_text.h"

#include "base/hex.h"

char json_peek(struct json *json)
{
	while (json->at < json->end &&
	       (*json->at == ' ' || *json->at == '\t' || *json->at == '\r' || *json->at == '\n'))
		json->at++;
	return json->at < json->end ? *json->at : '\0';
}

bool json_take(struct json *json, char c)
{
	if (json_peek(json) != c || json->at == json->end)
		return false;
	json->at++;
	return true;
}

bool json_take_string(struct json *json, struct text *ret)
{
	const char *begin;

	if (!json_take(json, '"'))
		return false;
	begin = json->at;
	while (json->at < json->end && *json->at != '"')
		json->at += *json->at == '\\' && json->end - json->at > 1 ? 2 : 1;
	if (json->at >= json->end)
		return false;
	*ret = (struct text){ begin, (uint32_t)(json->at - begin) };
	json->at++;
	return true;
}

bool json_take_name(struct json *json, struct text *ret)
{
	return json_take_string(json, ret) && json_take(json, ':');
}

bool json_take_word(struct json *json, struct text *ret)
{
	const char *begin;

	json_peek(json);
	begin = json->at;
	while (json->at < json->end && !memchr(" \t\r\n,:\"[]{}", *json->at, 11))
		json->at++;
	*ret = (struct text){ begin, (uint32_t)(json->at - begin) };
	return ret->length > 0;
}

bool json_skip(struct json *json)
{
	uint64_t depth = 0;
	struct text ignored;

	do {
		char c = json_peek(json);

		if (c == '"') {
			if (!json_take_string(json, &ignored))
				return false;
		} else if (c == '{' || c == '[') {
			json->at++;
			depth++;
		} else if (c == '}' || c == ']' || c == ',' || c == ':') {
			if (!depth)
				return false;
			json->at++;
			depth -= c == '}' || c == ']';
		} else if (!json_take_word(json, &ignored)) {
			return false;
		}
	} while (depth);
	return true;
}

static bool take_code(struct text string, uint32_t at, uint32_t *ret)
{
	*ret = 0;
	for (uint32_t i = at; i < at + 4; i++) {
		int digit = i < string.length ? hex_value(string.at[i]) : -1;

		if (digit < 0)
			return false;
		*ret = *ret << 4 | (uint32_t)digit;
	}
	return true;
}

/* As UTF-8; halves of a pair stand for nothing. */
static char *write_code(uint32_t code, char *at)
{
	if (code < 0x80) {
		*at++ = (char)code;
	} else if (code < 0x800) {
		*at++ = (char)(0xc0 | code >> 6);
		*at++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0xd800 || code > 0xdfff) {
		*at++ = (char)(0xe0 | code >> 12);
		*at++ = (char)(0x80 | (code >> 6 & 0x3f));
		*at++ = (char)(0x80 | (code & 0x3f));
	} else {
		*at++ = '?';
	}
	return at;
}

char *json_unescape(struct text string, char *buffer)
{
	static const char escapes[] = "bfnrt";
	static const char meanings[] = "\b\f\n\r\t";
	uint32_t code;

	for (uint32_t i = 0; i < string.length; i++) {
		char c = string.at[i];
		const char *found;

		if (c != '\\' || i + 1 == string.length) {
			*buffer++ = c;
			continue;
		}
		c = string.at[++i];
		found = memchr(escapes, c, sizeof(escapes) - 1);
		if (c == 'u' && take_code(string, i + 1, &code)) {
			buffer = write_code(code, buffer);
			i += 4;
		} else {
			*buffer++ = found ? meanings[found - escapes] : c;
		}
	}
	return buffer;
}
