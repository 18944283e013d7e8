/* SPDX-License-Identifier: MIT */
#include "render/escape.h"

#include "base/utf8.h"

void escape_shell(struct sink *sink, struct text text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./,:=+@%";
	bool is_plain = text.length != 0;

	for (uint32_t i = 0; i < text.length; i++)
		is_plain = is_plain && text.at[i] && strchr(plain, text.at[i]);
	if (is_plain) {
		sink_text(sink, text);
		return;
	}
	sink_char(sink, '\'');
	for (uint32_t i = 0; i < text.length; i++) {
		if (text.at[i] == '\'')
			sink_puts(sink, "'\\''");
		else
			sink_char(sink, text.at[i]);
	}
	sink_char(sink, '\'');
}

struct text escape_first_characters(struct text text, size_t characters)
{
	uint32_t at = 0;

	while (at < text.length && characters--) {
		size_t length = utf8_length((struct text){ text.at + at, text.length - at });

		at += length ? (uint32_t)length : 1;
	}
	return (struct text){ text.at, at };
}

/*
 * Invisible characters that change the writing direction, and so could reorder the numbers after a
 * name (Unicode Standard Annex 9, section 2): U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to
 * U+2069.
 */
static bool is_turning(const char *at, size_t length)
{
	unsigned char last = (unsigned char)at[length - 1];

	if (length == 2)
		return memcmp(at, "\xd8\x9c", 2) == 0;
	if (length != 3)
		return false;
	if (memcmp(at, "\xe2\x80", 2) == 0)
		return (last >= 0x8e && last <= 0x8f) || (last >= 0xaa && last <= 0xae);
	return memcmp(at, "\xe2\x81", 2) == 0 && last >= 0xa6 && last <= 0xa9;
}

/* Characters that XML documents must not contain, even escaped, although UTF-8 can encode them. */
static bool is_forbidden_in_xml(const char *at, size_t length)
{
	return (length == 1 && (unsigned char)*at < 0x20 && *at != '\t' && *at != '\n' &&
		*at != '\r') ||
	       (length == 3 &&
		(memcmp(at, "\xef\xbf\xbe", 3) == 0 || memcmp(at, "\xef\xbf\xbf", 3) == 0));
}

static const char *xml_entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\t':
		return "&#9;";
	case '\n':
		return "&#10;";
	case '\r':
		return "&#13;";
	default:
		return NULL;
	}
}

/*
 * Writes the bytes from `at` on, up to the first byte that needs escaping. For most names, these
 * are all bytes.
 */
static size_t put_plain(struct sink *sink, struct text text, size_t at)
{
	size_t end = at;

	while (end < text.length) {
		unsigned char c = (unsigned char)text.at[end];

		if (c < 0x20 || c > 0x7e || c == '&' || c == '<' || c == '>' || c == '"' ||
		    c == '\'' || c == '\\')
			break;
		end++;
	}
	if (end > at)
		sink_bytes(sink, text.at + at, end - at);
	return end - at;
}

static struct text rest(struct text text, size_t at)
{
	return (struct text){ text.at + at, text.length - (uint32_t)at };
}

void escape_xml(struct sink *sink, struct text text)
{
	size_t at = 0;

	while ((at += put_plain(sink, text, at)) < text.length) {
		size_t length = utf8_length(rest(text, at));
		const char *entity = length == 1 ? xml_entity(text.at[at]) : NULL;

		if (entity)
			sink_puts(sink, entity);
		else if (!length || is_forbidden_in_xml(text.at + at, length) ||
			 is_turning(text.at + at, length))
			utf8_write(sink, UTF8_REPLACEMENT);
		else
			sink_bytes(sink, text.at + at, length);
		at += length ? length : 1;
	}
}

void escape_xml_comment(struct sink *sink, struct text text)
{
	const char *hyphens;

	while ((hyphens = text.length ? memmem(text.at, text.length, "--", 2) : NULL) != NULL) {
		uint32_t length = (uint32_t)(hyphens + 1 - text.at);

		escape_xml(sink, (struct text){ text.at, length });
		sink_char(sink, ' ');
		text = (struct text){ text.at + length, text.length - length };
	}
	escape_xml(sink, text);
}

static void json_ascii(struct sink *sink, char c)
{
	if (c == '"' || c == '\\')
		sink_printf(sink, "\\%c", c);
	else if ((unsigned char)c < 0x20 || c == 0x7f)
		sink_printf(sink, "\\u%04x", (unsigned char)c);
	else
		sink_char(sink, c);
}

/* Writes a character of two or three bytes as \uXXXX. */
static void json_code(struct sink *sink, const unsigned char *at, size_t length)
{
	unsigned code = length == 2 ? at[0] & 0x1fu : (at[0] & 0x0fu) << 6 | (at[1] & 0x3fu);

	sink_printf(sink, "\\u%04x", code << 6 | (at[length - 1] & 0x3fu));
}

void escape_json(struct sink *sink, struct text text)
{
	size_t at = 0;

	while ((at += put_plain(sink, text, at)) < text.length) {
		size_t length = utf8_length(rest(text, at));

		if (length == 0)
			utf8_write(sink, UTF8_REPLACEMENT);
		else if (length == 1)
			json_ascii(sink, text.at[at]);
		else if (is_turning(text.at + at, length))
			json_code(sink, (const unsigned char *)text.at + at, length);
		else
			sink_bytes(sink, text.at + at, length);
		at += length ? length : 1;
	}
}

