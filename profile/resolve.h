/* SPDX-License-Identifier: MIT */
/*
 * Resolves callchains to locations: looks up each address in the address space of its time, and
 * interns its (module, address). While a text capture is read, the ids of its raw texts take the
 * place of addresses.
 *
 *     entries     k1 k2 USER u1 u2       innermost first, as the kernel wrote them
 *     locations   7 3 12 5               numbers of places of this worker
 *
 * profile/tree/resolve_stacks.h makes stacks from them.
 */
#ifndef PROFILE_RESOLVE_H
#define PROFILE_RESOLVE_H

#include "profile/callchains.h"
#include "profile/interval.h"
#include "profile/location.h"
#include "profile/text_samples.h"
#include "process/process_history.h"
#include "profile/view.h"

/*
 * Wakers in the chain that is shown for one wait. Threads that wake each other form endless cycles.
 */
#define LIMIT_WAKERS 16u

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
	const struct view *view; /* borrowed */
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

/* Appends the frames of a finished text that the view selects, innermost first. */
void resolve_text(const struct text_samples *text, const struct view *view, uint64_t number,
		  struct location_list *list);

/* Resolves callchains, with caches of recent mappings and locations. */
struct resolver {
	struct places *places; /* places are added; their numbers are the ids of locations */
	const struct process_history *history;
	const struct modules *all_modules;
	struct resolve_modules modules;
	const struct view *view;
	/* For text captures: if NULL, the ids of raw texts become places; otherwise, their frames. */
	const struct text_samples *text;
	struct linked_callchains links;
	uint32_t selected_kinds; /* a bit for each entry_kind that the selection includes */
	bool merges_unmapped;    /* unmapped addresses of processes have the same location */
	location_id unmapped;    /* that location; LOCATION_NONE until it is needed */
	struct resolver_slot *slots;
	size_t slot_count; /* a power of 2, as is the next */
	struct resolver_address *addresses;
	size_t address_count;
	struct resolver_recent *recent;
	struct resolver_missing *missing; /* locations that are looked up later, together */
	size_t missing_count;
};

/* The resolver adds to places, and only reads the other arguments. */
void resolver_init(struct resolver *resolver, struct places *places,
		   const struct process_history *history, const struct modules *all_modules,
		   const struct resolve_modules *modules, const struct resolve_options *options);
void resolver_deinit(struct resolver *resolver);

/* Appends the locations of a callchain to a list, innermost first. */
void resolver_callchain(struct resolver *resolver, const struct callchain_key *key,
			const uint64_t *ips, uint32_t ip_count, struct location_list *list);

/*
 * The next functions append locations innermost first. These can be LOCATION_NONE until
 * resolver_find_missing, which looks up many locations faster than one. Until then, elements of the
 * lists must not be moved or removed.
 */

/* Appends the location of one entry. is_return: it is a return address. */
void resolver_push(struct resolver *resolver, const struct callchain_key *key, enum entry_kind kind,
		   uint64_t ip, bool is_return, struct location_list *list);

/* Fetches what resolver_push will read first. */
void resolver_prefetch(const struct resolver *resolver, enum entry_kind kind,
		       const struct callchain_key *key, uint64_t ip, bool is_return);

/* Appends the callchains of the wakers at a link. */
void resolver_push_wakers(struct resolver *resolver, uint64_t link, struct location_list *list);

/*
 * Appends the locations of several entries. is_first: the first entry is not a return address, but
 * an instruction that ran, like the first entry after each marker. Returns false if the callchain
 * is unusable.
 */
bool resolver_push_all(struct resolver *resolver, const struct callchain_key *key,
		       const uint64_t *ips, uint32_t ip_count, bool is_first,
		       struct location_list *list);

/* Looks up all missing locations. */
void resolver_find_missing(struct resolver *resolver);

/* Whether the view's selection includes entries of this kind. */
static inline bool resolver_selects(const struct resolver *resolver, enum entry_kind kind)
{
	return resolver->selected_kinds >> kind & 1;
}

#endif
