/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <time.h>

#include "base/workers.h"
#include "diff/sample_bins.h"
#include "libparse/folded/folded_reader.h"
#include "libparse/text.h"
#include "object/debuginfod.h"
#include "process/mapping_time.h"
#include "profile/exact_functions.h"
#include "profile/selection/choose_event.h"
#include "profile/selection/time_windows.h"
#include "profile/tree/flamegraph_tree.h"
#include "sandbox/lockdown.h"
#include "session/sampling.h"
#include "session/symbol_files.h"
#include "session/task_reader.h"
#include "session/time_span.h"
#include "session/unwinding.h"
#include "symbolise/kernel/host_list.h"
#include "symbolise/prefetch.h"

#define NS_PER_SECOND ((int64_t)1000000000)

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Adds the time since *since to a stage, and sets *since to now. */
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

static module_id add_module(struct session *session, enum module_kind kind, const char *path)
{
	return modules_intern(session->profile.modules,
			      &(struct module){
				      .kind = kind,
				      .path = strings_intern_text(session->profile.strings, path),
			      });
}

static void note_truncation(struct session *session)
{
	char text[sizeof(session->capture.damage.text) + 32];
	struct strings *strings = session->profile.strings;

	if (!session->capture.is_partial)
		return;
	error_text(&session->capture.damage, text, sizeof(text));
	session->profile.partial_reason = strings_text(strings, strings_intern_text(strings, text));
}

/* Checks that the capture and this build support the options. */
static bool check_options(const struct session *session, struct error *err)
{
	const struct profile *profile = &session->profile;
	const struct view *view = &session->view;
	bool has_branches = !view->has_branch_history && !view->has_only_branches;

	if (session->options.wants_wall_clock && !profile->clock.is_known)
		return error_set(err, ERROR_USAGE, "--fields tod: %s", WALL_CLOCK_UNKNOWN);
	if (session_is_text(session)) {
		/* The events of a text are not known before its samples are read. */
		return !view->selection.processes.count ||
		       error_set(err, ERROR_USAGE,
				 "--process requires a perf.data file, because text input contains "
				 "only thread names; use --comm to select by thread name");
	}
	for (size_t i = 0; i < profile->events.count; i++)
		has_branches |= profile->events.at[i].has_branches &&
				!profile->events.at[i].has_branch_calls;
	if (!has_branches)
		return error_set(err, ERROR_USAGE,
				 "has no branch records, which %s requires; record them with perf "
				 "record -b",
				 view->has_only_branches ? "--branches" : "--branch-history");
	if (view_has_lines(view) && !dwarf_helper_is_built_in())
		return error_set(err, ERROR_UNSUPPORTED,
				 "source lines require libdw, but kiln was built without it");
	return !view->event_pattern || profile_has_event(profile, view->event_pattern, err);
}

static void resolve_mapping_times(struct session *session)
{
	const struct capture *capture = &session->capture;
	uint64_t first_ns = session->state.first_ns;
	uint64_t last_ns = session->state.last_ns;

	if (capture->sample_first_ns && (!first_ns || capture->sample_first_ns < first_ns))
		first_ns = capture->sample_first_ns;
	if (capture->sample_last_ns > last_ns)
		last_ns = capture->sample_last_ns;
	mapping_time_set(session->profile.modules,
			 &(struct recording_time){
				 .clock = &session->profile.clock,
				 .first_ns = first_ns,
				 .last_ns = last_ns,
				 .written_ns = capture->input.written_time_ns,
			 });
}

static void prepare_unwinding(struct session *session)
{
	struct symbolise_options options;
	bool needs_unwinding = unwinding_is_needed(&session->profile);
	bool cuts_callchains = session->view.selection.callchain_max && !session_is_text(session);

	if (needs_unwinding || cuts_callchains)
		return_words_search(&session->return_words, &session->capture, &session->state,
				    !needs_unwinding, session->options.thread_count);
	if (!needs_unwinding)
		return;
	/* Annotations count only the sampled address, which does not require unwinding. */
	if (session->options.annotation)
		return;
	options = symbol_files_options(session);
	options.prefetch = session->prefetch = prefetch_create(&options);
	session->unwinding = unwinding_create(&session->state, &session->profile, &options);
}

