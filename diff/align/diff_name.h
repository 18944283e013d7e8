/* SPDX-License-Identifier: MIT */
/*
 * Aligns names, so that they are equal across builds and tools. Removes the parts that compilers,
 * linkers and loaders generate anew for each build:
 *
 *     parse.isra.0, parse.constprop.0.cold       parse
 *     run()::{lambda(int)#2}, main.run.func1.2   run()::{lambda(int)#}, main.run.func
 *     core::fmt::write::h0123456789abcdef        core::fmt::write
 *     Lambda$14/0x00007f3c, stub_7f3c01ab90      Lambda$/0x..., stub_...
 *
 * Also removes the parts that tools append when they fold stacks:
 *
 *     clock_nanosleep@GLIBC_2.2.5, do_nanosleep_[k]      clock_nanosleep, do_nanosleep
 *
 * stackcollapse-perf.pl truncates names at the first parenthesis, even within template arguments.
 * If one side has such names, both sides are truncated:
 *
 *     std::function<void (int)>::operator(), std::function<void       std::function<void
 *
 * Mangled names are demangled. Without a demangler, only the parts that differ between builds are
 * removed:
 *
 *     _ZN4core3fmt5write17h0123456789abcdefE     core::fmt::write, or _ZN4core3fmt5write
 *     _RNvCs15kBYyAo9fc_7mycrate3run             mycrate::run, or _RNvC7mycrate3run
 *
 * docs/noise.md lists the rules.
 */
#ifndef DIFF_ALIGN_DIFF_NAME_H
#define DIFF_ALIGN_DIFF_NAME_H

#include "base/sink.h"
#include "base/strings.h"

enum diff_naming {
	DIFF_NAMING_WHOLE, /* unchanged */
	DIFF_NAMING_HEX,   /* 0x1f3c becomes 0x..., as in difffolded.pl -s; nothing else changes */
	DIFF_NAMING_ALIGNED, /* without the parts that differ between builds and tools */
	DIFF_NAMING_CUT,     /* aligned, and truncated at the first parenthesis */
};

/* Whether a C++ name was truncated within template arguments or an operator. */
bool diff_name_is_cut(struct text name);

/* Whether stackcollapse-perf.pl drops the frame: its name begins with a parenthesis. */
bool diff_name_is_dropped(struct text name);

/*
 * Writes the demangled name, without hashes. If the name is not mangled, returns false and writes
 * nothing.
 */
typedef bool diff_name_demangler(struct sink *sink, struct text name);

/* Appends the aligned name. Neither the name nor the result is empty. */
void diff_name_write(struct sink *sink, struct text name, enum diff_naming naming);

/*
 * Like diff_name_write, but first demangles the name if naming is DIFF_NAMING_ALIGNED or a later
 * value. demangle NULL: does not demangle.
 */
void diff_name_write_readable(struct sink *sink, struct text name, enum diff_naming naming,
			      diff_name_demangler *demangle);

#endif
