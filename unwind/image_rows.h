/* SPDX-License-Identifier: MIT */
/*
 * The unwind rules of an image. The rules of a function are compiled when they are first needed,
 * because a capture contains only a few of a program's functions. Each thread has its own rules.
 *
 *     address ─▶ function (index of the image) ─▶ its rows, compiled once ─▶ rule
 */
#ifndef UNWIND_IMAGE_ROWS_H
#define UNWIND_IMAGE_ROWS_H

#include "unwind/image.h"
#include "unwind/program.h"

struct image_function {
	uint64_t begin, end; /* end is 0 if the FDE is corrupt */
	uint32_t cfi, entry; /* the image's CFI section, and the entry in its index */
	uint32_t row_count;
	size_t row_first;
};

struct image_rows {
	const struct image *image;
	struct idtable table; /* index of functions, by cfi and entry */
	VEC(struct image_function) functions;
	struct rule_rows rows;
};

/* The image is borrowed. */
void image_rows_init(struct image_rows *rows, const struct image *image);
void image_rows_deinit(struct image_rows *rows);

/* Returns the rule at an address as linked, or RULE_ID_NO_CFI. */
rule_id image_rows_find(struct image_rows *rows, const struct machine *machine, struct rules *rules,
			uint64_t address);

#endif