/* Reads the callback only when called, because it may be set after session_open. */
static void report_download(void *context, const char *name, uint64_t done_bytes,
			    uint64_t total_bytes)
{
	const struct session *session = context;

	if (session->options.on_download)
		session->options.on_download(session->options.progress_context, name, done_bytes,
					     total_bytes);
}

static void stop_readers(struct session *session)
{
	if (!session->options.readers)
		service_stop(&session->service);
}

/* Forks the debug information process before any thread exists, and opens the capture. */
static bool open_capture(struct session *session, const char *path, struct error *err)
{
	const struct session_options *options = &session->options;
	const struct lockdown_kernel kernel = lockdown_probe();

	if (!session->view.ignores_inlines && options->readers)
		session->service = *options->readers;
	else if (!session->view.ignores_inlines)
		service_start(&session->service, symbolise_service_kinds, &kernel);
	if (capture_open_as(
		    &session->capture, path,
		    &(struct capture_reading){
			    .format = options->format,
			    .format_options = options->format_options,
			    .thread_count = options->thread_count,
			    .space = &session->space,
			    .early = session_begin_tasks(session),
			    .first_formats = options->syscalls ? formats_of_calls
					     : options->log    ? formats_of_logs
							       : NULL,
			    .is_read_once = options->is_read_once && !session->view.has_time_bins &&
					    !selection_needs_placing(&session->view.selection),
		    },
		    err))
		return true;
	early_switches_destroy(session->early_switches);
	stop_readers(session);
	return false;
}

static void init_profile(struct session *session)
{
	const struct text *event = &session->capture.default_event;
	struct profile *profile = &session->profile;

	profile_init(profile);
	profile->default_event = strings_intern(profile->strings, event->at, event->length);
	profile->is_counted = session->capture.format->has_counters;
	/* The value of a counter does not show how many samples there were. */
	profile->lacks_sample_counts = session->capture.lacks_sample_counts || profile->is_counted;
	profile->input_name = strings_intern_text(profile->strings, session->capture.input.name);
	session->resolve_modules = (struct resolve_modules){
		.none = add_module(session, MODULE_NONE, ""),
		.kernel = add_module(session, MODULE_KERNEL_MODULE, "[kernel]"),
		.hypervisor = add_module(session, MODULE_SPECIAL, "[hypervisor]"),
		.guest = add_module(session, MODULE_GUEST, "[guest]"),
		.truncated = add_module(session, MODULE_MARK, "[truncated]"),
	};
}

static void init_parts(struct session *session)
{
	const struct session_options *options = &session->options;

	process_state_init(&session->state, session->profile.strings, session->profile.modules);
	session->state.memory_bytes_max =
		options->memory_bytes ? options->memory_bytes : memory_default_limit();
	session->state.keeps_switches = options->pairing && options->pairing->reads_records;
	session->state.history.keeps_maps_on_exec = session->view.naming.uses_perf_names;
	session->state.history.keeps_data =
		options->reads_memory && memory_by_has_address(options->memory_by);
	locations_init(&session->locations);
	locations_init(&session->data_locations);
	tracks_init(&session->tracks);
	jit_dumps_init(&session->jit_dumps);
	session->roots = root_service_roots(options->readers);
	file_index_init(&session->symbol_files);
	session->symbol_files.space = &session->space;
	bundle_manifest_init(&session->manifest, session->capture.input.name,
			     &session->capture.contents);
	return_words_init(&session->return_words);
	text_samples_init(&session->text);
	offcpu_init(&session->offcpu);
	annotation_init(&session->annotation);
}

