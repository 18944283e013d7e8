/* SPDX-License-Identifier: MIT */
#include "profile/resolve.h"

#include "base/hash.h"
#include "libparse/callchain.h"

/*
 * The number of entries of the location cache. Processes map the same code at different addresses,
 * which resolve to the same locations.
 */
#define SLOT_COUNT_MAX 262144

struct resolver_slot {
	uint64_t address;
	uint32_t kind; /* place_kind; UINT32_MAX if the slot is empty */
	location_id location;
};

/* The size of the address cache. Programs repeat most of their stacks. */
#define ADDRESS_COUNT_MAX 32768

/* A cache has this many slots for each callchain, and at least SLOT_COUNT_MIN. */
#define SLOTS_PER_CALLCHAIN 4
#define SLOT_COUNT_MIN      64

struct resolver_address {
	uint64_t tag;         /* address_tag; ADDRESS_NONE if the slot is empty */
	space_id space;       /* in which the address is looked up */
	location_id location; /* LOCATION_NONE if not mapped */
};

#define ADDRESS_NONE UINT64_MAX

/*
 * The number of mappings that are cached for each address space. Most callchains need only a few.
 */
#define RECENT_COUNT 4

struct resolver_recent {
	space_id space;
	const struct mapping *mappings[RECENT_COUNT]; /* NULL if unused */
	uint32_t next;                                /* the entry to replace next */
};

/*
 * A location to look up. Most lookups miss the CPU's caches, so several are done together, and
 * their misses overlap.
 */
struct resolver_missing {
	struct location_list *list; /* its element with this index becomes the location */
	size_t index;
	struct place place;
	struct resolver_slot *slot;
	uint64_t tag; /* of the address to cache; ADDRESS_NONE if there is none */
	space_id space;
};

#define MISSING_COUNT 64

/* The number of address spaces with cached mappings; the low bits of their ids are the index. */
#define RECENT_SPACES 64

/*
 * The size of a cache for this many callchains. The cache is not larger than needed, because a
 * large cache takes long to clear.
 */
static size_t cache_size(size_t callchain_count, size_t most)
{
	size_t count = SLOT_COUNT_MIN;

	while (count < most && count / SLOTS_PER_CALLCHAIN < callchain_count)
		count *= 2;
	return count;
}

/* Entries of other kinds have no CPU mode, and every selection includes them. */
static bool is_selected(const struct view *view, uint32_t kind)
{
	return kind > ENTRY_GUEST_USER ||
	       selection_includes_mode(&view->selection, (enum cpu_mode)kind);
}

void resolver_init(struct resolver *resolver, struct places *places,
		   const struct process_history *history, const struct modules *all_modules,
		   const struct resolve_modules *modules, const struct resolve_options *options)
{
	*resolver = (struct resolver){
		.places = places,
		.history = history,
		.all_modules = all_modules,
		.modules = *modules,
		.view = options->view,
		.links = options->links,
		.unmapped = LOCATION_NONE,
		.slot_count = cache_size(options->callchain_count, SLOT_COUNT_MAX),
		.address_count = cache_size(options->callchain_count, ADDRESS_COUNT_MAX),
	};
	for (uint32_t kind = 0; kind < ENTRY_KIND_COUNT; kind++)
		resolver->selected_kinds |= (uint32_t)is_selected(options->view, kind) << kind;
	resolver->slots = memory_alloc_large(resolver->slot_count * sizeof(*resolver->slots));
	resolver->recent = memory_zalloc(RECENT_SPACES, sizeof(*resolver->recent));
	resolver->addresses = memory_alloc(resolver->address_count, sizeof(*resolver->addresses));
	resolver->missing = memory_alloc(MISSING_COUNT, sizeof(*resolver->missing));
	for (size_t i = 0; i < resolver->slot_count; i++)
		resolver->slots[i].kind = UINT32_MAX;
	for (size_t i = 0; i < resolver->address_count; i++)
		resolver->addresses[i].tag = ADDRESS_NONE;
}

void resolver_deinit(struct resolver *resolver)
{
	memory_free(resolver->slots);
	memory_free(resolver->recent);
	memory_free(resolver->addresses);
	memory_free(resolver->missing);
}

