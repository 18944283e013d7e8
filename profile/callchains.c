/* SPDX-License-Identifier: MIT */
#include "profile/callchains.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "libparse/callchain.h"

static void table_init(struct callchain_table *table)
{
	*table = (struct callchain_table){ 0 };
	arena_init(&table->arena);
	idtable_init(&table->key_ids);
	idtable_init(&table->callers_ids);
	idtable_init(&table->callchain_ids);
}

static void table_deinit(struct callchain_table *table)
{
	arena_deinit(&table->arena);
	idtable_deinit(&table->key_ids);
	idtable_deinit(&table->callers_ids);
	idtable_deinit(&table->callchain_ids);
	vec_free(&table->keys);
	vec_free(&table->callers);
	vec_free(&table->chains);
	vec_free(&table->gathered);
}

static void table_clear(struct callchain_table *table)
{
	arena_clear(&table->arena);
	idtable_clear(&table->key_ids);
	idtable_clear(&table->callers_ids);
	idtable_clear(&table->callchain_ids);
	table->keys.count = table->callers.count = table->chains.count = 0;
}

void callchains_init(struct callchains *chains)
{
	*chains = (struct callchains){ .table_count = CALLCHAINS_TABLE_COUNT };
	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		table_init(&chains->tables[i]);
}

void callchains_deinit(struct callchains *chains)
{
	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		table_deinit(&chains->tables[i]);
	vec_free(&chains->pending_ips);
}

void callchains_use_one_table(struct callchains *chains)
{
	chains->table_count = 1;
}

void callchains_clear(struct callchains *chains)
{
	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		table_clear(&chains->tables[i]);
	chains->added_count = 0;
}

bool callchain_marker_kind(uint64_t marker, enum entry_kind *ret)
{
	switch (marker) {
	case CALLCHAIN_HYPERVISOR:
		*ret = ENTRY_HYPERVISOR;
		return true;
	case CALLCHAIN_KERNEL:
		*ret = ENTRY_KERNEL;
		return true;
	case CALLCHAIN_USER:
		*ret = ENTRY_USER;
		return true;
	case CALLCHAIN_GUEST:
	case CALLCHAIN_GUEST_KERNEL:
		*ret = ENTRY_GUEST_KERNEL;
		return true;
	case CALLCHAIN_GUEST_USER:
		*ret = ENTRY_GUEST_USER;
		return true;
	case CALLCHAIN_MARK:
		*ret = ENTRY_MARK;
		return true;
	case CALLCHAIN_DURATION:
		*ret = ENTRY_DURATION;
		return true;
	case CALLCHAIN_WAKER:
		*ret = ENTRY_WAKER;
		return true;
	case CALLCHAIN_EXACT:
	case CALLCHAIN_RETURNS:
	case CALLCHAIN_TRUNCATED:
		return true;
	default:
		return false;
	}
}

uint64_t callchain_key_hash(const struct callchain_key *key)
{
	return hash_bytes(key, offsetof(struct callchain_key, values), 0);
}

static bool are_same_keys(const struct callchain_key *a, const struct callchain_key *b)
{
	return a == b || memcmp(a, b, sizeof(*a)) == 0;
}

/* Returns the table's copy of a key. */
static const struct callchain_key *intern_key(struct callchain_table *table,
					      const struct callchain_key *wanted)
{
	uint64_t hash = callchain_key_hash(wanted);
	struct idtable_probe probe = idtable_find(&table->key_ids, hash);
	struct callchain_key *key;
	uint32_t id;

	while ((id = idtable_next(&table->key_ids, &probe)) != IDTABLE_NONE)
		if (are_same_keys(table->keys.at[id], wanted))
			return table->keys.at[id];
	key = ARENA_NEW(&table->arena, struct callchain_key);
	*key = *wanted;
	idtable_add(&table->key_ids, hash, (uint32_t)table->keys.count);
	vec_push(&table->keys, key);
	return key;
}

