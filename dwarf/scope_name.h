/* SPDX-License-Identifier: MIT */
/*
 * Names for functions that have no linked name: of them debug information has the last part only,
 * and the rest in what their declaration lies in.
 *
 *     namespace net ─ class Poller ─ operator()      ──▶  net::Poller::operator()
 */
#ifndef DWARF_SCOPE_NAME_H
#define DWARF_SCOPE_NAME_H

#include <elfutils/libdw.h>

#include "base/sink.h"

/* Writes what the function lies in, with "::" behind each part; nothing where there are no scopes. */
void scope_name_write(Dwarf_Die *function, struct sink *sink);

#endif