/*
 * Distinguishes return addresses in bit 62, which otherwise equals bit 63. Addresses of which this
 * is not true are not cached.
 */
static uint64_t address_tag(uint64_t ip, bool is_return)
{
	return (ip ^ ip << 1) >> 63 ? ADDRESS_NONE : ip ^ (uint64_t)is_return << 62;
}

/* Returns the slot in which an address may be. */
static struct resolver_address *address_slot(const struct resolver *resolver, uint64_t tag,
					     space_id space)
{
	uint64_t hash = (tag ^ (uint64_t)space.i << 32) * 0x9e3779b97f4a7c15ull;

	return &resolver->addresses[(hash >> 32) & (resolver->address_count - 1)];
}

void resolver_prefetch(const struct resolver *resolver, enum entry_kind kind,
		       const struct callchain_key *key, uint64_t ip, bool is_return)
{
	space_id space = kind == ENTRY_KERNEL ? key->kernel_space : key->space;

	__builtin_prefetch(address_slot(resolver, address_tag(ip, is_return), space));
}

static void cache_address(struct resolver *resolver, uint64_t tag, space_id space,
			  location_id location)
{
	if (tag != ADDRESS_NONE)
		*address_slot(resolver, tag, space) =
			(struct resolver_address){ tag, space, location };
}

/* Puts a location where it was missing. */
static void put(struct resolver *resolver, const struct resolver_missing *missing,
		location_id location)
{
	missing->list->at[missing->index] = location;
	cache_address(resolver, missing->tag, missing->space, location);
}

void resolver_find_missing(struct resolver *resolver)
{
	const struct resolver_missing *unknown[MISSING_COUNT];
	struct place places[MISSING_COUNT] = { 0 };
	uint32_t ids[MISSING_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < resolver->missing_count; i++) {
		const struct resolver_missing *missing = &resolver->missing[i];
		const struct resolver_slot *slot = missing->slot;

		if (slot->kind == place_kind(&missing->place) &&
		    slot->address == missing->place.address) {
			put(resolver, missing, slot->location);
		} else {
			places[count] = missing->place;
			unknown[count++] = missing;
		}
	}
	resolver->missing_count = 0;
	places_intern_all(resolver->places, places, count, ids);
	for (size_t i = 0; i < count; i++) {
		*unknown[i]->slot = (struct resolver_slot){
			.address = places[i].address,
			.kind = place_kind(&places[i]),
			.location = { ids[i] },
		};
		put(resolver, unknown[i], (location_id){ ids[i] });
	}
}

/* Appends a location to list. Its id is missing until resolver_find_missing. */
static struct resolver_missing *push(struct resolver *resolver, module_id module, uint64_t address,
				     bool is_return, struct location_list *list)
{
	struct resolver_missing *missing;
	struct place place = {
		.module = module,
		.is_return = is_return,
		.address = address,
	};
	uint64_t hash = place_hash(&place);

	if (resolver->missing_count == MISSING_COUNT)
		resolver_find_missing(resolver);
	missing = &resolver->missing[resolver->missing_count++];
	*missing = (struct resolver_missing){
		.list = list,
		.index = list->count,
		.place = place,
		.slot = &resolver->slots[hash & (resolver->slot_count - 1)],
		.tag = ADDRESS_NONE,
	};
	__builtin_prefetch(missing->slot);
	vec_push(list, LOCATION_NONE);
	return missing;
}

/* Like address_spaces_find, but checks recent mappings first. */
static const struct mapping *find_mapping(struct resolver *resolver, space_id space,
					  uint64_t address)
{
	struct resolver_recent *recent = &resolver->recent[space.i % RECENT_SPACES];
	const struct mapping *mapping;

	if (recent->space.i != space.i)
		*recent = (struct resolver_recent){ .space = space };
	for (size_t i = 0; i < RECENT_COUNT; i++) {
		mapping = recent->mappings[i];
		if (mapping && address >= mapping->start && address < mapping->end)
			return mapping;
	}
	mapping = address_spaces_find(&resolver->history->spaces, space, address);
	/* A mapping in the lower layer may be partly hidden by the upper layer. */
	if (mapping && (!(space.i & SPACE_IS_PAIR) || mapping->layer == MAPPING_ABOVE))
		recent->mappings[recent->next++ % RECENT_COUNT] = mapping;
	return mapping;
}

