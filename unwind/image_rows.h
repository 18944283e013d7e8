/* SPDX-License-Identifier: MIT */
/*
 * The rows of those functions of an image that somebody asked for, made when they are asked for the
 * first time: a program has many more functions than a capture shows. Each thread has its own.
 *
 *     address ─▶ function, by the image's index ─▶ its rows, made now or before ─▶ rule
 */
#ifndef UNWIND_IMAGE_ROWS_H
#define UNWIND_IMAGE_ROWS_H

#include "unwind/image.h"
#include "unwind/program.h"

struct image_function {
	uint64_t begin, end; /* end 0: its entry is damaged */
	uint32_t cfi, entry; /* which of the image's, and the row of its index */
	uint32_t row_count;
	size_t row_first;
};

struct image_rows {
	const struct image *image;
	struct idtable table; /* of functions, by cfi and entry */
	VEC(struct image_function) functions;
	struct rule_rows rows;
};

/* image is to outlive it. */
void image_rows_init(struct image_rows *rows, const struct image *image);
void image_rows_deinit(struct image_rows *rows);

/* The rule that holds at an address of the file, or RULE_ID_NO_CFI. */
rule_id image_rows_find(struct image_rows *rows, const struct machine *machine, struct rules *rules,
			uint64_t address);

#endif
