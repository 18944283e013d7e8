/* SPDX-License-Identifier: MIT */
/*
 * The names of a callgrind file. Each name is a function with its callers; this module finds the
 * part that is the caller. A caller that has a cost, or calls a function, has a name of its own:
 *
 *     scan'parse'main     callee "scan", caller parse'main
 *     parse'main          callee "parse", caller main
 *     main                no caller
 *
 * The caller begins after the first apostrophe that another name of the file follows. This rule
 * also works if functions contain apostrophes, or brackets that do not match. Files recorded with
 * --compress-mangled=yes have numbers in place of names with callers. In such files, each text is
 * the name of a single function.
 */
#ifndef LIBPARSE_CALLGRIND_CALLGRIND_CONTEXTS_H
#define LIBPARSE_CALLGRIND_CALLGRIND_CONTEXTS_H

#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"

#define CALLGRIND_NONE UINT32_MAX

struct callgrind_context {
	str_id text;
	uint32_t first_part, part_count; /* range in `parts`; empty if the name has no numbers */
	uint32_t caller;                 /* CALLGRIND_NONE if unknown; set by find_callers */
	uint32_t callee_length;          /* length of the text before a known caller */
	uint32_t node;                   /* CALLGRIND_NONE until callgrind_stacks_finish */
	uint64_t hash;
	str_id module;        /* STR_EMPTY: unknown */
	bool has_two_modules; /* functions of the same name in several DSOs */
	bool is_used;         /* the function has a cost, calls a function, or is called */
	bool is_called;
};

struct callgrind_contexts {
	VEC(struct callgrind_context) rows;
	VEC(str_id)
	parts; /* parts of names that consist of numbers, the innermost function first */
	VEC(str_id) functions; /* functions of the context that was listed last */
	struct idtable table;
	bool has_numbers; /* all texts are names of single functions */
};

void callgrind_contexts_init(struct callgrind_contexts *contexts);
void callgrind_contexts_deinit(struct callgrind_contexts *contexts);

/* Returns the context with this text, and adds it if it is new. */
uint32_t callgrind_contexts_add(struct callgrind_contexts *contexts, str_id text);

/* Adds a context with the parts that were added from `first_part` on. */
uint32_t callgrind_contexts_add_parts(struct callgrind_contexts *contexts, uint32_t first_part);

/*
 * Finds the callers of all contexts, and interns functions. No context may be added after this
 * call. The time is linear in the total length of the texts.
 */
void callgrind_contexts_find_callers(struct callgrind_contexts *contexts, struct strings *strings);

/*
 * Lists the functions of a context in `functions`, the innermost first. The list ends before a
 * known caller. Must be called after callgrind_contexts_find_callers.
 */
void callgrind_contexts_list(struct callgrind_contexts *contexts,
			     const struct callgrind_context *context, struct strings *strings);

#endif
