/* SPDX-License-Identifier: MIT */
#include "session/off_cpu.h"

#include <inttypes.h>

#include "base/workers.h"
#include "libparse/text.h"
#include "session/waiting_sums.h"
#include "session/waker_stacks.h"

/* The pass: each worker reads a run of slices. */
struct pairing_pass {
	const struct session *session;
	struct pairing_worker {
		struct pairing_rows rows;
		bool failed;
		struct error err;
	} * workers;
	size_t count;
};

static void read_rows(void *context, size_t index)
{
	struct pairing_pass *pass = context;
	struct pairing_worker *worker = &pass->workers[index];
	const struct capture *capture = &pass->session->capture;
	struct event_sink sink = { .context = &worker->rows, .on_event = pairing_rows_take };
	size_t begin = capture->slices.count * index / pass->count;
	size_t end = capture->slices.count * (index + 1) / pass->count;

	for (size_t i = begin; i < end && !worker->failed; i++)
		worker->failed =
			!capture_read_samples(capture, capture->slices.at[i], &sink, &worker->err);
}

/* Puts the rows of all workers behind one another, in the order of the input, into the first's. */
static struct pairing_rows *join_rows(struct pairing_pass *pass)
{
	struct pairing_rows *all = &pass->workers[0].rows;

	for (size_t i = 1; i < pass->count; i++) {
		struct pairing_rows *more = &pass->workers[i].rows;

		vec_reserve(&all->rows, all->rows.count + more->rows.count);
		if (more->rows.count)
			memcpy(all->rows.at + all->rows.count, more->rows.at,
			       more->rows.count * sizeof(*more->rows.at));
		all->rows.count += more->rows.count;
		all->damaged_count += more->damaged_count;
		all->sampled_count += more->sampled_count;
		if (more->last_time_ns > all->last_time_ns)
			all->last_time_ns = more->last_time_ns;
		vec_free(&more->rows);
	}
	return all;
}

/* Switches of which there are records: all of them, or what samples do not tell. */
static void add_records(const struct session *session, const struct pairing_plan *plan,
			struct pairing_rows *rows)
{
	for (size_t i = 0; i < session->state.switches.count; i++) {
		const struct recorded_switch *change = &session->state.switches.at[i];
		struct pairing_row row = {
			.time_ns = change->time_ns,
			.offset = change->offset,
			.tid = change->context_switch.tid,
			.role = change->context_switch.is_switch_out ? PAIRING_LEAVE : PAIRING_COME,
			.state = change->context_switch.is_exit        ? 'X'
				 : change->context_switch.is_preempted ? 'R'
								       : '?',
			.is_preempted = change->context_switch.is_preempted,
		};

		if (!plan->uses_records && row.role == PAIRING_LEAVE &&
		    !change->context_switch.is_exit)
			continue;
		vec_push(&rows->rows, row);
		if (row.time_ns > rows->last_time_ns)
			rows->last_time_ns = row.time_ns;
	}
}

/* What the description of the event did not tell: samples that stand for several. */
static bool check_periods(const struct pairing_plan *plan, const struct pairing_rows *rows,
			  struct error *err)
{
	return !rows->sampled_count || plan->options.is_forced ||
	       error_set(err, ERROR_USAGE,
			 "samples stand for several switches each, so the times would be wrong; "
			 "record all of them with perf record -c 1, without -F; or draw it with "
			 "--force");
}

/* Records of threads that end have a time of their own. */
static bool check_records(const struct session *session, const struct pairing_plan *plan,
			  struct error *err)
{
	bool has_any = !plan->uses_records && !plan->ends_in_records;

	for (size_t i = 0; !has_any && i < session->state.switches.count; i++)
		has_any = !session->state.switches.at[i].context_switch.is_exit;
	return has_any ||
	       error_set(err, ERROR_USAGE,
			 "records of switches do not say when, or of whom: perf record -T adds "
			 "their time");
}

/* A tracepoint's samples are those of the thread that leaves. */
static bool check_coming(const struct pairing_plan *plan, const struct pairing_counts *counts,
			 struct error *err)
{
	return !counts->tells_leaving_alone || plan->options.is_forced ||
	       error_set(err, ERROR_USAGE,
			 "has the switches of some threads alone, which tell when they left a "
			 "processor, not when they came back; record those of all: perf record -e "
			 "sched:sched_switch -a -g; or both of these threads: perf record -e "
			 "sched:sched_switch --switch-events -T -g; or draw the few that are whole "
			 "with --force");
}

/* Processors on which switches were not recorded, where the capture says how many there were. */
static uint64_t count_unrecorded(const struct session *session, const struct pairing_plan *plan)
{
	struct text online = session->profile.facts[FACT_CPUS_ONLINE];
	uint64_t count;

	if (session->pairing.counts.tells_leaving_alone || plan->ends_in_records)
		return 0;
	if (!plan->id_count || !online.at || !text_to_u64(online, &count) || count < plan->id_count)
		return 0;
	return count - plan->id_count;
}

static bool find_intervals(struct session *session, const struct pairing_plan *plan,
			   struct error *err)
{
	struct pairing_pass pass = { .session = session };
	struct pairing_rows *rows;
	bool good = true;

