/* SPDX-License-Identifier: MIT */
#include "profile/tree/resolve_stacks.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "profile/tree/location_parts.h"
#include "tests/support/callchain_list.h"
#include "tests/support/leaks.h"

#define KERNEL_TEXT ((uint64_t)0xffffffff81000000)
#define DRIVER_TEXT ((uint64_t)0xffffffffc0000000)

/* The first four modules stand for addresses without a mapping. */
enum {
	NONE,
	KERNEL_UNKNOWN,
	HYPERVISOR,
	GUEST,
	TRUNCATED,
	APP,
	LIBC,
	KERNEL,
	DRIVER,
	OLD_APP,
	MODULES
};

static const char *const module_names[MODULES] = {
	"none", "kernel?", "hypervisor", "guest", "cut", "app", "libc", "kernel", "driver", "old",
};

struct fixture {
	struct view view;
	struct process_history history;
	struct modules modules;
	struct strings strings;
	struct resolved resolved;
	struct resolver resolver;
	struct stack_resolver stacks;
	struct callchain_key key; /* of process 7, while it runs */
};

static void map_all(struct fixture *fixture)
{
	struct process_history *history = &fixture->history;

	process_history_map(history, 1, 7,
			    &(struct mapping){ 0x1000, 0x9000, 0, { OLD_APP }, MAPPING_SOLID });
	process_history_comm(history, 2, 7, 7, STR_EMPTY, true);
	process_history_map(history, 3, 7,
			    &(struct mapping){ 0x1000, 0x2000, 0x400, { APP }, MAPPING_SOLID });
	process_history_map(history, 3, 7,
			    &(struct mapping){ 0x3000, 0x4000, 0, { LIBC }, MAPPING_SOLID });
	process_history_kernel_map(history, 1,
				   &(struct mapping){ KERNEL_TEXT,
						      KERNEL_TEXT + 0x1000000,
						      KERNEL_TEXT,
						      { KERNEL },
						      MAPPING_SOLID });
	process_history_kernel_map(history, 1,
				   &(struct mapping){ DRIVER_TEXT,
						      DRIVER_TEXT + 0x1000,
						      DRIVER_TEXT,
						      { DRIVER },
						      MAPPING_SOLID });
}

static void begin(struct fixture *fixture, bool is_literal)
{
	static const enum module_kind kinds[MODULES] = {
		MODULE_NONE,          MODULE_KERNEL_MODULE, MODULE_SPECIAL, MODULE_GUEST,
		MODULE_MARK,          MODULE_FILE,          MODULE_FILE,    MODULE_KERNEL,
		MODULE_KERNEL_MODULE, MODULE_FILE,
	};
	struct resolve_modules fallbacks = {
		.none = { NONE },
		.kernel = { KERNEL_UNKNOWN },
		.hypervisor = { HYPERVISOR },
		.guest = { GUEST },
		.truncated = { TRUNCATED },
	};
	struct resolve_options options = { .view = &fixture->view };
	struct resolver resolver;
	struct process_moment moment;

	fixture->view = (struct view){ .naming.uses_perf_names = is_literal };
	process_history_init(&fixture->history);
	modules_init(&fixture->modules);
	strings_init(&fixture->strings);
	for (size_t i = 0; i < MODULES; i++)
		modules_intern(&fixture->modules,
			       &(struct module){ .kind = kinds[i],
						 .path = strings_intern_text(&fixture->strings,
									     module_names[i]) });
	map_all(fixture);
	resolved_init(&fixture->resolved);
	resolver_init(&fixture->resolver, &fixture->resolved.places, &fixture->history,
		      &fixture->modules, &fallbacks, &options);
	resolver_init(&resolver, &fixture->resolved.places, &fixture->history, &fixture->modules,
		      &fallbacks, &options);
	resolver.merges_unmapped = true;
	stack_resolver_init(&fixture->stacks, &resolver, &fixture->resolved, 1000);
	moment = process_history_find(&fixture->history, 7, 7, 10);
	fixture->key = (struct callchain_key){
		.space = moment.space,
		.replaced_space = moment.replaced_space,
		.kernel_space = moment.kernel_space,
		.entry_kind = ENTRY_USER,
	};
}

