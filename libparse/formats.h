/* SPDX-License-Identifier: MIT */
/*
 * The table of input formats, detection by content, and captures. A capture is an input that was
 * opened with its format.
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
#include "libparse/early_samples.h"
#include "libparse/event.h"
#include "libparse/evidence.h"
#include "libparse/directory.h"

/* The number of bytes of the input that are passed to probes. */
#define FORMAT_HEAD_BYTES 4096

/* The records in [begin, end) of the input. Records begin at both offsets. */
struct slice {
	uint64_t begin, end;
	uint64_t sample_count; /* a hint; 0 if the samples were not counted */
};

struct capture;

/*
 * Chooses a snapshot if a text has several snapshots of each map, as printed by bpftrace at
 * intervals.
 */
struct snapshot_choice {
	enum {
		SNAPSHOTS_AUTO, /* see libparse/bpftrace/snapshots.h */
		SNAPSHOTS_SUM,
		SNAPSHOTS_LAST,
		SNAPSHOTS_NUMBER, /* the snapshot with this number */
	} kind;
	uint64_t number; /* counted from 1 */
};

/* Parses "sum", "last" or a number. */
bool snapshot_choice_parse(const char *text, struct snapshot_choice *ret,
			   struct error *err) WARN_UNUSED;

/* Finds function names for the addresses in a sample. */
struct function_names {
	void *context;
	/*
	 * Writes the name of the function at an address. has_offset: also writes the offset in it.
	 */
	void (*write)(void *context, uint64_t address, bool has_offset, struct sink *sink);
};

struct input_format {
	const char *name;    /* for --input-format */
	const char *summary; /* one line of help */
	const char *title; /* as kiln info prints the title; if NULL, read_state sends the title */
	/* How likely it is that an input with these first bytes has this format. */
	struct evidence (*probe)(struct span head);
	/*
	 * A complete input ends in one of these bytes. If an input ends in another byte, its last
	 * line is truncated. If NULL, any byte may be the last.
	 */
	const char *ends_in;
	/* Reads the header. The format stores its state in capture->reader. */
	bool (*open)(struct capture *capture, struct error *err);
	/* Frees capture->reader; NULL if there is nothing to free. */
	void (*close)(struct capture *capture);
	/*
	 * Sends facts, attrs and all state events in file order, and makes capture->slices. Corrupt
	 * data after the first readable record is not an error: reading stops there, with a loss
	 * event. If NULL, only the title is sent, and open makes the slices. May send samples to
	 * capture->early.
	 */
	bool (*read_state)(struct capture *capture, const struct event_sink *sink,
			   struct error *err);
	/* Sends the samples of a slice in file order. Thread-safe. */
	bool (*read_samples)(const struct capture *capture, struct slice slice,
			     const struct event_sink *sink, struct error *err);
	/*
	 * Parses one raw frame of an event_text_sample, for texts. NULL if the format is not a
	 * text.
	 */
	event_frame_reader *read_frame;
	/*
	 * Sends the totals of functions if the input omits some stacks. NULL if the format never
	 * omits stacks.
	 */
	void (*read_functions)(const struct capture *capture, event_function_callback *callback,
			       void *context);
	/* Comms are shown unchanged, because another tool has already processed them. */
	bool has_exact_comms;
	/*
	 * A pipe can be streamed: everything except samples is at its start, or the callback `open`
	 * spools the pipe.
	 */
	bool can_stream;
	/*
	 * Samples state how many frames they share with the previous one. The root frame comes
	 * first, and each raw text is exactly one frame.
	 */
	bool has_shared_frames;
	/*
	 * The name of the weights, such as "off-CPU time", if the recording tool aggregated them.
	 * NULL: the format has individual samples.
	 */
	const char *sum_name;
	/* unit of weights if the input states none; 0 if weights are not durations */
	uint32_t plain_sum_ns;
	/* The format has counters, not samples, and no stacks. */
	bool has_counters;
	/* The only command that reads this format. NULL if several commands read the format. */
	const char *only_command;
	/*
	 * Writes the tracepoint fields of a sample as text. NULL if the format has no such fields.
	 */
	void (*write_trace)(const struct capture *capture, const struct event_sample *sample,
			    const struct function_names *functions, struct sink *sink);
};

struct text_stream;
struct read_cache;

