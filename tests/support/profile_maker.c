/* SPDX-License-Identifier: MIT */
#include "tests/support/profile_maker.h"

void profile_maker_init(struct profile_maker *maker)
{
	*maker = (struct profile_maker){ 0 };
	profile_init(&maker->profile);
	locations_init(&maker->locations);
	resolved_init(&maker->resolved);
	profile_maker_module(maker, MODULE_NONE, "");
	profile_maker_event(maker, "cycles", UNIT_EVENTS);
}

void profile_maker_deinit(struct profile_maker *maker)
{
	resolved_deinit(&maker->resolved);
	locations_deinit(&maker->locations);
	profile_deinit(&maker->profile);
}

uint32_t profile_maker_event(struct profile_maker *maker, const char *name, enum weight_unit unit)
{
	vec_push(&maker->profile.events,
		 (struct profile_event){
			 .name = strings_intern_text(maker->profile.strings, name),
			 .unit = unit,
			 .has_callchain = true,
			 .first_time_ns = UINT64_MAX,
		 });
	return maker->event = (uint32_t)maker->profile.events.count - 1;
}

module_id profile_maker_module(struct profile_maker *maker, enum module_kind kind, const char *path)
{
	return modules_intern(maker->profile.modules,
			      &(struct module){
				      .kind = kind,
				      .path = strings_intern_text(maker->profile.strings, path),
			      });
}

/*
 * The location of "NAME|MODULE". Its address is the number of the name, so that each name has its
 * own address.
 */
static location_id locate(struct profile_maker *maker, const char *frame, size_t length)
{
	const char *bar = memrchr(frame, '|', length);
	size_t name_length = bar ? (size_t)(bar - frame) : length;
	module_id module = { bar ? (uint32_t)strtoul(bar + 1, NULL, 10) : 0 };
	str_id name = strings_intern(maker->profile.strings, frame, name_length);
	location_id id = locations_intern(&maker->locations, module, name.i, false);
	struct location *row = &maker->locations.rows.at[id.i];

	row->is_named = name_length > 0;
	row->name = name;
	return id;
}

void profile_maker_stack(struct profile_maker *maker, const char *stack, uint64_t period)
{
	struct profile_event *event = &maker->profile.events.at[maker->event];
	size_t length = strcspn(stack, ";");
	struct stack_key key = {
		.event = maker->event,
		.comm = strings_intern(maker->profile.strings, stack, length).i,
	};
	struct resolved_stack row = {
		.key = resolved_key(&maker->resolved, &key),
		.callers = CALLERS_NONE,
		.leaf = LOCATION_NONE,
		.sample_count = 1,
		.period_sum = period,
	};

	event->sample_count++;
	event->period_sum += period;
	maker->profile.sample_count++;
	for (stack += length; *stack; stack += length) {
		stack++;
		length = strcspn(stack, ";");
		if (row.leaf.i != LOCATION_NONE.i)
			row.callers = callers_add(&maker->resolved.callers, row.callers, row.leaf);
		row.leaf = locate(maker, stack, length);
	}
	vec_push(&maker->resolved.stacks, row);
}

void profile_maker_build(struct profile_maker *maker, const struct view *view)
{
	static const struct build_options options;
	struct resolved *workers[] = { &maker->resolved };
	struct error err;

	if (!build_profile(&maker->profile, &maker->locations, workers, 1,
			   view ? view : &view_default, &options, &err))
		abort();
}
