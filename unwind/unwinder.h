/* SPDX-License-Identifier: MIT */
/*
 * Unwinds samples: from registers and stack dump to the addresses of all frames. Each thread has an
 * unwinder; what they share is immutable.
 *
 *     pc ── cache ──▶ rule ── step ──▶ caller's pc ── cache ──▶ rule ...   up to the thread's entry
 *             │ miss
 *             ▼
 *     code.find: the image mapped there ── cache ──▶ rule
 *                                                 │ miss
 *                                                 ▼
 *                                             image_rows
 *
 * For a caller, the address before the return address is looked up and reported, which is in the
 * call. For the innermost frame, a signal trampoline and the frame that a signal interrupted it is
 * the exact address.
 */
#ifndef UNWIND_UNWINDER_H
#define UNWIND_UNWINDER_H

#include "unwind/image_rows.h"
#include "unwind/stack_dump.h"

/* Frames of one unwound stack: as many return addresses as fit in a record of 64 KiB. */
#define LIMIT_UNWIND_FRAMES (65536u / 8)

enum code_kind {
	CODE_NONE,    /* nothing is mapped at the address */
	CODE_NO_FILE, /* a file is mapped, but it is missing */
	CODE_NO_CFI,  /* something without call frame information, such as JIT-compiled code */
	CODE_IMAGE,
};

struct code_location {
	bool is_vdso; /* set for CODE_NO_FILE, too */
	/* Set for CODE_IMAGE only: */
	uint32_t number;           /* a small number that identifies the image */
	const struct image *image; /* lives as long as the unwinder */
	uint64_t address;          /* in the file's own numbering */
};

/*
 * Finds the code that is mapped at an address. space identifies a state of mappings; *ret is zeroed
 * by the caller.
 */
struct code {
	void *context;
	enum code_kind (*find)(void *context, uint32_t space, uint64_t address,
			       struct code_location *ret);
};

enum unwind_end {
	UNWIND_COMPLETE,     /* reached the thread's entry */
	UNWIND_TRUNCATED,    /* reached the end of the stack dump */
	UNWIND_LOST,         /* stopped at a frame that cannot be unwound */
	UNWIND_NO_FILE,      /* guessed through, or stopped at, code whose file is missing */
	UNWIND_NO_REGISTERS, /* no registers, or an unknown architecture */
};

struct unwind_sample {
	const struct machine *machine; /* NULL: unknown */
	uint32_t space;
	uint64_t register_mask; /* sample_regs_user: register_words has one for each bit */
	struct span register_words;
	struct span stack; /* the dump, which starts at the stack pointer */
	bool is_whole;     /* the stack ends where the dump does */
};

/* Addresses, innermost first. */
struct unwind_frames {
	uint64_t *at; /* has space for LIMIT_UNWIND_FRAMES */
	uint32_t count;
};

struct unwinder_slot;

struct unwinder {
	struct code code;
	bool is_as_perf; /* report signal trampolines as perf does: the address before */
	struct register_layout layout; /* of the last sample; machine is NULL before the first */
	struct rules rules;
	VEC(struct image_rows *) images;           /* by number; NULL: not used yet */
	struct unwinder_slot *by_space, *by_image; /* caches of rules */
};

void unwinder_init(struct unwinder *unwinder, const struct code *code, bool is_as_perf);
void unwinder_deinit(struct unwinder *unwinder);

/* Unwinds one sample into frames: at least one, except with UNWIND_NO_REGISTERS. */
enum unwind_end unwinder_walk(struct unwinder *unwinder, const struct unwind_sample *sample,
			      struct unwind_frames *frames);

#endif
