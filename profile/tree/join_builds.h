/* SPDX-License-Identifier: MIT */
/*
 * Joins the builds of a DSO. Different builds of a file, or the same file on two hosts, have the
 * same path, so a reader cannot distinguish their functions:
 *
 *     frame 3  parse  /opt/app, build-id aa ─┐
 *     frame 7  parse  /opt/app, build-id bb ─┴─▶  frame 3  parse  /opt/app
 */
#ifndef PROFILE_TREE_JOIN_BUILDS_H
#define PROFILE_TREE_JOIN_BUILDS_H

#include "profile/profile.h"

/*
 * Returns the module of a frame that is in two modules. If both have the same path, it has this
 * path, but no build-id, and the problems of both. Otherwise, it is module 0.
 */
module_id join_builds_of(struct modules *modules, module_id a, module_id b);

/*
 * Replaces frames that differ only in the build of their DSO with one frame. The tree keeps its
 * rows. In a profile whose rows are parted by module, siblings can then have the same frame.
 */
void join_builds(struct profile *profile);

#endif
