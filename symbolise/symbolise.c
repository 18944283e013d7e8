/* SPDX-License-Identifier: MIT */
#include "symbolise/symbolise.h"

#include <stdatomic.h>

#include "base/workers.h"
#include "object/debuginfod.h"
#include "symbolise/demangle/demangle_service.h"
#include "symbolise/jit/map_owners.h"
#include "symbolise/reading_reserve.h"
#include "symbolise/root_service.h"
#include "symbolise/source.h"

static const struct symbol_source *const sources[] = {
	&kernel_source, &file_source, &perf_map_source, &ksymbol_source, &jitdump_source,
};

/* The working data of a call of symbolise. */
struct plan {
	struct naming_context context;
	struct naming *namings; /* sorted by module; modules of a joint source are adjacent */
	size_t naming_count;
	struct map_owners map_owners;
	uint32_t *locations; /* rows of locations, by module */
	uint32_t *first;     /* each module's first row of locations; one more entry at the end */
	struct naming_result *results; /* parallel to locations */
	VEC(struct naming_job) jobs;
	struct reading_reserve reserve;
	atomic_size_t done_count; /* finished jobs */
};

/* The source for modules of this kind, or NULL if such code has no names. */
static const struct symbol_source *source_of(enum module_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		for (size_t k = 0; k < sources[i]->kind_count; k++)
			if (sources[i]->kinds[k] == kind)
				return sources[i];
	return NULL;
}

/* Sorts the locations by module (counting sort). */
static void sort_by_module(struct plan *plan)
{
	const struct locations *locations = plan->context.locations;
	size_t module_count = plan->context.modules->rows.count;

	plan->first = memory_zalloc(module_count + 2, sizeof(*plan->first));
	plan->locations = memory_alloc(locations->rows.count, sizeof(*plan->locations));
	plan->results = memory_zalloc(locations->rows.count, sizeof(*plan->results));
	for (size_t i = 0; i < locations->rows.count; i++)
		plan->first[locations->rows.at[i].module.i + 2]++;
	for (size_t i = 2; i < module_count + 2; i++)
		plan->first[i] += plan->first[i - 1];
	/* first[m + 1] advances from the start of module m to its end. */
	for (size_t i = 0; i < locations->rows.count; i++)
		plan->locations[plan->first[locations->rows.at[i].module.i + 1]++] = (uint32_t)i;
	plan->context.by_module = plan->locations;
	plan->context.first_of_module = plan->first;
}

static bool is_asked_for(const struct plan *plan, size_t module)
{
	const struct module *row = &plan->context.modules->rows.at[module];

	/*
	 * Return addresses may have shown that the file is a different one. A search for data must
	 * not replace this result.
	 */
	if (plan->context.options->wants_data && row->match == MATCH_MISMATCHED)
		return false;
	return plan->first[module + 1] > plan->first[module];
}

static void add_naming(struct plan *plan, size_t module, struct naming *naming)
{
	const struct module *row = &plan->context.modules->rows.at[module];
	uint32_t first = plan->first[module];

	*naming = (struct naming){
		.module = row,
		.path = strings_get(plan->context.strings, row->path),
		.locations = plan->locations + first,
		.count = plan->first[module + 1] - first,
		.results = plan->results + first,
	};
}

static void add_job(struct plan *plan, const struct symbol_source *source, struct naming *namings,
		    size_t count)
{
	vec_push(&plan->jobs, (struct naming_job){
				      .context = &plan->context,
				      .source = source,
				      .namings = namings,
				      .count = count,
			      });
	arena_init(&plan->jobs.at[plan->jobs.count - 1].arena);
	mangled_names_init(&plan->jobs.at[plan->jobs.count - 1].mangled);
}

static void make_jobs(struct plan *plan)
{
	size_t module_count = plan->context.modules->rows.count;
	struct naming *next;

	plan->namings = next = memory_alloc(module_count, sizeof(*plan->namings));
	for (size_t s = 0; s < ARRAY_SIZE(sources); s++) {
		struct naming *begin = next;

		for (size_t i = 0; i < module_count; i++) {
			if (!is_asked_for(plan, i) ||
			    source_of(plan->context.modules->rows.at[i].kind) != sources[s])
				continue;
			add_naming(plan, i, next++);
			if (!sources[s]->is_joint)
				add_job(plan, sources[s], next - 1, 1);
		}
		if (sources[s]->is_joint && next > begin)
			add_job(plan, sources[s], begin, (size_t)(next - begin));
	}
	plan->naming_count = (size_t)(next - plan->namings);
}

static size_t location_count(const struct naming_job *job)
{
	size_t count = 0;

	for (size_t i = 0; i < job->count; i++)
		count += job->namings[i].count;
	return count;
}

