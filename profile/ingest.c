/* SPDX-License-Identifier: MIT */
#include "profile/ingest.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "process/deferred.h"
#include "process/process_history.h"
#include "profile/weighing.h"

/*
 * A cache of recent threads, indexed by the low bits of the tid. With this cache, the samples of
 * one time slice need only one lookup.
 */
#define MOMENT_SLOTS 1024

struct ingest_moment {
	uint32_t pid, tid;
	struct process_moment moment; /* until_ns 0: slot is empty */
};

static void find_weights(struct ingest *ingest)
{
	const struct weighing *weighing = &ingest->view->weighing;
	const struct profile *profile = ingest->profile;

	if (weighing->kind == WEIGHING_PERIOD || weighing->kind == WEIGHING_SAMPLES ||
	    weighing->kind == WEIGHING_INTERVAL || weighing->kind == WEIGHING_INTERVAL_COUNT)
		return;
	ingest->weights = memory_zalloc(profile->events.count, sizeof(const struct field *));
	for (size_t i = 0; weighing->kind == WEIGHING_FIELD && i < profile->events.count; i++)
		ingest->weights[i] =
			profile_find_field(profile, &profile->events.at[i], weighing->field);
}

void ingest_init(struct ingest *ingest, const struct process_state *state,
		 const struct profile *profile, const struct view *view,
		 const struct ingest_options *options)
{
	size_t event_count = profile->events.count;

	*ingest = (struct ingest){
		.state = state,
		.profile = profile,
		.view = view,
		.options = *options,
		.events = memory_zalloc(event_count, sizeof(*ingest->events)),
		.has_pids = grouping_has(&view->grouping, GROUP_PID),
		.has_tids = grouping_has(&view->grouping, GROUP_TID),
		.has_cpus = grouping_has(&view->grouping, GROUP_CPU) ||
			    (view->has_cpu_bins && options->time_bins),
		.has_selection = selection_asks_of_samples(&view->selection),
		.moments = memory_zalloc(MOMENT_SLOTS, sizeof(*ingest->moments)),
		.first_time_ns = UINT64_MAX,
		.first_skipped_offset = UINT64_MAX,
	};
	for (size_t i = 0; i < event_count; i++)
		ingest->events[i].first_time_ns = UINT64_MAX;
	callchains_init(&ingest->chains);
	text_samples_init(&ingest->text);
	trie_init(&ingest->trie);
	sample_values_init(&ingest->values, state, profile, &view->grouping);
	selection_tally_init(&ingest->tally);
	time_order_init(&ingest->order);
	find_weights(ingest);
}

void ingest_deinit(struct ingest *ingest)
{
	callchains_deinit(&ingest->chains);
	text_samples_deinit(&ingest->text);
	trie_deinit(&ingest->trie);
	sample_values_deinit(&ingest->values);
	selection_tally_deinit(&ingest->tally);
	time_order_deinit(&ingest->order);
	memory_free(ingest->weights);
	vec_free(&ingest->chain);
	vec_free(&ingest->joined_callchain);
	vec_free(&ingest->unwound_callchain);
	vec_free(&ingest->marked_callchain);
	vec_free(&ingest->ip_callchain);
	vec_free(&ingest->rows);
	memory_free(ingest->events);
	memory_free(ingest->moments);
}

static const struct process_moment *moment_of(struct ingest *ingest, uint32_t pid, uint32_t tid,
					      uint64_t time_ns)
{
	struct ingest_moment *slot = &ingest->moments[tid % MOMENT_SLOTS];

	if (slot->tid != tid || slot->pid != pid || time_ns < slot->moment.from_ns ||
	    time_ns >= slot->moment.until_ns) {
		slot->pid = pid;
		slot->tid = tid;
		slot->moment = process_history_find(&ingest->state->history, pid, tid, time_ns);
	}
	return &slot->moment;
}

/* A sample without a period counts as one. */
static uint64_t period_of(const struct event_sample *sample)
{
	return sample->period ? sample->period : 1;
}

static void count_event(struct ingest_event *of, const struct event *event, uint64_t period)
{
	of->sample_count++;
	of->period_sum = saturate_add(of->period_sum, period ? period : 1);
	if (event->sample.branch_count)
		profile_count_branches(&of->branches, &event->sample);
}

/* The event that is shown by default is that of the first sample, even if it is not selected. */
static void note_first(struct ingest *ingest, const struct event_sample *sample, uint64_t time_ns)
{
	uint64_t *first_ns = sample->text ? text_samples_first_time(&ingest->text)
					  : &ingest->events[sample->attr].first_time_ns;

	if (time_ns < *first_ns)
		*first_ns = time_ns;
}