/* Reads all records except samples. */
static bool read_state(struct session *session, struct error *err)
{
	struct event_sink sink = {
		.context = &session->state,
		.on_event = process_state_on_event,
		.check_memory = process_state_check_memory,
	};

	if (!capture_read_state(&session->capture, &sink, err))
		return false;
	process_state_end_events(&session->state);
	profile_begin(&session->profile, &session->state);
	symbol_files_find(session);
	process_state_finish(&session->state);
	/* The numbers of processes, threads and dropped mappings are known only now. */
	session->profile.losses[LOSS_MAPPINGS] = session->state.losses[LOSS_MAPPINGS];
	session->profile.process_count = session->state.history.processes.rows.count;
	session->profile.thread_count = session->state.history.threads.rows.count;
	if (session->options.clock.is_known)
		session->profile.clock = session->options.clock;
	resolve_mapping_times(session);
	return true;
}

/*
 * Copies the list of times, because the session converts them to the capture's clock, or to
 * windows.
 */
static void own_times(struct session *session)
{
	selection_ranges *times_ns = &session->view.selection.times_ns;
	const selection_ranges given = *times_ns;

	*times_ns = (selection_ranges){ 0 };
	for (size_t i = 0; i < given.count; i++)
		vec_push(times_ns, given.at[i]);
}

/* Checks the options, and resolves --time. */
static bool apply_options(struct session *session, struct error *err)
{
	if (!check_options(session, err))
		return error_prefix(err, "%s", session->capture.input.name);
	return time_span_resolve_selection(&session->capture, session->options.thread_count,
					   &session->profile.clock, &session->view.selection,
					   &session->around, err);
}

bool session_open(struct session *session, const char *path, const struct session_options *options,
		  struct error *err)
{
	double since = now_seconds();

	*session = (struct session){
		.options = *options,
		.view = options->view ? *options->view : view_default,
		.service = { .socket = -1 },
		.space = { .limit_bytes = options->spool_limit_bytes },
	};
	if (!session->options.thread_count)
		session->options.thread_count = workers_default_count();
	if (!open_capture(session, path, err))
		return false;
	own_times(session);
	session->view.naming.has_exact_comms = session->capture.format->has_exact_comms;
	end_stage(session, STAGE_OPEN, &since);
	selection_tally_init(&session->tally);
	init_profile(session);
	init_parts(session);
	if (!read_state(session, err) || !apply_options(session, err)) {
		session_close(session);
		return false;
	}
	if (options->debuginfod)
		session->debuginfod =
			debuginfod_create(options->debuginfod, report_download, session);
	prepare_unwinding(session);
	session->profile.lacks_narrow = session->capture.lacks_narrow;
	note_truncation(session);
	end_stage(session, STAGE_STATE, &since);
	return true;
}

void session_close(struct session *session)
{
	vec_free(&session->rows);
	vec_free(&session->module_shares);
	vec_free(&session->file_shares);
	timeline_deinit(&session->timeline);
	lanes_deinit(&session->lanes);
	tracks_deinit(&session->tracks);
	task_stats_deinit(&session->tasks);
	syscall_stats_deinit(&session->syscalls);
	branch_stats_deinit(&session->branches);
	memory_stats_deinit(&session->memory);
	locations_deinit(&session->data_locations);
	log_stats_deinit(&session->log);
	annotation_deinit(&session->annotation);
	time_windows_deinit(&session->lane_windows);
	offcpu_deinit(&session->offcpu);
	/* All other lists in the view belong to the caller. */
	vec_free(&session->view.selection.times_ns);
	vec_free(&session->around.rows);
	unwinding_destroy(session->unwinding);
	prefetch_destroy(session->prefetch);
	host_list_destroy(session->host_list);
	debuginfod_destroy(session->debuginfod);
	locations_deinit(&session->locations);
	jit_dumps_deinit(&session->jit_dumps);
	bundle_manifest_deinit(&session->manifest);
	file_index_deinit(&session->symbol_files);
	text_samples_deinit(&session->text);
	return_words_deinit(&session->return_words);
	selection_tally_deinit(&session->tally);
	process_state_deinit(&session->state);
	profile_deinit(&session->profile);
	capture_close(&session->capture);
	early_switches_destroy(session->early_switches);
	stop_readers(session);
}

