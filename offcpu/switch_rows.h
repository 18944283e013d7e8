/* SPDX-License-Identifier: MIT */
/*
 * Reads the switches and wake-ups of a capture in parallel, from samples and switch records, and
 * returns them as rows in time order.
 */
#ifndef OFFCPU_SWITCH_ROWS_H
#define OFFCPU_SWITCH_ROWS_H

#include "libparse/formats.h"
#include "offcpu/early_switches.h"
#include "offcpu/pairing_rows.h"
#include "process/process_state.h"
#include "process/switch_records.h"

/* A capture whose state has been read. */
struct switch_source {
	const struct capture *capture;
	const struct process_state *state;
	struct early_switches *early; /* rows from the first pass, which are moved; NULL if none */
	unsigned thread_count;
};

/*
 * Reads the rows of the events in the plan. Fails if samples represent several switches, or if
 * switch records have no time. The caller always calls pairing_rows_deinit.
 */
bool switch_rows_read(const struct switch_source *source, const struct pairing_plan *plan,
		      struct pairing_rows *ret, struct error *err) WARN_UNUSED;

/*
 * Converts a switch record (perf record --switch-events). Returns false if the plan does not use it:
 * some plans use no records, and some only those of switches that samples do not contain.
 */
bool switch_rows_of_record(const struct recorded_switch *record, const struct pairing_plan *plan,
			   struct pairing_row *ret);

#endif