	pass.count = session->options.thread_count;
	if (pass.count > session->capture.slices.count)
		pass.count = session->capture.slices.count ? session->capture.slices.count : 1;
	pass.workers = memory_zalloc(pass.count, sizeof(*pass.workers));
	for (size_t i = 0; i < pass.count; i++)
		pass.workers[i].rows.plan = plan;
	workers_run(session->options.thread_count, pass.count, read_rows, &pass);
	for (size_t i = 0; good && i < pass.count; i++) {
		good = !pass.workers[i].failed;
		if (!good)
			*err = pass.workers[i].err;
	}
	rows = join_rows(&pass);
	if (plan->uses_records || plan->ends_in_records)
		add_records(session, plan, rows);
	good = good && check_periods(plan, rows, err) && check_records(session, plan, err);
	if (good && session_is_text(session) && !rows->rows.count)
		good = error_set(
			err, ERROR_USAGE,
			"has no switches between threads: perf record -e "
			"sched:sched_switch -a -g records them, and perf script prints them "
			"with their times");
	if (good) {
		pairing_rows_sort(rows->rows.at, rows->rows.count);
		pairing_run(plan, rows->rows.at, rows->rows.count, &session->state.loss_spans,
			    rows->last_time_ns, &session->pairing);
		session->pairing.counts.damaged = rows->damaged_count;
		intervals_sort(&session->pairing.intervals);
		good = check_coming(plan, &session->pairing.counts, err);
	}
	if (rows->sampled_count || plan->is_sampled)
		session->profile.partial_reason =
			"only some of the events were recorded: the times are wrong";
	else if (session->pairing.counts.tells_leaving_alone)
		session->profile.partial_reason =
			"switches of some threads alone were recorded: the times are wrong";
	else if (count_unrecorded(session, plan))
		session->profile.partial_reason =
			"switches of some processors were not recorded: the times are wrong";
	else if (!plan->options.span && pairing_lacks_most(&session->pairing.counts))
		session->profile.partial_reason =
			"most waits have no beginning or no end: the times are wrong";
	vec_free(&rows->rows);
	memory_free(pass.workers);
	return good;
}

static module_id add_mark(struct session *session, const char *name)
{
	return modules_intern(session->profile.modules,
			      &(struct module){
				      .kind = MODULE_MARK,
				      .path = strings_intern_text(session->profile.strings, name),
			      });
}

/* What stacks end in where the time is no wait for something, or more is told of it. */
static void add_marks(struct session *session)
{
	static const char *const names[INTERVAL_MARK_COUNT] = {
		[INTERVAL_PLAIN] = "[waiting]",
		[INTERVAL_RUN_QUEUE] = "[run queue]",
		[INTERVAL_PREEMPTED] = "[preempted]",
		[INTERVAL_BLOCKED] = "[blocked]",
		[INTERVAL_RUNNING] = "[running]",
		[INTERVAL_UNSAMPLED] = "[running, where is not known]",
		[INTERVAL_UNKNOWN] = "[running or waiting, which is not known]",
	};
	struct resolve_modules *modules = &session->resolve_modules;

	for (size_t i = 0; i < INTERVAL_MARK_COUNT; i++)
		modules->marks[i] = add_mark(session, names[i]);
	modules->length = add_mark(session, "[length]");
	modules->waker = add_mark(session, "[waker]");
}

/* Names a location if it stands for no code. */
static void name_location(struct session *session, struct location *location)
{
	static const enum location_kind kinds[INTERVAL_MARK_COUNT] = {
		[INTERVAL_PLAIN] = LOCATION_MARK,
		[INTERVAL_RUN_QUEUE] = LOCATION_RUN_QUEUE,
		[INTERVAL_PREEMPTED] = LOCATION_PREEMPTED,
		[INTERVAL_BLOCKED] = LOCATION_BLOCKED,
		[INTERVAL_RUNNING] = LOCATION_MARK,
		[INTERVAL_UNSAMPLED] = LOCATION_MARK,
		[INTERVAL_UNKNOWN] = LOCATION_MARK,
	};
	const struct resolve_modules *modules = &session->resolve_modules;
	char text[24];

	if (location->module.i == modules->waker.i) {
		location->name = (str_id){ (uint32_t)location->address };
		location->kind = location->name.i == session->pairing.wakers.separator.i
					 ? LOCATION_SEPARATOR
					 : LOCATION_MARK;
	} else if (location->module.i == modules->length.i) {
		snprintf(text, sizeof(text), "%" PRIu64, location->address);
		location->name = strings_intern_text(session->profile.strings, text);
		location->kind = LOCATION_MARK;
	}
	for (size_t i = 0; i < INTERVAL_MARK_COUNT; i++) {
		if (location->module.i != modules->marks[i].i)
			continue;
		location->name = modules_get(session->profile.modules, location->module)->path;
		location->kind = kinds[i];
	}
	if (location->kind >= LOCATION_MARK)
		location->is_named = location->is_exact = true;
}

void off_cpu_name_locations(struct session *session)
{
	for (size_t i = 0; session->has_intervals && i < session->locations.rows.count; i++)
		name_location(session, &session->locations.rows.at[i]);
}

