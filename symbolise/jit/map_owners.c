/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/map_owners.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "object/file.h"
#include "symbolise/jit/jit_process.h"
#include "symbolise/jit/perf_map.h"
#include "symbolise/source.h"

/*
 * Maximum number of perf maps whose addresses are compared with the sampled addresses of processes.
 * A host has hundreds of containers.
 */
#define LIMIT_MAP_CANDIDATES 4096u

/* With fewer addresses, the map of another process may match by chance. */
#define ADDRESSES_MIN 4u
/*
 * A process's own map lists at least this share of the process's addresses. The map does not list
 * stubs, nor code that is older than the map.
 */
#define OWN_PERCENT_MIN   90u
#define OTHER_PERCENT_MAX 50u

/* A process without a map. best and second: the two maps that contain the most of its addresses. */
struct claimant {
	struct jit_process process;
	uint32_t address_count;
	const struct map_candidate *best, *second; /* the contents of the two maps differ */
	uint32_t best_count, second_count;
};

/* A perf map. Maps with equal contents share the state of the first such map. */
struct map_candidate {
	const struct index_file *map;
	uint64_t size_bytes, checksum;
	struct map_candidate *first;
	/* Processes with many addresses in this map. */
	uint32_t fitting_count;
	uint32_t fitting_pids[2];
};

struct owner_search {
	const struct naming_context *context;
	const struct file_index *index;
	struct arena *arena;
	VEC(struct claimant) claimants;
	VEC(struct map_candidate)
	candidates; /* the candidates must not grow after the first map is read */
	VEC(const struct index_file *) claimed; /* maps assigned to a process by PID; sorted */
	VEC(struct key_row) addresses;          /* sampled addresses; the row is the claimant */
	uint32_t *counts; /* counts for the current map, indexed by claimant */
};

void map_owners_init(struct map_owners *owners)
{
	*owners = (struct map_owners){ .rows = { .at = NULL } };
	arena_init(&owners->arena);
}

void map_owners_deinit(struct map_owners *owners)
{
	vec_free(&owners->rows);
	arena_deinit(&owners->arena);
}

static bool is_percent(uint32_t part, uint32_t whole, unsigned percent)
{
	return (uint64_t)part * 100 >= (uint64_t)whole * percent;
}

static bool fits_in_part(uint32_t part, uint32_t whole)
{
	return part && is_percent(part, whole, OTHER_PERCENT_MAX);
}

/* Adds the distinct addresses of the last claimant. */
static void add_addresses(struct owner_search *search, const struct naming *naming)
{
	struct naming_job job = { .context = search->context };
	uint32_t row = (uint32_t)search->claimants.count - 1;
	struct key_row *addresses = memory_alloc(naming->count, sizeof(*addresses));
	size_t count = naming_addresses(&job, naming, NULL, NULL, addresses);

	for (size_t i = 0; i < count; i++) {
		if (i > 0 && addresses[i].key == addresses[i - 1].key)
			continue;
		vec_push(&search->addresses, (struct key_row){ addresses[i].key, row });
		search->claimants.at[row].address_count++;
	}
	memory_free(addresses);
}

static bool are_same(const map_list *maps)
{
	for (size_t i = 1; i < maps->count; i++)
		if (!index_file_is_equal(maps->at[i], maps->at[0]))
			return false;
	return true;
}

static void add_process(struct owner_search *search, const struct naming *naming)
{
	struct jit_process process = jit_process_find(search->context, naming->module);
	map_list own = { .at = NULL };
	bool is_settled;

	jit_process_add_maps(&process, search->index, &own);
	is_settled = own.count && are_same(&own);
	for (size_t i = 0; is_settled && i < own.count; i++)
		vec_push(&search->claimed, own.at[i]);
	vec_free(&own);
	if (is_settled)
		return;
	vec_push(&search->claimants, (struct claimant){ .process = process });
	add_addresses(search, naming);
}

static int compare_pointers(const void *a, const void *b)
{
	const struct index_file *const *left = a;
	const struct index_file *const *right = b;

	return (*left > *right) - (*left < *right);
}

