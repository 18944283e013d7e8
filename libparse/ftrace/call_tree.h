/* SPDX-License-Identifier: MIT */
/*
 * A call tree built from function entries and exits: the count and the self time of each callchain. Each task has a
 * current node.
 *
 *     root ─ bash ─ ksys_read ─ vfs_read ◀── task "bash-812"
 */
#ifndef LIBPARSE_FTRACE_CALL_TREE_H
#define LIBPARSE_FTRACE_CALL_TREE_H

#include "base/idtable.h"
#include "libparse/spooled.h"

struct call_node {
	uint32_t parent, name; /* an index of the nodes; a frame */
	uint32_t child, sibling;
	uint32_t depth;
	uint64_t self_ns, count;
};

/* A call that has not ended. */
struct call_open {
	uint32_t node;
	uint64_t children_ns;
};

struct call_task {
	str_id name;
	VEC(struct call_open) open; /* the first is the task itself */
};

struct call_tree {
	struct spooled *spooled; /* whose names these are */
	struct idtable nodes_of, tasks_of;
	VEC(struct call_node) nodes;
	VEC(struct call_task) tasks;
};

/* spooled must be empty; it gets a frame for each name. */
void call_tree_init(struct call_tree *tree, struct spooled *spooled);
void call_tree_deinit(struct call_tree *tree);

/* The index of a task, by name and tid: "bash-812". */
uint32_t call_tree_task(struct call_tree *tree, struct text name);

/* Begins a call. False: it is deeper than LIMIT_SPOOLED_DEPTH. */
bool call_tree_begin(struct call_tree *tree, uint32_t task, struct text name) WARN_UNUSED;

/* Ends the innermost call. False: there is none. */
bool call_tree_end(struct call_tree *tree, uint32_t task, uint64_t duration_ns) WARN_UNUSED;

/* Ends all calls deeper than level, whose ends were not recorded. */
void call_tree_cut(struct call_tree *tree, uint32_t task, uint32_t level);

/* Writes all nodes as rows of spooled. */
void call_tree_finish(struct call_tree *tree);

#endif
