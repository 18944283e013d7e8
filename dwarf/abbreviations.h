/* SPDX-License-Identifier: MIT */
/*
 * Abbreviations (.debug_abbrev) describe which attributes the entries (DIEs) of a unit have. kiln
 * does not need most entries, and skips them with the abbreviations.
 *
 *     abbreviation   code 7: tag, has children, attribute and form, attribute and form ...
 *     entry          7 | value | value | ...     children, ended by an entry of code 0
 *
 * Format: DWARF 5, sections 7.5.3 to 7.5.6; DWARF 2 to 5, including the forms of GNU extensions.
 */
#ifndef DWARF_ABBREVIATIONS_H
#define DWARF_ABBREVIATIONS_H

#include "base/idtable.h"
#include "base/span.h"
#include "base/vec.h"

/* Most entries have only values whose sizes are fixed, so that their sum is known in advance. */
struct abbreviation {
	uint64_t code;
	uint32_t tag;
	bool has_children;
	uint32_t attribute_count;
	uint32_t value_first, value_count; /* values that are not skipped with others */
	uint32_t fixed_bytes;              /* the size of all values after these */
};

/* A value whose size varies, or the offset of the entry's sibling. */
struct abbreviation_value {
	uint32_t fixed_bytes; /* the size of the values between the previous one and this one */
	uint32_t attribute;
	uint32_t form;
};

/* The sizes of values whose form does not define their size. */
struct entry_sizes {
	uint16_t version;
	uint8_t address_bytes;
	uint8_t offset_bytes; /* size of an offset into a section */
};

struct abbreviations {
	struct entry_sizes sizes;
	VEC(struct abbreviation) rows;
	VEC(struct abbreviation_value) values;
	struct idtable by_code;
	size_t size_bytes; /* size of the table in the file */
};

void abbreviations_init(struct abbreviations *abbreviations);
void abbreviations_deinit(struct abbreviations *abbreviations);

/*
 * Replaces the contents with the table at the cursor of span, for units with these sizes. Returns
 * false if the table is corrupt.
 */
bool abbreviations_read(struct abbreviations *abbreviations, struct span span,
			const struct entry_sizes *sizes) WARN_UNUSED;

/*
 * The number of bytes that libdw reads to find the row with this code. libdw reads up to the end of
 * that row or, if no row has the code, to the end of the table.
 */
size_t abbreviations_measure(struct span span, uint64_t code);

/* Returns NULL if the code is unknown. */
const struct abbreviation *abbreviations_find(const struct abbreviations *abbreviations,
					      uint64_t code);

/*
 * Skips the values of an entry. *sibling_ret becomes the unit offset of the entry's sibling, or 0
 * if the entry has no sibling. Returns false if a value is corrupt or its form unknown.
 */
bool abbreviations_skip(const struct abbreviations *abbreviations, const struct abbreviation *row,
			struct span *span, uint64_t *sibling_ret) WARN_UNUSED;

#endif
