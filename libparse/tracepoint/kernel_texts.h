/* SPDX-License-Identifier: MIT */
/*
 * Kernel strings to which tracepoint fields point. perf copies the list into the capture:
 *
 *     0xffffffff8281a221 : "Start scheduler-tick"
 *
 * Source: /sys/kernel/tracing/printk_formats.
 */
#ifndef LIBPARSE_TRACEPOINT_KERNEL_TEXTS_H
#define LIBPARSE_TRACEPOINT_KERNEL_TEXTS_H

#include "base/arena.h"
#include "base/strings.h"
#include "base/vec.h"

struct kernel_text {
	uint64_t address;
	struct text text; /* between the quotes */
};

struct kernel_texts {
	VEC(struct kernel_text) rows; /* sorted by address */
};

/* Adds the strings listed in text, copied into arena. Malformed lines are skipped. */
void kernel_texts_read(struct kernel_texts *texts, struct text text, struct arena *arena);
void kernel_texts_deinit(struct kernel_texts *texts);

/* Returns the string at an address. .at is NULL if there is none. */
struct text kernel_texts_find(const struct kernel_texts *texts, uint64_t address);

#endif