/*
 * perf writes its off-CPU samples at the end, not in the time order of their CPU. Texts are sorted.
 */
static void check_order(struct ingest *ingest, const struct event_sample *sample, uint64_t time_ns)
{
	if (sample->text || !(sample->present & SAMPLE_HAS_CPU) ||
	    ingest->profile->events.at[sample->attr].is_off_cpu)
		time_order_add_alone(&ingest->order, time_ns);
	else
		time_order_add(&ingest->order, sample->cpu, sample->tid, time_ns);
}

/* Counts a sample with another time and period than its own. */
static void count_as(struct ingest *ingest, const struct event *event, uint64_t time_ns,
		     uint64_t period)
{
	const struct event_sample *sample = &event->sample;

	if (sample->text)
		text_samples_count(&ingest->text, event, period);
	else
		count_event(&ingest->events[sample->attr], event, period);
	if (!event->has_time)
		return;
	note_first(ingest, sample, time_ns);
	check_order(ingest, sample, time_ns);
	if (time_ns < ingest->first_time_ns)
		ingest->first_time_ns = time_ns;
	if (time_ns > ingest->last_time_ns)
		ingest->last_time_ns = time_ns;
}

static void count_sample(struct ingest *ingest, const struct event *event)
{
	count_as(ingest, event, event->time_ns, event->sample.period);
}

static void count_stack(struct ingest *ingest, enum stack_end end)
{
	static const enum loss_kind losses[] = {
		[STACK_TRUNCATED] = LOSS_UNWIND_TRUNCATED,
		[STACK_LOST] = LOSS_UNWIND_FAILED,
		[STACK_NO_FILE] = LOSS_UNWIND_NO_FILE,
		[STACK_NO_REGISTERS] = LOSS_UNWIND_NO_REGISTERS,
	};

	ingest->unwound_count++;
	if (end != STACK_COMPLETE)
		ingest->losses[losses[end]]++;
}

/* Joins the kernel part of the callchain with the unwound user part. */
static void unwind(struct ingest *ingest, const struct event_sample *sample,
		   const struct callchain_key *key, const uint64_t **ips, uint32_t *count)
{
	const struct ingest_unwinder *unwinder = &ingest->options.unwinder;
	struct callchain_buffer *chain = &ingest->unwound_callchain;
	uint32_t address_max = ingest->view->selection.callchain_max;
	uint32_t kernel_count = 0;
	enum stack_end end;
	size_t first;

	chain->count = 0;
	for (uint32_t i = 0; i < *count && (*ips)[i] != CALLCHAIN_USER; i++) {
		vec_push(chain, (*ips)[i]);
		kernel_count += (*ips)[i] < CALLCHAIN_MARKER_FIRST;
	}
	/* The user part would be cut off. */
	if (address_max && kernel_count >= address_max)
		return;
	vec_push(chain, CALLCHAIN_USER);
	first = chain->count;
	end = unwinder->unwind(unwinder->context, sample, key,
			       address_max ? address_max - kernel_count : 0, chain);
	count_stack(ingest, end);
	if (chain->count == first)
		chain->count--;
	else if (end == STACK_TRUNCATED && !ingest->options.is_literal)
		vec_push(chain, CALLCHAIN_TRUNCATED);
	*ips = chain->at;
	*count = (uint32_t)chain->count;
}

static bool has_recorded_stack(const struct ingest *ingest, const struct event_sample *sample)
{
	const uint64_t fields = SAMPLE_HAS_USER_REGISTERS | SAMPLE_HAS_USER_STACK;

	if ((sample->present & fields) != fields || !ingest->options.unwinder.unwind)
		return false;
	/*
	 * perf does not show any user frames if a sample has no stack dump, or an empty one, as
	 * during execve: the old stack is gone, but the kernel has already reserved the bytes.
	 */
	return sample->user_stack_used_bytes || !ingest->view->naming.uses_perf_names;
}

