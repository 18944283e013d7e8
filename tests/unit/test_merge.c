/* SPDX-License-Identifier: MIT */
#include "profile/tree/merge.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "profile/tree/function_sums.h"
#include "render/text/folded.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"
#include "tests/support/random.h"

/* Builds a profile of lines such as "app;main;f 3". */
static void make(struct profile_maker *maker, const char *const *lines)
{
	profile_maker_init(maker);
	profile_maker_module(maker, MODULE_FILE, "/a");
	for (; *lines; lines++) {
		const char *blank = strrchr(*lines, ' ');
		char *stack = strndup(*lines, (size_t)(blank - *lines));

		profile_maker_stack(maker, stack, strtoull(blank, NULL, 10));
		free(stack);
	}
	profile_maker_build(maker, NULL);
}

/* Checks that every row has the sum of the rows below it, and ends where its subtree ends. */
static void check_shape(const struct profile *profile)
{
	const struct stack *stacks = profile->stacks.at;

	cr_assert_eq(stacks[0].end, profile->stacks.count);
	for (uint32_t i = 0; i < profile->stacks.count; i++) {
		uint64_t below = stacks[i].self;

		for (uint32_t k = i + 1; k < stacks[i].end; k = stacks[k].end) {
			cr_assert_eq(stacks[k].parent, i);
			cr_assert_eq(stacks[k].depth, stacks[i].depth + 1);
			below += stacks[k].total;
		}
		cr_assert_eq(stacks[i].total, below);
	}
}

static const char *folded(const struct profile *profile, struct sink *sink)
{
	sink->used = 0;
	folded_write(profile, sink);
	sink_char(sink, '\0');
	return sink->buffer;
}

static void add_searched_path(struct profile *profile, module_id id, const char *path,
			      const char *reason)
{
	struct modules *modules = profile->modules;
	struct module *module = modules_get(modules, id);

	if (!module->searched_count++)
		module->searched_first = (uint32_t)modules->searched_paths.count;
	vec_push(&modules->searched_paths,
		 (struct searched_path){
			 .path = strings_intern_text(profile->strings, path),
			 .match = MATCH_MISMATCHED,
			 .reason = strings_intern_text(profile->strings, reason),
		 });
}

/* Searched paths are merged with their module, if it is new, or was not searched for so far. */
Test(merge, searched_paths)
{
	struct profile_maker a, b;
	struct error err;
	module_id id;

	profile_maker_init(&a);
	profile_maker_init(&b);
	profile_maker_module(&a, MODULE_FILE, "/shared");
	profile_maker_stack(&a, "app;f", 1);
	profile_maker_build(&a, NULL);
	id = profile_maker_module(&b, MODULE_FILE, "/new");
	add_searched_path(&b.profile, id, "/x", "is another");
	id = profile_maker_module(&b, MODULE_FILE, "/shared");
	add_searched_path(&b.profile, id, "/y", "is cut");
	add_searched_path(&b.profile, id, "/z", "");
	profile_maker_stack(&b, "app;f", 1);
	profile_maker_build(&b, NULL);
	cr_assert(profile_merge(&a.profile, &b.profile, false, &err), "%s", err.text);
	for (size_t i = 0; i < a.profile.modules->rows.count; i++) {
		const struct module *module = &a.profile.modules->rows.at[i];
		const struct searched_path *searched =
			&a.profile.modules->searched_paths.at[module->searched_first];
		struct strings *strings = a.profile.strings;

		if (strcmp(strings_text(strings, module->path), "/new") == 0) {
			cr_assert_eq(module->searched_count, 1);
			cr_expect_str_eq(strings_text(strings, searched->path), "/x");
			cr_expect_str_eq(strings_text(strings, searched->reason), "is another");
		}
		if (strcmp(strings_text(strings, module->path), "/shared") == 0) {
			cr_assert_eq(module->searched_count, 2);
			cr_expect_str_eq(strings_text(strings, searched[0].reason), "is cut");
			cr_expect_str_eq(strings_text(strings, searched[1].path), "/z");
		}
	}
	cr_expect_eq(a.profile.modules->searched_paths.count, 3);
	profile_maker_deinit(&a);
	profile_maker_deinit(&b);
	assert_no_leaks();
}

