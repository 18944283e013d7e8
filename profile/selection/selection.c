/* SPDX-License-Identifier: MIT */
#include "profile/selection/selection.h"

#include <stdio.h>

#include "base/scan.h"

void selection_deinit(struct selection *selection)
{
	name_patterns_deinit(&selection->comms);
	name_patterns_deinit(&selection->processes);
	for (size_t i = 0; i < selection->labels.count; i++)
		name_patterns_deinit(&selection->labels.at[i].values);
	vec_free(&selection->labels);
	vec_free(&selection->pids);
	vec_free(&selection->tids);
	vec_free(&selection->cpus);
	vec_free(&selection->times_ns);
	vec_free(&selection->time_shares);
	vec_free(&selection->periods);
	name_patterns_deinit(&selection->dsos);
	name_patterns_deinit(&selection->symbols);
	name_patterns_deinit(&selection->bases);
}

bool selection_parse_numbers(const char *option, const char *text, selection_ranges *ret,
			     struct error *err)
{
	struct text rest = text_of(text);

	for (;;) {
		struct selection_range range;

		if (!scan_u64(&rest, &range.first))
			break;
		range.last = range.first;
		if (scan_char(&rest, '-') && !scan_u64(&rest, &range.last))
			break;
		if (range.last < range.first)
			break;
		vec_push(ret, range);
		if (!rest.length)
			return true;
		if (!scan_char(&rest, ','))
			break;
	}
	return error_set(err, ERROR_USAGE, "--%s requires numbers such as 3 or 0-3,7, not \"%s\"",
			 option, text);
}

bool selection_add_label(struct selection *selection, struct text key, const char *values,
			 bool selects_rest, struct error *err)
{
	struct selection_label label = { .key = key, .selects_rest = selects_rest };
	char option[64];

	snprintf(option, sizeof(option), "label %.*s", (int)key.length, key.at);
	if (!name_patterns_parse(option, values, &label.values, err))
		return false;
	vec_push(&selection->labels, label);
	return true;
}

bool selection_has(const struct selection *selection, enum selection_criterion criterion)
{
	switch (criterion) {
	case SELECTION_IDLE:
		return selection->no_idle;
	case SELECTION_CPU:
		return selection->cpus.count;
	case SELECTION_TIME:
		return selection->times_ns.count || selection_needs_placing(selection);
	case SELECTION_PID:
		return selection->pids.count;
	case SELECTION_TID:
		return selection->tids.count;
	case SELECTION_PROCESS:
		return selection->processes.count;
	case SELECTION_COMM:
		return selection->comms.count;
	case SELECTION_LABEL:
		return selection->labels.count;
	case SELECTION_CRITERIA:
		break;
	}
	return false;
}

bool selection_asks_of_samples(const struct selection *selection)
{
	for (int i = 0; selection && i < SELECTION_CRITERIA; i++)
		if (selection_has(selection, (enum selection_criterion)i))
			return true;
	return false;
}

bool selection_is_empty(const struct selection *selection)
{
	return !selection || (!selection_asks_of_samples(selection) &&
			      !selection_asks_of_leaves(selection) && !selection->bases.count);
}

bool selection_needs_placing(const struct selection *selection)
{
	return selection &&
	       (selection->time_shares.count || selection->periods.count || selection->around);
}

bool selection_asks_of_leaves(const struct selection *selection)
{
	return selection->dsos.count || selection->symbols.count || selection->user_only ||
	       selection->kernel_only;
}

bool selection_asks_of_frames(const struct selection *selection)
{
	return selection && (selection->bases.count || selection->depth_max ||
			     selection->callchain_max || selection_asks_of_leaves(selection));
}

/* Whether a name matches. An empty list matches everything. */
static bool takes_name(const name_patterns *names, struct text name)
{
	return !names->count || name_patterns_fit(names, name);
}

bool selection_has_number(const selection_ranges *ranges, uint64_t number)
{
	for (size_t i = 0; i < ranges->count; i++)
		if (number >= ranges->at[i].first && number <= ranges->at[i].last)
			return true;
	return ranges->count == 0;
}

size_t selection_find_window(const struct selection *selection, uint64_t time_ns)
{
	const selection_ranges *times_ns = &selection->times_ns;
	size_t i = vec_count_first(times_ns, range, range->last < time_ns);

	return i < times_ns->count && times_ns->at[i].first <= time_ns ? i : SIZE_MAX;
}

