/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/print_format.h"

#include <arpa/inet.h>
#include <inttypes.h>

#include "base/scan.h"
#include "libparse/tracepoint/print_value.h"

/*
 * Maximum number of columns to which a printed value is padded. Formats in Linux use at most 64
 * columns.
 */
#define LIMIT_PRINT_WIDTH 1024

#define FLAG_CHARACTERS "-+ #0"

/* Values of AF_INET and AF_INET6 on Linux. */
#define SOCKET_FAMILY_IPV4 2
#define SOCKET_FAMILY_IPV6 10

/* Literal text, and the conversion after it. */
struct print_piece {
	struct text text;
	char conversion; /* '\0' if the piece has only literal text */
	char flags[sizeof(FLAG_CHARACTERS)];
	int width, precision; /* -1 if none */
	/* the arguments for *; if NULL, width and precision are used */
	const struct print_node *width_node, *precision_node;
	uint32_t size_bytes; /* for numbers */
	struct text pointer; /* for %p: the letters after it */
	const struct print_node *value;
	struct print_piece *next;
};

struct piece_reader {
	const char *at, *end; /* the format text still to be read */
	struct print_parser arguments;
	struct print_piece *piece;
};

static bool next_argument(struct piece_reader *reader, const struct print_node **ret)
{
	*ret = print_tree_skip(&reader->arguments, ',') ? print_tree_read(&reader->arguments)
							: NULL;
	return *ret != NULL;
}

static bool at_digit(const struct piece_reader *reader)
{
	return reader->at < reader->end && is_digit(*reader->at);
}

/* Reads a width or precision: a number, or a * for an argument. */
static bool read_measure(struct piece_reader *reader, int *ret, const struct print_node **node_ret)
{
	if (reader->at < reader->end && *reader->at == '*') {
		reader->at++;
		return next_argument(reader, node_ret);
	}
	for (; at_digit(reader); reader->at++) {
		*ret = (*ret < 0 ? 0 : *ret) * 10 + (*reader->at - '0');
		if (*ret > LIMIT_PRINT_WIDTH)
			return false;
	}
	return true;
}

static void read_flags(struct piece_reader *reader)
{
	size_t count = 0;

	while (reader->at < reader->end && strchr(FLAG_CHARACTERS, *reader->at) && *reader->at) {
		if (count < sizeof(reader->piece->flags) - 1)
			reader->piece->flags[count++] = *reader->at;
		reader->at++;
	}
}

/* Reads a length modifier (hh h l ll L z j t), and returns the size of the number in bytes. */
static uint32_t read_length(struct piece_reader *reader)
{
	uint32_t size_bytes = 4;

	for (; reader->at < reader->end; reader->at++) {
		switch (*reader->at) {
		case 'h':
			size_bytes /= 2;
			break;
		case 'l':
		case 'L':
		case 'z':
		case 'Z':
		case 'j':
		case 't':
		case 'q':
			size_bytes = 8;
			break;
		default:
			return size_bytes ? size_bytes : 1;
		}
	}
	return size_bytes ? size_bytes : 1;
}

static bool starts_with(const struct piece_reader *reader, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(reader->end - reader->at) >= length &&
	       memcmp(reader->at, text, length) == 0;
}

/* Suffixes of %p. If a suffix is a prefix of another suffix, the longer one comes first. */
static void read_pointer(struct piece_reader *reader)
{
	static const char *const kinds[] = { "I4", "I6c", "ISpc", "I6", "i4", "i6", "M",
					     "m",  "UB",  "UL",   "Ub", "Ul", "U",  "Sb",
					     "SR", "S",   "sb",   "s",  "Fb", "FR", "F",
					     "f",  "Bb",  "B",    "bl", "b",  "x",  "K" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!starts_with(reader, kinds[i]))
			continue;
		reader->piece->pointer = text_of(kinds[i]);
		reader->at += reader->piece->pointer.length;
		return;
	}
}

