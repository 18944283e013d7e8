/* SPDX-License-Identifier: MIT */
#include "tests/support/row_maker.h"

struct pairing_row row_switch(uint64_t time_ns, uint32_t previous, const char *state, uint32_t next)
{
	return (struct pairing_row){
		.time_ns = time_ns,
		.offset = time_ns * 10,
		.previous = previous,
		.next = next,
		.role = PAIRING_SWITCH,
		.state = state[0],
		.is_preempted = state[1] == '+',
	};
}

struct pairing_row row_wake(uint64_t time_ns, uint32_t by, uint32_t whom)
{
	return (struct pairing_row){
		.time_ns = time_ns,
		.offset = time_ns * 10,
		.previous = by,
		.next = whom,
		.role = PAIRING_WAKE,
	};
}

struct pairing_row row_on(uint16_t cpu, struct pairing_row row)
{
	row.cpu = cpu;
	return row;
}
