/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of tables that a tool prints repeatedly, such as bpftrace's maps. Decides which
 * snapshots to use:
 *
 *     @ | @reads | @ | @reads | @ | @reads      two tables, three snapshots of each
 *
 * A table that is never cleared contains totals, so only its last snapshot is used. A table that is
 * cleared after each print contains differences, so its snapshots are added up. A table is assumed
 * to contain totals if each snapshot has all keys of the previous snapshot, and at least the same
 * sum. If values only grow (only_grows), the value of each key must also be at least as large as
 * before. --interval (struct snapshot_choice) overrides this decision.
 */
#ifndef LIBPARSE_BPFTRACE_SNAPSHOTS_H
#define LIBPARSE_BPFTRACE_SNAPSHOTS_H

#include "base/idtable.h"
#include "base/strings.h"
#include "libparse/formats.h"

struct snapshot {
	uint64_t offset; /* where the snapshot begins in the input */
	uint64_t number; /* number of the snapshot within its table, counted from 1 */
	uint64_t entry_count;
	uint32_t table;
	bool is_kept;
};

struct snapshot_table {
	str_id name;
	bool has_stacks;       /* at least one entry of the snapshot has a stack */
	enum weight_unit unit; /* unit of the first entry */
	bool has_shrunk; /* the table shrank between two snapshots, so it is cleared after each */
	uint64_t snapshot_count; /* including the current one */
	uint64_t total, total_before;
	uint64_t key_count, key_count_before; /* keys in the current and the previous snapshot */
	uint64_t kept_key_count;              /* keys that both snapshots have */
	uint64_t entry_count_max;             /* entries of the largest used snapshot */
};

struct snapshot_key {
	uint64_t hash;
	uint64_t number; /* the last snapshot with this key */
	uint64_t value;  /* the key's value in that snapshot */
	uint32_t table;
};

struct snapshots {
	struct strings names;
	VEC(struct snapshot_table) tables; /* indexed by name; row 0: the empty name */
	VEC(struct snapshot_key) keys;
	struct idtable key_table;
	VEC(struct snapshot) rows; /* ordered by offset */
};

void snapshots_init(struct snapshots *snapshots);
void snapshots_deinit(struct snapshots *snapshots);

/* Begins a snapshot of the table with this name. Offsets must increase from call to call. */
void snapshots_begin(struct snapshots *snapshots, struct text name, uint64_t offset);

/* Whether the current snapshot belongs to that table. */
bool snapshots_is_of(const struct snapshots *snapshots, struct text name);

struct snapshot_entry {
	uint64_t key; /* hash of the key */
	uint64_t value;
	bool has_stack;
	enum weight_unit unit;
	/* The value of a key never decreases, unless the table is cleared between snapshots. */
	bool only_grows;
};

/* Adds an entry to the current snapshot. */
void snapshots_add(struct snapshots *snapshots, const struct snapshot_entry *entry);

/* Whether the current snapshot has a key with this hash. */
bool snapshots_has(const struct snapshots *snapshots, uint64_t key_hash);

/*
 * Decides which snapshots to use. If choice is NULL, decides automatically. Fails if no table has a
 * snapshot with the chosen number; the error names the highest number.
 */
bool snapshots_finish(struct snapshots *snapshots, const struct snapshot_choice *choice,
		      struct error *err) WARN_UNUSED;

/* Whether the snapshot at this offset is used. */
bool snapshots_keeps(const struct snapshots *snapshots, uint64_t offset);

/* How many tables have exactly this number of entries in their largest used snapshot. */
uint64_t snapshots_count_tables(const struct snapshots *snapshots, uint64_t entry_count);

/*
 * Sends FACT_SNAPSHOTS: the tables with several snapshots, and which of these snapshots are used.
 */
void snapshots_report(const struct snapshots *snapshots, const struct event_sink *sink);

#endif
