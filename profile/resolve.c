/* SPDX-License-Identifier: MIT */
#include "profile/resolve.h"

#include "base/hash.h"
#include "base/workers.h"
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
#define SLOTS_PER_CALLCHAIN 16
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

/* Callers whose missing locations are looked up together. */
#define CALLERS_TOGETHER 16

/* While callers are resolved, those this far ahead are fetched. */
#define CALLERS_AHEAD 8

/* Leaf texts rarely repeat, so this many are prefetched. */
#define LEAVES_AHEAD 8

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
		.text = options->text,
		.links = options->links,
		.slot_count = cache_size(options->callchain_count, SLOT_COUNT_MAX),
		.address_count = cache_size(options->callchain_count, ADDRESS_COUNT_MAX),
	};
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
	vec_free(&resolver->leaves);
}

void resolved_init(struct resolved *resolved)
{
	*resolved = (struct resolved){ 0 };
	places_init(&resolved->places);
}

void resolved_deinit(struct resolved *resolved)
{
	places_deinit(&resolved->places);
	vec_free(&resolved->callers);
	vec_free(&resolved->stacks);
	vec_free(&resolved->frames);
	vec_free(&resolved->text_locations);
}

void resolved_clear(struct resolved *resolved)
{
	resolved_deinit(resolved);
	resolved_init(resolved);
}

size_t resolved_size_bytes(const struct resolved *resolved)
{
	return resolved->callers.count * sizeof(*resolved->callers.at) +
	       resolved->stacks.count * sizeof(*resolved->stacks.at) +
	       resolved->frames.count * sizeof(*resolved->frames.at);
}

void resolved_renumber(struct resolved *resolved, const struct location_list *locations)
{
	for (size_t i = 0; i < resolved->frames.count; i++)
		resolved->frames.at[i] = locations->at[resolved->frames.at[i].i];
	for (size_t i = 0; i < resolved->stacks.count; i++) {
		location_id *leaf = &resolved->stacks.at[i].leaf;

		if (leaf->i != LOCATION_NONE.i)
			*leaf = locations->at[leaf->i];
	}
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

/* Looks up all missing locations. */
static void find_missing(struct resolver *resolver)
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

/* Appends a location to list. Its id is missing until find_missing. */
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
		find_missing(resolver);
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

static void push_in(struct resolver *resolver, space_id space, module_id fallback, uint64_t ip,
		    bool is_return, struct location_list *list)
{
	if (!push_mapped(resolver, space, ip, is_return, list))
		push(resolver, fallback, ip, is_return, list);
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
	if (!push_mapped(resolver, key->space, ip, is_return, list))
		push_in(resolver, is_return ? key->space : key->replaced_space,
			resolver->modules.none, ip, is_return, list);
}

/* Entries of other kinds have no CPU mode, and every selection includes them. */
static bool is_selected(const struct resolver *resolver, enum entry_kind kind)
{
	return kind > ENTRY_GUEST_USER ||
	       selection_includes_mode(&resolver->view->selection, (enum cpu_mode)kind);
}

/* Appends the location of one entry of a callchain. */
static void push_entry(struct resolver *resolver, const struct callchain_key *key,
		       enum entry_kind kind, uint64_t ip, bool is_return,
		       struct location_list *list)
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
	case ENTRY_WAKER: /* several locations: append_wakers */
	case ENTRY_UNKNOWN:
		break;
	}
	if (find_mapping(resolver, key->kernel_space, ip))
		push_kernel(resolver, key->kernel_space, ip, is_return, list);
	else
		push_in(resolver, key->space, modules->none, ip, is_return, list);
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

/* Appends the locations of a raw text, innermost first. */
static void append_text(const struct resolver *resolver, uint64_t number,
			struct location_list *frames)
{
	const struct text_samples *text = resolver->text;
	uint32_t row = raw_texts_find(&text->frames, number);

	if (row == RAW_TEXT_NONE)
		return;
	for (uint32_t i = text->of_frames.at[row + 1]; i-- > text->of_frames.at[row];)
		if (selection_includes_mode(&resolver->view->selection, text->is_kernel.at[i]
										? CPU_MODE_KERNEL
										: CPU_MODE_USER))
			vec_push(frames, (location_id){ i });
}

static bool append(struct resolver *resolver, const struct callchain_key *key, const uint64_t *ips,
		   uint32_t ip_count, bool is_first, struct location_list *frames);

/* Appends the location of a waker's name, or of the separator before a waker. */
static void push_name(struct resolver *resolver, str_id name, struct location_list *list)
{
	push(resolver, resolver->modules.waker, name.i, false, list);
}

/*
 * Appends the callchains of wakers, the last waker first. Unless they are upright, each callchain
 * is inverted, so that its leaf is next to the stack of the thread that it woke.
 */
