/* SPDX-License-Identifier: MIT */
/*
 * Unwinds samples: computes the addresses of all frames from the registers and the stack dump. Each
 * thread has its own unwinder. Shared data is immutable.
 *
 *     pc ── cache ──▶ rule ── step ──▶ caller's pc ── cache ──▶ rule ...   up to the thread's start
 *             │ miss
 *             ▼
 *     code.find: the image mapped there ── cache ──▶ rule
 *                                                 │ miss
 *                                                 ▼
 *                                             image_rows
 *
 * For callers, the address before the return address is looked up and reported. This address is
 * inside the call. The address is exact for the innermost frame, a signal trampoline, and a frame
 * interrupted by a signal.
 */
#ifndef UNWIND_UNWINDER_H
#define UNWIND_UNWINDER_H

#include "unwind/image_rows.h"
#include "unwind/stack_dump.h"

/*
 * Maximum number of frames of an unwound stack: as many addresses as fit into a record of 64 KiB.
 */
#define LIMIT_UNWIND_FRAMES (65536u / 8)

enum code_kind {
	CODE_NONE,    /* nothing is mapped at the address */
	CODE_NO_FILE, /* a file is mapped, but the file is missing */
	CODE_NO_CFI,  /* code without call frame information, such as JIT-compiled code */
	CODE_IMAGE,
};

struct code_location {
	bool is_vdso; /* valid for CODE_IMAGE and CODE_NO_FILE */
	/* The fields below are set only for CODE_IMAGE. */
	uint32_t number;           /* a small number that identifies the image */
	const struct image *image; /* lives as long as the unwinder */
	uint64_t address;          /* address as linked, before relocation */
};

/*
 * Finds the code that is mapped at an address. space: identifies a state of the mappings. The
 * caller zeroes *ret.
 */
struct code {
	void *context;
	enum code_kind (*find)(void *context, uint32_t space, uint64_t address,
			       struct code_location *ret);
};

enum unwind_end {
	UNWIND_COMPLETE,  /* reached the thread's start */
	UNWIND_TRUNCATED, /* reached the end of the stack dump */
	UNWIND_LOST,      /* stopped at a frame that cannot be unwound */
	/* stopped at code whose file is missing, or guessed the caller of such code */
	UNWIND_NO_FILE,
	UNWIND_NO_REGISTERS, /* no registers, or an unknown architecture */
};

struct unwind_sample {
	const struct machine *machine; /* NULL if unknown */
	uint32_t space;
	uint64_t register_mask; /* sample_regs_user: one word for each set bit */
	struct span register_words;
	struct span stack; /* the stack dump, which starts at the stack pointer */
	bool is_whole;     /* the dump contains the whole stack */
	/*
	 * A stack with this many frames is complete. If 0, LIMIT_UNWIND_FRAMES is the only limit.
	 */
	uint32_t frame_max;
};

/* The addresses of the frames, innermost first. */
struct unwind_frames {
	uint64_t *at; /* addresses, with space for LIMIT_UNWIND_FRAMES */
	uint32_t count;
};

struct unwinder_slot;

struct unwinder {
	struct code code;
	bool is_as_perf; /* report signal trampolines as perf does: the address minus 1 */
	/* layout of the last sample; machine is NULL if there was none */
	struct register_layout layout;
	struct rules rules;
	VEC(struct image_rows *) images; /* indexed by image number; NULL if not used yet */
	struct unwinder_slot *by_space, *by_image; /* caches of rules */
};

void unwinder_init(struct unwinder *unwinder, const struct code *code, bool is_as_perf);
void unwinder_deinit(struct unwinder *unwinder);

/* Unwinds one sample into frames. There is at least one frame, except with UNWIND_NO_REGISTERS. */
enum unwind_end unwinder_walk(struct unwinder *unwinder, const struct unwind_sample *sample,
			      struct unwind_frames *frames);

#endif
