/* SPDX-License-Identifier: MIT */
#include "libparse/script/perf_script.h"

#include "libparse/bcc/bcc.h"
#include "libparse/ftrace/ftrace_line.h"
#include "libparse/script/perf_script_frame.h"
#include "libparse/script/perf_script_header.h"
#include "libparse/script/switch_text.h"
#include "libparse/text.h"
#include "libparse/text_lines.h"

/* The number of bytes that are searched for comments. */
#define COMMENTS_BYTES ((size_t)64 << 10)

/* perf prints comms with %16s. */
#define COMM_COLUMNS 16

/*
 * Sideband records, which perf script prints between samples with --show-mmap-events and similar
 * options.
 */
static const char side_band[] = "PERF_RECORD_";

struct script_parser {
	const struct event_sink *sink;
	text_lines frames;
	struct text_skips skips;
	/* Sent for each sample; members that no sample has stay 0. */
	struct event event;
	struct event_text_sample text;
};

static bool is_comment(struct text line)
{
	return line.length && line.at[0] == '#' && (line.length == 1 || line.at[1] == ' ');
}

/* A pid before an event or flags looks like an address and a symbol: "   17 U 5.000001: cycles:" */
static bool is_frame(struct text line)
{
	return perf_script_is_frame(line) &&
	       (line.at[0] == '\t' || !perf_script_header_is_certain(line));
}

/* A source line of -F srcline: two blanks, and no address. */
static bool is_source_line(struct text line)
{
	return line.length > 2 && line.at[0] == ' ' && line.at[1] == ' ' && line.at[2] != ' ' &&
	       !perf_script_is_frame(line);
}

/* Frames begin with a tab, unless another program replaced it. Other fields do not. */
static bool is_behind_frames(const struct script_parser *parser, struct text line)
{
	return parser->frames.count && parser->frames.at[0].at[0] == '\t' &&
	       perf_script_is_behind_frames(line);
}

static bool next_is_frame(const char *at, const char *end)
{
	return at < end && *at == '\t';
}

static bool next_has_address(const char *at, const char *end)
{
	struct text line;

	return text_next_line(&at, end, true, &line) && perf_script_has_wide_address(line);
}

static bool parse_header(struct text line, const char *next, const char *end,
			 struct perf_script_header *ret)
{
	bool has_frames = next_is_frame(next, end);

	/* "  17 cycles: " looks like an address and a symbol, but frames follow. */
	if (is_comment(line) || text_is_blank(line) || line.at[0] == '\t' ||
	    (is_frame(line) && !has_frames))
		return false;
	return perf_script_header_parse(line, has_frames, ret) ||
	       (has_frames && next_has_address(next, end) &&
		perf_script_header_parse_task(line, ret));
}

/* Whether the text after the event is the frame of a sample on a single line, not a tracepoint's
 * payload. */
static bool is_single_frame(const struct perf_script_header *header)
{
	struct event_frame frame;
	struct text line = { header->rest.at, header->rest.length };
	struct text word;

	if (!text_next_word(&line, &word) || word.length > 16)
		return false;
	for (uint32_t i = 0; i < word.length; i++)
		if (!strchr("0123456789abcdef", word.at[i]))
			return false;
	perf_script_parse_frame(header->rest, &frame);
	return frame.module.length || frame.name.length || text_trim(line).length ||
	       !header->event.length;
}

/* The innermost frame is never stray. */
static uint32_t count_stray(const struct script_parser *parser)
{
	uint32_t count = 0;

	while (count + 1 < parser->frames.count &&
	       perf_script_is_stray_frame(parser->frames.at[parser->frames.count - 1 - count]))
		count++;
	return count;
}