static void append_wakers(struct resolver *resolver, uint64_t link, struct location_list *frames)
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
			push_name(resolver, waker->name, frames);
		if (!waker->key)
			continue;
		first = frames->count;
		append(resolver, waker->key, waker->ips, waker->ip_count, true, frames);
		if (links.is_upright) {
			push_name(resolver, waker->name, frames);
		} else {
			find_missing(resolver);
			reverse(frames, first, frames->count);
		}
		push_name(resolver, links.separator, frames);
	}
	resolver->links = links;
}

/*
 * Appends the locations of a callchain, innermost first. is_first: whether the first entry is not a
 * return address, but an instruction that ran, like the first entry after each marker. Returns
 * false if the callchain is unusable.
 */
static bool append(struct resolver *resolver, const struct callchain_key *key, const uint64_t *ips,
		   uint32_t ip_count, bool is_first, struct location_list *frames)
{
	enum entry_kind kind = (enum entry_kind)key->entry_kind;
	bool is_wanted = is_selected(resolver, kind);
	bool are_exact = false;

	for (uint32_t i = 0; resolver->text && i < ip_count; i++)
		append_text(resolver, ips[i], frames);
	if (resolver->text)
		return true;
	for (uint32_t i = 0; i < ip_count; i++) {
		if (ips[i] < CALLCHAIN_MARKER_FIRST && kind == ENTRY_WAKER) {
			append_wakers(resolver, ips[i], frames);
			continue;
		}
		if (ips[i] < CALLCHAIN_MARKER_FIRST) {
			if (is_wanted)
				push_entry(resolver, key, kind, ips[i], !is_first, frames);
			is_first = are_exact;
			continue;
		}
		if (ips[i] == CALLCHAIN_TRUNCATED && is_wanted)
			push(resolver, resolver->modules.truncated, 0, false, frames);
		is_first = ips[i] != CALLCHAIN_RETURNS;
		are_exact = ips[i] == CALLCHAIN_EXACT;
		/*
		 * Entries after an invalid marker are also unreliable; perf drops the whole
		 * callchain.
		 */
		if (!callchain_marker_kind(ips[i], &kind))
			return !resolver->view->naming.uses_perf_names;
		is_wanted = is_selected(resolver, kind);
	}
	return true;
}

void resolver_callchain(struct resolver *resolver, const struct callchain_key *key,
			const uint64_t *ips, uint32_t ip_count, struct location_list *frames)
{
	size_t first = frames->count;
	bool is_good = append(resolver, key, ips, ip_count, true, frames);

	find_missing(resolver);
	if (!is_good)
		frames->count = first;
}

/* Resolves a leaf text, which stands for at most one frame. */
static location_id resolve_text_leaf(const struct resolver *resolver, uint64_t ip)
{
	location_id at[1];
	struct location_list frames = { .at = at, .capacity = ARRAY_SIZE(at) };

	append_text(resolver, ip, &frames);
	return frames.count ? at[0] : LOCATION_NONE;
}

/* Appends the leaf of a stack to the resolver's leaves. */
static void push_leaf(struct resolver *resolver, const struct callchain_key *key, uint64_t ip)
{
	enum entry_kind kind = (enum entry_kind)key->entry_kind;

	if (ip == CALLCHAIN_NO_IP)
		vec_push(&resolver->leaves, LOCATION_NONE);
	else if (resolver->text)
		vec_push(&resolver->leaves, resolve_text_leaf(resolver, ip));
	else if (is_selected(resolver, kind))
		push_entry(resolver, key, kind, ip, false, &resolver->leaves);
	else
		vec_push(&resolver->leaves, LOCATION_NONE);
}

/* Adds callers with this key and with the frames from `first` on. offset: of their first sample. */
static void push_callers(struct resolved *resolved, const struct resolver *resolver,
			 const struct callchain_key *key, size_t first, uint64_t offset)
{
	const struct text_head *head =
		resolver->text ? text_samples_head(resolver->text, key->head) : NULL;

	vec_push(&resolved->callers,
		 (struct resolved_callers){
			 .event = head ? head->event : key->event,
			 .comm = head ? head->comm : key->comm,
			 .unnamed_tid = key->unnamed_tid,
			 .pid = key->pid,
			 .tid = key->tid,
			 .cpu = key->cpu,
			 .values = key->values,
			 .time_bin = key->time_bin,
			 .frame_first = first,
			 .frame_count = (uint32_t)(resolved->frames.count - first),
			 .stack_first = resolved->stacks.count,
			 .first_offset = offset,
		 });
}

/* Adds a stack without its leaf to the callers added last. */
static void push_stack(struct resolved *resolved, const struct callchain *chain)
{
	resolved->callers.at[resolved->callers.count - 1].stack_count++;
	vec_push(&resolved->stacks, (struct resolved_stack){
					    .leaf = LOCATION_NONE,
					    .sample_count = chain->sample_count,
					    .period_sum = chain->period_sum,
				    });
}

