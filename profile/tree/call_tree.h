/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a profile from the point of view of some functions: their callees, or their
 * callers.
 *
 *     stacks                   callees of parse      callers of parse
 *     main;parse;scan  3       parse      5          parse     5
 *     main;parse       1         scan     3            main    4
 *     load;parse       1                               load    1
 *
 * Frames with the same name are one function, whether inlined or not, and in any DSO.
 *
 * A sample counts once for a function, at the function's outermost call. If the function calls
 * itself, directly or indirectly, it is among its own callees.
 */
#ifndef PROFILE_TREE_CALL_TREE_H
#define PROFILE_TREE_CALL_TREE_H

#include "base/name_pattern.h"
#include "profile/profile.h"

enum call_tree_kind {
	CALL_TREE_WHOLE, /* all stacks, from the root on */
	CALL_TREE_CALLEES,
	CALL_TREE_CALLERS,
};

#define CALL_NODE_NONE UINT32_MAX

struct call_node {
	frame_id frame;   /* the first frame of this name; not set for node 0 */
	module_id module; /* MODULE_NONE if functions of this name in several DSOs are added up */
	uint32_t parent;
	uint32_t first_child, next; /* after call_tree_init: the heaviest child first */
	uint32_t depth;             /* 0 for node 0 */
	uint64_t self;              /* in a caller tree: self weight of the called function */
	uint64_t total;
	uint32_t end; /* end of the profile's subtree that was counted last */
};

/*
 * Node 0 is the root. The children of the root are the functions that match, or the outermost
 * frames.
 */
struct call_tree {
	const struct profile *profile;
	VEC(struct call_node) nodes;
};

/* functions: the names of the functions whose callers or callees are listed. */
void call_tree_init(struct call_tree *tree, const struct profile *profile, enum call_tree_kind kind,
		    const name_patterns *functions);

/*
 * Lists only the direct callers, or callees. A sample counts once for each distinct pair of caller
 * and callee in its stack. A recursive function is listed as its own caller.
 */
void call_tree_init_direct(struct call_tree *tree, const struct profile *profile,
			   enum call_tree_kind kind, const name_patterns *functions);
void call_tree_deinit(struct call_tree *tree);

#endif
