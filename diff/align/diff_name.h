/* SPDX-License-Identifier: MIT */
/*
 * What a function is called in every build of a program: its name without what compilers, linkers
 * and loaders make up anew each time.
 *
 *     parse.isra.0, parse.constprop.0.cold       parse
 *     run()::{lambda(int)#2}, main.run.func1.2   run()::{lambda(int)#}, main.run.func
 *     core::fmt::write::h0123456789abcdef        core::fmt::write
 *     Lambda$14/0x00007f3c, stub_7f3c01ab90      Lambda$/0x..., stub_...
 *
 * and without what tools append to it when they fold stacks:
 *
 *     clock_nanosleep@GLIBC_2.2.5, do_nanosleep_[k]      clock_nanosleep, do_nanosleep
 *
 * stackcollapse-perf.pl also cuts names at the first parenthesis, in the middle of template arguments too. A side
 * that shows this makes both sides be compared by what it left:
 *
 *     std::function<void (int)>::operator(), std::function<void       std::function<void
 *
 * Texts of tools that do not demangle have names as linkers know them. They are demangled, where a demangler is
 * given, or lose what differs between builds:
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
	DIFF_NAMING_WHOLE,   /* names as they are */
	DIFF_NAMING_HEX,     /* 0x1f3c is 0x..., as difffolded.pl -s has it, and nothing else */
	DIFF_NAMING_ALIGNED, /* without all that changes between builds, and between tools */
	DIFF_NAMING_CUT,     /* and without all behind the first parenthesis */
};

/* Whether a C++ name was cut in the middle of its template arguments or its operator: whole names never end so. */
bool diff_name_is_cut(struct text name);

/* Whether folding with such cuts leaves a frame of this name out, as it begins with a parenthesis. */
bool diff_name_is_dropped(struct text name);

/* Writes what a mangled name stands for, without hashes. False: it is none, and nothing is written. */
typedef bool diff_name_demangler(struct sink *sink, struct text name);

/* Appends the name, which is not empty; what is appended is not empty either. */
void diff_name_write(struct sink *sink, struct text name, enum diff_naming naming);

/* The same, demangled where naming changes names. NULL: no name is. */
void diff_name_write_readable(struct sink *sink, struct text name, enum diff_naming naming,
			      diff_name_demangler *demangle);

#endif
