/* SPDX-License-Identifier: MIT */
/*
 * Parses a line of the function_graph tracer, with any columns enabled, or of trace-cmd report:
 *
 *      1)  bash-812   | + 12.345 us   |      vfs_read() {            a call begins
 *      1)  bash-812   |   0.513 us    |        rw_verify_area();     a call without nested calls
 *      1)  bash-812   |   1.382 us    |      }                        the innermost call ends
 *      1)   bash-812  =>  sleep-90                                   another task is switched in
 *     sleep-90 [001] 35911.808690: funcgraph_entry:   0.513 us   |  rw_verify_area();
 *
 * Each level is indented by two blanks. Source: kernel/trace/trace_functions_graph.c.
 */
#ifndef LIBPARSE_FTRACE_FUNCTION_CALL_H
#define LIBPARSE_FTRACE_FUNCTION_CALL_H

#include "base/strings.h"

enum function_call_kind {
	FUNCTION_CALL_BEGIN,
	FUNCTION_CALL_LEAF,
	FUNCTION_CALL_END,
	FUNCTION_CALL_SWITCH, /* `name` is the task that is switched in */
	FUNCTION_CALL_NOTE,   /* an interrupt, an event or a comment */
};

struct function_call {
	enum function_call_kind kind;
	uint32_t cpu;
	struct text task;     /* "bash-812"; empty if not printed */
	uint64_t duration_ns; /* 0 if not printed */
	bool is_duration_wrong;
	uint32_t level;
	struct text name;
};

bool function_call_parse(struct text line, struct function_call *ret);

#endif
