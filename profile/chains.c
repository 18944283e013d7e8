/* SPDX-License-Identifier: MIT */
#include "profile/chains.h"

#include "base/hash.h"
#include "base/saturate.h"

static void table_init(struct chain_table *table)
{
	*table = (struct chain_table){ 0 };
	arena_init(&table->arena);
	idtable_init(&table->callers_ids);
	idtable_init(&table->chain_ids);
}

static void table_deinit(struct chain_table *table)
{
	arena_deinit(&table->arena);
	idtable_deinit(&table->callers_ids);
	idtable_deinit(&table->chain_ids);
	vec_free(&table->callers);
	vec_free(&table->chains);
}

void chains_init(struct chains *chains)
{
	*chains = (struct chains){ 0 };
	for (size_t i = 0; i < CHAINS_TABLE_COUNT; i++)
		table_init(&chains->tables[i]);
}

void chains_deinit(struct chains *chains)
{
	for (size_t i = 0; i < CHAINS_TABLE_COUNT; i++)
		table_deinit(&chains->tables[i]);
	vec_free(&chains->pending_ips);
}

bool chain_marker_mode(uint64_t marker, enum cpu_mode *ret)
{
	switch (marker) {
	case CHAIN_HYPERVISOR:
		*ret = CPU_MODE_HYPERVISOR;
		return true;
	case CHAIN_KERNEL:
		*ret = CPU_MODE_KERNEL;
		return true;
	case CHAIN_USER:
		*ret = CPU_MODE_USER;
		return true;
	case CHAIN_GUEST:
	case CHAIN_GUEST_KERNEL:
		*ret = CPU_MODE_GUEST_KERNEL;
		return true;
	case CHAIN_GUEST_USER:
		*ret = CPU_MODE_GUEST_USER;
		return true;
	case CHAIN_MARK:
		*ret = CPU_MODE_MARK;
		return true;
	case CHAIN_LENGTH:
		*ret = CPU_MODE_LENGTH;
		return true;
	case CHAIN_WAKER:
		*ret = CPU_MODE_WAKER;
		return true;
	case CHAIN_EXACT:
	case CHAIN_RETURNS:
	case CHAIN_TRUNCATED:
		return true;
	default:
		return false;
	}
}

/* Callers of none may be at NULL, which memcmp does not take. */
static bool has_same_ips(const struct chain_callers *a, const struct chain_callers *b)
{
	return a->ip_count == b->ip_count &&
	       (!a->ip_count || memcmp(a->ips, b->ips, a->ip_count * sizeof(*a->ips)) == 0);
}

static bool are_same_callers(const struct chain_callers *a, const struct chain_callers *b)
{
	return a->hash == b->hash && memcmp(&a->key, &b->key, sizeof(a->key)) == 0 &&
	       has_same_ips(a, b);
}

/* The number of these callers, added with a copy of their addresses when new. */
static uint32_t intern_callers(struct chain_table *table, const struct chain_callers *wanted)
{
	struct idtable_probe probe = idtable_find(&table->callers_ids, wanted->hash);
	size_t size_bytes = wanted->ip_count * sizeof(*wanted->ips);
	struct chain_callers copy = *wanted;
	uint64_t *ips;
	uint32_t id;

	while ((id = idtable_next(&table->callers_ids, &probe)) != IDTABLE_NONE)
		if (are_same_callers(&table->callers.at[id], wanted))
			return id;
	ips = arena_alloc(&table->arena, size_bytes, _Alignof(uint64_t));
	if (size_bytes)
		memcpy(ips, wanted->ips, size_bytes);
	copy.ips = ips;
	id = (uint32_t)table->callers.count;
	idtable_add(&table->callers_ids, wanted->hash, id);
	vec_push(&table->callers, copy);
	return id;
}

static uint64_t chain_hash(const struct chain_callers *callers, uint64_t ip)
{
	return hash_u64(callers->hash ^ ip * 0x9e3779b97f4a7c15ull);
}