/* Joins callchains that consist of several parts; leaves others unchanged. */
static void assemble(struct ingest *ingest, const struct event_sample *sample,
		     const struct callchain_key *key, const uint64_t **ips, uint32_t *count)
{
	struct callchain_buffer *chain = &ingest->chain;
	bool uses_perf_names = ingest->view->naming.uses_perf_names;
	bool are_calls;

	if (deferred_is_awaited(*ips, *count)) {
		if (!deferred_join(&ingest->state->deferred, sample, &ingest->joined_callchain))
			ingest->losses[LOSS_DEFERRED_CALLCHAINS]++;
		*ips = ingest->joined_callchain.at;
		*count = (uint32_t)ingest->joined_callchain.count;
	}
	if (has_recorded_stack(ingest, sample))
		unwind(ingest, sample, key, ips, count);
	if (!sample->branch_count)
		return;
	are_calls = ingest->profile->events.at[sample->attr].has_branch_calls;
	if (are_calls ? !branch_callchain_of_calls(sample, uses_perf_names, chain)
		      : !ingest->view->has_branch_history && !ingest->view->has_only_branches)
		return;
	if (!are_calls && ingest->view->has_only_branches)
		branch_callchain_of_branches(sample, chain);
	else if (!are_calls)
		branch_callchain_of_history(sample, *ips, *count, chain);
	*ips = chain->at;
	*count = (uint32_t)chain->count;
}

static const uint64_t *whole_callchain_of(struct ingest *ingest, const struct event_sample *sample,
					  const struct callchain_key *key, uint32_t *count_ret)
{
	bool is_literal = ingest->options.is_literal;
	bool wants_ip = !(sample->present & SAMPLE_HAS_CALLCHAIN) || !is_literal;
	const uint64_t *ips = sample->ips;
	uint32_t count = sample->ip_count;

	if (sample->text) {
		ips = text_samples_callchain(&ingest->text, sample->text, &count);
		*count_ret = is_literal ? count : count - sample->text->stray_count;
		return ips;
	}
	assemble(ingest, sample, key, &ips, &count);
	if (!count && wants_ip && sample->present & SAMPLE_HAS_IP) {
		*count_ret = 1;
		return &sample->ip;
	}
	*count_ret = is_literal ? count : callchain_trimmed_count(ips, count);
	return ips;
}

static uint64_t marker_of(enum cpu_mode mode)
{
	return mode == CPU_MODE_USER     ? CALLCHAIN_USER
	       : mode == CPU_MODE_KERNEL ? CALLCHAIN_KERNEL
					 : 0;
}

/*
 * Replaces the first address of a callchain with the sample's ip. If the context at the beginning
 * of the callchain differs from that of the sample, the ip precedes the marker of this context.
 */
static void start_at_ip(struct ingest *ingest, const struct event_sample *sample,
			const uint64_t **ips, uint32_t *count)
{
	struct callchain_buffer *chain = &ingest->ip_callchain;
	uint64_t marker = marker_of(sample->cpu_mode);
	bool is_skipped = false;
	uint32_t at = 0;

	if (sample->text || !(sample->present & SAMPLE_HAS_IP))
		return;
	chain->count = 0;
	if (marker && *count && (*ips)[0] == marker) {
		vec_push(chain, marker);
		at++;
	}
	vec_push(chain, sample->ip);
	for (; at < *count; at++) {
		if (is_skipped || (*ips)[at] >= CALLCHAIN_MARKER_FIRST)
			vec_push(chain, (*ips)[at]);
		else
			is_skipped = true;
	}
	*ips = chain->at;
	*count = (uint32_t)chain->count;
}

/* Returns how many entries the innermost call_count addresses span, including markers. */
static uint32_t length_of_calls(const uint64_t *ips, uint32_t count, uint32_t call_count)
{
	uint32_t length = 0;

	while (length < count && call_count)
		if (ips[length++] < CALLCHAIN_MARKER_FIRST)
			call_count--;
	return length;
}

const uint64_t *ingest_callchain_of(struct ingest *ingest, const struct event_sample *sample,
				    const struct callchain_key *key, uint32_t *count_ret)
{
	uint32_t callchain_max = ingest->view->selection.callchain_max;
	const uint64_t *ips = whole_callchain_of(ingest, sample, key, count_ret);

	if (ingest->options.starts_at_ip)
		start_at_ip(ingest, sample, &ips, count_ret);
	if (callchain_max)
		*count_ret = length_of_calls(ips, *count_ret, callchain_max);
	return ips;
}

static uint16_t time_bin_of(const struct ingest *ingest, const struct event *event)
{
	const struct time_bins *bins = ingest->options.time_bins;

	return bins && event->has_time ? (uint16_t)time_bins_find(bins, event->time_ns) : 0;
}

