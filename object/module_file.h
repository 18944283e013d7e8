/* SPDX-License-Identifier: MIT */
/* Names of kernel module files: "nf_conntrack" is in nf-conntrack.ko or nf-conntrack.ko.xz. */
#ifndef OBJECT_MODULE_FILE_H
#define OBJECT_MODULE_FILE_H

#include "base/strings.h"

/* Whether a path has the suffixes of a module file. */
bool module_file_is(struct text path);

/* Compares the module names of two paths or names. "-" and "_" are equal, as in the kernel. */
int module_file_compare(struct text a, struct text b);

#endif
