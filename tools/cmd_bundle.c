/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/inputs.h"
#include "cli/progress.h"
#include "session/bundle.h"

/* The default of --min-share. One sample in ten thousand is hardly visible in any output. */
#define LEAST_SHARE 0.0001

#define KPTR_HIDDEN_FROM_ALL 2

/* Returns the module with the most locations among those without a file. */
static const struct module *most_used_missing(const struct session *session,
					      const struct bundle_options *options)
{
	const struct modules *modules = session->profile.modules;
	const struct module *most = NULL;

	for (size_t i = 0; i < modules->rows.count; i++) {
		const struct module *module = &modules->rows.at[i];

		if (bundle_lacks(module) && !bundle_leaves_out(session, options, module) &&
		    (!most || module->location_count > most->location_count))
			most = module;
	}
	return most;
}

/* Writes how many DSOs were omitted because of --min-share. */
static void write_skipped(const struct bundle_report *report, struct sink *sink)
{
	if (report->small_count)
		sink_printf(sink,
			    "; skipped %zu file%s below --min-share, in at most %.4f%% of the "
			    "samples%s",
			    report->small_count, report->small_count > 1 ? "s" : "",
			    100 * report->small_share, report->small_count > 1 ? " each" : "");
}

static void write_sources(const struct bundle_report *report, struct sink *sink)
{
	sink_printf(sink, "; source lines of %zu file%s", report->source_count,
		    report->source_count == 1 ? "" : "s");
	if (report->newer_source_count)
		sink_printf(sink, " (%zu changed after the capture)", report->newer_source_count);
	if (report->missing_source_count)
		sink_printf(sink, ", %zu source file%s not found%s %s (%s)",
			    report->missing_source_count,
			    report->missing_source_count > 1 ? "s" : "",
			    report->missing_source_count > 1 ? ", the most used is" : ":",
			    report->missing_source, report->missing_source_reason);
}

/*
 * Writes the command that can read these files. With kptr_restrict=2, addresses are hidden even
 * from root.
 */
static void write_remedy(const struct settings *settings, const struct session *session,
			 const struct bundle_denied *denied, struct sink *sink)
{
	if (denied->is_kernel && denied->kptr_restrict >= KPTR_HIDDEN_FROM_ALL)
		sink_puts(sink, "sudo sysctl kernel.kptr_restrict=0, then repeat this command");
	else
		sink_printf(sink, "sudo kiln bundle %s -o %s", session->capture.input.name,
			    settings->output ? settings->output : "host.bundle.tar.zst");
}

/*
 * Warns of files that this user cannot read, and of samples that have no symbols because of this.
 */
static void warn_of_denied(const struct settings *settings, const struct session *session)
{
	struct bundle_denied denied = bundle_denied_of(session);
	struct sink sink;

	if (!denied.is_kernel && !denied.file)
		return;
	sink_init_memory(&sink);
	if (denied.is_kernel)
		sink_printf(
			&sink,
			"the kernel's symbols (in %.1f%% of the samples; kernel.kptr_restrict is "
			"%d, kernel.perf_event_paranoid is %d)%s",
			100 * denied.kernel_share, denied.kptr_restrict, denied.paranoid,
			denied.file ? " and " : "");
	if (denied.file)
		sink_printf(&sink, "%zu file%s (%s%s, in %.1f%% of the samples)", denied.file_count,
			    denied.file_count > 1 ? "s" : "",
			    denied.file_count > 1 ? "most used: " : "",
			    strings_text(session->profile.strings, denied.file->path),
			    100 * denied.file_share);
	sink_puts(&sink, "; run: ");
	write_remedy(settings, session, &denied, &sink);
	sink_char(&sink, '\0');
	command_warn(settings, "no permission to read %s", sink.buffer);
	sink_deinit(&sink);
}

