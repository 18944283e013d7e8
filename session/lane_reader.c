/* SPDX-License-Identifier: MIT */
#include "session/lane_reader.h"

#include "libparse/script/switch_text.h"
#include "offcpu/pairing_plan.h"
#include "offcpu/switch_rows.h"
#include "offcpu/wait_reason.h"
#include "process/process_history.h"
#include "profile/selection/choose_event.h"
#include "session/visit.h"

/*
 * A sample of an event without a rate is drawn as a mark, whose duration is the capture's duration
 * divided by this number.
 */
#define MARKS_OF_CAPTURE 1000u

/*
 * For captures without switches: the number of samples of a busy CPU that a column should have, and
 * the maximum number of times that the width of columns is doubled to reach this number.
 */
#define SAMPLES_OF_COLUMN 8u
#define COLUMN_DOUBLINGS  3u

/* Not looked up yet. */
#define LABEL_UNKNOWN UINT32_MAX

struct lane_event {
	struct schedule_event event;
	uint32_t number; /* in the order of reading */
};

/* The labels for threads at a location. */
struct location_labels {
	uint32_t function, reason, call;
};

struct lane_reader {
	struct session *session;
	struct lanes *lanes;
	struct pairing_plan plan; /* it has no events if there are no switches */
	bool has_plan;
	struct pairing_rows parsed;         /* rows of one sample at a time */
	const char *event_pattern;          /* as given; NULL if none */
	VEC(struct location_labels) labels; /* by location */
	VEC(struct lane_event) rows;
	struct selection selection; /* of threads and CPUs; borrowed */
	enum schedule_source source;
	uint64_t missing_idle_count; /* see struct schedule */
};

/* ---- Labels from stacks ---- */

static uint32_t intern_name(struct lane_reader *reader, location_id id)
{
	const struct session *session = reader->session;
	struct text name = strings_get(session->profile.strings,
				       locations_innermost_name(&session->locations, id));

	if (!name.length) {
		const struct location *location = &session->locations.rows.at[id.i];
		const struct module *module =
			modules_get(session->profile.modules, location->module);

		name = text_basename(strings_get(session->profile.strings, module->path));
	}
	return name.length ? lanes_label(reader->lanes, name) : SCHEDULE_LABEL_NONE;
}

static uint32_t intern_call(struct lane_reader *reader, struct text call)
{
	struct sink name;
	uint32_t label = SCHEDULE_LABEL_NONE;

	if (!call.length)
		return label;
	sink_init_memory(&name);
	sink_text(&name, call);
	sink_puts(&name, "()");
	label = lanes_label(reader->lanes, sink_memory(&name));
	sink_deinit(&name);
	return label;
}

static bool is_kernel(const struct session *session, const struct location *location)
{
	enum module_kind kind = modules_get(session->profile.modules, location->module)->kind;

	return kind == MODULE_KERNEL || kind == MODULE_KERNEL_MODULE;
}

static struct location_labels find_labels(struct lane_reader *reader, location_id id)
{
	const struct session *session = reader->session;
	const struct location *location = &session->locations.rows.at[id.i];
	struct text name = strings_get(session->profile.strings, location->name);
	struct location_labels labels = { .function = intern_name(reader, id) };
	const char *reason;

	if (!is_kernel(session, location) || !location->is_named)
		return labels;
	reason = wait_reason_of(name);
	if (reason)
		labels.reason = lanes_label(reader->lanes, text_of(reason));
	labels.call = intern_call(reader, wait_reason_call(name));
	return labels;
}

static const struct location_labels *labels_of(struct lane_reader *reader, location_id id)
{
	while (reader->labels.count <= id.i)
		vec_push(&reader->labels, (struct location_labels){ .function = LABEL_UNKNOWN });
	if (reader->labels.at[id.i].function == LABEL_UNKNOWN)
		reader->labels.at[id.i] = find_labels(reader, id);
	return &reader->labels.at[id.i];
}

/* Returns the label for the function that is running. */
static uint32_t function_of(struct lane_reader *reader, const struct visited_sample *visited)
{
	return visited->frame_count ? labels_of(reader, visited->frames[0])->function
				    : SCHEDULE_LABEL_NONE;
}

