/* SPDX-License-Identifier: MIT */
/*
 * Resolves callchains to locations: looks up each address in the address space of its time, and
 * interns its (module, address).
 *
 *     callchain   k1 | k2 USER u1 u2           innermost first, as the kernel wrote it
 *     stack       comm | u2 u1 k2 | k1         root first, location ids of this worker
 *
 * Each worker numbers its own locations. profile/tree/stack_merger.h then merges the stacks of all
 * workers, and gives them the same locations.
 */
#ifndef PROFILE_RESOLVE_H
#define PROFILE_RESOLVE_H

#include "profile/callchains.h"
#include "profile/interval.h"
#include "profile/location.h"
#include "profile/text_samples.h"
#include "process/process_history.h"
#include "profile/tree/trie.h"
#include "profile/view.h"

/*
 * Wakers in the chain that is shown for one wait. Threads that wake each other form endless cycles.
 */
#define LIMIT_WAKERS 16u

/* Callers: frames [frame_first, frame_first + frame_count) of the list, root first. */
struct resolved_callers {
	/* The members up to frame_count, and the frames, distinguish callers. */
	uint32_t event;
	uint32_t comm; /* as in callchain_key */
	uint32_t unnamed_tid;
	uint32_t pid, tid, cpu;
	uint32_t values;
	uint32_t time_bin;
	uint32_t frame_count;

	uint32_t stack_count; /* the stacks with these callers */
	size_t frame_first;
	size_t stack_first;
	uint64_t first_offset; /* of their first sample in the input */
};

struct resolved_stack {
	location_id leaf; /* LOCATION_NONE if the callers are the whole stack */
	uint64_t sample_count;
	uint64_t period_sum;
};

struct resolved {
	struct places places;
	VEC(struct resolved_callers) callers;
	VEC(struct resolved_stack) stacks;
	struct location_list frames;
	/* Used instead of stacks and frames if samples are kept as a trie. */
	const struct trie *trie;      /* NULL if there is none; otherwise, callers are its roots */
	VEC(uint32_t) text_locations; /* by text of the trie */
};

/*
 * A callchain that is shown as part of another callchain, for example the callchain of the thread
 * that ended a wait.
 */
struct linked_callchain {
	str_id name;                     /* name of its thread */
	const struct callchain_key *key; /* NULL if the name is a mark, not a thread */
	const uint64_t *ips;
	uint32_t ip_count;
};

/* Looks up the callchains that are linked by the entries after CALLCHAIN_WAKER. */
struct linked_callchains {
	const void *context;
	str_id separator; /* the name of the frame between two linked callchains */
	bool is_upright;  /* callchains are not inverted: the name of a thread precedes its root */
	/*
	 * Fills ret with the callchains of the thread that ended the wait, of its own waker, and so
	 * on. Returns their number. NULL if there are no links.
	 */
	uint32_t (*find)(const void *context, uint64_t link,
			 struct linked_callchain ret[LIMIT_WAKERS]);
};

struct resolve_options {
	const struct view *view;         /* borrowed */
	const struct text_samples *text; /* for text captures, finished; otherwise NULL */
	struct linked_callchains links;
	size_t callchain_count; /* callchains to resolve; determines the size of caches */
};

/* Modules of locations that have no mapping. */
struct resolve_modules {
	module_id none, kernel, hypervisor, guest;
	module_id truncated;                  /* for the frame [truncated] at the root */
	module_id marks[INTERVAL_MARK_COUNT]; /* this and the next: only for intervals */
	module_id duration;                   /* its addresses are durations */
	module_id waker;                      /* its addresses are the str_ids of wakers */
};

struct resolver_slot;
struct resolver_address;
struct resolver_recent;
struct resolver_missing;

/* Resolves callchains, with caches of recent mappings and locations. */
struct resolver {
	struct places *places; /* places are added; their numbers are the ids of locations */
	const struct process_history *history;
	const struct modules *all_modules;
	struct resolve_modules modules;
	const struct view *view;
	const struct text_samples *text;
	struct linked_callchains links;
	struct resolver_slot *slots;
	size_t slot_count; /* a power of 2, as is the next */
	struct resolver_address *addresses;
	size_t address_count;
	struct resolver_recent *recent;
	struct resolver_missing *missing; /* locations that are looked up later, together */
	size_t missing_count;
	struct location_list leaves; /* of stacks that have no leaf yet */
};

void resolved_init(struct resolved *resolved);
void resolved_deinit(struct resolved *resolved);

/* Empties the struct. */
void resolved_clear(struct resolved *resolved);

/* The memory that the stacks take. */
size_t resolved_size_bytes(const struct resolved *resolved);

/* Replaces the locations of a resolver with locations[old id]. */
void resolved_renumber(struct resolved *resolved, const struct location_list *locations);

/* The resolver adds to places, and only reads the other arguments. */
void resolver_init(struct resolver *resolver, struct places *places,
		   const struct process_history *history, const struct modules *all_modules,
		   const struct resolve_modules *modules, const struct resolve_options *options);
void resolver_deinit(struct resolver *resolver);

/* Appends the locations of a callchain to frames, innermost first. */
void resolver_callchain(struct resolver *resolver, const struct callchain_key *key,
			const uint64_t *ips, uint32_t ip_count, struct location_list *frames);

/* Resolves the callchains of some callers; the resolver adds to resolved->places. */
void resolve_callchains(struct resolved *resolved, struct resolver *resolver,
			const struct callchains *chains,
			const struct callchain_callers_place *places, size_t count);

#endif
