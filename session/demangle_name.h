/* SPDX-License-Identifier: MIT */
/* Names of functions that a text has as linkers know them. */
#ifndef SESSION_DEMANGLE_NAME_H
#define SESSION_DEMANGLE_NAME_H

#include "base/sink.h"
#include "base/strings.h"

/* Writes the name as frames of a perf.data are called: demangled, without a hash, a suffix of compilers or a
 * version. False: it is not mangled, and nothing is written. */
bool demangle_name(struct sink *sink, struct text name);

#endif
