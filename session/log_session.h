/* SPDX-License-Identifier: MIT */
/* Fills session->log (eventlog/log_stats.h) from an event log. */
#ifndef SESSION_LOG_SESSION_H
#define SESSION_LOG_SESSION_H

#include "session/session.h"

/* Adds up events as session->options.log requests. Fails if the columns are not known. */
bool session_build_log(struct session *session, struct error *err) WARN_UNUSED;

#endif
