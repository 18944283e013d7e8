/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <sys/stat.h>

#include "base/memory.h"
#include "base/workers.h"
#include "compress/extract.h"
#include "libparse/bcc/bcc.h"
#include "libparse/bpftrace/bpftrace.h"
#include "libparse/callgrind/callgrind_file.h"
#include "libparse/calls/call_line.h"
#include "libparse/detect.h"
#include "libparse/dump/dumps.h"
#include "libparse/encoding.h"
#include "libparse/folded/folded_reader.h"
#include "libparse/ftrace/ftrace.h"
#include "libparse/log/log_reader.h"
#include "libparse/merged/merged_reader.h"
#include "libparse/perf/perf_reader.h"
#include "libparse/perf_report/perf_report.h"
#include "libparse/pprof/pprof_reader.h"
#include "libparse/script/perf_script.h"
#include "libparse/speedscope/speedscope_reader.h"
#include "libparse/stat/perf_stat.h"
#include "libparse/svg/svg_reader.h"
#include "libparse/text.h"
#include "libparse/text_stream.h"
#include "libparse/tracedat/tracedat.h"
#include "libparse/tree/trees.h"
#include "libparse/unwrap.h"

/* One line for each format. */
/* clang-format off */
const struct input_format *const formats_table[] = {
	&perf_format,
	&perf_script_format,
	&perf_json_format,
	&perf_report_format,
	&bcc_format,
	&bcc_histogram_format,
	&bcc_table_format,
	&bpftrace_format,
	&bpftrace_json_format,
	&folded_format,
	&svg_format,
	&merged_format,
	&pprof_format,
	&cpuprofile_format,
	&speedscope_format,
	&callgrind_format,
	&trace_dat_format,
	&ftrace_format,
	&function_graph_format,
	&dtrace_format,
	&backtrace_format,
	&java_dump_format,
	&goroutines_format,
	&macos_sample_format,
	&ghc_prof_format,
	&vtune_format,
	&visual_studio_format,
	&perf_stat_format,
	&trace_summary_format,
	NULL,
};

const struct input_format *const formats_of_calls[] = {
	&perf_trace_format,
	&strace_format,
	&strace_summary_format,
	NULL,
};

const struct input_format *const formats_of_logs[] = {
	&log_format,
	NULL,
};
/* clang-format on */

