/* SPDX-License-Identifier: MIT */
/*
 * Describes how to step from a frame to its caller. A rule gives the frame's CFA, which is the
 * caller's stack pointer, and the places where the frame saved registers.
 *
 *     higher |  caller's frame   |
 *        CFA +-------------------+ = a register + an offset
 *            |  return address   |   CFA - 8
 *            |  rbx              |   CFA - 16
 *         sp +-------------------+
 *
 * A cfi_row can contain everything that call frame information can express. Nearly all rows also
 * fit in a rule, which is small and interned, because a program has few different rules. Other rows
 * are kept, and rules of the kind RULE_ROW refer to these rows.
 */
#ifndef UNWIND_RULE_H
#define UNWIND_RULE_H

#include "base/idtable.h"
#include "base/vec.h"
#include "unwind/machine.h"

enum register_rule_kind {
	REGISTER_UNSPECIFIED, /* unchanged for a callee-saved register, otherwise unknown */
	REGISTER_SAME,
	REGISTER_UNDEFINED,
	REGISTER_AT_OFFSET,     /* saved at CFA + offset */
	REGISTER_IS_OFFSET,     /* equals CFA + offset */
	REGISTER_IN_REGISTER,   /* saved in the register with the number `offset` */
	REGISTER_AT_EXPRESSION, /* saved at the address that an expression calculates */
	REGISTER_IS_EXPRESSION,
};

struct register_rule {
	enum register_rule_kind kind;
	int64_t offset;
	struct span expression;
};

/* One row of call frame information: how to find each register at one address. */
struct cfi_row {
	bool is_signal;
	bool has_cfa_expression;
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct span cfa_expression;
	struct register_rule registers[MACHINE_REGISTERS_MAX];
};

enum rule_kind {
	RULE_FRAME,       /* a frame like the one in the picture above */
	RULE_ROW,         /* a cfi_row, given by its number */
	RULE_OUTERMOST,   /* the frame has no caller, because the stack ends here */
	RULE_NO_CFI,      /* code without call frame information */
	RULE_NO_FILE,     /* code whose file is missing */
	RULE_NO_CODE,     /* nothing is mapped at the address */
	RULE_FROM_SIGNAL, /* a signal frame in the kernel's layout */
};

/* The largest number of registers that a rule finds on the stack: x19 to x30 on aarch64. */
#define RULE_SAVED_MAX 12
/* Saved registers are read in groups of this size, so that the loop is unrolled. */
#define RULE_SAVED_STEP 4

struct rule {
	uint8_t kind;
	uint8_t is_signal;
	uint8_t cfa_register;
	uint8_t saved_count;
	int32_t cfa_offset;                  /* for RULE_ROW, the number of the row instead */
	int16_t saved_words[RULE_SAVED_MAX]; /* offsets from the CFA, in words */
	/* register numbers, padded with copies of the first number */
	uint8_t saved[RULE_SAVED_MAX];
	int16_t lowest_word, highest_word; /* range of saved_words */
	uint64_t saved_bits;               /* MACHINE_REGISTER_BIT */
};

typedef struct {
	uint32_t i;
} rule_id;

/*
 * Each `struct rules` begins with the rules that consist only of a kind. The rules are in the order
 * of the enum.
 */
#define RULE_ID_OF_KIND(kind) ((rule_id){ (kind)-RULE_OUTERMOST })
#define RULE_ID_NO_CFI        RULE_ID_OF_KIND(RULE_NO_CFI)

struct rules {
	VEC(struct rule) rows;
	VEC(struct cfi_row) complex;
	struct idtable table;
};

void rules_init(struct rules *rules);
void rules_deinit(struct rules *rules);

/*
 * Interns the rule of a row. *is_complex_ret becomes true if the rule is a RULE_ROW. Such rules
 * need far more memory, and are not shared.
 */
rule_id rules_intern(struct rules *rules, const struct machine *machine, const struct cfi_row *row,
		     bool *is_complex_ret);

#endif
