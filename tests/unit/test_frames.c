/* SPDX-License-Identifier: MIT */
#include "profile/frames.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

static const struct frame_naming plain;

static const struct {
	enum module_kind kind;
	enum frame_kind named, unnamed;
} kinds[] = {
	{ MODULE_NONE, FRAME_USER, FRAME_USER },
	{ MODULE_FILE, FRAME_USER, FRAME_USER },
	{ MODULE_KERNEL, FRAME_KERNEL, FRAME_KERNEL },
	{ MODULE_KERNEL_MODULE, FRAME_KERNEL, FRAME_KERNEL },
	{ MODULE_KSYMBOL, FRAME_KERNEL, FRAME_KERNEL },
	{ MODULE_ANONYMOUS, FRAME_JIT, FRAME_USER },
	{ MODULE_VDSO, FRAME_USER, FRAME_USER },
	{ MODULE_SPECIAL, FRAME_USER, FRAME_USER },
};

/* The frame of a location without inlined functions. */
static uint32_t frame_at(struct frames *frames, location_id location, bool is_java)
{
	struct frame_run run =
		frames_of_location(frames, location, (struct frame_variant){ .is_java = is_java });

	cr_assert_eq(run.count, 1);
	return frames->in_runs.at[run.first];
}

/* The kind of a frame follows from its module, and from whether it has a name. */
Test(frames, kinds)
{
	struct profile_maker maker;
	struct frames frames;

	profile_maker_init(&maker);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		module_id module = profile_maker_module(&maker, kinds[i].kind, "x");
		location_id id = locations_intern(&maker.locations, module, 2 * i, false);

		locations_intern(&maker.locations, module, 2 * i + 1, false);
		maker.locations.rows.at[id.i].is_named = true;
		maker.locations.rows.at[id.i].name =
			strings_intern_text(maker.profile.strings, "f");
	}
	frames_init(&frames, maker.profile.strings, maker.profile.modules, &maker.locations,
		    &plain);
	for (uint32_t i = 0; i < 2 * ARRAY_SIZE(kinds); i++) {
		bool is_named = i % 2 == 0;
		uint32_t id = frame_at(&frames, (location_id){ i }, false);
		const struct frame *frame = &frames.table.rows.at[id];

		cr_expect_eq(frame->kind, is_named ? kinds[i / 2].named : kinds[i / 2].unnamed,
			     "place %u is %d", i, frame->kind);
		cr_expect_eq(frame->is_named, is_named, "place %u", i);
		cr_expect_eq(frame_at(&frames, (location_id){ i }, false), id);
	}
	frames_deinit(&frames);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

Test(frames, java_is_known_by_its_process)
{
	static const struct {
		const char *comm;
		bool is_java;
	} rows[] = { { "java", true }, { "java17", true }, { "jav", false }, { "xjava", false } };
	struct profile_maker maker;
	str_id comms[ARRAY_SIZE(rows)];
	struct frames frames;
	location_id id;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "x;Lorg/A:::run", 1);
	id = maker.resolved.stacks.at[0].leaf;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		comms[i] = strings_intern_text(maker.profile.strings, rows[i].comm);
	frames_init(&frames, maker.profile.strings, maker.profile.modules, &maker.locations,
		    &plain);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stack_key key = { .comm = comms[i].i };
		struct comm_frame comm = frames_of_comm(&frames, &key);

		cr_expect_eq(comm.is_java, rows[i].is_java, "%s", rows[i].comm);
		cr_expect_eq(frames.table.rows.at[comm.frame].name.i, comms[i].i, "%s",
			     rows[i].comm);
		cr_expect_eq(frames.table.rows.at[comm.frame].kind, FRAME_GROUP);
	}
	for (int i = 0; i < 4; i++) {
		uint32_t frame = frame_at(&frames, id, i % 2);

		cr_expect_str_eq(
			strings_text(maker.profile.strings, frames.table.rows.at[frame].name),
			i % 2 ? "org/A:::run" : "Lorg/A:::run");
	}
	frames_deinit(&frames);
	profile_maker_deinit(&maker);
}

/* Names of files and events may contain any characters, but must not break a folded line. */
Test(frames, what_stacks_stand_on)
{
	static const struct {
		enum group_by by;
		const char *expected;
	} rows[] = {
		{ GROUP_COMM, "worker 1" },   { GROUP_PID, "pid 7" },
		{ GROUP_TID, "tid -1" },      { GROUP_CPU, "cpu 3" },
		{ GROUP_FILE, "a:b c.data" }, { GROUP_EVENT, "my:event?" },
	};
	struct profile_maker maker;
	struct stack_key key = { .pid = 7, .tid = UINT32_MAX, .cpu = 3 };
	struct profile *profile = &maker.profile;
	struct frames frames;

	profile_maker_init(&maker);
	key.comm = strings_intern_text(profile->strings, "worker 1").i;
	profile->input_name = strings_intern_text(profile->strings, "a;b\nc.data");
	vec_push(&profile->events,
		 (struct profile_event){
			 .name = strings_intern_text(profile->strings, "my;event\x1b"),
		 });
	key.event = (uint32_t)profile->events.count - 1;
	frames_init(&frames, profile->strings, profile->modules, &maker.locations, &plain);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t id = frames_of_group(&frames, profile, &key, rows[i].by);
		const struct frame *frame = &frames.table.rows.at[id];

		cr_expect_eq(frame->kind, FRAME_GROUP);
		cr_expect_str_eq(strings_text(profile->strings, frame->name), rows[i].expected);
	}
	frames_deinit(&frames);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

