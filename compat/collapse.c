/* SPDX-License-Identifier: MIT */
#include "compat/collapse.h"

#include "cli/output.h"
#include "compat/dropin.h"
#include "render/text/folded.h"
#include "session/session.h"

#define JAVA_MARK '\n'
#define COMM_MARK '\001'

static bool find_event(struct capture *capture, text_record_callback *find_event_in,
		       struct error *err)
{
	struct slice whole = { .end = capture->input.size_bytes };
	struct text_skips skips = { 0 };

	return text_read(capture, whole, find_event_in, capture->reader, &skips, err);
}

bool collapse_reader_open(struct capture *capture, text_record_callback *find_event_in,
			  text_finder *find, struct error *err)
{
	struct collapse_reader *reader = memory_zalloc(1, sizeof(*reader));

	capture->reader = reader;
	sink_init_memory(&reader->event);
	reader->options = *(const struct collapse_options *)capture->format_options;
	if (reader->options.event_filter) {
		sink_puts(&reader->event, reader->options.event_filter);
		reader->has_event = true;
	}
	if (!reader->has_event && !find_event(capture, find_event_in, err))
		return false;
	/*
	 * The part of a stream that was read to detect its format may not contain an event, so read
	 * the whole stream.
	 */
	if (!reader->has_event && input_is_streamed(&capture->input)) {
		reader->is_in_sample = false;
		if (!input_spool(&capture->input, err) || !find_event(capture, find_event_in, err))
			return false;
	}
	return text_cut(capture, find, err);
}

void collapse_reader_close(struct capture *capture)
{
	struct collapse_reader *reader = capture->reader;

	sink_deinit(&reader->event);
	memory_free(reader);
}

void collapse_sample_init(struct collapse_sample *sample)
{
	*sample = (struct collapse_sample){ .period = 0 };
	sink_init_memory(&sample->comm);
}

void collapse_sample_deinit(struct collapse_sample *sample)
{
	sink_deinit(&sample->comm);
	vec_free(&sample->frames);
}

void collapse_sample_set_comm(struct collapse_sample *sample, struct text comm, struct text pid,
			      struct text tid, const struct collapse_options *options)
{
	struct sink *sink = &sample->comm;

	sink->used = 0;
	sink_char(sink, COMM_MARK);
	sink_text(sink, comm);
	if (options->with_tid || options->with_pid) {
		sink_char(sink, '-');
		sink_text(sink, pid);
	}
	if (options->with_tid) {
		sink_char(sink, '/');
		sink_text(sink, tid);
	}
	for (size_t i = 1; i < sink->used; i++)
		if (sink->buffer[i] == ' ')
			sink->buffer[i] = '_';
}

bool collapse_sample_is_java(const struct collapse_sample *sample)
{
	struct text comm = sink_memory(&sample->comm);

	return comm.length > 4 && memcmp(comm.at + 1, "java", 4) == 0;
}

void collapse_sample_send(struct collapse_sample *sample, bool has_comm,
			  const struct event_sink *sink)
{
	struct event_text_sample text = {
		.comm = { "", 0 },
		.event = text_of("samples"),
		.unit = UNIT_EVENTS,
		.sample_count = 1,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = sample->offset };

	if (has_comm)
		vec_push(&sample->frames, sink_memory(&sample->comm));
	text.frames = sample->frames.at;
	text.frame_count = (uint32_t)sample->frames.count;
	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = sample->period,
		.text = &text,
	};
	event_send(sink, &event);
	sample->frames.count = 0;
}

bool collapse_read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	(void)capture;
	(void)err;
	event_send(sink, &(struct event){
				 .kind = EVENT_ATTR,
				 .attr = { .name = text_of("samples"), .unit = UNIT_EVENTS },
			 });
	return true;
}

void collapse_send_name(struct text name, event_frame_callback *take, void *context)
{
	take(context, &(struct event_frame){ .name = name, .module = { "", 0 }, .is_exact = true });
}

