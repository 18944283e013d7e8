/* SPDX-License-Identifier: MIT */
/*
 * Reads SVG attributes of functions, by name: links, tooltips and ids. The file format is that of
 * flamegraph.pl --nameattr. Attributes that could contain a script are ignored.
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
	struct text at[NAME_ATTRIBUTE_COUNT]; /* empty: not given */
};

struct name_attributes {
	struct strings names, values;
	VEC(struct name_attributes_row) rows; /* by str_id of names */
	uint64_t refused_count;               /* attributes that were ignored */
	/* inferno's rules: ignore lines without a tab, allow quoted values */
	bool is_inferno;
};

void name_attributes_init(struct name_attributes *attributes);
void name_attributes_deinit(struct name_attributes *attributes);

/* Adds the contents of a file. Fails at the first line without a tab, unless is_inferno is set. */
bool name_attributes_read(struct name_attributes *attributes, struct text file,
			  struct error *err) WARN_UNUSED;

/* Returns NULL if there are no attributes for this name. */
const struct name_attributes_row *name_attributes_find(const struct name_attributes *attributes,
						       struct text name);

/*
 * Whether a link is safe, because it is relative, or because its scheme is known not to run
 * scripts.
 */
bool name_attributes_is_link(struct text href);

#endif