/* Appends the location of a mapped address. Returns false if the address is not mapped. */
static bool push_mapped(struct resolver *resolver, space_id space, uint64_t ip, bool is_return,
			struct location_list *list)
{
	uint64_t tag = address_tag(ip, is_return);
	const struct resolver_address *known = address_slot(resolver, tag, space);
	struct resolver_missing *missing;
	const struct mapping *mapping;

	if (known->tag == tag && known->space.i == space.i && tag != ADDRESS_NONE) {
		if (known->location.i == LOCATION_NONE.i)
			return false;
		vec_push(list, known->location);
		return true;
	}
	/*
	 * A call can be the last instruction of a mapping, so look up the byte before its return
	 * address.
	 */
	mapping = find_mapping(resolver, space,
			       is_return && !resolver->view->naming.uses_perf_names ? ip - 1 : ip);
	if (!mapping) {
		cache_address(resolver, tag, space, LOCATION_NONE);
		return false;
	}
	missing = push(resolver, mapping->module, ip - mapping->start + mapping->file_offset,
		       is_return, list);
	missing->tag = tag;
	missing->space = space;
	return true;
}

/* Appends the location of an address that is not mapped. Such a location never has a name. */
static void push_unmapped(struct resolver *resolver, uint64_t ip, bool is_return,
			  struct location_list *list)
{
	struct place place = { .module = resolver->modules.none };

	if (!resolver->merges_unmapped) {
		push(resolver, resolver->modules.none, ip, is_return, list);
		return;
	}
	if (resolver->unmapped.i == LOCATION_NONE.i)
		resolver->unmapped.i = places_intern(resolver->places, &place);
	vec_push(list, resolver->unmapped);
}

/*
 * The kernel's mapping covers only the kernel's text section; code in init sections follows the
 * mapping.
 */
static void push_kernel(struct resolver *resolver, space_id space, uint64_t ip, bool is_return,
			struct location_list *list)
{
	module_id fallback = resolver->modules.kernel;
	const struct mapping *below;

	if (push_mapped(resolver, space, ip, is_return, list))
		return;
	below = address_spaces_find_below(&resolver->history->spaces, space, ip);
	if (below && modules_get(resolver->all_modules, below->module)->kind == MODULE_KERNEL)
		fallback = below->module;
	push(resolver, fallback, ip, is_return, list);
}

/*
 * While execve runs, the new program is mapped, but the user address still belongs to the old one.
 * The address comes from a register, not from memory, so it is certainly an address of code.
 */
static void push_user(struct resolver *resolver, const struct callchain_key *key, uint64_t ip,
		      bool is_return, struct location_list *list)
{
	if (push_mapped(resolver, key->space, ip, is_return, list))
		return;
	if (is_return || !push_mapped(resolver, key->replaced_space, ip, is_return, list))
		push_unmapped(resolver, ip, is_return, list);
}

void resolve_text(const struct text_samples *text, const struct view *view, uint64_t number,
		  struct location_list *list)
{
	uint32_t row = raw_texts_find(&text->frames, number);

	if (row == RAW_TEXT_NONE)
		return;
	for (uint32_t i = text->of_frames.at[row + 1]; i-- > text->of_frames.at[row];)
		if (selection_includes_mode(&view->selection, text->is_kernel.at[i]
								      ? CPU_MODE_KERNEL
								      : CPU_MODE_USER))
			vec_push(list, (location_id){ i });
}

void resolver_push(struct resolver *resolver, const struct callchain_key *key, enum entry_kind kind,
		   uint64_t ip, bool is_return, struct location_list *list)
{
	const struct resolve_modules *modules = &resolver->modules;

	switch (kind) {
	case ENTRY_KERNEL:
	case ENTRY_KERNEL_POINTER:
		push_kernel(resolver, key->kernel_space, ip, is_return, list);
		return;
	case ENTRY_USER:
		push_user(resolver, key, ip, is_return, list);
		return;
	case ENTRY_HYPERVISOR:
		push(resolver, modules->hypervisor, ip, is_return, list);
		return;
	case ENTRY_GUEST_KERNEL:
	case ENTRY_GUEST_USER:
		push(resolver, modules->guest, ip, is_return, list);
		return;
	case ENTRY_MARK:
		push(resolver, modules->marks[ip % INTERVAL_MARK_COUNT], ip, false, list);
		return;
	case ENTRY_DURATION:
		push(resolver, modules->duration, ip, false, list);
		return;
	case ENTRY_TEXT:
		if (resolver->text)
			resolve_text(resolver->text, resolver->view, ip, list);
		else
			push(resolver, modules->none, ip, false, list);
		return;
	case ENTRY_WAKER: /* several locations: resolver_push_wakers */
	case ENTRY_UNKNOWN:
		break;
	}
	if (find_mapping(resolver, key->kernel_space, ip))
		push_kernel(resolver, key->kernel_space, ip, is_return, list);
	else if (!push_mapped(resolver, key->space, ip, is_return, list))
		push_unmapped(resolver, ip, is_return, list);
}

