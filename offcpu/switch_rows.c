/* SPDX-License-Identifier: MIT */
#include "offcpu/switch_rows.h"

/* Adds what the workers counted and the threads that they found. */
static void add_parts(const struct pairing_rows *parts, size_t count, struct pairing_rows *ret)
{
	for (size_t i = 0; i < count; i++) {
		ret->corrupt_count += parts[i].corrupt_count;
		ret->sampled_count += parts[i].sampled_count;
		if (parts[i].last_time_ns > ret->last_time_ns)
			ret->last_time_ns = parts[i].last_time_ns;
		if (parts[i].threads)
			text_threads_add(ret->threads, parts[i].threads);
		text_threads_destroy(parts[i].threads);
	}
}

/*
 * Adds switch records (perf record --switch-events): all of them, or only the switches that samples
 * do not contain.
 */
static void add_records(const struct process_state *state, const struct pairing_plan *plan,
			struct pairing_rows *rows)
{
	for (size_t i = 0; i < state->switches.count; i++) {
		const struct recorded_switch *change = &state->switches.at[i];
		struct pairing_row row = {
			.time_ns = change->time_ns,
			.offset = change->offset,
			.tid = change->context_switch.tid,
			.role = change->context_switch.is_switch_out ? PAIRING_SWITCH_OUT
								     : PAIRING_SWITCH_IN,
			.state = change->context_switch.is_exit        ? 'X'
				 : change->context_switch.is_preempted ? 'R'
								       : '?',
			.is_preempted = change->context_switch.is_preempted,
		};

		if (!plan->uses_records && row.role == PAIRING_SWITCH_OUT &&
		    !change->context_switch.is_exit)
			continue;
		vec_push(&rows->rows, row);
		if (row.time_ns > rows->last_time_ns)
			rows->last_time_ns = row.time_ns;
	}
}

/* In some captures, only the samples themselves show that each represents several switches. */
static bool check_periods(const struct pairing_plan *plan, const struct pairing_rows *rows,
			  struct error *err)
{
	return !rows->sampled_count || plan->options.is_forced ||
	       error_set(
		       err, ERROR_USAGE,
		       "each sample represents several switches, so times would be wrong; record "
		       "every switch with perf record -c 1, without -F, or use --allow-missing-switches");
}

/*
 * Checks that there are switch records with a time. The records of exiting threads do not count,
 * because they may have times even if switch records do not.
 */
static bool check_records(const struct process_state *state, const struct pairing_plan *plan,
			  struct error *err)
{
	bool has_any = !plan->uses_records && !plan->ends_in_records;

	for (size_t i = 0; !has_any && i < state->switches.count; i++)
		has_any = !state->switches.at[i].context_switch.is_exit;
	return has_any ||
	       error_set(err, ERROR_USAGE,
			 "the switch records have no timestamp or no thread; record them with perf "
			 "record -T");
}

/* Reads the samples, with one worker for each part. */
static bool read_samples(const struct capture *capture, const struct pairing_plan *plan,
			 unsigned thread_count, struct pairing_rows *parts, size_t count,
			 struct error *err)
{
	struct event_sink *sinks = memory_alloc(count, sizeof(*sinks));
	bool good;

	for (size_t i = 0; i < count; i++) {
		parts[i].plan = plan;
		parts[i].threads = plan->describes_threads ? text_threads_create() : NULL;
		sinks[i] = (struct event_sink){ .context = &parts[i],
						.on_event = pairing_rows_on_event,
						.wants_attr = pairing_rows_wants_attr };
	}
	good = capture_read_all_samples(capture, thread_count, sinks, count, err);
	memory_free(sinks);
	return good;
}

bool switch_rows_read(const struct capture *capture, const struct process_state *state,
		      const struct pairing_plan *plan, unsigned thread_count,
		      struct pairing_rows *ret, struct error *err)
{
	size_t slice_count = capture->slices.count;
	size_t count = thread_count < slice_count ? thread_count : slice_count;
	struct pairing_rows *parts;
	bool good;

	if (!count)
		count = 1;
	*ret = (struct pairing_rows){
		.plan = plan,
		.threads = plan->describes_threads ? text_threads_create() : NULL,
	};
	parts = memory_zalloc(count, sizeof(*parts));
	good = read_samples(capture, plan, thread_count, parts, count, err);
	if (plan->uses_records || plan->ends_in_records)
		add_records(state, plan, &parts[count - 1]);
	add_parts(parts, count, ret);
	good = good && check_periods(plan, ret, err) && check_records(state, plan, err);
	pairing_rows_sort(parts, count, thread_count, &ret->rows);
	memory_free(parts);
	return good;
}
