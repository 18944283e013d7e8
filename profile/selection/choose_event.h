/* SPDX-License-Identifier: MIT */
/*
 * Chooses the events that a profile shows: the requested events or, if none were requested, one
 * event that has the requested weight and groups.
 *
 *     requested           shown                              unit
 *     nothing             the preferred event, or else one   its periods
 *                         that samples CPU time, or else
 *                         that of the first sample
 *     --event NAME        the event with that name, or the   its periods
 *                         only one with that base name
 *     --event 'sched:*'   all with such names                samples, if there are several
 *     --by event          all, or those of --event           samples, if there are several
 */
#ifndef PROFILE_SELECTION_CHOOSE_EVENT_H
#define PROFILE_SELECTION_CHOOSE_EVENT_H

#include "profile/view.h"

/*
 * Sets the profile's event_name, weight_name and unit, and marks the events that are shown. Fails
 * if there is no such event; the error lists the events.
 */
bool choose_event(struct profile *profile, const struct view *view, struct error *err) WARN_UNUSED;

#endif