static void end(struct fixture *fixture)
{
	resolver_deinit(&fixture->resolver);
	stack_resolver_deinit(&fixture->stacks);
	resolved_deinit(&fixture->resolved);
	strings_deinit(&fixture->strings);
	modules_deinit(&fixture->modules);
	process_history_deinit(&fixture->history);
}

/* "app+1400 libc+10r", root first, of frames innermost first; r: a return address. Kernel addresses
 * as distances. */
static void write_frames(const struct places *places, const location_id *frames, size_t count,
			 struct sink *sink)
{
	sink->used = 0;
	for (size_t i = 0; i < count; i++) {
		const struct place *row = &places->rows.at[frames[count - 1 - i].i];
		uint64_t address = row->address;

		if (row->module.i == KERNEL || row->module.i == KERNEL_UNKNOWN)
			address -= KERNEL_TEXT;
		if (row->module.i == DRIVER)
			address -= DRIVER_TEXT;
		sink_printf(sink, "%s%s+%llx%s", i ? " " : "", module_names[row->module.i],
			    (unsigned long long)address, row->is_return ? "r" : "");
	}
	sink_char(sink, '\0');
}

struct row {
	const char *what;
	enum entry_kind kind;
	uint64_t ips[6];                /* 0 at the end */
	const char *expected, *literal; /* literal NULL: as expected */
};

static const struct row rows[] = {
	{ "root first, offsets into files",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, 0x1100, 0x1200 },
	  "app+600r app+500r libc+10",
	  NULL },
	{ "kernel over user",
	  ENTRY_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT + 8, KERNEL_TEXT + 16, CALLCHAIN_USER, 0x1100, 0x1200 },
	  "app+600r app+500 kernel+10r kernel+8",
	  NULL },
	{ "without markers the sample's mode holds",
	  ENTRY_KERNEL,
	  { KERNEL_TEXT + 8, DRIVER_TEXT + 1 },
	  "driver+1r kernel+8",
	  NULL },
	{ "of an unknown mode, the kernel's first",
	  ENTRY_UNKNOWN,
	  { KERNEL_TEXT + 8, 0x1100, 0x7000 },
	  "none+7000r app+500r kernel+8",
	  NULL },
	{ "a call at the very end of its mapping",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, 0x2000 },
	  "app+1400r libc+10",
	  "none+2000r libc+10" },
	{ "and right behind a mapping's beginning",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, 0x3000 },
	  "none+3000r libc+10",
	  "libc+0r libc+10" },
	{ "the innermost is no return address",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3000 },
	  "libc+0",
	  NULL },
	{ "a stack that was followed: calls, not return addresses, and not all of them",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, CALLCHAIN_EXACT, 0x1100, 0x1200, CALLCHAIN_TRUNCATED },
	  "cut+0 app+600 app+500 libc+10",
	  NULL },
	{ "an execve under way",
	  ENTRY_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT + 8, CALLCHAIN_USER, 0x5000, 0x6000 },
	  "none+6000r old+4000 kernel+8",
	  NULL },
	{ "where the new program is, it goes before",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x1000 },
	  "app+400",
	  NULL },
	{ "unmapped before and after", ENTRY_USER, { CALLCHAIN_USER, 0xa000 }, "none+a000", NULL },
	{ "the kernel's init text behind its mapping",
	  ENTRY_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT + 0x1000008 },
	  "kernel+1000008",
	  NULL },
	{ "behind a driver",
	  ENTRY_KERNEL,
	  { CALLCHAIN_KERNEL, DRIVER_TEXT + 0x2000 },
	  "kernel?+3f002000",
	  NULL },
	{ "below the kernel",
	  ENTRY_KERNEL,
	  { CALLCHAIN_KERNEL, KERNEL_TEXT - 0x1000000 },
	  "kernel?+ffffffffff000000",
	  NULL },
	{ "a hypervisor", ENTRY_HYPERVISOR, { CALLCHAIN_HYPERVISOR, 0x77 }, "hypervisor+77", NULL },
	{ "a guest's kernel and program",
	  ENTRY_GUEST_KERNEL,
	  { CALLCHAIN_GUEST_KERNEL, 0x77, CALLCHAIN_GUEST_USER, 0x66, CALLCHAIN_GUEST, 0x55 },
	  "guest+55 guest+66 guest+77",
	  NULL },
	/* A frame-pointer walk read a value that is not a frame pointer. */
	{ "a stray word",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, UINT64_MAX - 2, 0x1100 },
	  "libc+10",
	  "" },
	{ "the lowest stray word",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, CALLCHAIN_MARKER_FIRST, 0x1100 },
	  "libc+10",
	  "" },
	{ "the highest address that is none",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, CALLCHAIN_MARKER_FIRST - 1, 0x1100 },
	  "app+500r none+fffffffffffff000r libc+10",
	  NULL },
	{ "all of them instructions that ran",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, CALLCHAIN_EXACT, 0x1100, 0x1200 },
	  "app+600 app+500 libc+10",
	  NULL },
	{ "up to the next marker",
	  ENTRY_USER,
	  { CALLCHAIN_USER, CALLCHAIN_EXACT, 0x3010, CALLCHAIN_USER, 0x1100, 0x1200 },
	  "app+600r app+500 libc+10",
	  NULL },
	{ "all of them return addresses",
	  ENTRY_USER,
	  { CALLCHAIN_USER, 0x3010, CALLCHAIN_RETURNS, 0x1100, 0x1200 },
	  "app+600r app+500r libc+10",
	  NULL },
	{ "nothing but a marker", ENTRY_USER, { CALLCHAIN_USER }, "", NULL },
	{ "no marker the kernel writes twice",
	  ENTRY_USER,
	  { CALLCHAIN_USER, CALLCHAIN_USER, 0x1100 },
	  "app+500",
	  NULL },
};

