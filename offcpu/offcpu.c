/* SPDX-License-Identifier: MIT */
#include "offcpu/offcpu.h"

#include <inttypes.h>

#include "base/scan.h"
#include "offcpu/pairing_plan.h"
#include "offcpu/switch_rows.h"
#include "offcpu/wakers.h"

/*
 * Checks that switch-ins were recorded. If sched_switch was recorded per thread, each sample
 * belongs to the thread that is switched out, so switch-ins are missing.
 */
static bool check_switches_in(const struct pairing_plan *plan, const struct pairing_counts *counts,
			      struct error *err)
{
	return !counts->has_only_switches_out || plan->options.is_forced ||
	       error_set(
		       err, ERROR_USAGE,
		       "records when threads were switched out but not when they were switched "
		       "in, because only some threads were recorded; record all threads with "
		       "perf record -e sched:sched_switch -a -g, or also record switch-ins with "
		       "perf record -e sched:sched_switch --switch-events -T -g, or use --allow-missing-switches "
		       "to show the few complete waits");
}

/* Counts the CPUs without switches, if the capture records how many CPUs there were. */
static uint64_t count_unrecorded_cpus(const struct offcpu_source *source,
				      const struct pairing_plan *plan,
				      const struct pairing_counts *counts)
{
	struct text online = source->profile->facts[FACT_CPUS_ONLINE];
	uint64_t count;

	if (counts->has_only_switches_out || plan->ends_in_records || !plan->id_count ||
	    !online.at || !text_to_u64(online, &count) || count < plan->id_count)
		return 0;
	return count - plan->id_count;
}

/* Returns why times are incomplete or wrong, or NULL. */
static const char *partial_reason(const struct offcpu_source *source,
				  const struct pairing_plan *plan, const struct pairing_rows *rows,
				  const struct pairing_counts *counts)
{
	if (rows->sampled_count || plan->is_sampled)
		return "only some of the events were recorded, so the times are wrong";
	if (counts->has_only_switches_out)
		return "only switches of some threads were recorded, so the times are wrong";
	if (count_unrecorded_cpus(source, plan, counts))
		return "switches on some CPUs were not recorded, so the times are wrong";
	if (counts->lacks_most)
		return "most waits have no beginning or no end, so the times are wrong";
	return NULL;
}

static bool is_text(const struct offcpu_source *source)
{
	return source->capture->format->read_frame;
}

static bool find_intervals(struct offcpu *offcpu, const struct offcpu_source *source,
			   const struct pairing_plan *plan, struct error *err)
{
	struct pairing_result *pairing = &offcpu->pairing;
	struct pairing_rows rows;
	const char *reason;
	const struct switch_source switches = { .capture = source->capture,
						.state = source->state,
						.thread_count = source->thread_count };
	bool good = switch_rows_read(&switches, plan, &rows, err);

	if (good && is_text(source) && !rows.rows.count)
		good = error_set(err, ERROR_USAGE,
				 "has no context switches with times; record with perf record -e "
				 "sched:sched_switch -a -g, and include the time in the output of "
				 "perf script");
	if (good) {
		pairing_run(plan, rows.rows.at, rows.rows.count, &source->state->loss_spans,
			    rows.last_time_ns, pairing);
		pairing->counts.corrupt = rows.corrupt_count;
		good = check_switches_in(plan, &pairing->counts, err);
	}
	reason = partial_reason(source, plan, &rows, &pairing->counts);
	if (reason)
		source->profile->partial_reason = reason;
	pairing_rows_deinit(&rows);
	return good;
}

static module_id add_mark(struct profile *profile, const char *name)
{
	return modules_intern(profile->modules,
			      &(struct module){
				      .kind = MODULE_MARK,
				      .path = strings_intern_text(profile->strings, name),
			      });
}

/* Adds the modules of entries that are not code: interval marks, durations and wakers. */
static void add_mark_modules(struct profile *profile, struct resolve_modules *modules)
{
	for (size_t i = 0; i < INTERVAL_MARK_COUNT; i++)
		modules->marks[i] = add_mark(profile, interval_mark_name((enum interval_mark)i));
	modules->duration = add_mark(profile, "[length]");
	modules->waker = add_mark(profile, "[waker]");
}

static void name_location(const struct offcpu *offcpu, const struct resolve_modules *modules,
			  struct profile *profile, struct location *location)
{
	static const enum location_kind kinds[INTERVAL_MARK_COUNT] = {
		[INTERVAL_PLAIN] = LOCATION_MARK,
		[INTERVAL_RUN_QUEUE] = LOCATION_RUN_QUEUE,
		[INTERVAL_PREEMPTED] = LOCATION_PREEMPTED,
		[INTERVAL_BLOCKED] = LOCATION_BLOCKED,
		[INTERVAL_RUNNING] = LOCATION_MARK,
		[INTERVAL_UNSAMPLED] = LOCATION_MARK,
		[INTERVAL_UNTIL_HERE] = LOCATION_MARK,
		[INTERVAL_UNKNOWN] = LOCATION_MARK,
		[INTERVAL_DISK] = LOCATION_BLOCKED,
	};
	char text[24];

