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

/* The parts of a name that are not read yet. */
struct callgrind_name {
	struct text rest; /* .at NULL: none */
	uint32_t count;   /* of parts that were read */
	bool is_plain;    /* each apostrophe in the rest separates */
	bool is_callee;   /* the caller of the last function is known, and not in the name */
	bool is_one;      /* no apostrophe separates */
};

struct callgrind_name callgrind_name_of(struct text name);

/* For the part of a name that is before the name of a caller. It is most likely one function. */
struct callgrind_name callgrind_name_of_callee(struct text name);

/* For such a part that is known to be one function, perhaps with a recursion level. */
struct callgrind_name callgrind_name_of_one(struct text name);

/*
 * The next function, the innermost first; the recursion level is skipped. False: there is none.
 *
 * Apostrophes can be part of a name, as in Rust's <T as for<'a> Trait<'a>>::f. They do not separate
 * inside brackets. Comparisons in template arguments, (N)<(1), are no brackets. If brackets do not
 * match, each apostrophe separates; in a part before a caller, none does. The time for all parts is
 * linear in the length of the name.
 */
bool callgrind_name_next(struct callgrind_name *name, struct text *ret);

/*
 * The name of a function without its parameter list, without qualifiers and notes of clones after
 * it, and without the return type, which functions of templates have: void apply<int>(int) becomes
 * apply<int>. Lists inside the name stay: f(int)::{lambda(int)#1}::operator()(int) const becomes
 * f(int)::{lambda(int)#1}::operator(), which is not f.
 */
struct text callgrind_name_of_function(struct text name);

#endif