/* Whether the map is assigned to a process by PID, or is a copy of such a map. */
static bool is_claimed(const struct owner_search *search, const struct index_file *map)
{
	return search->claimed.count && bsearch(&map, search->claimed.at, search->claimed.count,
						sizeof(*search->claimed.at), compare_pointers);
}

static bool could_be_of(const struct owner_search *search, const struct claimant *claimant,
			const struct index_file *map)
{
	return jit_process_may_own(&claimant->process, search->index, map);
}

/* Adds all maps that could belong to a claimant. */
static void add_candidates(struct owner_search *search)
{
	for (size_t i = 0; i < search->index->by_pid.count; i++) {
		const struct index_file *map = search->index->by_pid.at[i];
		bool is_possible = false;

		if (map->kind != INDEX_PERF_MAP || is_claimed(search, map))
			continue;
		if (search->candidates.count == LIMIT_MAP_CANDIDATES)
			break;
		for (size_t k = 0; k < search->claimants.count && !is_possible; k++)
			is_possible = could_be_of(search, &search->claimants.at[k], map);
		if (is_possible)
			vec_push(&search->candidates, (struct map_candidate){ .map = map });
	}
}

static struct map_candidate *find_first(struct owner_search *search,
					struct map_candidate *candidate)
{
	struct map_candidate *first = search->candidates.at;

	while (first->size_bytes != candidate->size_bytes || first->checksum != candidate->checksum)
		first++;
	return first;
}

/* Counts the addresses of each claimant in the map. */
static bool count_addresses(struct owner_search *search, struct map_candidate *candidate)
{
	struct perf_map_request request = {
		.limit_bytes = LIMIT_SYMBOL_TEXT_BYTES,
		.addresses = search->addresses.at,
		.address_count = search->addresses.count,
	};
	struct symbol_cursor cursor;
	struct perf_map lines;
	struct error ignored;
	bool good;

	memset(search->counts, 0, search->claimants.count * sizeof(*search->counts));
	request.fd = index_file_open(candidate->map, &ignored);
	if (request.fd < 0)
		return false;
	good = perf_map_read(&lines, &request, &ignored);
	close(request.fd);
	if (!good)
		return false;
	candidate->size_bytes = lines.size_bytes;
	candidate->checksum = lines.checksum;
	candidate->first = find_first(search, candidate);
	cursor = (struct symbol_cursor){ .table = &lines.symbols };
	for (size_t i = 0; i < search->addresses.count; i++)
		if (symbol_cursor_find(&cursor, search->addresses.at[i].key))
			search->counts[search->addresses.at[i].row]++;
	perf_map_deinit(&lines);
	return true;
}

static void add_fitting(struct map_candidate *first, uint32_t pid)
{
	for (uint32_t i = 0; i < first->fitting_count && i < ARRAY_SIZE(first->fitting_pids); i++)
		if (first->fitting_pids[i] == pid)
			return;
	if (first->fitting_count < ARRAY_SIZE(first->fitting_pids))
		first->fitting_pids[first->fitting_count] = pid;
	first->fitting_count++;
}

static void compare(struct owner_search *search, const struct map_candidate *candidate)
{
	for (size_t i = 0; i < search->claimants.count; i++) {
		struct claimant *claimant = &search->claimants.at[i];
		uint32_t count = search->counts[i];

		if (!could_be_of(search, claimant, candidate->map))
			continue;
		if (fits_in_part(count, claimant->address_count))
			add_fitting(candidate->first, claimant->process.pid);
		if (claimant->best && claimant->best->first == candidate->first)
			continue;
		if (!claimant->best || count > claimant->best_count) {
			claimant->second = claimant->best;
			claimant->second_count = claimant->best_count;
			claimant->best = candidate;
			claimant->best_count = count;
		} else if (!claimant->second || count > claimant->second_count) {
			claimant->second = candidate;
			claimant->second_count = count;
		}
	}
}

static struct text say(const struct owner_search *search, const char *format, ...)
	PRINTF_LIKE(2, 3);

static struct text say(const struct owner_search *search, const char *format, ...)
{
	struct text text;
	va_list args;

	va_start(args, format);
	text.at = arena_format_list(search->arena, &text.length, format, args);
	va_end(args);
	return text;
}

