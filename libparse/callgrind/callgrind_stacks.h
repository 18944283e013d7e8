/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a callgrind file: a tree of functions, from the outermost caller down. Each
 * function name with its callers (callgrind_contexts.h) is a node.
 *
 *     "scan'parse'main"    main 1 ── parse 2 ── scan 3
 *     "parse'main"                └─ parse 2
 *     "main"               main 1
 *
 * callgrind records the DSO of a function only where the function has a self cost. The frame of a
 * caller gets the DSO of the same stack, if the file states this DSO. Otherwise, the caller gets
 * the DSO of the functions with this name, if there is only one such DSO.
 */
#ifndef LIBPARSE_CALLGRIND_CALLGRIND_STACKS_H
#define LIBPARSE_CALLGRIND_CALLGRIND_STACKS_H

#include "base/error.h"
#include "libparse/callgrind/callgrind_contexts.h"

/*
 * Maximum number of functions in the tree of a callgrind file. Each function takes about 50 bytes
 * of memory. A short run of perl with 30 callers has 4,255, in a file of 1.4 MB.
 */
#define LIMIT_CALLGRIND_NODES (1u << 24)

struct callgrind_frame {
	str_id name, module; /* `name` is the function's name without parameters */
	bool is_outermost;   /* an outermost function without a symbol, in a known DSO */
};

struct callgrind_node {
	uint32_t parent; /* CALLGRIND_NONE for an outermost function */
	uint32_t root;
	uint32_t depth; /* from 1 */
	uint32_t frame; /* frame of this function as a caller; set by callgrind_stacks_finish */
	str_id name;
	str_id function;      /* `name` without parameters; set by finish */
	str_id module;        /* STR_EMPTY: unknown */
	bool has_two_modules; /* functions of the same name in several DSOs */
	bool is_used;         /* the function has a cost, calls a function, or is called */
	bool is_called;
	bool has_context; /* a context has exactly this stack */
	bool is_counted;  /* counted as a stack that lacks callers */
	bool is_complete; /* for outermost functions: nothing calls this function */
};

struct callgrind_stacks {
	struct strings strings;
	struct callgrind_contexts contexts;
	VEC(struct callgrind_node) nodes; /* set by finish, like all fields below */
	VEC(struct callgrind_frame) frames;
	VEC(uint32_t) pending; /* contexts whose callers are added first */
	struct idtable node_table, frame_table;
	uint32_t depth_max;  /* greatest depth of a used node */
	uint64_t name_bytes; /* size of the names and DSOs of all frames */
	bool has_levels;     /* several contexts have the same node */
	bool has_callers;    /* names contain callers, not only apostrophes */
};

void callgrind_stacks_init(struct callgrind_stacks *stacks);
void callgrind_stacks_deinit(struct callgrind_stacks *stacks);

/*
 * Returns the context of a function name with its callers. Returns CALLGRIND_NONE if there are too
 * many contexts.
 */
uint32_t callgrind_stacks_add(struct callgrind_stacks *stacks, struct text name);

/*
 * Notes that a context has a self cost or makes calls. module: the DSO of the context, or STR_EMPTY
 * if unknown.
 */
void callgrind_stacks_use(struct callgrind_stacks *stacks, uint32_t context, str_id module);

void callgrind_stacks_use_callee(struct callgrind_stacks *stacks, uint32_t context);

/*
 * Makes the nodes of all contexts, sets the frames of callers, and finds out which stacks are
 * complete. Must be called after all use calls. Returns false if there are more than
 * LIMIT_CALLGRIND_NODES nodes.
 */
bool callgrind_stacks_finish(struct callgrind_stacks *stacks);

/*
 * Returns the number of a node's frame in a DSO, and adds the frame if it is new. Must be called
 * after finish.
 */
uint32_t callgrind_stacks_frame(struct callgrind_stacks *stacks, uint32_t node, str_id module);

/* callgrind names functions without a symbol by their address in the file: 0x00000000000010e0. */
bool callgrind_stacks_is_address(struct text name, uint64_t *ret);

/* The text of the ob= line for code that is not in a file. */
#define CALLGRIND_NO_FILE "???"

/*
 * Whether the outermost callers of this stack are missing, because there were more callers than the
 * limit. The file does not contain the limit. A stack is complete if nothing calls its outermost
 * function. This function must also be the outermost one of another stack that is less deep than
 * the deepest stack.
 */
static inline bool callgrind_stacks_is_cut(const struct callgrind_stacks *stacks, uint32_t node)
{
	return !stacks->nodes.at[stacks->nodes.at[node].root].is_complete;
}

#endif