struct profile session_take_profile(struct session *session)
{
	struct profile profile = session->profile;

	profile_init(&session->profile);
	return profile;
}

struct ingest_options session_ingest_options(const struct session *session, bool one_by_one)
{
	const struct offcpu *offcpu = &session->offcpu;

	return (struct ingest_options){
		.time_bins = session->time_bins.count ? &session->time_bins : NULL,
		.intervals = offcpu->has_intervals ? &offcpu->pairing.intervals : NULL,
		.windows = offcpu->windows.is_limited ? &offcpu->windows : NULL,
		.has_measured_waits = offcpu->has_measured_waits,
		.has_switch_event = offcpu->has_switch_event,
		.switch_event = offcpu->switch_event,
		.has_durations = offcpu->groups_by_duration,
		.keeps_rows = one_by_one,
		.follows_code = session->options.wants_trace,
		.starts_at_ip = session->options.annotation || session->options.reads_memory,
		.is_literal =
			session->view.naming.uses_perf_names || session->options.shows_recorded,
	};
}

void session_init_resolver(const struct session *session, struct places *places,
			   size_t callchain_count, struct resolver *resolver)
{
	struct resolve_options options = {
		.callchain_count = callchain_count,
		.view = &session->view,
	};

	if (session->offcpu.has_intervals)
		options.links = wakers_callchains(&session->offcpu.pairing.wakers);
	resolver_init(resolver, places, &session->state.history, session->profile.modules,
		      &session->resolve_modules, &options);
}

static bool build(struct session *session, struct sampling *sampling,
		  const struct exact_functions *functions, struct error *err)
{
	struct resolved **resolved = memory_alloc(sampling->count, sizeof(*resolved));
	struct build_options options = {
		.thread_count = session->options.thread_count,
		.values = &sampling->values,
		.functions = functions,
		.time_bins = &session->time_bins,
		.event_name = session->offcpu.event_name,
		.weight_name = session->offcpu.weight_name,
		.scale = session->offcpu.has_wait_sums ? wait_sums_scale : NULL,
		.scale_context = &session->offcpu.wait_sums,
	};
	bool good;

	for (size_t i = 0; i < sampling->count; i++)
		resolved[i] = &sampling->at[i].resolved;
	good = build_profile(&session->profile, &session->locations, resolved, sampling->count,
			     &session->view, &options, err) ||
	       error_prefix(err, "%s", session->capture.input.name);
	memory_free(resolved);
	return good;
}

/* Parses the texts of all samples. */
static bool parse_frames(struct session *session, struct exact_functions *functions,
			 struct error *err)
{
	bool good;

	if (functions && view_is_whole(&session->view))
		exact_functions_read(functions, &session->capture, session->profile.strings,
				     &session->text.frames);
	good = text_samples_finish(&session->text, session->capture.format->read_frame,
				   session->capture.reader, &session->profile, &session->locations,
				   session->resolve_modules.kernel, err) ||
	       error_prefix(err, "%s", session->capture.input.name);
	if (good && functions)
		exact_functions_locate(functions, session->text.of_frames.at);
	return good;
}

static void add_counts(struct session *session, const struct ingest *ingest)
{
	ingest_add_counts(ingest, &session->profile);
	session->offcpu.pairing.counts.timeless += ingest->timeless_count;
	selection_tally_merge(&session->tally, &ingest->tally);
}

/* Reads all samples, and parses the texts of text formats. functions may be NULL. */
static bool read_samples(struct session *session, struct sampling *sampling,
			 struct exact_functions *functions, struct error *err)
{
	if (!sampling_read(sampling, session, err))
		return false;
	session->profile.time_faults = sampling->order.faults;
	for (size_t i = 0; i < sampling->count; i++) {
		add_counts(session, &sampling->at[i].ingest);
		single_intervals_add(&sampling->at[i].singles, &session->profile);
	}
	single_intervals_finish(&session->profile);
	/* Whether a stream is truncated is known only at its end. */
	note_truncation(session);
	session->profile.first_skipped_line = session->capture.first_skipped_line;
	if (sampling->first_skipped_offset != UINT64_MAX && !session->capture.stream)
		session->profile.first_skipped_line =
			text_line_number(&session->capture.input, sampling->first_skipped_offset);
	return !session_is_text(session) || parse_frames(session, functions, err);
}

