/* SPDX-License-Identifier: MIT */
/*
 * Finds the loops of a function, and draws its jumps as arrows beside the instructions. A loop is
 * the range from the target of a backward jump to the jump, if execution can get from the target to
 * the jump:
 *
 *         row 0            ┌─▶  row 0      arrows are in lanes, short ones next to the code
 *     ┌─▶ row 1  ─┐        │┌▶  row 1
 *     │   row 2   ├ loop   ││   row 2
 *     └── row 3  ─┘        └┼─  row 3
 *         row 4             └─  row 4
 */
#ifndef ANNOTATE_JUMPS_H
#define ANNOTATE_JUMPS_H

#include "annotate/annotation.h"
#include "base/sink.h"

/* Instructions visited to decide which backward jumps are loops. Beyond this limit, the remaining
 * backward jumps count as loops. */
#define LIMIT_LOOP_STEPS (1u << 24)

/*
 * Maximum number of lanes beside the code, and of rows that an arrow spans. Arrows beyond these
 * limits are not drawn.
 */
#define JUMP_LANES_MAX 6u
#define JUMP_ROWS_MAX  400u

struct code_loop {
	uint32_t first, last; /* instructions of the function */
	struct annotation_count counts[ANNOTATION_EVENTS_MAX];
};

typedef VEC(struct code_loop) code_loop_list;

/*
 * Lists the loops with samples, the hottest first. Of two equally hot loops, the inner one comes
 * first.
 */
void code_loops_find(const struct annotation *annotation, const struct annotated_function *function,
		     code_loop_list *ret);

struct jump_arrows {
	uint32_t row_count, lane_count; /* lanes in use */
	unsigned char *cells;           /* JUMP_LANES_MAX for each row, the innermost first */
	unsigned char *ends;            /* by row */
};

void jump_arrows_init(struct jump_arrows *arrows, const struct annotation *annotation,
		      const struct annotated_function *function);
void jump_arrows_deinit(struct jump_arrows *arrows);

/* Writes the arrows beside a row; the text is equally wide for all rows. */
void jump_arrows_write(const struct jump_arrows *arrows, uint32_t row, struct sink *sink);

#endif
