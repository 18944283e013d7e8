/* SPDX-License-Identifier: MIT */
/*
 * What the function_graph tracer wrote, as the trace file has it or as trace-cmd report prints it. Calls
 * lie in each other; what a function took without those it called is its own:
 *
 *     vfs_read() {                     bash;vfs_read                 870 ns
 *       0.513 us  rw_verify_area();    bash;vfs_read;rw_verify_area  513 ns
 *     1.383 us }
 *
 * A task's calls go on where they were when it had the processor last. So all of the file is read, and
 * put together, before any of it is told: libparse/spooled.h.
 */
#ifndef LIBPARSE_FTRACE_FUNCTION_GRAPH_H
#define LIBPARSE_FTRACE_FUNCTION_GRAPH_H

#include "libparse/formats.h"

extern const struct input_format function_graph_format;

#endif
