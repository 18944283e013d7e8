/* SPDX-License-Identifier: MIT */
/* Requests to the process that reads debug information (dwarf/helper.h), and its answers as text. Only with libdw. */
#ifndef TESTS_SUPPORT_INLINE_REQUEST_H
#define TESTS_SUPPORT_INLINE_REQUEST_H

#include "dwarf/helper.h"

/* Sends a request and waits for the answer. split_files: as in dwarf_reading_receive. */
bool inline_request_send(const struct dwarf_helper *helper, const struct dwarf_files *files,
			 const struct dwarf_request *request, struct inline_table *table,
			 byte_list *split_files, struct error *err);

/* Requests these addresses of a file. Fails the test if false comes without an error, or true with one. */
bool inline_request_addresses(const struct dwarf_helper *helper, const void *file,
			      size_t size_bytes, const uint64_t *addresses, size_t count,
			      struct inline_table *table);

/* The functions at an address, innermost first: "next<main". Valid until the next call. */
const char *inline_names_at(const struct inline_table *table, uint64_t address);

#endif
