/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/demangle.h"

#include <stdint.h>

#include "base/scan.h"

struct rust_name_reader {
	const char *at, *end;
	const char *begin; /* origin of back references */
	bool is_corrupt;
	uint32_t depth;
	bool is_part[LIMIT_MANGLED_BYTES]; /* a path, type or constant begins at this offset */
};

static void read_path(struct rust_name_reader *reader);
static void read_type(struct rust_name_reader *reader);

static char peek(const struct rust_name_reader *reader)
{
	return reader->at < reader->end ? *reader->at : '\0';
}

static char next_char(struct rust_name_reader *reader)
{
	if (reader->at < reader->end)
		return *reader->at++;
	reader->is_corrupt = true;
	return '\0';
}

static bool skip(struct rust_name_reader *reader, char wanted)
{
	bool is_there = peek(reader) == wanted;

	reader->at += is_there;
	return is_there;
}

/* Whether a list, which ends with E, has a further element. */
static bool has_next(struct rust_name_reader *reader)
{
	return !reader->is_corrupt && !skip(reader, 'E');
}

/* Base 62 digits, ended by an underscore: "_" is 0, digits n are n + 1. Saturates. */
static uint32_t read_number(struct rust_name_reader *reader)
{
	uint32_t value = 0;
	char c;

	if (skip(reader, '_'))
		return 0;
	while ((c = next_char(reader)) != '_') {
		uint32_t digit = is_digit(c)   ? (uint32_t)(c - '0')
				 : is_lower(c) ? (uint32_t)(c - 'a') + 10
					       : (uint32_t)(c - 'A') + 36;

		if (!is_digit(c) && !is_lower(c) && !is_upper(c)) {
			reader->is_corrupt = true;
			return 0;
		}
		if (__builtin_mul_overflow(value, 62u, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			value = UINT32_MAX / 2;
	}
	return value + 1;
}

static void read_optional_number(struct rust_name_reader *reader, char tag)
{
	if (skip(reader, tag))
		read_number(reader);
}

static void read_identifier(struct rust_name_reader *reader)
{
	size_t length;

	skip(reader, 'u');
	if (!is_digit(peek(reader))) {
		reader->is_corrupt = true;
		return;
	}
	length = (size_t)(next_char(reader) - '0');
	while (length > 0 && length <= LIMIT_MANGLED_BYTES && is_digit(peek(reader)))
		length = length * 10 + (size_t)(next_char(reader) - '0');
	skip(reader, '_');
	if (length > (size_t)(reader->end - reader->at))
		reader->is_corrupt = true;
	else
		reader->at += length;
}

/* The target must be an earlier part, because an identifier could hide any other part. */
static void read_reference(struct rust_name_reader *reader)
{
	size_t here = (size_t)(reader->at - reader->begin);
	uint32_t target = read_number(reader);

	if (target + 1 >= here || !reader->is_part[target])
		reader->is_corrupt = true;
}

static void read_lifetimes(struct rust_name_reader *reader)
{
	if (skip(reader, 'G') && read_number(reader) >= LIMIT_RUST_LIFETIMES)
		reader->is_corrupt = true;
}

/*
 * Begins a path, type or constant. Returns false if this part is nested too deeply. Otherwise, the
 * caller must call end_part.
 */
static bool begin_part(struct rust_name_reader *reader)
{
	if (reader->is_corrupt || reader->at == reader->end || reader->depth == LIMIT_RUST_DEPTH) {
		reader->is_corrupt = true;
		return false;
	}
	reader->is_part[reader->at - reader->begin] = true;
	reader->depth++;
	return true;
}

static void end_part(struct rust_name_reader *reader)
{
	reader->depth--;
}

static void read_constant(struct rust_name_reader *reader)
{
	char kind;

	if (!begin_part(reader))
		return;
	kind = next_char(reader);
	if (kind == 'B') {
		read_reference(reader);
	} else if (strchr("htmyojaslxnibc", kind)) {
		while (!reader->is_corrupt && next_char(reader) != '_')
			;
	} else if (kind != 'p') {
		reader->is_corrupt = true;
	}
	end_part(reader);
}

static void read_arguments(struct rust_name_reader *reader)
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

static void read_path_of(struct rust_name_reader *reader, char kind)
{
	switch (kind) {
	case 'C':
		read_optional_number(reader, 's');
		read_identifier(reader);
		return;
	case 'N':
		next_char(reader);
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
		reader->is_corrupt = true;
	}
}

static void read_path(struct rust_name_reader *reader)
{
	if (!begin_part(reader))
		return;
	read_path_of(reader, next_char(reader));
	end_part(reader);
}

static void read_function(struct rust_name_reader *reader)
{
	read_lifetimes(reader);
	skip(reader, 'U');
	if (skip(reader, 'K') && !skip(reader, 'C'))
		read_identifier(reader);
	while (has_next(reader))
		read_type(reader);
	read_type(reader);
}

static void read_traits(struct rust_name_reader *reader)
{
	read_lifetimes(reader);
	while (has_next(reader)) {
		read_path(reader);
		while (!reader->is_corrupt && skip(reader, 'p')) {
			read_identifier(reader);
			read_type(reader);
		}
	}
	if (!skip(reader, 'L'))
		reader->is_corrupt = true;
	read_number(reader);
}

static void read_type_of(struct rust_name_reader *reader, char kind)
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

static void read_type(struct rust_name_reader *reader)
{
	char kind;

	if (!begin_part(reader))
		return;
	kind = next_char(reader);
	if (!is_lower(kind))
		read_type_of(reader, kind);
	end_part(reader);
}

bool rust_name_is_bounded(struct text mangled)
{
	const char *dot = memchr(mangled.at, '.', mangled.length);
	struct rust_name_reader reader = {
		.at = mangled.at + 2,
		.begin = mangled.at + 2,
		.end = dot ? dot : mangled.at + mangled.length,
	};

	if (mangled.length > LIMIT_MANGLED_BYTES || !text_has_prefix(mangled, "_R"))
		return false;
	read_path(&reader);
	/* The instantiating crate. */
	if (reader.at < reader.end)
		read_path(&reader);
	return !reader.is_corrupt && reader.at == reader.end;
}
