/* SPDX-License-Identifier: MIT */
/*
 * Reads goroutine stacks, as printed by Go after a panic or SIGQUIT, and by runtime/pprof with
 * debug=2. Each goroutine with a stack is a sample.
 *
 *     goroutine 18 [chan receive, 5 minutes]:      its state, and how long it has waited
 *     sync.(*Mutex).Lock(...)                      (...): inlined into the next function
 *             /usr/lib/go/src/sync/mutex.go:90
 *     main.(*waiter).wait(0x0?, 0x0?)
 *             /src/waiter.go:19 +0x36
 *     created by main.main in goroutine 1
 *             /src/waiter.go:28 +0x55
 */
#include "libparse/dump/dumps.h"

#include "base/scan.h"
#include "libparse/dump/thread_dump.h"

/* "goroutine 18 [chan receive, 5 minutes]:", also with fields such as gp=0xc0000061c0 before the state. */
static bool parse_goroutine(struct text line, struct dumped_thread *ret)
{
	struct text rest = line;
	const char *begin, *end;
	uint64_t number;
	uint32_t length;

	if (!scan_prefix(&rest, "goroutine ") || !scan_u64(&rest, &number) ||
	    !text_has_prefix(rest, " ") || line.at[line.length - 1] != ':')
		return false;
	begin = memchr(rest.at, '[', rest.length);
	end = begin ? memchr(begin, ']', (size_t)(rest.at + rest.length - begin)) : NULL;
	if (!end)
		return false;
	*ret = (struct dumped_thread){
		.has_tid = number <= UINT32_MAX,
		.tid = number <= UINT32_MAX ? (uint32_t)number : 0,
		.state = text_between(begin + 1, end),
	};
	for (length = 0; length < ret->state.length && ret->state.at[length] != ','; length++)
		;
	ret->state.length = length;
	return true;
}

/* "...23 frames elided...", "...additional frames elided..." */
static bool is_elision(struct text line)
{
	return text_has_prefix(line, "...") && text_has_suffix(line, " frames elided...");
}

/* Finds the bracket before the arguments. Returns NULL if the line is not a call. */
static const char *find_arguments(struct text line)
{
	if (line.length < 3 || line.at[line.length - 1] != ')' || text_is_indented(line))
		return NULL;
	return memrchr(line.at + 1, '(', line.length - 1);
}

/*
 * Whether a line is a call. There is no blank before the arguments, except in type arguments and in
 * functions of unnamed types: "type:.eq.struct { F uintptr }(0x1)".
 */
static bool is_frame(struct text line)
{
	const char *bracket = find_arguments(line);
	size_t length = bracket ? (size_t)(bracket - line.at) : 0;
	const char *blank = length ? memchr(line.at, ' ', length) : NULL;
	struct text before = text_between(line.at, blank ? blank + 1 : line.at);

	return bracket && (!blank || text_contains(before, "[") ||
			   text_contains(before, "struct ") || text_contains(before, "interface "));
}

/* "rax    0xca" */
static bool is_register(struct text line)
{
	struct text name, value, more;

	return text_next_word(&line, &name) && !memchr(name.at, '(', name.length) &&
	       text_next_word(&line, &value) && text_has_prefix(value, "0x") &&
	       !text_next_word(&line, &more);
}

static bool is_note(struct text line)
{
	static const char *const prefixes[] = {
		" ",           "\t",        "created by ", "panic: ",      "fatal error: ",
		"SIG",         "PC=",       "[signal ",    "exit status ", "goroutine running ",
		"[recovered]", "runtime: ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(line, prefixes[i]))
			return true;
	return is_register(line);
}

static enum dump_line read_line(struct text line, struct dumped_thread *thread)
{
	if (text_is_blank(line))
		return DUMP_END;
	if (parse_goroutine(line, thread))
		return DUMP_THREAD;
	/* The next frames belong to the runtime itself, on its own stack. */
	if (text_is(line, "runtime stack:")) {
		*thread = (struct dumped_thread){ .is_left_out = true };
		return DUMP_THREAD;
	}
	if (is_note(line))
		return DUMP_NOTE;
	return is_frame(line) || is_elision(line) ? DUMP_FRAME : DUMP_UNKNOWN;
}

static const struct dump_syntax syntax = {
	.read_line = read_line,
	.comm = { "[goroutines]", sizeof("[goroutines]") - 1 },
};

static const char *find_thread(const char *from, const char *end)
{
	return dump_find_thread(&syntax, from, end);
}

static bool goroutines_open(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_thread, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return dump_read_samples(capture, slice, &syntax, sink, err);
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct event_frame frame = { .name = raw, .module = { "", 0 } };
	const char *bracket = find_arguments(raw);

	(void)reader;
	if (is_elision(raw)) {
		frame.is_mark = true;
	} else if (bracket) {
		frame.name = text_between(raw.at, bracket);
		frame.is_inlined = text_is(text_from(raw, frame.name.length), "(...)");
	}
	frame.is_exact = frame.name.length > 0;
	callback(context, &frame);
}

static bool is_goroutine(struct text line)
{
	struct dumped_thread ignored;

	return parse_goroutine(line, &ignored);
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_goroutine, "the heading of a goroutine");
}

const struct input_format goroutines_format = {
	.name = "goroutines",
	.summary = "stacks of goroutines, printed by Go",
	.title = "stacks of goroutines",
	.probe = probe,
	.ends_in = "\n",
	.open = goroutines_open,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.can_stream = true,
};
