/* SPDX-License-Identifier: MIT */
/*
 * The table of input formats, detection by content, and captures: a capture is an input opened with
 * its format.
 *
 *     capture_open ─ probe all formats ─ format.open     the header
 *     capture_read_state                 pass 1          everything except samples; makes slices
 *     capture_read_samples(slice)        pass 2          the samples of a slice, on any thread
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

/* The bytes that probes get. */
#define FORMAT_HEAD_BYTES 4096

/* The records in [begin, end) of the input. Records begin at both offsets. */
struct slice {
	uint64_t begin, end;
	uint64_t sample_count; /* a hint; 0: not counted */
};

struct capture;

/*
 * Which snapshots count if a text has several of each map, as printed by bpftrace at an interval.
 */
struct snapshot_choice {
	enum {
		SNAPSHOTS_AUTO, /* see libparse/bpftrace/snapshots.h */
		SNAPSHOTS_SUM,
		SNAPSHOTS_LAST,
		SNAPSHOTS_NUMBER, /* the one with this number */
	} kind;
	uint64_t number; /* counted from 1 */
};

/* Parses "sum", "last" or a number. */
bool snapshot_choice_parse(const char *text, struct snapshot_choice *ret,
			   struct error *err) WARN_UNUSED;

/* Names the functions at addresses of a sample. */
struct function_names {
	void *context;
	/* Writes the function at an address; with has_offset, also the offset in it. */
	void (*write)(void *context, uint64_t address, bool has_offset, struct sink *sink);
};

struct input_format {
	const char *name;    /* for --input-format */
	const char *summary; /* one line of help */
	const char *title;   /* name in the output of kiln info; NULL: sent by read_state */
	/* How likely the first bytes of an input are this format. */
	struct evidence (*probe)(struct span head);
	/*
	 * A complete input ends in one of these bytes; otherwise its last line is truncated. NULL:
	 * any byte.
	 */
	const char *ends_in;
	/* Reads the header. The format keeps its data in capture->reader. */
	bool (*open)(struct capture *capture, struct error *err);
	/* Frees capture->reader; NULL: not needed. */
	void (*close)(struct capture *capture);
	/*
	 * Sends facts, attrs and all state events in file order, and makes capture->slices. Corrupt
	 * data after the first readable record is not an error: it ends reading, with a loss event.
	 * NULL: only the title is sent, and open makes the slices.
	 */
	bool (*read_state)(struct capture *capture, const struct event_sink *sink,
			   struct error *err);
	/* Sends the samples of a slice in file order. Thread-safe. */
	bool (*read_samples)(const struct capture *capture, struct slice slice,
			     const struct event_sink *sink, struct error *err);
	/* For texts: parses one raw frame of an event_text. NULL for other formats. */
	event_frame_reader *read_frame;
	/*
	 * Sends the totals of functions if the input lacks some of their stacks. NULL: it never
	 * does.
	 */
	void (*read_functions)(const struct capture *capture, event_function_callback *callback,
			       void *context);
	/* Comms are shown unchanged, because another tool has already processed them. */
	bool has_exact_comms;
	/* A pipe can be streamed: everything except samples is at its start, or open spools it. */
	bool can_stream;
	/*
	 * Samples state how many frames they share with the one before; the root frame is first,
	 * and each raw text is one frame.
	 */
	bool has_shared_frames;
	/*
	 * The name of its weights if these were aggregated by the recording tool, such as off-CPU
	 * time. NULL: it has single samples.
	 */
	const char *sum_name;
	uint32_t plain_sum_ns; /* the unit of weights without a unit; 0: not a time */
	/* Its events were counted, not sampled: there are no stacks. */
	bool has_counters;
	/* Writes the tracepoint fields of a sample as text. NULL: it has none. */
	void (*write_trace)(const struct capture *capture, const struct event_sample *sample,
			    const struct function_names *functions, struct sink *sink);
};

struct text_stream;

struct capture {
	struct input input;
	unsigned thread_count;    /* that may read it at the same time; 0: one */
	struct folder folder;     /* of the input, with other files of the capture */
	struct contents contents; /* other files in the archive of the input */
	const struct input_format *format;
	bool is_format_given;     /* by the caller, so nothing was detected */
	struct evidence evidence; /* for this format */
	/* For formats of drop-ins their own options; for others a snapshot_choice or NULL. */
	const void *format_options;
	void *reader;
	VEC(struct slice) slices;
	/*
	 * Provides the slices of a streamed pipe one after another: libparse/text_stream.h. NULL:
	 * all slices are known.
	 */
	struct text_stream *stream;
	/* The numbers of samples behind the weights are unknown. */
	bool lacks_sample_counts;
	/* Times of the first and last sample in the header; both 0: not recorded. */
	uint64_t sample_first_ns, sample_last_ns;
	/* It is an SVG, in which frames too narrow to be drawn count for their parents. */
	bool lacks_narrow;
	/* Reading ended early; what was read up to there is valid. */
	bool is_partial;
	bool has_only_counters; /* by perf stat record: there are no samples */
	struct error damage;
	/*
	 * If another text was read in place of the input, the first skipped line of that; else 0.
	 */
	uint64_t first_skipped_line;
};

/* All formats, NULL-terminated. Formats in subfolders are declared there. */
extern const struct input_format *const formats_table[];
extern const struct input_format backtrace_format;

/* The format with this name, or NULL with an error that lists all names. */
const struct input_format *formats_find(const char *name, struct error *err);

/*
 * Opens path and finds its format. "-" is standard input; of a folder, the file `data` is opened.
 * The error names the file.
 */
bool capture_open(struct capture *capture, const char *path, struct error *err) WARN_UNUSED;

/* How an input is read. */
struct capture_reading {
	const struct input_format *format; /* read it as this format; NULL: detect it */
	const void *format_options;        /* as in struct capture */
	unsigned thread_count;             /* as in struct capture */
	bool is_read_once; /* samples are read once and in order, so a pipe may be streamed */
	struct temporary_space *space; /* as of struct input */
};

bool capture_open_as(struct capture *capture, const char *path,
		     const struct capture_reading *reading, struct error *err) WARN_UNUSED;
void capture_close(struct capture *capture);

/*
 * Records that the last line is truncated; the second only if inputs of the format do not end in
 * that byte.
 */
void capture_note_cut(struct capture *capture);
void capture_note_end(struct capture *capture, char last);

bool capture_read_state(struct capture *capture, const struct event_sink *sink,
			struct error *err) WARN_UNUSED;
bool capture_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err) WARN_UNUSED;

/*
 * Reads all samples with several threads: sinks[i] gets the i-th of count runs of slices, which are
 * of equal length. Fails with the error of the first run that failed.
 */
bool capture_read_all_samples(const struct capture *capture, unsigned thread_count,
			      const struct event_sink *sinks, size_t count,
			      struct error *err) WARN_UNUSED;

/* Writes the fields of a tracepoint sample; nothing for other samples. */
void capture_write_trace(const struct capture *capture, const struct event_sample *sample,
			 const struct function_names *functions, struct sink *sink);

#endif