static void send(struct script_parser *parser, const struct perf_script_header *header,
		 uint64_t offset)
{
	bool has_period = header->present & SAMPLE_HAS_PERIOD;
	struct event_text_sample *text = &parser->text;
	struct event *event = &parser->event;
	struct event_sched_switch sched_switch;

	text->comm = header->comm;
	/* Without a name, the tid names the thread. */
	if (!text->comm.at && !(header->present & SAMPLE_HAS_TID))
		text->comm = text_of("[unknown]");
	text->event = header->event.length ? header->event : text_of("samples");
	text->unit = has_period ? text_unit_of_event(header->event) : UNIT_SAMPLES;
	text->sample_count = 1;
	text->frames = parser->frames.at;
	text->frame_count = (uint32_t)parser->frames.count;
	text->stray_count = count_stray(parser);
	text->sched_switch = switch_text_is_event(header->event) &&
					     switch_text_parse(header->rest, &sched_switch)
				     ? &sched_switch
				     : NULL;
	text->woken_tid = 0;
	text->is_wakeup = switch_text_is_wakeup(header->event) &&
			  switch_text_parse_wakeup(header->rest, &text->woken_tid);
	event->kind = EVENT_SAMPLE;
	event->has_time = header->present & SAMPLE_HAS_TIME;
	event->time_ns = header->time_ns;
	event->offset = offset;
	event->sample.pid = header->pid;
	event->sample.tid = header->tid;
	event->sample.cpu = header->cpu;
	event->sample.present = header->present | SAMPLE_HAS_CALLCHAIN;
	event->sample.period = has_period ? header->period : 1;
	event->sample.text = text;
	event_send(parser->sink, event);
}

/*
 * Whether a line can be parsed: that it is a sample can depend on the next line, which must be
 * complete.
 */
static bool has_next_line(const struct text_window *window, const char *next)
{
	return window->is_last || memchr(next, '\n', (size_t)(window->end - next));
}

/*
 * Reads the frames at *at, up to the end of the sample. Returns false if the window ends before the
 * sample ends.
 */
static bool read_frames(struct script_parser *parser, const struct text_window *window,
			const char **at)
{
	const char *next;
	struct text line;

	*at = text_lines_split(&parser->frames, *at, window->end, '\t');
	next = *at;
	while (text_next_line(&next, window->end, window->is_last, &line)) {
		struct perf_script_header ignored;

		if (line.length && line.at[0] == '\t') {
			vec_push(&parser->frames, line);
		} else if (text_is_blank(line)) {
			*at = next;
			return true;
		} else if (parser->frames.count && is_source_line(line)) {
			struct text *frame = &parser->frames.at[parser->frames.count - 1];

			frame->length = (uint32_t)(line.at + line.length - frame->at);
		} else if (is_behind_frames(parser, line)) {
			/* The next sample follows without an empty line. */
		} else if (is_frame(line)) {
			vec_push(&parser->frames, line);
		} else if (!has_next_line(window, next)) {
			return false;
		} else if (is_comment(line) || parse_header(line, next, window->end, &ignored)) {
			return true;
		} else {
			/* This line is other output that was mixed in. The frames may continue. */
			text_skip(&parser->skips, text_offset(window, line.at));
		}
		*at = next;
	}
	return window->is_last;
}

/* Reads the sample at window->at. Returns false if the end of the sample is not in the window. */
static bool read_sample(struct script_parser *parser, struct text_window *window, const char *next,
			const struct perf_script_header *header)
{
	struct text_skips skips = parser->skips;
	const char *begin = window->at;

	parser->frames.count = 0;
	if (!read_frames(parser, window, &next)) {
		parser->skips = skips;
		return false;
	}
	if (!parser->frames.count && is_single_frame(header))
		vec_push(&parser->frames, perf_script_single_frame(header->rest));
	if (header->is_period_too_large)
		text_skip(&parser->skips, text_offset(window, begin));
	else if (!text_has_prefix(header->event.length ? header->event : header->rest, side_band))
		send(parser, header, text_offset(window, begin));
	window->at = next;
	return true;
}

static void read_records(void *context, struct text_window *window)
{
	struct script_parser *parser = context;
	struct perf_script_header header;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line) &&
	       has_next_line(window, next)) {
		if (parse_header(line, next, window->end, &header)) {
			if (!read_sample(parser, window, next, &header))
				return;
			next = window->at;
			continue;
		}
		if (!text_is_blank(line) && !is_comment(line))
			text_skip(&parser->skips, text_offset(window, line.at));
		window->at = next;
	}
}

