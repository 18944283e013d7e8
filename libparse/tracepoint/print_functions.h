/* SPDX-License-Identifier: MIT */
/*
 * The functions of print formats: their arguments are no expressions alone, but lists of names and
 * fields without REC before them.
 *
 * Source: include/trace/stages/stage3_trace_output.h of the Linux kernel.
 */
#ifndef LIBPARSE_TRACEPOINT_PRINT_FUNCTIONS_H
#define LIBPARSE_TRACEPOINT_PRINT_FUNCTIONS_H

#include "libparse/tracepoint/print_tree.h"

/* Reads what is between the brackets of a call. False: it is not understood. */
bool print_functions_read(struct print_parser *parser, struct text name, struct print_node *ret);

#endif
