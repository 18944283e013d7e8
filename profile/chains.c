/* SPDX-License-Identifier: MIT */
#include "profile/chains.h"

#include "base/hash.h"
#include "base/saturate.h"

void chains_init(struct chains *chains)
{
	*chains = (struct chains){ 0 };
	arena_init(&chains->arena);
	idtable_init(&chains->table);
}

void chains_deinit(struct chains *chains)
{
	arena_deinit(&chains->arena);
	idtable_deinit(&chains->table);
	vec_free(&chains->rows);
}

/* A chain of none may be at NULL, which memcmp does not take. */
static bool has_same_ips(const struct chain *a, const struct chain *b)
{
	return a->ip_count == b->ip_count &&
	       (!a->ip_count || memcmp(a->ips, b->ips, a->ip_count * sizeof(*a->ips)) == 0);
}

static struct chain *find(const struct chains *chains, const struct chain *wanted)
{
	struct idtable_probe probe = idtable_find(&chains->table, wanted->hash);
	uint32_t id;

	while ((id = idtable_next(&chains->table, &probe)) != IDTABLE_NONE) {
		struct chain *row = &chains->rows.at[id];

		if (row->hash == wanted->hash &&
		    memcmp(&row->key, &wanted->key, sizeof(row->key)) == 0 &&
		    has_same_ips(row, wanted))
			return row;
	}
	return NULL;
}

/* Adds the counts of one, or all of it with a copy of its addresses when it is new. */
static void add(struct chains *chains, const struct chain *one)
{
	struct chain *row = find(chains, one);
	size_t size_bytes = one->ip_count * sizeof(*one->ips);
	struct chain copy = *one;
	uint64_t *ips;

	if (row) {
		row->sample_count += one->sample_count;
		row->period_sum = saturate_add(row->period_sum, one->period_sum);
		return;
	}
	ips = arena_alloc(&chains->arena, size_bytes, _Alignof(uint64_t));
	if (size_bytes)
		memcpy(ips, one->ips, size_bytes);
	copy.ips = ips;
	idtable_add(&chains->table, one->hash, (uint32_t)chains->rows.count);
	vec_push(&chains->rows, copy);
}

void chains_add(struct chains *chains, const struct chain_key *key, const uint64_t *ips,
		uint32_t ip_count, uint64_t period)
{
	struct chain one = {
		.hash = hash_bytes(ips, ip_count * sizeof(*ips), hash_bytes(key, sizeof(*key), 0)),
		.key = *key,
		.ip_count = ip_count,
		.ips = ips,
		.sample_count = 1,
		.period_sum = period,
	};

	add(chains, &one);
}

void chains_merge(struct chains *chains, struct chains *from)
{
	if (!chains->rows.count) {
		struct chains empty = *chains;

		*chains = *from;
		*from = empty;
		return;
	}
	for (size_t i = 0; i < from->rows.count; i++)
		add(chains, &from->rows.at[i]);
	chains_deinit(from);
	chains_init(from);
}
