/* SPDX-License-Identifier: MIT */
/*
 * Tables that a tool prints again and again, as bpftrace does with maps: which of the printings count.
 *
 *     @ | @reads | @ | @reads | @ | @reads      two tables, three printings of each
 *
 * A table that is never emptied is all there was up to then: its last printing counts. One that is
 * emptied each time is what came since: its printings add up. The first kind shows: each printing has all
 * keys of the one before, and in all not less. What a user says (struct printing_choice) goes first.
 */
#ifndef LIBPARSE_BPFTRACE_SNAPSHOTS_H
#define LIBPARSE_BPFTRACE_SNAPSHOTS_H

#include "base/idtable.h"
#include "base/strings.h"
#include "libparse/formats.h"

struct printing {
	uint64_t offset; /* where it begins in the input */
	uint64_t number; /* of its table, from 1 on */
	uint32_t table;
	bool is_kept;
};

struct printed_table {
	str_id name;
	bool has_stacks;         /* of its entries any has */
	enum weight_unit unit;   /* of the first of them */
	bool has_shrunk;         /* from one printing to the next: it is emptied in between */
	uint64_t printing_count; /* the last of them is under way */
	uint64_t total, total_before;
	uint64_t key_count, key_count_before; /* of the printing under way, of the one before */
	uint64_t kept_key_count;              /* of the former, those that are in the latter */
};

struct printed_key {
	uint64_t hash;
	uint64_t number; /* of the last printing it was in */
	uint64_t value;  /* in that */
	uint32_t table;
};

struct printings {
	struct strings names;
	VEC(struct printed_table) tables; /* by name: row 0 is of the empty one */
	VEC(struct printed_key) keys;
	struct idtable key_table;
	VEC(struct printing) rows; /* in order of offset */
};

void printings_init(struct printings *printings);
void printings_deinit(struct printings *printings);

/* A printing of the table of that name begins; offsets grow from call to call. */
void printings_begin(struct printings *printings, struct text name, uint64_t offset);

/* The printing under way is of that table. */
bool printings_is_of(const struct printings *printings, struct text name);

struct printed_entry {
	uint64_t key; /* its hash */
	uint64_t value;
	bool has_stack;
	enum weight_unit unit;
	bool only_grows; /* its value is less than before only when the table was emptied in between */
};

/* Adds an entry to the printing under way. */
void printings_add(struct printings *printings, const struct printed_entry *entry);

/* Whether the printing under way has an entry of that key. */
bool printings_has(const struct printings *printings, uint64_t key_hash);

/* Decides which printings are kept; NULL: as it shows. False: the choice is of a number that no table was printed as
 * often as; the error says how often they were. */
bool printings_finish(struct printings *printings, const struct printing_choice *choice,
		      struct error *err) WARN_UNUSED;

/* Whether what is at that offset is of a printing that is kept. */
bool printings_keeps(const struct printings *printings, uint64_t offset);

/* Tells which tables were printed several times and what was made of that; nothing when none was. */
void printings_tell(const struct printings *printings, const struct event_sink *sink);

#endif
