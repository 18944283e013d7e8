/* SPDX-License-Identifier: MIT */
/*
 * Finds the name that was probably meant by one that does not exist:
 *
 *     struct near_name near = near_name_of(text_of("flmae"));
 *
 *     near_name_offer(&near, text_of("fold"));
 *     near_name_offer(&near, text_of("flame"));
 *     near.found                                  "flame"
 *
 * Names are near when few letters differ (base/edit_distance.h): one of three, so that short words do
 * not all resemble each other, and three at most.
 */
#ifndef BASE_NEAR_NAME_H
#define BASE_NEAR_NAME_H

#include "base/strings.h"

struct near_name {
	struct text wanted;
	struct text found; /* borrowed; at NULL: none of those offered is near */
	uint32_t distance; /* of found; before there is one, more than a name may have */
};

struct near_name near_name_of(struct text wanted);

/* Remembers candidate if it is nearer than all that were offered before. */
void near_name_offer(struct near_name *near, struct text candidate);

#endif