/*
 * Reading the samples of a smaller capture takes less time than reading the list, for which the end
 * of the session would wait even if no sample is in the kernel.
 */
#define HOST_LIST_INPUT_BYTES ((uint64_t)64 << 20)

static void begin_host_list(struct session *session)
{
	struct symbolise_options options = symbol_files_options(session);

	if (!session->host_list && !session->view.selection.user_only &&
	    session->capture.input.size_bytes >= HOST_LIST_INPUT_BYTES)
		session->host_list = host_list_begin(session->profile.modules, &options);
}

/*
 * Converts samples to symbolised locations, and to stacks of these locations. functions may be
 * NULL.
 */
static bool run_stages(struct session *session, struct sampling *sampling,
		       struct exact_functions *functions, struct error *err)
{
	double since = now_seconds();

	begin_host_list(session);
	if (!read_samples(session, sampling, functions, err))
		return false;
	prefetch_start(session->prefetch);
	if (!sampling->keeps_rows)
		sampling_end_unwinding(sampling, session);
	end_stage(session, STAGE_SAMPLES, &since);
	sampling_resolve(sampling, session);
	end_stage(session, STAGE_RESOLVE, &since);
	if (session->options.wants_module_shares)
		module_shares_sum(session, sampling);
	if (session->options.touches_all_modules)
		symbol_files_touch_all(session);
	if (!session_is_text(session))
		session_symbolise(session, &session->locations);
	offcpu_name_locations(&session->offcpu, &session->resolve_modules, &session->profile,
			      &session->locations);
	end_stage(session, STAGE_SYMBOLISE, &since);
	return true;
}

/*
 * Whether the profile shows a difference: folded stacks with two counts, which are read as two
 * events. Other formats, such as SVGs, can have such events, too, but not such lines. Must be
 * called after run_stages, which finds the events.
 */
static bool shows_difference(const struct session *session)
{
	const struct profile *profile = &session->profile;

	return session->options.shows_difference && !session->view.event_pattern &&
	       session->capture.format == &folded_format && profile->events.count == 2 &&
	       text_is(strings_get(profile->strings, profile->events.at[0].name), "after") &&
	       text_is(strings_get(profile->strings, profile->events.at[1].name), "before");
}

/*
 * Copies what the profile records about the reading of the input: what was lost or skipped, and
 * whether the input is truncated.
 */
static void keep_losses(struct profile *profile, const struct profile *from)
{
	memcpy(profile->losses, from->losses, sizeof(profile->losses));
	profile->first_skipped_line = from->first_skipped_line;
	if (from->partial_reason)
		profile->partial_reason =
			strings_text(profile->strings,
				     strings_intern_text(profile->strings, from->partial_reason));
}

/*
 * Builds the same tree as flamegraph.pl, because users compare the SVGs. The profile gets new
 * strings, so locations that refer to the old strings must not remain.
 */
static bool build_difference(struct session *session, struct error *err)
{
	const struct flamegraph_tree_options options = {
		.is_reversed = session->view.is_reversed,
		.skips_comments = true,
		.bases = &session->view.selection.bases,
	};
	uint64_t sample_count = session->profile.sample_count;
	struct flamegraph_tree tree;

	if (!flamegraph_tree_read_input(&tree, &session->capture.input, &options, err))
		return error_prefix(err, "%s", session->capture.input.name);
	locations_deinit(&session->locations);
	locations_init(&session->locations);
	keep_losses(&tree.profile, &session->profile);
	profile_deinit(&session->profile);
	session->profile = tree.profile;
	/* If there were samples, but no stack is left, session_has_match explains why. */
	if (!session->profile.stacks.at[0].total)
		session->profile.sample_count = sample_count;
	return true;
}

