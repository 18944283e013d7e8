/* SPDX-License-Identifier: MIT */
/*
 * What a thread is called. One that no record named is known by its number, ":4711", as perf has
 * it, and thread 0, which runs when nothing else does, is "swapper".
 */
#ifndef PROCESS_COMM_H
#define PROCESS_COMM_H

#include "process/process_history.h"

/* Room for the name of a thread without one. */
#define COMM_BYTES 16

/* comm is a str_id or PROCESS_HISTORY_NONE; the text is in strings, in buffer, or constant. */
static inline struct text comm_text(const struct strings *strings, uint32_t comm, uint32_t tid,
				    char buffer[COMM_BYTES])
{
	if (comm != PROCESS_HISTORY_NONE)
		return strings_get(strings, (str_id){ comm });
	if (tid == 0)
		return text_of("swapper");
	snprintf(buffer, COMM_BYTES, ":%d", (int32_t)tid);
	return text_of(buffer);
}

#endif
