/* SPDX-License-Identifier: MIT */
#include "profile/frames.h"

#include "base/hash.h"
#include "profile/comm.h"
#include "profile/frame_name.h"

#define FRAME_NONE UINT32_MAX

void frames_init(struct frames *frames, struct strings *strings, const struct modules *modules,
		 const struct locations *locations, bool is_literal)
{
	size_t count = locations->rows.count;

	*frames = (struct frames){
		.strings = strings,
		.modules = modules,
		.locations = locations,
		.is_literal = is_literal,
	};
	idtable_init(&frames->table);
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
	idtable_deinit(&frames->table);
	vec_free(&frames->rows);
}

static uint32_t intern(struct frames *frames, const struct frame *frame)
{
	uint64_t hash =
		hash_pair(frame->name.i, (uint64_t)frame->module.i << 8 |
						 (uint64_t)frame->kind << 1 | frame->is_named);
	struct idtable_probe probe = idtable_find(&frames->table, hash);
	uint32_t id;

	while ((id = idtable_next(&frames->table, &probe)) != IDTABLE_NONE) {
		const struct frame *row = &frames->rows.at[id];

		if (row->name.i == frame->name.i && row->module.i == frame->module.i &&
		    row->kind == frame->kind && row->is_named == frame->is_named)
			return id;
	}
	id = (uint32_t)frames->rows.count;
	vec_push(&frames->rows, *frame);
	idtable_add(&frames->table, hash, id);
	return id;
}

static enum frame_kind kind_of(const struct module *module, bool is_named)
{
	switch (module->kind) {
	case MODULE_KERNEL:
	case MODULE_KERNEL_MODULE:
	case MODULE_KSYMBOL:
		return FRAME_KERNEL;
	case MODULE_ANONYMOUS:
		return is_named ? FRAME_JIT : FRAME_USER;
	default:
		return FRAME_USER;
	}
}

uint32_t frames_of_location(struct frames *frames, location_id location, bool is_java)
{
	uint32_t *known = &frames->of_location[is_java][location.i];
	const struct location *row;
	struct frame frame;

	if (*known != FRAME_NONE)
		return *known;
	row = &frames->locations->rows.at[location.i];
	frame = (struct frame){
		.name = frame_name_of(frames->strings, frames->modules, row,
				      &(struct frame_name_options){
					      .is_literal = frames->is_literal,
					      .is_java = is_java,
				      }),
		.module = row->module,
		.kind = kind_of(modules_get(frames->modules, row->module), row->is_named),
		.is_named = row->is_named,
	};
	return *known = intern(frames, &frame);
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
		.frame = intern(frames, &frame),
		.is_java = comm.length >= 4 && memcmp(comm.at, "java", 4) == 0,
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
	struct frame frame = { .kind = FRAME_GROUP, .is_named = true };
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
	case GROUP_EVENT:
	case GROUP_BY_COUNT:
		frame.name = profile->events.at[callers->event].name;
		return intern(frames, &frame);
	}
	frame.name = strings_intern_text(frames->strings, text);
	return intern(frames, &frame);
}

uint32_t frames_merge(struct frames *frames, uint32_t a, uint32_t b)
{
	struct frame merged = frames->rows.at[a];
	const struct frame *other = &frames->rows.at[b];

	merged.module = (module_id){ 0 };
	if (other->kind < merged.kind)
		merged.kind = other->kind;
	merged.is_named |= other->is_named;
	return intern(frames, &merged);
}

struct numbered {
	struct text name;
	uint32_t frame;
};

/* As if each name ended in ";". */
static int compare_names(const void *a, const void *b)
{
	const struct numbered *left = a;
	const struct numbered *right = b;
	uint32_t shorter =
		left->name.length < right->name.length ? left->name.length : right->name.length;
	int order = memcmp(left->name.at, right->name.at, shorter);

	if (order || left->name.length == right->name.length)
		return order;
	if (left->name.length == shorter)
		return (unsigned char)right->name.at[shorter] >= ';' ? -1 : 1;
	return (unsigned char)left->name.at[shorter] >= ';' ? 1 : -1;
}

void frames_number(struct frames *frames)
{
	size_t count = frames->rows.count;
	struct numbered *order = memory_alloc(count, sizeof(*order));
	uint32_t rank = 0;

	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct numbered){
			.name = strings_get(frames->strings, frames->rows.at[i].name),
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
