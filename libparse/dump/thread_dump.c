/* SPDX-License-Identifier: MIT */
#include "libparse/dump/thread_dump.h"

struct dump_parser {
	const struct dump_syntax *syntax;
	struct text_parser text;
};

static void send(const struct dump_parser *parser, const struct dumped_thread *thread,
		 uint64_t offset)
{
	struct event_label state = { text_of("state"), thread->state };
	struct event_text_sample text = {
		.comm = thread->comm.at ? thread->comm : parser->syntax->comm,
		.event = text_of("stacks"),
		.unit = UNIT_SAMPLES,
		.sample_count = 1,
		.frames = parser->text.frames.at,
		.frame_count = (uint32_t)parser->text.frames.count,
		.labels = &state,
		.label_count = thread->state.at != NULL,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = offset };

	event.sample = (struct event_sample){
		.pid = thread->tid,
		.tid = thread->tid,
		.present = SAMPLE_HAS_CALLCHAIN | (thread->has_tid ? SAMPLE_HAS_TID : 0),
		.period = 1,
		.text = &text,
	};
	event_send(parser->text.sink, &event);
}

/*
 * Reads the frames from *at up to the next thread. Returns false if the frames continue beyond the
 * window.
 */
static bool read_frames(struct dump_parser *parser, const struct text_window *window,
			const char **at, struct dumped_thread *thread)
{
	struct text_parser *text = &parser->text;
	const char *next = *at;
	struct text line;

	while (text_next_line(&next, window->end, window->is_last, &line)) {
		struct dumped_thread read = *thread;
		enum dump_line kind = parser->syntax->read_line(line, &read);

		if (kind == DUMP_THREAD || kind == DUMP_OTHER ||
		    (kind == DUMP_FIRST_FRAME && text->frames.count))
			return true;
		if (kind == DUMP_FRAME || kind == DUMP_FIRST_FRAME)
			vec_push(&text->frames, line);
		else if (kind == DUMP_UNKNOWN)
			text_skip(&text->skips, text_offset(window, line.at));
		*thread = read;
		*at = next;
		if (kind == DUMP_END && text->frames.count)
			return true;
	}
	return window->is_last;
}

/* Reads the stack at window->at. Returns false if the stack continues beyond the window. */
static bool read_stack(struct dump_parser *parser, struct text_window *window, const char *next,
		       struct dumped_thread *thread)
{
	struct text_skips skips = parser->text.skips;
	const char *begin = window->at;

	if (!read_frames(parser, window, &next, thread)) {
		parser->text.skips = skips;
		return false;
	}
	if (parser->text.frames.count && !thread->is_left_out)
		send(parser, thread, text_offset(window, begin));
	window->at = next;
	return true;
}

static void read_records(void *context, struct text_window *window)
{
	struct dump_parser *parser = context;
	struct text_parser *text = &parser->text;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		struct dumped_thread thread = { .has_tid = false };
		enum dump_line kind = parser->syntax->read_line(line, &thread);
		bool is_bare = kind == DUMP_FIRST_FRAME;

		text->frames.count = 0;
		text->drops_record &= kind != DUMP_THREAD && kind != DUMP_END && !is_bare;
		is_bare |= kind == DUMP_FRAME && parser->syntax->has_bare_stacks &&
			   !text->drops_record;
		if (is_bare)
			vec_push(&text->frames, line);
		if (kind == DUMP_OTHER)
			text_skip(&text->skips, text_offset(window, line.at));
		if (kind == DUMP_THREAD || kind == DUMP_OTHER || is_bare) {
			if (!read_stack(parser, window, next, &thread)) {
				text->drops_record = text_give_up(window, &text->skips);
				return;
			}
			next = window->at;
			continue;
		}
		if (!text->drops_record && (kind == DUMP_UNKNOWN || kind == DUMP_FRAME))
			text_skip(&text->skips, text_offset(window, line.at));
		window->at = next;
	}
}

const char *dump_find_thread(const struct dump_syntax *syntax, const char *from, const char *end)
{
	const char *at = from;
	const char *next = from;
	struct text line;

	while (text_next_line(&next, end, false, &line)) {
		struct dumped_thread ignored = { .has_tid = false };

		if (syntax->read_line(line, &ignored) == DUMP_THREAD)
			return at;
		at = next;
	}
	return NULL;
}

bool dump_read_samples(const struct capture *capture, struct slice slice,
		       const struct dump_syntax *syntax, const struct event_sink *sink,
		       struct error *err)
{
	struct dump_parser parser = { .syntax = syntax, .text.sink = sink };
	bool good = text_read(capture, slice, read_records, &parser, &parser.text.skips, err);

	text_report_skips(&parser.text.skips, sink);
	vec_free(&parser.text.frames);
	return good;
}
