/* SPDX-License-Identifier: MIT */
/*
 * Symbolises the kernel and its modules in a single job, because one symbol list may name all of
 * them:
 *
 *     kernel_lists     kallsyms, System.map        the kernel, and its modules if from the same boot
 *     kernel_image     vmlinux or its debug file   the kernel
 *     kernel_modules   ext4.ko.xz and such         one module each
 */
#ifndef SYMBOLISE_KERNEL_KERNEL_H
#define SYMBOLISE_KERNEL_KERNEL_H

#include "symbolise/source.h"
#include "symbolise/kernel/kallsyms.h"

struct kernel {
	struct naming_job *job;
	const struct module *module; /* the kernel itself; never NULL, may be an empty module */
	struct build_id build_id;
	struct text reference; /* the symbol whose address the capture records; may be empty */
	/* The first file that was found and refused. */
	enum match_status refusal;
	struct text refusal_reason;
};

/*
 * Records for all modules without names that path was searched. The reason continues a message that
 * begins with the path.
 */
void kernel_note(struct kernel *kernel, const char *path, enum match_status match,
		 struct text reason);

/* The captured kernel's release, or NULL. */
const char *kernel_release(const struct kernel *kernel);

/*
 * Where the captured kernel's text or data ends. The end differs between builds. Since 2019, perf
 * has recorded this end as the end of the kernel's mapping. 0 if unknown.
 */
uint64_t kernel_captured_end(const struct kernel *kernel);

/*
 * Tries lists that are known to belong to this kernel. Returns true if one of these lists named the
 * kernel.
 */
bool kernel_lists_try_verified(struct kernel *kernel);

/* Tries lists from the user that may belong to a different kernel. */
void kernel_lists_try_unproven(struct kernel *kernel);

/* Tries vmlinux or its debug file. Returns true if the image named the kernel. */
bool kernel_image_try(struct kernel *kernel);

/* Adds inlined functions from vmlinux to a kernel that a list named. */
void kernel_image_add_inlines(struct kernel *kernel);

/* Adds inlined functions from each kernel module's own file, and names where they are missing. */
void kernel_modules_try(struct kernel *kernel);

#endif
