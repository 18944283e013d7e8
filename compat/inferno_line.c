/* SPDX-License-Identifier: MIT */
#include "compat/inferno_line.h"

#include "base/scan.h"
#include "base/utf8.h"

#define HASH_DIGITS 16u

static const char unknown[] = "[unknown]";

static const char *find(struct text text, char c)
{
	return text.length ? memchr(text.at, c, text.length) : NULL;
}

struct text inferno_line_trim(struct text line)
{
	while (line.length && is_space(line.at[line.length - 1]))
		line.length--;
	return line;
}

static struct text trim(struct text text)
{
	while (text.length && is_space(text.at[0]))
		text = text_from(text, 1);
	return inferno_line_trim(text);
}

/* Parses "12" or "12/13"; the last slash separates the numbers. */
static bool parse_tasks(struct text word, struct inferno_event *event)
{
	const char *end = word.at + word.length;
	const char *slash = NULL;

	for (const char *at = word.at; at < end; at++) {
		if (*at == '/')
			slash = at;
		else if (!is_digit(*at))
			return false;
	}
	event->pid = slash ? text_between(word.at, slash) : text_of("?");
	event->tid = slash ? text_between(slash + 1, end) : word;
	return true;
}

/*
 * Reads the comm and the task at the front of a line. Returns false if no number has blanks on both
 * sides.
 */
static bool take_tasks(struct text *line, struct inferno_event *event)
{
	const char *end = line->at + line->length;
	const char *word = find(*line, ' ');

	while (word) {
		const char *stop = find(text_between(++word, end), ' ');

		if (stop && stop > word && parse_tasks(text_between(word, stop), event)) {
			event->comm = trim(text_between(line->at, word - 1));
			*line = text_between(stop + 1, end);
			return true;
		}
		word = stop;
	}
	return false;
}

/* Parses "     257597 cycles": one blank separates the period from the event. */
static void parse_counted(struct text counted, struct inferno_event *event)
{
	const char *blank = counted.length ? memrchr(counted.at, ' ', counted.length) : NULL;
	struct text number;
	uint64_t period;

	event->event = counted;
	if (!blank)
		return;
	event->event = text_between(blank + 1, counted.at + counted.length);
	number = text_between(counted.at, blank);
	blank = number.length ? memrchr(number.at, ' ', number.length) : NULL;
	if (blank)
		number = text_between(blank + 1, number.at + number.length);
	if (text_to_u64(number, &period))
		event->period = period;
}

/*
 * Returns the frame after the event's colon. Between this colon and the frame are modifiers and a
 * second colon, or a blank.
 */
static struct text frame_behind(struct text text)
{
	for (uint32_t i = 0; i < text.length; i++)
		if (text.at[i] == ':' || text.at[i] == ' ')
			return trim(text_from(text, i + 1));
	return trim(text);
}

bool inferno_line_event(struct text line, struct inferno_event *ret)
{
	const char *end = line.at + line.length;
	const char *colon;

	*ret = (struct inferno_event){ .period = 1 };
	if (!take_tasks(&line, ret))
		return false;
	colon = find(line, ':');
	if (!colon)
		return true;
	line = text_between(colon + 1, end);
	colon = find(line, ':');
	parse_counted(text_between(line.at, colon ? colon : end), ret);
	if (colon)
		ret->frame = frame_behind(text_between(colon + 1, end));
	return true;
}

static struct text drop_offset(struct text symbol)
{
	uint32_t end = symbol.length;

	while (end && is_hex_digit(symbol.at[end - 1]))
		end--;
	if (end >= 3 && memcmp(symbol.at + end - 3, "+0x", 3) == 0)
		symbol.length = end - 3;
	return symbol;
}

bool inferno_line_frame(struct text line, struct inferno_frame *ret)
{
	const char *end = line.at + line.length;
	const char *word_end;
	const char *last;

	while (line.at < end && is_space(*line.at))
		line = text_from(line, 1);
	word_end = find(line, ' ');
	last = word_end ? memrchr(word_end + 1, ' ', (size_t)(end - word_end - 1)) : NULL;
	if (!last || end - last < 3 || last[1] != '(' || end[-1] != ')')
		return false;
	ret->word = inferno_line_trim(text_between(line.at, word_end));
	ret->module = text_between(last + 2, end - 1);
	ret->symbol = trim(text_between(word_end + 1, last));
	/* inferno uses a blank for an empty symbol. */
	ret->symbol = ret->symbol.length ? drop_offset(ret->symbol) : text_of(" ");
	return true;
}

static const struct {
	const char *escape;
	char meant;
} escapes[] = {
	{ "$SP$", '@' },   { "$BP$", '*' },  { "$RF$", '&' },  { "$LT$", '<' },  { "$GT$", '>' },
	{ "$LP$", '(' },   { "$RP$", ')' },  { "$C$", ',' },   { "$u7e$", '~' }, { "$u20$", ' ' },
	{ "$u27$", '\'' }, { "$u3d$", '=' }, { "$u5b$", '[' }, { "$u5d$", ']' }, { "$u7b$", '{' },
	{ "$u7d$", '}' },  { "$u3b$", ';' }, { "$u2b$", '+' }, { "$u21$", '!' }, { "$u22$", '"' },
};

static bool drop_hash(struct text *name)
{
	const char *hash;

	if (name->length <= HASH_DIGITS)
		return false;
	hash = name->at + name->length - HASH_DIGITS;
	for (uint32_t i = 0; i < HASH_DIGITS; i++)
		if (!is_hex_digit(hash[i]))
			return false;
	if (hash[-1] != 'h')
		return false;
	name->length -= HASH_DIGITS + 1;
	if (text_has_suffix(*name, "::"))
		name->length -= 2;
	return true;
}