struct capture {
	struct input input;
	unsigned thread_count; /* threads that may read in parallel; 0 means one */
	struct directory
		directory;        /* the directory of the input, with other files of the capture */
	struct contents contents; /* other files in the input's archive */
	const struct input_format *format;
	const struct input_format *const *first_formats; /* as in struct capture_reading */
	bool is_format_given;                            /* chosen by the caller, not detected */
	struct evidence evidence;                        /* evidence for this format */
	/*
	 * Options of the format: a snapshot_choice or NULL. Formats of drop-ins have their own
	 * options.
	 */
	const void *format_options;
	struct early_samples *early; /* as in struct capture_reading */
	void *reader;
	VEC(struct slice) slices;
	/* For reading single records, by one thread only; borrowed, and usually NULL. */
	struct read_cache *cache;
	/*
	 * For a streamed pipe, produces the slices, one buffer at a time (libparse/text_stream.h).
	 * If NULL, `slices` has all slices.
	 */
	struct text_stream *stream;
	/* The number of samples from which weights were summed is unknown. */
	bool lacks_sample_counts;
	/*
	 * Times of the first and last sample, according to the header; both are 0 if not recorded.
	 */
	uint64_t sample_first_ns, sample_last_ns;
	/*
	 * The input is an SVG. Frames that were too narrow to draw are missing; their weight counts
	 * as self weight of their parents.
	 */
	bool lacks_narrow;
	/* Reading ended early; what was read so far is valid. */
	bool is_partial;
	struct text default_event; /* which the format says to show first; empty if none */
	bool has_only_counters;    /* the input is from perf stat record, and has no samples */
	struct error damage;
	/*
	 * The first skipped line, if the input was replaced by a text derived from it. Otherwise 0.
	 */
	uint64_t first_skipped_line;
};

/* Formats of system calls, for which kiln syscalls looks before all others; NULL-terminated. */
extern const struct input_format *const formats_of_calls[];

/* Formats of event logs, for which kiln events looks before all others; NULL-terminated. */
extern const struct input_format *const formats_of_logs[];

/* All other formats, NULL-terminated. Formats in subdirectories are declared in headers there. */
extern const struct input_format *const formats_table[];
extern const struct input_format cpuprofile_format;
extern const struct input_format dtrace_format;
extern const struct input_format perf_json_format;

/* The format with this name, or NULL with an error that lists the names in formats_table. */
const struct input_format *formats_find(const char *name, struct error *err);

/*
 * Opens path and finds its format. "-" is standard input. If path is a directory, opens the file
 * `data` in it. The error names the file.
 */
bool capture_open(struct capture *capture, const char *path, struct error *err) WARN_UNUSED;

/* How an input is read. */
struct capture_reading {
	const struct input_format
		*format;            /* the format of the input; if NULL, the format is detected */
	const void *format_options; /* as in struct capture */
	unsigned thread_count;      /* as in struct capture */
	/* formats to look for first; NULL-terminated. NULL if none */
	const struct input_format *const *first_formats;
	bool is_read_once; /* samples are read once and in order, so a pipe may be streamed */
	struct temporary_space *space; /* limit of the temporary files; see struct input */
	struct early_samples *early;   /* wanted from the first pass; borrowed. NULL if none */
};

bool capture_open_as(struct capture *capture, const char *path,
		     const struct capture_reading *reading, struct error *err) WARN_UNUSED;
void capture_close(struct capture *capture);

/*
 * capture_note_cut marks the capture's last line as truncated. capture_note_end does so only if no
 * complete input of this format ends in `last`.
 */
void capture_note_cut(struct capture *capture);
void capture_note_end(struct capture *capture, char last);

bool capture_read_state(struct capture *capture, const struct event_sink *sink,
			struct error *err) WARN_UNUSED;
bool capture_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err) WARN_UNUSED;

/*
 * Reads all samples with several threads. Slices are divided into `count` runs of about equal
 * length; sinks[i] gets the samples of run i. Fails with the error of the first failed run.
 */
bool capture_read_all_samples(const struct capture *capture, unsigned thread_count,
			      const struct event_sink *sinks, size_t count,
			      struct error *err) WARN_UNUSED;

/* Writes the fields of a tracepoint sample. For other samples, does nothing. */
void capture_write_trace(const struct capture *capture, const struct event_sample *sample,
			 const struct function_names *functions, struct sink *sink);

#endif
