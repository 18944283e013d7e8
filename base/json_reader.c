/* SPDX-License-Identifier: MIT */
#include "base/json_reader.h"

#include "base/utf8.h"

static bool fail(struct json_reader *reader)
{
	if (!reader->has_failed)
		reader->failed_at = reader->at;
	reader->has_failed = true;
	reader->at = reader->end;
	return false;
}

static void skip_blanks(struct json_reader *reader)
{
	while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\n' ||
					    *reader->at == '\r' || *reader->at == '\t'))
		reader->at++;
}

static bool accept(struct json_reader *reader, char wanted)
{
	skip_blanks(reader);
	if (reader->at == reader->end || *reader->at != wanted)
		return false;
	reader->at++;
	return true;
}

struct json_reader json_reader_of(struct text json)
{
	/* In C, nothing may be added to a null pointer, not even 0. */
	return (struct json_reader){ .at = json.at, .end = json.at ? json.at + json.length : NULL };
}

bool json_read_open(struct json_reader *reader, char bracket)
{
	reader->is_first = true;
	return accept(reader, bracket) || fail(reader);
}

bool json_read_next(struct json_reader *reader, char bracket)
{
	bool is_first = reader->is_first;

	reader->is_first = false;
	if (reader->has_failed || accept(reader, bracket))
		return false;
	return is_first || accept(reader, ',') || fail(reader);
}

/* Reads a string verbatim, without its quotes. */
static bool read_raw(struct json_reader *reader, struct text *ret)
{
	const char *begin;

	reader->is_first = false;
	if (!accept(reader, '"'))
		return fail(reader);
	begin = reader->at;
	while (reader->at < reader->end && *reader->at != '"')
		reader->at += *reader->at == '\\' && reader->end - reader->at > 1 ? 2 : 1;
	if (reader->at == reader->end)
		return fail(reader);
	*ret = (struct text){ begin, (uint32_t)(reader->at - begin) };
	reader->at++;
	return true;
}

bool json_read_name(struct json_reader *reader, struct text *ret)
{
	return read_raw(reader, ret) && (accept(reader, ':') || fail(reader));
}

/* Reads the four hexadecimal digits after \u. Returns UTF8_REPLACEMENT if a digit is missing. */
static uint32_t read_code_unit(struct text *text)
{
	uint32_t unit = 0;

	for (int i = 0; i < 4; i++) {
		int digit = text->length ? hex_value(text->at[0]) : -1;

		if (digit < 0)
			return UTF8_REPLACEMENT;
		unit = unit << 4 | (uint32_t)digit;
		text->at++;
		text->length--;
	}
	return unit;
}

static uint32_t read_character(struct text *text)
{
	uint32_t unit = read_code_unit(text);
	uint32_t low;

	if (unit < 0xd800 || unit > 0xdfff)
		return unit;
	if (unit > 0xdbff || !text_has_prefix(*text, "\\u"))
		return UTF8_REPLACEMENT;
	text->at += 2;
	text->length -= 2;
	low = read_code_unit(text);
	return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
					      : UTF8_REPLACEMENT;
}

static void write_escape(struct sink *sink, struct text *text)
{
	static const char letters[] = "bfnrt";
	static const char meant[] = "\b\f\n\r\t";
	const char *letter;
	char c = text->at[0];

	text->at++;
	text->length--;
	if (c == 'u') {
		utf8_write(sink, read_character(text));
		return;
	}
	letter = c ? strchr(letters, c) : NULL;
	sink_char(sink, letter ? meant[letter - letters] : c);
}

void json_unescape(struct text raw, struct sink *sink)
{
	while (raw.length) {
		const char *slash = memchr(raw.at, '\\', raw.length);
		uint32_t length = slash ? (uint32_t)(slash - raw.at) : raw.length;

		sink_bytes(sink, raw.at, length);
		raw.at += length;
		raw.length -= length;
		if (!raw.length)
			break;
		raw.at++;
		raw.length--;
		/* At least the closing quote follows, because the string is complete. */
		if (raw.length)
			write_escape(sink, &raw);
	}
}

bool json_read_string(struct json_reader *reader, struct sink *sink)
{
	struct text raw;

	if (!read_raw(reader, &raw))
		return false;
	json_unescape(raw, sink);
	return true;
}

bool json_read_plain(struct json_reader *reader, struct text *ret)
{
	const char *begin;

	if (json_read_begins(reader, '"'))
		return read_raw(reader, ret);
	reader->is_first = false;
	begin = reader->at;
	while (reader->at < reader->end && !memchr(" \t\r\n,:\"[]{}", *reader->at, 11))
		reader->at++;
	*ret = (struct text){ begin, (uint32_t)(reader->at - begin) };
	return ret->length || fail(reader);
}

bool json_read_number(struct json_reader *reader, struct text *ret)
{
	const char *begin;

	if (json_read_begins(reader, '"'))
		return read_raw(reader, ret);
	reader->is_first = false;
	begin = reader->at;
	while (reader->at < reader->end && *reader->at && strchr("0123456789+-.eE", *reader->at))
		reader->at++;
	*ret = (struct text){ begin, (uint32_t)(reader->at - begin) };
	return ret->length || fail(reader);
}

bool json_read_u64(struct json_reader *reader, uint64_t *ret)
{
	struct text rest;

	skip_blanks(reader);
	reader->is_first = false;
	rest = text_between(reader->at, reader->end);
	if (!scan_u64(&rest, ret))
		return fail(reader);
	reader->at = rest.at;
	return true;
}

bool json_read_fixed(struct json_reader *reader, unsigned decimals, struct scanned_number *ret)
{
	struct text number;

	return json_read_number(reader, &number) &&
	       ((scan_number(&number, decimals, ret) && !number.length) || fail(reader));
}

bool json_read_begins(struct json_reader *reader, char first)
{
	skip_blanks(reader);
	return reader->at < reader->end && *reader->at == first;
}

bool json_read_skip(struct json_reader *reader)
{
	struct text ignored;
	uint64_t depth = 0;

	reader->is_first = false;
	do {
		skip_blanks(reader);
		if (reader->at == reader->end)
			return fail(reader);
		if (*reader->at == '"') {
			if (!read_raw(reader, &ignored))
				return false;
			continue;
		}
		depth += *reader->at == '{' || *reader->at == '[';
		if (*reader->at == '}' || *reader->at == ']') {
			if (!depth)
				return fail(reader);
			depth--;
		}
		/* A word or number ends before the next comma, bracket or blank. */
		do
			reader->at++;
		while (!depth && reader->at < reader->end && !strchr(",]} \t\r\n", *reader->at));
	} while (depth);
	return true;
}
