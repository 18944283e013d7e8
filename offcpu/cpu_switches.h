/* SPDX-License-Identifier: MIT */
/*
 * The last switch on each CPU, which tells what is missing: who leaves a CPU is who came to it last, and records
 * that were lost were lost after it.
 */
#ifndef OFFCPU_CPU_SWITCHES_H
#define OFFCPU_CPU_SWITCHES_H

#include "process/loss.h"
#include "offcpu/pairing_rows.h"

struct cpu_switch {
	uint64_t time_ns;
	uint32_t next; /* who came */
};

struct cpu_switches {
	VEC(struct cpu_switch) rows; /* by the CPU, as rows have it */
};

/* What all switches of a capture say about it. */
struct cpu_survey {
	bool is_nearly_complete; /* at most one switch in a hundred is missing */
	bool has_idle;           /* CPUs had nothing to do, and then had */
};

void cpu_switches_deinit(struct cpu_switches *switches);

/* The last switch on a CPU; NULL: there is none, or it is not known which CPU. */
const struct cpu_switch *cpu_switches_find(const struct cpu_switches *switches, uint16_t processor);

/* Notes a switch as the last of its CPU. */
void cpu_switches_note(struct cpu_switches *switches, const struct pairing_row *row);

/* Looks at all rows, which are in order of time. Completes what is known of losses. */
struct cpu_survey cpu_switches_survey(const struct pairing_row *rows, size_t count,
				      struct loss_spans *losses);

#endif
