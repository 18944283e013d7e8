/* SPDX-License-Identifier: MIT */
/*
 * From the name in a file to the name for a reader:
 *
 *     _ZN3net4pollEv.part.0@@V1  ──▶  net::poll          or net::poll.part.0 with suffixes kept
 *       stem         │suffix│version
 */
#ifndef SYMBOLISE_DEMANGLE_DISPLAY_NAME_H
#define SYMBOLISE_DEMANGLE_DISPLAY_NAME_H

#include "symbolise/demangle/demangle.h"
#include "symbolise/symbolise.h"

/* What compilers and the link-time optimiser add never makes a name longer than this. */
#define DISPLAY_NAME_BYTES (DEMANGLED_BYTES_MAX + LIMIT_SYMBOL_BYTES)

/* Length of the part of name before the suffixes that compilers give to parts and copies of a
 * function: .cold, .part.N, .isra.N, .constprop.N, .lto_priv.N, .llvm.N. */
uint32_t display_name_stem(struct text name);

/* The same, but only before a last one without a number, which may as well be what somebody called
 * a function: main.cold is one of Go's. */
uint32_t display_name_before_word(struct text name);

/* Symbols of shared libraries are name@VERSION or name@@VERSION. */
struct text display_name_without_version(struct text name);

/* The display form of name: name itself, a part of it, or text in buffer (DISPLAY_NAME_BYTES). A whole
 * name has neither suffix nor version. */
struct text display_name(struct text name, bool is_whole, const struct symbolise_options *options,
			 char *buffer);

#endif