/* Returns the label for what the thread is waiting for. */
static uint32_t reason_of(struct lane_reader *reader, const struct visited_sample *visited)
{
	for (size_t i = 0; i < visited->frame_count; i++) {
		const struct location_labels *labels = labels_of(reader, visited->frames[i]);

		if (labels->reason || labels->call)
			return labels->reason ? labels->reason : labels->call;
	}
	return SCHEDULE_LABEL_NONE;
}

/* ---- Events ---- */

static void push_event(struct lane_reader *reader, const struct schedule_event *event)
{
	uint32_t number = (uint32_t)reader->rows.count;

	vec_push(&reader->rows, (struct lane_event){ *event, number });
}

/* Reads a sample that is a switch or a wake-up. Returns false if it is neither. */
static bool read_switch(struct lane_reader *reader, const struct visited_sample *visited)
{
	const struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = true,
		.time_ns = visited->time_ns,
		.sample = *visited->sample,
	};
	const struct pairing_row *row = reader->parsed.rows.at;
	struct schedule_event read;

	if (!reader->has_plan)
		return false;
	reader->parsed.rows.count = 0;
	pairing_rows_on_event(&reader->parsed, &event);
	row = reader->parsed.rows.at;
	if (!reader->parsed.rows.count ||
	    (row->role != PAIRING_SWITCH && row->role != PAIRING_WAKE))
		return false;
	read = pairing_row_event(row);
	reader->lanes->counts.has_wakes |= row->role == PAIRING_WAKE;
	if (row->role == PAIRING_SWITCH) {
		read.label = reason_of(reader, visited);
		reader->lanes->counts.switch_count++;
	}
	push_event(reader, &read);
	return true;
}

static void note_thread(struct lane_reader *reader, const struct visited_sample *visited)
{
	struct lane_thread *thread = lanes_thread(reader->lanes, visited->sample->tid);

	thread->pid = visited->sample->pid;
	thread->comm = lanes_label(reader->lanes, visited->comm);
}

static void on_sample(void *context, const struct visited_sample *visited)
{
	struct lane_reader *reader = context;
	const struct event_sample *sample = visited->sample;
	/* The last samples of a thread that exits may have no ids. */
	bool has_thread =
		sample->present & SAMPLE_HAS_TID && sample->tid && sample->tid != EVENT_NO_TID;
	struct lanes_counts *counts = &reader->lanes->counts;
	struct schedule_event event;

	if (!visited->has_time) {
		counts->timeless_count++;
		return;
	}
	if (has_thread)
		note_thread(reader, visited);
	if (read_switch(reader, visited) || !has_thread)
		return;
	if (!visited->event->is_shown ||
	    (counts->has_switches &&
	     !profile_event_is_of_cpu_time(&reader->session->profile, visited->event)))
		return;
	event = (struct schedule_event){
		.time_ns = visited->time_ns,
		.kind = SCHEDULE_SAMPLE,
		.tid = sample->tid,
		.cpu = sample->present & SAMPLE_HAS_CPU ? sample->cpu : EVENT_NO_CPU,
		.label = function_of(reader, visited),
		.duration_ns = visited_sample_duration_ns(visited),
	};
	counts->sample_count++;
	push_event(reader, &event);
}

