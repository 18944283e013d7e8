/* SPDX-License-Identifier: MIT */
/*
 * One entry of a map of bpftrace: its key, which is some parts, and its value. Text and JSON are read
 * into the same, and it becomes the same samples:
 *
 *     @reads[bash, 7, kstack, ustack]: 12       bash;7;ustack...;kstack...  12, of the event @reads
 *      map   |part||| part   part      value
 *     @us[bash]: hist                           bash;[2, 4)  3     a sample for each row
 *
 * Nothing says of a stack whether it is the kernel's. Its outermost function mostly does; else, of two,
 * the first is.
 */
#ifndef LIBPARSE_BPFTRACE_BPFTRACE_ENTRY_H
#define LIBPARSE_BPFTRACE_BPFTRACE_ENTRY_H

#include "libparse/event.h"
#include "libparse/bpftrace/snapshots.h"

/*
 * What a part of a key is. The byte before a word that is none of its own marks its frame as a word; a
 * frame of the kernel is marked by the line end behind it. So one frame's text says all there is of it.
 */
struct bpftrace_part {
	struct text word; /* with the byte before it */
	bool is_stack;
	bool is_kernel;
	size_t frame_first, frame_count; /* in frames of the entry; innermost first */
};

struct bpftrace_row {
	struct text label; /* with the byte before it */
	uint64_t count;
};

enum bpftrace_value {
	BPFTRACE_NOTHING, /* that could be counted: a text, a tuple, a stack */
	BPFTRACE_WRONG,   /* a number that cannot be a weight: negative, or beyond 64 bits */
	BPFTRACE_NUMBER,
	BPFTRACE_STATS, /* a count and a total */
	BPFTRACE_ROWS,  /* of a histogram */
};

struct bpftrace_entry {
	uint64_t offset;
	struct text map; /* "@reads" */
	struct text key; /* all of it, as it is written */
	VEC(struct bpftrace_part) parts;
	VEC(struct text) frames;
	VEC(struct bpftrace_row) rows;
	enum bpftrace_value value;
	uint64_t total;         /* of BPFTRACE_NUMBER, the number */
	uint64_t sample_count;  /* of BPFTRACE_STATS */
	VEC(struct text) chain; /* scratch */
};

/* Makes it an entry without parts. */
void bpftrace_entry_reset(struct bpftrace_entry *entry, struct text map, uint64_t offset);
void bpftrace_entry_deinit(struct bpftrace_entry *entry);

/* Adds the words of a piece of a key: separator, ", " or ",", is between them. There is a byte before. */
void bpftrace_entry_add_words(struct bpftrace_entry *entry, struct text words,
			      const char *separator);

/* Adds a stack, to which bpftrace_entry_add_frame then adds. A line end is behind each frame. */
void bpftrace_entry_add_stack(struct bpftrace_entry *entry);
void bpftrace_entry_add_frame(struct bpftrace_entry *entry, struct text line);

bool bpftrace_entry_has_stack(const struct bpftrace_entry *entry);

/* What a number is worth; anything else is none. */
enum bpftrace_value bpftrace_value_of(struct text text, uint64_t *ret);

/* All that its value counts, for telling printings apart. */
uint64_t bpftrace_entry_sum(const struct bpftrace_entry *entry);

/* What its value counts, by the name of the map, @bytes or @read_ns; *factor_ret: how many one is. */
enum weight_unit bpftrace_entry_unit(const struct bpftrace_entry *entry, uint64_t *factor_ret);

/* Tells its samples. False: its value is no weight. */
bool bpftrace_entry_send(struct bpftrace_entry *entry, const struct event_sink *sink);

#endif
