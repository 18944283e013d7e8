/* SPDX-License-Identifier: MIT */
/*
 * Names of Rust (RFC 2603) before libiberty has them. Its demangler counts the lifetimes that "for<'a, 'b>"
 * brings one by one, also where nothing of them is printed, so that 30 bytes can keep it busy for years:
 *
 *     _R NvC1a1b  I Nv... FGzzzzzz_EuE     62 to the power of 6 lifetimes, in what is left out
 */
#ifndef SYMBOLISE_DEMANGLE_RUST_NAMES_H
#define SYMBOLISE_DEMANGLE_RUST_NAMES_H

#include <stdbool.h>

#include "base/strings.h"

/* Whether a name that begins with _R is well-formed as libiberty understands it, refers back only to parts
 * of itself, and brings no more than LIMIT_RUST_LIFETIMES at once. */
bool rust_name_is_bounded(struct text mangled);

#endif
