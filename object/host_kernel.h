/* SPDX-License-Identifier: MIT */
/* The kernel this machine runs. */
#ifndef OBJECT_HOST_KERNEL_H
#define OBJECT_HOST_KERNEL_H

#include "base/build_id.h"
#include "base/strings.h"

/* The list of its symbols. */
#define HOST_KERNEL_LIST "/proc/kallsyms"

/* Whether a text is a copy of that list, but for what changes while the kernel runs; false where its addresses
 * are hidden from who asks. */
bool host_kernel_has_list(struct text text);

/* The number below /proc/sys/kernel called name; -1: there is none, or it may not be read. */
int host_kernel_setting(const char *name);

/* Its build-id, which the kernel tells in /sys/kernel/notes; false where that is not mounted. */
bool host_kernel_build_id(struct build_id *ret);

/* The build-id of a module it has loaded, by what is mounted at sysfs; false when there is none of this
 * name, or it does not tell. */
bool host_module_build_id(const char *sysfs, struct text name, struct build_id *ret);

#endif
