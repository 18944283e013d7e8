/* SPDX-License-Identifier: MIT */
#include "offcpu/switch_rows.h"

/* Appends the rows of all workers to those of the first worker, in input order. */
static struct pairing_rows *join_rows(struct pairing_rows *parts, size_t count)
{
	struct pairing_rows *all = &parts[0];

	for (size_t i = 1; i < count; i++) {
		struct pairing_rows *more = &parts[i];

		vec_reserve(&all->rows, all->rows.count + more->rows.count);
		if (more->rows.count)
			memcpy(all->rows.at + all->rows.count, more->rows.at,
			       more->rows.count * sizeof(*more->rows.at));
		all->rows.count += more->rows.count;
		all->corrupt_count += more->corrupt_count;
		all->sampled_count += more->sampled_count;
		if (more->last_time_ns > all->last_time_ns)
			all->last_time_ns = more->last_time_ns;
		vec_free(&more->rows);
	}
	return all;
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

/* Reads the rows of all workers. */
static bool read_samples(const struct capture *capture, const struct pairing_plan *plan,
			 unsigned thread_count, struct pairing_rows *ret, struct error *err)
{
	size_t slice_count = capture->slices.count;
	size_t count = thread_count;
	struct pairing_rows *parts;
	struct event_sink *sinks;
	bool good;

	if (count > slice_count)
		count = slice_count ? slice_count : 1;
	parts = memory_zalloc(count, sizeof(*parts));
	sinks = memory_alloc(count, sizeof(*sinks));
	for (size_t i = 0; i < count; i++) {
		parts[i].plan = plan;
		sinks[i] = (struct event_sink){ .context = &parts[i],
						.on_event = pairing_rows_on_event };
	}
	good = capture_read_all_samples(capture, thread_count, sinks, count, err);
	*ret = *join_rows(parts, count);
	memory_free(parts);
	memory_free(sinks);
	return good;
}

bool switch_rows_read(const struct capture *capture, const struct process_state *state,
		      const struct pairing_plan *plan, unsigned thread_count,
		      struct pairing_rows *ret, struct error *err)
{
	bool good = read_samples(capture, plan, thread_count, ret, err);

	if (plan->uses_records || plan->ends_in_records)
		add_records(state, plan, ret);
	good = good && check_periods(plan, ret, err) && check_records(state, plan, err);
	if (good)
		pairing_rows_sort(ret->rows.at, ret->rows.count);
	return good;
}
