/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <stdatomic.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/workers.h"
#include "object/host_kernel.h"
#include "session/time_span.h"

/* Slices a worker reads before its chains are merged: what bounds the memory of many workers. */
#define ROUND_SLICES 16

/* Their stacks are merged one by one afterwards, which more workers make slower, not faster. */
#define RESOLVERS_MAX 8

struct worker {
	const struct session *session;
	size_t slice_begin, slice_end;
	size_t callers_begin, callers_end;
	struct ingest ingest;
	struct resolved resolved;
	bool failed;
	struct error err;
};

struct workers {
	struct worker *at;
	size_t count;
	size_t resolver_count; /* of the workers, the first */
	struct chains chains;  /* of all, once they have been merged */
	struct strings values; /* that samples are told apart by, of all */
	struct chain_callers_place *callers;
	atomic_uint_fast64_t done_bytes;
};

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Adds the time since *since to a stage, and begins the next. */
static void end_stage(struct session *session, enum session_stage stage, double *since)
{
	double now = now_seconds();

	session->stage_seconds[stage] += now - *since;
	*since = now;
}

const char *session_stage_name(enum session_stage stage)
{
	static const char *const names[STAGE_COUNT] = {
		[STAGE_OPEN] = "open",       [STAGE_STATE] = "state",
		[STAGE_SAMPLES] = "samples", [STAGE_RESOLVE] = "resolve",
		[STAGE_SYMBOLISE] = "names", [STAGE_BUILD] = "build",
	};

	return names[stage];
}

static bool fact_is(const struct profile *profile, enum fact fact, const char *value)
{
	struct text text = profile->facts[fact];

	return text.at && text_is(text, value);
}

/* Machines are cloned with their names, and kernels built anew under the same release. */
static bool ran_another_kernel(const struct profile *profile)
{
	struct build_id host;

	if (!host_kernel_build_id(&host))
		return false;
	for (size_t i = 0; i < profile->modules->rows.count; i++) {
		const struct module *module = &profile->modules->rows.at[i];

		if (module->kind == MODULE_KERNEL && module->build_id.size_bytes &&
		    !build_id_equal(&module->build_id, &host))
			return true;
	}
	return false;
}

/* Files of this machine may name frames only of captures of this machine. */
static bool is_same_host(const struct profile *profile)
{
	struct utsname host;

	return uname(&host) == 0 && fact_is(profile, FACT_HOST, host.nodename) &&
	       fact_is(profile, FACT_OS_RELEASE, host.release) && !ran_another_kernel(profile);
}

static module_id add_module(struct session *session, enum module_kind kind, const char *path)
{
	return modules_intern(session->profile.modules,
			      &(struct module){
				      .kind = kind,
				      .path = strings_intern_text(session->profile.strings, path),
			      });
}

static void note_partial(struct session *session)
{
	char text[sizeof(session->capture.damage.text) + 32];
	struct strings *strings = session->profile.strings;

	if (!session->capture.is_partial)
		return;
	error_text(&session->capture.damage, text, sizeof(text));
	session->profile.partial_reason = strings_text(strings, strings_intern_text(strings, text));
}

/* Whether the capture has what the options ask for. */
static bool check_options(const struct session *session, struct error *err)
{
	const struct profile *profile = &session->profile;
	bool has_branches = !session->options.has_branch_history;

	for (size_t i = 0; i < profile->events.count; i++)
		has_branches |= profile->events.at[i].has_branches &&
				!profile->events.at[i].has_branch_calls;
	if (!has_branches)
		return error_set(err, ERROR_USAGE,
				 "has no branches for --branch-history: they are "
				 "recorded by perf record -b");
	return !session->options.event_name ||
	       profile_has_event(profile, session->options.event_name, err);
}

bool session_open(struct session *session, const char *path, const struct session_options *options,
		  struct error *err)
{
	struct event_sink sink = { .context = &session->state, .take = state_take };
	double since = now_seconds();

