/* SPDX-License-Identifier: MIT */
/*
 * One entry of a bpftrace map: a key of several parts, and a value. Text and JSON are read into it,
 * and it is sent as samples:
 *
 *     @reads[bash, 7, kstack, ustack]: 12       bash;7;ustack...;kstack...  12, of the event @reads
 *      map   |part||| part   part      value
 *     @us[bash]: hist                           bash;[2, 4)  3     a sample for each row
 *
 * bpftrace does not mark kernel stacks. A stack is the kernel's when its outermost function is a
 * kernel entry (kernel_entry.h), or when it is the first of two.
 */
#ifndef LIBPARSE_BPFTRACE_BPFTRACE_ENTRY_H
#define LIBPARSE_BPFTRACE_BPFTRACE_ENTRY_H

#include "libparse/event.h"
#include "libparse/bpftrace/snapshots.h"

/*
 * A part of a key: a word or a stack. The text of a frame carries its own marks: a word includes
 * the byte before it, and a kernel frame includes the line end after it.
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
	BPFTRACE_NOTHING, /* no weight: a string, a tuple, a stack */
	BPFTRACE_WRONG,   /* a negative number, or one beyond 64 bits */
	BPFTRACE_NUMBER,
	BPFTRACE_STATS, /* a count and a total */
	BPFTRACE_ROWS,  /* a histogram */
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

/* Makes it an empty entry. */
void bpftrace_entry_reset(struct bpftrace_entry *entry, struct text map, uint64_t offset);
void bpftrace_entry_deinit(struct bpftrace_entry *entry);

/*
 * Adds the words of a part of a key, which separator, ", " or ",", divides. The byte before is
 * readable.
 */
void bpftrace_entry_add_words(struct bpftrace_entry *entry, struct text words,
			      const char *separator);

/* Adds a stack, then its frames. A line end follows each frame. */
void bpftrace_entry_add_stack(struct bpftrace_entry *entry);
void bpftrace_entry_add_frame(struct bpftrace_entry *entry, struct text line);

bool bpftrace_entry_has_stack(const struct bpftrace_entry *entry);

/* Reads a value that is a number. */
enum bpftrace_value bpftrace_value_of(struct text text, uint64_t *ret);

/* The total of its value, to recognise where a snapshot begins. */
uint64_t bpftrace_entry_sum(const struct bpftrace_entry *entry);

/*
 * The unit of its value, from the name of the map, @bytes or @read_ns; one of the value is
 * *factor_ret of it.
 */
enum weight_unit bpftrace_entry_unit(const struct bpftrace_entry *entry, uint64_t *factor_ret);

/* Sends its samples. False: its value is not a weight. */
bool bpftrace_entry_send(struct bpftrace_entry *entry, const struct event_sink *sink);

#endif
