/* SPDX-License-Identifier: MIT */
/*
 * C++, Rust and D names as their authors wrote them, without parameters. The only user of
 * libiberty; built without it, every name stays as it is.
 *
 * A name of 250 bytes can stand for one of gigabytes (each part repeating all before it), so the
 * output goes into a buffer of fixed size and the demangler is left where that is full. What takes long
 * without output is refused before (cplusplus_names.h, rust_names.h, d_names.h).
 */
#ifndef SYMBOLISE_DEMANGLE_DEMANGLE_H
#define SYMBOLISE_DEMANGLE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"
#include "base/strings.h"

#define DEMANGLED_BYTES_MAX LIMIT_SYMBOL_BYTES

/* Whether name looks mangled. */
bool is_mangled(struct text name);

/* Whether the hash that Rust adds to names, core::fmt::write::h0123456789abcdef, is shown. */
enum demangle_hashes {
	DEMANGLE_WITHOUT_HASHES,
	DEMANGLE_WITH_HASHES,
};

/*
 * Writes the demangled name into buffer (size_bytes, no NUL) and its length into *length_ret.
 * False when name is not mangled, damaged, longer than LIMIT_MANGLED_BYTES, or stands for more
 * than fits: then it is best shown as it is. Safe for concurrent use.
 */
bool demangle(struct text name, enum demangle_hashes hashes, char *buffer, size_t size_bytes,
	      size_t *length_ret);

/* Whether a mangled name can be left to a demangler. Of 157,617 names of LLVM, clang and the C++ library
 * 11 cannot. */
bool cplusplus_name_is_bounded(struct text mangled);

/* Whether a mangled name can be left to a demangler. Of the 11 000 names of D's own library nine in ten
 * can. */
bool d_name_is_bounded(struct text mangled);

/* Leaves the lists of parameters, and what follows the last, out of a demangled name: "app.f(int).g(char)
 * const" is "app.f.g". Those of templates stay, "app.f!(int)". Returns the length. */
size_t d_name_drop_parameters(char *name, size_t length);

/* Whether a name that begins with _R is well-formed as libiberty understands it, refers back only to parts
 * of itself, and brings no more than LIMIT_RUST_LIFETIMES at once. */
bool rust_name_is_bounded(struct text mangled);

#endif