	*session = (struct session){ .options = *options };
	if (options->selection) {
		session->selection = *options->selection;
		session->options.selection = &session->selection;
	}
	if (!session->options.thread_count)
		session->options.thread_count = workers_default_count();
	if (!capture_open(&session->capture, path, err))
		return false;
	end_stage(session, STAGE_OPEN, &since);
	profile_init(&session->profile);
	session->profile.input_name =
		strings_intern_text(session->profile.strings, session->capture.input.name);
	session->resolve_modules = (struct resolve_modules){
		.none = add_module(session, MODULE_NONE, ""),
		.kernel = add_module(session, MODULE_KERNEL_MODULE, "[kernel]"),
		.hypervisor = add_module(session, MODULE_SPECIAL, "[hypervisor]"),
		.guest = add_module(session, MODULE_GUEST, "[guest]"),
	};
	state_init(&session->state, &session->profile);
	session->state.timeline.keeps_maps_on_exec = options->uses_perf_names;
	locations_init(&session->locations);
	if (!capture_read_state(&session->capture, &sink, err)) {
		session_close(session);
		return false;
	}
	state_finish(&session->state);
	if (!check_options(session, err)) {
		error_prefix(err, "%s", session->capture.input.name);
		session_close(session);
		return false;
	}
	if (options->selection && !time_span_place(&session->capture, session->options.thread_count,
						   &session->selection, err)) {
		session_close(session);
		return false;
	}
	session->is_same_host = !options->ignores_host && is_same_host(&session->profile);
	note_partial(session);
	end_stage(session, STAGE_STATE, &since);
	return true;
}

void session_close(struct session *session)
{
	vec_free(&session->rows);
	/* All else of it is the caller's. */
	if (session->selection.time_shares.count)
		vec_free(&session->selection.times_ns);
	locations_deinit(&session->locations);
	state_deinit(&session->state);
	profile_deinit(&session->profile);
	capture_close(&session->capture);
}

struct profile session_take_profile(struct session *session)
{
	struct profile profile = session->profile;

	profile_init(&session->profile);
	return profile;
}

struct ingest_options session_ingest_options(const struct session *session, bool one_by_one)
{
	return (struct ingest_options){
		.selection = session->options.selection,
		.grouping = session->options.grouping,
		.weighing = session->options.weighing,
		.keeps_rows = one_by_one,
		.follows_code = session->options.wants_trace,
		/* Who looks at single samples wants to see what was recorded. */
		.is_literal = session->options.uses_perf_names || one_by_one,
		.as_perf = session->options.uses_perf_names,
		.has_branch_history = session->options.has_branch_history,
	};
}

static void workers_init(struct workers *workers, const struct session *session, bool keeps_rows)
{
	size_t slice_count = session->capture.slices.count;
	size_t count = session->options.thread_count;
	struct ingest_options options = session_ingest_options(session, keeps_rows);

	if (count > slice_count)
		count = slice_count ? slice_count : 1;
	atomic_init(&workers->done_bytes, 0);
	chains_init(&workers->chains);
	strings_init(&workers->values);
	workers->count = count;
	workers->resolver_count = count < RESOLVERS_MAX ? count : RESOLVERS_MAX;
	workers->at = memory_zalloc(count, sizeof(*workers->at));
	for (size_t i = 0; i < count; i++) {
		workers->at[i].session = session;
		ingest_init(&workers->at[i].ingest, &session->state, &options);
		resolved_init(&workers->at[i].resolved);
	}
}

static void workers_deinit(struct workers *workers)
{
	for (size_t i = 0; i < workers->count; i++) {
		ingest_deinit(&workers->at[i].ingest);
		resolved_deinit(&workers->at[i].resolved);
	}
	chains_deinit(&workers->chains);
	strings_deinit(&workers->values);
	memory_free(workers->at);
}

static void tell_progress(struct workers *workers, const struct session *session,
			  struct slice slice)
{
	uint64_t done_bytes = atomic_fetch_add(&workers->done_bytes, slice.end - slice.begin);