static bool is_code_pointer(const struct print_piece *piece)
{
	return piece->conversion == 'p' && piece->pointer.length &&
	       strchr("SsFfB", piece->pointer.at[0]);
}

/* Returns the field if the expression consists only of a field, possibly with casts. */
static const struct field *plain_field(const struct print_node *node)
{
	while (node->kind == PRINT_CAST)
		node = node->a;
	return node->kind == PRINT_FIELD ? node->field : NULL;
}

/* Reads a conversion, starting after its percent sign. */
static bool read_conversion(struct piece_reader *reader)
{
	struct print_piece *piece = reader->piece;

	piece->width = piece->precision = -1;
	read_flags(reader);
	if (!read_measure(reader, &piece->width, &piece->width_node))
		return false;
	if (reader->at < reader->end && *reader->at == '.') {
		reader->at++;
		piece->precision = 0;
		if (!read_measure(reader, &piece->precision, &piece->precision_node))
			return false;
	}
	piece->size_bytes = read_length(reader);
	if (reader->at == reader->end)
		return false;
	piece->conversion = *reader->at++;
	if (!strchr("diuxXocsp", piece->conversion))
		return false;
	if (piece->conversion == 'p')
		read_pointer(reader);
	return next_argument(reader, &piece->value);
}

/*
 * Reads literal text up to the next conversion. "%%" also ends a piece: the second percent sign
 * begins the next piece.
 */
static bool read_piece(struct piece_reader *reader)
{
	const char *begin = reader->at;
	const char *percent = memchr(begin, '%', (size_t)(reader->end - begin));

	if (!percent) {
		reader->piece->text = (struct text){ begin, (uint32_t)(reader->end - begin) };
		reader->at = reader->end;
		return true;
	}
	reader->piece->text = (struct text){ begin, (uint32_t)(percent - begin) };
	reader->at = percent + 1;
	if (reader->at == reader->end)
		return false;
	if (*reader->at != '%')
		return read_conversion(reader);
	reader->piece->text.length++;
	reader->at++;
	return true;
}

static void mark_code(const struct trace_format *format, const struct print_piece *piece)
{
	for (; piece; piece = piece->next) {
		const struct field *field =
			is_code_pointer(piece) ? plain_field(piece->value) : NULL;

		if (field)
			format->fields[field - format->fields].is_code = true;
	}
}

void print_format_read(const struct trace_format *format, struct arena *arena,
		       struct print_format *ret)
{
	struct print_piece first = { .next = NULL };
	struct piece_reader reader = { .piece = &first };
	struct text text;

	*ret = (struct print_format){ 0 };
	if (!format->print.length || format->print.length > LIMIT_PRINT_BYTES)
		return;
	reader.arguments = (struct print_parser){
		.at = format->print.at,
		.end = format->print.at + format->print.length,
		.format = format,
		.arena = arena,
	};
	if (!print_tree_read_string(&reader.arguments, &text))
		return;
	reader.at = text.at;
	reader.end = text.at + text.length;
	do {
		struct print_piece *next =
			arena_alloc(arena, sizeof(*next), _Alignof(struct print_piece));

		*next = (struct print_piece){ 0 };
		reader.piece->next = next;
		reader.piece = next;
		if (!read_piece(&reader))
			return;
	} while (reader.at < reader.end);
	ret->first = first.next;
	mark_code(format, ret->first);
}

/* The width and precision of a piece, evaluated for one sample. */
struct measures {
	int width, precision;
};

static int measure(int number, const struct print_node *node, struct span raw)
{
	uint64_t value;

	if (!node)
		return number;
	if (!print_value_number(node, raw, &value) || (int64_t)value < 0 ||
	    value > LIMIT_PRINT_WIDTH)
		return -1;
	return (int)value;
}

static void write_number(const struct print_piece *piece, struct measures measures, uint64_t value,
			 struct sink *sink)
{
	bool is_signed = piece->conversion == 'd' || piece->conversion == 'i';
	char conversion[32];