Test(merge, trees)
{
	static const struct {
		const char *what, *a[5], *b[5], *expected;
	} rows[] = {
		{ "the same", { "app;f 1" }, { "app;f 2" }, "app;f 3\n" },
		{ "side by side",
		  { "app;f 1", "app;h 4" },
		  { "app;g 2", "make;f 3" },
		  "app;f 1\napp;g 2\napp;h 4\nmake;f 3\n" },
		{ "one below the other's",
		  { "app;f 1" },
		  { "app;f;g;h 2", "app;f;i 3", "app 7" },
		  "app 7\napp;f 1\napp;f;g;h 2\napp;f;i 3\n" },
		{ "subtrees between",
		  { "a;c;d 1", "a;e 2" },
		  { "a;b;x;y 4", "a;d;z 8" },
		  "a;b;x;y 4\na;c;d 1\na;d;z 8\na;e 2\n" },
		{ "nothing to add", { "a;b 1" }, { NULL }, "a;b 1\n" },
		{ "nothing to add to", { NULL }, { "a;b 1" }, "a;b 1\n" },
		{ "beginnings of names",
		  { "a;read 1", "a;read<int> 1" },
		  { "a;read2 1", "a;read_all 1" },
		  "a;read 1\na;read2 1\na;read<int> 1\na;read_all 1\n" },
	};
	struct sink sink;
	struct error err;

	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker a, b;

		make(&a, rows[i].a);
		make(&b, rows[i].b);
		cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
		cr_expect_str_eq(folded(&a.profile, &sink), rows[i].expected, "%s", rows[i].what);
		check_shape(&a.profile);
		profile_maker_deinit(&a);
		profile_maker_deinit(&b);
	}
	sink_deinit(&sink);
	assert_no_leaks();
}

/* Modules, strings and events of the second profile have other numbers in the first one. */
Test(merge, what_rows_refer_to)
{
	const struct profile *profile;
	struct profile_maker a, b;
	const struct frame *f;
	struct error err;

	make(&a, (const char *const[]){ "app;f|1 1", NULL });
	profile_maker_init(&b);
	profile_maker_module(&b, MODULE_FILE, "/b");
	profile_maker_module(&b, MODULE_FILE, "/a");
	profile_maker_stack(&b, "app;g|1", 2);
	profile_maker_stack(&b, "app;f|2", 4);
	profile_maker_event(&b, "faults", UNIT_EVENTS);
	profile_maker_stack(&b, "app;f|2", 4);
	profile_maker_build(
		&b, &(struct view){ .event_pattern = "cycles", .grouping = GROUPING_BY_COMM });
	b.profile.events.at[1].field_first = 9;
	b.profile.events.at[1].field_count = 2;
	b.profile.losses[LOSS_RECORDS] = 7;
	b.profile.partial_reason = "cut";
	a.profile.facts[FACT_HOST] = b.profile.facts[FACT_HOST] = text_of("here");
	a.profile.facts[FACT_ARCH] = text_of("x86_64");
	b.profile.facts[FACT_ARCH] = text_of("s390x");
	cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
	profile_maker_deinit(&b);
	profile = &a.profile;
	cr_assert_eq(profile->stacks.count, 4);
	f = &profile->frames.at[profile->stacks.at[2].frame.i];
	cr_expect(text_is(strings_get(profile->strings, f->name), "f"));
	cr_expect_eq(f->module.i, 1);
	f = &profile->frames.at[profile->stacks.at[3].frame.i];
	cr_expect(text_is(strings_get(profile->strings, f->name), "g"));
	cr_expect_str_eq(
		strings_text(profile->strings, modules_get(profile->modules, f->module)->path),
		"/b");
	cr_expect_eq(profile->events.count, 2);
	cr_expect_eq(profile->events.at[0].sample_count, 3);
	cr_expect(profile->events.at[0].is_shown);
	cr_expect_not(profile->events.at[1].is_shown);
	/* Rows may only refer to fields that exist. */
	cr_expect_eq(profile->events.at[1].field_count, 0);
	cr_expect_null(profile_find_field(profile, &profile->events.at[1], text_of("bytes")));
	cr_expect_eq(profile->sample_count, 4);
	cr_expect_eq(profile->view_sample_count, 3);
	cr_expect_eq(profile->losses[LOSS_RECORDS], 7);
	cr_expect_str_eq(profile->partial_reason, "cut");
	cr_expect(text_is(profile->facts[FACT_HOST], "here"));
	cr_expect_null(profile->facts[FACT_ARCH].at);
	profile_maker_deinit(&a);
	assert_no_leaks();
}

