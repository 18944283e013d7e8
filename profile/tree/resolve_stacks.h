/* SPDX-License-Identifier: MIT */
/*
 * Resolves callchains to stacks. Those of a text capture become stacks of raw texts, which
 * resolve_texts.h then replaces. Callchains that differ often have the same outer entries, which
 * are resolved only once:
 *
 *     read+9 USER parse+4 main+7      looked up from the innermost entry outwards
 *     ───┬──      ────┬──────────
 *     not known       └─ struct known_callers ──▶ the node of "main ── parse"
 *
 * Lookups miss the CPU's caches, so callchains are resolved in batches whose misses overlap.
 */
#ifndef PROFILE_TREE_RESOLVE_STACKS_H
#define PROFILE_TREE_RESOLVE_STACKS_H

#include "profile/resolve.h"
#include "profile/tree/resolved.h"

/* Locations and marks of stack_resolver, innermost first. */
struct callers_path {
	size_t begin, end;
	size_t mark_begin, mark_end;
};

/* Neighbouring entries of one kind in a callchain, or raw texts. */
struct entries {
	enum entry_kind kind;
	space_id space;      /* in which they are looked up */
	const uint64_t *ips; /* innermost first */
	uint32_t count;
	bool is_first; /* the first is an instruction that ran; otherwise, all are return addresses */
	size_t hash_first;        /* index of the first hash in hashes */
	struct callers_path path; /* without the known entries */
};

/* Callers that have not been resolved yet, and their callchains. */
struct pending_callers {
	const struct callchain_key *key;
	const uint64_t *ips;
	uint32_t ip_count;
	uint32_t chain_count;
	const struct callchain *chains;
	uint64_t first_offset;
	/* Only of a sample; the members above point to them. */
	struct callchain_key own_key;
	struct callchain own_chain;
	/*
	 * Most callers have entries of at most two kinds: user entries, and inner ones that user
	 * space called, or that have no callers. Raw texts are inner entries.
	 */
	bool is_usual;
	struct entries inner, user;
	bool is_usable;
	uint32_t node;
	size_t leaf_first; /* index of the first leaf in leaves */
};

#define PENDING_CALLERS_COUNT 16

/* Callers whose node will be remembered: those from `begin` to the end of their path. */
struct path_mark {
	struct sequence_hash hash;
	size_t begin;
};

/* A stack to add. */
struct wanted_stack {
	struct resolved_stack stack;
	uint32_t *recent; /* the row of an equal stack, perhaps */
};

struct stack_resolver {
	struct resolver resolver;
	struct resolved *resolved; /* stacks are added; not owned */
	struct known_callers known;
	struct pending_callers pending[PENDING_CALLERS_COUNT];
	size_t pending_count;
	VEC(uint64_t) pending_ips;
	VEC(struct sequence_hash) hashes;
	struct location_list leaves;
	struct location_list path; /* the paths of all pending entries */
	VEC(struct path_mark) marks;
	VEC(struct wanted_stack) wanted;
	/* Rows of stacks by hash, which can be those of other stacks; as many as known nodes. */
	uint32_t *recent;
};

/* Owns the resolver from now on. Its places must be those of `resolved`. */
void stack_resolver_init(struct stack_resolver *stacks, const struct resolver *resolver,
			 struct resolved *resolved, size_t callchain_count);
void stack_resolver_deinit(struct stack_resolver *stacks);

/*
 * Must be called when nodes of the resolved stacks were removed or renumbered. No callchain may be
 * pending.
 */
void stack_resolver_forget(struct stack_resolver *stacks);

/* Adds the stack of some samples, immediately or in a later call. Parameters: see callchains.h. */
void stack_resolver_add(struct stack_resolver *stacks, const struct callchain_key *key,
			const uint64_t *ips, uint32_t ip_count, uint64_t sample_count,
			uint64_t period, uint64_t offset);

/* Adds all pending stacks. Must be called before the stacks are read. */
void stack_resolver_flush(struct stack_resolver *stacks);

/* Adds the stacks of some callers. */
void stack_resolver_add_callers(struct stack_resolver *stacks, const struct callchains *chains,
				const struct callchain_callers_place *places, size_t count);

#endif