/* Adds the counts of one chain, whose callers are given beside it. hash is its chain_hash. */
static void add(struct chain_table *table, const struct chain_callers *callers,
		const struct chain *one, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&table->chain_ids, hash);
	struct chain copy = *one;
	uint32_t id;

	while ((id = idtable_next(&table->chain_ids, &probe)) != IDTABLE_NONE) {
		struct chain *row = &table->chains.at[id];

		if (row->ip == one->ip &&
		    are_same_callers(&table->callers.at[row->callers], callers)) {
			row->sample_count = saturate_add(row->sample_count, one->sample_count);
			row->period_sum = saturate_add(row->period_sum, one->period_sum);
			return;
		}
	}
	copy.callers = intern_callers(table, callers);
	idtable_add(&table->chain_ids, hash, (uint32_t)table->chains.count);
	vec_push(&table->chains, copy);
}

static struct chain_table *table_of(struct chains *chains, const struct chain_callers *callers)
{
	return &chains->tables[callers->hash % CHAINS_TABLE_COUNT];
}

/*
 * Takes the innermost address off the chain: what is left are the callers. A chain that begins with
 * a stray word has none, as nothing behind it is any good.
 */
static uint64_t split(struct chain_callers *callers)
{
	enum cpu_mode mode = (enum cpu_mode)callers->key.cpu_mode;
	uint32_t i = 0;
	uint64_t ip;

	while (i < callers->ip_count && callers->ips[i] >= CHAIN_MARKER_FIRST &&
	       chain_marker_mode(callers->ips[i], &mode))
		i++;
	if (i == callers->ip_count || callers->ips[i] >= CHAIN_MARKER_FIRST) {
		callers->ip_count = 0;
		return CHAIN_NO_IP;
	}
	ip = callers->ips[i];
	callers->key.cpu_mode = (uint16_t)mode;
	callers->ips += i + 1;
	callers->ip_count -= i + 1;
	return ip;
}

void chains_add(struct chains *chains, const struct chain_key *key, const uint64_t *ips,
		uint32_t ip_count, uint64_t period, uint64_t offset)
{
	chains_add_several(chains, key, ips, ip_count, 1, period, offset);
}

void chains_add_several(struct chains *chains, const struct chain_key *key, const uint64_t *ips,
			uint32_t ip_count, uint64_t sample_count, uint64_t period, uint64_t offset)
{
	struct chain_pending *pending = &chains->pending[chains->pending_count++];
	struct chain_callers *callers = &pending->callers;
	size_t size_bytes;

	*callers = (struct chain_callers){
		.key = *key,
		.ips = ips,
		.ip_count = ip_count,
		.first_offset = offset,
	};
	pending->ip = split(callers);
	pending->sample_count = sample_count;
	pending->period = period;
	size_bytes = callers->ip_count * sizeof(*ips);
	callers->hash = hash_bytes(callers->ips, size_bytes,
				   hash_bytes(key, offsetof(struct chain_key, values), 0));
	pending->hash = chain_hash(callers, pending->ip);
	idtable_prefetch(&table_of(chains, callers)->chain_ids, pending->hash);

	pending->ip_first = chains->pending_ips.count;
	vec_reserve(&chains->pending_ips, pending->ip_first + callers->ip_count);
	if (size_bytes)
		memcpy(chains->pending_ips.at + pending->ip_first, callers->ips, size_bytes);
	chains->pending_ips.count += callers->ip_count;
	if (chains->pending_count == CHAINS_PENDING_COUNT)
		chains_flush(chains);
}

/* The first row with this hash, which nearly always is the one. */
static const struct chain *guess(const struct chain_table *table, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&table->chain_ids, hash);
	uint32_t id = idtable_next(&table->chain_ids, &probe);

	return id == IDTABLE_NONE ? NULL : &table->chains.at[id];
}

