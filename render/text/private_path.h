/* SPDX-License-Identifier: MIT */
/*
 * Paths without what they tell of people: the name of a home folder.
 *
 *     /home/alice/src/app   /Users/alice/src/app   /root/src/app    ─▶   ~/src/app
 */
#ifndef RENDER_TEXT_PRIVATE_PATH_H
#define RENDER_TEXT_PRIVATE_PATH_H

#include "base/sink.h"

/* What is left of a path; true: "~" stands before it. */
bool private_path_cut(struct text *path);

/* Writes the path as it may be shown. */
void private_path_write(struct sink *sink, struct text path);

/* Writes a word of a command line, of a path from the root the last part alone, of a home folder "~". */
void private_path_write_word(struct sink *sink, struct text word);

#endif