static void send_comm(struct text comm, event_frame_callback *take, void *context)
{
	const char *at = comm.at;
	const char *end = comm.at + comm.length;

	for (;;) {
		const char *stop = memchr(at, ';', (size_t)(end - at));

		collapse_send_name((struct text){ at, (uint32_t)((stop ? stop : end) - at) }, take,
				   context);
		if (!stop)
			return;
		at = stop + 1;
	}
}

bool collapse_take_comm(const struct collapse_reader *reader, struct text *raw,
			struct collapse_naming *naming_ret, event_frame_callback *take,
			void *context)
{
	const struct collapse_options *options = &reader->options;
	bool is_comm = raw->length && raw->at[0] == COMM_MARK;

	*naming_ret = (struct collapse_naming){
		.marks_kernel = options->marks_kernel,
		.marks_jit = options->marks_jit,
		.shows_addresses = options->shows_addresses,
		.is_java = raw->length && raw->at[0] == JAVA_MARK,
	};
	if (is_comm || naming_ret->is_java)
		*raw = (struct text){ raw->at + 1, raw->length - 1 };
	if (is_comm)
		send_comm(*raw, take, context);
	return is_comm;
}

void collapse_write_unknown(struct text module, struct text address, bool shows_address,
			    struct sink *sink)
{
	sink_char(sink, '[');
	if (text_is(module, "[unknown]"))
		sink_puts(sink, "unknown");
	else
		sink_text(sink, text_basename(module));
	if (shows_address) {
		sink_puts(sink, " <");
		sink_text(sink, address);
		sink_char(sink, '>');
	}
	sink_char(sink, ']');
}

void collapse_drop_class_mark(struct sink *sink, size_t begin)
{
	char *name = sink->buffer + begin;
	size_t length = sink->used - begin;

	if (!length || *name != 'L' || !memchr(name, '/', length))
		return;
	memmove(name, name + 1, length - 1);
	sink->used--;
}

static bool open_and_build(struct session *session, const char *input,
			   const struct collapse_command *command, struct error *err)
{
	/* The comm is already the first frame, so nothing is grouped. */
	static const struct view view = {
		.ignores_inlines = true,
		.naming = { .keeps_separators = true },
	};
	const struct session_options options = {
		.view = &view,
		.thread_count = command->thread_count,
		.ignores_host = true,
		.format = command->format,
		.format_options = &command->options,
		.is_read_once = true,
	};

	if (!session_open(session, input, &options, err))
		return false;
	if (session_build_profile(session, err))
		return true;
	session_close(session);
	return false;
}

static bool collapse(const char *input, const struct collapse_command *command, struct sink *sink,
		     struct error *err)
{
	struct session session;
	const struct profile *profile = &session.profile;
	uint64_t skipped_count;

	if (!open_and_build(&session, input, command, err))
		return false;
	skipped_count = profile->losses[LOSS_SKIPPED_LINES] + profile->losses[LOSS_LONG_LINES];
	if (skipped_count && !command->is_quiet)
		fprintf(stderr, "Unrecognized lines: %llu, the first is line %llu\n",
			(unsigned long long)skipped_count,
			(unsigned long long)profile->first_skipped_line);
	folded_write(profile, sink);
	session_close(&session);
	if (!command->is_quiet)
		dropin_warn_empty(sink);
	return true;
}

int collapse_run(const text_list *inputs, const struct collapse_command *command, int failed_code)
{
	struct collapse_command used = *command;
	const char *input = inputs->count ? inputs->at[0] : "-";
	struct output output;
	struct error err;
	bool good;

	if (inputs->count > 1) {
		fprintf(stderr, "kiln: only one input is supported, not %zu\n", inputs->count);
		return failed_code;
	}
	used.options.marks_kernel |= command->marks_all;
	used.options.marks_jit |= command->marks_all;
	good = output_open(&output, NULL, &err) &&
	       output_close(&output, collapse(input, &used, &output.sink, &err), &err);
	if (!good)
		command_fail(&err);
	return good ? EXIT_DONE : failed_code;
}
