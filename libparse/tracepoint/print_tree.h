/* SPDX-License-Identifier: MIT */
/*
 * The expressions behind a tracepoint's print format, which are C as the kernel's macros leave it,
 * with a few functions of their own:
 *
 *     REC->dev >> 20          __print_flags(REC->flags, "|", { 1, "A" }, { 2, "B" })
 *     (u32)REC->args[2] + 1   REC->ok ? __get_str(name) : "none"
 *
 * The text is hostile: nesting is bounded, and what is not understood is an error, by which the
 * caller knows to print the fields plainly.
 */
#ifndef LIBPARSE_TRACEPOINT_PRINT_TREE_H
#define LIBPARSE_TRACEPOINT_PRINT_TREE_H

#include "libparse/tracepoint/trace_format.h"

enum print_kind {
	PRINT_NUMBER,
	PRINT_STRING,
	PRINT_FIELD,   /* its number, its text or its bytes */
	PRINT_ELEMENT, /* of an array: field, a is the index */
	PRINT_LENGTH,  /* of a field that lies elsewhere */
	PRINT_CAST,    /* a, cut to size_bytes */
	PRINT_UNARY,
	PRINT_BINARY,
	PRINT_CHOICE, /* a ? b : c */
	PRINT_FLAGS,  /* a, delimiter text, choices */
	PRINT_SYMBOL, /* a, choices */
	PRINT_HEX,    /* a: bytes, b: how many; text is what separates them */
	PRINT_ARRAY,  /* a: bytes, b: how many, c: bytes of each */
	PRINT_MASK,   /* bits of a field that lies elsewhere */
	PRINT_CPUS,   /* the same as a list of their numbers */
};

enum print_operator {
	PRINT_MULTIPLY,
	PRINT_DIVIDE,
	PRINT_REMAINDER,
	PRINT_ADD,
	PRINT_SUBTRACT,
	PRINT_SHIFT_LEFT,
	PRINT_SHIFT_RIGHT,
	PRINT_LESS,
	PRINT_LESS_EQUAL,
	PRINT_GREATER,
	PRINT_GREATER_EQUAL,
	PRINT_EQUAL,
	PRINT_NOT_EQUAL,
	PRINT_BIT_AND,
	PRINT_BIT_XOR,
	PRINT_BIT_OR,
	PRINT_AND,
	PRINT_OR,
	PRINT_NOT, /* unary ones */
	PRINT_COMPLEMENT,
	PRINT_NEGATE,
};

/* One of the { value, "name" } of a list. */
struct print_name {
	uint64_t value;
	bool is_known; /* false: the value is a word only that kernel understands */
	struct text name;
	struct print_name *next;
};

struct print_node {
	enum print_kind kind;
	enum print_operator operator;
	uint32_t depth;
	uint32_t size_bytes; /* of a cast */
	bool is_signed;      /* of a cast */
	bool is_unsigned;    /* a number of 64 bits without a sign, as C has it */
	uint64_t number;
	struct text text;
	const struct field *field;
	const struct kernel_texts *texts; /* a field may point to; NULL: none are known */
	const struct print_node *a, *b, *c;
	const struct print_name *names;
};

/* What is read of a text. Nodes are made in the arena. */
struct print_parser {
	const char *at, *end;
	const struct trace_format *format;
	struct arena *arena;
	uint32_t depth;
};

/* Reads an expression up to a comma, a closing bracket or the end; NULL: not understood. */
const struct print_node *print_tree_read(struct print_parser *parser);

/* Reads a string and those behind it, which belong to it; what is escaped stays so. */
bool print_tree_read_string(struct print_parser *parser, struct text *ret);

/* Steps over blanks, and says what is next; NUL at the end. */
char print_tree_peek(struct print_parser *parser);

/* Letters, digits and underscores. */
struct text print_tree_read_word(struct print_parser *parser);

/* Steps over blanks; then over c, if that is next. */
bool print_tree_skip(struct print_parser *parser, char c);

#endif
