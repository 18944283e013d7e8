/* SPDX-License-Identifier: MIT */
#include "tools/spike_search.h"

#include "base/arithmetic.h"
#include "cli/duration.h"
#include "cli/inputs.h"

/*
 * Windows narrower than NARROWEST_NS are rarely of interest, and windows wider than WIDEST_NS are
 * phases of the program.
 */
#define NARROWEST_NS 10000000u
#define WIDEST_NS    1000000000u
/*
 * The average number of samples in the narrowest window. With fewer samples, only functions that
 * are otherwise rare could be significant.
 */
#define NARROWEST_SAMPLES 8
/*
 * The number of bins in the narrowest window. The width of bins determines how exact the borders of
 * windows are.
 */
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

/* The narrowest window in bins: an even number, because windows overlap by half. */
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

bool spike_search_prepare(struct spike_search *search, struct settings *settings, struct error *err)
{
	*search = (struct spike_search){ .options.confidence = settings->spike_confidence };
	if (!parse_widths(settings, &search->narrowest_ns, &search->widest_ns, err))
		return false;
	settings->view.selection.no_idle = true;
	settings->view.weighing.kind = WEIGHING_SAMPLES;
	settings->view.has_time_bins = true;
	settings->view.time_bin_ns =
		search->narrowest_ns > NARROWEST_BINS ? search->narrowest_ns / NARROWEST_BINS : 1;
	return true;
}

bool spike_search_run(struct spike_search *search, const struct profile *profile,
		      const char *input_name, struct error *err)
{
	struct spike_options *options = &search->options;

	if (!profile->bin_ns)
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: samples have no timestamps, which are required to find "
				 "spikes",
				 input_name);
	options->narrowest = narrowest_bins(profile, search->narrowest_ns);
	options->widest = (size_t)(search->widest_ns / profile->bin_ns);
	if (options->widest < options->narrowest)
		options->widest = options->narrowest;
	search->narrowest_ns = options->narrowest * profile->bin_ns;
	search->widest_ns = options->widest * profile->bin_ns;
	function_series_init(&search->series, profile);
	spikes_find(&search->spikes, &search->series, options);
	spike_groups_init(&search->groups, &search->spikes);
	return true;
}

void spike_search_deinit(struct spike_search *search)
{
	spike_groups_deinit(&search->groups);
	spikes_deinit(&search->spikes);
	function_series_deinit(&search->series);
}

/* Adds the windows of the first group. */
static char *take_windows(const struct spike_search *search, const struct profile *profile,
			  const char *path, selection_ranges *times_ns, struct error *err)
{
	const struct spike_group *group = search->groups.at.at;
	struct sink sink;
	char *label;

	if (!search->groups.at.count) {
		error_set(err, ERROR_NO_MATCH,
			  "%s: no time window differs from the rest at %g%% confidence; use "
			  "--window-vs-rest to compare a window of your choice",
			  path, 100 * search->options.confidence);
		return NULL;
	}
	for (size_t i = 0; i < group->members.count; i++) {
		const struct spike *spike = &search->spikes.at.at[group->members.at[i]];
		uint64_t begin_ns = saturate_add(profile->first_bin_ns,
						 saturate_multiply(spike->begin, profile->bin_ns));
		uint64_t end_ns = saturate_add(profile->first_bin_ns,
					       saturate_multiply(spike->end, profile->bin_ns));

		vec_push(times_ns, (struct selection_range){ begin_ns, end_ns - 1 });
	}
	sink_init_memory(&sink);
	sink_printf(&sink, "%zu %s of ", group->members.count,
		    group->members.count == 1 ? "spike" : "spikes");
	if (group->frame != UINT32_MAX)
		sink_text(&sink,
			  strings_get(profile->strings, profile->frames.at[group->frame].name));
	else
		sink_puts(&sink, group->kind == SPIKE_FEWER ? "fewer samples" : "more samples");
	label = memory_duplicate(sink_memory(&sink).at, sink_memory(&sink).length);
	sink_deinit(&sink);
	return label;
}

char *spike_search_windows(const struct settings *settings, const char *path,
			   selection_ranges *times_ns, struct error *err)
{
	struct settings own = *settings;
	struct inputs inputs = { .settings = &own };
	struct spike_search search;
	struct profile profile;
	char *label = NULL;

	/* The comparison reports missing parts of the capture. */
	own.is_quiet = true;
	if (!spike_search_prepare(&search, &own, err))
		return NULL;
	vec_push(&inputs.paths, path);
	if (!inputs_build_profile(&inputs, session_build_profile, &profile)) {
		*err = inputs.err;
	} else if (spike_search_run(&search, &profile, path, err)) {
		label = take_windows(&search, &profile, path, times_ns, err);
		spike_search_deinit(&search);
	}
	profile_deinit(&profile);
	vec_free(&inputs.paths);
	return label;
}
