/* SPDX-License-Identifier: MIT */
/*
 * Names of C++ before libiberty has them. Most of what its demangler does ends in output, and with the room
 * for that it ends. Two things do not, and take twice the time with each level:
 *
 *     _ZN1acvT_IT_IT_I...              a conversion to a template of a parameter: what follows is read
 *                                      on trial, and what follows there again
 *     _Z1fIDp1aIS0_IS0_IiiES1_E...     an expansion of a pack: it is sought in all that the substitutions
 *                                      stand for
 */
#ifndef SYMBOLISE_DEMANGLE_CPLUSPLUS_NAMES_H
#define SYMBOLISE_DEMANGLE_CPLUSPLUS_NAMES_H

#include <stdbool.h>

#include "base/strings.h"

/* Whether a mangled name can be left to a demangler. Of 157,617 names of LLVM, clang and the C++ library
 * 11 cannot. */
bool cplusplus_name_is_bounded(struct text mangled);

#endif
