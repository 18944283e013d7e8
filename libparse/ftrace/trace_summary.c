/* SPDX-License-Identifier: MIT */
/*
 * Reads the summary of perf trace -s: for each thread, the count and total time of each system
 * call. Each row becomes a stack of two frames, the thread and the system call:
 *
 *      app (4711), 132 events, 19.9%
 *
 *        syscall            calls  errors  total       min       avg       max       stddev
 *                                          (msec)    (msec)    (msec)    (msec)        (%)
 *        --------------- --------  ------ -------- --------- --------- ---------     ------
 *        futex                  1      0   209.850   209.850   209.850   209.850      0.00%
 *
 * Older versions lack the errors column; with --summary-mode=total, there is only one table,
 * "total". Source: thread__dump_stats of tools/perf/builtin-trace.c.
 */
#include "libparse/ftrace/ftrace.h"

#include "libparse/text.h"

#define HEADING "Summary of events:"

/* The number of columns before the total: calls and errors. */
#define COUNTS_MAX 2

#define NS_PER_MS 1000000u

struct thread {
	struct text comm;
	uint32_t tid; /* 0 if the table is for all threads */
};

struct row {
	struct text name;
	uint64_t calls, errors;
	uint64_t total_ns, longest_ns;
};

/* Splits at the last separator. Returns false if there is none. */
static bool split_last(struct text text, const char *separator, struct text *before_ret,
		       struct text *behind_ret)
{
	uint32_t length = (uint32_t)strlen(separator);

	for (uint32_t at = text.length; at-- > 0;) {
		if (text.length - at < length || memcmp(text.at + at, separator, length) != 0)
			continue;
		*before_ret = (struct text){ text.at, at };
		*behind_ret = (struct text){ text.at + at + length, text.length - at - length };
		return true;
	}
	return false;
}

/* Reads " app (4711), 132 events, 19.9%". Some versions omit the percentage. */
static bool read_thread(struct text line, struct thread *ret)
{
	struct text rest = text_trim(line);
	struct text ignored;
	struct text number;
	uint64_t value;

	if (!split_last(rest, " events", &rest, &ignored) ||
	    !split_last(rest, ", ", &rest, &number) || !text_to_u64(number, &value))
		return false;
	*ret = (struct thread){ .comm = rest };
	if (!text_has_suffix(rest, ")") || !split_last(rest, " (", &rest, &number))
		return rest.length != 0;
	number.length--;
	if (!text_to_u64(number, &value) || value > UINT32_MAX)
		return false;
	*ret = (struct thread){ rest, (uint32_t)value };
	return rest.length != 0;
}

/* "209.850", in milliseconds. */
static bool read_ms(struct text word, uint64_t *ns_ret)
{
	struct text whole;
	struct text part;
	uint64_t ms;
	uint64_t digits;

	if (!split_last(word, ".", &whole, &part) || part.length > 6 || !text_to_u64(whole, &ms) ||
	    !text_to_u64(part, &digits))
		return false;
	for (uint32_t i = part.length; i < 6; i++)
		digits *= 10;
	return !__builtin_mul_overflow(ms, NS_PER_MS, ns_ret) &&
	       !__builtin_add_overflow(*ns_ret, digits, ns_ret);
}

/*
 * Reads the maximum, which follows the minimum and the mean. Returns 0 if the maximum is missing.
 */
static uint64_t read_longest(struct text rest)
{
	uint64_t ns = 0;
	struct text word;

	for (int i = 0; i < 3; i++)
		if (!text_next_word(&rest, &word) || !read_ms(word, &ns))
			return 0;
	return ns;
}

static bool read_row(struct text line, struct row *ret)
{
	struct text rest = line;
	struct text word;
	uint64_t number;
	uint32_t count = 0;

	*ret = (struct row){ 0 };
	if (!text_next_word(&rest, &ret->name))
		return false;
	while (text_next_word(&rest, &word)) {
		if (read_ms(word, &ret->total_ns)) {
			ret->longest_ns = read_longest(rest);
			return count > 0;
		}
		if (count == COUNTS_MAX || !text_to_u64(word, &number))
			return false;
		*(count++ ? &ret->errors : &ret->calls) = number;
	}
	return false;
}