/* The longest jobs come first, so that no thread works on a long job alone at the end. */
static int compare_jobs(const void *a, const void *b)
{
	const struct naming_job *left = a;
	const struct naming_job *right = b;
	size_t left_count = location_count(left);
	size_t right_count = location_count(right);

	if (left_count != right_count)
		return left_count > right_count ? -1 : 1;
	return left->namings < right->namings ? -1 : left->namings > right->namings;
}

static void sort_jobs(struct plan *plan)
{
	if (plan->jobs.count)
		qsort(plan->jobs.at, plan->jobs.count, sizeof(*plan->jobs.at), compare_jobs);
	for (size_t i = 0; i < plan->jobs.count; i++)
		plan->jobs.at[i].number = i;
}

static void tell_step(const struct plan *plan, size_t done_count)
{
	const struct symbolise_options *options = plan->context.options;

	if (options->on_step)
		options->on_step(options->step_context, "naming", done_count, plan->jobs.count);
}

static void run_job(void *context, size_t index)
{
	struct plan *plan = context;
	struct naming_job *job = &plan->jobs.at[index];

	tell_step(plan, atomic_load(&plan->done_count));
	job->source->run(job);
	reading_reserve_pass(&plan->reserve, index);
	tell_step(plan, atomic_fetch_add(&plan->done_count, 1) + 1);
}

const struct service_kind *const symbolise_service_kinds[] = {
	&dwarf_service_kind,
	&demangle_service_kind,
	&root_service_kind,
	NULL,
};

const struct service_kind *const symbolise_rootless_kinds[] = {
	&dwarf_service_kind,
	&demangle_service_kind,
	NULL,
};

/* Names that stay mangled are usable, so a failure only adds a note. */
static void demangle_all(struct plan *plan, struct arena *arena, struct modules *modules,
			 struct strings *strings)
{
	const struct symbolise_options *options = plan->context.options;
	struct mangled_names **jobs =
		memory_alloc(plan->jobs.count, sizeof(struct mangled_names *));
	size_t failed_count;
	struct error err;

	for (size_t i = 0; i < plan->jobs.count; i++)
		jobs[i] = &plan->jobs.at[i].mangled;
	failed_count = mangled_names_demangle(jobs, plan->jobs.count, options->demangler,
					      options->thread_count, arena, &err);
	if (failed_count)
		vec_push(&modules->notes,
			 strings_intern_text(
				 strings,
				 arena_format(arena, "%zu %s mangled: %s", failed_count,
					      failed_count == 1 ? "name stays" : "names stay",
					      err.text)));
	memory_free(jobs);
}

static str_id intern(struct strings *strings, struct text text)
{
	return strings_intern(strings, text.length ? text.at : "", text.length);
}

static void copy_searched_paths(struct naming *naming, struct modules *modules,
				struct module *module, struct strings *strings)
{
	module->searched_first = (uint32_t)modules->searched_paths.count;
	module->searched_count = (uint32_t)naming->searched_paths.count;
	module->searched_more_count = naming->searched_more_count;
	for (size_t i = 0; i < naming->searched_paths.count; i++)
		vec_push(&modules->searched_paths,
			 (struct searched_path){
				 .path = intern(strings, naming->searched_paths.at[i].path),
				 .match = naming->searched_paths.at[i].match,
				 .reason = intern(strings, naming->searched_paths.at[i].reason),
			 });
	vec_free(&naming->searched_paths);
}

static struct source_line source_line(struct strings *strings, struct text file, uint32_t line)
{
	if (!line)
		return (struct source_line){ STR_EMPTY, 0 };
	return (struct source_line){ intern(strings, file), line };
}

static void take_frames(const struct naming_job *job, const struct naming_result *result,
			struct location *location, struct locations *locations,
			struct strings *strings)
{
	location->inlined_first = (uint32_t)locations->inlined.count;
	for (uint32_t i = 0; i < result->frame_count; i++) {
		const struct naming_frame *frame = &result->frames[i];
		struct source_line at = source_line(strings, frame->file, frame->line);
		struct source_line declared =
			source_line(strings, frame->declared_file, frame->declared_line);

		if (i == 0) {
			location->at = at;
			location->declared = declared;
			continue;
		}
		vec_push(&locations->inlined,
			 (struct inlined){
				 .name = intern(strings,
						mangled_names_shown(&job->mangled, frame->name)),
				 .at = at,
				 .declared = declared,
			 });
		location->inlined_count++;
	}
}

static void take_results(const struct naming_job *job, const struct naming *naming,
			 struct module *module, struct locations *locations,
			 struct strings *strings)
{
	const char *last = NULL;
	str_id name = STR_EMPTY;

