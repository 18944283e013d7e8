/* SPDX-License-Identifier: MIT */
#include "cli/page_output.h"

#include "cli/svg_output.h"
#include "render/page/page.h"

#define BINS_DEFAULT 400u
#define BINS_MIN     20u
#define BINS_MAX     4000u
/* Browsers take about a second to load this much. */
#define EMBED_LIMIT_DEFAULT (8u << 20)

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option page_options[] = {
	{ .name = "bins", .kind = OPTION_NUMBER, .offset = AT(page_bins), .argument = "N",
	  .minimum = BINS_MIN, .maximum = BINS_MAX,
	  .help = "divide the time axis of a page into at most N bins of a round width (default: "
		  "400; kiln heatmap: 2000)",
	  .more = "More bins show shorter events, and make the page larger. In a comparison, each "
		  "side has at most 2048 bins" },
	{ .name = "embed-limit", .kind = OPTION_SIZE, .offset = AT(page_limit_bytes), .argument = "SIZE",
	  .help = "embed at most SIZE of stack data, such as 500k or 20M (default: 8M)",
	  .more = "The stacks with the least weight are left out first. The page shows where stacks were "
		  "left out, and their share. The table of functions still includes these stacks, unless a "
		  "time window is selected" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_page = { "Page data", page_options };

/* clang-format off */
static const struct option page_view_options[] = {
	{ .name = "view", .kind = OPTION_LIST, .offset = AT(page_views), .argument = "VIEW",
	  .help = "open the page at VIEW: the part of its address after #, such as time=5.2,5.4",
	  .more = "The button \"Copy command\" of the page copies the command line with this option" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_page_view = { "Page view", page_view_options };

bool page_output_check_view(const struct settings *settings, bool is_page, struct error *err)
{
	return is_page || !settings->page_views.count ||
	       error_set(err, ERROR_USAGE, "--view requires --format html");
}

void page_output_set_view(const struct settings *settings, struct view *view)
{
	view->has_time_bins = true;
	view->time_bin_ns = 1;
	view->time_bin_max = settings->page_bins ? (uint32_t)settings->page_bins : BINS_DEFAULT;
}

void page_output_set_profile_view(struct settings *settings)
{
	struct view *view = &settings->view;

	bool has_several = settings->inputs.count > 1;

	page_output_set_view(settings, view);
	view->has_cpu_bins = !has_several && !grouping_has(&view->grouping, GROUP_CPU);
	settings->pairing.has_single_runs = true;
	/*
	 * With several inputs, do not group by thread or CPU, because the same number means a
	 * different thread or CPU in each input.
	 */
	if (!settings->group_by && has_several)
		view->grouping = (struct grouping){ .by = { GROUP_COMM, GROUP_FILE }, .count = 2 };
	else if (!settings->group_by)
		view->grouping =
			(struct grouping){ .by = { GROUP_COMM, GROUP_PID, GROUP_TID }, .count = 3 };
}

static struct page_start start_of(const struct settings *settings)
{
	const text_list *views = &settings->page_views;
	struct page_start start = settings->page_start;

	start.address = views->count ? views->at[views->count - 1] : NULL;
	return start;
}

void page_output_write(const struct settings *settings, const struct profile *profile,
		       struct diff *diff, struct sink *sink)
{
	struct svg_options svg = settings->svg;
	const char *title = diff ? "Comparison" : "Profile";
	struct sink command;

	sink_init_memory(&command);
	svg_output_write_command(settings, &command);
	svg.command = sink_memory(&command).at;
	page_write(profile,
		   &(struct page_options){
			   .data = { .title = svg.title ? svg.title : title,
				     .command = svg.is_metadata_stripped ? NULL : svg.command,
				     .start = start_of(settings),
				     .grouping = &settings->view.grouping,
				     .colouring = &svg.colouring,
				     .has_cpus = settings->view.has_cpu_bins,
				     .has_several_inputs = !diff && settings->inputs.count > 1,
				     .shows_homes = svg.shows_host,
				     .diff = diff,
				     .embed_limit_bytes = settings->page_limit_bytes
								  ? settings->page_limit_bytes
								  : EMBED_LIMIT_DEFAULT },
			   .svg = &svg,
			   .palette = (enum diff_palette)settings->diff.palette,
		   },
		   sink);
	sink_deinit(&command);
}
