/* SPDX-License-Identifier: MIT */
/*
 * A branch in one word, as perf script -F brstack has it; what is not known is "-" or empty:
 *
 *     0x401136/0x401020/P/-/-/7/CALL            a branch that was predicted, after 7 cycles
 *     from     to       |M X A  cycles, type    mispredicted, in a transaction, aborting it
 *
 * Source: tools/perf/builtin-script.c and util/branch.c of the Linux kernel.
 */
#ifndef RENDER_TEXT_BRANCH_TEXT_H
#define RENDER_TEXT_BRANCH_TEXT_H

#include "base/sink.h"
#include "profile/profile.h"

void branch_text_write(const struct event_branch *branch, struct sink *sink);

#endif