/* Lines around the rows, or counts of errors. */
static bool is_expected(struct text line)
{
	struct text text = text_trim(line);

	return !text.length || text_is(text, HEADING) || text_has_prefix(text, "syscall ") ||
	       text_has_prefix(text, "(msec)") || text_has_prefix(text, "---") ||
	       text_has_prefix(line, "\t\t\t\t");
}

static void send(const struct text_parser *parser, const struct thread *thread,
		 const struct row *row, uint64_t offset)
{
	const struct event_syscall sum = {
		.phase = EVENT_SYSCALL_SUM,
		.name = row->name,
		.duration_ns = row->total_ns,
		.call_count = row->calls,
		.error_count = row->errors,
		.longest_ns = row->longest_ns,
	};
	struct event_text_sample text = {
		.comm = thread->comm,
		.event = text_of("system calls"),
		.unit = UNIT_NANOSECONDS,
		.sample_count = row->calls,
		.frames = &row->name,
		.frame_count = 1,
		.syscall = &sum,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = offset };

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN |
			   (thread->tid ? SAMPLE_HAS_TID : 0),
		.pid = thread->tid,
		.tid = thread->tid,
		.period = row->total_ns,
		.text = &text,
	};
	/* Keep rows of 0.000 ms, because the total is only rounded to zero. */
	if (row->calls || row->total_ns)
		event_send(parser->sink, &event);
}

/* The beginning of the first table in [from, end), or NULL. */
static const char *find_table(const char *from, const char *end)
{
	const char *next = from;
	struct thread ignored;
	struct text line;

	while (text_next_line(&next, end, true, &line))
		if (read_thread(line, &ignored))
			return line.at;
	return NULL;
}

/*
 * Reads the rows of [at, stop). Each row gets the offset of its table, where reading it again must
 * begin.
 */
static void read_rows(struct text_parser *parser, const struct text_window *window, const char *at,
		      const char *stop, const struct thread *thread, uint64_t offset)
{
	struct text line;
	struct row row;

	while (text_next_line(&at, stop, true, &line))
		if (read_row(line, &row))
			send(parser, thread, &row, offset);
		else if (!is_expected(line))
			text_skip(&parser->skips, text_offset(window, line.at));
}

/*
 * Reads the table at window->at, which begins with the line that names the thread. Returns false if
 * the table does not end in the window.
 */
static bool read_table(struct text_parser *parser, struct text_window *window, const char *rows,
		       const struct thread *thread)
{
	const char *stop = find_table(rows, window->end);

	if (!stop && !window->is_last)
		return false;
	if (!stop)
		stop = window->end;
	read_rows(parser, window, rows, stop, thread, text_offset(window, window->at));
	window->at = stop;
	return true;
}

static void read_tables(void *context, struct text_window *window)
{
	struct text_parser *parser = context;
	const char *next = window->at;
	struct thread thread;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		if (read_thread(line, &thread)) {
			if (!read_table(parser, window, next, &thread)) {
				text_give_up(window, &parser->skips);
				return;
			}
			next = window->at;
			continue;
		}
		/* Skip lines before the first table, or inside a table that is too long. */
		if (!is_expected(line))
			text_skip(&parser->skips, text_offset(window, line.at));
		window->at = next;
	}
}

static bool is_heading(struct text line)
{
	return text_is(text_trim(line), HEADING);
}

/*
 * Output of the traced program, or individual calls printed by perf trace, may precede the table.
 */
static struct evidence probe(struct span head)
{
	return text_probe(head, is_heading, "the heading of a perf trace summary");
}

static bool open_trace_summary(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_table, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return text_read_samples(capture, slice, read_tables, sink, err);
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	(void)reader;
	callback(context, &(struct event_frame){
				  .name = raw,
				  .module = text_of(""),
				  .is_exact = raw.length > 0,
			  });
}

const struct input_format trace_summary_format = {
	.name = "perf-trace-summary",
	.summary = "system-call summary of perf trace -s",
	.title = "summary of perf trace",
	.probe = probe,
	.ends_in = "\n",
	.open = open_trace_summary,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
	.sum_name = "time in system calls",
};
