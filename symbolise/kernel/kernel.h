/* SPDX-License-Identifier: MIT */
/*
 * Naming the kernel of a capture and its modules, while it goes on. They are one job, since one list of
 * symbols may name all of them:
 *
 *     kernel_lists    kallsyms, System.map          the kernel; its modules, if of the same boot
 *     kernel_image    vmlinux, or its debug file    the kernel
 *     kernel_modules  ext4.ko.xz and its like       a module each
 */
#ifndef SYMBOLISE_KERNEL_KERNEL_H
#define SYMBOLISE_KERNEL_KERNEL_H

#include "symbolise/source.h"
#include "symbolise/kernel/kallsyms.h"

struct kernel {
	struct naming_job *job;
	const struct module
		*module; /* the kernel itself; never NULL, but perhaps nothing is known of it */
	struct build_id build_id;
	struct text reference; /* the symbol whose address the capture tells; perhaps empty */
	/* What was found and not used, the first of it. */
	enum match_status refusal;
	struct text refusal_reason;
};

/*
 * Remembers that path was looked at for all that is not named yet, and what came of it. The reason is to
 * be read behind the path.
 */
void kernel_note(struct kernel *kernel, const char *path, enum match_status match,
		 struct text reason);

/* The captured kernel's release, or NULL. */
const char *kernel_release(const struct kernel *kernel);

/*
 * Where the kernel's text or data ended when it ran, which tells one build from another: perf 5.1 and later
 * write it into the mapping of the kernel. 0: unknown.
 */
uint64_t kernel_captured_end(const struct kernel *kernel);

/* Lists that are known to be this kernel's: true when one named it. */
bool kernel_lists_try_verified(struct kernel *kernel);

/* Lists that nothing ties to this kernel, but the user offers them. */
void kernel_lists_try_unproven(struct kernel *kernel);

/* The kernel's image, or its debug file: true when it named the kernel. */
bool kernel_image_try(struct kernel *kernel);

/* Has the image say what was inlined where, for a kernel that a list named. */
void kernel_image_add_inlines(struct kernel *kernel);

/* Each module by its own file: its names when it has none yet, and what was inlined where. */
void kernel_modules_try(struct kernel *kernel);

#endif
