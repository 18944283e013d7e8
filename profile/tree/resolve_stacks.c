/* SPDX-License-Identifier: MIT */
#include "profile/tree/resolve_stacks.h"

#include "base/arithmetic.h"
#include "base/workers.h"
#include "libparse/callchain.h"

/* The number of remembered nodes, and of recent stacks. */
#define KNOWN_COUNT_MAX 131072
#define KNOWN_COUNT_MIN 64

/* Of the outer entries, those at this distance from each other are remembered. */
#define REMEMBERED_DISTANCE 4

/* Most callers have fewer new entries, so the addresses of this many are fetched. */
#define ENTRIES_AHEAD 3

/* While callers are resolved, those this far ahead are fetched. */
#define CALLERS_AHEAD 8

void stack_resolver_init(struct stack_resolver *stacks, const struct resolver *resolver,
			 struct resolved *resolved, size_t callchain_count)
{
	size_t count = KNOWN_COUNT_MIN;

	*stacks = (struct stack_resolver){ .resolver = *resolver, .resolved = resolved };
	while (count < KNOWN_COUNT_MAX && count < callchain_count)
		count *= 2;
	known_callers_init(&stacks->known, count);
	stacks->recent = memory_zalloc(count, sizeof(*stacks->recent));
}

void stack_resolver_deinit(struct stack_resolver *stacks)
{
	resolver_deinit(&stacks->resolver);
	known_callers_deinit(&stacks->known);
	vec_free(&stacks->pending_ips);
	vec_free(&stacks->hashes);
	vec_free(&stacks->leaves);
	vec_free(&stacks->path);
	vec_free(&stacks->marks);
	vec_free(&stacks->wanted);
	memory_free(stacks->recent);
}

void stack_resolver_forget(struct stack_resolver *stacks)
{
	known_callers_forget(&stacks->known);
}

/*
 * Finds the entries of callers in the kernel, or of a text, and those in user space. Nearly all
 * callers consist of return addresses in the kernel, then a marker and an instruction in user
 * space, and then return addresses in user space; or of only one of both. Returns false for others.
 */
static bool find_entries(const struct resolver *resolver, struct pending_callers *pending)
{
	const struct callchain_key *key = pending->key;
	struct entries *inner = &pending->inner;
	struct entries *user = &pending->user;
	uint32_t count = 0;

	while (count < pending->ip_count && pending->ips[count] < CALLCHAIN_MARKER_FIRST)
		count++;
	*inner = (struct entries){ .kind = (enum entry_kind)key->entry_kind,
				   .space = key->kernel_space,
				   .ips = pending->ips,
				   .count = count };
	*user = (struct entries){ .kind = ENTRY_USER, .space = key->space, .is_first = true };
	if (inner->kind == ENTRY_TEXT)
		return true;
	if (inner->kind == ENTRY_USER && count == pending->ip_count) {
		*user = *inner;
		user->space = key->space;
		inner->count = 0;
		return resolver_selects(resolver, ENTRY_USER);
	}
	if (inner->kind != ENTRY_KERNEL || !resolver_selects(resolver, ENTRY_KERNEL) ||
	    !resolver_selects(resolver, ENTRY_USER))
		return false;
	if (count == pending->ip_count)
		return true;
	user->ips = pending->ips + count + 1;
	user->count = pending->ip_count - count - 1;
	for (uint32_t i = 0; i < user->count; i++)
		if (user->ips[i] >= CALLCHAIN_MARKER_FIRST)
			return false;
	return pending->ips[count] == CALLCHAIN_USER;
}

/*
 * Hashes each entry together with all entries after it, and with the node below them. Fetches what
 * will be looked up first.
 */
static void hash_entries(struct stack_resolver *stacks, const struct callchain_key *key,
			 struct entries *entries, uint32_t node)
{
	struct sequence_hash hash = hash_sequence((uint64_t)entries->kind << 32 | entries->space.i);
	struct sequence_hash *hashes;

	if (!entries->count)
		return;
	entries->hash_first = stacks->hashes.count;
	vec_reserve(&stacks->hashes, entries->hash_first + entries->count);
	stacks->hashes.count += entries->count;
	hashes = stacks->hashes.at + entries->hash_first;
	hash = hash_append(hash, node);
	for (uint32_t i = entries->count; i-- > 0;)
		hashes[i] = hash = hash_append(hash, entries->ips[i]);
	/* No entry is a marker, so this is not the hash of one more return address. */
	if (entries->is_first)
		hashes[0] = hash_append(hash_append(hash, CALLCHAIN_USER), key->replaced_space.i);
	__builtin_prefetch(known_node_of(&stacks->known, &hashes[0]));
	if (entries->count > REMEMBERED_DISTANCE)
		__builtin_prefetch(known_node_of(&stacks->known,
						 &hashes[entries->count % REMEMBERED_DISTANCE]));
}