/*
 * Whether the innermost entry of a callchain consists of several frames, and so cannot be a leaf.
 */
static bool is_apart(const struct resolver *resolver, const struct callchain_key *key, uint64_t ip)
{
	uint32_t row;

	if (ip == CALLCHAIN_NO_IP || !resolver->text)
		return ip != CALLCHAIN_NO_IP && key->entry_kind == ENTRY_WAKER;
	if (!resolver->text->has_several)
		return false;
	row = raw_texts_find(&resolver->text->frames, ip);
	return row != RAW_TEXT_NONE &&
	       resolver->text->of_frames.at[row + 1] - resolver->text->of_frames.at[row] > 1;
}

/*
 * Resolves a callchain whose innermost entry consists of several frames. Such a callchain gets its
 * own callers, and no leaf.
 */
static void resolve_apart(struct resolved *resolved, struct resolver *resolver,
			  const struct callchain_callers_place *place,
			  const struct callchain *chain)
{
	const struct callchain_callers *callers = place->callers;
	size_t first = resolved->frames.count;

	if (resolver->text)
		append_text(resolver, chain->ip, &resolved->frames);
	else
		append_wakers(resolver, chain->ip, &resolved->frames);
	append(resolver, callers->key, callers->ips, callers->ip_count, false, &resolved->frames);
	push_callers(resolved, resolver, callers->key, first, place->first_offset);
	push_stack(resolved, chain);
	vec_push(&resolver->leaves, LOCATION_NONE);
}

static void resolve_callers(struct resolved *resolved, struct resolver *resolver,
			    const struct callchain_table *table,
			    const struct callchain_callers_place *place)
{
	const struct callchain_callers *callers = place->callers;
	const struct callchain_key *key = callers->key;
	size_t first = resolved->frames.count;
	bool is_good =
		append(resolver, key, callers->ips, callers->ip_count, false, &resolved->frames);

	if (!is_good) {
		find_missing(resolver);
		resolved->frames.count = first;
	}
	push_callers(resolved, resolver, key, first, place->first_offset);
	for (uint32_t i = 0; i < callers->chain_count; i++) {
		const struct callchain *chain = &table->chains.at[callers->chain_first + i];

		if (resolver->text && i + LEAVES_AHEAD < callers->chain_count)
			raw_texts_prefetch(&resolver->text->frames, chain[LEAVES_AHEAD].ip);
		if (is_apart(resolver, key, chain->ip))
			continue;
		push_stack(resolved, chain);
		push_leaf(resolver, key, is_good ? chain->ip : CALLCHAIN_NO_IP);
	}
	for (uint32_t i = 0; i < callers->chain_count; i++) {
		const struct callchain *chain = &table->chains.at[callers->chain_first + i];

		if (is_apart(resolver, key, chain->ip))
			resolve_apart(resolved, resolver, place, chain);
	}
}

/* Finds what callers and stacks, from these on, lack, and orders the frames. */
static void finish_callers(struct resolved *resolved, struct resolver *resolver,
			   size_t callers_first, size_t stack_first)
{
	find_missing(resolver);
	for (size_t i = callers_first; i < resolved->callers.count; i++) {
		const struct resolved_callers *callers = &resolved->callers.at[i];

		reverse(&resolved->frames, callers->frame_first,
			callers->frame_first + callers->frame_count);
	}
	for (size_t i = 0; i < resolver->leaves.count; i++)
		resolved->stacks.at[stack_first + i].leaf = resolver->leaves.at[i];
	resolver->leaves.count = 0;
}

/* Fetches the beginning of these callers, and of the callchains of callers before them. */
static void prefetch(const struct callchains *chains, const struct callchain_callers_place *places,
		     size_t ahead)
{
	const struct callchain_callers *callers = places[ahead].callers;
	const struct callchain_callers_place *sooner = &places[ahead / 2];

	__builtin_prefetch(callers);
	__builtin_prefetch((const char *)callers + CACHE_LINE_BYTES / 2);
	__builtin_prefetch(chains->tables[sooner->table].chains.at + sooner->callers->chain_first);
}

void resolve_callchains(struct resolved *resolved, struct resolver *resolver,
			const struct callchains *chains,
			const struct callchain_callers_place *places, size_t count)
{
	for (size_t i = 0; i < count;) {
		size_t end = count - i < CALLERS_TOGETHER ? count : i + CALLERS_TOGETHER;
		size_t callers_first = resolved->callers.count;
		size_t stack_first = resolved->stacks.count;

		for (; i < end; i++) {
			if (i + CALLERS_AHEAD < count)
				prefetch(chains, &places[i], CALLERS_AHEAD);
			resolve_callers(resolved, resolver, &chains->tables[places[i].table],
					&places[i]);
		}
		finish_callers(resolved, resolver, callers_first, stack_first);
	}
}
