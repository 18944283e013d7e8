/* SPDX-License-Identifier: MIT */
/* Files of kernel modules, by their names: "nf_conntrack" is in nf-conntrack.ko and nf-conntrack.ko.xz. */
#ifndef OBJECT_MODULE_FILE_H
#define OBJECT_MODULE_FILE_H

#include "base/strings.h"

/* The module's name in a path, with nothing of its suffixes. */
struct text module_file_name(struct text path);

/* Whether a path has those suffixes. */
bool module_file_is(struct text path);

/* The order of the modules that two paths, or names, are of. The kernel writes "_" for "-". */
int module_file_compare(struct text a, struct text b);

#endif
