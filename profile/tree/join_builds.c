/* SPDX-License-Identifier: MIT */
#include "profile/tree/join_builds.h"

#include "base/arithmetic.h"
#include "profile/frame_table.h"

module_id join_builds_of(struct modules *modules, module_id a, module_id b)
{
	struct module own = *modules_get(modules, a);
	struct module other = *modules_get(modules, b);
	struct module *joined;
	module_id id;

	if (a.i == b.i)
		return a;
	if (!module_is_build_of(&own, &other))
		return (module_id){ 0 };
	id = modules_intern(modules, &(struct module){
					     .path = own.path,
					     .kind = own.kind < other.kind ? own.kind : other.kind,
					     .match = own.match,
				     });
	/* Builds that were joined before may have fewer problems. */
	joined = modules_get(modules, id);
	if (own.match == MATCH_UNVERIFIED || other.match == MATCH_UNVERIFIED)
		joined->match = MATCH_UNVERIFIED;
	if (!joined->reason.i)
		joined->reason = own.reason.i ? own.reason : other.reason;
	if (!joined->inline_reason.i)
		joined->inline_reason =
			own.inline_reason.i ? own.inline_reason : other.inline_reason;
	return id;
}

/*
 * Finds the module that stands for all builds of each path, by str_id of the path. Only modules of
 * frames count. Returns false if each path has one build.
 */
static bool find_modules(const struct profile *profile, module_id *of_path)
{
	bool has_several = false;

	for (size_t i = 0; i < profile->frames.count; i++) {
		module_id id = profile->frames.at[i].module;
		const struct module *module = modules_get(profile->modules, id);
		module_id *joined = &of_path[module->path.i];

		if (!module_has_path(module) || joined->i == id.i)
			continue;
		/* Module 0 has no path. */
		if (!joined->i) {
			*joined = id;
			continue;
		}
		if (!has_several)
			modules_index(profile->modules);
		*joined = join_builds_of(profile->modules, *joined, id);
		has_several = true;
	}
	return has_several;
}

static void renumber(struct profile *profile, const uint32_t *renumbered)
{
	size_t count = profile->exact.functions.count;
	struct function_sum *sums = profile->exact.functions.at;

	for (size_t i = 1; i < profile->stacks.count; i++)
		profile->stacks.at[i].frame.i = renumbered[profile->stacks.at[i].frame.i];
	/* A frame's new number is never larger than its old one. */
	profile->exact.functions.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct function_sum sum = sums[i];

		if (renumbered[i] == profile->exact.functions.count) {
			sums[profile->exact.functions.count++] = sum;
			continue;
		}
		sums[renumbered[i]].self = saturate_add(sums[renumbered[i]].self, sum.self);
		sums[renumbered[i]].total = saturate_add(sums[renumbered[i]].total, sum.total);
	}
}

void join_builds(struct profile *profile)
{
	module_id *of_path = memory_zalloc(profile->strings->rows.count, sizeof(*of_path));
	uint32_t *renumbered;
	struct frame_table table;

	if (!find_modules(profile, of_path)) {
		memory_free(of_path);
		return;
	}
	frame_table_init(&table);
	renumbered = memory_alloc(profile->frames.count, sizeof(*renumbered));
	for (size_t i = 0; i < profile->frames.count; i++) {
		struct frame frame = profile->frames.at[i];
		const struct module *module = modules_get(profile->modules, frame.module);

		if (module_has_path(module))
			frame.module = of_path[module->path.i];
		renumbered[i] = frame_table_intern(&table, &frame);
	}
	renumber(profile, renumbered);
	frame_table_finish(&table, profile);
	frame_table_deinit(&table);
	memory_free(renumbered);
	memory_free(of_path);
}