static uint32_t count_of(const struct row *row)
{
	uint32_t count = 0;

	while (count < ARRAY_SIZE(row->ips) && row->ips[count])
		count++;
	return count;
}

/* Appends the frames of a stack, innermost first. */
static void list_frames(const struct resolved *resolved, const struct resolved_stack *stack,
			struct location_list *frames)
{
	frames->count = 0;
	if (stack->leaf.i != LOCATION_NONE.i)
		vec_push(frames, stack->leaf);
	for (uint32_t node = stack->callers; node != CALLERS_NONE;
	     node = callers_parent(&resolved->callers, node))
		vec_push(frames, resolved->callers.locations.at[node]);
}

static void resolve_all(struct fixture *fixture, struct callchains *chains)
{
	struct callchain_list list;

	callchain_list_init(&list, chains);
	stack_resolver_add_callers(&fixture->stacks, chains, list.places, list.callers_count);
	callchain_list_deinit(&list);
}

/* Resolves a callchain, as one of a table or as that of a sample, and returns its frames. */
static void resolve_one(struct fixture *fixture, const struct row *row, bool is_sample,
			struct location_list *frames)
{
	struct resolved *resolved = &fixture->resolved;
	struct callchains chains;

	callchains_init(&chains);
	/* Nodes are remembered, so only the stacks are removed. */
	resolved->stacks.count = 0;
	if (is_sample) {
		stack_resolver_add(&fixture->stacks, &fixture->key, row->ips, count_of(row), 1, 1,
				   0);
		stack_resolver_flush(&fixture->stacks);
	} else {
		callchains_add(&chains, &fixture->key, row->ips, count_of(row), 1, 0);
		resolve_all(fixture, &chains);
	}
	callchains_deinit(&chains);
	cr_assert_eq(resolved->stacks.count, 1);
	list_frames(resolved, &resolved->stacks.at[0], frames);
}

/* With merges_unmapped, writes "none+0" for each unmapped address. */
static void merge_unmapped(const char *expected, struct sink *sink)
{
	sink->used = 0;
	while (*expected) {
		if (strncmp(expected, "none+", 5) != 0) {
			sink_char(sink, *expected++);
			continue;
		}
		sink_puts(sink, "none+0");
		expected += strcspn(expected, " ");
	}
	sink_char(sink, '\0');
}

