/* SPDX-License-Identifier: MIT */
/*
 * Writes a page: one HTML file with the profile over time, its flame graph and its table. The page
 * loads nothing else. Without scripts, it still shows the flame graph and the heaviest functions.
 *
 *     +-----------------------------------+
 *     | title, facts                      |   header
 *     | ▂▃▅▂▁▁▂▇▂▁   time                 |   drawn by the viewer
 *     | flame graph         | table       |   static; the viewer replaces both
 *     +-----------------------------------+
 *     facts, columns                          page_data.h
 *     script                                  viewer/
 */
#ifndef RENDER_PAGE_PAGE_H
#define RENDER_PAGE_PAGE_H

#include "render/page/page_data.h"
#include "render/svg/diff_svg.h"

/* With data.diff, the page shows a comparison. */
struct page_options {
	struct page_data_options data;
	const struct svg_options *svg; /* how the static flame graph is drawn */
	enum diff_palette palette;     /* of a comparison */
};

void page_write(const struct profile *profile, const struct page_options *options,
		struct sink *sink);

/* Writes the value of the page's Content-Security-Policy. */
void page_write_policy(const struct svg_options *svg, struct sink *sink);

#endif
