/* SPDX-License-Identifier: MIT */
/*
 * Reads switches and wake-ups as rows in the first pass over a capture. Rows do not contain names,
 * so they can be read before the state of processes is known:
 *
 *     first attrs ─▶ plan ─┐
 *     first pass, samples ─┴▶ rows ──┐
 *     first pass, the rest ─▶ state ─┴▶ switch_rows_read
 *
 * The plan made of the final attrs decides whether the rows can be used. If not, switch_rows_read
 * reads the samples again.
 */
#ifndef OFFCPU_EARLY_SWITCHES_H
#define OFFCPU_EARLY_SWITCHES_H

#include "libparse/early_samples.h"
#include "offcpu/pairing_plan.h"
#include "offcpu/pairing_rows.h"
#include "process/process_state.h"

struct early_switches {
	struct early_samples samples; /* for struct capture_reading */
	struct pairing_options options;
	unsigned part_count;               /* of parts that get rows */
	const struct process_state *state; /* its facts help to read the attrs */
	/* Only for the first attrs. */
	struct profile profile;
	struct process_state first_state;
	struct pairing_plan plan;
	struct pairing_rows parts[EARLY_PARTS_MAX];
};

/*
 * Creates the callbacks for a capture that at least one thread reads. state: gets the facts before
 * the attrs; borrowed until the first pass has ended. options: copied, but their texts are
 * borrowed.
 */
struct early_switches *early_switches_create(const struct pairing_options *options,
					     const struct process_state *state,
					     unsigned thread_count);
void early_switches_destroy(struct early_switches *early);

/* Frees all rows. early may be NULL. */
void early_switches_discard(struct early_switches *early);

/* Whether all rows of this plan have been read. early may be NULL. */
bool early_switches_have(const struct early_switches *early, const struct pairing_plan *plan);

#endif