static void expect_rows(bool is_literal)
{
	struct location_list frames = { 0 };
	struct fixture fixture;
	struct sink sink, merged;

	begin(&fixture, is_literal);
	sink_init_memory(&sink);
	sink_init_memory(&merged);
	/* All rows are resolved four times: results from the caches must be the same. */
	for (size_t i = 0; i < 4 * ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i % ARRAY_SIZE(rows)];
		const char *expected = is_literal && row->literal ? row->literal : row->expected;

		fixture.key.entry_kind = row->kind;
		frames.count = 0;
		resolver_callchain(&fixture.resolver, &fixture.key, row->ips, count_of(row),
				   &frames);
		write_frames(&fixture.resolved.places, frames.at, frames.count, &sink);
		cr_expect_str_eq(sink.buffer, expected, "%s, literal %d: %s, not %s", row->what,
				 is_literal, sink.buffer, expected);
		resolve_one(&fixture, row, i / ARRAY_SIZE(rows) % 2, &frames);
		write_frames(&fixture.resolved.places, frames.at, frames.count, &sink);
		merge_unmapped(expected, &merged);
		cr_expect_str_eq(sink.buffer, merged.buffer,
				 "%s, literal %d, as a stack: %s, not %s", row->what, is_literal,
				 sink.buffer, merged.buffer);
	}
	sink_deinit(&sink);
	sink_deinit(&merged);
	vec_free(&frames);
	end(&fixture);
}

Test(resolve, chains)
{
	expect_rows(false);
	assert_no_leaks();
}

Test(resolve, chains_as_perf_has_them)
{
	expect_rows(true);
}

/* One address has a different location in each of three states of its process and the kernel. */
Test(resolve, what_is_remembered_is_of_its_state)
{
	static const uint64_t ips[] = { 0x1100 };
	struct location_list frames = { 0 };
	struct fixture fixture;
	struct callchain_key keys[4];
	static const char *const expected[4] = { "app+500", "old+100", "none+1100", "old+100" };
	struct sink sink;

	begin(&fixture, false);
	sink_init_memory(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = fixture.key;
	keys[1].space = SPACE_EMPTY;
	keys[2].space = keys[2].replaced_space = SPACE_EMPTY;
	keys[3].space = fixture.key.replaced_space;
	for (size_t i = 0; i < 3 * ARRAY_SIZE(keys); i++) {
		frames.count = 0;
		resolver_callchain(&fixture.resolver, &keys[i % 4], ips, 1, &frames);
		write_frames(&fixture.resolved.places, frames.at, 1, &sink);
		cr_expect_str_eq(sink.buffer, expected[i % 4]);
	}
	/* If the mode is unknown, the kernel's mappings at that time decide. */
	for (int i = 0; i < 4; i++) {
		static const uint64_t kernel_ip = KERNEL_TEXT + 8;

		fixture.key.entry_kind = ENTRY_UNKNOWN;
		keys[0] = fixture.key;
		if (i % 2)
			keys[0].kernel_space = SPACE_EMPTY;
		frames.count = 0;
		resolver_callchain(&fixture.resolver, &keys[0], &kernel_ip, 1, &frames);
		write_frames(&fixture.resolved.places, frames.at, 1, &sink);
		cr_expect_str_eq(sink.buffer, i % 2 ? "none+ffffffff81000008" : "kernel+8");
	}
	sink_deinit(&sink);
	vec_free(&frames);
	end(&fixture);
}

/* Numbers the locations of two workers together. */
static void use_common_ids(struct location_parts *parts, struct fixture fixtures[2])
{
	location_parts_init(parts, 2);
	for (size_t i = 0; i < 2; i++)
		location_parts_divide(parts, i, &fixtures[i].resolved.places);
	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++)
		location_parts_number(parts, i);
	for (size_t i = 0; i < 2; i++)
		resolved_renumber(&fixtures[i].resolved, location_parts_collect(parts, i)->at);
}