	if (piece->size_bytes == 4)
		value = is_signed ? (uint64_t)(int32_t)value : (uint32_t)value;
	else if (piece->size_bytes == 2)
		value = is_signed ? (uint64_t)(int16_t)value : (uint16_t)value;
	else if (piece->size_bytes == 1)
		value = is_signed ? (uint64_t)(int8_t)value : (uint8_t)value;
	/*
	 * The format string is safe: conversion and flags come from fixed sets, not from the
	 * capture.
	 */
	snprintf(conversion, sizeof(conversion), "%%%s%s%sll%c", piece->flags,
		 measures.width < 0 ? "" : "*", measures.precision < 0 ? "" : ".*",
		 piece->conversion);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (measures.width < 0 && measures.precision < 0)
		sink_printf(sink, conversion, (unsigned long long)value);
	else if (measures.width < 0)
		sink_printf(sink, conversion, measures.precision, (unsigned long long)value);
	else if (measures.precision < 0)
		sink_printf(sink, conversion, measures.width, (unsigned long long)value);
	else
		sink_printf(sink, conversion, measures.width, measures.precision,
			    (unsigned long long)value);
#pragma GCC diagnostic pop
}

static void write_padded(const struct print_piece *piece, struct measures measures,
			 struct text text, struct sink *sink)
{
	size_t length = text.length;
	bool is_left = strchr(piece->flags, '-') != NULL;

	if (measures.precision >= 0 && (size_t)measures.precision < length)
		length = (size_t)measures.precision;
	for (size_t i = length; !is_left && (int)i < measures.width; i++)
		sink_char(sink, ' ');
	sink_bytes(sink, text.at, length);
	for (size_t i = length; is_left && (int)i < measures.width; i++)
		sink_char(sink, ' ');
}

static void write_uuid(struct span bytes, struct sink *sink)
{
	for (size_t i = 0; i < 16; i++)
		sink_printf(sink, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			    bytes.at[i]);
}

/* Writes an IPv6 address. The compressed form omits the longest run of zeros. */
static void write_ipv6(struct span bytes, bool is_compressed, struct sink *sink)
{
	char text[INET6_ADDRSTRLEN];

	if (is_compressed && inet_ntop(AF_INET6, bytes.at, text, sizeof(text))) {
		sink_puts(sink, text);
		return;
	}
	for (size_t i = 0; i < 16; i += 2)
		sink_printf(sink, "%s%02x%02x", i ? ":" : "", bytes.at[i], bytes.at[i + 1]);
}

/* Writes a struct sockaddr: family, port, address. */
static void write_socket(struct span bytes, struct sink *sink)
{
	uint16_t family = 0;
	const unsigned char *at = bytes.at;
	uint32_t port;

	if (!span_u16(&bytes, &family) || span_left(&bytes) < 2)
		return;
	port = (uint32_t)at[2] << 8 | at[3];
	if (family == SOCKET_FAMILY_IPV4 && span_left(&bytes) >= 6) {
		sink_printf(sink, "%u.%u.%u.%u:%u", at[4], at[5], at[6], at[7], port);
	} else if (family == SOCKET_FAMILY_IPV6 && span_left(&bytes) >= 22) {
		struct span address = span_of(at + 8, 16, 0, false);

		sink_char(sink, '[');
		write_ipv6(address, true, sink);
		sink_printf(sink, "]:%u", port);
	}
}

/* The size of the network address or number that a suffix of %p selects. */
static size_t pointed_bytes(struct text kind)
{
	switch (kind.length ? kind.at[0] : '\0') {
	case 'I':
	case 'i':
		return kind.at[1] == '4' ? 4 : kind.at[1] == '6' ? 16 : 1;
	case 'M':
	case 'm':
		return 6;
	case 'U':
		return 16;
	case 'b':
		return 1;
	default:
		return 0;
	}
}

/*
 * Prints data that is stored in the field itself, although the kernel's format expects a pointer to
 * it.
 */