static bool take_escape(struct text *rest, struct sink *sink)
{
	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++)
		if (scan_prefix(rest, escapes[i].escape)) {
			sink_char(sink, escapes[i].meant);
			return true;
		}
	return false;
}

/*
 * Writes the demangled name of a legacy Rust symbol. Returns false, and writes nothing, if the
 * symbol is not a legacy Rust symbol.
 */
static bool write_rust_name(struct text name, struct sink *sink)
{
	if (!drop_hash(&name))
		return false;
	if (text_has_prefix(name, "_$"))
		name = text_from(name, 1);
	while (name.length) {
		if (scan_prefix(&name, "..")) {
			sink_puts(sink, "::");
		} else if (name.at[0] != '$') {
			sink_char(sink, name.at[0]);
			name = text_from(name, 1);
		} else if (!take_escape(&name, sink)) {
			/* An unknown escape: write the rest unchanged. */
			sink_text(sink, name);
			break;
		}
	}
	return true;
}

void inferno_line_write_symbol(const struct inferno_frame *frame, struct sink *sink)
{
	if (!write_rust_name(frame->symbol, sink))
		sink_text(sink, frame->symbol);
}

/*
 * Returns the length of a name without its arguments. The arguments begin at the first "(" that is
 * not inside other brackets and does not begin a Go receiver, ".(".
 */
static uint32_t name_length(struct text name)
{
	static const char anonymous[] = "(anonymous namespace)";
	int64_t depth = 0;

	for (uint32_t i = 0; i < name.length; i++) {
		char c = name.at[i];

		if (c == '(' && depth == 0 && (i == 0 || name.at[i - 1] != '.') &&
		    !text_has_prefix(text_from(name, i), anonymous))
			return i;
		depth += c == '<' || c == '{' || c == '[' || c == '(';
		depth -= c == '>' || c == '}' || c == ']' || c == ')';
	}
	return name.length;
}

static void write_tidied(struct text name, bool is_java, struct sink *sink)
{
	size_t begin = sink->used;
	uint32_t length = name_length(name);

	for (uint32_t i = 0; i < length; i++)
		sink_char(sink, name.at[i] == ';' ? ':' : name.at[i]);
	if (is_java)
		collapse_drop_class_mark(sink, begin);
}

/* Whether the module is vmlinux with an optional version: vmlinux-5.4.14-cloudflare */
static bool is_kernel_image(struct text module)
{
	static const char name[] = "vmlinux";
	uint32_t at = module.length;

	while (at >= sizeof(name) - 1 && !text_has_prefix(text_from(module, at - 7), name)) {
		char c = module.at[--at];

		if (!is_digit(c) && ((c | 0x20) < 'a' || (c | 0x20) > 'z') && !memchr("-._", c, 3))
			return false;
	}
	return at >= sizeof(name) - 1;
}

static bool is_kernel(struct text module)
{
	return (text_has_prefix(module, "[") || text_has_suffix(module, ".ko") ||
		is_kernel_image(module)) &&
	       !text_is(module, unknown);
}

static bool is_jit(struct text module)
{
	return (text_has_prefix(module, "/tmp/perf-") && text_has_suffix(module, ".map")) ||
	       (text_contains(module, "/jitted-") && text_has_suffix(module, ".so"));
}

static const char *mark_of(struct text module, const struct collapse_naming *naming, bool is_first,
			   struct text name)
{
	if (!is_first)
		return text_contains(name, "_[i]") ? "" : "_[i]";
	if (naming->marks_kernel && is_kernel(module))
		return "_[k]";
	if (naming->marks_jit && is_jit(module) && !text_contains(name, "_[j]"))
		return "_[j]";
	return "";
}

struct namer {
	const struct inferno_frame *frame;
	const struct collapse_naming *naming;
	event_frame_callback *take;
	void *context;
	struct sink whole, tidied, repaired; /* scratch: the current name after each step */
};

static void name_piece(struct namer *namer, struct text piece, bool is_first)
{
	const struct collapse_naming *naming = namer->naming;
	struct text module = namer->frame->module;

	namer->whole.used = namer->tidied.used = namer->repaired.used = 0;
	if (text_is(piece, unknown)) {
		collapse_write_unknown(module, namer->frame->word, naming->shows_addresses,
				       &namer->whole);
		piece = sink_memory(&namer->whole);
	}
	write_tidied(piece, naming->is_java, &namer->tidied);
	sink_puts(&namer->tidied, mark_of(module, naming, is_first, sink_memory(&namer->tidied)));
	utf8_write_repaired(&namer->repaired, sink_memory(&namer->tidied));
	collapse_send_name(sink_memory(&namer->repaired), namer->take, namer->context);
}

void inferno_line_name(const struct inferno_frame *frame, const struct collapse_naming *naming,
		       event_frame_callback *take, void *context)
{
	struct namer namer = { .frame = frame, .naming = naming, .take = take, .context = context };
	bool is_first = true;
	const char *arrow;
	struct sink symbol;
	struct text rest;

	if (inferno_line_is_no_function(frame))
		return;
	sink_init_memory(&symbol);
	sink_init_memory(&namer.whole);
	sink_init_memory(&namer.tidied);
	sink_init_memory(&namer.repaired);
	inferno_line_write_symbol(frame, &symbol);
	rest = sink_memory(&symbol);
	do {
		arrow = rest.length ? memmem(rest.at, rest.length, "->", 2) : NULL;
		name_piece(&namer, arrow ? text_between(rest.at, arrow) : rest, is_first);
		if (arrow)
			rest = text_between(arrow + 2, rest.at + rest.length);
		is_first = false;
	} while (arrow);
	sink_deinit(&namer.repaired);
	sink_deinit(&namer.tidied);
	sink_deinit(&namer.whole);
	sink_deinit(&symbol);
}