/* ips may be NULL if there are none, which memcmp does not allow. */
static bool are_wanted(const struct callchain_callers *callers,
		       const struct callchain_wanted *wanted)
{
	size_t size_bytes = wanted->ip_count * sizeof(*wanted->ips);

	return callers->hash == wanted->hash && callers->ip_count == wanted->ip_count &&
	       are_same_keys(callers->key, wanted->key) &&
	       (!size_bytes || memcmp(callers->ips, wanted->ips, size_bytes) == 0);
}

/* Returns the table's copy of these callers. */
static struct callchain_callers *intern_callers(struct callchain_table *table,
						const struct callchain_wanted *wanted)
{
	struct idtable_probe probe = idtable_find(&table->callers_ids, wanted->hash);
	size_t size_bytes = wanted->ip_count * sizeof(*wanted->ips);
	struct callchain_callers *callers;
	uint32_t id;

	while ((id = idtable_next(&table->callers_ids, &probe)) != IDTABLE_NONE)
		if (are_wanted(table->callers.at[id].callers, wanted))
			return table->callers.at[id].callers;
	callers = arena_alloc(&table->arena, sizeof(*callers) + size_bytes,
			      _Alignof(struct callchain_callers));
	*callers = (struct callchain_callers){
		.hash = wanted->hash,
		.key = intern_key(table, wanted->key),
		.ip_count = wanted->ip_count,
		.row = (uint32_t)table->callers.count,
	};
	if (size_bytes)
		memcpy(callers->ips, wanted->ips, size_bytes);
	idtable_add(&table->callers_ids, wanted->hash, callers->row);
	vec_push(&table->callers, (struct callchain_callers_row){ callers, wanted->first_offset });
	return callers;
}

static uint64_t callchain_hash(uint64_t callers_hash, uint64_t ip)
{
	return hash_u64(callers_hash ^ ip * 0x9e3779b97f4a7c15ull);
}

/* Adds the counts of one callchain with these callers. hash is its callchain_hash. */
static void add(struct callchain_table *table, const struct callchain_wanted *callers,
		const struct callchain *one, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&table->callchain_ids, hash);
	struct callchain copy = *one;
	uint32_t id;

	while ((id = idtable_next(&table->callchain_ids, &probe)) != IDTABLE_NONE) {
		struct callchain *row = &table->chains.at[id];

		if (row->ip == one->ip && are_wanted(row->callers, callers)) {
			row->sample_count = saturate_add(row->sample_count, one->sample_count);
			row->period_sum = saturate_add(row->period_sum, one->period_sum);
			return;
		}
	}
	copy.callers = intern_callers(table, callers);
	idtable_add(&table->callchain_ids, hash, (uint32_t)table->chains.count);
	vec_push(&table->chains, copy);
}

static struct callchain_table *table_of(struct callchains *chains,
					const struct callchain_wanted *callers)
{
	return &chains->tables[callers->hash & (chains->table_count - 1)];
}

uint64_t callchain_split(struct callchain_key *key, const uint64_t **ips, uint32_t *ip_count)
{
	enum entry_kind kind = (enum entry_kind)key->entry_kind;
	uint32_t i = 0;
	uint64_t ip;

	while (i < *ip_count && (*ips)[i] >= CALLCHAIN_MARKER_FIRST &&
	       callchain_marker_kind((*ips)[i], &kind))
		i++;
	if (i == *ip_count || (*ips)[i] >= CALLCHAIN_MARKER_FIRST) {
		*ip_count = 0;
		return CALLCHAIN_NO_IP;
	}
	ip = (*ips)[i];
	key->entry_kind = (uint16_t)kind;
	*ips += i + 1;
	*ip_count -= i + 1;
	return ip;
}

void callchains_add(struct callchains *chains, const struct callchain_key *key, const uint64_t *ips,
		    uint32_t ip_count, uint64_t period, uint64_t offset)
{
	callchains_add_several(chains, key, ips, ip_count, 1, period, offset);
}

