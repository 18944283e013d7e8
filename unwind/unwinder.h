/* SPDX-License-Identifier: MIT */
/*
 * Walks recorded stacks: from the registers and the copied stack of a sample to the addresses of all
 * its frames. Each thread has an unwinder; what they share never changes.
 *
 *     pc ── cache ──▶ rule ── step ──▶ caller's pc ── cache ──▶ rule ...   to the thread's entry
 *             │ miss
 *             ▼
 *     code.find: which image is mapped there ── cache ──▶ rule
 *                                                 │ miss
 *                                                 ▼
 *                                             image_rows
 *
 * A frame below another is known by its return address; the instruction that called is before it,
 * and that is what is looked up and reported. Only where a signal interrupted, and where its handler
 * returns to, is the address itself meant, as it is in the innermost frame.
 */
#ifndef UNWIND_UNWINDER_H
#define UNWIND_UNWINDER_H

#include "base/limits.h"
#include "unwind/image_rows.h"
#include "unwind/stack_copy.h"

enum code_kind {
	CODE_NONE,    /* nothing is mapped there */
	CODE_NO_FILE, /* a file is, but it is not at hand */
	CODE_NO_CFI,  /* something is that has no call frame information, such as compiled code */
	CODE_IMAGE,
};

struct code_place {
	bool is_vdso; /* whether or not it is at hand */
	/* Of CODE_IMAGE alone: */
	uint32_t number;           /* of the image: the same for the same image, and small */
	const struct image *image; /* lives as long as the unwinder */
	uint64_t address;          /* as the file has it */
};

/* Who knows what is mapped where. space is any number that stands for a state of mappings; what ret
 * points to is zero. */
struct code {
	void *context;
	enum code_kind (*find)(void *context, uint32_t space, uint64_t address,
			       struct code_place *ret);
};

enum unwind_end {
	UNWIND_COMPLETE,     /* to where nothing called any more */
	UNWIND_TRUNCATED,    /* to the end of what was copied */
	UNWIND_LOST,         /* to where nothing tells how to go on */
	UNWIND_NO_FILE,      /* through code whose file is missing, by guesses, or no further */
	UNWIND_NO_REGISTERS, /* there were none, or of a machine that is not known */
};

struct unwind_sample {
	const struct machine *machine; /* NULL: not known */
	uint32_t space;
	uint64_t register_mask; /* what perf's register_words are: one for each bit */
	struct span register_words;
	struct span stack; /* the bytes that were copied, from the stack pointer on */
	bool is_whole;     /* the stack ends where they do */
};

/* Innermost first. All but the innermost, and those a signal interrupted, are in their calls. */
struct unwind_frames {
	uint64_t *at; /* room for LIMIT_UNWIND_FRAMES */
	uint32_t count;
};

struct unwinder_slot;

struct unwinder {
	struct code code;
	bool is_as_perf; /* what signal handlers return to is given as if it were a call */
	struct register_layout layout; /* of the last sample; machine NULL: there was none */
	struct rules rules;
	VEC(struct image_rows *) images;           /* by number; NULL: not met yet */
	struct unwinder_slot *by_space, *by_image; /* what was found lately */
};

void unwinder_init(struct unwinder *unwinder, const struct code *code, bool is_as_perf);
void unwinder_deinit(struct unwinder *unwinder);

/* Walks one stack; there is a frame at least, but with UNWIND_NO_REGISTERS. */
enum unwind_end unwinder_walk(struct unwinder *unwinder, const struct unwind_sample *sample,
			      struct unwind_frames *frames);

#endif
