/* SPDX-License-Identifier: MIT */
/*
 * What the options of pictures ask for beyond what a picture is made of: files that say more of
 * functions, and numbers shown otherwise than they were counted.
 *
 *     profile ─ --total, --factor, --countname ─▶ the profile as it is shown ─┐
 *     --nameattr FILE ──────────────────────────────────────────────────────▶ svg_write
 *     --cp[=FILE] ──────────── colours of before ─▶                           │
 *     --cp[=FILE] ◀─ colours of before and of now ────────────────────────────┘
 */
#ifndef CLI_SVG_OUTPUT_H
#define CLI_SVG_OUTPUT_H

#include "cli/options.h"

struct picture_settings {
	const char *minimum_width; /* as given; NULL: the default */
	uint64_t row_height;       /* 0: the default */
	const char *count_name;    /* NULL: what the profile counts */
	double factor;             /* 0: as they are */
	double total;              /* of the whole width; 0: what the profile comes to */
	const char *attributes;    /* a file; NULL: none */
	const char *palette_map;   /* a file, or "": palette.map; NULL: none */
	const char *encoding;      /* as given */
	bool is_hashed, is_random;
	bool shows_widths; /* by colour too */
	bool keeps_order;  /* of what is read */
	bool is_taken;     /* what changes nothing: the picture is like that anyway */
	bool wants_policy; /* rather than the picture */
	bool is_chart;
	int delta_scale; /* enum delta_scale, where colours tell what changed */
	bool is_negated; /* less is what is red then */
};

extern const struct option_group settings_picture;
extern const struct option_group settings_look;
extern const struct option_group settings_boxes;
extern const struct option_group settings_flame;
extern const struct option_group settings_peers;

struct settings;

/* Understands what is more than a word or a number. */
bool picture_settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

#endif
