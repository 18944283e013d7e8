/* SPDX-License-Identifier: MIT */
#include "profile/frames.h"

#include "profile/comm.h"

#define FRAME_NONE UINT32_MAX

void frames_init(struct frames *frames, struct strings *strings, const struct modules *modules,
		 const struct locations *locations, const struct frame_name_options *options)
{
	size_t count = locations->rows.count;

	*frames = (struct frames){
		.strings = strings,
		.modules = modules,
		.locations = locations,
		.options = *options,
	};
	frame_table_init(&frames->table);
	frames->comm_count = strings->rows.count;
	frames->of_comm = memory_alloc(frames->comm_count, sizeof(*frames->of_comm));
	for (size_t i = 0; i < frames->comm_count; i++)
		frames->of_comm[i].frame = FRAME_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(frames->of_location); i++) {
		frames->of_location[i] = memory_alloc(count, sizeof(uint32_t));
		memset(frames->of_location[i], 0xff, count * sizeof(uint32_t));
	}
}

void frames_deinit(struct frames *frames)
{
	for (size_t i = 0; i < ARRAY_SIZE(frames->of_location); i++)
		memory_free(frames->of_location[i]);
	memory_free(frames->of_comm);
	memory_free(frames->rank);
	frame_table_deinit(&frames->table);
}

static enum frame_kind kind_of(const struct module *module, bool is_named)
{
	switch (module->kind) {
	case MODULE_KERNEL:
	case MODULE_KERNEL_MODULE:
	case MODULE_KSYMBOL:
		return FRAME_KERNEL;
	case MODULE_ANONYMOUS:
	case MODULE_JITDUMP:
		return is_named ? FRAME_JIT : FRAME_USER;
	default:
		return FRAME_USER;
	}
}

uint32_t frames_of_location(struct frames *frames, location_id location, bool is_java)
{
	uint32_t *known = &frames->of_location[is_java][location.i];
	struct frame_name_options options = frames->options;
	const struct location *row;
	struct frame frame;

	if (*known != FRAME_NONE)
		return *known;
	options.is_java = is_java;
	row = &frames->locations->rows.at[location.i];
	frame = (struct frame){
		.name = frame_name_of(frames->strings, frames->modules, row, &options),
		.module = row->module,
		.kind = kind_of(modules_get(frames->modules, row->module), row->is_named),
		.is_named = row->is_named,
	};
	return *known = frame_table_intern(&frames->table, &frame);
}

static struct comm_frame make_comm_frame(struct frames *frames,
					 const struct resolved_callers *callers)
{
	char buffer[COMM_BYTES];
	struct text comm = comm_text(frames->strings, callers->comm, callers->unnamed_tid, buffer);
	struct frame frame = {
		.name = frame_name_of_comm(frames->strings, comm),
		.kind = FRAME_GROUP,
		.is_named = true,
	};

	return (struct comm_frame){
		.frame = frame_table_intern(&frames->table, &frame),
		.is_java = text_has_prefix(comm, "java"),
	};
}

struct comm_frame frames_of_comm(struct frames *frames, const struct resolved_callers *callers)
{
	struct comm_frame *known;

	if (callers->comm >= frames->comm_count)
		return make_comm_frame(frames, callers);
	known = &frames->of_comm[callers->comm];
	if (known->frame == FRAME_NONE)
		*known = make_comm_frame(frames, callers);
	return *known;
}

uint32_t frames_of_group(struct frames *frames, const struct profile *profile,
			 const struct resolved_callers *callers, enum group_by by)
{
	char text[32];

	switch (by) {
	case GROUP_COMM:
		return frames_of_comm(frames, callers).frame;
	case GROUP_PID:
		snprintf(text, sizeof(text), "pid %d", (int32_t)callers->pid);
		break;
	case GROUP_TID:
		snprintf(text, sizeof(text), "tid %d", (int32_t)callers->tid);
		break;
	case GROUP_CPU:
		snprintf(text, sizeof(text), "cpu %d", (int32_t)callers->cpu);
		break;
	case GROUP_FILE:
		return frames_of_value(frames, strings_get(frames->strings, profile->input_name));
	case GROUP_EVENT:
	case GROUP_CGROUP: /* text: see below */
	case GROUP_FIELD:
	case GROUP_DSO: /* another for each leaf: see below */
	case GROUP_BY_COUNT:
		return frames_of_value(
			frames,
			strings_get(frames->strings, profile->events.at[callers->event].name));
	}
	return frames_of_value(frames, text_of(text));
}

uint32_t frames_of_dso(struct frames *frames, const struct location *location)
{
	const struct module *module;

	if (!location)
		return frames_of_value(frames, text_of("[none]"));
	module = modules_get(frames->modules, location->module);
	return frame_table_intern(&frames->table,
				  &(struct frame){
					  .name = frame_name_of_dso(frames->strings, module),
					  .kind = FRAME_GROUP,
					  .is_named = true,
				  });
}

uint32_t frames_of_value(struct frames *frames, struct text value)
{
	return frame_table_intern(&frames->table,
				  &(struct frame){
					  .name = frame_name_of_value(frames->strings, value),
					  .kind = FRAME_GROUP,
					  .is_named = true,
				  });
}

struct numbered {
	struct text name;
	uint32_t frame;
};

static int compare_names(const void *a, const void *b)
{
	return frame_name_compare(((const struct numbered *)a)->name,
				  ((const struct numbered *)b)->name);
}

void frames_number(struct frames *frames)
{
	size_t count = frames->table.rows.count;
	struct numbered *order = memory_alloc(count, sizeof(*order));
	uint32_t rank = 0;

	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct numbered){
			.name = strings_get(frames->strings, frames->table.rows.at[i].name),
			.frame = i,
		};
	qsort(order, count, sizeof(*order), compare_names);
	memory_free(frames->rank);
	frames->rank = memory_alloc(count, sizeof(*frames->rank));
	for (size_t i = 0; i < count; i++) {
		if (i && compare_names(&order[i - 1], &order[i]) != 0)
			rank++;
		frames->rank[order[i].frame] = rank;
	}
	memory_free(order);
}