/* Adds callers to the node, the outermost first. Remembers the nodes of all marks. */
static uint32_t add_path(struct stack_resolver *stacks, const struct callers_path *path,
			 uint32_t node)
{
	struct callers *callers = &stacks->resolved->callers;
	size_t mark = path->mark_end;
	bool is_new = false;

	for (size_t i = path->end;; i--) {
		uint32_t child = CALLERS_NONE;
		location_id location;

		while (mark > path->mark_begin && stacks->marks.at[mark - 1].begin == i)
			known_callers_put(&stacks->known, &stacks->marks.at[--mark].hash, node);
		if (i == path->begin)
			return node;
		location = stacks->path.at[i - 1];
		/* A new node has no children. */
		if (!is_new)
			child = known_callers_child(&stacks->known, node, location);
		is_new = child == CALLERS_NONE;
		node = is_new ? known_callers_add(&stacks->known, callers, node, location) : child;
	}
}

/* Fetches what add_path reads first. */
static void prefetch_path(const struct stack_resolver *stacks, const struct callers_path *path,
			  uint32_t node)
{
	if (path->begin < path->end)
		__builtin_prefetch(
			known_child_of(&stacks->known, node, stacks->path.at[path->end - 1]));
}

static void begin_path(const struct stack_resolver *stacks, struct callers_path *path)
{
	path->begin = stacks->path.count;
	path->mark_begin = stacks->marks.count;
}

static void end_path(const struct stack_resolver *stacks, struct callers_path *path)
{
	path->end = stacks->path.count;
	path->mark_end = stacks->marks.count;
}

/*
 * Whether the node of these entries from number `index` on is remembered. If it were remembered for
 * all numbers, callchains without common entries would take much longer.
 */
static bool is_remembered(const struct entries *entries, uint32_t index)
{
	return index == 0 || (entries->count - index) % REMEMBERED_DISTANCE == 0;
}

/*
 * Finds the path of entries from a known node; its locations can be missing. Returns that node, or
 * `node` if all entries are below it.
 */
static uint32_t find_path(struct stack_resolver *stacks, const struct callchain_key *key,
			  struct entries *entries, uint32_t node)
{
	begin_path(stacks, &entries->path);
	for (uint32_t i = 0; i < entries->count; i++) {
		const struct sequence_hash *hash = &stacks->hashes.at[entries->hash_first + i];
		bool is_return = i > 0 || !entries->is_first;
		uint32_t known;

		if (is_remembered(entries, i)) {
			known = known_callers_find(&stacks->known, hash);
			if (known != KNOWN_NODE_NONE) {
				node = known;
				break;
			}
			vec_push(&stacks->marks, (struct path_mark){ *hash, stacks->path.count });
		}
		resolver_push(&stacks->resolver, key, entries->kind, entries->ips[i], is_return,
			      &stacks->path);
	}
	end_path(stacks, &entries->path);
	return node;
}

/* Finds the path of callers of any kind, which are not remembered. */
static void find_unusual_path(struct stack_resolver *stacks, struct pending_callers *pending)
{
	struct callers_path *path = &pending->inner.path;

	begin_path(stacks, path);
	/* All callchains that begin with a waker have callers of their own. */
	if (pending->key->entry_kind != ENTRY_WAKER)
		pending->is_usable =
			resolver_push_all(&stacks->resolver, pending->key, pending->ips,
					  pending->ip_count, false, &stacks->path);
	end_path(stacks, path);
	if (!pending->is_usable)
		path->begin = path->end;
}

/* Returns the row of the key of some callers. */
static uint32_t find_key(const struct stack_resolver *stacks, const struct pending_callers *pending)
{
	const struct callchain_key *key = pending->key;

	return resolved_key(stacks->resolved, &(struct stack_key){
						      .head = key->head,
						      .event = key->event,
						      .comm = key->comm,
						      .unnamed_tid = key->unnamed_tid,
						      .pid = key->pid,
						      .tid = key->tid,
						      .cpu = key->cpu,
						      .values = key->values,
						      .time_bin = key->time_bin,
						      .first_offset = pending->first_offset,
					      });
}

static void push_leaf(struct stack_resolver *stacks, const struct pending_callers *pending,
		      uint64_t ip)
{
	const struct resolver *resolver = &stacks->resolver;
	enum entry_kind kind = (enum entry_kind)pending->key->entry_kind;
	size_t count = stacks->leaves.count;

	if (ip != CALLCHAIN_NO_IP && pending->is_usable && kind != ENTRY_WAKER &&
	    resolver_selects(resolver, kind))
		resolver_push(&stacks->resolver, pending->key, kind, ip, false, &stacks->leaves);
	if (stacks->leaves.count == count)
		vec_push(&stacks->leaves, LOCATION_NONE);
}

