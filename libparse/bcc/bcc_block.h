/* SPDX-License-Identifier: MIT */
/*
 * Converts one block of a BCC tool's report (bcc.h) from lines to a sample. All tools print the
 * innermost frame first.
 */
#ifndef LIBPARSE_BCC_BCC_BLOCK_H
#define LIBPARSE_BCC_BCC_BLOCK_H

#include "libparse/event.h"
#include "libparse/text.h"

/* The event and unit of an entire report. */
struct bcc_measure {
	struct text event;
	enum weight_unit unit;
	uint64_t factor; /* each count stands for this number of units */
	/*
	 * offcputime from 2016 printed the report. The last line before its number is the comm, and
	 * has no mark.
	 */
	bool has_bare_comms;
};

struct bcc_block {
	uint64_t offset;
	VEC(struct text) lines; /* trimmed frames and words, marked as described in bcc_frame.h */
	struct text comm;       /* .at is NULL if there is none */
	bool has_pid;
	uint32_t pid;
	bool has_two_threads;  /* a blocked thread and its waker: the value is in microseconds */
	bool has_delimiter;    /* between the kernel stack and the user stack */
	uint64_t value, count; /* the weight, and the number of events */
	const char *end;       /* end of the window */
};

enum bcc_line {
	BCC_LINE_ADDED,
	BCC_LINE_ENDS,  /* the number that ends the block */
	BCC_LINE_WRONG, /* a number that would end the block, but is too large */
};

/* Makes the block empty. `end`: the end of the window that contains the block's lines. */
void bcc_block_reset(struct bcc_block *block, uint64_t offset, const char *end);
void bcc_block_deinit(struct bcc_block *block);

/* Adds an indented line. */
enum bcc_line bcc_block_add_line(struct bcc_block *block, struct text line);

/* Adds a frame line of memleak. */
void bcc_block_add_frame(struct bcc_block *block, struct text line);

/*
 * Whether a line begins a stack of memleak: "N bytes in M allocations from stack". The results may
 * be NULL.
 */
bool bcc_block_begins_leak(struct text line, uint64_t *bytes_ret, uint64_t *count_ret);

/* Whether the stack contains this function. */
bool bcc_block_has(const struct bcc_block *block, const char *function);

/* Sends the sample. Returns false if the weight of the sample overflows. */
bool bcc_block_send(struct bcc_block *block, const struct bcc_measure *measure,
		    const struct event_sink *sink);

#endif
