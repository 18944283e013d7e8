/* SPDX-License-Identifier: MIT */
/*
 * Output of the function_graph tracer, from the trace file or trace-cmd report. Calls are nested; the weight of a stack
 * is its self time:
 *
 *     vfs_read() {                     bash;vfs_read                 870 ns
 *       0.513 us  rw_verify_area();    bash;vfs_read;rw_verify_area  513 ns
 *     1.383 us }
 *
 * The calls of a task continue when it is switched in again. So the whole file is read before the first sample is
 * sent (libparse/spooled.h).
 */
#ifndef LIBPARSE_FTRACE_FUNCTION_GRAPH_H
#define LIBPARSE_FTRACE_FUNCTION_GRAPH_H

#include "libparse/formats.h"

extern const struct input_format function_graph_format;

#endif