/*
 * Clocks of two captures differ, so durations are added up. The first capture by wall clock says
 * when the profile begins.
 */
Test(merge, times)
{
	static const struct {
		bool has_time, is_clock_known;
		uint64_t first_ns, last_ns, wall_ns;
	} rows[] = { { true, true, 500, 507, 400 }, { true, false, 500, 507, 0 }, { 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker a, b;
		struct profile *of_a = &a.profile;
		struct profile *of_b = &b.profile;
		struct error err;

		make(&a, (const char *const[]){ "app;f 1", NULL });
		make(&b, (const char *const[]){ "app;f 1", NULL });
		of_a->first_time_ns = 20;
		of_a->last_time_ns = 50;
		of_a->clock = (struct wall_clock){ true, 1000, 0 };
		if (rows[i].has_time) {
			of_b->first_time_ns = rows[i].first_ns;
			of_b->last_time_ns = rows[i].last_ns;
			of_b->unselected_ns = 3;
		}
		of_b->clock = (struct wall_clock){ rows[i].is_clock_known, rows[i].wall_ns, 0 };
		cr_assert(profile_merge(i % 2 ? of_b : of_a, i % 2 ? of_a : of_b, false, &err));
		if (i % 2)
			of_a = of_b;
		cr_expect_eq(of_a->added_count, 1);
		cr_expect_eq(profile_has_time(of_a), rows[i].has_time);
		cr_expect_eq(profile_duration_ns(of_a), rows[i].has_time ? 34 : 0);
		if (rows[i].has_time)
			cr_expect_eq(of_a->clock.is_known, rows[i].is_clock_known);
		if (of_a->clock.is_known && rows[i].has_time)
			cr_expect_eq(wall_clock_of(&of_a->clock, of_a->first_time_ns), 900);
		profile_maker_deinit(&a);
		profile_maker_deinit(&b);
	}
	assert_no_leaks();
}

static void set_build_id(struct profile *profile, module_id id, uint8_t byte)
{
	struct module *module = modules_get(profile->modules, id);

	module->build_id = (struct build_id){ .bytes = { byte }, .size_bytes = 20 };
}

static const struct module *module_of_row(const struct profile *profile, uint32_t row)
{
	const struct frame *frame = &profile->frames.at[profile->stacks.at[row].frame.i];

	return modules_get(profile->modules, frame->module);
}

/*
 * A module is found although its build-id was assigned after it was added. A frame of two builds
 * of a file is in a module with the path of the file, but without a build-id.
 */
Test(merge, builds_of_a_module)
{
	struct profile_maker a, b;
	struct error err;

	for (uint8_t build = 1; build <= 2; build++) {
		make(&a, (const char *const[]){ "app;f|1 1", NULL });
		make(&b, (const char *const[]){ "app;f|1 1", NULL });
		set_build_id(&a.profile, (module_id){ 1 }, 1);
		set_build_id(&b.profile, (module_id){ 1 }, build);
		cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
		cr_assert_eq(a.profile.stacks.count, 3);
		cr_expect_str_eq(
			strings_text(a.profile.strings, module_of_row(&a.profile, 2)->path), "/a");
		cr_expect_eq(module_of_row(&a.profile, 2)->build_id.size_bytes,
			     build == 1 ? 20 : 0);
		cr_expect_eq(a.profile.modules->rows.count, build == 1 ? 2 : 4);
		profile_maker_deinit(&a);
		profile_maker_deinit(&b);
	}
	assert_no_leaks();
}

/*
 * If the names of one build are unverified, or lack inlined functions, so do those of both. The
 * order of the profiles does not matter.
 */
Test(merge, problems_of_both_builds)
{
	for (uint8_t build = 1; build <= 2; build++) {
		struct profile_maker makers[2];
		struct module *module;
		struct error err;

		for (uint8_t i = 0; i < 2; i++) {
			make(&makers[i], (const char *const[]){ "app;f|1 1", NULL });
			set_build_id(&makers[i].profile, (module_id){ 1 }, i);
			module = modules_get(makers[i].profile.modules, (module_id){ 1 });
			module->match = MATCH_VERIFIED;
			if (i + 1 != build)
				continue;
			module->match = MATCH_UNVERIFIED;
			module->inline_reason =
				strings_intern_text(makers[i].profile.strings, "is cut");
		}
		cr_assert(profile_merge(&makers[0].profile, &makers[1].profile, false, &err));
		cr_expect_eq(module_of_row(&makers[0].profile, 2)->match, MATCH_UNVERIFIED);
		cr_expect_str_eq(strings_text(makers[0].profile.strings,
					      module_of_row(&makers[0].profile, 2)->inline_reason),
				 "is cut");
		profile_maker_deinit(&makers[0]);
		profile_maker_deinit(&makers[1]);
	}
}

/* Two builds have the same module as three, so a problem of the third is not lost. */
Test(merge, problems_of_a_third_build)
{
	struct profile_maker makers[3];
	const struct module *merged;
	struct module *module;
	struct error err;

	for (uint8_t i = 0; i < 3; i++) {
		make(&makers[i], (const char *const[]){ "app;f|1 1", NULL });
		set_build_id(&makers[i].profile, (module_id){ 1 }, i);
		module = modules_get(makers[i].profile.modules, (module_id){ 1 });
		module->match = i < 2 ? MATCH_VERIFIED : MATCH_UNVERIFIED;
		if (i == 2)
			module->inline_reason =
				strings_intern_text(makers[i].profile.strings, "is cut");
	}
	for (uint8_t i = 1; i < 3; i++)
		cr_assert(profile_merge(&makers[0].profile, &makers[i].profile, false, &err));
	merged = module_of_row(&makers[0].profile, 2);
	cr_expect_eq(merged->match, MATCH_UNVERIFIED);
	cr_expect_str_eq(strings_text(makers[0].profile.strings, merged->inline_reason), "is cut");
	for (uint8_t i = 0; i < 3; i++)
		profile_maker_deinit(&makers[i]);
	assert_no_leaks();
}

/* Siblings with equal names are sorted by the paths of their modules, whose numbers differ. */
Test(merge, siblings_of_several_modules)
{
	struct view view = { .event_pattern = "cycles", .grouping = GROUPING_BY_COMM };
	struct profile_maker a, b;
	struct error err;

	view.naming.parts_modules = true;
	profile_maker_init(&a);
	profile_maker_module(&a, MODULE_FILE, "/b");
	profile_maker_module(&a, MODULE_FILE, "/a");
	profile_maker_stack(&a, "app;f|1", 1);
	profile_maker_stack(&a, "app;f|2", 2);
	profile_maker_build(&a, &view);
	profile_maker_init(&b);
	profile_maker_module(&b, MODULE_FILE, "/b");
	profile_maker_stack(&b, "app;f|1", 4);
	profile_maker_build(&b, &view);
	cr_assert(profile_merge(&a.profile, &b.profile, true, &err));
	cr_assert_eq(a.profile.stacks.count, 4);
	cr_expect_eq(a.profile.stacks.at[2].self, 2);
	cr_expect_eq(module_of_row(&a.profile, 2)->path.i,
		     strings_find(a.profile.strings, text_of("/a")).i);
	cr_expect_eq(a.profile.stacks.at[3].self, 5);
	cr_expect_eq(module_of_row(&a.profile, 3)->path.i,
		     strings_find(a.profile.strings, text_of("/b")).i);
	profile_maker_deinit(&a);
	profile_maker_deinit(&b);
	assert_no_leaks();
}

/* Equal names in two modules are one row, of neither. */
Test(merge, equal_names_of_several_modules)
{
	struct profile_maker a, b;
	struct error err;

	make(&a, (const char *const[]){ "app;f|1 1", NULL });
	make(&b, (const char *const[]){ "app;f|0 1", NULL });
	cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
	cr_assert_eq(a.profile.stacks.count, 3);
	cr_expect_eq(a.profile.frames.at[a.profile.stacks.at[2].frame.i].module.i, 0);
	profile_maker_deinit(&a);
	profile_maker_deinit(&b);
}

Test(merge, what_does_not_add_up)
{
	struct profile_maker a, b;
	struct error err;

	make(&a, (const char *const[]){ "app;f 1", NULL });
	profile_maker_init(&b);
	profile_maker_event(&b, "faults", UNIT_EVENTS);
	profile_maker_stack(&b, "app;f", 4);
	profile_maker_build(
		&b, &(struct view){ .event_pattern = "faults", .grouping = GROUPING_BY_COMM });
	cr_expect_not(profile_merge(&a.profile, &b.profile, false, &err));
	cr_expect_eq(err.code, ERROR_USAGE);
	cr_expect_not_null(
		strstr(err.text, "has the event faults, but the previous input has cycles"));
	profile_maker_deinit(&a);
	profile_maker_deinit(&b);
	assert_no_leaks();
}

static void random_stack(struct random *random, char *stack, size_t size)
{
	static const char *const names[] = { "f", "f2", "f_", "g<int>", "g" };
	uint32_t depth = random_below(random, 7);
	size_t length = (size_t)snprintf(stack, size, "comm%u", random_below(random, 2));

	for (uint32_t i = 0; i < depth; i++)
		length += (size_t)snprintf(stack + length, size - length, ";%s",
					   names[random_below(random, 5)]);
}

/* However stacks are divided among profiles, merging these gives the profile of all stacks. */
Test(merge, parts_are_as_the_whole)
{
	struct profile_maker whole, parts[3];
	struct sink of_whole, of_merged;
	struct random random = { 99 };
	struct error err;
	char stack[200];

	sink_init_memory(&of_whole);
	sink_init_memory(&of_merged);
	profile_maker_init(&whole);
	for (int i = 0; i < 3; i++) {
		profile_maker_init(&parts[i]);
		for (int k = 0; k < 200; k++) {
			random_stack(&random, stack, sizeof(stack));
			profile_maker_stack(&parts[i], stack, (uint64_t)k);
			profile_maker_stack(&whole, stack, (uint64_t)k);
		}
		profile_maker_build(&parts[i], NULL);
	}
	profile_maker_build(&whole, NULL);
	for (int i = 1; i < 3; i++)
		cr_assert(profile_merge(&parts[0].profile, &parts[i].profile, false, &err));
	check_shape(&parts[0].profile);
	cr_expect_str_eq(folded(&parts[0].profile, &of_merged), folded(&whole.profile, &of_whole));
	cr_expect_eq(parts[0].profile.view_sample_count, 600);
	for (int i = 0; i < 3; i++)
		profile_maker_deinit(&parts[i]);
	profile_maker_deinit(&whole);
	sink_deinit(&of_whole);
	sink_deinit(&of_merged);
	assert_no_leaks();
}

static void add_bin(struct profile *profile, uint32_t row, uint32_t time_bin, uint64_t weight)
{
	vec_push(&profile->stack_bins,
		 (struct stack_bin){ .row = row, .time_bin = time_bin, .weight = weight });
}

static void set_bins(struct profile *profile, uint64_t first_ns, uint64_t width_ns, uint32_t count)
{
	profile->first_bin_ns = first_ns;
	profile->bin_ns = width_ns;
	profile->time_bin_count = count;
	profile->time_bin_parts = 1;
}

/* Each profile counts from its own first bin. Bins of 20 and 50 ns become bins of 100 ns. */
Test(merge, time_bins)
{
	struct profile_maker a, b;
	struct error err;
	const struct stack_bin *bins;

	make(&a, (const char *const[]){ "app;main;f 3", "app;main;z 4", NULL });
	make(&b, (const char *const[]){ "app;main;g 5", NULL });
	set_bins(&a.profile, 1000, 20, 11);
	add_bin(&a.profile, 3, 4, 3);
	add_bin(&a.profile, 4, 10, 4);
	set_bins(&b.profile, 77000, 50, 3);
	add_bin(&b.profile, 3, 2, 5);
	vec_push(&b.profile.loss_spans.rows, (struct loss_span){ 76000, 77030, 0 });
	cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
	cr_expect(a.profile.has_relative_bins);
	cr_expect_eq(a.profile.first_bin_ns, 0);
	cr_expect_eq(a.profile.bin_ns, 100);
	cr_expect_eq(a.profile.time_bin_count, 3);
	cr_assert_eq(a.profile.stack_bins.count, 3);
	bins = a.profile.stack_bins.at;
	cr_expect(bins[0].row == 3 && bins[0].time_bin == 0 && bins[0].weight == 3);
	cr_expect(bins[1].row == 5 && bins[1].time_bin == 2 && bins[1].weight == 4);
	cr_expect(bins[2].row == 4 && bins[2].time_bin == 1 && bins[2].weight == 5);
	cr_expect_eq(a.profile.loss_spans.rows.at[0].begin_ns, 0);
	cr_expect_eq(a.profile.loss_spans.rows.at[0].end_ns, 30);
	profile_maker_deinit(&a);
	profile_maker_deinit(&b);
}

/* A profile without times cannot be added in time bins, so the merged profile has none. */
Test(merge, no_time_bins)
{
	struct profile_maker a, b;
	struct error err;

	make(&a, (const char *const[]){ "app;main;f 3", NULL });
	make(&b, (const char *const[]){ "app;main;f 5", NULL });
	set_bins(&a.profile, 1000, 20, 1);
	add_bin(&a.profile, 3, 0, 3);
	cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
	cr_expect_eq(a.profile.time_bin_count, 0);
	cr_expect_eq(a.profile.bin_ns, 0);
	cr_expect_eq(a.profile.stack_bins.count, 0);
	profile_maker_deinit(&a);
	profile_maker_deinit(&b);
}

static uint32_t find_frame(const struct profile *profile, const char *name)
{
	for (uint32_t i = 0; i < profile->frames.count; i++)
		if (text_is(profile_frame_name(profile, (frame_id){ i }), name))
			return i;
	cr_assert(false, "%s", name);
	return 0;
}

/* Gives a profile exact sums that are those of its tree, plus an amount for each function. */
static void set_exact(struct profile *profile, uint64_t more)
{
	struct function_sums sums;

	function_sums_of_tree(&sums, profile, NULL);
	for (size_t i = 0; i < profile->frames.count; i++)
		vec_push(&profile->exact.functions,
			 (struct function_sum){ sums.of_frame[i].self + more,
						sums.of_frame[i].total + 10 * more });
	function_sums_deinit(&sums);
}

/* The tree of a profile that lacks stacks is smaller than its exact sums, which are added up. */
Test(merge, exact_sums)
{
	static const struct {
		uint64_t a, b;
		struct function_sum f, g, h;
	} rows[] = {
		{ 100, 0, { 101, 1009 }, { 108, 1008 }, { 16, 16 } },
		{ 0, 100, { 101, 1009 }, { 8, 8 }, { 116, 1016 } },
		{ 100, 200, { 301, 3009 }, { 108, 1008 }, { 216, 2016 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker a, b;
		struct function_sums sums;
		struct error err;

		make(&a, (const char *const[]){ "app;f 1", "app;f;g 8", NULL });
		make(&b, (const char *const[]){ "app;e;h 16", "app;f 0", NULL });
		if (rows[i].a)
			set_exact(&a.profile, rows[i].a);
		if (rows[i].b)
			set_exact(&b.profile, rows[i].b);
		cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
		cr_expect_eq(a.profile.exact.functions.count, a.profile.frames.count);
		function_sums_init(&sums, &a.profile, NULL);
		for (int k = 0; k < 3; k++) {
			struct function_sum wanted = k == 0   ? rows[i].f
						     : k == 1 ? rows[i].g
							      : rows[i].h;
			const char *name = k == 0 ? "f" : k == 1 ? "g" : "h";
			uint32_t frame = find_frame(&a.profile, name);
			str_id id = a.profile.frames.at[frame].name;

			cr_expect_eq(sums.of_frame[frame].self, wanted.self, "%zu %s", i, name);
			cr_expect_eq(sums.of_frame[frame].total, wanted.total, "%zu %s", i, name);
			cr_expect_eq(sums.total_of_name[id.i], wanted.total, "%zu %s", i, name);
		}
		function_sums_deinit(&sums);
		profile_maker_deinit(&a);
		profile_maker_deinit(&b);
	}
	assert_no_leaks();
}

/* Functions of the same name in two modules call each other, so their totals do not add up. */
Test(merge, exact_sums_of_equal_names)
{
	struct profile_maker a, b;
	struct function_sums sums;
	struct error err;
	str_id name;

	make(&a, (const char *const[]){ "app;f;f|1 4", NULL });
	make(&b, (const char *const[]){ "app;f 8", NULL });
	set_exact(&a.profile, 0);
	vec_push(&a.profile.exact.names,
		 (struct name_total){ a.profile.frames.at[find_frame(&a.profile, "f")].name, 4 });
	cr_assert(profile_merge(&a.profile, &b.profile, false, &err));
	name = a.profile.frames.at[find_frame(&a.profile, "f")].name;
	function_sums_init(&sums, &a.profile, NULL);
	cr_expect_eq(sums.total_of_name[name.i], 12);
	function_sums_deinit(&sums);
	profile_maker_deinit(&a);
	profile_maker_deinit(&b);
	assert_no_leaks();
}
