/* SPDX-License-Identifier: MIT */
/*
 * The three commands that fit a capture best, ready to be pasted into a shell: what kiln FILE ends
 * with.
 */
#ifndef RENDER_TEXT_INFO_NEXT_H
#define RENDER_TEXT_INFO_NEXT_H

#include "base/sink.h"
#include "profile/profile.h"

/* input is the path the user named. Nothing is written for one that cannot be typed. */
void info_next_write(const struct profile *profile, struct text input, struct sink *sink);

#endif
