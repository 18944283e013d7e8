/* SPDX-License-Identifier: MIT */
/* Fills session->syscalls (syscalls/syscall_stats.h) from the system calls of a capture. */
#ifndef SESSION_SYSCALL_READER_H
#define SESSION_SYSCALL_READER_H

#include "session/session.h"

/*
 * Adds up system calls as session->options.syscalls requests. Fails if none were recorded, or none
 * is selected.
 */
bool session_build_syscalls(struct session *session, struct error *err) WARN_UNUSED;

#endif