static struct callchain_key text_key_of(struct ingest *ingest, const struct event *event)
{
	const struct event_sample *sample = &event->sample;
	struct callchain_key key = {
		.time_bin = time_bin_of(ingest, event),
		.pid = ingest->has_pids ? sample->pid : 0,
		.tid = ingest->has_tids ? sample->tid : 0,
		.cpu = ingest->has_cpus ? sample->cpu : 0,
		.comm = PROCESS_HISTORY_NONE,
		.entry_kind = ENTRY_TEXT,
	};

	text_samples_set_head(&ingest->text, sample, &key);
	sample_values_set(&ingest->values, sample, &key);
	return key;
}

struct callchain_key ingest_key_of(struct ingest *ingest, const struct event *event)
{
	const struct event_sample *sample = &event->sample;
	const struct process_moment *moment;
	struct callchain_key key;

	if (sample->text)
		return text_key_of(ingest, event);
	moment = moment_of(ingest, sample->pid, sample->tid,
			   process_state_time_of(ingest->state, event));
	key = (struct callchain_key){
		.pid = ingest->has_pids ? sample->pid : 0,
		.tid = ingest->has_tids ? sample->tid : 0,
		.cpu = ingest->has_cpus ? sample->cpu : 0,
		.event = sample->attr,
		.comm = moment->comm,
		.unnamed_tid = moment->comm == PROCESS_HISTORY_NONE ? sample->tid : 0,
		.space = moment->space,
		.replaced_space = moment->replaced_space,
		.kernel_space = moment->kernel_space,
		.entry_kind = (uint16_t)sample->cpu_mode,
		.time_bin = time_bin_of(ingest, event),
	};

	sample_values_set(&ingest->values, sample, &key);
	return key;
}

/* Returns the comm of the process: the comm of its first thread, whose tid equals the pid. */
static struct text process_of(struct ingest *ingest, const struct event *event,
			      char buffer[COMM_BYTES])
{
	uint32_t pid = event->sample.pid;
	const struct process_moment *moment =
		moment_of(ingest, pid, pid, process_state_time_of(ingest->state, event));

	return comm_text(ingest->state->strings, moment->comm, pid, buffer);
}

bool ingest_selects(struct ingest *ingest, const struct event *event,
		    const struct callchain_key *key)
{
	const struct selection *selection = &ingest->view->selection;
	const struct event_text_sample *text = event->sample.text;
	struct selection_subject subject = { .event = event };
	char comm_buffer[COMM_BYTES];
	char process_buffer[COMM_BYTES];

	if (!ingest->has_selection)
		return true;
	subject.comm = text && text->comm.at ? text->comm
					     : comm_text(ingest->state->strings, key->comm,
							 key->unnamed_tid, comm_buffer);
	if (selection->processes.count)
		subject.process = process_of(ingest, event, process_buffer);
	if (selection_tally_count(&ingest->tally, selection, &subject))
		return true;
	if (event->has_time)
		note_first(ingest, &event->sample, event->time_ns);
	return false;
}

/* Counts samples with this callchain. Parameters: see callchains_add_several. */
static void count_callchain(struct ingest *ingest, const struct callchain_key *key,
			    const uint64_t *ips, uint32_t ip_count, uint64_t sample_count,
			    uint64_t period, uint64_t offset)
{
	if (ingest->stacks)
		stack_resolver_add(ingest->stacks, key, ips, ip_count, sample_count, period,
				   offset);
	else
		callchains_add_several(&ingest->chains, key, ips, ip_count, sample_count, period,
				       offset);
}

static uint64_t weight_of(const struct ingest *ingest, const struct event_sample *sample)
{
	if (sample->text)
		return sample->period;
	return ingest->weights
		       ? weighing_of(&ingest->view->weighing, ingest->weights[sample->attr], sample)
		       : period_of(sample);
}

struct callchain_key ingest_code_key(const struct callchain_key *key)
{
	struct callchain_key code = *key;

	/* The entry is not a frame, so a selection by frames does not apply to it. */
	code.entry_kind = ENTRY_KERNEL_POINTER;
	return code;
}

static void take_code(struct ingest *ingest, const struct event *event,
		      const struct callchain_key *key)
{
	const struct profile *profile = ingest->profile;
	const struct profile_event *row = &profile->events.at[event->sample.attr];
	struct callchain_key code = ingest_code_key(key);

	for (uint32_t i = 0; i < row->field_count; i++) {
		const struct field *field = &profile->fields.at[row->field_first + i];
		uint64_t address;

		if (field->is_code && field_number(field, &event->sample.raw, &address))
			count_callchain(ingest, &code, &address, 1, 1, 0, event->offset);
	}
}