static const char *find_record(const char *from, const char *end)
{
	const char *at = from;
	const char *next = from;
	struct perf_script_header ignored;
	struct text line;

	/*
	 * Whether a line is a sample can depend on the next line, so the next line must also be in
	 * the text.
	 */
	while (text_next_line(&next, end, false, &line) && next < end) {
		if (parse_header(line, next, end, &ignored))
			return at;
		at = next;
	}
	return NULL;
}

/*
 * Whether perf prints this text after a time. In logs and prose, a word and a colon can also follow
 * a number, but perf prints nothing after the event, a padded number, or a tracepoint's payload.
 */
static bool is_event_behind_time(const struct perf_script_header *header)
{
	struct text after = header->behind_time;
	struct text event = header->event;
	struct text rest = event;
	const char *behind;
	const char *end;
	struct text word;

	if (text_has_prefix(text_trim(after), side_band))
		return true;
	if (!event.length)
		return after.length &&
		       (text_is_blank(after) || perf_script_has_wide_address(after) ||
			header->present & SAMPLE_HAS_PERIOD);
	behind = event.at + event.length + 1;
	end = after.at + after.length;
	if (!text_next_word(&rest, &word) || word.length < event.length)
		return false;
	return behind + 1 >= end || (is_blank(behind[0]) && is_blank(behind[1])) ||
	       memchr(event.at, ':', event.length);
}

/* Whether the comm is padded on the left, as perf pads it if no frames follow. */
static bool has_padded_comm(const struct perf_script_header *header, struct text line)
{
	return header->comm.at > line.at &&
	       header->comm.at + header->comm.length - line.at == COMM_COLUMNS;
}

/* Whether a sample has a time as perf prints it, and no frame follows. */
static bool is_timed_sample(const struct perf_script_header *header, struct text line)
{
	const char *end = line.at + line.length;

	if (header->present & SAMPLE_HAS_TID)
		return is_event_behind_time(header) || has_padded_comm(header, line);
	/* perf prints a blank after the last field. */
	return header->event.length && is_event_behind_time(header) &&
	       (header->comm.at || is_blank(end[-1]) ||
		memchr(header->event.at, ':', header->event.length));
}

/* Whether a frame on the sample's own line is one that only perf prints. */
static bool has_certain_frame(const struct perf_script_header *header, struct text line)
{
	if (header->rest.at == line.at || !is_single_frame(header))
		return false;
	/* The blank in front of the frame is part of it. */
	return perf_script_is_certain_frame(
		       (struct text){ header->rest.at - 1, header->rest.length + 1 }) ||
	       (header->present & SAMPLE_HAS_TIME &&
		perf_script_has_wide_address(text_between(
			header->event.length ? header->event.at + header->event.length + 1
					     : header->behind_time.at,
			line.at + line.length)));
}

/*
 * Whether only perf prints such a line, if `following` follows. Labels of programs, targets of
 * makefiles and headings look like "event:", and are also followed by indented lines. A version in
 * front of a colon, as in "Linux 5.10: news", looks like a time, and so does "Chapter 3 1.2: news"
 * with a tid. perf prints at least microseconds.
 */
static bool is_certain(const struct perf_script_header *header, struct text line,
		       struct text following)
{
	bool has_time = header->time_decimals >= PERF_SCRIPT_TIME_DECIMALS_MIN;
	bool has_tid = header->present & SAMPLE_HAS_TID;
	bool has_cpu = has_tid && header->present & SAMPLE_HAS_CPU;
	bool has_event = header->present & SAMPLE_HAS_TIME && header->event.length &&
			 is_event_behind_time(header);

