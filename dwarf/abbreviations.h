/* SPDX-License-Identifier: MIT */
/*
 * The table that says what the entries of a unit consist of (.debug_abbrev), so far as it takes to get
 * from one entry to the next: most are of no interest, and libdw looks at each of them several times.
 *
 *     abbreviation   code 7: tag, has children, attribute form, attribute form ...
 *     entry          7 | value | value | ...     children, up to an entry of code 0
 *
 * Format: DWARF 5, sections 7.5.3 to 7.5.6; forms of versions 2 to 5 and GNU's are known.
 */
#ifndef DWARF_ABBREVIATIONS_H
#define DWARF_ABBREVIATIONS_H

#include "base/idtable.h"
#include "base/span.h"
#include "base/vec.h"

struct abbreviation {
	uint64_t code;
	uint32_t tag;
	bool has_children;
	bool has_sibling; /* says where the next entry is that is not inside this */
	uint32_t form_first, form_count;
};

struct abbreviation_form {
	uint32_t attribute;
	uint32_t form;
};

struct abbreviations {
	VEC(struct abbreviation) rows;
	VEC(struct abbreviation_form) forms;
	struct idtable by_code;
};

/* How long some values are. */
struct entry_sizes {
	uint16_t version;
	uint8_t address_bytes;
	uint8_t offset_bytes; /* of places in sections */
};

void abbreviations_init(struct abbreviations *abbreviations);
void abbreviations_deinit(struct abbreviations *abbreviations);

/* Replaces what is there by the table at span's cursor. False: it is damaged. */
bool abbreviations_read(struct abbreviations *abbreviations, struct span span) WARN_UNUSED;

/* NULL: there is none of that code. */
const struct abbreviation *abbreviations_find(const struct abbreviations *abbreviations,
					      uint64_t code);

/*
 * Moves the cursor behind the values of an entry. Where it has a sibling, *sibling_ret is its offset in
 * the unit; else 0. False: they are damaged, or of a form that is not known.
 */
bool abbreviations_skip(const struct abbreviations *abbreviations, const struct abbreviation *row,
			const struct entry_sizes *sizes, struct span *span,
			uint64_t *sibling_ret) WARN_UNUSED;

#endif
