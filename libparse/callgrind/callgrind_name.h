/* SPDX-License-Identifier: MIT */
/*
 * Function names of callgrind that contain callers. With --separate-callers=N, callgrind joins the
 * names of a function and of up to N callers with apostrophes. A number after the first name is a
 * recursion level (--separate-recs):
 *
 *     scan'2'parse(char const*)'main'(below main)
 *     │    │ │                  │    └ the outermost caller
 *     │    │ └ the caller       └ the caller of the caller
 *     │    └ the second activation of scan on this stack
 *     └ the function
 *
 * print_mangled_fn in callgrind/dump.c of Valgrind writes these names.
 */
#ifndef LIBPARSE_CALLGRIND_CALLGRIND_NAME_H
#define LIBPARSE_CALLGRIND_CALLGRIND_NAME_H

#include "base/strings.h"

/* The parts of a name that have not been read yet. */
struct callgrind_name {
	struct text rest; /* .at is NULL if nothing is left */
	uint32_t count;   /* number of parts that were read */
	bool is_plain;    /* each apostrophe in the rest separates parts */
	bool is_callee;   /* the caller of the last function is known, and is not in the name */
	bool is_one;      /* no apostrophe separates parts */
};

struct callgrind_name callgrind_name_of(struct text name);

/*
 * Begins reading the part of a name before the name of a caller. This part is most likely one
 * function.
 */
struct callgrind_name callgrind_name_of_callee(struct text name);

/* Begins reading such a part, if it is known to be one function, perhaps with a recursion level. */
struct callgrind_name callgrind_name_of_one(struct text name);

/*
 * Reads the next function, the innermost first, and skips its recursion level. Returns false if
 * there is no further function.
 *
 * Apostrophes can be part of a name, as in Rust's <T as for<'a> Trait<'a>>::f. Apostrophes inside
 * brackets do not separate functions. Comparisons in template arguments, such as (N)<(1), do not
 * count as brackets. If brackets do not match, each apostrophe separates functions. In a part
 * before a caller, no apostrophe then does. The total time for all parts is linear in the length of
 * the name.
 */
bool callgrind_name_next(struct callgrind_name *name, struct text *ret);

/*
 * Returns the name of a function without its return type, its parameter list, and the qualifiers
 * and clone notes after it. For example, void apply<int>(int) becomes apply<int>. Lists inside the
 * name stay: f(int)::{lambda(int)#1}::operator()(int) const becomes
 * f(int)::{lambda(int)#1}::operator().
 */
struct text callgrind_name_of_function(struct text name);

#endif