/* The locations of two workers are numbered together. */
Test(resolve, merging_renumbers)
{
	static const uint64_t chain[][2] = { { 0x1100, 0x1200 }, { 0x3010, 0x1200 } };
	struct location_parts parts;
	struct locations all;
	location_id *ids;
	struct fixture fixtures[2];
	struct callchains chains;
	struct sink sink;

	locations_init(&all);
	sink_init_memory(&sink);
	for (int i = 0; i < 2; i++) {
		struct resolved *resolved = &fixtures[i].resolved;

		begin(&fixtures[i], false);
		callchains_init(&chains);
		callchains_add(&chains, &fixtures[i].key, chain[i], 2, 5, 0);
		callchains_add(&chains, &fixtures[i].key, chain[i], 0, 7, 1);
		callchains_add(&chains, &fixtures[i].key, chain[i], 2, 6, 2);
		resolve_all(&fixtures[i], &chains);
		callchains_deinit(&chains);
		cr_assert_eq(resolved->stacks.count, 2);
		cr_expect_eq(resolved->stacks.at[0].sample_count, 2);
		cr_expect_eq(resolved->stacks.at[0].period_sum, 11);
		cr_expect_eq(resolved->stacks.at[1].callers, CALLERS_NONE);
		cr_expect_eq(resolved->stacks.at[1].leaf.i, LOCATION_NONE.i);
	}
	use_common_ids(&parts, fixtures);
	ids = location_parts_take(&parts, &all, 2);
	cr_expect_eq(all.rows.count, 3);
	for (int i = 0; i < 2; i++) {
		const struct resolved *resolved = &fixtures[i].resolved;
		location_id frame;

		frame = ids[resolved->callers.locations.at[resolved->stacks.at[0].callers].i];
		write_frames(locations_places(&all), &frame, 1, &sink);
		cr_expect_str_eq(sink.buffer, "app+600r");
		frame = ids[resolved->stacks.at[0].leaf.i];
		write_frames(locations_places(&all), &frame, 1, &sink);
		cr_expect_str_eq(sink.buffer, i ? "libc+10" : "app+500");
		end(&fixtures[i]);
	}
	sink_deinit(&sink);
	memory_free(ids);
	location_parts_deinit(&parts);
	locations_deinit(&all);
	assert_no_leaks();
}

/* The next callers of the batch get the room of unusable ones. */
Test(resolve, unusable_callchains_leave_nothing_behind)
{
	static const uint64_t known[] = { 0x3010, 0x1200 };
	static const uint64_t unusable[] = { 0x3010, 0x1100, CALLCHAIN_MARKER_FIRST };
	struct location_list frames = { 0 };
	struct callchains chains;
	struct fixture fixture;
	struct resolved *resolved = &fixture.resolved;
	struct sink sink;

	begin(&fixture, true);
	sink_init_memory(&sink);
	callchains_init(&chains);
	callchains_add(&chains, &fixture.key, unusable, 3, 1, 0);
	callchains_add(&chains, &fixture.key, known, 2, 1, 1);
	resolve_all(&fixture, &chains);
	cr_assert_eq(resolved->stacks.count, 2);
	list_frames(resolved, &resolved->stacks.at[0], &frames);
	cr_expect_eq(frames.count, 0);
	list_frames(resolved, &resolved->stacks.at[1], &frames);
	write_frames(&resolved->places, frames.at, frames.count, &sink);
	cr_expect_str_eq(sink.buffer, "app+600r libc+10");
	callchains_deinit(&chains);
	sink_deinit(&sink);
	vec_free(&frames);
	end(&fixture);
	assert_no_leaks();
}

/* A callchain of `depth` return addresses; those from the innermost `apart` on are shared. */
static uint32_t make_deep(uint64_t *ips, uint32_t depth, uint32_t apart, uint32_t variant)
{
	ips[0] = 0x3010;
	for (uint32_t i = 1; i <= depth; i++)
		ips[i] = 0x1000 + 0x10 * i + (i <= apart ? variant : 0);
	return depth + 1;
}

/* However many outer entries callchains share, and in whichever order and batch they come. */
Test(resolve, shared_callers_are_those_of_each_callchain)
{
	enum {
		DEPTH = 40,
		VARIANTS = 5
	};
	struct location_list frames = { 0 }, expected = { 0 };
	struct fixture fixture;
	struct resolved *resolved = &fixture.resolved;
	size_t count = 0;

	begin(&fixture, false);
	for (uint32_t i = 0; i < DEPTH * VARIANTS; i++) {
		uint32_t depth = 1 + i * 7 % DEPTH;
		uint64_t ips[DEPTH + 1];
		uint32_t ip_count = make_deep(ips, depth, i * 3 % (depth + 1), i % VARIANTS);

		stack_resolver_add(&fixture.stacks, &fixture.key, ips, ip_count, 1, i, i);
	}
	stack_resolver_flush(&fixture.stacks);
	cr_assert_gt(resolved->stacks.count, DEPTH);
	for (uint32_t i = 0; i < DEPTH * VARIANTS; i++) {
		uint32_t depth = 1 + i * 7 % DEPTH;
		uint64_t ips[DEPTH + 1];
		uint32_t ip_count = make_deep(ips, depth, i * 3 % (depth + 1), i % VARIANTS);

		expected.count = 0;
		resolver_callchain(&fixture.resolver, &fixture.key, ips, ip_count, &expected);
		for (size_t k = 0; k < resolved->stacks.count; k++) {
			list_frames(resolved, &resolved->stacks.at[k], &frames);
			if (frames.count == expected.count &&
			    memcmp(frames.at, expected.at, frames.count * sizeof(*frames.at)) ==
				    0) {
				count++;
				break;
			}
		}
	}
	cr_expect_eq(count, DEPTH * VARIANTS);
	cr_expect_lt(resolved->callers.locations.count, DEPTH * VARIANTS * DEPTH / 3);
	vec_free(&frames);
	vec_free(&expected);
	end(&fixture);
	assert_no_leaks();
}

