/* SPDX-License-Identifier: MIT */
/*
 * Writes the pages of kiln page and --format=html, and defines the options of pages.
 *
 *     profile ────────────▶ page_output_write ─▶ page of one profile
 *     comparison (diff) ──▶                      page of both sides
 */
#ifndef CLI_PAGE_OUTPUT_H
#define CLI_PAGE_OUTPUT_H

#include "cli/settings.h"
#include "diff/diff.h"

/* --bins and --embed-limit */
extern const struct option_group settings_page;

/* --view, of all commands that write a page */
extern const struct option_group settings_page_view;

/* Requests bins of equal width, as many as --bins requests. */
void page_output_set_view(const struct settings *settings, struct view *view);

/*
 * Requests the data for the page of one profile: times, CPUs and threads; with several inputs,
 * files instead of CPUs and threads.
 */
void page_output_set_profile_view(struct settings *settings);

/* Refuses --view if the output is not a page. */
bool page_output_check_view(const struct settings *settings, bool is_page,
			    struct error *err) WARN_UNUSED;

/*
 * Writes the page. `diff` is the comparison whose union is the profile, or NULL for a single
 * profile.
 */
void page_output_write(const struct settings *settings, const struct profile *profile,
		       struct diff *diff, struct sink *sink);

#endif
