/* SPDX-License-Identifier: MIT */
/* The running kernel of this machine. */
#ifndef OBJECT_HOST_KERNEL_H
#define OBJECT_HOST_KERNEL_H

#include "base/build_id.h"
#include "base/strings.h"

/* The list of the running kernel's symbols. */
#define HOST_KERNEL_LIST "/proc/kallsyms"

/*
 * Whether a text is a copy of this list, except for symbols that change at run time. Returns false
 * if only one of the two hides the addresses (kptr_restrict).
 */
bool host_kernel_has_list(struct text text);

/* Returns the number in /proc/sys/kernel/NAME, or -1 if the file cannot be read. */
int host_kernel_setting(const char *name);

/*
 * The build-id of the running kernel, from /sys/kernel/notes. Returns false if this file cannot be
 * read.
 */
bool host_kernel_build_id(struct build_id *ret);

/*
 * The build-id of a loaded module. sysfs: the mount point. Returns false if there is no such
 * module, or if the module has no build-id.
 */
bool host_module_build_id(const char *sysfs, struct text name, struct build_id *ret);

#endif