static void add_records(struct lane_reader *reader)
{
	const struct process_state *state = &reader->session->state;
	struct pairing_row row;

	for (size_t i = 0; reader->has_plan && i < state->switches.count; i++) {
		const struct recorded_switch *record = &state->switches.at[i];
		struct schedule_event event;

		if (!switch_rows_of_record(record, &reader->plan, &row))
			continue;
		event = pairing_row_event(&row);
		reader->lanes->counts.switch_count +=
			context_switch_is_of_thread(&record->context_switch);
		push_event(reader, &event);
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct lane_event *a = left;
	const struct lane_event *b = right;

	if (a->event.time_ns != b->event.time_ns)
		return a->event.time_ns < b->event.time_ns ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void sort_rows(struct lane_reader *reader)
{
	bool is_sorted = true;

	for (size_t i = 1; i < reader->rows.count && is_sorted; i++)
		is_sorted =
			reader->rows.at[i - 1].event.time_ns <= reader->rows.at[i].event.time_ns;
	if (!is_sorted)
		qsort(reader->rows.at, reader->rows.count, sizeof(*reader->rows.at), compare_rows);
}

/* Makes samples without a known duration long enough to be visible. */
static void mark_samples(struct lane_reader *reader)
{
	size_t count = reader->rows.count;
	uint64_t duration_ns =
		count ? reader->rows.at[count - 1].event.time_ns - reader->rows.at[0].event.time_ns
		      : 0;
	uint64_t mark_ns = duration_ns / MARKS_OF_CAPTURE + 1;

	if (mark_ns > UINT32_MAX)
		mark_ns = UINT32_MAX;
	for (size_t i = 0; i < count; i++) {
		struct schedule_event *event = &reader->rows.at[i].event;

		if (event->kind != SCHEDULE_SAMPLE || event->duration_ns)
			continue;
		event->duration_ns = (uint32_t)mark_ns;
		reader->lanes->counts.mark_ns = mark_ns;
	}
}

/* ---- Threads ---- */

/* Uses the last name in a text, in which switches also name threads without samples. */
static void name_from_text(struct lane_reader *reader, struct lane_thread *thread)
{
	struct text_threads *threads = reader->parsed.threads;
	const struct text_thread *found = threads ? text_threads_find(threads, thread->tid) : NULL;

	if (!found)
		return;
	if (found->comm.i != STR_EMPTY.i)
		thread->comm =
			lanes_label(reader->lanes, strings_get(&threads->strings, found->comm));
	if (found->pid != EVENT_NO_TID)
		thread->pid = found->pid;
}

/* Names threads without samples, and determines which threads are selected. */
static void select_threads(struct lane_reader *reader)
{
	struct lanes *lanes = reader->lanes;
	char comm_buffer[COMM_BYTES];
	char process_buffer[COMM_BYTES];

	for (size_t i = 0; i < reader->rows.count; i++) {
		const struct schedule_event *event = &reader->rows.at[i].event;

		if (event->next_tid)
			(void)lanes_thread(lanes, event->next_tid);
		if (event->tid && event->tid != EVENT_NO_TID)
			(void)lanes_thread(lanes, event->tid);
	}
	for (size_t i = 0; i < lanes->threads.count; i++) {
		struct lane_thread *thread = &lanes->threads.at[i];
		struct text process;

		name_from_text(reader, thread);
		if (!thread->comm)
			thread->comm = lanes_label(
				lanes, process_history_last_comm(&reader->session->state.history,
								 reader->session->profile.strings,
								 thread->tid, comm_buffer));
		process = process_history_last_comm(&reader->session->state.history,
						    reader->session->profile.strings, thread->pid,
						    process_buffer);
		thread->is_selected = selection_includes_thread(
			&reader->selection, thread->pid, thread->tid,
			strings_get(&lanes->names, (str_id){ thread->comm }), process);
	}
}

/* ---- Passes ---- */

static bool is_selected(const struct lane_reader *reader, const struct schedule_interval *interval)
{
	return reader->lanes->options.by != LANES_BY_CPU || !reader->selection.cpus.count ||
	       selection_has_number(&reader->selection.cpus, interval->cpu);
}

static void ignore_interval(void *context, const struct schedule_interval *interval)
{
	(void)context;
	(void)interval;
}

static void on_surveyed(void *context, const struct schedule_interval *interval)
{
	struct lane_reader *reader = context;

	if (is_selected(reader, interval))
		lanes_survey(reader->lanes, interval);
}

static void on_interval(void *context, const struct schedule_interval *interval)
{
	struct lane_reader *reader = context;

	if (is_selected(reader, interval))
		lanes_add(reader->lanes, interval);
}

static uint64_t first_ns(const struct lane_reader *reader)
{
	return reader->rows.count ? reader->rows.at[0].event.time_ns : 0;
}

static uint64_t last_ns(const struct lane_reader *reader)
{
	size_t count = reader->rows.count;

	return count ? reader->rows.at[count - 1].event.time_ns : 0;
}

static void pass(struct lane_reader *reader, const struct schedule_sink *sink)
{
	struct schedule schedule;

	schedule_init(&schedule, sink, first_ns(reader), reader->source);
	for (size_t i = 0; i < reader->rows.count; i++)
		schedule_add(&schedule, &reader->rows.at[i].event);
	schedule_finish(&schedule, last_ns(reader));
	reader->lanes->counts.missing_count = schedule.missing_count;
	reader->missing_idle_count = schedule.missing_idle_count;
	schedule_deinit(&schedule);
}

/*
 * Widens columns so that each has space for several samples of a busy CPU. The number of samples in
 * a column then shows how busy the CPU was.
 */
static void widen_columns(struct lane_reader *reader)
{
	struct lanes_options *options = &reader->lanes->options;
	uint64_t duration_ns = last_ns(reader) - first_ns(reader);
	uint64_t sample_ns = 0;

	for (size_t i = 0; i < reader->rows.count; i++)
		if (reader->rows.at[i].event.duration_ns > sample_ns)
			sample_ns = reader->rows.at[i].event.duration_ns;
	for (uint32_t i = 0; i < COLUMN_DOUBLINGS && options->column_max > 1 &&
			     duration_ns / options->column_max / SAMPLES_OF_COLUMN < sample_ns;
	     i++)
		options->column_max /= 2;
}

/* Finds out what was recorded, and fills the lanes. */
static void fill(struct lane_reader *reader)
{
	const struct schedule_sink none = { .on_interval = ignore_interval };
	const struct schedule_sink survey = { .context = reader, .on_interval = on_surveyed };
	const struct schedule_sink add = { .context = reader, .on_interval = on_interval };
	const struct lanes_counts *counts = &reader->lanes->counts;

	reader->source = counts->has_switches ? SCHEDULE_SWITCHES : SCHEDULE_SAMPLES;
	pass(reader, &none);
	if (counts->has_switches &&
	    counts->missing_count - reader->missing_idle_count <= counts->switch_count / 100)
		reader->source = SCHEDULE_MOST_SWITCHES;
	else if (!counts->has_switches)
		widen_columns(reader);
	pass(reader, &survey);
	lanes_plan(reader->lanes, first_ns(reader), last_ns(reader));
	pass(reader, &add);
	lanes_finish(reader->lanes);
}

/* ---- The plan ---- */

static bool has_event(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (strcmp(strings_text(profile->strings, profile->events.at[i].name), name) == 0)
			return true;
	return false;
}

/* Returns the name of the event, which in the text of ftrace lacks the subsystem; NULL if none. */
static const char *find_switch_event(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		str_id name = profile->events.at[i].name;

		if (switch_text_is_event(strings_get(profile->strings, name)))
			return strings_text(profile->strings, name);
	}
	return NULL;
}

static bool has_switch_records(const struct session *session)
{
	for (size_t i = 0; i < session->state.switches.count; i++)
		if (context_switch_is_of_thread(&session->state.switches.at[i].context_switch))
			return true;
	return false;
}

/* Plans how switches are read. A capture without switches has no plan. */
static bool plan_switches(struct lane_reader *reader, struct error *err)
{
	const struct session *session = reader->session;
	const struct profile *profile = &session->profile;
	bool has_switches = has_event(profile, "sched:sched_switch");
	struct pairing_options options = {
		.reads_records = true,
		.is_forced = session->options.pairing && session->options.pairing->is_forced,
	};
	struct lanes_counts *counts = &reader->lanes->counts;

	if (session_is_text(session)) {
		reader->has_plan = pairing_plan_make_text(&options, &reader->plan, err);
		reader->plan.describes_threads = true;
		reader->parsed.threads = text_threads_create();
		return reader->has_plan;
	}
	counts->has_switches = has_switches || has_switch_records(session);
	if (!counts->has_switches)
		return true;
	counts->has_wakes = has_switches && (has_event(profile, "sched:sched_waking") ||
					     has_event(profile, "sched:sched_wakeup"));
	options.has_wakers = counts->has_wakes;
	reader->has_plan = pairing_plan_make(profile, &options, &reader->plan, err);
	return reader->has_plan || error_prefix(err, "%s", session->capture.input.name);
}

/*
 * Removes the selection of threads, CPUs and times from the view of the session, because lanes
 * apply it.
 */
static void take_selection(struct lane_reader *reader)
{
	struct session *session = reader->session;
	struct selection *selection = &session->view.selection;

	reader->selection = *selection;
	time_windows_init(&session->lane_windows, selection);
	vec_free(&selection->times_ns);
	selection->around = NULL;
	selection->comms = (name_patterns){ 0 };
	selection->processes = (name_patterns){ 0 };
	selection->pids = selection->tids = selection->cpus = (selection_ranges){ 0 };
	reader->event_pattern = session->view.event_pattern;
	session->view.event_pattern = NULL;
}

/*
 * If there are switches, marks the events that lanes show: switches, wake-ups and samples of CPU
 * time.
 */
static void mark_shown(const struct lane_reader *reader)
{
	struct profile *profile = &reader->session->profile;

	for (size_t i = 0; i < profile->events.count && reader->lanes->counts.has_switches; i++) {
		struct profile_event *event = &profile->events.at[i];

		if (i < reader->plan.event_count && reader->plan.events[i].role != PAIRING_NONE)
			event->is_shown = true;
		if (session_is_text(reader->session) &&
		    switch_text_is_wakeup(strings_get(profile->strings, event->name)))
			event->is_shown = true;
		if (!reader->event_pattern && profile_event_is_of_cpu_time(profile, event))
			event->is_shown = true;
	}
}

/* Chooses the event that the title names, and the samples that count. */
static bool choose(struct lane_reader *reader, struct error *err)
{
	struct session *session = reader->session;
	const char *switch_event = find_switch_event(&session->profile);
	struct view view = session->view;

	/* The events of a text are known only now. */
	if (session_is_text(session))
		reader->lanes->counts.has_switches = switch_event != NULL;
	view.grouping.count = 0;
	view.event_pattern = reader->event_pattern ? reader->event_pattern : switch_event;
	if (!choose_event(&session->profile, &view, err))
		return error_prefix(err, "%s", session->capture.input.name);
	mark_shown(reader);
	return true;
}

static bool check(const struct lane_reader *reader, struct error *err)
{
	const struct lanes *lanes = reader->lanes;

	if (lanes->options.by == LANES_BY_CPU && lanes->lanes.count == 1 &&
	    lanes->lanes.at[0].key == EVENT_NO_CPU && !lanes->lanes.at[0].other_count)
		return error_set(
			err, ERROR_USAGE,
			"--by cpu: no sample has a CPU number; record it with perf record -a or "
			"--sample-cpu");
	if (lanes->lanes.count)
		return true;
	if (!reader->rows.count && lanes->counts.timeless_count)
		return error_set(err, ERROR_NO_MATCH,
				 "no sample has a timestamp, which a timeline requires; record "
				 "with perf record -T (folded stacks, flame graphs and merged "
				 "profiles have no timestamps)");
	return error_set(err, ERROR_NO_MATCH,
			 reader->rows.count ? "no thread was selected, or none ran in "
					      "the selected time"
					    : "no switch and no sample of a thread "
					      "was found");
}

static bool read_rows(struct lane_reader *reader, struct error *err)
{
	struct session *session = reader->session;

	if (!plan_switches(reader, err) || !session_index_samples(session, err) ||
	    !choose(reader, err))
		return false;
	reader->parsed.plan = &reader->plan;
	if (!session_visit_samples(session, on_sample, reader, err))
		return false;
	add_records(reader);
	/* The lines of a text capture can lack the fields of sched_switch. */
	reader->lanes->counts.has_switches &= reader->lanes->counts.switch_count != 0;
	sort_rows(reader);
	mark_samples(reader);
	return true;
}

bool session_build_lanes(struct session *session, struct error *err)
{
	struct lane_reader reader = { .session = session, .lanes = &session->lanes };
	struct lanes_options options = *session->options.lanes;
	bool good;

	take_selection(&reader);
	options.windows = &session->lane_windows;
	lanes_init(&session->lanes, &options);
	good = read_rows(&reader, err);
	if (good) {
		select_threads(&reader);
		fill(&reader);
		good = check(&reader, err) || error_prefix(err, "%s", session->capture.input.name);
	}
	if (reader.has_plan)
		pairing_plan_free(&reader.plan);
	pairing_rows_deinit(&reader.parsed);
	vec_free(&reader.rows);
	vec_free(&reader.labels);
	return good;
}
