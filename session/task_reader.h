/* SPDX-License-Identifier: MIT */
/*
 * Fills session->tasks (offcpu/task_stats.h) from the context switches and wake-ups of a capture.
 */
#ifndef SESSION_TASK_READER_H
#define SESSION_TASK_READER_H

#include "session/session.h"

/*
 * Creates session->early_switches for a session that is being opened. Returns NULL without
 * session->options.reads_tasks. The caller calls early_switches_destroy.
 */
struct early_samples *session_begin_tasks(struct session *session);

/*
 * Adds up run times and scheduling delays for the rows that session->options.tasks_by selects.
 * Fails if there are no context switches with times, or if no selected thread has any.
 */
bool session_build_tasks(struct session *session, struct error *err) WARN_UNUSED;

#endif