static void print_result(const struct settings *settings, const struct session *session,
			 const struct bundle_options *options, const struct bundle_report *report,
			 uint64_t size_bytes)
{
	const struct module *missing = most_used_missing(session, options);
	const struct strings *strings = session->profile.strings;
	struct sink text;

	warn_of_denied(settings, session);
	sink_init_memory(&text);
	if (missing)
		sink_printf(&text, "; no file for %zu of these DSOs%s %s: %s",
			    report->missing_count,
			    report->missing_count > 1 ? "; the most used is" : ":",
			    strings_text(strings, missing->path),
			    strings_text(strings, missing->reason));
	write_skipped(report, &text);
	if (options->has_sources)
		write_sources(report, &text);
	sink_char(&text, '\0');
	command_warn(settings, "%s: %" PRIu64 " bytes: the capture and %zu %s for %zu %s%s",
		     output_name(settings->output), size_bytes, report->file_count,
		     report->file_count == 1 ? "file" : "files", report->module_count,
		     report->module_count == 1 ? "DSO" : "DSOs", text.buffer);
	sink_deinit(&text);
}

/* Parses --min-share: a percentage, with or without a percent sign. */
static bool parse_share(const struct settings *settings, double *ret, struct error *err)
{
	const char *text = settings->min_share;
	double percent;
	char *end;

	*ret = settings->wants_all ? 0 : LEAST_SHARE;
	if (!text)
		return true;
	percent = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) || !(percent >= 0 && percent <= 100))
		return error_set(err, ERROR_USAGE,
				 "--min-share requires a percentage such as 0.01%%, not "
				 "\"%s\"",
				 text);
	*ret = percent / 100;
	return true;
}

/* Reading samples, symbolising and packing all happen while the bundle is written. */
static void begin_progress(const struct settings *settings, struct session *session,
			   struct progress *progress)
{
	progress_begin(progress, !settings->is_quiet);
	session->options.on_progress = progress_update;
	session->options.on_download = progress_fetch;
	session->options.on_step = progress_step;
	session->options.progress_context = progress;
}

static void end_progress(struct session *session, struct progress *progress)
{
	progress_end(progress);
	session->options.on_progress = NULL;
	session->options.on_download = NULL;
	session->options.on_step = NULL;
}

static bool write_bundle(const struct settings *settings, const struct bundle_options *options,
			 struct session *session, struct sink *sink, struct error *err)
{
	struct bundle_report report;
	struct progress progress;
	bool good;

	session->options.touches_all_modules = settings->wants_all;
	begin_progress(settings, session, &progress);
	good = bundle_write(session, options, settings->output, sink, &report, err);
	end_progress(session, &progress);
	if (!good)
		return error_prefix(err, "%s", output_name(settings->output));
	print_result(settings, session, options, &report, sink->written + sink->used);
	return true;
}

static bool check(const struct settings *settings, struct error *err)
{
	if (settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "a bundle contains only one capture; give only "
				 "one input");
	if (settings->source_directories.count && !settings->wants_sources)
		return error_set(err, ERROR_USAGE, "--source-dir requires --sources");
	return output_check_terminal(settings->output, "an archive", err);
}

static enum exit_code run(struct settings *settings)
{
	struct bundle_options options = {
		.is_full = settings->wants_full,
		.has_sources = settings->wants_sources,
		.source_directories = settings->source_directories.at,
		.source_directory_count = settings->source_directories.count,
	};
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!check(settings, &err) || !parse_share(settings, &options.least_share, &err))
		return command_fail(&err);
	settings->reads_lines = true;
	settings->reports_missing = true;
	command_open(&inputs, &output, settings);
	output_write_unchanged(&output);
	while (inputs_next(&inputs)) {
		inputs_check(&inputs, write_bundle(settings, &options, &inputs.session,
						   &output.sink, &inputs.err));
		inputs_close(&inputs, NULL);
	}
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&settings_bundle,     &settings_symbols,      &settings_common,
	&settings_perf_input, &settings_perf_symbols, NULL,
};

static const char *const common[] = {
	"output",     "full",          "min-share",    "all",  "sources", "source-dir", "symbols",
	"debuginfod", "no-host-files", "input-format", "jobs", "quiet",   "help",       NULL,
};

const struct command command_bundle = {
	.name = "bundle",
	.topic = TOPIC_CONVERT,
	.summary = "pack a capture and its symbols into one file",
	.description =
		"Packs a capture together with the symbols for its frames. Run kiln bundle on the "
		"machine where the capture was made. On any other machine, kiln reads the bundle "
		"like the capture itself.",
	.arguments = "[options] [INPUT]",
	.examples = { "kiln bundle perf.data -o host.bundle.tar.zst",
		      "kiln bundle --full perf.data -o host.bundle.tar.zst" },
	.common = common,
	.groups = groups,
	.run = run,
};
