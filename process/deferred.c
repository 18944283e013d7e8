/* SPDX-License-Identifier: MIT */
#include "process/deferred.h"

#include "base/hash.h"

#define BODY_NONE UINT32_MAX

void deferred_init(struct deferred_callchains *chains)
{
	*chains = (struct deferred_callchains){ 0 };
	arena_init(&chains->arena);
	idtable_init(&chains->row_ids);
	idtable_init(&chains->body_ids);
}

void deferred_deinit(struct deferred_callchains *chains)
{
	arena_deinit(&chains->arena);
	idtable_deinit(&chains->row_ids);
	idtable_deinit(&chains->body_ids);
	vec_free(&chains->rows);
	vec_free(&chains->bodies);
}

static uint64_t row_hash(uint64_t cookie, uint32_t tid)
{
	return hash_pair(cookie, tid);
}

static uint32_t find(const struct deferred_callchains *chains, uint64_t cookie, uint32_t tid)
{
	struct idtable_probe probe = idtable_find(&chains->row_ids, row_hash(cookie, tid));
	uint32_t id;

	while ((id = idtable_next(&chains->row_ids, &probe)) != IDTABLE_NONE) {
		const struct deferred_row *row = &chains->rows.at[id];

		if (row->cookie == cookie && row->tid == tid)
			return row->body;
	}
	return BODY_NONE;
}

static uint64_t word_at(const struct span *words, uint32_t i)
{
	return callchain_entry(span_load_u64(words->at + i * sizeof(uint64_t), words->swapped));
}

static bool is_body(const struct deferred_body *body, const struct span *words, uint32_t ip_count)
{
	uint32_t i = 0;

	if (body->ip_count != ip_count)
		return false;
	while (i < ip_count && body->ips[i] == word_at(words, i))
		i++;
	return i == ip_count;
}

/* All records of a capture have the same byte order, so equal bytes mean equal callchains. */
static uint32_t intern_body(struct deferred_callchains *chains, const struct span *words)
{
	size_t size_bytes = span_left(words);
	uint32_t ip_count = (uint32_t)(size_bytes / sizeof(uint64_t));
	uint64_t hash = hash_bytes(words->at, size_bytes, 0);
	struct idtable_probe probe = idtable_find(&chains->body_ids, hash);
	uint64_t *ips;
	uint32_t id;

	while ((id = idtable_next(&chains->body_ids, &probe)) != IDTABLE_NONE)
		if (is_body(&chains->bodies.at[id], words, ip_count))
			return id;
	ips = arena_alloc(&chains->arena, size_bytes, _Alignof(uint64_t));
	for (uint32_t i = 0; i < ip_count; i++)
		ips[i] = word_at(words, i);
	id = (uint32_t)chains->bodies.count;
	idtable_add(&chains->body_ids, hash, id);
	vec_push(&chains->bodies, (struct deferred_body){ ips, ip_count });
	return id;
}

void deferred_add(struct deferred_callchains *chains, const struct event_deferred_callchain *chain)
{
	struct deferred_row row = { .cookie = chain->cookie, .tid = chain->tid };

	if (chains->rows.count == LIMIT_DEFERRED_CALLCHAINS ||
	    find(chains, row.cookie, row.tid) != BODY_NONE)
		return;
	row.body = intern_body(chains, &chain->ips);
	idtable_add(&chains->row_ids, row_hash(row.cookie, row.tid), (uint32_t)chains->rows.count);
	vec_push(&chains->rows, row);
}

/* A record without a thread matches any thread. */
static uint32_t find_body(const struct deferred_callchains *chains, uint64_t cookie, uint32_t tid)
{
	uint32_t body = find(chains, cookie, tid);

	return body == BODY_NONE ? find(chains, cookie, EVENT_NO_TID) : body;
}

bool deferred_join(const struct deferred_callchains *chains, const struct event_sample *sample,
		   struct callchain_buffer *ret)
{
	uint32_t own_count = sample->ip_count - 2;
	uint32_t id = find_body(chains, sample->ips[own_count + 1], sample->tid);
	const struct deferred_body *body;

	ret->count = 0;
	for (uint32_t i = 0; i < own_count; i++)
		vec_push(ret, sample->ips[i]);
	if (id == BODY_NONE)
		return false;
	body = &chains->bodies.at[id];
	if (body->ip_count && body->ips[0] < CALLCHAIN_MARKER_FIRST)
		vec_push(ret, CALLCHAIN_USER);
	for (uint32_t i = 0; i < body->ip_count; i++)
		vec_push(ret, body->ips[i]);
	return true;
}
