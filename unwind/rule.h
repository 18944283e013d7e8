/* SPDX-License-Identifier: MIT */
/*
 * How to get from one frame to its caller's: where the frame ends (its CFA, which is the caller's stack
 * pointer), and where in it registers were saved.
 *
 *     higher |  caller's frame   |
 *        CFA +-------------------+ = a register + an offset
 *            |  return address   |   CFA - 8
 *            |  rbx              |   CFA - 16
 *         sp +-------------------+
 *
 * A row holds all that call frame information can say. Nearly all rows say no more than fits a rule,
 * which is small, and of which programs have few different ones: they are interned. The others stay
 * rows, and are known by a rule that has their number.
 */
#ifndef UNWIND_RULE_H
#define UNWIND_RULE_H

#include "base/idtable.h"
#include "base/vec.h"
#include "unwind/machine.h"

enum place_kind {
	PLACE_UNSAID, /* as it was, where a function has to preserve it */
	PLACE_SAME,
	PLACE_UNDEFINED,
	PLACE_OFFSET,       /* at CFA + offset */
	PLACE_VALUE_OFFSET, /* is CFA + offset */
	PLACE_REGISTER,     /* in another register, offset */
	PLACE_EXPRESSION,   /* where the expression says */
	PLACE_VALUE_EXPRESSION,
};

struct place {
	enum place_kind kind;
	int64_t offset;
	struct span expression;
};

/* All that holds at one address of a function. */
struct row {
	bool is_signal;
	bool has_cfa_expression;
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct span cfa_expression;
	struct place places[MACHINE_REGISTERS_MAX];
};

enum rule_kind {
	RULE_FRAME,       /* as the picture shows */
	RULE_ROW,         /* by row number */
	RULE_OUTERMOST,   /* nothing called it: the end of the stack */
	RULE_NO_CFI,      /* there is code, but nothing that tells how its frames look */
	RULE_NO_FILE,     /* the same, as its file is not at hand */
	RULE_NO_CODE,     /* nothing is mapped there */
	RULE_FROM_SIGNAL, /* returns from a signal handler, by the kernel's own layout */
};

/* x19 to x30 of aarch64 are the most there are. */
#define RULE_SAVED_MAX 12
/* They can be read so many at a time, as if there were a multiple of that: loops of few lengths. */
#define RULE_SAVED_STEP 4

struct rule {
	uint8_t kind;
	uint8_t is_signal;
	uint8_t cfa_register;
	uint8_t saved_count;
	int32_t cfa_offset;                  /* RULE_ROW: the row's number */
	int16_t saved_words[RULE_SAVED_MAX]; /* from the CFA, in words of the machine */
	uint8_t saved[RULE_SAVED_MAX];     /* registers; the first again where there are no more */
	int16_t lowest_word, highest_word; /* of saved_words */
	uint64_t saved_bits;               /* MACHINE_REGISTER_BIT */
};

typedef struct {
	uint32_t i;
} rule_id;

/* The first rules of each set are those that need no more than a kind, in its order from here on. */
#define RULE_ID_OF_KIND(kind) ((rule_id){ (kind)-RULE_OUTERMOST })
#define RULE_ID_NO_CFI        RULE_ID_OF_KIND(RULE_NO_CFI)

struct rules {
	VEC(struct rule) rows;
	VEC(struct row) complex;
	struct idtable table;
};

void rules_init(struct rules *rules);
void rules_deinit(struct rules *rules);

/* The rule that does what the row says on this machine, added when new. is_complex_ret: it is a
 * RULE_ROW, which takes far more memory than others and is not shared. */
rule_id rules_intern(struct rules *rules, const struct machine *machine, const struct row *row,
		     bool *is_complex_ret);

#endif
