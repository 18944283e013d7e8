/* SPDX-License-Identifier: MIT */
/*
 * Parses lines that report a system call, as printed by strace and perf trace. These lines have
 * similar ends:
 *
 *     openat(AT_FDCWD, "/etc/x", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000012>
 *     close(fd: 3)                         = 0
 *
 * The rightmost " = " precedes the result, because error texts never contain " = ".
 */
#ifndef LIBPARSE_CALLS_CALL_LINE_H
#define LIBPARSE_CALLS_CALL_LINE_H

#include "libparse/formats.h"

/* Formats that only kiln syscalls reads, because they have no stacks. */
extern const struct input_format strace_format;
extern const struct input_format strace_summary_format;
extern const struct input_format perf_trace_format;

struct call_line {
	bool has_time;
	uint64_t time_ns; /* time on the clock of the text */
	uint32_t tid;     /* EVENT_NO_TID if not printed */
	struct text comm; /* .at is NULL if not printed */
	bool has_call;    /* false if the line does not report a call, but a signal, for example */
	struct event_syscall call;
};

/* Reads the name of a system call, and removes it from *rest. */
bool call_line_read_name(struct text *rest, struct text *ret);

/*
 * Reads the result at the end of a line. A call that did not return, such as exit, clears has_call.
 * Returns false if there is no result.
 */
bool call_line_read_result(struct text rest, struct call_line *line);

/*
 * Reads a number such as "12.345678", and returns it in billionths. Returns false for other text.
 */
bool call_line_read_decimal(struct text text, uint64_t *billionths_ret);

/* Sends the call of a line. A line without a call sends nothing. */
void call_line_send(const struct event_sink *sink, const struct call_line *line, uint64_t offset);

/* The read_frame function of these formats, which have no frames. */
event_frame_reader call_line_read_frame;

#endif
