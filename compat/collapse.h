/* SPDX-License-Identifier: MIT */
/*
 * Converts `perf script` text to folded stacks, for the drop-ins for stackcollapse-perf.pl
 * (perl_reader.c) and inferno-collapse-perf (inferno_reader.c). Each tool has its own rules for
 * lines. Both share the code below: the root of a stack is the comm, and the weight is the period.
 * A raw frame of a sample is one of
 *
 *     "ffff do_idle (...)"          a line as perf printed it
 *     "\nffff Lorg/A;::a (...)"     the same, in a process whose name begins with "java"
 *     "\001bash-12/13"              the comm, always the outermost frame
 */
#ifndef COMPAT_COLLAPSE_H
#define COMPAT_COLLAPSE_H

#include "base/sink.h"
#include "cli/options.h"
#include "libparse/text.h"

/* The options of both tools; readers get them as capture->format_options. */
struct collapse_options {
	bool with_pid, with_tid; /* appended to the comm; with_tid appends both */
	bool marks_kernel, marks_jit;
	bool shows_addresses;
	bool has_source_lines; /* each frame is followed by a source line */
	/*
	 * --skip-after: drops the comm, and the callers of the innermost frame with one of these
	 * names.
	 */
	const char *const *skip_after;
	size_t skip_after_count;
	const char *event_filter; /* NULL means the first event of the text */
};

/* Not detected by content: only drop-ins select them. */
extern const struct input_format perl_format;
extern const struct input_format inferno_format;

struct collapse_command {
	const struct input_format *format;
	struct collapse_options options;
	bool marks_all;        /* --all: both marks */
	unsigned thread_count; /* 0 means one thread for each CPU */
	bool is_quiet;
};

/* Collapses an input, or standard input, to standard output. Returns the exit code; failed_code
 * after an error. */
int collapse_run(const text_list *inputs, const struct collapse_command *command, int failed_code);

/* The declarations below are for the two readers. */

/* capture->reader */
struct collapse_reader {
	struct collapse_options options;
	struct sink event; /* samples of other events are skipped */
	bool has_event;
	bool is_in_sample; /* used while searching for the first event */
};

/*
 * Opens a reader, as in struct input_format. Without an event filter, find_event_in must set the
 * event; it gets the reader as `context`. `find` finds where the input can be divided; NULL if it
 * cannot be divided.
 */
bool collapse_reader_open(struct capture *capture, text_record_callback *find_event_in,
			  text_finder *find, struct error *err) WARN_UNUSED;
void collapse_reader_close(struct capture *capture);

/* Sends the single event to which all samples belong. */
bool collapse_read_state(struct capture *capture, const struct event_sink *sink,
			 struct error *err) WARN_UNUSED;

/* The sample being read. */
struct collapse_sample {
	struct sink comm; /* as a raw frame */
	uint64_t period;
	uint64_t offset;
	VEC(struct text) frames; /* raw, innermost first */
};

void collapse_sample_init(struct collapse_sample *sample);
void collapse_sample_deinit(struct collapse_sample *sample);

/* Sets the outermost frame: the comm with spaces as '_', and the ids that the options append. */
void collapse_sample_set_comm(struct collapse_sample *sample, struct text comm, struct text pid,
			      struct text tid, const struct collapse_options *options);

/* Whether the comm begins with "java"; its raw frames then begin with a line feed. */
bool collapse_sample_is_java(const struct collapse_sample *sample);

/* Sends the sample, with or without its comm, and clears the frames. */
void collapse_sample_send(struct collapse_sample *sample, bool has_comm,
			  const struct event_sink *sink);

/* How a raw frame is named. */
struct collapse_naming {
	bool marks_kernel, marks_jit;
	bool shows_addresses;
	bool is_java;
	struct text sources; /* source lines, one for each name; appended to the names */
};

/*
 * Removes the marker from a raw frame. Returns true if the frame was the comm, which was then
 * passed to `take`. Otherwise, *naming_ret describes how to name the frame, without source lines.
 */
bool collapse_take_comm(const struct collapse_reader *reader, struct text *raw,
			struct collapse_naming *naming_ret, event_frame_callback *take,
			void *context);

/* Passes one name of a frame to the callback. */
void collapse_send_name(struct text name, event_frame_callback *take, void *context);

/* Writes the name of an unknown function: "[module]", or "[module <address>]". */
void collapse_write_unknown(struct text module, struct text address, bool shows_address,
			    struct sink *sink);

/*
 * Removes the "L" of a Java class name, which was written from `begin` on: Lorg/A; becomes org/A;
 */
void collapse_drop_class_mark(struct sink *sink, size_t begin);

#endif
