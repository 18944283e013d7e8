/* SPDX-License-Identifier: MIT */
/*
 * Options of commands that draw an SVG: values that must be parsed, and files to read. Other
 * options are stored directly in struct svg_options.
 */
#ifndef CLI_FLAME_SETTINGS_H
#define CLI_FLAME_SETTINGS_H

#include "cli/options.h"

/* A lane is as tall as its stacks are deep, so a window has space for only a few lanes. */
#define FLAME_LANE_MAX 16

struct flame_settings {
	const char *minimum_width; /* as given; NULL means the default */
	uint64_t row_height;       /* 0 means the default */
	const char *attributes;    /* a file of links and tooltips; NULL if none */
	const char *palette_map;   /* a file, or "" for palette.map; NULL if none */
	const char *encoding;      /* as given */
	bool is_hashed, is_random;
	bool shows_widths; /* colours frames by their width */
	bool keeps_order;  /* keep the order of the input */
	bool wants_policy; /* print the Content-Security-Policy instead of the SVG */
	bool is_chart;
	uint64_t lane_max; /* maximum number of lanes in a chart by thread or CPU */
	int delta_scale;   /* enum delta_scale, for folded stacks with two counts */
	bool is_negated;   /* red shows decreases */
};

extern const struct option_group settings_svg;
extern const struct option_group settings_look;
extern const struct option_group settings_svg_frames;
extern const struct option_group settings_flame;
extern const struct option_group settings_peers;

struct settings;

/* Parses the values and copies the results to settings->svg. */
bool flame_settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

#endif
