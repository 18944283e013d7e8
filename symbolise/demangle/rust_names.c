/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/demangle.h"

#include <stdint.h>

#include "base/scan.h"

struct reader {
	const char *at, *end;
	const char *begin; /* what references back count from */
	bool is_damaged;
	uint32_t depth;
	bool is_part[LIMIT_MANGLED_BYTES]; /* a path, type or constant begins there */
};

static void read_path(struct reader *reader);
static void read_type(struct reader *reader);

static char peek(const struct reader *reader)
{
	return reader->at < reader->end ? *reader->at : '\0';
}

static char take(struct reader *reader)
{
	if (reader->at < reader->end)
		return *reader->at++;
	reader->is_damaged = true;
	return '\0';
}

static bool skip(struct reader *reader, char wanted)
{
	bool is_there = peek(reader) == wanted;

	reader->at += is_there;
	return is_there;
}

/* Whether another element of a list that ends with E comes. */
static bool has_next(struct reader *reader)
{
	return !reader->is_damaged && !skip(reader, 'E');
}

/* Digits to base 62 up to an underscore: none is 0, those of n are n + 1. Large ones saturate. */
static uint32_t read_number(struct reader *reader)
{
	uint32_t value = 0;
	char c;

	if (skip(reader, '_'))
		return 0;
	while ((c = take(reader)) != '_') {
		uint32_t digit = is_digit(c)   ? (uint32_t)(c - '0')
				 : is_lower(c) ? (uint32_t)(c - 'a') + 10
					       : (uint32_t)(c - 'A') + 36;

		if (!is_digit(c) && !is_lower(c) && !is_upper(c)) {
			reader->is_damaged = true;
			return 0;
		}
		if (__builtin_mul_overflow(value, 62u, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			value = UINT32_MAX / 2;
	}
	return value + 1;
}

static void read_optional_number(struct reader *reader, char tag)
{
	if (skip(reader, tag))
		read_number(reader);
}

static void read_identifier(struct reader *reader)
{
	size_t length;

	skip(reader, 'u');
	if (!is_digit(peek(reader))) {
		reader->is_damaged = true;
		return;
	}
	length = (size_t)(take(reader) - '0');
	while (length > 0 && length <= LIMIT_MANGLED_BYTES && is_digit(peek(reader)))
		length = length * 10 + (size_t)(take(reader) - '0');
	skip(reader, '_');
	if (length > (size_t)(reader->end - reader->at))
		reader->is_damaged = true;
	else
		reader->at += length;
}

/* What is meant has been there before; else a part could hide in an identifier. */
static void read_reference(struct reader *reader)
{
	size_t here = (size_t)(reader->at - reader->begin);
	uint32_t target = read_number(reader);

	if (target + 1 >= here || !reader->is_part[target])
		reader->is_damaged = true;
}

static void read_lifetimes(struct reader *reader)
{
	if (skip(reader, 'G') && read_number(reader) >= LIMIT_RUST_LIFETIMES)
		reader->is_damaged = true;
}

/* Remembers that a part begins here; false: it is too deep inside others. Else leave it with end_part. */
static bool begin_part(struct reader *reader)
{
	if (reader->is_damaged || reader->at == reader->end || reader->depth == LIMIT_RUST_DEPTH) {
		reader->is_damaged = true;
		return false;
	}
	reader->is_part[reader->at - reader->begin] = true;
	reader->depth++;
	return true;
}

static void end_part(struct reader *reader)
{
	reader->depth--;
}

static void read_constant(struct reader *reader)
{
	char kind;

	if (!begin_part(reader))
		return;
	kind = take(reader);
	if (kind == 'B') {
		read_reference(reader);
	} else if (strchr("htmyojaslxnibc", kind)) {
		while (!reader->is_damaged && take(reader) != '_')
			;
	} else if (kind != 'p') {
		reader->is_damaged = true;
	}
	end_part(reader);
}

static void read_arguments(struct reader *reader)
{
	while (has_next(reader)) {
		if (skip(reader, 'L'))
			read_number(reader);
		else if (skip(reader, 'K'))
			read_constant(reader);
		else
			read_type(reader);
	}
}

static void read_path_of(struct reader *reader, char kind)
{
	switch (kind) {
	case 'C':
		read_optional_number(reader, 's');
		read_identifier(reader);
		return;
	case 'N':
		take(reader);
		read_path(reader);
		read_optional_number(reader, 's');
		read_identifier(reader);
		return;
	case 'M':
	case 'X':
		read_optional_number(reader, 's');
		read_path(reader);
		read_type(reader);
		if (kind == 'X')
			read_path(reader);
		return;
	case 'Y':
		read_type(reader);
		read_path(reader);
		return;
	case 'I':
		read_path(reader);
		read_arguments(reader);
		return;
	case 'B':
		read_reference(reader);
		return;
	default:
		reader->is_damaged = true;
	}
}

static void read_path(struct reader *reader)
{
	if (!begin_part(reader))
		return;
	read_path_of(reader, take(reader));
	end_part(reader);
}

static void read_function(struct reader *reader)
{
	read_lifetimes(reader);
	skip(reader, 'U');
	if (skip(reader, 'K') && !skip(reader, 'C'))
		read_identifier(reader);
	while (has_next(reader))
		read_type(reader);
	read_type(reader);
}

static void read_traits(struct reader *reader)
{
	read_lifetimes(reader);
	while (has_next(reader)) {
		read_path(reader);
		while (!reader->is_damaged && skip(reader, 'p')) {
			read_identifier(reader);
			read_type(reader);
		}
	}
	if (!skip(reader, 'L'))
		reader->is_damaged = true;
	read_number(reader);
}

static void read_type_of(struct reader *reader, char kind)
{
	switch (kind) {
	case 'R':
	case 'Q':
		read_optional_number(reader, 'L');
		read_type(reader);
		return;
	case 'A':
		read_type(reader);
		read_constant(reader);
		return;
	case 'P':
	case 'O':
	case 'S':
		read_type(reader);
		return;
	case 'T':
		while (has_next(reader))
			read_type(reader);
		return;
	case 'F':
		read_function(reader);
		return;
	case 'D':
		read_traits(reader);
		return;
	default:
		read_path_of(reader, kind);
	}
}

static void read_type(struct reader *reader)
{
	char kind;

	if (!begin_part(reader))
		return;
	kind = take(reader);
	if (!is_lower(kind))
		read_type_of(reader, kind);
	end_part(reader);
}

bool rust_name_is_bounded(struct text mangled)
{
	const char *dot = memchr(mangled.at, '.', mangled.length);
	struct reader reader = {
		.at = mangled.at + 2,
		.begin = mangled.at + 2,
		.end = dot ? dot : mangled.at + mangled.length,
	};

	if (mangled.length > LIMIT_MANGLED_BYTES || !text_has_prefix(mangled, "_R"))
		return false;
	read_path(&reader);
	/* The crate that made an instance. */
	if (reader.at < reader.end)
		read_path(&reader);
	return !reader.is_damaged && reader.at == reader.end;
}
