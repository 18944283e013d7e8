/* SPDX-License-Identifier: MIT */
/*
 * Maps printed by bpftrace, as text (bpftrace.c, bpftrace_text.c) or JSON (bpftrace_json.c). Each
 * map becomes an event with the name of the map. Maps with stacks come first. The first pass
 * decides which snapshots of each map to use (snapshots.h), and the second reads the samples.
 */
#ifndef LIBPARSE_BPFTRACE_BPFTRACE_H
#define LIBPARSE_BPFTRACE_BPFTRACE_H

#include "libparse/bpftrace/bpftrace_entry.h"
#include "libparse/text.h"

extern const struct input_format bpftrace_format;
extern const struct input_format bpftrace_json_format;

struct bpftrace_parser {
	const struct event_sink *sink;
	struct snapshots *snapshots;     /* filled by the first pass; NULL in the second */
	const struct snapshots *decided; /* for the second pass: which snapshots are used */
	struct bpftrace_entry entry;
	struct text_skips skips;
	uint64_t lost_count, lost_offset;
	/* For text. */
	uint64_t last_value; /* value of the previous entry, to recognise the start of a snapshot */
	bool is_parted;      /* there were other lines between the previous entry and this one */
	bool is_behind_empty; /* there was an empty line between the previous entry and this one */
	/* For JSON. */
	uint64_t offset; /* input offset of the line */
	bool is_kept;    /* the snapshot in that line is used */
	bool is_cut;     /* the last line is an incomplete object */
	struct text map;
	struct sink key;  /* key of an entry, unescaped */
	VEC(char) buffer; /* labels of the entry's rows; together no longer than the line */
	size_t used;
};

/* Adds the entry to the current snapshot. */
void bpftrace_add_to_snapshot(struct bpftrace_parser *parser);

/* Counts events that bpftrace reports as lost. */
void bpftrace_add_lost(struct bpftrace_parser *parser, uint64_t count, uint64_t offset);

/*
 * Opens a text or JSON input; see input_format.open. The context of callback is a struct
 * bpftrace_parser.
 */
bool bpftrace_open(struct capture *capture, text_record_callback *callback, text_finder *find,
		   struct error *err) WARN_UNUSED;
void bpftrace_close(struct capture *capture);
bool bpftrace_read_state(struct capture *capture, const struct event_sink *sink,
			 struct error *err) WARN_UNUSED;
bool bpftrace_read(const struct capture *capture, struct slice slice,
		   text_record_callback *callback, const struct event_sink *sink,
		   struct error *err) WARN_UNUSED;

/*
 * The text of one entry of a map, as bpftrace prints it:
 *
 *     @[bash,                    a word, then a stack begins
 *         vfs_read+145
 *         ksys_read+103
 *     ,                          the stack ends, the next begins
 *         read+14
 *     , 7]: 12                   the stack ends; a word, the value
 *
 *     @us[bash]:                 rows of a histogram, possibly after empty lines
 *     [2, 4)        3 |@@@ |
 *
 * Source: src/output.cpp and src/ast/... of bpftrace, from 0.9 to 0.24.
 */
/*
 * Whether a line begins an entry: "@name[" or "@name:". Other lines of an entry never begin with
 * "@name[" or "@name:".
 */
bool bpftrace_text_begins(struct text line);

/* Whether only bpftrace prints such a line, if `following` follows. */
bool bpftrace_text_is_map(struct text line, struct text following);

enum bpftrace_progress {
	BPFTRACE_COMPLETE,
	/* a later line does not fit the entry; *at is after the last line that fits */
	BPFTRACE_BROKEN,
	BPFTRACE_INCOMPLETE, /* the entry continues beyond the window */
};

/*
 * Reads the entry that begins with line; its other lines follow *at. Interspersed lines that do not
 * belong to the entry count as skipped.
 */
enum bpftrace_progress bpftrace_text_read(struct bpftrace_entry *entry, struct text line,
					  const struct text_window *window, const char **at,
					  struct text_skips *skips);

#endif
