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
};

struct callgrind_name callgrind_name_of(struct text name);

/*
 * The next function, the innermost first; the recursion level is skipped. False: there is none.
 *
 * Apostrophes can be part of a name: foo()::'lambda'(int)::operator()(int) const, or Rust's
 * <T as for<'a> Trait<'a>>::f. They do not separate inside brackets, nor do a pair of which the
 * first begins a name or follows "::". If brackets or such pairs do not match, each apostrophe
 * separates. The time for all parts is linear in the length of the name.
 */
bool callgrind_name_next(struct callgrind_name *name, struct text *ret);

/*
 * The name of a function without its parameter list, and without qualifiers and notes of clones
 * after it. Lists inside the name stay: f(int)::{lambda(int)#1}::operator()(int) const becomes
 * f(int)::{lambda(int)#1}::operator(), which is not f.
 */
struct text callgrind_name_without_parameters(struct text function);

#endif
