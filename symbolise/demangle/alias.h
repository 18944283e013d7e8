/* SPDX-License-Identifier: MIT */
/*
 * Which of several names for one address a reader should see. A C library has well over a
 * thousand such addresses: free, __libc_free, __free and cfree@GLIBC_2.2.5 are one function.
 */
#ifndef SYMBOLISE_DEMANGLE_ALIAS_H
#define SYMBOLISE_DEMANGLE_ALIAS_H

#include "symbolise/elf/symbol_table.h"

/* Whether a is to be preferred: the plain public name, which is what the caller wrote. */
bool alias_is_more_readable(const struct symbol *a, const struct symbol *b);

/* Whether perf 6.1 would replace b, which came before in its order, by a. */
bool alias_is_perf_choice(const struct symbol *a, const struct symbol *b);

#endif
