/* SPDX-License-Identifier: MIT */
/*
 * From the name in a file to the name for a reader:
 *
 *     _ZN3net4pollEv.part.0@@V1  ──▶  net::poll          or net::poll.part.0 with suffixes kept
 *       stem         │suffix│version
 */
#ifndef SYMBOLISE_DISPLAY_NAME_H
#define SYMBOLISE_DISPLAY_NAME_H

#include "symbolise/demangle.h"
#include "symbolise/symbolise.h"

/* What compilers and the link-time optimiser add never makes a name longer than this. */
#define DISPLAY_NAME_BYTES (DEMANGLED_BYTES_MAX + LIMIT_SYMBOL_BYTES)

/* Length of the part of name before the suffixes that compilers give to parts and copies of a
 * function: .cold, .part.N, .isra.N, .constprop.N, .lto_priv.N, .llvm.N. */
uint32_t display_name_stem(struct text name);

/* The display form of name: name itself, a part of it, or text in buffer (DISPLAY_NAME_BYTES). */
struct text display_name(struct text name, const struct symbolise_options *options, char *buffer);

#endif
