/* SPDX-License-Identifier: MIT */
/* Fills session->branches (annotate/branch_stats.h) from the branches recorded with samples. */
#ifndef SESSION_BRANCH_READER_H
#define SESSION_BRANCH_READER_H

#include "session/session.h"

/* Adds up the recorded branches. view.has_only_branches must be set when the session is opened. */
bool session_build_branches(struct session *session, struct error *err) WARN_UNUSED;

#endif
