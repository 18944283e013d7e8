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

static uint8_t role_of(const struct event_context_switch *change)
{
	if (change->is_exit)
		return PAIRING_EXIT;
	if (change->is_exec)
		return PAIRING_EXEC;
	return change->is_switch_out ? PAIRING_SWITCH_OUT : PAIRING_SWITCH_IN;
}

bool switch_rows_of_record(const struct recorded_switch *record, const struct pairing_plan *plan,
			   struct pairing_row *ret)
{
	const struct event_context_switch *change = &record->context_switch;

	*ret = (struct pairing_row){
		.time_ns = record->time_ns,
		.offset = record->offset,
		.tid = change->tid,
		.cpu = pairing_row_cpu(change->cpu),
		.role = role_of(change),
		.state = change->is_exit        ? 'X'
			 : change->is_preempted ? 'R'
						: '?',
		.is_preempted = change->is_preempted,
	};
	return plan->uses_records || (plan->ends_in_records && ret->role != PAIRING_SWITCH_OUT);
}

static void add_records(const struct process_state *state, const struct pairing_plan *plan,
			struct pairing_rows *rows)
{
	struct pairing_row row;

	for (size_t i = 0; i < state->switches.count; i++) {
		if (!switch_rows_of_record(&state->switches.at[i], plan, &row))
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
		has_any = context_switch_is_of_thread(&state->switches.at[i].context_switch);
	return has_any ||
	       error_set(err, ERROR_USAGE,
			 "the switch records have no timestamp or no thread; record them with perf "
			 "record -T");
}

/* Reads the samples, with one worker for each part. */
static bool read_samples(const struct switch_source *source, const struct pairing_plan *plan,
			 struct pairing_rows *parts, size_t count, struct error *err)
{
	struct event_sink *sinks = memory_alloc(count, sizeof(*sinks));
	size_t sample_count = 0;
	bool good;

	for (size_t i = 0; i < source->capture->slices.count; i++)
		sample_count += source->capture->slices.at[i].sample_count;

	for (size_t i = 0; i < count; i++) {
		parts[i].plan = plan;
		parts[i].expected_count = sample_count / count;
		parts[i].threads = plan->describes_threads ? text_threads_create() : NULL;
		sinks[i] = pairing_rows_sink(&parts[i]);
	}
	good = capture_read_all_samples(source->capture, source->thread_count, sinks, count, err);
	memory_free(sinks);
	return good;
}

/* Adds the parts and the switch records to ret, in time order. */
static bool join(const struct switch_source *source, const struct pairing_plan *plan,
		 struct pairing_rows *parts, size_t count, struct pairing_rows *ret,
		 struct error *err)
{
	bool good;

	add_records(source->state, plan, &parts[count - 1]);
	add_parts(parts, count, ret);
	good = check_periods(plan, ret, err) && check_records(source->state, plan, err);
	pairing_rows_sort(parts, count, source->thread_count, &ret->rows);
	return good;
}

static bool read_and_join(const struct switch_source *source, const struct pairing_plan *plan,
			  struct pairing_rows *ret, struct error *err)
{
	size_t slice_count = source->capture->slices.count;
	size_t count = source->thread_count < slice_count ? source->thread_count : slice_count;
	struct pairing_rows *parts;
	bool good;

	if (!count)
		count = 1;
	parts = memory_zalloc(count, sizeof(*parts));
	good = read_samples(source, plan, parts, count, err);
	if (good)
		good = join(source, plan, parts, count, ret, err);
	else
		for (size_t i = 0; i < count; i++)
			pairing_rows_deinit(&parts[i]);
	memory_free(parts);
	return good;
}

bool switch_rows_read(const struct switch_source *source, const struct pairing_plan *plan,
		      struct pairing_rows *ret, struct error *err)
{
	*ret = (struct pairing_rows){
		.plan = plan,
		.threads = plan->describes_threads ? text_threads_create() : NULL,
	};
	if (early_switches_have(source->early, plan))
		return join(source, plan, source->early->parts, EARLY_PARTS_MAX, ret, err);
	early_switches_discard(source->early);
	return read_and_join(source, plan, ret, err);
}
