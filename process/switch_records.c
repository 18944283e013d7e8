/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "process/process_state.h"

/* The index in switches of the first exit of each thread, by tid. */
static void find_exits(const struct process_state *state, struct idmap *exits)
{
	for (uint32_t i = 0; i < state->switches.count && i < IDMAP_NONE; i++)
		if (state->switches.at[i].context_switch.is_exit)
			idmap_add(exits, state->switches.at[i].context_switch.tid, i);
	idmap_sort(exits);
}

void process_state_drop_other_execs(struct process_state *state)
{
	size_t count = state->switches.count;
	bool *drops = memory_zalloc(count, sizeof(*drops));
	struct idmap exits;

	idmap_init(&exits);
	find_exits(state, &exits);
	for (size_t i = 0; i < count; i++) {
		const struct recorded_switch *row = &state->switches.at[i];
		uint32_t exit = row->context_switch.is_exec
					? idmap_find(&exits, row->context_switch.tid)
					: IDMAP_NONE;

		drops[i] = row->context_switch.is_exec &&
			   (exit == IDMAP_NONE || state->switches.at[exit].time_ns > row->time_ns);
	}
	state->switches.count = 0;
	for (size_t i = 0; i < count; i++)
		if (!drops[i])
			state->switches.at[state->switches.count++] = state->switches.at[i];
	idmap_deinit(&exits);
	memory_free(drops);
}