	if (location->module.i == modules->waker.i) {
		location->name = (str_id){ (uint32_t)location->address };
		location->kind = location->name.i == offcpu->pairing.wakers.separator.i
					 ? LOCATION_SEPARATOR
					 : LOCATION_MARK;
	} else if (location->module.i == modules->duration.i) {
		snprintf(text, sizeof(text), "%s%" PRIu64,
			 location->address < INTERVAL_SINGLE ? "" : "@",
			 location->address % INTERVAL_SINGLE);
		location->name = strings_intern_text(profile->strings, text);
		location->kind = LOCATION_MARK;
	}
	for (size_t i = 0; i < INTERVAL_MARK_COUNT; i++) {
		if (location->module.i != modules->marks[i].i)
			continue;
		location->name = modules_get(profile->modules, location->module)->path;
		location->kind = kinds[i];
	}
	if (location->kind >= LOCATION_MARK)
		location->is_named = location->is_exact = true;
}

void offcpu_name_locations(const struct offcpu *offcpu, const struct resolve_modules *modules,
			   struct profile *profile, struct locations *locations)
{
	for (size_t i = 0; offcpu->has_intervals && i < locations->rows.count; i++)
		name_location(offcpu, modules, profile, &locations->rows.at[i]);
}

/* Decides which events measure off-CPU time, and which events are shown. */
static void choose_events(struct offcpu *offcpu, const struct offcpu_source *source,
			  const struct pairing_plan *plan)
{
	struct profile *profile = source->profile;

	if (is_text(source)) {
		source->view->event_pattern = "*sched_switch";
		return;
	}
	if (!plan->uses_records && !plan->options.is_wall)
		source->view->event_pattern = strings_text(profile->strings, plan->begin_event);
	for (size_t i = 0; i < plan->event_count; i++)
		profile->events.at[i].is_off_cpu = plan->events[i].role == PAIRING_SWITCH;
	if (!plan->uses_records)
		return;
	offcpu->has_switch_event = true;
	offcpu->switch_event = (uint32_t)profile->events.count;
	vec_push(&profile->events,
		 (struct profile_event){
			 .name = strings_intern_text(profile->strings, "context switches"),
			 .unit = UNIT_NANOSECONDS,
			 .first_time_ns = UINT64_MAX,
			 .is_off_cpu = true,
		 });
}

static const char *weight_name(const struct pairing_options *options)
{
	if (options->is_wall)
		return "wall-clock time of threads";
	return options->span ? "time between" : "off-CPU time";
}

bool offcpu_lacks_callchains(const struct offcpu *offcpu, const struct profile *profile)
{
	for (size_t i = 0; offcpu->requires_callchains && i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->is_shown && !event->is_dummy && !event->has_callchain)
			return true;
	}
	return false;
}

/*
 * Moves the times of --time and --around to the windows, to which intervals are clipped, instead of
 * selecting intervals by the time of their samples.
 */
static void move_times_to_windows(struct offcpu *offcpu, struct selection *selection)
{
	time_windows_init(&offcpu->windows, selection);
	vec_free(&selection->times_ns);
	selection->around = NULL;
}

/* Prepares pre-aggregated wait times (BCC, bpftrace, folded stacks). */
static bool prepare_sums(struct offcpu *offcpu, const struct offcpu_source *source,
			 const struct pairing_options *options, struct error *err)
{
	const struct input_format *format = source->capture->format;
	struct pairing_plan plan;

	if (!pairing_plan_make_text(options, &plan, err))
		return false;
	pairing_plan_free(&plan);
	if (options->states || options->shortest_ns || options->longest_ns)
		return error_set(err, ERROR_USAGE,
				 "contains only sums of waits; --state, --min-time and --max-time "
				 "require individual waits");
	offcpu->has_wait_sums = true;
	offcpu->wait_sums.plain_ns =
		options->sum_unit_ns ? options->sum_unit_ns : format->plain_sum_ns;
	offcpu->wait_sums.is_assumed = !options->sum_unit_ns;
	offcpu->weight_name = format->sum_name;
	return true;
}

/* Prepares samples of perf record --off-cpu, each of which is one wait, or the sum of many. */
static void prepare_measured(struct offcpu *offcpu, const struct offcpu_source *source,
			     const struct pairing_options *options)
{
	source->view->event_pattern = PAIRING_MEASURED_EVENT;
	offcpu->weight_name = weight_name(options);
	move_times_to_windows(offcpu, &source->view->selection);
	offcpu->has_measured_waits = offcpu->windows.is_limited;
}

