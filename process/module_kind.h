/* SPDX-License-Identifier: MIT */
/* Derives the kind of a module from the path of its mapping. Many paths are not files: [vdso],
 * //anon, /memfd:name (deleted), [kernel.kallsyms]_text, [ext4]. */
#ifndef PROCESS_MODULE_KIND_H
#define PROCESS_MODULE_KIND_H

#include "process/module.h"

enum module_kind module_kind_of(const struct event_mmap *mmap);

/* The kind of a module by its path in perf script text. *pid_ret is set for MODULE_ANONYMOUS. */
enum module_kind module_kind_of_text(struct text path, uint32_t *pid_ret);

/* Whether the path of a kernel mapping belongs to a loadable module, not to the kernel itself. */
bool module_is_kernel_module_path(struct text path);

/* Extracts "ext4" from [ext4] or /lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz. */
struct text module_kernel_module_name(struct text path);

/*
 * Extracts "_text" from "[kernel.kallsyms]_text": the symbol whose address is the mapping's file
 * offset.
 */
struct text module_kernel_reference(struct text path);

#endif