void callchains_add_several(struct callchains *chains, const struct callchain_key *key,
			    const uint64_t *ips, uint32_t ip_count, uint64_t sample_count,
			    uint64_t period, uint64_t offset)
{
	struct callchain_pending *pending = &chains->pending[chains->pending_count++];
	struct callchain_wanted *callers = &pending->callers;
	size_t size_bytes;

	chains->added_count++;
	*callers = (struct callchain_wanted){
		.ips = ips,
		.ip_count = ip_count,
		.first_offset = offset,
	};
	pending->key = *key;
	pending->ip = callchain_split(&pending->key, &callers->ips, &callers->ip_count);
	pending->sample_count = sample_count;
	pending->period = period;
	size_bytes = callers->ip_count * sizeof(*ips);
	callers->hash = hash_bytes(callers->ips, size_bytes, callchain_key_hash(key));
	pending->hash = callchain_hash(callers->hash, pending->ip);
	idtable_prefetch(&table_of(chains, callers)->callchain_ids, pending->hash);

	pending->ip_first = chains->pending_ips.count;
	vec_reserve(&chains->pending_ips, pending->ip_first + callers->ip_count);
	if (size_bytes)
		memcpy(chains->pending_ips.at + pending->ip_first, callers->ips, size_bytes);
	chains->pending_ips.count += callers->ip_count;
	if (chains->pending_count == CALLCHAINS_PENDING_COUNT)
		callchains_flush(chains);
}

/*
 * Fetches the rows that are probably those of pending samples, so that their cache misses overlap.
 */
static void prefetch_rows(struct callchains *chains)
{
	const struct callchain *same[CALLCHAINS_PENDING_COUNT] = { NULL };
	const struct callchain_callers_row *same_callers[CALLCHAINS_PENDING_COUNT] = { NULL };

	for (size_t i = 0; i < chains->pending_count; i++) {
		const struct callchain_pending *pending = &chains->pending[i];
		const struct callchain_table *table = table_of(chains, &pending->callers);
		uint32_t id = idtable_guess(&table->callchain_ids, pending->hash);

		if (id != IDTABLE_NONE)
			same[i] = &table->chains.at[id];
		if (same[i])
			__builtin_prefetch(same[i]);
		else
			idtable_prefetch(&table->callers_ids, pending->callers.hash);
	}
	for (size_t i = 0; i < chains->pending_count; i++) {
		const struct callchain_pending *pending = &chains->pending[i];
		const struct callchain_table *table = table_of(chains, &pending->callers);
		uint32_t id = same[i] ? IDTABLE_NONE
				      : idtable_guess(&table->callers_ids, pending->callers.hash);

		if (id == IDTABLE_NONE)
			continue;
		same_callers[i] = &table->callers.at[id];
		__builtin_prefetch(same_callers[i]);
	}
	for (size_t i = 0; i < chains->pending_count; i++) {
		if (same[i])
			__builtin_prefetch(same[i]->callers);
		else if (same_callers[i])
			__builtin_prefetch(same_callers[i]->callers);
	}
}

void callchains_flush(struct callchains *chains)
{
	prefetch_rows(chains);
	for (size_t i = 0; i < chains->pending_count; i++) {
		struct callchain_pending *pending = &chains->pending[i];
		struct callchain one = {
			.ip = pending->ip,
			.sample_count = pending->sample_count,
			.period_sum = pending->period,
		};

		pending->callers.key = &pending->key;
		if (pending->callers.ip_count)
			pending->callers.ips = chains->pending_ips.at + pending->ip_first;
		add(table_of(chains, &pending->callers), &pending->callers, &one, pending->hash);
	}
	chains->pending_count = 0;
	chains->pending_ips.count = 0;
}

void callchain_table_renumber_values(struct callchain_table *table, const uint32_t *renumbered)
{
	for (size_t i = 0; i < table->keys.count; i++)
		table->keys.at[i]->values = renumbered[table->keys.at[i]->values];
}

void callchain_table_merge(struct callchain_table *table, struct callchain_table *from)
{
	if (!table->chains.count) {
		struct callchain_table empty = *table;

		*table = *from;
		*from = empty;
		return;
	}
	for (size_t i = 0; i < from->chains.count; i++) {
		const struct callchain *chain = &from->chains.at[i];
		const struct callchain_callers *callers = chain->callers;
		struct callchain_wanted wanted = {
			.key = callers->key,
			.ips = callers->ips,
			.ip_count = callers->ip_count,
			.hash = callers->hash,
			.first_offset = from->callers.at[callers->row].first_offset,
		};

		add(table, &wanted, chain, callchain_hash(callers->hash, chain->ip));
	}
	table_deinit(from);
	table_init(from);
}

