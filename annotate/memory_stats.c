/* SPDX-License-Identifier: MIT */
#include "annotate/memory_stats.h"

#include "base/arithmetic.h"
#include "base/hash.h"

void memory_stats_init(struct memory_stats *stats, enum memory_by by)
{
	*stats = (struct memory_stats){ .by = by };
	strings_init(&stats->strings);
	idtable_init(&stats->row_table);
}

void memory_stats_deinit(struct memory_stats *stats)
{
	for (size_t i = 0; i < stats->rows.count; i++) {
		memory_sums_deinit(&stats->rows.at[i].sums);
		vec_free(&stats->rows.at[i].threads);
		vec_free(&stats->rows.at[i].places);
	}
	vec_free(&stats->rows);
	idtable_deinit(&stats->row_table);
	strings_deinit(&stats->strings);
}

/*
 * A cache line that several processes map has the same physical address in all these processes. If
 * the physical address was not recorded, a row contains the accesses of only one process.
 */
static void set_address(const struct memory_stats *stats, const struct event_sample *sample,
			struct memory_key *key)
{
	bool by_line = stats->by == MEMORY_BY_LINE || stats->by == MEMORY_BY_ACCESS;

	key->place = sample->address;
	key->owner = memory_is_kernel_address(sample->address) ? MEMORY_OWNER_KERNEL : sample->pid;
	if (by_line && sample->present & SAMPLE_HAS_PHYSICAL_ADDRESS && sample->physical_address) {
		key->place = sample->physical_address;
		key->owner = MEMORY_OWNER_PHYSICAL;
	}
	if (stats->by == MEMORY_BY_LINE)
		key->place &= ~(uint64_t)(MEMORY_LINE_BYTES - 1);
}

static struct memory_key key_of(const struct memory_stats *stats,
				const struct memory_access *access)
{
	static const enum data_source_part parts[] = {
		[MEMORY_BY_LEVEL] = DATA_SOURCE_LEVEL,
		[MEMORY_BY_SNOOP] = DATA_SOURCE_SNOOP,
		[MEMORY_BY_TLB] = DATA_SOURCE_TLB,
	};
	struct memory_key key = { .location = LOCATION_NONE };

	if (stats->by < ARRAY_SIZE(parts))
		key.place = data_source_bits(access->sample->data_source, parts[stats->by]);
	else if (!memory_by_has_address(stats->by))
		key.location = access->location;
	else
		set_address(stats, access->sample, &key);
	if (stats->by == MEMORY_BY_ACCESS) {
		key.location = access->location;
		key.tid = access->sample->tid;
	}
	return key;
}

static struct memory_row *row_of(struct memory_stats *stats, const struct memory_key *key)
{
	uint64_t hash = hash_pair(hash_pair(key->place, (uint64_t)key->owner << 32 | key->tid),
				  key->location.i);
	struct idtable_probe probe = idtable_find(&stats->row_table, hash);
	uint32_t id;

	while ((id = idtable_next(&stats->row_table, &probe)) != IDTABLE_NONE) {
		const struct memory_key *other = &stats->rows.at[id].key;

		if (other->place == key->place && other->owner == key->owner &&
		    other->tid == key->tid && other->location.i == key->location.i)
			return &stats->rows.at[id];
	}
	idtable_add(&stats->row_table, hash, (uint32_t)stats->rows.count);
	vec_push(&stats->rows, (struct memory_row){ .key = *key });
	return &stats->rows.at[stats->rows.count - 1];
}

static void add_thread(struct memory_row *row, uint32_t tid, str_id comm, uint64_t source)
{
	struct memory_thread *thread = NULL;

	for (size_t i = 0; i < row->threads.count && !thread; i++)
		if (row->threads.at[i].tid == tid)
			thread = &row->threads.at[i];
	if (!thread && row->threads.count == LIMIT_LINE_THREADS)
		return;
	if (!thread) {
		vec_push(&row->threads, (struct memory_thread){ .tid = tid });
		thread = &row->threads.at[row->threads.count - 1];
	}
	thread->comm = comm;
	thread->load_count += data_source_is_load(source);
	thread->store_count += data_source_is_store(source);
}

static void add_place(struct memory_row *row, const struct memory_place *place)
{
	if (place->mapped.i == LOCATION_NONE.i)
		return;
	for (size_t i = 0; i < row->places.count; i++)
		if (row->places.at[i].mapped.i == place->mapped.i &&
		    row->places.at[i].bss.i == place->bss.i) {
			row->places.at[i].count++;
			return;
		}
	if (row->places.count == LIMIT_LINE_PLACES)
		return;
	/* Most rows have a single place. */
	if (!row->places.capacity) {
		row->places.at = memory_alloc(1, sizeof(*row->places.at));
		row->places.capacity = 1;
	}
	vec_push(&row->places, ((struct memory_place){ place->mapped, place->bss, 1 }));
}

static void add_counts(struct memory_sums *sums, uint64_t source)
{
	bool is_shared = data_source_is_shared(source);

	sums->sample_count++;
	sums->load_count += data_source_is_load(source);
	sums->store_count += data_source_is_store(source);
	sums->locked_count += data_source_is_locked(source);
	sums->tlb_miss_count += data_source_misses_tlb(source);
	sums->level_counts[data_source_level(source)]++;
	sums->shared_count += is_shared;
	sums->remote_shared_count += is_shared && data_source_is_remote(source);
}

void memory_stats_add(struct memory_stats *stats, const struct memory_access *access)
{
	const struct event_sample *sample = access->sample;
	uint64_t source = sample->data_source;
	uint64_t cost = access->weight ? access->weight : 1;
	struct memory_key key;
	struct memory_row *row;

	if (!data_source_is_load(source) && !data_source_is_store(source)) {
		stats->other_count++;
		return;
	}
	if (memory_by_has_address(stats->by) && !sample->address) {
		stats->addressless_count++;
		return;
	}
	key = key_of(stats, access);
	row = row_of(stats, &key);
	add_counts(&row->sums, source);
	row->sums.cost = saturate_add(row->sums.cost, cost);
	stats->cost = saturate_add(stats->cost, cost);
	stats->sample_count++;
	if (access->weight)
		vec_push(&row->sums.weights, access->weight);
	stats->has_weights |= access->weight > 0;
	stats->has_physical |= key.owner == MEMORY_OWNER_PHYSICAL;
	if (memory_by_has_address(stats->by))
		add_place(row, &access->place);
	stats->has_places |= access->place.mapped.i != LOCATION_NONE.i;
	if (stats->by != MEMORY_BY_LINE && stats->by != MEMORY_BY_ACCESS)
		return;
	row->comm = strings_intern(&stats->strings, access->comm.at, access->comm.length);
	if (stats->by == MEMORY_BY_LINE)
		add_thread(row, sample->tid, row->comm, source);
}

void memory_sums_add(struct memory_sums *to, const struct memory_sums *from)
{
	to->sample_count += from->sample_count;
	to->load_count += from->load_count;
	to->store_count += from->store_count;
	to->locked_count += from->locked_count;
	to->tlb_miss_count += from->tlb_miss_count;
	to->shared_count += from->shared_count;
	to->remote_shared_count += from->remote_shared_count;
	for (size_t i = 0; i < DATA_LEVEL_COUNT; i++)
		to->level_counts[i] += from->level_counts[i];
	to->cost = saturate_add(to->cost, from->cost);
	for (size_t i = 0; i < from->weights.count; i++)
		vec_push(&to->weights, from->weights.at[i]);
}

void memory_sums_deinit(struct memory_sums *sums)
{
	vec_free(&sums->weights);
}
