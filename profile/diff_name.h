/* SPDX-License-Identifier: MIT */
/*
 * What a function is called in every build of a program: its name without what compilers, linkers
 * and loaders make up anew each time.
 *
 *     parse.isra.0, parse.constprop.0.cold       parse
 *     run()::{lambda(int)#2}, main.run.func1.2   run()::{lambda(int)#}, main.run.func
 *     core::fmt::write::h0123456789abcdef        core::fmt::write
 *     Lambda$14/0x00007f3c, stub_7f3c01ab90      Lambda$/0x..., stub_...
 */
#ifndef PROFILE_DIFF_NAME_H
#define PROFILE_DIFF_NAME_H

#include "base/sink.h"
#include "base/strings.h"

enum diff_naming {
	DIFF_NAMING_WHOLE,   /* names as they are */
	DIFF_NAMING_HEX,     /* 0x1f3c is 0x..., as difffolded.pl -s has it, and nothing else */
	DIFF_NAMING_ALIGNED, /* without all that changes between builds */
};

/* Appends the name, which is not empty; what is appended is not empty either. */
void diff_name_write(struct sink *sink, struct text name, enum diff_naming naming);

#endif
