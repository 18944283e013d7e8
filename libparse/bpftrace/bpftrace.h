/* SPDX-License-Identifier: MIT */
/*
 * Maps printed by bpftrace, as text (bpftrace.c, bpftrace_text.h) or JSON (bpftrace_json.c). Each map is an event of
 * its name; those with stacks come first. This is what both forms share: a first pass finds which snapshots of each
 * map to use (snapshots.h), a second one reads the samples.
 */
#ifndef LIBPARSE_BPFTRACE_BPFTRACE_H
#define LIBPARSE_BPFTRACE_BPFTRACE_H

#include "libparse/bpftrace/bpftrace_entry.h"
#include "libparse/text.h"

extern const struct input_format bpftrace_format;
extern const struct input_format bpftrace_json_format;

struct bpftrace_parser {
	const struct event_sink *sink;
	struct snapshots *snapshots;     /* to fill on the first pass; NULL on the second */
	const struct snapshots *decided; /* for the second pass: which are used */
	struct bpftrace_entry entry;
	struct text_skips skips;
	uint64_t lost_count, lost_offset;
	/* Of text. */
	uint64_t last_value; /* of the entry before, to recognise where a snapshot begins */
	bool is_parted;      /* something else was between it and this one */
	/* Of JSON. */
	uint64_t offset; /* of the line */
	bool is_kept;    /* whether the snapshot in that line is used */
	bool is_cut;     /* the last line is no whole object */
	struct text map;
	struct sink key;  /* of an entry, its escapes undone */
	VEC(char) buffer; /* labels of its rows: never longer than the line */
	size_t used;
};

/* Adds the entry to the current snapshot. */
void bpftrace_add_to_snapshot(struct bpftrace_parser *parser);

/* Counts events that bpftrace says it lost. */
void bpftrace_add_lost(struct bpftrace_parser *parser, uint64_t count, uint64_t offset);

/* What the formats are made of; the context of take is a struct bpftrace_parser. */
bool bpftrace_open(struct capture *capture, text_taker *take, text_finder *find,
		   struct error *err) WARN_UNUSED;
void bpftrace_close(struct capture *capture);
bool bpftrace_read_state(struct capture *capture, const struct event_sink *sink,
			 struct error *err) WARN_UNUSED;
bool bpftrace_read(const struct capture *capture, struct slice slice, text_taker *take,
		   const struct event_sink *sink, struct error *err) WARN_UNUSED;

#endif
