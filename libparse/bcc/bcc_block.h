/* SPDX-License-Identifier: MIT */
/*
 * One stack of a report of BCC's tools, see bcc.h: from its lines to a sample. From the first line to the
 * last it is the innermost to the outermost, whatever tool it is of.
 */
#ifndef LIBPARSE_BCC_BCC_BLOCK_H
#define LIBPARSE_BCC_BCC_BLOCK_H

#include "libparse/event.h"
#include "libparse/text.h"

/* What the whole report counts. */
struct bcc_measure {
	struct text event;
	enum weight_unit unit;
	uint64_t factor; /* how many of unit one is */
	/* The last line before the number is a comm, though nothing marks it: offcputime of 2016. */
	bool has_bare_comms;
};

struct bcc_block {
	uint64_t offset;
	VEC(struct text) lines; /* of frames and words, trimmed; marked as bcc_frame.h says */
	struct text comm;       /* at NULL: none was met */
	bool has_pid;
	uint32_t pid;
	bool has_two_threads;  /* one that waited and one that woke it: time in microseconds */
	bool has_delimiter;    /* between the kernel's stack and the program's */
	uint64_t value, count; /* of what, and how often */
	const char *end;       /* of what is in memory */
};

enum bcc_line {
	BCC_LINE_TAKEN,
	BCC_LINE_ENDS,  /* the block, and is its number */
	BCC_LINE_WRONG, /* the same, but the number does not fit */
};

/* Makes it a block without lines; those it takes lie before end. */
void bcc_block_reset(struct bcc_block *block, uint64_t offset, const char *end);
void bcc_block_deinit(struct bcc_block *block);

/* Takes a line that is indented. */
enum bcc_line bcc_block_take(struct bcc_block *block, struct text line);

/* Takes a line of memleak's stacks. */
void bcc_block_take_frame(struct bcc_block *block, struct text line);

/* Whether a line is one of memleak that begins a stack: "N bytes in M allocations from stack". */
bool bcc_block_begins_leak(struct text line, uint64_t *bytes_ret, uint64_t *count_ret);

/* Whether one of its functions is that. */
bool bcc_block_has(const struct bcc_block *block, const char *function);

/* Tells the sample. False: what it counts does not fit. */
bool bcc_block_send(struct bcc_block *block, const struct bcc_measure *measure,
		    const struct event_sink *sink);

#endif
