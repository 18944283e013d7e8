/* SPDX-License-Identifier: MIT */
#include "compat/perl_line.h"

#include "base/scan.h"

static const char unknown[] = "[unknown]";

static struct text part(struct text text, uint32_t begin, uint32_t end)
{
	return (struct text){ text.at + begin, end - begin };
}

static uint32_t skip(struct text text, uint32_t at, bool (*is_one)(char))
{
	while (at < text.length && is_one(text.at[at]))
		at++;
	return at;
}

/* Parses the numbers after a comm; `begin` is where the comm ends. */
static bool parse_numbers(struct text line, uint32_t begin, struct perl_event *event)
{
	uint32_t first = skip(line, begin, is_space);
	uint32_t first_end = skip(line, first, is_digit);
	uint32_t second = first_end;
	uint32_t second_end;

	if (first == begin || first_end == first)
		return false;
	while (second < line.length && line.at[second] == '/')
		second++;
	second_end = skip(line, second, is_digit);
	if (second_end == line.length || !is_space(line.at[second_end]))
		return false;
	event->first = part(line, first, first_end);
	event->second = part(line, second, second_end);
	return true;
}

/* Parses ": PERIOD EVENT:" at the end of a line. */
static void parse_ending(struct text line, struct perl_event *event)
{
	uint32_t end = line.length;
	uint32_t begin;
	uint32_t digits_end;
	uint32_t digits;

	while (end && is_space(line.at[end - 1]))
		end--;
	begin = end;
	while (begin && !is_space(line.at[begin - 1]))
		begin--;
	if (end - begin < 2 || line.at[end - 1] != ':')
		return;
	digits_end = begin;
	while (digits_end && is_space(line.at[digits_end - 1]))
		digits_end--;
	digits = digits_end;
	while (digits && is_digit(line.at[digits - 1]))
		digits--;
	event->period = part(line, digits, digits_end);
	while (digits && is_space(line.at[digits - 1]))
		digits--;
	if (digits_end < begin && digits && line.at[digits - 1] == ':')
		event->event = part(line, begin, end - 1);
}

bool perl_line_event(struct text line, struct perl_event *ret)
{
	*ret = (struct perl_event){ 0 };
	if (!line.length || is_space(line.at[0]))
		return false;
	for (uint32_t at = 2; at < line.length; at++) {
		if (!is_space(line.at[at]))
			continue;
		if (!parse_numbers(line, at, ret)) {
			/* Other positions in the same run of blanks cannot match either. */
			at = skip(line, at, is_space) - 1;
			continue;
		}
		ret->comm = part(line, 0, at);
		parse_ending(line, ret);
		return true;
	}
	return false;
}

bool perl_line_frame(struct text line, struct perl_frame *ret)
{
	uint32_t word = skip(line, 0, is_space);
	uint32_t word_end = skip(line, word, is_identifier);
	const char *closing = line.length ? memrchr(line.at, ')', line.length) : NULL;
	uint32_t symbol;
	uint32_t end;

	if (!closing || word_end == word)
		return false;
	end = (uint32_t)(closing - line.at);
	do {
		if (end-- < 2)
			return false;
	} while (line.at[end] != '(' || line.at[end - 1] != ' ');
	ret->module = part(line, end + 1, (uint32_t)(closing - line.at));
	end--;
	if (end < word_end)
		return false;
	symbol = skip(line, word_end, is_space);
	/*
	 * In the regular expression, (.+) must match at least one byte. Here, this byte is a blank
	 * before the bracket, or the last byte of the word.
	 */
	if (symbol >= end) {
		symbol = end - 1;
		if (word_end > symbol)
			word_end = symbol;
	}
	if (word_end <= word)
		return false;
	ret->word = part(line, word, word_end);
	ret->symbol = part(line, symbol, end);
	return true;
}

