/* SPDX-License-Identifier: MIT */
/*
 * What is said of functions by name, for their boxes: where they lead to, and their tooltips. The file
 * is that of flamegraph.pl --nameattr, of whose attributes those that no script can hide in are taken:
 *
 *     main<TAB>href=https://example.org/main.c<TAB>target=_blank<TAB>title=the beginning
 */
#ifndef RENDER_SVG_NAME_ATTRIBUTES_H
#define RENDER_SVG_NAME_ATTRIBUTES_H

#include "base/sink.h"

enum name_attribute {
	NAME_ATTRIBUTE_HREF,
	NAME_ATTRIBUTE_TARGET,
	NAME_ATTRIBUTE_ID,
	NAME_ATTRIBUTE_CLASS,
	NAME_ATTRIBUTE_TITLE,
	NAME_ATTRIBUTE_COUNT,
};

struct name_attributes_row {
	struct text at[NAME_ATTRIBUTE_COUNT]; /* of length 0: it has none */
};

struct name_attributes {
	struct strings names, values;
	VEC(struct name_attributes_row) rows; /* by str_id of names */
	uint64_t refused_count;               /* attributes that are not taken */
	/* By the rules of inferno: lines without a tab say nothing, values may stand in quotes. */
	bool is_inferno;
};

void name_attributes_init(struct name_attributes *attributes);
void name_attributes_deinit(struct name_attributes *attributes);

/* Adds what a file says. False with the first line that has no tab, unless is_inferno. */
bool name_attributes_read(struct name_attributes *attributes, struct text file,
			  struct error *err) WARN_UNUSED;

/* NULL: nothing is said of that name. */
const struct name_attributes_row *name_attributes_find(const struct name_attributes *attributes,
						       struct text name);

/* Whether a link may be followed: it names a place, and is no script. */
bool name_attributes_is_link(struct text href);

#endif