	if (session->options.on_progress)
		session->options.on_progress(session->options.progress_context, done_bytes,
					     session->capture.input.size_bytes);
}

static void read_samples(void *context, size_t index)
{
	struct workers *workers = context;
	struct worker *worker = &workers->at[index];
	const struct capture *capture = &worker->session->capture;
	struct event_sink sink = { .context = &worker->ingest, .take = ingest_take };

	for (size_t i = worker->slice_begin; i < worker->slice_end && !worker->failed; i++) {
		struct slice slice = capture->slices.at[i];

		worker->failed = !capture_read_samples(capture, slice, &sink, &worker->err);
		tell_progress(workers, worker->session, slice);
	}
	chains_flush(&worker->ingest.chains);
}

void session_init_resolver(const struct session *session, struct locations *locations,
			   struct resolver *resolver)
{
	struct resolve_options options = {
		.selection = session->options.selection,
		.is_literal = session->options.uses_perf_names,
	};

	resolver_init(resolver, locations, &session->state.timeline, session->profile.modules,
		      &session->resolve_modules, &options);
}

static void resolve(void *context, size_t index)
{
	struct workers *workers = context;
	struct worker *worker = &workers->at[index];
	struct resolver resolver;

	session_init_resolver(worker->session, &worker->resolved.locations, &resolver);
	resolve_chains(&worker->resolved, &resolver, &workers->chains,
		       workers->callers + worker->callers_begin,
		       worker->callers_end - worker->callers_begin);
	resolver_deinit(&resolver);
}

static void name_locations(struct session *session)
{
	const char *home = getenv("HOME");
	char cache[4096] = "";
	struct symbolise_options options = {
		.symbol_paths = session->options.symbol_paths,
		.symbol_path_count = session->options.symbol_path_count,
		.build_id_cache = cache,
		.use_host_files = session->is_same_host,
		.capture_time_s = session->capture.input.written_time_s,
		.os_release = session->profile.facts[FACT_OS_RELEASE].at,
		.demangle = !session->options.keeps_mangled_names,
		.fold_suffixes = !session->options.keeps_suffixes,
		.perf_names = session->options.uses_perf_names,
		.thread_count = session->options.thread_count,
	};

	if (home && *home && !session->options.ignores_host)
		snprintf(cache, sizeof(cache), "%s/.debug", home);
	else
		options.build_id_cache = NULL;
	symbolise(session->profile.modules, &session->locations, session->profile.strings,
		  &options);
}

static bool build(struct session *session, struct workers *workers, struct error *err)
{
	struct resolved *resolved[RESOLVERS_MAX];
	struct build_options options = {
		.thread_count = session->options.thread_count,
		.event_name = session->options.event_name,
		.weighing = session->options.weighing,
		.values = &workers->values,
		.is_reversed = session->options.is_reversed,
		.selection = session->options.selection,
		.grouping = session->options.grouping,
		.is_literal = session->options.uses_perf_names,
	};

	for (size_t i = 0; i < workers->resolver_count; i++)
		resolved[i] = &workers->at[i].resolved;
	return build_profile(&session->profile, &session->locations, resolved,
			     workers->resolver_count, &options, err) ||
	       error_prefix(err, "%s", session->capture.input.name);
}

static void merge_tables(void *context, size_t index)
{
	struct workers *workers = context;

	for (size_t i = 0; i < workers->count; i++) {
		struct ingest *ingest = &workers->at[i].ingest;

		if (ingest->values.level_count)
			chain_table_renumber_values(&ingest->chains.tables[index],
						    ingest->values.of_all.at);
		chain_table_merge(&workers->chains.tables[index], &ingest->chains.tables[index]);
	}
}

/*
 * Reads all samples, a round of slices at a time. Workers take the parts of a round in the order of
 * the file and are merged in that order, so chains come in the order of their first sample however
 * many workers there are.
 */