/* Reverses the locations [low, high), none of which may be missing. */
static void reverse(struct location_list *list, size_t low, size_t high)
{
	for (; low + 1 < high; low++) {
		location_id swap = list->at[low];

		list->at[low] = list->at[--high];
		list->at[high] = swap;
	}
}

/* Appends the location of a waker's name, or of the separator before a waker. */
static void push_name(struct resolver *resolver, str_id name, struct location_list *list)
{
	push(resolver, resolver->modules.waker, name.i, false, list);
}

/*
 * The last waker is first. Unless callchains are upright, each one is inverted, so that its leaf is
 * next to the stack of the thread that it woke.
 */
void resolver_push_wakers(struct resolver *resolver, uint64_t link, struct location_list *list)
{
	struct linked_callchains links = resolver->links;
	struct linked_callchain callchains[LIMIT_WAKERS];
	uint32_t count = links.find ? links.find(links.context, link, callchains) : 0;

	/*
	 * A waker's callchain contains no links. Only a corrupt capture could have an entry that
	 * looks like one.
	 */
	resolver->links.find = NULL;
	while (count-- > 0) {
		const struct linked_callchain *waker = &callchains[count];
		size_t first;

		if (!links.is_upright || !waker->key)
			push_name(resolver, waker->name, list);
		if (!waker->key)
			continue;
		first = list->count;
		resolver_push_all(resolver, waker->key, waker->ips, waker->ip_count, true, list);
		if (links.is_upright) {
			push_name(resolver, waker->name, list);
		} else {
			resolver_find_missing(resolver);
			reverse(list, first, list->count);
		}
		push_name(resolver, links.separator, list);
	}
	resolver->links = links;
}

bool resolver_push_all(struct resolver *resolver, const struct callchain_key *key,
		       const uint64_t *ips, uint32_t ip_count, bool is_first,
		       struct location_list *list)
{
	enum entry_kind kind = (enum entry_kind)key->entry_kind;
	bool is_wanted = resolver_selects(resolver, kind);
	bool are_exact = false;

	for (uint32_t i = 0; i < ip_count; i++) {
		if (ips[i] < CALLCHAIN_MARKER_FIRST && kind == ENTRY_WAKER) {
			resolver_push_wakers(resolver, ips[i], list);
			continue;
		}
		if (ips[i] < CALLCHAIN_MARKER_FIRST) {
			if (is_wanted)
				resolver_push(resolver, key, kind, ips[i], !is_first, list);
			is_first = are_exact;
			continue;
		}
		if (ips[i] == CALLCHAIN_TRUNCATED && is_wanted)
			push(resolver, resolver->modules.truncated, 0, false, list);
		is_first = ips[i] != CALLCHAIN_RETURNS;
		are_exact = ips[i] == CALLCHAIN_EXACT;
		/*
		 * Entries after an invalid marker are also unreliable; perf drops the whole
		 * callchain.
		 */
		if (!callchain_marker_kind(ips[i], &kind))
			return !resolver->view->naming.uses_perf_names;
		is_wanted = resolver_selects(resolver, kind);
	}
	return true;
}

void resolver_callchain(struct resolver *resolver, const struct callchain_key *key,
			const uint64_t *ips, uint32_t ip_count, struct location_list *list)
{
	size_t first = list->count;
	bool is_good = resolver_push_all(resolver, key, ips, ip_count, true, list);

	resolver_find_missing(resolver);
	if (!is_good)
		list->count = first;
}