const struct input_format *formats_find(const char *name, struct error *err)
{
	struct sink known;

	for (const struct input_format *const *at = formats_of_calls; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	for (const struct input_format *const *at = formats_of_logs; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;

	for (const struct input_format *const *at = formats_table; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	sink_init_memory(&known);
	for (const struct input_format *const *at = formats_table; *at; at++)
		sink_printf(&known, "%s%s", known.used ? ", " : "", (*at)->name);
	error_set(err, ERROR_USAGE, "\"%s\" is not an input format; use one of %.*s", name,
		  (int)known.used, known.buffer);
	sink_deinit(&known);
	return NULL;
}

/*
 * For a pipe, reads only the head, because a pipe may be endless, and may contain something other
 * than a capture.
 */
static bool open_input(struct capture *capture, const char *path, struct error *err)
{
	struct stat status;

	if (strcmp(path, "-") == 0)
		return input_open_streamed(&capture->input, path, err);
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		capture->directory.path = memory_duplicate(path, strlen(path));
		return input_open_in(&capture->input, path, DIRECTORY_HEADER_NAME, err) ||
		       error_prefix(err,
				    "%s: is a directory, but not one written by perf record "
				    "--threads",
				    path);
	}
	directory_set_path_of(&capture->directory, path);
	return input_open_streamed(&capture->input, path, err);
}

static bool unwrap_input(struct capture *capture, struct error *err)
{
	unsigned char head[EXTRACT_HEAD_BYTES];
	struct extracted extracted;
	size_t got;

	if (!input_read(&capture->input, 0, head, sizeof(head), &got, err))
		return false;
	if (!extract_format(span_of(head, got, 0, false)))
		return true;
	if (!input_spool(&capture->input, err))
		return false;
	/* Files next to the compressed file do not belong to the capture in it. */
	directory_deinit(&capture->directory);
	if (!unwrap(&capture->input, &capture->directory, &capture->contents, &extracted, err))
		return false;
	capture->is_partial = extracted.is_partial;
	capture->damage = extracted.damage;
	return true;
}

void capture_note_cut(struct capture *capture)
{
	if (capture->is_partial)
		return;
	capture->is_partial = true;
	error_set(&capture->damage, ERROR_CORRUPT,
		  "the last line is truncated, so its number may "
		  "be wrong");
}

void capture_note_end(struct capture *capture, char last)
{
	const char *ends_in = capture->format->ends_in;

	if (ends_in && !(last && strchr(ends_in, last)))
		capture_note_cut(capture);
}

/* The last byte of a streamed pipe is checked later, in libparse/text_stream.c. */
static bool look_at_end(struct capture *capture, struct error *err)
{
	const struct input *input = &capture->input;
	size_t got = 0;
	char last;

	if (!capture->format->ends_in || input_is_streamed(input) || !input->size_bytes)
		return true;
	if (!input_read(input, input->size_bytes - 1, &last, 1, &got, err))
		return false;
	if (got)
		capture_note_end(capture, last);
	return true;
}

static bool start_format(struct capture *capture, bool is_read_once, struct error *err)
{
	bool is_streamed = is_read_once && capture->format->can_stream;

	return (is_streamed || input_spool(&capture->input, err)) && look_at_end(capture, err) &&
	       capture->format->open(capture, err);
}

/* Whether the command reads the format that was chosen with --input-format. */
static bool is_wanted(const struct capture *capture)
{
	const struct input_format *const *at = capture->first_formats;

	if (!capture->format->only_command)
		return true;
	while (at && *at && *at != capture->format)
		at++;
	return at && *at;
}

static bool open_format(struct capture *capture, bool is_read_once, struct error *err)
{
	unsigned char head[FORMAT_HEAD_BYTES];
	size_t got;

	if (!input_read(&capture->input, 0, head, sizeof(head), &got, err))
		return false;
	if (capture->format && !is_wanted(capture))
		return error_set(err, ERROR_USAGE, "only %s reads the format %s",
				 capture->format->only_command, capture->format->name);
	if (capture->format) {
		capture->evidence = evidence_of(CONFIDENCE_CERTAIN, "the format was set with "
								    "--input-format");
		return start_format(capture, is_read_once, err);
	}
	if (got == 0)
		return error_set(err, ERROR_FORMAT,
				 "is empty; check whether the command that writes this input "
				 "failed, and run the command again");
	capture->format = detect_first(capture->first_formats, span_of(head, got, 0, false),
				       &capture->evidence);
	if (!capture->format)
		capture->format = detect(span_of(head, got, 0, false), &capture->evidence, err);
	return capture->format && start_format(capture, is_read_once, err);
}

bool capture_open(struct capture *capture, const char *path, struct error *err)
{
	return capture_open_as(capture, path, &(struct capture_reading){ 0 }, err);
}

bool capture_open_as(struct capture *capture, const char *path,
		     const struct capture_reading *reading, struct error *err)
{
	*capture = (struct capture){
		.input.fd = -1,
		.thread_count = reading->thread_count,
		.format = reading->format,
		.first_formats = reading->first_formats,
		.is_format_given = reading->format != NULL,
		.format_options = reading->format_options,
		.early = reading->early,
	};
	directory_init(&capture->directory);
	contents_init(&capture->contents);
	if (!open_input(capture, path, err)) {
		contents_deinit(&capture->contents);
		directory_deinit(&capture->directory);
		return false;
	}
	capture->input.space = reading->space;
	if (unwrap_input(capture, err) && encoding_unwrap(&capture->input, err) &&
	    open_format(capture, reading->is_read_once, err))
		return true;
	error_prefix(err, "%s", capture->input.name);
	capture_close(capture);
	return false;
}

void capture_close(struct capture *capture)
{
	if (capture->reader && capture->format->close)
		capture->format->close(capture);
	text_stream_destroy(capture->stream);
	vec_free(&capture->slices);
	input_close(&capture->input);
	directory_deinit(&capture->directory);
	contents_deinit(&capture->contents);
	*capture = (struct capture){ .input.fd = -1 };
}

bool capture_read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct input_format *format = capture->format;

	if (format->title)
		text_report_fact(sink, FACT_FORMAT, text_of(format->title));
	text_report_fact(sink, FACT_INPUT_FORMAT, text_of(format->name));
	text_report_fact(sink, FACT_EVIDENCE, text_of(capture->evidence.reason));
	if (!format->read_state || format->read_state(capture, sink, err))
		return true;
	return error_prefix(err, "%s", capture->input.name);
}

bool capture_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err)
{
	if (capture->format->read_samples(capture, slice, sink, err))
		return true;
	return error_prefix(err, "%s", capture->input.name);
}

struct runs {
	const struct capture *capture;
	const struct event_sink *sinks;
	size_t count;
	struct run_result {
		bool failed;
		struct error err;
	} * results;
};

static void read_run(void *context, size_t index)
{
	const struct runs *runs = context;
	const struct capture *capture = runs->capture;
	struct run_result *result = &runs->results[index];
	size_t begin = capture->slices.count * index / runs->count;
	size_t end = capture->slices.count * (index + 1) / runs->count;

	for (size_t i = begin; i < end && !result->failed; i++)
		result->failed = !capture_read_samples(capture, capture->slices.at[i],
						       &runs->sinks[index], &result->err);
}

bool capture_read_all_samples(const struct capture *capture, unsigned thread_count,
			      const struct event_sink *sinks, size_t count, struct error *err)
{
	struct runs runs = { .capture = capture, .sinks = sinks, .count = count };
	bool good = true;

	runs.results = memory_zalloc(count, sizeof(*runs.results));
	workers_run(thread_count, count, read_run, &runs);
	for (size_t i = 0; good && i < count; i++) {
		good = !runs.results[i].failed;
		if (!good)
			*err = runs.results[i].err;
	}
	memory_free(runs.results);
	return good;
}

void capture_write_trace(const struct capture *capture, const struct event_sample *sample,
			 const struct function_names *functions, struct sink *sink)
{
	if (capture->format->write_trace)
		capture->format->write_trace(capture, sample, functions, sink);
}
