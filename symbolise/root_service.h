/* SPDX-License-Identifier: MIT */
/*
 * Opens the root directories of running processes for a kiln process that is restricted by
 * Landlock. Such a process cannot follow /proc/PID/root to the files of containers. The server of
 * workers is not restricted:
 *
 *     kiln ── PID ──▶ server ── a descriptor for paths below that root ──▶ kiln
 *
 * Files that kiln opens below this directory are subject to kiln's Landlock rules. kiln therefore
 * cannot change the contents of these files.
 */
#ifndef SYMBOLISE_ROOT_SERVICE_H
#define SYMBOLISE_ROOT_SERVICE_H

#include "object/host_process.h"
#include "sandbox/service.h"

extern const struct service_kind root_service_kind;

/* service: borrowed; must support root_service_kind. */
struct host_roots root_service_roots(const struct service *service);

#endif