void callchain_table_gather(struct callchain_table *table)
{
	callchain_rows swap;
	uint32_t first = 0;

	vec_reserve(&table->gathered, table->chains.count);
	for (size_t i = 0; i < table->chains.count; i++)
		table->chains.at[i].callers->chain_count++;
	for (size_t i = 0; i < table->callers.count; i++) {
		struct callchain_callers *callers = table->callers.at[i].callers;

		callers->chain_first = first;
		first += callers->chain_count;
		callers->chain_count = 0;
	}
	for (size_t i = 0; i < table->chains.count; i++) {
		struct callchain_callers *callers = table->chains.at[i].callers;

		table->gathered.at[callers->chain_first + callers->chain_count++] =
			table->chains.at[i];
	}
	table->gathered.count = table->chains.count;
	swap = table->chains;
	table->chains = table->gathered;
	table->gathered = swap;
}

void callchain_table_end(struct callchain_table *table)
{
	idtable_deinit(&table->callers_ids);
	idtable_deinit(&table->callchain_ids);
	vec_free(&table->gathered);
}

size_t callchains_count(const struct callchains *chains)
{
	size_t count = 0;

	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		count += chains->tables[i].chains.count;
	return count;
}

size_t callchains_size_bytes(const struct callchains *chains)
{
	size_t size_bytes = 0;

	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		size_bytes += chains->tables[i].arena.total_bytes;
	return size_bytes;
}

/* A tournament tree over the tables. The table whose next callers were seen first wins. */
struct tournament {
	uint64_t offsets[CALLCHAINS_TABLE_COUNT]; /* UINT64_MAX after the last callers */
	/* [1] is the overall winner; the second half contains the tables */
	uint32_t winners[2 * CALLCHAINS_TABLE_COUNT];
};

static uint32_t match(const struct tournament *tournament, uint32_t round)
{
	uint32_t a = tournament->winners[2 * round];
	uint32_t b = tournament->winners[2 * round + 1];

	return tournament->offsets[b] < tournament->offsets[a] ? b : a;
}

static void enter(struct tournament *tournament, const struct callchain_table *table,
		  uint32_t index, uint32_t row)
{
	tournament->offsets[index] =
		row < table->callers.count ? table->callers.at[row].first_offset : UINT64_MAX;
	tournament->winners[CALLCHAINS_TABLE_COUNT + index] = index;
}

static struct callchain_callers_place place_of(const struct callchains *chains, uint32_t table,
					       uint32_t row)
{
	const struct callchain_callers_row *callers = &chains->tables[table].callers.at[row];

	return (struct callchain_callers_place){ callers->callers, callers->first_offset, table };
}

/* Orders the callers of several tables, each of which is in order. */
static void order(const struct callchains *chains, struct callchain_callers_place *places,
		  size_t count)
{
	uint32_t rows[CALLCHAINS_TABLE_COUNT] = { 0 };
	struct tournament tournament;

	for (uint32_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		enter(&tournament, &chains->tables[i], i, 0);
	for (uint32_t round = CALLCHAINS_TABLE_COUNT; round-- > 1;)
		tournament.winners[round] = match(&tournament, round);
	for (size_t i = 0; i < count; i++) {
		uint32_t first = tournament.winners[1];

		places[i] = place_of(chains, first, rows[first]);
		enter(&tournament, &chains->tables[first], first, ++rows[first]);
		for (uint32_t round = (CALLCHAINS_TABLE_COUNT + first) / 2; round; round /= 2)
			tournament.winners[round] = match(&tournament, round);
	}
}

struct callchain_callers_place *callchains_order(const struct callchains *chains, size_t *count_ret)
{
	struct callchain_callers_place *places;
	size_t count = 0;

	for (uint32_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		count += chains->tables[i].callers.count;
	places = memory_alloc(count, sizeof(*places));
	if (chains->tables[0].callers.count < count)
		order(chains, places, count);
	else
		for (uint32_t i = 0; i < count; i++)
			places[i] = place_of(chains, 0, i);
	*count_ret = count;
	return places;
}