/* Fetches the row of a stack that may be equal. */
static void prefetch_row(const struct stack_resolver *stacks, const struct wanted_stack *wanted)
{
	if (*wanted->recent < stacks->resolved->stacks.count)
		__builtin_prefetch(&stacks->resolved->stacks.at[*wanted->recent]);
}

static void add_stack(struct stack_resolver *stacks, const struct wanted_stack *wanted)
{
	const struct resolved_stack *stack = &wanted->stack;
	struct resolved *resolved = stacks->resolved;

	if (*wanted->recent < resolved->stacks.count) {
		struct resolved_stack *row = &resolved->stacks.at[*wanted->recent];

		if (row->callers == stack->callers && row->leaf.i == stack->leaf.i &&
		    row->key == stack->key) {
			row->sample_count = saturate_add(row->sample_count, stack->sample_count);
			row->period_sum = saturate_add(row->period_sum, stack->period_sum);
			return;
		}
	}
	*wanted->recent = (uint32_t)resolved->stacks.count;
	vec_push(&resolved->stacks, *stack);
}

/*
 * Resolves a callchain that begins with a waker, which consists of several frames. Such a callchain
 * has its own callers, and no leaf.
 */
static uint32_t resolve_waker(struct stack_resolver *stacks, const struct pending_callers *pending,
			      uint64_t ip)
{
	struct callers_path path;

	begin_path(stacks, &path);
	resolver_push_wakers(&stacks->resolver, ip, &stacks->path);
	resolver_push_all(&stacks->resolver, pending->key, pending->ips, pending->ip_count, false,
			  &stacks->path);
	end_path(stacks, &path);
	resolver_find_missing(&stacks->resolver);
	return add_path(stacks, &path, CALLERS_NONE);
}

/* Adds stacks to those wanted. */
static void want_stacks(struct stack_resolver *stacks, const struct pending_callers *pending)
{
	uint32_t key = find_key(stacks, pending);

	for (uint32_t i = 0; i < pending->chain_count; i++) {
		const struct callchain *chain = &pending->chains[i];
		bool is_waker =
			chain->ip != CALLCHAIN_NO_IP && pending->key->entry_kind == ENTRY_WAKER;
		struct resolved_stack stack = {
			.key = key,
			.callers = is_waker ? resolve_waker(stacks, pending, chain->ip)
					    : pending->node,
			.leaf = stacks->leaves.at[pending->leaf_first + i],
			.sample_count = chain->sample_count,
			.period_sum = chain->period_sum,
		};
		uint64_t hash = hash_pair((uint64_t)stack.callers << 32 | stack.leaf.i, key);

		vec_push(&stacks->wanted,
			 (struct wanted_stack){
				 stack, &stacks->recent[hash & (stacks->known.count - 1)] });
	}
}

static void add_wanted(struct stack_resolver *stacks)
{
	for (size_t i = 0; i < stacks->wanted.count; i++)
		prefetch_row(stacks, &stacks->wanted.at[i]);
	for (size_t i = 0; i < stacks->wanted.count; i++)
		add_stack(stacks, &stacks->wanted.at[i]);
	stacks->wanted.count = 0;
}

static void push_leaves(struct stack_resolver *stacks, struct pending_callers *pending)
{
	pending->leaf_first = stacks->leaves.count;
	for (uint32_t i = 0; i < pending->chain_count; i++)
		push_leaf(stacks, pending, pending->chains[i].ip);
}

/* Prepares the callers added last. */
static void prepare(struct stack_resolver *stacks)
{
	struct pending_callers *pending = &stacks->pending[stacks->pending_count - 1];

	pending->is_usable = true;
	pending->is_usual = find_entries(&stacks->resolver, pending);
	if (!pending->is_usual)
		pending->inner.count = pending->user.count = 0;
	if (pending->chain_count)
		resolver_prefetch(&stacks->resolver, pending->key->entry_kind, pending->key,
				  pending->chains[0].ip, false);
	for (uint32_t i = 0; i < pending->user.count && i < ENTRIES_AHEAD; i++)
		resolver_prefetch(&stacks->resolver, ENTRY_USER, pending->key, pending->user.ips[i],
				  i || !pending->user.is_first);
	hash_entries(stacks, pending->key, &pending->user, CALLERS_NONE);
	if (stacks->pending_count == PENDING_CALLERS_COUNT)
		stack_resolver_flush(stacks);
}