bool perl_line_is_plain_frame(struct text line)
{
	uint32_t word = skip(line, 0, is_space);
	const char *opening;

	if (word == line.length || !is_identifier(line.at[word]) || line.at[line.length - 1] != ')')
		return false;
	opening = memrchr(line.at, '(', line.length);
	/* There must be enough bytes in between for a word and a symbol of one byte each. */
	return opening && opening > line.at + word + 2 && opening[-1] == ' ';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

static struct text drop_offset(struct text symbol)
{
	uint32_t end = symbol.length;

	while (end && is_hex(symbol.at[end - 1]))
		end--;
	if (end < symbol.length && end >= 3 && memcmp(symbol.at + end - 3, "+0x", 3) == 0)
		symbol.length = end - 3;
	return symbol;
}

/* Reads the next piece of "a->b->c". As with Perl's split, trailing empty pieces are dropped. */
static bool next_piece(struct text *rest, struct text *ret)
{
	const char *arrow;

	while (rest->length >= 2 && memcmp(rest->at + rest->length - 2, "->", 2) == 0)
		rest->length -= 2;
	if (!rest->length)
		return false;
	arrow = memmem(rest->at, rest->length, "->", 2);
	*ret = *rest;
	if (arrow) {
		ret->length = (uint32_t)(arrow - rest->at);
		*rest = part(*rest, ret->length + 2, rest->length);
	} else {
		rest->length = 0;
	}
	return true;
}

/*
 * Returns the length of a name without its arguments. Names with a Go receiver, ".(...).", are kept
 * whole.
 */
static uint32_t name_length(struct text name)
{
	static const char anonymous[] = "(anonymous namespace)";
	const char *go = name.length ? memmem(name.at, name.length, ".(", 2) : NULL;

	if (go && text_contains(part(name, (uint32_t)(go - name.at) + 2, name.length), ")."))
		return name.length;
	for (uint32_t i = 0; i < name.length; i++)
		if (name.at[i] == '(' && !text_has_prefix(part(name, i, name.length), anonymous))
			return i;
	return name.length;
}

static void write_tidied(struct text name, bool is_java, struct sink *sink)
{
	size_t begin = sink->used;
	uint32_t length = name_length(name);

	for (uint32_t i = 0; i < length; i++)
		if (name.at[i] != '"' && name.at[i] != '\'')
			sink_char(sink, name.at[i] == ';' ? ':' : name.at[i]);
	if (is_java)
		collapse_drop_class_mark(sink, begin);
}

static bool is_perf_map(struct text module)
{
	const char *end = module.at + module.length;
	const char *at = module.at;

	while ((at = memmem(at, (size_t)(end - at), "/tmp/perf-", 10)) != NULL) {
		const char *digits = at += 10;

		while (at < end && is_digit(*at))
			at++;
		if (at > digits && end - at >= 4 && memcmp(at, ".map", 4) == 0)
			return true;
	}
	return false;
}

static const char *mark_of(const struct perl_frame *frame, const struct collapse_naming *naming,
			   bool is_first, struct text name)
{
	struct text module = frame->module;

	if (!is_first)
		return text_contains(name, "_[i]") ? "" : "_[i]";
	if (naming->marks_kernel && !text_contains(module, "unknown") &&
	    (text_has_prefix(module, "[") || text_has_suffix(module, "vmlinux")))
		return "_[k]";
	if (naming->marks_jit && is_perf_map(module))
		return text_contains(name, "_[j]") ? "" : "_[j]";
	return "";
}

uint32_t perl_line_source_count(const struct perl_frame *frame)
{
	struct text rest = drop_offset(frame->symbol);
	uint32_t count = 0;
	struct text piece;

	if (text_has_prefix(rest, "("))
		return 0;
	/*
	 * For a name without a module, perf does not print a source line, and the script does not
	 * expect one.
	 */
	while (next_piece(&rest, &piece) &&
	       (!text_is(piece, unknown) || !text_is(frame->module, unknown)))
		count++;
	return count;
}

/* Appends the next source line, "file.c:12", without bracketed parts and surrounding blanks. */
static void write_source(struct text *lines, struct sink *sink)
{
	const char *stop = memchr(lines->at, '\n', lines->length);
	const char *end = stop ? stop : lines->at + lines->length;
	struct sink line;
	struct text source;

	sink_init_memory(&line);
	for (const char *at = lines->at; at < end; at++) {
		const char *closing = *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;

		if (closing)
			at = closing;
		else
			sink_char(&line, *at);
	}
	source = sink_memory(&line);
	while (source.length && is_space(source.at[source.length - 1]))
		source.length--;
	source = part(source, skip(source, 0, is_space), source.length);
	if (source.length) {
		sink_char(sink, ':');
		sink_text(sink, source);
	}
	sink_deinit(&line);
	*lines = part(*lines, (uint32_t)(end - lines->at) + (stop != NULL), lines->length);
}

void perl_line_name(const struct perl_frame *frame, const struct collapse_naming *naming,
		    event_frame_callback *take, void *context)
{
	struct text rest = drop_offset(frame->symbol);
	struct text sources = naming->sources;
	bool is_first = true;
	struct text piece;
	struct sink whole;
	struct sink name;

	if (text_has_prefix(rest, "("))
		return;
	sink_init_memory(&whole);
	sink_init_memory(&name);
	for (; next_piece(&rest, &piece); is_first = false) {
		whole.used = name.used = 0;
		if (text_is(piece, unknown)) {
			collapse_write_unknown(frame->module, frame->word, naming->shows_addresses,
					       &whole);
			piece = sink_memory(&whole);
		}
		write_tidied(piece, naming->is_java, &name);
		sink_puts(&name, mark_of(frame, naming, is_first, sink_memory(&name)));
		if (sources.length)
			write_source(&sources, &name);
		collapse_send_name(sink_memory(&name), take, context);
	}
	sink_deinit(&whole);
	sink_deinit(&name);
}
