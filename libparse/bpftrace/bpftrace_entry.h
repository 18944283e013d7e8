/* SPDX-License-Identifier: MIT */
/*
 * One entry of a bpftrace map: a key of several parts, and a value. The readers of text and JSON
 * fill an entry, which is then sent as samples:
 *
 *     @reads[bash, 7, kstack, ustack]: 12       bash;7;ustack...;kstack...  12   (event @reads)
 *      map   |part||| part   part      value
 *     @us[bash]: hist                           bash;[2, 4)  3     one sample for each row
 *
 * bpftrace does not mark kernel stacks. A stack counts as a kernel stack if its outermost function
 * is a kernel entry (kernel_entry.h), or if it is the first of two.
 */
#ifndef LIBPARSE_BPFTRACE_BPFTRACE_ENTRY_H
#define LIBPARSE_BPFTRACE_BPFTRACE_ENTRY_H

#include "libparse/event.h"
#include "libparse/bpftrace/snapshots.h"

/*
 * A part of a key: a word or a stack. Words also become frames. The range of a frame's text shows
 * the kind of the frame. The range of a word begins one byte early. The range of a kernel frame
 * ends with the newline.
 */
struct bpftrace_part {
	struct text word; /* the word, and the byte before it */
	bool is_stack;
	bool is_kernel;
	size_t frame_first, frame_count; /* rows of the entry's frames, innermost first */
};

struct bpftrace_row {
	struct text label; /* the label, and the byte before it */
	uint64_t count;
};

enum bpftrace_value {
	BPFTRACE_NOTHING, /* a value that is not a weight: a string, a tuple or a stack */
	BPFTRACE_WRONG,   /* a negative number, or a number beyond 64 bits */
	BPFTRACE_NUMBER,
	BPFTRACE_STATS, /* a count and a total */
	BPFTRACE_ROWS,  /* a histogram */
};

struct bpftrace_entry {
	uint64_t offset;
	struct text map; /* "@reads" */
	struct text key; /* the whole key as printed */
	VEC(struct bpftrace_part) parts;
	VEC(struct text) frames;
	VEC(struct bpftrace_row) rows;
	enum bpftrace_value value;
	uint64_t total;         /* for BPFTRACE_NUMBER: the number */
	uint64_t sample_count;  /* for BPFTRACE_STATS */
	VEC(struct text) chain; /* scratch */
};

/* Resets the entry to an empty entry of this map. */
void bpftrace_entry_reset(struct bpftrace_entry *entry, struct text map, uint64_t offset);
void bpftrace_entry_deinit(struct bpftrace_entry *entry);

/*
 * Adds the words of a key part. separator: ", " or ",". The byte before `words` must be readable.
 */
void bpftrace_entry_add_words(struct bpftrace_entry *entry, struct text words,
			      const char *separator);

/* Starts a stack, whose frames are added next. Each frame must be followed by a newline. */
void bpftrace_entry_add_stack(struct bpftrace_entry *entry);
void bpftrace_entry_add_frame(struct bpftrace_entry *entry, struct text line);

bool bpftrace_entry_has_stack(const struct bpftrace_entry *entry);

/* Parses a number as a value. */
enum bpftrace_value bpftrace_value_of(struct text text, uint64_t *ret);

/* The total of the entry's value, which shows where a snapshot begins. */
uint64_t bpftrace_entry_sum(const struct bpftrace_entry *entry);

/*
 * The unit of the map's values, guessed from the map's name: @bytes, @read_ns. A value of 1 stands
 * for *factor_ret units.
 */
enum weight_unit bpftrace_entry_unit(const struct bpftrace_entry *entry, uint64_t *factor_ret);

/* Sends the entry's samples. Returns false if the entry's value is not a weight. */
bool bpftrace_entry_send(struct bpftrace_entry *entry, const struct event_sink *sink);

#endif