/* Known callers are of their kind, and of their address space. */
Test(resolve, known_callers_are_of_their_state)
{
	static const struct {
		enum entry_kind kind;
		uint64_t ips[6];
		const char *expected;
		bool is_other_space, is_other_replaced_space, is_other_kernel_space;
	} cases[] = {
		{ ENTRY_USER, { 0x3010, 0x1100, 0x1200 }, "app+600r app+500r libc+10", 0, 0, 0 },
		{ ENTRY_USER, { 0x3010, 0x1100, 0x1200 }, "old+200r old+100r old+2010", 1, 0, 0 },
		{ ENTRY_KERNEL,
		  { KERNEL_TEXT + 8, CALLCHAIN_USER, 0x1100, 0x1200 },
		  "app+600r app+500 kernel+8",
		  0,
		  0,
		  0 },
		{ ENTRY_KERNEL,
		  { KERNEL_TEXT + 8, CALLCHAIN_USER, 0x5000, 0x1200 },
		  "app+600r old+4000 kernel+8",
		  0,
		  0,
		  0 },
		{ ENTRY_KERNEL,
		  { KERNEL_TEXT + 8, CALLCHAIN_USER, 0x5000, 0x1200 },
		  "app+600r none+0 kernel+8",
		  0,
		  1,
		  0 },
		{ ENTRY_KERNEL,
		  { KERNEL_TEXT + 8, KERNEL_TEXT + 16 },
		  "kernel+10r kernel+8",
		  0,
		  0,
		  0 },
		{ ENTRY_KERNEL,
		  { KERNEL_TEXT + 8, KERNEL_TEXT + 16, CALLCHAIN_USER, 0x1100, 0x1200 },
		  "app+600r app+500 kernel+10r kernel+8",
		  0,
		  0,
		  0 },
		/* A small return address is not the number of a replaced space. */
		{ ENTRY_USER,
		  { 0x3010, 1, 0x5000, 0x1200 },
		  "app+600r none+0 none+0 libc+10",
		  0,
		  0,
		  0 },
		{ ENTRY_KERNEL,
		  { KERNEL_TEXT + 8, KERNEL_TEXT + 16 },
		  "kernel?+10r kernel?+8",
		  0,
		  0,
		  1 },
	};
	struct location_list frames = { 0 };
	struct fixture fixture;
	struct sink sink;

	begin(&fixture, false);
	sink_init_memory(&sink);
	for (size_t i = 0; i < 3 * ARRAY_SIZE(cases); i++) {
		size_t at = i % ARRAY_SIZE(cases);
		struct callchain_key key = fixture.key;
		uint32_t count = 0;

		key.entry_kind = cases[at].kind;
		if (cases[at].is_other_space)
			key.space = fixture.key.replaced_space;
		if (cases[at].is_other_replaced_space)
			key.replaced_space = SPACE_EMPTY;
		while (count < ARRAY_SIZE(cases[at].ips) && cases[at].ips[count])
			count++;
		if (cases[at].is_other_kernel_space)
			key.kernel_space = SPACE_EMPTY;
		fixture.resolved.stacks.count = 0;
		stack_resolver_add(&fixture.stacks, &key, cases[at].ips, count, 1, 1, 0);
		stack_resolver_flush(&fixture.stacks);
		list_frames(&fixture.resolved, &fixture.resolved.stacks.at[0], &frames);
		write_frames(&fixture.resolved.places, frames.at, frames.count, &sink);
		cr_expect_str_eq(sink.buffer, cases[at].expected, "row %zu: %s", at, sink.buffer);
	}
	sink_deinit(&sink);
	vec_free(&frames);
	end(&fixture);
	assert_no_leaks();
}