static bool read_all_samples(struct session *session, struct workers *workers, struct error *err)
{
	size_t slice_count = session->capture.slices.count;

	for (size_t begin = 0; begin < slice_count;) {
		size_t left = slice_count - begin;
		size_t round = workers->count * ROUND_SLICES;

		/* A single worker's table is that of the whole. */
		if (round > left || workers->count == 1)
			round = left;
		for (size_t i = 0; i < workers->count; i++) {
			workers->at[i].slice_begin = begin + round * i / workers->count;
			workers->at[i].slice_end = begin + round * (i + 1) / workers->count;
		}
		workers_run(session->options.thread_count, workers->count, read_samples, workers);
		for (size_t i = 0; i < workers->count; i++) {
			if (workers->at[i].failed) {
				*err = workers->at[i].err;
				return false;
			}
		}
		for (size_t i = 0; i < workers->count; i++)
			sample_values_merge(&workers->values, &workers->at[i].ingest.values);
		workers_run(session->options.thread_count, CHAINS_TABLE_COUNT, merge_tables,
			    workers);
		begin += round;
	}
	return true;
}

static void gather_table(void *context, size_t index)
{
	struct workers *workers = context;

	chain_table_gather(&workers->chains.tables[index]);
}

static void resolve_all_chains(struct session *session, struct workers *workers)
{
	size_t count = workers->resolver_count;
	size_t callers_count;

	workers_run(session->options.thread_count, CHAINS_TABLE_COUNT, gather_table, workers);
	workers->callers = chains_order(&workers->chains, &callers_count);
	for (size_t i = 0; i < count; i++) {
		workers->at[i].callers_begin = callers_count * i / count;
		workers->at[i].callers_end = callers_count * (i + 1) / count;
	}
	workers_run(session->options.thread_count, count, resolve, workers);
	memory_free(workers->callers);
	workers->callers = NULL;
	/* From here on the stacks are what matters; the chains were most of the memory. */
	chains_deinit(&workers->chains);
	chains_init(&workers->chains);
	for (size_t i = 0; i < count; i++)
		resolve_merge(&session->locations, &workers->at[i].resolved);
}

/* From the samples to named locations and the stacks over them. */
static bool run_stages(struct session *session, struct workers *workers, struct error *err)
{
	double since = now_seconds();

	if (!read_all_samples(session, workers, err))
		return false;
	for (size_t i = 0; i < workers->count; i++)
		ingest_add_counts(&workers->at[i].ingest, &session->profile);
	end_stage(session, STAGE_SAMPLES, &since);
	resolve_all_chains(session, workers);
	end_stage(session, STAGE_RESOLVE, &since);
	name_locations(session);
	end_stage(session, STAGE_SYMBOLISE, &since);
	return true;
}

bool session_build_profile(struct session *session, struct error *err)
{
	struct workers workers;
	double since;
	bool good;

	workers_init(&workers, session, false);
	good = run_stages(session, &workers, err);
	since = now_seconds();
	good = good && build(session, &workers, err);
	end_stage(session, STAGE_BUILD, &since);
	workers_deinit(&workers);
	return good;
}

static int compare_rows(const void *a, const void *b)
{
	const struct sample_row *left = a;
	const struct sample_row *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

/* A place that holds several samples is visited once. */
static void drop_repeated_rows(struct session *session)
{
	size_t kept = 0;

	for (size_t i = 0; i < session->rows.count; i++)
		if (!kept || session->rows.at[i].offset != session->rows.at[kept - 1].offset)
			session->rows.at[kept++] = session->rows.at[i];
	session->rows.count = kept;
}

bool session_index_samples(struct session *session, struct error *err)
{
	struct workers workers;
	bool good;

	workers_init(&workers, session, true);
	good = run_stages(session, &workers, err);
	for (size_t i = 0; i < workers.count; i++)
		for (size_t k = 0; k < workers.at[i].ingest.rows.count; k++)
			vec_push(&session->rows, workers.at[i].ingest.rows.at[k]);
	if (session->rows.count)
		qsort(session->rows.at, session->rows.count, sizeof(*session->rows.at),
		      compare_rows);
	drop_repeated_rows(session);
	workers_deinit(&workers);
	return good;
}