static void observe(const struct ingest *ingest, const struct ingested_sample *sample)
{
	ingest->options.observer.on_sample(ingest->options.observer.context, sample);
}

/*
 * Adds an interval to each time bin that it overlaps. The number of its samples is added only to
 * the first of these bins.
 */
static void add_interval(struct ingest *ingest, struct callchain_key *key, const uint64_t *ips,
			 uint32_t count, const struct interval *interval, const struct event *event)
{
	const struct time_bins *bins = ingest->options.time_bins;
	bool is_divided = bins && bins->width_ns && bins->parts == 1;
	uint64_t sample_count = event->sample.text ? event->sample.text->sample_count : 1;
	uint64_t left_ns = interval->duration_ns;
	uint64_t from_ns = interval->begin_ns;

	do {
		uint64_t part_ns = left_ns;
		uint32_t bin;

		if (is_divided) {
			part_ns = time_bins_part(bins, ingest->options.windows, &from_ns, left_ns,
						 &bin);
			key->time_bin = (uint16_t)bin;
		}
		count_callchain(ingest, key, ips, count, sample_count, part_ns, event->offset);
		left_ns -= part_ns;
		sample_count = 0;
	} while (left_ns);
}

/* The leaf of an interval: 0 (none), its rounded duration, or an individual leaf. */
static uint64_t leaf_of(const struct ingest *ingest, const struct ingested_sample *sample,
			const uint64_t *ips, uint32_t count)
{
	const struct ingest_chooser *chooser = &ingest->options.chooser;
	const struct interval *interval = sample->interval;
	uint32_t index = (uint32_t)(interval - ingest->options.intervals->at);
	uint64_t rounded_ns = interval_round_ns(interval->duration_ns);
	uint64_t marks = (uint64_t)interval->mark << 32 | interval->waker;

	if (!ingest->options.has_durations)
		return 0;
	if (chooser->choose &&
	    chooser->choose(chooser->context, sample,
			    hash_bytes(ips, count * sizeof(*ips),
				       hash_pair(callchain_key_hash(sample->key), marks)),
			    index))
		return INTERVAL_SINGLE + index;
	return rounded_ns < INTERVAL_SINGLE ? rounded_ns : INTERVAL_SINGLE - 1;
}

/* Counts a sample once for each interval that it begins. */
static void take_intervals(struct ingest *ingest, const struct event *event)
{
	const struct interval *intervals;
	struct callchain_key key;
	size_t interval_count;

	sample_position_next(&ingest->place, event->offset);
	intervals = intervals_find(ingest->options.intervals, &ingest->place, &ingest->interval,
				   &interval_count);
	if (!interval_count)
		return;
	key = ingest_key_of(ingest, event);
	if (!ingest_selects(ingest, event, &key))
		return;
	for (size_t i = 0; i < interval_count; i++) {
		struct ingested_sample single = {
			.event = event,
			.key = &key,
			.sample_count = 1,
			.weight = intervals[i].duration_ns,
			.interval = &intervals[i],
		};
		uint32_t count;
		const uint64_t *ips;

		if (ingest->options.has_switch_event)
			key.event = intervals[i].mark == INTERVAL_RUNNING
					    ? event->sample.attr
					    : ingest->options.switch_event;
		if (ingest->options.observer.on_sample) {
			count_as(ingest, event, event->time_ns, intervals[i].duration_ns);
			observe(ingest, &single);
			continue;
		}
		ips = ingest_callchain_of(ingest, &event->sample, &key, &count);
		ips = interval_callchain(&intervals[i], leaf_of(ingest, &single, ips, count),
					 &event->sample, ips, &count, &ingest->marked_callchain);
		count_as(ingest, event,
			 time_windows_nearest(ingest->options.windows, event->time_ns),
			 intervals[i].duration_ns);
		add_interval(ingest, &key, ips, count, &intervals[i], event);
	}
}

