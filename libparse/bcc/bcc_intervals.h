/* SPDX-License-Identifier: MIT */
/*
 * Histograms and tables that BCC's tools print at intervals. Most of these cover only their
 * interval, so kiln adds them up. The tables of argdist may be totals since the start.
 */
#ifndef LIBPARSE_BCC_BCC_INTERVALS_H
#define LIBPARSE_BCC_BCC_INTERVALS_H

#include "libparse/bpftrace/snapshots.h"
#include "libparse/text.h"

struct bcc_parser {
	const struct event_sink *sink;
	struct snapshots *snapshots;     /* filled by the first pass; NULL in the second */
	const struct snapshots *decided; /* for the second pass: which snapshots are used */
	bool is_of_argdist;
	struct text_skips skips;
};

/*
 * Members of a struct input_format whose reader is a struct snapshots. The context of callback is a
 * struct bcc_parser.
 */
bool bcc_intervals_open(struct capture *capture, text_record_callback *callback, struct error *err);
void bcc_intervals_close(struct capture *capture);
bool bcc_intervals_read_state(struct capture *capture, const struct event_sink *sink,
			      struct error *err);
bool bcc_intervals_read_samples(const struct capture *capture, struct slice slice,
				text_record_callback *callback, const struct event_sink *sink,
				struct error *err);

#endif