static bool write_pointed(const struct print_piece *piece, struct span raw, struct sink *sink)
{
	struct text kind = piece->pointer;
	size_t size_bytes = pointed_bytes(kind);
	struct span bytes;

	if (!size_bytes || !print_value_bytes(piece->value, raw, &bytes) ||
	    span_left(&bytes) < size_bytes)
		return false;
	if (kind.at[0] == 'b')
		print_value_write_bits(bytes, sink);
	else if (size_bytes == 1)
		write_socket(bytes, sink);
	else if (size_bytes == 4)
		sink_printf(sink, "%u.%u.%u.%u", bytes.at[0], bytes.at[1], bytes.at[2],
			    bytes.at[3]);
	else if (size_bytes == 6)
		sink_printf(sink, "%02x:%02x:%02x:%02x:%02x:%02x", bytes.at[0], bytes.at[1],
			    bytes.at[2], bytes.at[3], bytes.at[4], bytes.at[5]);
	else if (kind.at[0] == 'U')
		write_uuid(bytes, sink);
	else
		write_ipv6(bytes, kind.length == 3, sink);
	return true;
}

static void write_pointer(const struct print_piece *piece, struct span raw,
			  const struct function_names *functions, struct sink *sink)
{
	uint64_t address;

	if (write_pointed(piece, raw, sink))
		return;
	if (!print_value_number(piece->value, raw, &address)) {
		print_value_write(piece->value, raw, sink);
		return;
	}
	if (is_code_pointer(piece) && functions)
		functions->write(functions->context, address,
				 piece->pointer.at[0] == 'S' || piece->pointer.at[0] == 'F' ||
					 piece->pointer.at[0] == 'B',
				 sink);
	else if (address)
		sink_printf(sink, "0x%" PRIx64, address);
	else
		sink_puts(sink, "(nil)");
}

static void write_piece(const struct print_piece *piece, struct span raw,
			const struct function_names *functions, struct sink *sink)
{
	struct measures measures = {
		measure(piece->width, piece->width_node, raw),
		measure(piece->precision, piece->precision_node, raw),
	};
	struct sink text;
	uint64_t value;

	/* For bitmaps, the width states the number of bits, so the text is not padded. */
	if (piece->pointer.length && piece->pointer.at[0] == 'b')
		measures.width = -1;
	print_value_write_text(piece->text, sink);
	switch (piece->conversion) {
	case '\0':
		return;
	case 's':
	case 'p':
		sink_init_memory(&text);
		if (piece->conversion == 'p')
			write_pointer(piece, raw, functions, &text);
		else
			print_value_write(piece->value, raw, &text);
		write_padded(piece, measures, sink_memory(&text), sink);
		sink_deinit(&text);
		return;
	case 'c':
		measures.precision = -1;
		if (print_value_number(piece->value, raw, &value))
			write_padded(piece, measures, (struct text){ &(char){ (char)value }, 1 },
				     sink);
		return;
	default:
		if (print_value_number(piece->value, raw, &value))
			write_number(piece, measures, value, sink);
	}
}

/*
 * Writes each field as name=value. Skips the fields that all tracepoints have, because print
 * formats also omit these.
 */
static void write_fields(const struct trace_format *format, struct span raw, struct sink *sink)
{
	const char *separator = "";

	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct field *field = &format->fields[i];

		if (text_has_prefix(field->name, "common_"))
			continue;
		sink_puts(sink, separator);
		sink_text(sink, field->name);
		sink_char(sink, '=');
		field_write(field, raw, sink);
		separator = " ";
	}
}

void print_format_write(const struct print_format *print, const struct trace_format *format,
			struct span raw, const struct function_names *functions, struct sink *sink)
{
	if (!print->first)
		write_fields(format, raw, sink);
	for (const struct print_piece *piece = print->first; piece; piece = piece->next)
		write_piece(piece, raw, functions, sink);
}