static const char *tsv_escape(char c)
{
	switch (c) {
	case '\\':
		return "\\\\";
	case '\t':
		return "\\t";
	case '\n':
		return "\\n";
	case '\r':
		return "\\r";
	default:
		return NULL;
	}
}

void escape_tsv(struct sink *sink, struct text text)
{
	size_t at = 0;

	while ((at += put_plain(sink, text, at)) < text.length) {
		size_t length = utf8_length(rest(text, at));
		const char *escape = tsv_escape(text.at[at]);

		if (escape)
			sink_puts(sink, escape);
		else if (length == 0 || !text.at[at])
			utf8_write(sink, UTF8_REPLACEMENT);
		else
			sink_bytes(sink, text.at + at, length);
		at += length ? length : 1;
	}
}

/* Whether a control character begins here. Terminals treat U+0080 to U+009F like ESC sequences. */
static bool is_control(const char *at, size_t length)
{
	unsigned char first = (unsigned char)at[0];

	return (length == 1 && (first < 0x20 || first == 0x7f)) ||
	       (length == 2 && first == 0xc2 && (unsigned char)at[1] < 0xa0);
}

/* A character has up to 4 bytes. Fewer bytes than this may be an incomplete character. */
#define CHARACTER_BYTES_MAX 4

/* Returns the number of bytes used: all, except for an incomplete character at the end. */
static size_t escape_controls(struct sink *sink, struct text text, bool keeps_lines, bool is_end)
{
	size_t at = 0;

	while ((at += put_plain(sink, text, at)) < text.length) {
		size_t length = utf8_length(rest(text, at));
		size_t step = length ? length : 1;
		bool is_kept = keeps_lines && (text.at[at] == '\n' || text.at[at] == '\t');

		if (!length && !is_end && text.length - at < CHARACTER_BYTES_MAX)
			break;
		if (!is_kept && (!length || is_control(text.at + at, length) ||
				 is_turning(text.at + at, length)))
			for (size_t i = 0; i < step; i++)
				sink_printf(sink, "\\x%02x", (unsigned char)text.at[at + i]);
		else
			sink_bytes(sink, text.at + at, step);
		at += step;
	}
	return at;
}

void escape_terminal(struct sink *sink, struct text text)
{
	escape_controls(sink, text, false, true);
}

size_t escape_terminal_output(struct sink *to, struct text bytes, bool is_end)
{
	return escape_controls(to, bytes, true, is_end);
}

/* In a markdown table, a bar after a backslash cannot be escaped. */
void escape_markdown_code(struct sink *sink, struct text name)
{
	struct sink plain;
	struct text text;

	sink_init_memory(&plain);
	escape_terminal(&plain, name);
	text = sink_memory(&plain);
	sink_char(sink, '`');
	for (uint32_t i = 0; i < text.length; i++) {
		if (text.at[i] == '|')
			sink_puts(sink, i && text.at[i - 1] == '\\' ? "\\x7c" : "\\|");
		else
			sink_char(sink, text.at[i] == '`' ? '\'' : text.at[i]);
	}
	sink_char(sink, '`');
	sink_deinit(&plain);
}

bool escape_cut_home(struct text *path)
{
	static const char *const homes[] = { "/home/", "/Users/", "/var/home/", "/export/home/" };
	struct text rest = *path;

	if (text_is(*path, "/root") || text_has_prefix(*path, "/root/")) {
		*path = (struct text){ path->at + 5, path->length - 5 };
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(homes); i++) {
		uint32_t length = (uint32_t)strlen(homes[i]);
		const char *slash;

		if (!text_has_prefix(*path, homes[i]))
			continue;
		rest = (struct text){ path->at + length, path->length - length };
		slash = memchr(rest.at, '/', rest.length);
		length += slash ? (uint32_t)(slash - rest.at) : rest.length;
		*path = (struct text){ path->at + length, path->length - length };
		return true;
	}
	return false;
}

void escape_home_path(struct sink *sink, struct text path)
{
	if (escape_cut_home(&path))
		sink_char(sink, '~');
	sink_text(sink, path);
}

void escape_command_word(struct sink *sink, struct text word)
{
	const char *equals = memchr(word.at, '=', word.length);
	uint32_t option = 0; /* the length of the text before the value */
	struct text value;
	struct text inside;

	if (word.length > 1 && word.at[0] == '-' && word.at[1] != '-')
		option = 2;
	else if (word.length && word.at[0] == '-' && equals)
		option = (uint32_t)(equals + 1 - word.at);
	value = (struct text){ word.at + option, word.length - option };
	while (value.length > 1 && value.at[value.length - 1] == '/')
		value.length--;
	sink_bytes(sink, word.at, option);
	/* The last component of a home directory is a user name. */
	inside = value;
	if (escape_cut_home(&inside) && !inside.length)
		sink_char(sink, '~');
	else
		sink_text(sink,
			  value.length > 1 && value.at[0] == '/' ? text_basename(value) : value);
}

void escape_command(struct sink *sink, struct text command)
{
	const char *end = command.at + command.length;
	const char *next = command.at;

	while (next < end) {
		const char *word = next;

		while (next < end && !strchr(" '\"=:,;@()<>|&", *next))
			next++;
		escape_command_word(sink, (struct text){ word, (uint32_t)(next - word) });
		if (next < end)
			sink_char(sink, *next++);
	}
}