/* Sets the nodes of the entries in user space. */
static void resolve_user(struct stack_resolver *stacks, struct pending_callers *end)
{
	for (struct pending_callers *at = stacks->pending; at < end; at++)
		at->node = find_path(stacks, at->key, &at->user, CALLERS_NONE);
	resolver_find_missing(&stacks->resolver);
	for (struct pending_callers *at = stacks->pending; at < end; at++)
		prefetch_path(stacks, &at->user.path, at->node);
	for (struct pending_callers *at = stacks->pending; at < end; at++) {
		at->node = add_path(stacks, &at->user.path, at->node);
		hash_entries(stacks, at->key, &at->inner, at->node);
	}
}

/* Sets the nodes of all entries, and finds the leaves. */
static void resolve_inner(struct stack_resolver *stacks, struct pending_callers *end)
{
	for (struct pending_callers *at = stacks->pending; at < end; at++) {
		if (at->is_usual)
			at->node = find_path(stacks, at->key, &at->inner, at->node);
		else
			find_unusual_path(stacks, at);
		push_leaves(stacks, at);
	}
	resolver_find_missing(&stacks->resolver);
	for (struct pending_callers *at = stacks->pending; at < end; at++)
		prefetch_path(stacks, &at->inner.path, at->node);
	for (struct pending_callers *at = stacks->pending; at < end; at++)
		at->node = add_path(stacks, &at->inner.path, at->node);
}

void stack_resolver_flush(struct stack_resolver *stacks)
{
	struct pending_callers *end = stacks->pending + stacks->pending_count;

	resolve_user(stacks, end);
	resolve_inner(stacks, end);
	for (struct pending_callers *at = stacks->pending; at < end; at++)
		want_stacks(stacks, at);
	add_wanted(stacks);
	stacks->pending_count = stacks->pending_ips.count = 0;
	stacks->hashes.count = stacks->leaves.count = 0;
	stacks->path.count = stacks->marks.count = 0;
}

void stack_resolver_add(struct stack_resolver *stacks, const struct callchain_key *key,
			const uint64_t *ips, uint32_t ip_count, uint64_t sample_count,
			uint64_t period, uint64_t offset)
{
	struct pending_callers *pending;
	uint64_t ip;

	/* Addresses of pending callers must not move. */
	if (stacks->pending_ips.count + ip_count >= stacks->pending_ips.capacity) {
		stack_resolver_flush(stacks);
		vec_reserve(&stacks->pending_ips, PENDING_CALLERS_COUNT * (size_t)ip_count + 1);
	}
	pending = &stacks->pending[stacks->pending_count++];
	pending->own_key = *key;
	ip = callchain_split(&pending->own_key, &ips, &ip_count);
	pending->own_chain = (struct callchain){
		.ip = ip,
		.sample_count = sample_count,
		.period_sum = period,
	};
	pending->key = &pending->own_key;
	pending->ips = stacks->pending_ips.at + stacks->pending_ips.count;
	pending->ip_count = ip_count;
	pending->chains = &pending->own_chain;
	pending->chain_count = 1;
	pending->first_offset = offset;
	if (ip_count)
		memcpy(stacks->pending_ips.at + stacks->pending_ips.count, ips,
		       ip_count * sizeof(*ips));
	stacks->pending_ips.count += ip_count;
	prepare(stacks);
}

/* Fetches the beginning of these callers, and of the callchains of callers before them. */
static void prefetch(const struct callchains *chains, const struct callchain_callers_place *places,
		     size_t ahead)
{
	const struct callchain_callers *callers = places[ahead].callers;
	const struct callchain_callers_place *nearer = &places[ahead / 2];

	__builtin_prefetch(callers);
	__builtin_prefetch((const char *)callers + CACHE_LINE_BYTES / 2);
	__builtin_prefetch(chains->tables[nearer->table].chains.at + nearer->callers->chain_first);
}

void stack_resolver_add_callers(struct stack_resolver *stacks, const struct callchains *chains,
				const struct callchain_callers_place *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct callchain_callers *callers = places[i].callers;
		struct pending_callers *pending = &stacks->pending[stacks->pending_count++];

		if (i + CALLERS_AHEAD < count)
			prefetch(chains, &places[i], CALLERS_AHEAD);
		pending->key = callers->key;
		pending->ips = callers->ips;
		pending->ip_count = callers->ip_count;
		pending->chains = chains->tables[places[i].table].chains.at + callers->chain_first;
		pending->chain_count = callers->chain_count;
		pending->first_offset = places[i].first_offset;
		prepare(stacks);
	}
	stack_resolver_flush(stacks);
}
