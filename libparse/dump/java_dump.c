/* SPDX-License-Identifier: MIT */
/*
 * Reads Java thread dumps, as printed by jstack, jcmd PID Thread.print and SIGQUIT. Each thread
 * with a stack is a sample; threads of the JVM itself do not have stacks.
 *
 *     "worker" #9 daemon prio=5 os_prio=0 cpu=1.21ms tid=0x00007f56 nid=0x4227 runnable  [0x00007f55]
 *        java.lang.Thread.State: RUNNABLE
 *             at java.util.HashMap.get(java.base@17.0.15/HashMap.java:556)
 *             - locked <0x000000069ec190c0> (a java.lang.Object)
 *
 * After a deadlock, the stacks of its threads are printed again, below headings such as
 * `"worker":`. Exceptions that other threads log between these lines also have frames, which are
 * left out.
 */
#include "libparse/dump/dumps.h"

#include "base/scan.h"
#include "libparse/dump/thread_dump.h"

/* Returns the text after a word; .at is NULL if the word is not in the text. */
static struct text find_after(struct text text, const char *word)
{
	const char *at = memmem(text.at, text.length, word, strlen(word));

	return at ? text_from(text, (size_t)(at - text.at) + strlen(word))
		  : (struct text){ NULL, 0 };
}

/* "nid=0x4227", or "nid=16935" since JDK 19. */
static void parse_tid(struct text text, struct dumped_thread *ret)
{
	uint64_t number = 0;

	ret->has_tid =
		text_has_prefix(text, "0x") ? scan_hex(&text, &number) : scan_u64(&text, &number);
	ret->has_tid &= number <= UINT32_MAX;
	ret->tid = ret->has_tid ? (uint32_t)number : 0;
}

/*
 * Reads the line that begins a thread. The name can contain quotes, but the fields after the name
 * cannot. For any other line, returns false and leaves *ret unchanged.
 */
static bool parse_thread(struct text line, struct dumped_thread *ret)
{
	const char *last = line.length ? memrchr(line.at, '"', line.length) : NULL;
	struct text fields, tid;

	if (!last || line.at[0] != '"' || last == line.at)
		return false;
	fields = text_from(line, (size_t)(last + 1 - line.at));
	tid = find_after(fields, " nid=");
	if (!text_is(fields, ":") && (!tid.at || !find_after(fields, " tid=0x").at))
		return false;
	*ret = (struct dumped_thread){
		.comm = text_between(line.at + 1, last),
		.is_left_out = text_is(fields, ":"),
	};
	if (tid.at)
		parse_tid(tid, ret);
	return true;
}

/*
 * Whether another thread logged an exception here, as in "ERROR java.lang.IllegalStateException:
 * closed". The exception's frames follow.
 */
static bool is_exception(struct text line)
{
	static const char *const kinds[] = { "Exception", "Error", "Throwable" };
	struct text rest = line;
	struct text word;

	while (!text_is_indented(line) && text_next_word(&rest, &word))
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
			if (memchr(word.at, '.', word.length) && text_contains(word, kinds[i]))
				return true;
	return false;
}

/* Whether the line is another line of a dump. */
static bool is_note(struct text line)
{
	static const char *const prefixes[] = {
		" ",
		"\t",
		"Full thread dump ",
		"Threads class SMR info:",
		"_java_thread_list=",
		"0x",
		"}",
		"JNI global ref",
		"Heap",
		"Found ",
		"=====",
		"Java stack information for ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(line, prefixes[i]))
			return true;
	/* The time of the dump. */
	return line.length == 19 && line.at[4] == '-' && line.at[10] == ' ' && line.at[13] == ':';
}

static struct text frame_of(struct text line)
{
	struct text rest = text_trim(line);

	return scan_prefix(&rest, "at ") && rest.length && rest.at[rest.length - 1] == ')' &&
			       text_is_indented(line)
		       ? rest
		       : (struct text){ NULL, 0 };
}

static enum dump_line read_line(struct text line, struct dumped_thread *thread)
{
	struct text state = find_after(line, "java.lang.Thread.State: ");

	if (text_is_blank(line))
		return DUMP_END;
	if (state.at) {
		(void)text_next_word(&state, &thread->state);
		return DUMP_NOTE;
	}
	if (frame_of(line).at)
		return DUMP_FRAME;
	if (parse_thread(line, thread))
		return DUMP_THREAD;
	if (is_exception(line)) {
		*thread = (struct dumped_thread){ .is_left_out = true };
		return DUMP_OTHER;
	}
	return is_note(line) ? DUMP_NOTE : DUMP_UNKNOWN;
}

static const struct dump_syntax syntax = {
	.read_line = read_line,
	.comm = { "[threads]", sizeof("[threads]") - 1 },
};

static const char *find_thread(const char *from, const char *end)
{
	return dump_find_thread(&syntax, from, end);
}

static bool java_dump_open(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_thread, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return dump_read_samples(capture, slice, &syntax, sink, err);
}

/* "java.util.HashMap.get(java.base@17.0.15/HashMap.java:556)": the module is before the @. */
static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };
	struct text text = frame_of(raw);
	const char *bracket = text.at ? memchr(text.at, '(', text.length) : NULL;

	(void)reader;
	if (bracket) {
		struct text place = text_from(text, (size_t)(bracket + 1 - text.at));
		const char *slash = memchr(place.at, '/', place.length);
		const char *at = memchr(place.at, '@', place.length);

		frame.name = text_trim(text_between(text.at, bracket));
		frame.is_exact = frame.name.length > 0;
		if (slash)
			frame.module = text_between(place.at, at && at < slash ? at : slash);
	}
	callback(context, &frame);
}

static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	struct text line;

	while (text_next_line(&next, (const char *)head.end, true, &line)) {
		struct dumped_thread thread = { .has_tid = false };

		if (text_has_prefix(line, "Full thread dump "))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "the heading of a Java thread dump");
		if (parse_thread(line, &thread) && !thread.is_left_out)
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "a thread of a Java thread dump");
	}
	return evidence_none();
}

const struct input_format java_dump_format = {
	.name = "java-dump",
	.summary = "thread dumps of Java, printed by jstack, jcmd or SIGQUIT",
	.title = "Java thread dump",
	.probe = probe,
	.ends_in = "\n",
	.open = java_dump_open,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.can_stream = true,
};