/*
 * Returns why the best map is not assigned to the process. If the map is assigned, .at of the text
 * is NULL.
 */
static struct text find_doubt(const struct owner_search *search, const struct claimant *claimant)
{
	const struct map_candidate *best = claimant->best->first;
	uint32_t pid = claimant->process.pid;

	if (!is_percent(claimant->best_count, claimant->address_count, OWN_PERCENT_MIN))
		return say(search,
			   "no given map contains the sampled addresses (%s contains %" PRIu32
			   " of "
			   "%" PRIu32 "); select the map of the process with --symbols %" PRIu32
			   "=FILE",
			   claimant->best->map->path.at, claimant->best_count,
			   claimant->address_count, pid);
	if (claimant->address_count < ADDRESSES_MIN)
		return say(search,
			   "the process has too few sampled addresses to find its map; select its "
			   "map with --symbols %" PRIu32 "=FILE",
			   pid);
	if (claimant->second && fits_in_part(claimant->second_count, claimant->address_count))
		return say(search,
			   "%s and %s differ, and both contain the sampled addresses; select one "
			   "with "
			   "--symbols %" PRIu32 "=FILE",
			   claimant->best->map->path.at, claimant->second->map->path.at, pid);
	if (best->fitting_count > 1)
		return say(search,
			   "%s also contains the addresses of process %" PRIu32 "; select the "
			   "right map with --symbols %" PRIu32 "=FILE",
			   claimant->best->map->path.at,
			   best->fitting_pids[best->fitting_pids[0] == pid], pid);
	return (struct text){ .at = NULL };
}

static void decide(struct owner_search *search, struct map_owners *owners)
{
	for (size_t i = 0; i < search->claimants.count; i++) {
		const struct claimant *claimant = &search->claimants.at[i];
		struct map_owner owner = { .pid = claimant->process.pid };

		if (!claimant->best)
			continue;
		owner.reason = find_doubt(search, claimant);
		if (!owner.reason.at) {
			owner.map = claimant->best->map;
			owner.reason = say(search,
					   "matched by addresses: %" PRIu32 " of %" PRIu32
					   " sampled addresses are in this map and in no other",
					   claimant->best_count, claimant->address_count);
		}
		vec_push(&owners->rows, owner);
	}
}

static void search_maps(struct owner_search *search)
{
	key_sort(search->addresses.at, search->addresses.count);
	if (search->claimed.count)
		qsort(search->claimed.at, search->claimed.count, sizeof(*search->claimed.at),
		      compare_pointers);
	add_candidates(search);
	search->counts = memory_zalloc(search->claimants.count, sizeof(*search->counts));
	for (size_t i = 0; i < search->candidates.count; i++)
		if (count_addresses(search, &search->candidates.at[i]))
			compare(search, &search->candidates.at[i]);
	memory_free(search->counts);
}

static bool has_maps(const struct file_index *index)
{
	return index->by_pid.count && index->by_pid.at[0]->kind == INDEX_PERF_MAP;
}

static int compare_owners(const void *a, const void *b)
{
	const struct map_owner *left = a;
	const struct map_owner *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

void map_owners_find(struct map_owners *owners, const struct naming_context *context,
		     const struct naming *namings, size_t count)
{
	struct owner_search search = {
		.context = context,
		.index = context->locator.index,
		.arena = &owners->arena,
	};

	if (!has_maps(search.index))
		return;
	for (size_t i = 0; i < count; i++)
		if (namings[i].module->kind == MODULE_ANONYMOUS)
			add_process(&search, &namings[i]);
	if (search.claimants.count)
		search_maps(&search);
	decide(&search, owners);
	if (owners->rows.count)
		qsort(owners->rows.at, owners->rows.count, sizeof(*owners->rows.at),
		      compare_owners);
	vec_free(&search.claimants);
	vec_free(&search.candidates);
	vec_free(&search.claimed);
	vec_free(&search.addresses);
}

const struct map_owner *map_owners_get(const struct map_owners *owners, uint32_t pid)
{
	return owners->rows.count
		       ? bsearch(&(struct map_owner){ .pid = pid }, owners->rows.at,
				 owners->rows.count, sizeof(*owners->rows.at), compare_owners)
		       : NULL;
}