void chains_flush(struct chains *chains)
{
	const struct chain *guesses[CHAINS_PENDING_COUNT];

	for (size_t i = 0; i < chains->pending_count; i++) {
		const struct chain_pending *pending = &chains->pending[i];

		guesses[i] = guess(table_of(chains, &pending->callers), pending->hash);
		__builtin_prefetch(guesses[i]);
	}
	for (size_t i = 0; i < chains->pending_count; i++) {
		const struct chain_table *table = table_of(chains, &chains->pending[i].callers);

		if (guesses[i])
			__builtin_prefetch(&table->callers.at[guesses[i]->callers]);
	}
	for (size_t i = 0; i < chains->pending_count; i++) {
		struct chain_pending *pending = &chains->pending[i];
		struct chain one = {
			.ip = pending->ip,
			.sample_count = pending->sample_count,
			.period_sum = pending->period,
		};

		if (pending->callers.ip_count)
			pending->callers.ips = chains->pending_ips.at + pending->ip_first;
		add(table_of(chains, &pending->callers), &pending->callers, &one, pending->hash);
	}
	chains->pending_count = 0;
	chains->pending_ips.count = 0;
}

void chain_table_renumber_values(struct chain_table *table, const uint32_t *renumbered)
{
	for (size_t i = 0; i < table->callers.count; i++)
		table->callers.at[i].key.values = renumbered[table->callers.at[i].key.values];
}

void chain_table_merge(struct chain_table *table, struct chain_table *from)
{
	if (!table->chains.count) {
		struct chain_table empty = *table;

		*table = *from;
		*from = empty;
		return;
	}
	for (size_t i = 0; i < from->chains.count; i++) {
		const struct chain *chain = &from->chains.at[i];
		const struct chain_callers *callers = &from->callers.at[chain->callers];

		add(table, callers, chain, chain_hash(callers, chain->ip));
	}
	table_deinit(from);
	table_init(from);
}

void chain_table_gather(struct chain_table *table)
{
	struct chain *gathered = memory_alloc(table->chains.count, sizeof(*gathered));
	uint32_t first = 0;

	for (size_t i = 0; i < table->chains.count; i++)
		table->callers.at[table->chains.at[i].callers].chain_count++;
	for (size_t i = 0; i < table->callers.count; i++) {
		struct chain_callers *callers = &table->callers.at[i];

		callers->chain_first = first;
		first += callers->chain_count;
		callers->chain_count = 0;
	}
	for (size_t i = 0; i < table->chains.count; i++) {
		struct chain_callers *callers = &table->callers.at[table->chains.at[i].callers];

		gathered[callers->chain_first + callers->chain_count++] = table->chains.at[i];
	}
	memory_free(table->chains.at);
	table->chains.at = gathered;
	table->chains.capacity = table->chains.count;
}

/* Where the table's next callers were first seen; UINT64_MAX behind the last. */
static uint64_t offset_at(const struct chain_table *table, uint32_t row)
{
	return row < table->callers.count ? table->callers.at[row].first_offset : UINT64_MAX;
}

struct chain_callers_place *chains_order(const struct chains *chains, size_t *count_ret)
{
	uint32_t rows[CHAINS_TABLE_COUNT] = { 0 };
	uint64_t offsets[CHAINS_TABLE_COUNT];
	struct chain_callers_place *places;
	size_t count = 0;

	for (size_t i = 0; i < CHAINS_TABLE_COUNT; i++) {
		offsets[i] = offset_at(&chains->tables[i], 0);
		count += chains->tables[i].callers.count;
	}
	places = memory_alloc(count, sizeof(*places));
	for (size_t i = 0; i < count; i++) {
		uint32_t first = 0;

		for (uint32_t k = 1; k < CHAINS_TABLE_COUNT; k++)
			if (offsets[k] < offsets[first])
				first = k;
		places[i] = (struct chain_callers_place){ .table = first, .row = rows[first] };
		offsets[first] = offset_at(&chains->tables[first], ++rows[first]);
	}
	*count_ret = count;
	return places;
}
