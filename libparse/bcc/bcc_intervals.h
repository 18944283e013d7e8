/* SPDX-License-Identifier: MIT */
/*
 * Texts that tools of BCC print once an interval: histograms and tables of counts. Most count what came since the
 * interval before, so the intervals add up; argdist's may be totals since the start.
 */
#ifndef LIBPARSE_BCC_BCC_INTERVALS_H
#define LIBPARSE_BCC_BCC_INTERVALS_H

#include "libparse/bpftrace/snapshots.h"
#include "libparse/text.h"

struct bcc_parser {
	const struct event_sink *sink;
	struct printings *printings;     /* to be found out; NULL: they are */
	const struct printings *decided; /* which count */
	bool is_of_argdist;
	struct text_skips skips;
};

/* Members of a format whose reader is the printings. take's context is a struct bcc_parser. */
bool bcc_intervals_open(struct capture *capture, text_taker *take, struct error *err);
void bcc_intervals_close(struct capture *capture);
bool bcc_intervals_read_state(struct capture *capture, const struct event_sink *sink,
			      struct error *err);
bool bcc_intervals_read_samples(const struct capture *capture, struct slice slice, text_taker *take,
				const struct event_sink *sink, struct error *err);

#endif
