/* SPDX-License-Identifier: MIT */
#include "compat/inferno_line.h"

#include "base/scan.h"
#include "base/utf8.h"
#include "compat/rust_legacy.h"

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

/* "12", "12/13"; the last slash counts. */
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

/* Takes the comm and its task off the front of a line; false: there is no number that has blanks on both sides. */
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

/* "     257597 cycles": what has one blank before the event is its period. */
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

/* What is behind the colon of the event: modifiers up to another colon, or the only frame behind a blank. */
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
	/* A symbol has a byte at least. */
	ret->symbol = ret->symbol.length ? drop_offset(ret->symbol) : text_of(" ");
	return true;
}

void inferno_line_write_symbol(const struct inferno_frame *frame, struct sink *sink)
{
	if (!rust_legacy_write(frame->symbol, sink))
		sink_text(sink, frame->symbol);
}

/* How much of a name is no list of arguments: those are in brackets that are in no others, and of which no point
 * says that they are a type of Go's. */
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

/* vmlinux and, behind it, what may be a version: vmlinux-5.4.14-cloudflare */
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
	struct sink whole, tidied, repaired; /* the name under way */
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
	namer->take(namer->context, &(struct event_frame){
					    .name = sink_memory(&namer->repaired),
					    .module = { "", 0 },
					    .is_exact = true,
				    });
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
