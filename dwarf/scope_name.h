/* SPDX-License-Identifier: MIT */
/*
 * Qualified names for functions without a linkage name. The function's entry has only the last part
 * of the name. The entries that enclose its declaration have the rest.
 *
 *     namespace net ─ class Poller ─ operator()      ──▶  net::Poller::operator()
 */
#ifndef DWARF_SCOPE_NAME_H
#define DWARF_SCOPE_NAME_H

#include <elfutils/libdw.h>

#include "base/sink.h"
#include "dwarf/reading_budget.h"

/* Writes the scopes of a function, each followed by "::". */
void scope_name_write(Dwarf_Die *function, struct sink *sink, struct reading_budget *budget);

#endif
