/* SPDX-License-Identifier: MIT */
/*
 * Rows of switches and wake-ups for tests of pairing. Threads are identified by their tids; 0 is
 * the idle task. The place of a row is ten times its time.
 */
#ifndef TESTS_SUPPORT_ROW_MAKER_H
#define TESTS_SUPPORT_ROW_MAKER_H

#include "offcpu/pairing_rows.h"

/* A switch from previous, in this state, to next. '+' after the state: it was preempted. */
struct pairing_row row_switch(uint64_t time_ns, uint32_t previous, const char *state,
			      uint32_t next);

struct pairing_row row_wake(uint64_t time_ns, uint32_t by, uint32_t whom);

/* Returns the row on this CPU; CPUs are numbered from 1. */
struct pairing_row row_on(uint16_t cpu, struct pairing_row row);

#endif
