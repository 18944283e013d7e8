/* SPDX-License-Identifier: MIT */
/*
 * Which event a profile shows: the one that was asked for, or the first in time that has what its
 * samples are to be weighed and told apart by.
 */
#ifndef PROFILE_CHOOSE_EVENT_H
#define PROFILE_CHOOSE_EVENT_H

#include "profile/grouping.h"
#include "profile/weighing.h"

struct event_demands {
	const char *event_name;          /* NULL: none in particular */
	const struct weighing *weighing; /* NULL: by period */
	const struct grouping *grouping; /* NULL: by comm */
};

/* Sets the profile's event_name, weight_name and unit. False: there is no such event; the error
 * says what there is. */
bool choose_event(struct profile *profile, const struct event_demands *demands,
		  struct error *err) WARN_UNUSED;

/* Whether samples of an event are shown in a profile whose event has been chosen. */
bool choose_event_shows(const struct profile *profile, const struct event_demands *demands,
			uint32_t event);

#endif
