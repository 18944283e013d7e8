/* SPDX-License-Identifier: MIT */
/*
 * The arguments of a tracepoint's print format: C expressions, as expanded from the kernel's
 * macros, and some special functions:
 *
 *     REC->dev >> 20          __print_flags(REC->flags, "|", { 1, "A" }, { 2, "B" })
 *     (u32)REC->args[2] + 1   REC->ok ? __get_str(name) : "none"
 *
 * The text may be hostile, so nesting is bounded. If any part cannot be parsed, parsing of the
 * whole format fails, and the caller prints plain fields.
 */
#ifndef LIBPARSE_TRACEPOINT_PRINT_TREE_H
#define LIBPARSE_TRACEPOINT_PRINT_TREE_H

#include "libparse/tracepoint/trace_format.h"

/*
 * Maximum nesting of brackets and operators in a print format. The nesting determines the depth of
 * recursion. Formats in Linux have a depth of about 20.
 */
#define LIMIT_PRINT_DEPTH 128u

enum print_kind {
	PRINT_NUMBER,
	PRINT_STRING,
	PRINT_FIELD,   /* a number, text or bytes */
	PRINT_ELEMENT, /* an element of an array: field, and a as the index */
	PRINT_LENGTH,  /* the length of a __data_loc field */
	PRINT_CAST,    /* value a, converted to size_bytes */
	PRINT_UNARY,
	PRINT_BINARY,
	PRINT_CHOICE, /* a ? b : c */
	PRINT_FLAGS,  /* __print_flags: value a, delimiter text, names */
	PRINT_SYMBOL, /* __print_symbolic: value a, names */
	PRINT_HEX,    /* __print_hex: bytes a, count b, delimiter text */
	PRINT_ARRAY,  /* __print_array: bytes a, count b, element size c */
	PRINT_MASK,   /* __get_bitmask */
	PRINT_CPUS,   /* __get_cpumask: a list of CPUs */
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
	PRINT_NOT, /* unary operators from here */
	PRINT_COMPLEMENT,
	PRINT_NEGATE,
};

/* An entry { value, "name" } of a list. */
struct print_name {
	uint64_t value;
	bool is_known; /* if false, the value is a name from the kernel source */
	struct text name;
	struct print_name *next;
};

struct print_node {
	enum print_kind kind;
	enum print_operator operator;
	uint32_t depth;
	uint32_t size_bytes; /* for casts */
	bool is_signed;      /* for casts */
	bool is_unsigned;    /* the result is an unsigned 64-bit number */
	uint64_t number;
	struct text text;
	const struct field *field;
	const struct kernel_texts *texts; /* strings to which fields point; may be NULL */
	const struct print_node *a, *b, *c;
	const struct print_name *names;
};

/* Nodes are allocated in the arena. */
struct print_parser {
	const char *at, *end;
	const struct trace_format *format;
	struct arena *arena;
	uint32_t depth;
};

/*
 * Parses an expression up to a comma, a closing bracket or the end. Returns NULL if the expression
 * cannot be parsed.
 */
const struct print_node *print_tree_read(struct print_parser *parser);

/* Reads a string literal and the literals adjacent to it. Escapes are not resolved. */
bool print_tree_read_string(struct print_parser *parser, struct text *ret);

/* Skips blanks, and returns the next character without consuming it; NUL at the end. */
char print_tree_peek(struct print_parser *parser);

/* Reads a word: letters, digits and underscores. */
struct text print_tree_read_word(struct print_parser *parser);

/* Skips blanks, and then c if it is the next character. */
bool print_tree_skip(struct print_parser *parser, char c);

/*
 * Parses the arguments of a special function (print_functions.c): lists of names, or fields without
 * REC. Returns false if the arguments cannot be parsed. Source: the Linux kernel's
 * include/trace/stages/stage3_trace_output.h.
 */
bool print_functions_read(struct print_parser *parser, struct text name, struct print_node *ret);

#endif
