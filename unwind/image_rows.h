/* SPDX-License-Identifier: MIT */
/*
 * The unwind rules of an image, compiled function by function when they are first needed: a program
 * has many more functions than a capture shows. Each thread has its own.
 *
 *     address ─▶ function (index of the image) ─▶ its rows, compiled once ─▶ rule
 */
#ifndef UNWIND_IMAGE_ROWS_H
#define UNWIND_IMAGE_ROWS_H

#include "unwind/image.h"
#include "unwind/program.h"

struct image_function {
	uint64_t begin, end; /* end 0: its FDE is corrupt */
	uint32_t cfi, entry; /* number of the image's section, and of the entry in its index */
	uint32_t row_count;
	size_t row_first;
};

struct image_rows {
	const struct image *image;
	struct idtable table; /* functions by cfi and entry */
	VEC(struct image_function) functions;
	struct rule_rows rows;
};

/* image is borrowed. */
void image_rows_init(struct image_rows *rows, const struct image *image);
void image_rows_deinit(struct image_rows *rows);

/* The rule at an address of the file, or RULE_ID_NO_CFI. */
rule_id image_rows_find(struct image_rows *rows, const struct machine *machine, struct rules *rules,
			uint64_t address);

#endif
