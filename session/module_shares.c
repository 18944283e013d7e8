/* SPDX-License-Identifier: MIT */
#include "session/sampling.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"

/* Sums by event and module. */
struct share_sums {
	const struct locations *locations;
	size_t event_count, module_count;
	uint64_t *weights;
	uint64_t *totals; /* by event */
	uint64_t *seen;   /* by module: the last stack for which it was counted */
	uint64_t stack_number;
};

static void count_module(struct share_sums *sums, uint32_t event, location_id location,
			 uint64_t weight)
{
	uint32_t module = sums->locations->rows.at[location.i].module.i;
	uint64_t *sum = &sums->weights[event * sums->module_count + module];

	if (sums->seen[module] == sums->stack_number)
		return;
	sums->seen[module] = sums->stack_number;
	*sum = saturate_add(*sum, weight);
}

/* If samples were recorded without periods, period_sum is 0. */
static uint64_t weight_of(const struct resolved_stack *stack)
{
	return stack->period_sum ? stack->period_sum : stack->sample_count;
}

/* Adds stacks with the same key and callers. */
static void add_run(struct share_sums *sums, const struct resolved *resolved,
		    const struct resolved_stack *stacks, size_t count)
{
	const struct callers *callers = &resolved->callers;
	uint32_t event = resolved->keys.at[stacks->key].event;
	uint64_t weight = 0;

	if (event >= sums->event_count)
		return;
	for (size_t i = 0; i < count; i++)
		weight = saturate_add(weight, weight_of(&stacks[i]));
	sums->totals[event] = saturate_add(sums->totals[event], weight);
	sums->stack_number++;
	for (uint32_t node = stacks->callers; node != CALLERS_NONE;
	     node = callers_parent(callers, node))
		count_module(sums, event, callers->locations.at[node], weight);
	/* The modules of the callers are counted for all stacks. Now count the leaf's module, unless
	 * it is one of them. */
	for (size_t i = 0; i < count; i++) {
		uint32_t module;
		uint64_t *sum;

		if (stacks[i].leaf.i == LOCATION_NONE.i)
			continue;
		module = sums->locations->rows.at[stacks[i].leaf.i].module.i;
		sum = &sums->weights[event * sums->module_count + module];
		if (sums->seen[module] != sums->stack_number)
			*sum = saturate_add(*sum, weight_of(&stacks[i]));
	}
}

static void add_stacks(struct share_sums *sums, const struct resolved *resolved)
{
	const struct resolved_stack *stacks = resolved->stacks.at;
	size_t count = resolved->stacks.count;
	size_t end;

	for (size_t i = 0; i < count; i = end) {
		end = i + 1;
		while (end < count && stacks[end].key == stacks[i].key &&
		       stacks[end].callers == stacks[i].callers)
			end++;
		add_run(sums, resolved, &stacks[i], end - i);
	}
}

static void set_shares(struct session *session, const struct share_sums *sums)
{
	session->module_shares.count = 0;
	for (size_t module = 0; module < sums->module_count; module++) {
		double most = 0;

		for (size_t event = 0; event < sums->event_count; event++) {
			uint64_t weight = sums->weights[event * sums->module_count + module];
			double share = sums->totals[event]
					       ? (double)weight / (double)sums->totals[event]
					       : 0;

			most = share > most ? share : most;
		}
		vec_push(&session->module_shares, most);
	}
}

/* Returns the first module with the same build-id. */
static uint32_t first_of_file(struct idtable *ids, const struct modules *modules, uint32_t module)
{
	const struct build_id *build_id = &modules->rows.at[module].build_id;
	uint64_t hash = hash_bytes(build_id->bytes, build_id->size_bytes, 0);
	struct idtable_probe probe = idtable_find(ids, hash);
	uint32_t id;

	while ((id = idtable_next(ids, &probe)) != IDTABLE_NONE)
		if (build_id_equal(&modules->rows.at[id].build_id, build_id))
			return id;
	idtable_add(ids, hash, module);
	return module;
}

static void set_file_shares(struct session *session)
{
	const struct modules *modules = session->profile.modules;
	size_t count = session->module_shares.count;
	uint32_t *firsts = memory_alloc(count, sizeof(*firsts));
	double *sums = memory_zalloc(count, sizeof(*sums));
	struct idtable ids;

	idtable_init(&ids);
	for (uint32_t i = 0; i < count; i++) {
		bool has_build_id = modules->rows.at[i].build_id.size_bytes != 0;

		firsts[i] = has_build_id ? first_of_file(&ids, modules, i) : i;
		sums[firsts[i]] += session->module_shares.at[i];
	}
	session->file_shares.count = 0;
	for (size_t i = 0; i < count; i++)
		vec_push(&session->file_shares, sums[firsts[i]]);
	idtable_deinit(&ids);
	memory_free(firsts);
	memory_free(sums);
}

void module_shares_sum(struct session *session, const struct sampling *sampling)
{
	struct share_sums sums = {
		.locations = &session->locations,
		.event_count = session->profile.events.count,
		.module_count = session->profile.modules->rows.count,
	};

	sums.weights = memory_zalloc(sums.event_count * sums.module_count + 1, sizeof(uint64_t));
	sums.totals = memory_zalloc(sums.event_count + 1, sizeof(uint64_t));
	sums.seen = memory_zalloc(sums.module_count + 1, sizeof(uint64_t));
	for (size_t i = 0; i < sampling->count; i++)
		add_stacks(&sums, &sampling->at[i].resolved);
	set_shares(session, &sums);
	set_file_shares(session);
	memory_free(sums.weights);
	memory_free(sums.totals);
	memory_free(sums.seen);
}
