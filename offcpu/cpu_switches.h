/* SPDX-License-Identifier: MIT */
/*
 * The last switch on each CPU, to find missing switches: the thread that is switched out must be the one that
 * was last switched in. Lost records were lost after the last switch.
 */
#ifndef OFFCPU_CPU_SWITCHES_H
#define OFFCPU_CPU_SWITCHES_H

#include "process/loss.h"
#include "offcpu/pairing_rows.h"

struct cpu_switch {
	uint64_t time_ns;
	uint32_t next; /* the thread switched in */
};

struct cpu_switches {
	VEC(struct cpu_switch) rows; /* by CPU, as in struct pairing_row */
};

/* Properties of a capture that all its switches show. */
struct cpu_survey {
	bool is_nearly_complete; /* at most one switch in a hundred is missing */
	bool has_idle;           /* there are switches from the idle task */
};

void cpu_switches_deinit(struct cpu_switches *switches);

/* Returns the last switch on a CPU, or NULL if there is none or the CPU is not known. */
const struct cpu_switch *cpu_switches_find(const struct cpu_switches *switches, uint16_t cpu);

/* Makes a switch the last one on its CPU. */
void cpu_switches_note(struct cpu_switches *switches, const struct pairing_row *row);

/* Checks all rows, which are sorted by time. Sets where losses begin. */
struct cpu_survey cpu_switches_survey(const struct pairing_row *rows, size_t count,
				      struct loss_spans *losses);

#endif