	module->match = naming->match;
	module->build_id_proof = naming->proof;
	module->symbol_file = intern(strings, naming->symbol_file);
	module->reason = intern(strings, naming->reason);
	module->inline_reason = intern(strings, naming->inline_reason);
	module->named_count = naming->named_count;
	module->is_stripped = naming->is_stripped;
	module->is_denied = naming->is_denied;
	for (uint32_t i = 0; i < naming->count; i++) {
		const struct naming_result *result = &naming->results[i];
		struct location *location = &locations->rows.at[naming->locations[i]];

		take_frames(job, result, location, locations, strings);
		if (!result->name.at)
			continue;
		if (result->name.at != last)
			name = intern(strings, mangled_names_shown(&job->mangled, result->name));
		last = result->name.at;
		location->is_named = true;
		location->name = name;
		location->symbol_start = result->symbol_start;
	}
}

/*
 * Records the first module whose debug information could not be cached. For other modules, the
 * reason for an uncached table is usually the same.
 */
static void take_cache_note(const struct plan *plan, struct modules *modules,
			    struct strings *strings)
{
	for (size_t i = 0; i < plan->naming_count; i++) {
		struct naming *naming = &plan->namings[i];
		struct arena *arena = &plan->jobs.at[0].arena;

		if (!naming->cache_reason.length)
			continue;
		vec_push(&modules->notes,
			 strings_intern_text(strings, arena_format(arena, "--symbol-cache: %s",
								   naming->cache_reason.at)));
		return;
	}
}

/*
 * Only one thread collects the results, in the order of modules and locations, so that output is
 * deterministic.
 */
static void finish(struct plan *plan, struct modules *modules, struct locations *locations,
		   struct strings *strings)
{
	struct arena names;

	arena_init(&names);
	if (plan->context.options->demangler)
		demangle_all(plan, &names, modules, strings);
	for (size_t i = 0; i < modules->rows.count; i++) {
		struct module *module = &modules->rows.at[i];

		module->location_count = plan->first[i + 1] - plan->first[i];
		if (module->location_count && !source_of(module->kind))
			module->match = MATCH_NO_FILE;
	}
	take_cache_note(plan, modules, strings);
	for (size_t i = 0; i < plan->jobs.count; i++) {
		struct naming_job *job = &plan->jobs.at[i];

		for (size_t k = 0; k < job->count; k++) {
			struct naming *naming = &job->namings[k];
			struct module *module =
				&modules->rows.at[naming->module - modules->rows.at];

			take_results(job, naming, module, locations, strings);
			copy_searched_paths(naming, modules, module, strings);
		}
		arena_deinit(&job->arena);
		mangled_names_deinit(&job->mangled);
	}
	arena_deinit(&names);
}

static void take_notes(const struct plan *plan, struct modules *modules, struct strings *strings)
{
	const struct file_index *index = plan->context.locator.index;
	struct debuginfod *debuginfod = plan->context.options->debuginfod;
	const char *problem = debuginfod ? debuginfod_problem(debuginfod) : NULL;
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < index->notes.count; i++)
		vec_push(&modules->notes,
			 strings_intern_text(strings, arena_format(&arena, "--symbols: %s",
								   index->notes.at[i].at)));
	if (problem)
		vec_push(&modules->notes,
			 strings_intern_text(strings,
					     arena_format(&arena, "--debuginfod: %s", problem)));
	arena_deinit(&arena);
}

void symbolise(struct modules *modules, struct locations *locations, struct strings *strings,
	       const struct symbolise_options *options)
{
	struct plan plan = {
		.context = {
			.modules = modules,
			.locations = locations,
			.strings = strings,
			.options = options,
			.locator = {
				.index = options->index,
				.build_id_cache = options->build_id_cache,
				.uses_host = options->use_host_files,
				.capture_time_s = options->capture_time_s,
				.roots = options->roots,
			},
		},
	};

	map_owners_init(&plan.map_owners);
	plan.context.map_owners = &plan.map_owners;
	/* Drop the results of an earlier call. */
	modules->notes.count = modules->searched_paths.count = 0;
	take_notes(&plan, modules, strings);
	sort_by_module(&plan);
	make_jobs(&plan);
	sort_jobs(&plan);
	reading_reserve_init(&plan.reserve, plan.jobs.count);
	plan.context.reserve = &plan.reserve;
	map_owners_find(&plan.map_owners, &plan.context, plan.namings, plan.naming_count);
	workers_run(options->thread_count ? options->thread_count : 1, plan.jobs.count, run_job,
		    &plan);
	finish(&plan, modules, locations, strings);
	reading_reserve_deinit(&plan.reserve);
	memory_free(plan.namings);
	memory_free(plan.locations);
	memory_free(plan.first);
	memory_free(plan.results);
	vec_free(&plan.jobs);
	map_owners_deinit(&plan.map_owners);
}
