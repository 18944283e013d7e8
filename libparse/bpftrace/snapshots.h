/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of tables that a tool prints repeatedly, such as bpftrace's maps, and which of them to
 * use:
 *
 *     @ | @reads | @ | @reads | @ | @reads      two tables, three snapshots of each
 *
 * A table that is never cleared holds totals: its last snapshot is used. A table that is cleared
 * after each print holds differences: its snapshots are added up. Totals are recognised because
 * each snapshot has all keys of the one before and at least its sum. --interval (struct
 * snapshot_choice) overrides this.
 */
#ifndef LIBPARSE_BPFTRACE_SNAPSHOTS_H
#define LIBPARSE_BPFTRACE_SNAPSHOTS_H

#include "base/idtable.h"
#include "base/strings.h"
#include "libparse/formats.h"

struct snapshot {
	uint64_t offset; /* where it begins in the input */
	uint64_t number; /* of its table, from 1 on */
	uint32_t table;
	bool is_kept;
};

struct snapshot_table {
	str_id name;
	bool has_stacks;         /* of its entries any has */
	enum weight_unit unit;   /* of the first of them */
	bool has_shrunk;         /* from one snapshot to the next: it is cleared in between */
	uint64_t snapshot_count; /* the last of them is under way */
	uint64_t total, total_before;
	uint64_t key_count, key_count_before; /* of the current snapshot and of the one before */
	uint64_t kept_key_count; /* keys of the current one that the one before had too */
};

struct snapshot_key {
	uint64_t hash;
	uint64_t number; /* of the last snapshot with this key */
	uint64_t value;  /* in that snapshot */
	uint32_t table;
};

struct snapshots {
	struct strings names;
	VEC(struct snapshot_table) tables; /* by name: row 0 is of the empty one */
	VEC(struct snapshot_key) keys;
	struct idtable key_table;
	VEC(struct snapshot) rows; /* in order of offset */
};

void snapshots_init(struct snapshots *snapshots);
void snapshots_deinit(struct snapshots *snapshots);

/* Begins a snapshot of the table of that name. Offsets must grow from call to call. */
void snapshots_begin(struct snapshots *snapshots, struct text name, uint64_t offset);

/* Whether the current snapshot is of that table. */
bool snapshots_is_of(const struct snapshots *snapshots, struct text name);

struct snapshot_entry {
	uint64_t key; /* its hash */
	uint64_t value;
	bool has_stack;
	enum weight_unit unit;
	/* its value is less than before only when the table was emptied in between */
	bool only_grows;
};

/* Adds an entry to the current snapshot. */
void snapshots_add(struct snapshots *snapshots, const struct snapshot_entry *entry);

/* Whether the current snapshot has that key. */
bool snapshots_has(const struct snapshots *snapshots, uint64_t key_hash);

/*
 * Decides which snapshots are used; choice NULL: automatically. False: no table has as many
 * snapshots as the number chosen; the error names the largest.
 */
bool snapshots_finish(struct snapshots *snapshots, const struct snapshot_choice *choice,
		      struct error *err) WARN_UNUSED;

/* Whether the snapshot at that offset is used. */
bool snapshots_keeps(const struct snapshots *snapshots, uint64_t offset);

/* Reports the tables with several snapshots and which of them are used, as FACT_SNAPSHOTS. */
void snapshots_report(const struct snapshots *snapshots, const struct event_sink *sink);

#endif
