/* SPDX-License-Identifier: MIT */
#include "profile/selection/selection_tally.h"

#include <inttypes.h>

#include "base/memory.h"

void selection_tally_init(struct selection_tally *tally)
{
	*tally = (struct selection_tally){ .first_time_ns = UINT64_MAX };
}

void selection_tally_deinit(struct selection_tally *tally)
{
	for (size_t i = 0; i < SELECTION_CRITERIA; i++) {
		if (tally->candidates[i])
			strings_deinit(tally->candidates[i]);
		memory_free(tally->candidates[i]);
		tally->candidates[i] = NULL;
	}
	vec_free(&tally->has_sample);
}

/*
 * Records which windows have a sample. Windows of --time may overlap; windows around marks do not,
 * so at most one of these contains the time.
 */
static void note_windows(struct selection_tally *tally, const struct selection *selection,
			 uint64_t time_ns)
{
	const selection_ranges *times_ns = &selection->times_ns;

	while (tally->has_sample.count < times_ns->count)
		vec_push(&tally->has_sample, false);
	if (selection->around) {
		size_t window = selection_find_window(selection, time_ns);

		if (window < tally->has_sample.count)
			tally->has_sample.at[window] = true;
		return;
	}
	for (size_t i = 0; i < times_ns->count; i++)
		tally->has_sample.at[i] |=
			time_ns >= times_ns->at[i].first && time_ns <= times_ns->at[i].last;
}

static void add_candidate(struct selection_tally *tally, size_t criterion, struct text name)
{
	struct strings **strings = &tally->candidates[criterion];

	if (!*strings) {
		*strings = memory_alloc(1, sizeof(**strings));
		strings_init(*strings);
	}
	if ((*strings)->rows.count <= LIMIT_SELECTION_CANDIDATES)
		strings_intern(*strings, name.at, name.length);
}

/* Returns the value of a sample for a criterion, as text; .at is NULL if there is none. */
static struct text value_of(const struct selection *selection,
			    const struct selection_subject *subject,
			    enum selection_criterion criterion, char buffer[24])
{
	const struct event_sample *sample = &subject->event->sample;
	uint32_t number = criterion == SELECTION_PID   ? sample->pid
			  : criterion == SELECTION_TID ? sample->tid
						       : sample->cpu;

	if (criterion == SELECTION_COMM)
		return subject->comm;
	if (criterion == SELECTION_PROCESS)
		return subject->process;
	if (criterion == SELECTION_LABEL)
		return selection_label_value(&selection->labels.at[0], sample);
	if (criterion == SELECTION_IDLE || criterion == SELECTION_TIME ||
	    !(sample->present & (criterion == SELECTION_CPU ? SAMPLE_HAS_CPU : SAMPLE_HAS_TID)))
		return (struct text){ NULL, 0 };
	snprintf(buffer, 24, "%" PRIu32, number);
	return text_of(buffer);
}

static void note_refused(struct selection_tally *tally, const struct selection *selection,
			 const struct selection_subject *subject)
{
	for (int i = 0; i < SELECTION_CRITERIA; i++) {
		enum selection_criterion criterion = (enum selection_criterion)i;
		char buffer[24];
		struct text value;

		if (!selection_has(selection, criterion))
			continue;
		if (selection_meets(selection, criterion, subject)) {
			tally->met_counts[i]++;
			continue;
		}
		/* A criterion that some samples meet does not explain why nothing is selected. */
		if (tally->taken_count || tally->met_counts[i])
			continue;
		value = value_of(selection, subject, criterion, buffer);
		if (value.at)
			add_candidate(tally, (size_t)i, value);
	}
}

bool selection_tally_count(struct selection_tally *tally, const struct selection *selection,
			   const struct selection_subject *subject)
{
	const struct event *event = subject->event;

	tally->sample_count++;
	if (event->has_time && event->time_ns < tally->first_time_ns)
		tally->first_time_ns = event->time_ns;
	if (event->has_time && event->time_ns > tally->last_time_ns)
		tally->last_time_ns = event->time_ns;
	if (selection_includes(selection, subject)) {
		tally->taken_count++;
		if (event->has_time && (selection->around || selection->times_ns.count > 1))
			note_windows(tally, selection, event->time_ns);
		return true;
	}
	note_refused(tally, selection, subject);
	return false;
}

void selection_tally_merge(struct selection_tally *tally, const struct selection_tally *more)
{
	while (tally->has_sample.count < more->has_sample.count)
		vec_push(&tally->has_sample, false);
	for (size_t i = 0; i < more->has_sample.count; i++)
		tally->has_sample.at[i] |= more->has_sample.at[i];
	tally->sample_count += more->sample_count;
	tally->taken_count += more->taken_count;
	if (more->first_time_ns < tally->first_time_ns)
		tally->first_time_ns = more->first_time_ns;
	if (more->last_time_ns > tally->last_time_ns)
		tally->last_time_ns = more->last_time_ns;
	for (size_t i = 0; i < SELECTION_CRITERIA; i++) {
		const struct strings *names = more->candidates[i];

		tally->met_counts[i] += more->met_counts[i];
		for (uint32_t k = 1; names && k < names->rows.count; k++)
			add_candidate(tally, i, names->rows.at[k]);
	}
}
