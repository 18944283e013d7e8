/* SPDX-License-Identifier: MIT */
#include "profile/chains.h"

#include "base/hash.h"

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

void chains_add(struct chains *chains, const struct chain_key *key, const uint64_t *ips,
		uint32_t ip_count, uint64_t period)
{
	size_t size_bytes = ip_count * sizeof(*ips);
	uint64_t hash = hash_bytes(ips, size_bytes, hash_bytes(key, sizeof(*key), 0));
	struct idtable_probe probe = idtable_find(&chains->table, hash);
	struct chain chain = { .key = *key, .ip_count = ip_count };
	uint64_t *copy;
	uint32_t id;

	while ((id = idtable_next(&chains->table, &probe)) != IDTABLE_NONE) {
		struct chain *row = &chains->rows.at[id];

		if (row->ip_count != ip_count || memcmp(&row->key, key, sizeof(*key)) != 0 ||
		    memcmp(row->ips, ips, size_bytes) != 0)
			continue;
		row->sample_count++;
		row->period_sum += period;
		return;
	}
	copy = arena_alloc(&chains->arena, size_bytes, _Alignof(uint64_t));
	memcpy(copy, ips, size_bytes);
	chain.ips = copy;
	chain.sample_count = 1;
	chain.period_sum = period;
	idtable_add(&chains->table, hash, (uint32_t)chains->rows.count);
	vec_push(&chains->rows, chain);
}
