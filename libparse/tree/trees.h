/* SPDX-License-Identifier: MIT */
/*
 * Formats that print a call tree: a line for each node, indented by its depth or stating its depth.
 */
#ifndef LIBPARSE_TREE_TREES_H
#define LIBPARSE_TREE_TREES_H

#include "libparse/formats.h"

extern const struct input_format macos_sample_format;
extern const struct input_format ghc_prof_format;
extern const struct input_format vtune_format;
extern const struct input_format visual_studio_format;

#endif
