/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text as the tools that kiln stands in for collapse it, for the drop-ins alone: formats nobody
 * detects. What their readers share: samples whose outermost frame is the comm, whose other frames are the
 * lines as they are printed, and which weigh what their periods say.
 *
 *     \001bash-12/13     \tffff do_idle (...)     \n\tffff Lorg/A;::a (...)
 *     the comm           a line                   a line of a process called java...: another name
 */
#ifndef COMPAT_COLLAPSE_FRAME_H
#define COMPAT_COLLAPSE_FRAME_H

#include "base/sink.h"
#include "libparse/text.h"

/* The options of those tools, as capture->format_options. */
struct collapse_options {
	bool with_pid, with_tid; /* behind the comm; with_tid has both */
	bool marks_kernel, marks_jit;
	bool shows_addresses;
	bool has_source_lines; /* a line with the place in the source is behind each frame */
	/* What is called by these is shown, and not who calls them. */
	const char *const *last_names;
	size_t last_name_count;
	const char *event_filter; /* NULL: the first event there is */
};

/* What is kept of a capture, as capture->reader. */
struct collapse_reader {
	struct collapse_options options;
	struct sink event; /* the only one that is taken */
	bool has_event;
	bool is_in_sample; /* where the first event is looked for */
};

/* As those of struct input_format. take_event finds reader->event where the options have none; its context is the
 * reader. find is where the input can be cut, or NULL. */
bool collapse_reader_open(struct capture *capture, text_taker *take_event, text_finder *find,
			  struct error *err) WARN_UNUSED;
void collapse_reader_close(struct capture *capture);

/* A sample under way. */
struct collapse_sample {
	struct sink comm; /* its mark before it */
	uint64_t period;
	uint64_t offset;
	VEC(struct text) frames; /* innermost first */
};

void collapse_sample_init(struct collapse_sample *sample);
void collapse_sample_deinit(struct collapse_sample *sample);

/* What the outermost frame is called: the comm, blanks in it as '_', and the numbers that are wanted. */
void collapse_sample_set_comm(struct collapse_sample *sample, struct text comm, struct text pid,
			      struct text tid, const struct collapse_options *options);

/* Whether its frames have to begin with the end of the line before. */
bool collapse_sample_is_java(const struct collapse_sample *sample);

/* Tells of the sample, on its comm or without. Behind the last frame there is none afterwards. */
void collapse_sample_send(struct collapse_sample *sample, bool has_comm,
			  const struct event_sink *sink);

/* Tells what all of them are. */
bool collapse_read_state(struct capture *capture, const struct event_sink *sink,
			 struct error *err) WARN_UNUSED;

/* How names of a frame are made. */
struct collapse_naming {
	bool marks_kernel, marks_jit;
	bool shows_addresses;
	bool is_java;        /* of a process called java... */
	struct text sources; /* lines, one for each name, whose places in the source go behind it */
};

/*
 * Takes the marks off a raw text. True: it was the comm, whose frames have been told. Else *naming_ret says how
 * those of the frame are made, without sources.
 */
bool collapse_take_comm(const struct collapse_reader *reader, struct text *raw,
			struct collapse_naming *naming_ret, event_frame_callback *take,
			void *context);

/* What stands for a function without a name: its module in brackets, and its address if that is to be shown. */
void collapse_write_unknown(struct text module, struct text address, bool shows_address,
			    struct sink *sink);

/* Drops the L before a name written since begin that is a class of Java. */
void collapse_drop_class_mark(struct sink *sink, size_t begin);

#endif
