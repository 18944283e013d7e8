/* SPDX-License-Identifier: MIT */
/*
 * Converts a symbol's name to the name that users see:
 *
 *     _ZN3net4pollEv.part.0@@V1  ──▶  net::poll          or net::poll.part.0 if suffixes are kept
 *       stem         │suffix│version
 */
#ifndef SYMBOLISE_DEMANGLE_DISPLAY_NAME_H
#define SYMBOLISE_DEMANGLE_DISPLAY_NAME_H

#include "base/strings.h"
#include "symbolise/demangle/demangle.h"
#include "symbolise/symbolise.h"

/* An upper bound on the length of a display name with compiler suffixes. */
#define DISPLAY_NAME_BYTES (DEMANGLED_BYTES_MAX + LIMIT_SYMBOL_BYTES)

/* The length of the name before a final suffix without a number. The text after the dot may also be
 * a function's own name: main.cold can be a Go function. */
uint32_t display_name_before_word(struct text name);

/* The name without @VERSION or @@VERSION. */
struct text display_name_without_version(struct text name);

/* The parts of a symbol's name, borrowed from the name. */
struct display_parts {
	struct text stem, suffix; /* shown together; the suffix is empty if it is not shown */
	enum demangle_hashes hashes;
	bool is_mangled; /* the stem should be demangled */
};

/* is_whole: the name has neither a suffix nor a version. */
struct display_parts display_parts_of(struct text name, bool is_whole,
				      const struct symbolise_options *options);

/* The display name: a part of name, or text in buffer (DISPLAY_NAME_BYTES). */
struct text display_name(struct text name, bool is_whole, const struct symbolise_options *options,
			 char *buffer);

#endif
