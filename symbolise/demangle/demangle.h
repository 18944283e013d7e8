/* SPDX-License-Identifier: MIT */
/*
 * Converts C++, Rust and D names to their form in source code, without parameters. No other module
 * uses libiberty. Without libiberty, names stay mangled.
 *
 * A mangled name of 250 bytes can stand for gigabytes, because each part can repeat all previous
 * parts. Output therefore goes to a buffer of fixed size, and demangling stops when the buffer is
 * full. kiln first rejects names whose demangling could take exponential time without producing
 * output (..._is_bounded).
 */
#ifndef SYMBOLISE_DEMANGLE_DEMANGLE_H
#define SYMBOLISE_DEMANGLE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strings.h"

/* Maximum length of a name to demangle. libiberty's recursion guard refuses longer names. */
#define LIMIT_MANGLED_BYTES 1023u
/* Maximum number of function types in a D name. Each function type doubles libiberty's time. */
#define LIMIT_D_FUNCTIONS 16u
/*
 * Maximum number of lifetimes that one type in a Rust name introduces. libiberty counts them one by
 * one.
 */
#define LIMIT_RUST_LIFETIMES 1024u
/* Maximum nesting depth of a Rust name. Each level is a function call. */
#define LIMIT_RUST_DEPTH 256u

#define DEMANGLED_BYTES_MAX LIMIT_SYMBOL_BYTES

/* Whether the name looks mangled. */
bool is_mangled(struct text name);

/* Whether to keep the hash in Rust names: core::fmt::write::h0123456789abcdef. */
enum demangle_hashes {
	DEMANGLE_WITHOUT_HASHES,
	DEMANGLE_WITH_HASHES,
};

/*
 * Writes the demangled name into buffer (size_bytes, no NUL) and its length into *length_ret.
 * Returns false if the name is not mangled, is corrupt, or is longer than LIMIT_MANGLED_BYTES. Also
 * returns false if the result does not fit. Show such a name unchanged. Thread-safe.
 */
bool demangle(struct text name, enum demangle_hashes hashes, char *buffer, size_t size_bytes,
	      size_t *length_ret);

/*
 * Whether libiberty demangles a C++ name in bounded time. Two constructs double libiberty's time
 * with each level of nesting. Of 157,617 names in LLVM, clang and the C++ library, 11 are refused:
 *
 *     _ZN1acvT_IT_IT_I...            conversion to a template of a parameter: the rest is parsed twice
 *     _Z1fIDp1aIS0_IS0_IiiES1_E...   pack expansion: searched for in all substitutions
 */
bool cplusplus_name_is_bounded(struct text mangled);

/*
 * Whether libiberty demangles a D name in bounded time. A back reference of two characters can
 * stand for a long type, so 130 bytes can expand to gigabytes. Also, each possible start of a
 * function type is tried twice. Nine in ten of the 11,000 names in D's own library are accepted.
 */
bool d_name_is_bounded(struct text mangled);

/*
 * Removes function parameters from a demangled D name, and the text after the last of them:
 * "app.f(int).g(char) const" becomes "app.f.g". Template arguments stay: "app.f!(int)". Returns the
 * new length.
 */
size_t d_name_drop_parameters(char *name, size_t length);

/*
 * Whether libiberty demangles a Rust v0 name (RFC 2603) in bounded time. Accepts names that
 * libiberty considers well-formed, whose back references refer only to parts. Such a name may have
 * at most LIMIT_RUST_LIFETIMES lifetimes at the same time. libiberty counts the lifetimes of
 * "for<'a, 'b>" one by one, even if it prints nothing, so 30 bytes can take years:
 *
 *     _R NvC1a1b  I Nv... FGzzzzzz_EuE     62 to the power of 6 lifetimes
 */
bool rust_name_is_bounded(struct text mangled);

#endif