	if (perf_script_is_certain_frame(following) ||
	    (header->present & SAMPLE_HAS_TIME && has_certain_frame(header, line)))
		return true;
	if ((has_time && is_timed_sample(header, line)) || (has_cpu && has_event))
		return true;
	/* perf prints a blank after the event. */
	has_event &= is_blank(line.at[line.length - 1]) || header->present & SAMPLE_HAS_PERIOD;
	return (has_time || has_cpu || (has_tid && has_event)) &&
	       perf_script_has_address(following);
}

static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct perf_script_header header;
	struct evidence perhaps = evidence_none();
	const char *ignored;
	const char *behind;
	struct text following;
	struct text line;

	/* ftrace lines look like perf script lines, except for a dash before the tid. */
	if (ftrace_kind_of(head, &ignored) != FTRACE_NONE)
		return evidence_none();
	while (text_next_line(&next, end, true, &line)) {
		/* perf report prints the header of perf script, but also the following lines. */
		if (text_has_prefix(line, "# Total Lost Samples: ") ||
		    text_has_prefix(line, "# Samples: "))
			return evidence_none();
		if (text_has_prefix(line, "# captured on") || text_has_prefix(line, "# hostname :"))
			perhaps = evidence_at(CONFIDENCE_PERHAPS, head, line.at,
					      "of perf script's header");
		if (bcc_is_report_line(line))
			return evidence_none();
		if (!parse_header(line, next, end, &header))
			continue;
		behind = next;
		if (!text_next_line(&behind, end, true, &following))
			following = (struct text){ next, 0 };
		if (is_certain(&header, line, following))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "a sample of perf script");
		/* Table rows may look like such lines, so a match is only a hint. */
		if (!perhaps.confidence && !(header.present & SAMPLE_HAS_TIME) &&
		    perf_script_header_is_certain(line) && is_single_frame(&header))
			perhaps = evidence_at(CONFIDENCE_PERHAPS, head, line.at,
					      "a sample of perf script in one line");
	}
	return perhaps;
}

static const struct {
	const char *prefix;
	enum fact fact;
} comments[] = {
	{ "# hostname :", FACT_HOST },
	{ "# os release :", FACT_OS_RELEASE },
	{ "# arch :", FACT_ARCH },
	{ "# perf version :", FACT_TOOL_VERSION },
	{ "# cmdline :", FACT_COMMAND_LINE },
	{ "# cpudesc :", FACT_CPU },
	{ "# cpuid :", FACT_CPU_ID },
	{ "# nrcpus online :", FACT_CPUS_ONLINE },
	{ "# nrcpus avail :", FACT_CPUS_AVAILABLE },
	{ "# captured on:", FACT_WALL_CLOCK },
};

static void send_comments(const char *bytes, size_t size_bytes, const struct event_sink *sink)
{
	const char *next = bytes;
	struct text line;

	while (text_next_line(&next, bytes + size_bytes, false, &line) && is_comment(line))
		for (size_t i = 0; i < ARRAY_SIZE(comments); i++) {
			uint32_t length = (uint32_t)strlen(comments[i].prefix);

			if (text_has_prefix(line, comments[i].prefix))
				text_report_fact(sink, comments[i].fact,
						 text_trim((struct text){ line.at + length,
									  line.length - length }));
		}
}

static bool perf_script_open(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_record, err);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	char *bytes = memory_alloc(COMMENTS_BYTES, 1);
	size_t got;
	bool good = input_read(&capture->input, 0, bytes, COMMENTS_BYTES, &got, err);

	text_report_fact(sink, FACT_FORMAT, text_of("perf script text"));
	if (good)
		send_comments(bytes, got, sink);
	memory_free(bytes);
	return good;
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct script_parser parser = { .sink = sink };
	bool good = text_read(capture, slice, read_records, &parser, &parser.skips, err);

	text_report_skips(&parser.skips, sink);
	vec_free(&parser.frames);
	return good;
}

const struct input_format perf_script_format = {
	.name = "perf-script",
	.summary = "perf script text",
	.probe = probe,
	.ends_in = "\n",
	.open = perf_script_open,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = perf_script_read_frame,
	.can_stream = true,
};