bool session_build_profile(struct session *session, struct error *err)
{
	struct exact_functions functions = { 0 };
	struct sampling sampling;
	double since = now_seconds();
	bool good;
	bool is_difference;

	if (session->view.has_time_bins &&
	    !sample_bins_find(
		    &(struct sample_bins_source){
			    .capture = &session->capture,
			    .state = &session->state,
			    .profile = &session->profile,
			    .view = &session->view,
			    .ingest = session_ingest_options(session, false),
			    .thread_count = session->options.thread_count,
		    },
		    &session->time_bins, err))
		return false;
	end_stage(session, STAGE_SAMPLES, &since);
	sampling_init(&sampling, session, false);
	good = run_stages(session, &sampling, &functions, err);
	since = now_seconds();
	is_difference = good && shows_difference(session);
	if (good && !is_difference)
		good = build(session, &sampling, &functions, err);
	exact_functions_deinit(&functions);
	sampling_deinit(&sampling);
	if (is_difference)
		good = build_difference(session, err);
	time_span_find_unselected(&session->profile, &session->view.selection);
	end_stage(session, STAGE_BUILD, &since);
	return good;
}

bool session_build_annotation(struct session *session, struct error *err)
{
	struct sampling sampling;
	double since = now_seconds();
	bool good;

	sampling_init(&sampling, session, false);
	good = read_samples(session, &sampling, NULL, err);
	end_stage(session, STAGE_SAMPLES, &since);
	if (good) {
		sampling_end_unwinding(&sampling, session);
		sampling_resolve(&sampling, session);
		end_stage(session, STAGE_RESOLVE, &since);
		good = annotate_stacks(session, &sampling, err);
		end_stage(session, STAGE_SYMBOLISE, &since);
	}
	sampling_deinit(&sampling);
	return good;
}

/* Chooses the event as for a profile of the same view. */
static bool choose_timeline_event(struct session *session, struct error *err)
{
	struct view view = session->view;

	view.grouping.count = 0;
	if (session->options.timeline->by == TIMELINE_BY_EVENT)
		view.grouping = (struct grouping){ .by = { GROUP_EVENT }, .count = 1 };
	return choose_event(&session->profile, &view, err) ||
	       error_prefix(err, "%s", session->capture.input.name);
}

bool session_build_timeline(struct session *session, struct error *err)
{
	struct sampling sampling;
	double since = now_seconds();
	bool good;
	struct timeline_options options = *session->options.timeline;

	options.windows = session->offcpu.windows.is_limited ? &session->offcpu.windows : NULL;
	session->timeline_options = options;
	session->options.timeline = &session->timeline_options;
	timeline_init(&session->timeline, &options, &session->profile);
	sampling_init(&sampling, session, false);
	good = read_samples(session, &sampling, NULL, err);
	for (size_t i = 0; good && i < sampling.count; i++)
		timeline_merge(&session->timeline, &sampling.at[i].timeline);
	sampling_deinit(&sampling);
	end_stage(session, STAGE_SAMPLES, &since);
	return good && choose_timeline_event(session, err);
}

static int compare_rows(const void *a, const void *b)
{
	const struct sample_row *left = a;
	const struct sample_row *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Keeps one row per offset, because all samples at an offset are visited together. */
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
	struct sampling sampling;
	bool good;

	sampling_init(&sampling, session, true);
	good = run_stages(session, &sampling, NULL, err);
	for (size_t i = 0; i < sampling.count; i++)
		for (size_t k = 0; k < sampling.at[i].ingest.rows.count; k++)
			vec_push(&session->rows, sampling.at[i].ingest.rows.at[k]);
	if (session->rows.count)
		qsort(session->rows.at, session->rows.count, sizeof(*session->rows.at),
		      compare_rows);
	drop_repeated_rows(session);
	sampling_deinit(&sampling);
	return good;
}
