/* SPDX-License-Identifier: MIT */
/*
 * Reads the switches and wake-ups of a capture in parallel, from samples and switch records, and
 * returns them as rows in time order.
 */
#ifndef OFFCPU_SWITCH_ROWS_H
#define OFFCPU_SWITCH_ROWS_H

#include "libparse/formats.h"
#include "offcpu/pairing_rows.h"
#include "process/process_state.h"

/*
 * Reads the rows of the events in the plan. Fails if samples represent several switches, or if
 * switch records have no time. The caller always calls pairing_rows_deinit.
 */
bool switch_rows_read(const struct capture *capture, const struct process_state *state,
		      const struct pairing_plan *plan, unsigned thread_count,
		      struct pairing_rows *ret, struct error *err) WARN_UNUSED;

#endif
