/* SPDX-License-Identifier: MIT */
/*
 * The input formats: one table, detection by content, and a capture, which is one input opened by
 * the format that knows it.
 *
 *     capture_open ─ probe every format ─ format.open     header: attrs, facts
 *     capture_read_state                  pass 1          everything but samples; slices
 *     capture_read_samples(slice)         pass 2          samples of one slice, any thread
 */
#ifndef LIBPARSE_FORMATS_H
#define LIBPARSE_FORMATS_H

#include "compress/contents.h"
#include "base/error.h"
#include "base/input.h"
#include "base/span.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "libparse/evidence.h"
#include "libparse/folder.h"

/* What is looked at to find the format. */
#define FORMAT_HEAD_BYTES 4096

/* The records that begin in [begin, end) of the input; both are beginnings of records. */
struct slice {
	uint64_t begin, end;
	uint64_t sample_count; /* a hint; 0: not counted */
};

struct capture;

/* Of tables that a text has several times, as bpftrace prints maps at an interval: which count. */
struct snapshot_choice {
	enum {
		SNAPSHOTS_AUTO, /* see libparse/bpftrace/snapshots.h */
		SNAPSHOTS_SUM,
		SNAPSHOTS_LAST,
		SNAPSHOTS_NUMBER, /* that printing of each */
	} kind;
	uint64_t number; /* from 1 on */
};

/* "sum", "last" or a number. */
bool snapshot_choice_parse(const char *text, struct snapshot_choice *ret,
			   struct error *err) WARN_UNUSED;

/* Who knows the functions that a sample has the addresses of. */
struct function_names {
	void *context;
	/* Writes the function at an address, and if asked for how far into it that is. */
	void (*write)(void *context, uint64_t address, bool has_offset, struct sink *sink);
};

struct input_format {
	const char *name;    /* as in --input-format */
	const char *summary; /* one line of help */
	const char *title;   /* what a capture is told to be; NULL: read_state tells of that */
	/* What speaks for this format in the first bytes of an input. */
	struct evidence (*probe)(struct span head);
	/* One of these bytes is the last of a whole input; where none is, the last line was cut. NULL: of other
	 * formats. */
	const char *ends_in;
	/* Reads the header. What the format needs later hangs at capture->reader. */
	bool (*open)(struct capture *capture, struct error *err);
	/* NULL: nothing hangs there. */
	void (*close)(struct capture *capture);
	/* Tells facts, attrs and all state events in file order, and cuts capture->slices. Damage
	 * behind the first readable record is a loss event and ends the reading, not an error. NULL:
	 * there is nothing to tell but the title, and open cuts. */
	bool (*read_state)(struct capture *capture, const struct event_sink *sink,
			   struct error *err);
	/* Tells the samples of one slice in file order. Safe for concurrent calls. */
	bool (*read_samples)(const struct capture *capture, struct slice slice,
			     const struct event_sink *sink, struct error *err);
	/* Of text, whose samples have an event_text_sample: what one frame of it says. NULL: of all others. */
	event_frame_reader *read_frame;
	/* Tells what functions come to in all, where the input lacks some of their stacks. NULL: it never does. */
	void (*read_functions)(const struct capture *capture, event_function_callback *callback,
			       void *context);
	/* Names of processes and threads are shown as they are: somebody tidied them before. */
	bool has_exact_comms;
	/* Its input may pass by: all but the samples is in the head, or open spools it. */
	bool can_stream;
	/* Samples tell what they share with those before them, the outermost frame is the first, and each raw
	 * text is one frame. */
	bool has_shared_frames;
	/* Its numbers are sums that a tool made while it measured, maybe of time that threads waited: what
	 * that is called. NULL: of single samples. */
	const char *sum_name;
	uint32_t
		plain_sum_ns; /* one, where they do not say what they count; 0: then they are no time */
	/* Its events were counted and not sampled: there are no stacks. */
	bool has_counters;
	/* Writes what a sample recorded beside its stack, in words. NULL: nothing ever. */
	void (*write_trace)(const struct capture *capture, const struct event_sample *sample,
			    const struct function_names *functions, struct sink *sink);
};

struct text_stream;

struct capture {
	struct input input;
	unsigned thread_count;    /* that may work on it at once; 0: one */
	struct folder folder;     /* the input is in, and what else of the capture is there */
	struct contents contents; /* what else there is in the archive the input came in */
	const struct input_format *format;
	bool is_format_given;     /* by who opened it: nothing was detected */
	struct evidence evidence; /* that it is of this format */
	/* Of the formats of drop-ins: their own. Of those in formats_table: a snapshot_choice, or NULL. */
	const void *format_options;
	void *reader;
	VEC(struct slice) slices;
	/* Of an input that passes by, where the slices come from, some at a time: libparse/text_stream.h. NULL:
	 * they are all there. */
	struct text_stream *stream;
	/* Weights are all it has: nothing tells how many samples they are the sums of. */
	bool lacks_sample_counts;
	/* Of samples, as the header has them; 0 and 0: it has not. */
	uint64_t sample_first_ns, sample_last_ns;
	/* It is a picture, in which what was too narrow counts for what it stood on. */
	bool lacks_narrow;
	/* Set when reading ended early; what was read up to there stands. */
	bool is_partial;
	bool has_only_counters; /* of perf stat record: there are no samples */
	struct error damage;
	/* Where something else took the place of the input: the first line of that which was skipped, else 0. */
	uint64_t first_skipped_line;
};

/* All formats, NULL at the end, in any order. Each format of a subfolder is declared there. */
extern const struct input_format *const formats_table[];
extern const struct input_format backtrace_format;

/* The one of this name; the error lists those there are. NULL: there is none. */
const struct input_format *formats_find(const char *name, struct error *err);

/* Opens path ("-": standard input; of a folder, the file `data` in it) and finds its format. On failure the error names the file. */
bool capture_open(struct capture *capture, const char *path, struct error *err) WARN_UNUSED;

/* How an input is read. */
struct capture_reading {
	const struct input_format
		*format;            /* it is read as this, whatever is in it; NULL: as what it is */
	const void *format_options; /* see above */
	unsigned thread_count;      /* see above */
	bool is_read_once; /* samples are, in order and whole rounds: what comes out of a pipe may pass by */
};

bool capture_open_as(struct capture *capture, const char *path,
		     const struct capture_reading *reading, struct error *err) WARN_UNUSED;
void capture_close(struct capture *capture);

/* Notes that the last line was cut; the second does so where the format's inputs do not end in that byte. */
void capture_note_cut(struct capture *capture);
void capture_note_end(struct capture *capture, char last);

bool capture_read_state(struct capture *capture, const struct event_sink *sink,
			struct error *err) WARN_UNUSED;
bool capture_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err) WARN_UNUSED;

/* Writes the text of a tracepoint's sample; nothing for others. */
void capture_write_trace(const struct capture *capture, const struct event_sample *sample,
			 const struct function_names *functions, struct sink *sink);

#endif
