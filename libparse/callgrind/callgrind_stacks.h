/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a callgrind file: a tree of functions, from the outermost caller down. Each
 * function name with its callers (callgrind_contexts.h) is a node.
 *
 *     "scan'parse'main"    main 1 ── parse 2 ── scan 3
 *     "parse'main"                └─ parse 2
 *     "main"               main 1
 *
 * callgrind records the DSO of a function only with its self cost. The frames of callers get the DSO
 * that the same stack has there, or else the only DSO that has a function of this name.
 */
#ifndef LIBPARSE_CALLGRIND_CALLGRIND_STACKS_H
#define LIBPARSE_CALLGRIND_CALLGRIND_STACKS_H

#include "base/error.h"
#include "libparse/callgrind/callgrind_contexts.h"

/* Functions in the tree of a callgrind file, about 50 bytes of memory each. A short run of perl with
 * 30 callers has 4,255, in a file of 1.4 MB. */
#define LIMIT_CALLGRIND_NODES (1u << 24)

struct callgrind_frame {
	str_id name, module; /* the name of the function without parameters */
	bool is_outermost;   /* an outermost function without a symbol, in a known DSO */
};

struct callgrind_node {
	uint32_t parent; /* CALLGRIND_NONE: an outermost function */
	uint32_t root;
	uint32_t depth; /* from 1 */
	uint32_t frame; /* as a caller; set by callgrind_stacks_finish */
	str_id name;
	str_id function;      /* `name` without parameters; set by finish */
	str_id module;        /* STR_EMPTY: unknown */
	bool has_two_modules; /* functions of the same name in several DSOs */
	bool is_used;         /* has a cost, or calls a function, or is called */
	bool is_called;
	bool has_context; /* of this very stack */
	bool is_counted;  /* as a stack that lacks callers */
	bool is_complete; /* of outermost functions: nothing calls it */
};

struct callgrind_stacks {
	struct strings strings;
	struct callgrind_contexts contexts;
	VEC(struct callgrind_node) nodes; /* set by finish, as are all others */
	VEC(struct callgrind_frame) frames;
	VEC(uint32_t) pending; /* contexts whose callers are added first */
	struct idtable node_table, frame_table;
	uint32_t depth_max;  /* of used nodes */
	uint64_t name_bytes; /* of the names and DSOs of all frames */
	bool has_levels;     /* several contexts have the same node */
	bool has_callers;    /* names contain callers, not only apostrophes */
};

void callgrind_stacks_init(struct callgrind_stacks *stacks);
void callgrind_stacks_deinit(struct callgrind_stacks *stacks);

/* The context of a function name with its callers. CALLGRIND_NONE: there are too many. */
uint32_t callgrind_stacks_add(struct callgrind_stacks *stacks, struct text name);

/* A context with a self cost or with calls, and the DSO that has it; STR_EMPTY: unknown. */
void callgrind_stacks_use(struct callgrind_stacks *stacks, uint32_t context, str_id module);

void callgrind_stacks_use_callee(struct callgrind_stacks *stacks, uint32_t context);

/*
 * Makes the nodes of all contexts, and sets the frames of callers, and which stacks are complete.
 * Called after all use calls. False: there are more than LIMIT_CALLGRIND_NODES.
 */
bool callgrind_stacks_finish(struct callgrind_stacks *stacks);

/* The number of a node's frame in a DSO; adds it if it is new. Called after finish. */
uint32_t callgrind_stacks_frame(struct callgrind_stacks *stacks, uint32_t node, str_id module);

/* callgrind names functions without a symbol by their address in the file: 0x00000000000010e0. */
bool callgrind_stacks_is_address(struct text name, uint64_t *ret);

/* The text of the line ob= for code that is in no file. */
#define CALLGRIND_NO_FILE "???"

/*
 * Whether the outermost callers of this stack are missing, because there were more than the limit.
 * The limit is not recorded. A stack is complete if nothing calls its outermost function, and if
 * this function is also the outermost one of a stack that is below the greatest depth.
 */
static inline bool callgrind_stacks_is_cut(const struct callgrind_stacks *stacks, uint32_t node)
{
	return !stacks->nodes.at[stacks->nodes.at[node].root].is_complete;
}

#endif
