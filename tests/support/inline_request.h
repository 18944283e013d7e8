/* SPDX-License-Identifier: MIT */
/* Requests to the process that reads debug information (dwarf/helper.h), and its answers as text. Only with libdw. */
#ifndef TESTS_SUPPORT_INLINE_REQUEST_H
#define TESTS_SUPPORT_INLINE_REQUEST_H

#include "dwarf/helper.h"

/* Starts a service with the sandbox that this kernel has. */
void inline_request_start(struct service *service);

/* Sends a request and waits for the answer. split_files: as in dwarf_reading_receive. Opens files
 * that the worker requests in directories (R) and beside the program (B). */
bool inline_request_send(const struct service *helper, const struct dwarf_files *files,
			 const struct dwarf_request *request, struct inline_table *table,
			 byte_list *split_files, struct error *err);

/*
 * Requests these addresses of a file. Fails the test if the result is false without an error, or
 * true with an error.
 */
bool inline_request_addresses(const struct service *helper, const void *file, size_t size_bytes,
			      const uint64_t *addresses, size_t count, struct inline_table *table);

/* The functions at an address, innermost first: "next<main". Valid until the next call. */
const char *inline_names_at(const struct inline_table *table, uint64_t address);

#endif