/* Which events tell where threads waited, and which are to be shown. */
static void choose_events(struct session *session, const struct pairing_plan *plan)
{
	struct profile *profile = &session->profile;
	const char *begin_event = strings_text(profile->strings, plan->begin_event);

	if (session_is_text(session)) {
		session->options.event_pattern = "*sched_switch";
		return;
	}
	if (!plan->uses_records && !plan->options.is_wall)
		session->options.event_pattern = begin_event;
	for (size_t i = 0; i < plan->event_count; i++)
		profile->events.at[i].is_off_cpu = plan->events[i].role == PAIRING_SWITCH;
	if (!plan->uses_records)
		return;
	session->has_off_cpu_event = true;
	session->off_cpu_event = (uint32_t)profile->events.count;
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
	return options->span ? "time between" : "time off the processor";
}

/* What was asked for are no events of the capture. */
static void name_view(struct session *session, const struct pairing_plan *plan)
{
	const char *name = plan->options.is_wall ? "running and waiting" : "context switches";

	if (plan->uses_records || plan->options.is_wall)
		session->profile.event_name = strings_intern_text(session->profile.strings, name);
}

/* What was measured rather than paired has the name of its event alone. */
static void name_sums(struct session *session, const char *name)
{
	session->profile.weight_name = strings_intern_text(session->profile.strings, name);
}

/* Nothing of such a text can be paired; what could is refused as for other texts. */
static bool build_sums(struct session *session, struct error *err)
{
	struct pairing_plan plan;

	if (!pairing_plan_make_text(session->options.pairing, &plan, err))
		return error_prefix(err, "%s", session->capture.input.name);
	pairing_plan_free(&plan);
	if (!waiting_sums_build(session, err))
		return false;
	name_sums(session, session->capture.format->sum_name);
	return true;
}

static bool shows_without_callchains(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].is_shown && !profile->events.at[i].is_dummy &&
		    !profile->events.at[i].has_callchain)
			return true;
	return false;
}

/* Waits are cut to what of them is in --time, so that asks nothing of the samples they begin with. */
static void window_waits(struct session *session)
{
	time_windows_init(&session->windows, session->options.selection);
	/* The list is the session's own only where it was made of shares. */
	if (selection_needs_placing(&session->selection))
		vec_free(&session->selection.times_ns);
	else
		session->selection.times_ns = (selection_ranges){ 0 };
}

/* What perf record --off-cpu measured is one sample a wait, or a sum of many. */
static bool build_measured(struct session *session, struct error *err)
{
	session->options.event_pattern = PAIRING_MEASURED_EVENT;
	window_waits(session);
	session->has_measured_waits = session->windows.is_limited;
	if (!session_build_profile(session, err))
		return false;
	name_sums(session, weight_name(session->options.pairing));
	return true;
}

void session_count_intervals(struct session *session)
{
	const struct pairing_options options = { .is_forced = true };
	const char *reason = session->profile.partial_reason;
	struct pairing_plan plan;
	struct error ignored;

	if (session_is_text(session) || pairing_is_measured(&session->profile, &options) ||
	    !pairing_plan_make(&session->profile, &options, &plan, &ignored))
		return;
	session->has_pair_counts = find_intervals(session, &plan, &ignored);
	pairing_plan_free(&plan);
	/* That is the intervals', and the profile is of the samples. */
	session->profile.partial_reason = reason;
}

bool session_build_intervals(struct session *session, struct error *err)
{
	const struct pairing_options *options = session->options.pairing;
	struct pairing_plan plan;
	bool good;

	if (session->capture.format->sum_name)
		return build_sums(session, err);
	if (session->options.event_pattern)
		return error_set(err, ERROR_USAGE,
				 "--event: the events are those of the scheduler, or of --span");
	if (pairing_is_measured(&session->profile, options))
		return build_measured(session, err);
	if (!(session_is_text(session) ? pairing_plan_make_text(options, &plan, err)
				       : pairing_plan_make(&session->profile, options, &plan, err)))
		return error_prefix(err, "%s", session->capture.input.name);
	window_waits(session);
	plan.windows = &session->windows;
	good = (find_intervals(session, &plan, err) && waker_stacks_find(session, err)) ||
	       error_prefix(err, "%s", session->capture.input.name);
	if (good) {
		session->has_intervals = true;
		session->is_pairing_guessed = plan.is_guessed;
		session->unrecorded_processor_count = count_unrecorded(session, &plan);
		session->interval_weighing = (struct weighing){
			.kind = options->groups_by_duration ? WEIGHING_INTERVAL_COUNT
							    : WEIGHING_INTERVAL,
			.field = text_of(weight_name(options)),
		};
		session->options.weighing = &session->interval_weighing;
		choose_events(session, &plan);
		add_marks(session);
	}
	good = good && session_build_profile(session, err);
	if (good) {
		name_view(session, &plan);
		session->lacks_callchains = !session_is_text(session) && !plan.uses_records &&
					    shows_without_callchains(&session->profile);
	}
	pairing_plan_free(&plan);
	return good;
}