/* Texts have no history of threads, and the keys of some spans are not tids. */
static struct pairing_filter filter_of(const struct offcpu_source *source,
				       const struct pairing_options *options)
{
	const struct selection *selection = &source->view->selection;
	bool has_tids = !is_text(source) && (!options->key || strcmp(options->key, "tid") == 0);

	return (struct pairing_filter){
		.selection = has_tids && selection_asks_of_samples(selection) ? selection : NULL,
		.state = source->state,
	};
}

static bool prepare_intervals(struct offcpu *offcpu, const struct offcpu_source *source,
			      struct pairing_plan *plan, struct error *err)
{
	const struct pairing_options *options = &plan->options;

	move_times_to_windows(offcpu, &source->view->selection);
	plan->windows = &offcpu->windows;
	plan->filter = filter_of(source, options);
	plan->thread_count = source->thread_count;
	if (!find_intervals(offcpu, source, plan, err) ||
	    !waker_stacks_find(source, &offcpu->pairing, err))
		return false;
	offcpu->has_intervals = true;
	offcpu->has_guessed_fields = plan->is_guessed;
	offcpu->unrecorded_cpu_count = count_unrecorded_cpus(source, plan, &offcpu->pairing.counts);
	offcpu->groups_by_duration = options->groups_by_duration;
	offcpu->requires_callchains = !is_text(source) && !plan->uses_records;
	source->view->weighing = (struct weighing){
		.kind = options->groups_by_duration ? WEIGHING_INTERVAL_COUNT : WEIGHING_INTERVAL,
		.field = text_of(weight_name(options)),
	};
	if (plan->uses_records || options->is_wall)
		offcpu->event_name = options->is_wall ? "running and waiting" : "context switches";
	choose_events(offcpu, source, plan);
	add_mark_modules(source->profile, source->modules);
	return true;
}

bool offcpu_prepare(struct offcpu *offcpu, const struct offcpu_source *source,
		    const struct pairing_options *options, struct error *err)
{
	struct pairing_plan plan;
	bool good;

	if (source->capture->format->sum_name)
		return prepare_sums(offcpu, source, options, err);
	if (pairing_is_measured(source->profile, options)) {
		prepare_measured(offcpu, source, options);
		return true;
	}
	if (!(is_text(source) ? pairing_plan_make_text(options, &plan, err)
			      : pairing_plan_make(source->profile, options, &plan, err)))
		return false;
	good = prepare_intervals(offcpu, source, &plan, err);
	pairing_plan_free(&plan);
	return good;
}

void offcpu_count_pairs(struct offcpu *offcpu, const struct offcpu_source *source)
{
	const struct pairing_options options = { .is_forced = true };
	const char *reason = source->profile->partial_reason;
	struct pairing_plan plan;
	struct error ignored;

	if (is_text(source) || pairing_is_measured(source->profile, &options) ||
	    !pairing_plan_make(source->profile, &options, &plan, &ignored))
		return;
	plan.thread_count = source->thread_count;
	offcpu->has_pair_counts = find_intervals(offcpu, source, &plan, &ignored);
	pairing_plan_free(&plan);
	/* Pairing may have set a reason, but this profile shows samples, not intervals. */
	source->profile->partial_reason = reason;
}

void offcpu_init(struct offcpu *offcpu)
{
	*offcpu = (struct offcpu){ .has_intervals = false };
	pairing_result_init(&offcpu->pairing);
}

void offcpu_deinit(struct offcpu *offcpu)
{
	pairing_result_deinit(&offcpu->pairing);
	time_windows_deinit(&offcpu->windows);
}

bool wait_sums_scale(void *context, const struct profile *profile, uint64_t *factor_ret,
		     struct error *err)
{
	struct wait_sums *sums = context;
	const char *event = strings_text(profile->strings, profile->event_name);

	if (profile_shows_histogram(profile))
		return error_set(err, ERROR_USAGE,
				 "%s is a histogram, which counts waits; use sum() in bpftrace to "
				 "add up their times",
				 event);
	*factor_ret = 0;
	if (profile->unit == UNIT_NANOSECONDS)
		return true;
	if (!sums->plain_ns || (profile->unit != UNIT_SAMPLES && profile->unit != UNIT_EVENTS))
		return error_set(err, ERROR_USAGE,
				 "the event is %s, which does not measure "
				 "off-CPU time",
				 event);
	*factor_ret = sums->plain_ns;
	if (sums->is_assumed)
		sums->assumed_ns = sums->plain_ns;
	return true;
}
