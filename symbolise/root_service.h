/* SPDX-License-Identifier: MIT */
/*
 * Opens the root directories of running processes for a kiln that is locked. Landlock forbids the
 * locked process to follow /proc/PID/root, which leads to the files of containers. The server of
 * workers is not locked:
 *
 *     kiln ── PID ──▶ server ── a descriptor for paths below that root ──▶ kiln
 *
 * What kiln opens below that directory is subject to its own lock: with Landlock, it cannot change the
 * contents of files there.
 */
#ifndef SYMBOLISE_ROOT_SERVICE_H
#define SYMBOLISE_ROOT_SERVICE_H

#include "object/host_process.h"
#include "sandbox/service.h"

extern const struct service_kind root_service_kind;

/* service: borrowed, with root_service_kind. */
struct host_roots root_service_roots(const struct service *service);

#endif
