/* SPDX-License-Identifier: MIT */
/*
 * Makes profiles from lines of text, with profile/build:
 *
 *     struct profile_maker maker;
 *     profile_maker_init(&maker);                     event 0 is "cycles"; module 0 is none
 *     profile_maker_module(&maker, MODULE_FILE, "/bin/app");               module 1
 *     profile_maker_stack(&maker, "app;main|1;parse|1;|1", 42);            the last has no name
 *     profile_maker_build(&maker, NULL);              now maker.profile is a profile
 *     profile_maker_deinit(&maker);
 *
 * A frame is NAME or NAME|MODULE.
 */
#ifndef TESTS_SUPPORT_PROFILE_MAKER_H
#define TESTS_SUPPORT_PROFILE_MAKER_H

#include "profile/tree/build.h"

struct profile_maker {
	struct profile profile;
	struct locations locations;
	struct resolved resolved;
	uint32_t event; /* of the next stacks */
};

void profile_maker_init(struct profile_maker *maker);
void profile_maker_deinit(struct profile_maker *maker);

/* Adds an event for the next stacks. Returns its number. */
uint32_t profile_maker_event(struct profile_maker *maker, const char *name, enum weight_unit unit);

module_id profile_maker_module(struct profile_maker *maker, enum module_kind kind,
			       const char *path);

/* Adds one sample of a stack: the comm, then frames, root first. */
void profile_maker_stack(struct profile_maker *maker, const char *stack, uint64_t period);

/* Builds the profile, or aborts the test. view NULL: the default. */
void profile_maker_build(struct profile_maker *maker, const struct view *view);

#endif
