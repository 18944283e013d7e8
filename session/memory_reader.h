/* SPDX-License-Identifier: MIT */
/* Adds up recorded memory accesses, such as those of perf mem record. */
#ifndef SESSION_MEMORY_READER_H
#define SESSION_MEMORY_READER_H

#include "session/session.h"

/* options.reads_memory must be set when the session is opened. */
bool session_build_memory(struct session *session, struct error *err) WARN_UNUSED;

#endif
