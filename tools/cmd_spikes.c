/* SPDX-License-Identifier: MIT */
#include "cli/duration.h"
#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "render/text/spike_table.h"

/* Narrower windows are rarely of interest, and wider ones are phases of the program. */
#define NARROWEST_NS 10000000u
#define WIDEST_NS    1000000000u
/*
 * Samples in the narrowest window, on average. With fewer, only functions that are otherwise rare
 * could be significant.
 */
#define NARROWEST_SAMPLES 8
/* Bins in the narrowest window: they determine how exact the borders of windows are. */
#define NARROWEST_BINS 10

/* Parses --width MIN[,MAX]. */
static bool parse_widths(const struct settings *settings, uint64_t *narrowest_ns,
			 uint64_t *widest_ns, struct error *err)
{
	const char *comma = settings->spike_widths ? strchr(settings->spike_widths, ',') : NULL;
	char first[32];

	*narrowest_ns = NARROWEST_NS;
	*widest_ns = WIDEST_NS;
	if (!settings->spike_widths)
		return true;
	(void)snprintf(first, sizeof(first), "%.*s",
		       comma ? (int)(comma - settings->spike_widths) : 31, settings->spike_widths);
	if (!duration_parse("width", first, narrowest_ns, err) ||
	    (comma && !duration_parse("width", comma + 1, widest_ns, err)))
		return false;
	if (!comma && *widest_ns < *narrowest_ns * 2)
		*widest_ns = *narrowest_ns * 2;
	return (*narrowest_ns >= 2 && *widest_ns >= *narrowest_ns) ||
	       error_set(err, ERROR_USAGE, "--width %s: use MIN,MAX, such as 10ms,1s",
			 settings->spike_widths);
}

/* The narrowest window in bins: an even number, as windows overlap by half. */
static size_t narrowest_bins(const struct profile *profile, uint64_t narrowest_ns)
{
	uint64_t span_ns = profile->last_time_ns - profile->first_time_ns;
	uint64_t width_ns = narrowest_ns;
	size_t bins;

	while (width_ns < span_ns / 4 && (double)width_ns * (double)profile->view_sample_count <
						 (double)span_ns * NARROWEST_SAMPLES)
		width_ns *= 2;
	bins = (size_t)((width_ns + profile->bin_ns - 1) / profile->bin_ns);
	return bins < 2 ? 2 : bins + bins % 2;
}

static void write_spikes(const struct settings *settings, const char *input_name,
			 uint64_t narrowest_ns, uint64_t widest_ns, const struct profile *profile,
			 struct sink *sink)
{
	struct function_series series;
	struct spikes spikes;
	struct spike_groups groups;
	struct spike_options search = {
		.narrowest = narrowest_bins(profile, narrowest_ns),
		.widest = (size_t)(widest_ns / profile->bin_ns),
		.confidence = settings->spike_confidence,
	};
	struct spike_table_options options = {
		.is_json = settings->is_json,
		.limit = settings->limit,
		.input_name = input_name,
		.narrowest_ns = search.narrowest * profile->bin_ns,
		.confidence = search.confidence,
	};

	if (search.widest < search.narrowest)
		search.widest = search.narrowest;
	options.widest_ns = search.widest * profile->bin_ns;
	function_series_init(&series, profile);
	spikes_find(&spikes, &series, &search);
	spike_groups_init(&groups, &spikes);
	spike_table_write(profile, &spikes, &groups, &options, sink);
	spike_groups_deinit(&groups);
	spikes_deinit(&spikes);
	function_series_deinit(&series);
}

static bool check(const struct settings *settings, struct error *err)
{
	if (settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "kiln spikes requires a single input, because clocks of several "
				 "captures may differ");
	return (settings->spike_confidence > 0 && settings->spike_confidence < 1) ||
	       error_set(err, ERROR_USAGE,
			 "--confidence: use a number between 0 and 1, such as 0.999");
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;
	uint64_t narrowest_ns, widest_ns;

	if (!check(settings, &err) || !parse_widths(settings, &narrowest_ns, &widest_ns, &err))
		return command_fail(&err);
	settings->view.selection.no_idle = true;
	settings->view.weighing.kind = WEIGHING_SAMPLES;
	settings->view.has_time_bins = true;
	settings->view.time_bin_ns =
		narrowest_ns > NARROWEST_BINS ? narrowest_ns / NARROWEST_BINS : 1;
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile)) {
		if (profile.bin_ns)
			write_spikes(settings, inputs.paths.at[0], narrowest_ns, widest_ns,
				     &profile, &output.sink);
		else
			inputs_check(&inputs, error_set(&inputs.err, ERROR_UNSUPPORTED,
							"%s: samples have no timestamps, but kiln "
							"spikes compares time windows",
							inputs.paths.at[0]));
	}
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

#define AT(field) offsetof(struct settings, field)

static const struct option spike_options[] = {
	{ .name = "width",
	  .kind = OPTION_TEXT,
	  .offset = AT(spike_widths),
	  .argument = "MIN[,MAX]",
	  .help = "test windows of these widths (default: 10ms,1s)",
	  .more = "Each width is twice the previous width. If samples are rare, the narrowest "
		  "window is widened until it holds 8 samples on average" },
	{ .name = "confidence",
	  .kind = OPTION_REAL,
	  .offset = AT(spike_confidence),
	  .argument = "SHARE",
	  .maximum = 1,
	  .help = "set the confidence required to report a window (default: 0.999)",
	  .more = "SHARE is the probability that nothing is reported for a capture without spikes" },
	{ .short_name = 'n',
	  .name = "limit",
	  .kind = OPTION_NUMBER,
	  .offset = AT(limit),
	  .argument = "N",
	  .minimum = 1,
	  .maximum = UINT64_MAX,
	  .help = "list at most N windows for each function (default: 5)" },
	{ .name = NULL },
};

static const struct option_group spikes_group = { "Windows", spike_options };

static const struct option_group *const groups[] = {
	&spikes_group,        &settings_json,           &settings_grouping,     &settings_selection,
	&settings_symbols,    &settings_resolving,      &settings_naming,       &settings_common,
	&settings_perf_input, &settings_perf_selection, &settings_perf_symbols, NULL,
};

static const char *const common[] = {
	"output", "width", "confidence", "limit",      "json",      "event", "comm",  "pid",  "tid",
	"cpu",    "time",  "symbols",    "debuginfod", "no-inline", "jobs",  "quiet", "help", NULL,
};

const struct command command_spikes = {
	.name = "spikes",
	.summary = "find time windows that differ from the rest of the capture",
	.description =
		"Lists time windows in which a function has a larger share of the samples than "
		"elsewhere, or which have more or fewer samples than usual. For each window, "
		"prints a p-value, the functions that stand out, and the period if windows "
		"repeat. Samples of the idle task are ignored.",
	.examples = { "kiln spikes perf.data",
		      "kiln spikes --comm nginx --width 5ms,100ms perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