/* Ranks are in the order of the names with ";" appended, and only equal names share a rank. */
Test(frames, ranks_are_in_order_of_names)
{
	static const char *const ascending[] = { " ",         "0",        "a ",        "a2",
						 "a",         "a<",       "ab",        "abcdefg ",
						 "abcdefgh0", "abcdefgh", "abcdefgha", "b",
						 "\xff" };
	struct profile_maker maker;
	struct frames frames;
	uint32_t ids[2][ARRAY_SIZE(ascending)];

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/a");
	frames_init(&frames, maker.profile.strings, maker.profile.modules, &maker.locations,
		    &plain);
	/* Adds the names from the last to the first, each in two modules. */
	for (uint32_t module = 0; module < 2; module++) {
		for (size_t i = ARRAY_SIZE(ascending); i-- > 0;) {
			ids[module][i] = (uint32_t)frames.table.rows.count;
			vec_push(&frames.table.rows,
				 (struct frame){
					 .name = strings_intern_text(maker.profile.strings,
								     ascending[i]),
					 .module = { module },
				 });
		}
	}
	frames_number(&frames);
	for (uint32_t i = 0; i < ARRAY_SIZE(ascending); i++) {
		cr_expect_eq(frames.rank[ids[0][i]], i, "\"%s\"", ascending[i]);
		cr_expect_eq(frames.rank[ids[1][i]], i, "\"%s\"", ascending[i]);
	}
	frames_deinit(&frames);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

/* Locations share their frame, unless it would differ. */
Test(frames, locations_of_a_function_share_its_frame)
{
	static const struct frame_naming naming[] = {
		{ .has_lines = true },
		{ .shows_offsets = true },
		{ .keeps_source = true },
	};
	static const struct location base = { .module = { 1 }, .is_named = true, .name = { 1 } };
	struct {
		const char *what;
		struct location location;
		uint32_t naming;
		bool is_shared;
	} rows[] = {
		{ "address", base, 0, true },        { "module", base, 0, false },
		{ "name", base, 0, false },          { "kind", base, 0, false },
		{ "unnamed", base, 0, false },       { "exact", base, 0, false },
		{ "line", base, 0, false },          { "line that is not shown", base, 2, true },
		{ "declaration", base, 2, false },   { "inlined function", base, 0, false },
		{ "return address", base, 0, true }, { "address of a name", base, 1, true },
	};
	struct profile_maker maker;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct location *row = &rows[i].location;
		struct frames frames;
		struct frame_run first, second;

		profile_maker_init(&maker);
		profile_maker_module(&maker, MODULE_FILE, "x");
		profile_maker_module(&maker, MODULE_FILE, "y");
		strings_intern_text(maker.profile.strings, "f");
		strings_intern_text(maker.profile.strings, "g");
		row->address = 1;
		row->module.i += i == 1;
		row->name.i += i == 2;
		row->kind = i == 3 ? LOCATION_JIT : row->kind;
		row->is_named = i != 4;
		row->is_exact = i == 5;
		row->at.line = i == 6 || i == 7;
		row->declared.line = i == 8;
		row->inlined_count = i == 9;
		row->is_return = i == 10;
		vec_push(&maker.locations.inlined, (struct inlined){ .name = { 1 } });
		vec_push(&maker.locations.rows, base);
		vec_push(&maker.locations.rows, *row);
		frames_init(&frames, maker.profile.strings, maker.profile.modules, &maker.locations,
			    &naming[rows[i].naming]);
		first = frames_of_location(&frames, (location_id){ 0 },
					   (struct frame_variant){ 0 });
		second = frames_of_location(&frames, (location_id){ 1 },
					    (struct frame_variant){ 0 });
		cr_expect_eq(first.first == second.first, rows[i].is_shared, "%s", rows[i].what);
		cr_expect_eq(second.count, row->inlined_count + 1, "%s", rows[i].what);
		frames_deinit(&frames);
		profile_maker_deinit(&maker);
	}
	assert_no_leaks();
}

/* The names of unnamed locations have offsets if these are shown. */
Test(frames, unnamed_locations_share_a_frame_without_offsets)
{
	for (int has_offsets = 0; has_offsets < 2; has_offsets++) {
		struct frame_naming naming = { .shows_offsets = has_offsets };
		struct profile_maker maker;
		struct frames frames;
		module_id module;

		profile_maker_init(&maker);
		module = profile_maker_module(&maker, MODULE_FILE, "x");
		for (uint64_t i = 0; i < 2; i++)
			vec_push(&maker.locations.rows,
				 (struct location){ .module = module, .address = i });
		frames_init(&frames, maker.profile.strings, maker.profile.modules, &maker.locations,
			    &naming);
		cr_expect_eq(frame_at(&frames, (location_id){ 0 }, false) ==
				     frame_at(&frames, (location_id){ 1 }, false),
			     !has_offsets);
		frames_deinit(&frames);
		profile_maker_deinit(&maker);
	}
	assert_no_leaks();
}
