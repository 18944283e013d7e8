/* SPDX-License-Identifier: MIT */
/*
 * Names of D, before and after libiberty has them. Its demangler has no bounds of its own: a type that
 * was there before can be meant by a letter and a number, so that a name of 130 bytes can stand for
 * gigabytes; and each letter at which the type of a function may begin is tried twice, which together is 2
 * to the power of their number.
 */
#ifndef SYMBOLISE_DEMANGLE_D_NAMES_H
#define SYMBOLISE_DEMANGLE_D_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strings.h"

/* Whether a mangled name can be left to a demangler. Of the 11 000 names of D's own library nine in ten
 * can. */
bool d_name_is_bounded(struct text mangled);

/* Leaves the lists of parameters, and what follows the last, out of a demangled name: "app.f(int).g(char)
 * const" is "app.f.g". Those of templates stay, "app.f!(int)". Returns the length. */
size_t d_name_drop_parameters(char *name, size_t length);

#endif
