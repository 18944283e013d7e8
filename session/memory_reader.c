/* SPDX-License-Identifier: MIT */
#include "session/memory_reader.h"

#include "profile/weighing.h"
#include "session/visit.h"

static enum module_kind kind_of(const struct session *session, const struct mapping *mapping)
{
	return modules_get(session->profile.modules, mapping->module)->kind;
}

/*
 * Returns the location of a data address in a mapping. Memory without symbols is a single location.
 */
static location_id locate_in(struct session *session, const struct mapping *mapping,
			     uint64_t address)
{
	bool has_symbols = kind_of(session, mapping) != MODULE_SPECIAL;

	return locations_intern(&session->data_locations, mapping->module,
				has_symbols ? address - mapping->start + mapping->file_offset : 0,
				false);
}

/* Returns the location of an address in the .bss that may follow a mapping. */
static location_id locate_after(struct session *session, const struct mapping *mapping,
				uint64_t address)
{
	size_t count = session->data_locations.rows.count;
	location_id ret = locate_in(session, mapping, address);

	if (session->data_locations.rows.count > count)
		session->data_locations.rows.at[ret.i].is_guess = true;
	return ret;
}

/* A kernel mapping covers only the kernel's text; its data follows. */
static struct memory_place locate_in_kernel(struct session *session, uint64_t address,
					    uint64_t time_ns)
{
	const struct process_history *history = &session->state.history;
	space_id space = process_history_find(history, 0, 0, time_ns).kernel_space;
	const struct mapping *mapping = address_spaces_find(&history->spaces, space, address);
	struct memory_place ret = MEMORY_PLACE_NONE;

	if (!mapping) {
		mapping = address_spaces_find_below(&history->spaces, space, address);
		if (mapping && kind_of(session, mapping) != MODULE_KERNEL)
			mapping = NULL;
	}
	if (mapping)
		ret.mapped = locate_in(session, mapping, address);
	return ret;
}

static struct memory_place locate(struct session *session, const struct event_sample *sample,
				  uint64_t time_ns)
{
	const struct process_history *history = &session->state.history;
	struct memory_place ret = MEMORY_PLACE_NONE;
	const struct mapping *mapping, *before;
	space_id space;

	if (memory_is_kernel_address(sample->address))
		return locate_in_kernel(session, sample->address, time_ns);
	space = process_history_find_data(history, sample->pid, time_ns);
	mapping = address_spaces_find(&history->spaces, space, sample->address);
	if (!mapping)
		return ret;
	ret.mapped = locate_in(session, mapping, sample->address);
	before = kind_of(session, mapping) == MODULE_SPECIAL && mapping->start
			 ? address_spaces_find(&history->spaces, space, mapping->start - 1)
			 : NULL;
	if (before && kind_of(session, before) == MODULE_FILE)
		ret.bss = locate_after(session, before, sample->address);
	return ret;
}

static void visit(void *context, const struct visited_sample *visited)
{
	static const struct weighing cost = { .kind = WEIGHING_COST };
	struct session *session = context;
	const struct event_sample *sample = visited->sample;

	if (!(sample->present & SAMPLE_HAS_DATA_SOURCE))
		return;
	memory_stats_add(
		&session->memory,
		&(struct memory_access){
			.sample = sample,
			.weight = weighing_of(&cost, NULL, sample),
			.location = visited->frame_count ? visited->frames[0] : LOCATION_NONE,
			.place = memory_by_has_address(session->memory.by)
					 ? locate(session, sample, visited->state_time_ns)
					 : MEMORY_PLACE_NONE,
			.comm = visited->comm,
		});
}

static bool has_sources(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].sample_type & SAMPLE_HAS_DATA_SOURCE)
			return true;
	return false;
}

static bool check(const struct session *session, struct error *err)
{
	const struct memory_stats *memory = &session->memory;
	const char *input = session->capture.input.name;

	if (memory->sample_count)
		return true;
	if (memory->addressless_count)
		return error_set(err, ERROR_NO_MATCH,
				 "%s: no access has an address; record addresses with perf mem "
				 "record",
				 input);
	return !memory->other_count ||
	       error_set(err, ERROR_NO_MATCH,
			 "%s: no sample is of a memory access, because the events have no "
			 "data source; use perf mem record",
			 input);
}

bool session_build_memory(struct session *session, struct error *err)
{
	memory_stats_init(&session->memory, session->options.memory_by);
	if (!has_sources(&session->profile))
		return error_set(err, ERROR_USAGE,
				 "%s: --mem requires a perf.data file with data sources; record "
				 "them with perf mem record",
				 session->capture.input.name);
	if (!session_index_samples(session, err) ||
	    !session_visit_samples(session, visit, session, err))
		return false;
	if (memory_by_has_address(session->memory.by))
		session_symbolise_data(session, &session->data_locations);
	return check(session, err);
}
