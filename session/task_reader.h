/* SPDX-License-Identifier: MIT */
/*
 * Fills session->tasks (offcpu/task_stats.h) from the context switches and wake-ups of a capture.
 */
#ifndef SESSION_TASK_READER_H
#define SESSION_TASK_READER_H

#include "session/session.h"

/*
 * Adds up run times and scheduling delays for the rows that session->options.tasks_by selects.
 * Fails if there are no context switches with times, or if no selected thread has any.
 */
bool session_build_tasks(struct session *session, struct error *err) WARN_UNUSED;

#endif