/* Counts a sample. interval: the wait that the sample ends; or NULL. */
static void take_sample(struct ingest *ingest, const struct event *event,
			const struct interval *interval)
{
	const struct event_sample *sample = &event->sample;
	struct callchain_key key = ingest_key_of(ingest, event);
	const uint64_t *ips;
	uint32_t count;

	if (!ingest_selects(ingest, event, &key))
		return;
	if (ingest->options.keeps_rows)
		vec_push(&ingest->rows, (struct sample_row){ event->has_time ? event->time_ns : 0,
							     event->offset });
	count_sample(ingest, event);
	if (ingest->options.observer.on_sample) {
		observe(ingest,
			&(struct ingested_sample){
				.event = event,
				.key = &key,
				.sample_count = sample->text ? sample->text->sample_count : 1,
				.weight = weight_of(ingest, sample),
				.interval = interval,
			});
		return;
	}
	if (ingest->options.follows_code && !sample->text)
		take_code(ingest, event, &key);
	ips = ingest_callchain_of(ingest, sample, &key, &count);
	if (interval) {
		add_interval(ingest, &key, ips, count, interval, event);
		return;
	}
	count_callchain(ingest, &key, ips, count, sample->text ? sample->text->sample_count : 1,
			weight_of(ingest, sample), event->offset);
}

/*
 * Counts the part of a wait that is in the windows. Pre-aggregated waits have no time, so they are
 * skipped if there are windows.
 */
static void take_wait(struct ingest *ingest, const struct event *event)
{
	struct event part = *event;
	uint64_t duration_ns = event->sample.period;
	struct interval wait;

	if (!event->has_time) {
		ingest->timeless_count++;
		return;
	}
	if (duration_ns > event->time_ns)
		duration_ns = event->time_ns;
	part.sample.period = time_windows_part(ingest->options.windows,
					       event->time_ns - duration_ns, event->time_ns);
	part.time_ns = time_windows_nearest(ingest->options.windows, event->time_ns);
	wait = (struct interval){
		.begin_ns = event->time_ns - duration_ns,
		.duration_ns = part.sample.period,
	};
	if (part.sample.period)
		take_sample(ingest, &part, &wait);
}

static void take_stack(struct ingest *ingest, const struct event *event)
{
	const struct event_text_sample *text = event->sample.text;
	const uint32_t *rows;
	uint32_t shared;
	uint32_t count;

	if (!text->repeats_head)
		ingest->last_key = ingest_key_of(ingest, event);
	if (!ingest_selects(ingest, event, &ingest->last_key)) {
		trie_leave_out(&ingest->trie, text->shared_count);
		return;
	}
	count_sample(ingest, event);
	shared = trie_begin(&ingest->trie, &ingest->last_key, text->shared_count);
	count = text->frame_count - shared;
	rows = text_samples_rows(&ingest->text, count ? text->frames + shared : NULL, count);
	trie_add(&ingest->trie, &ingest->text.frames, rows, count, text->sample_count,
		 event->sample.period);
}

static void take_loss(struct ingest *ingest, const struct event *event)
{
	uint64_t *loss = &ingest->losses[event->loss.kind];

	*loss = saturate_add(*loss, event->loss.count);
	if ((event->loss.kind == LOSS_SKIPPED_LINES || event->loss.kind == LOSS_LONG_LINES) &&
	    event->offset < ingest->first_skipped_offset)
		ingest->first_skipped_offset = event->offset;
}

void ingest_on_event(void *context, const struct event *event)
{
	struct ingest *ingest = context;

	if (event->kind == EVENT_SAMPLE && ingest->options.intervals)
		take_intervals(ingest, event);
	else if (event->kind == EVENT_SAMPLE && ingest->options.keeps_trie)
		take_stack(ingest, event);
	else if (event->kind == EVENT_SAMPLE && ingest->options.has_measured_waits)
		take_wait(ingest, event);
	else if (event->kind == EVENT_SAMPLE)
		take_sample(ingest, event, NULL);
	else if (event->kind == EVENT_LOSS)
		take_loss(ingest, event);
}

void ingest_add_counts(const struct ingest *ingest, struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		struct profile_event *event = &profile->events.at[i];

		event->sample_count =
			saturate_add(event->sample_count, ingest->events[i].sample_count);
		event->period_sum = saturate_add(event->period_sum, ingest->events[i].period_sum);
		profile_add_branches(&event->branches, &ingest->events[i].branches);
		if (ingest->events[i].first_time_ns < event->first_time_ns)
			event->first_time_ns = ingest->events[i].first_time_ns;
		profile->sample_count =
			saturate_add(profile->sample_count, ingest->events[i].sample_count);
	}
	profile->unwound_count += ingest->unwound_count;
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		profile->losses[i] = saturate_add(profile->losses[i], ingest->losses[i]);
	if (ingest->first_time_ns < profile->first_time_ns)
		profile->first_time_ns = ingest->first_time_ns;
	if (ingest->last_time_ns > profile->last_time_ns)
		profile->last_time_ns = ingest->last_time_ns;
}