bool selection_includes_mode(const struct selection *selection, enum cpu_mode mode)
{
	bool is_kernel;
	bool is_user;

	if (!selection)
		return true;
	is_kernel = mode == CPU_MODE_KERNEL || mode == CPU_MODE_GUEST_KERNEL ||
		    mode == CPU_MODE_HYPERVISOR;
	is_user = mode == CPU_MODE_USER || mode == CPU_MODE_GUEST_USER;
	return !(selection->user_only && is_kernel) && !(selection->kernel_only && is_user);
}

/* A DSO matches by its path or by its file name. */
static bool has_dso(const struct selection *selection, struct text path)
{
	return takes_name(&selection->dsos, path) ||
	       takes_name(&selection->dsos, text_basename(path));
}

bool selection_includes_leaf(const struct selection *selection, const struct profile *profile,
			     const struct locations *locations, location_id leaf)
{
	const struct location *location;

	if (!selection)
		return true;
	if (leaf.i == LOCATION_NONE.i)
		return !selection->user_only && !selection->kernel_only && !selection->dsos.count &&
		       !selection->symbols.count;
	location = &locations->rows.at[leaf.i];
	return has_dso(selection,
		       strings_get(profile->strings,
				   modules_get(profile->modules, location->module)->path)) &&
	       (takes_name(&selection->symbols, strings_get(profile->strings, location->name)) ||
		takes_name(
			&selection->symbols,
			strings_get(profile->strings, locations_innermost_name(locations, leaf))));
}

/* Whether a number is in the ranges. A sample without the number does not match. */
static bool is_in(const selection_ranges *ranges, uint64_t number, bool is_known)
{
	return !ranges->count || (is_known && selection_has_number(ranges, number));
}

struct text selection_label_value(const struct selection_label *label,
				  const struct event_sample *sample)
{
	for (uint32_t i = 0; sample->text && i < sample->text->label_count; i++)
		if (text_equal(sample->text->labels[i].key, label->key))
			return sample->text->labels[i].value;
	return (struct text){ NULL, 0 };
}

static bool takes_labels(const struct selection *selection, const struct event_sample *sample)
{
	for (size_t i = 0; i < selection->labels.count; i++) {
		const struct selection_label *label = &selection->labels.at[i];
		struct text value = selection_label_value(label, sample);

		if ((value.at && name_patterns_fit(&label->values, value)) == label->selects_rest)
			return false;
	}
	return true;
}

bool selection_meets(const struct selection *selection, enum selection_criterion criterion,
		     const struct selection_subject *subject)
{
	const struct event_sample *sample = &subject->event->sample;

	switch (criterion) {
	case SELECTION_IDLE:
		return !selection->no_idle || !(sample->present & SAMPLE_HAS_TID) || sample->pid ||
		       sample->tid;
	case SELECTION_CPU:
		return is_in(&selection->cpus, sample->cpu, sample->present & SAMPLE_HAS_CPU);
	case SELECTION_TIME:
		if (selection->around)
			return subject->event->has_time &&
			       selection_find_window(selection, subject->event->time_ns) !=
				       SIZE_MAX;
		return is_in(&selection->times_ns, subject->event->time_ns,
			     subject->event->has_time);
	case SELECTION_PID:
		return is_in(&selection->pids, sample->pid, sample->present & SAMPLE_HAS_TID);
	case SELECTION_TID:
		return is_in(&selection->tids, sample->tid, sample->present & SAMPLE_HAS_TID);
	case SELECTION_PROCESS:
		return takes_name(&selection->processes, subject->process);
	case SELECTION_COMM:
		return takes_name(&selection->comms, subject->comm);
	case SELECTION_LABEL:
		return takes_labels(selection, sample);
	case SELECTION_CRITERIA:
		break;
	}
	return true;
}

bool selection_includes(const struct selection *selection, const struct selection_subject *subject)
{
	for (int i = 0; selection && i < SELECTION_CRITERIA; i++)
		if (!selection_meets(selection, (enum selection_criterion)i, subject))
			return false;
	return true;
}

bool selection_includes_thread(const struct selection *selection, uint32_t pid, uint32_t tid,
			       struct text comm, struct text process)
{
	static const enum selection_criterion criteria[] = { SELECTION_PID, SELECTION_TID,
							     SELECTION_PROCESS, SELECTION_COMM };
	const struct event event = {
		.kind = EVENT_SAMPLE,
		.sample = { .pid = pid, .tid = tid, .present = SAMPLE_HAS_TID },
	};
	const struct selection_subject subject = { &event, comm, process };

	/*
	 * Threads have no labels, so they match only if samples without the listed values are
	 * selected.
	 */
	for (size_t i = 0; selection && i < selection->labels.count; i++)
		if (!selection->labels.at[i].selects_rest)
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(criteria); i++)
		if (!selection_meets(selection, criteria[i], &subject))
			return false;
	return true;
}
