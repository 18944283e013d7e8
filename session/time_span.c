/* SPDX-License-Identifier: MIT */
#include "session/time_span.h"

#include <time.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "profile/selection/selection_time.h"

#define NS_PER_SECOND ((uint64_t)1000000000)

/* Aligned so that no two threads write to the same cache line. */
struct time_span_part {
	struct time_span span;
	char gap[64 - sizeof(struct time_span)];
};

static void note_time(void *context, const struct event *event)
{
	struct time_span *span = context;

	if (event->kind != EVENT_SAMPLE || !event->has_time)
		return;
	if (event->time_ns < span->first_ns)
		span->first_ns = event->time_ns;
	if (event->time_ns > span->last_ns)
		span->last_ns = event->time_ns;
}

bool time_span_find(const struct capture *capture, unsigned thread_count, struct time_span *ret,
		    struct error *err)
{
	struct time_span_part *parts;
	struct event_sink *sinks;
	bool good;

	*ret = (struct time_span){ capture->sample_first_ns, capture->sample_last_ns };
	if (ret->last_ns && ret->first_ns <= ret->last_ns)
		return true;
	*ret = (struct time_span){ UINT64_MAX, 0 };
	parts = memory_alloc(thread_count, sizeof(*parts));
	sinks = memory_alloc(thread_count, sizeof(*sinks));
	for (size_t i = 0; i < thread_count; i++) {
		parts[i].span = *ret;
		sinks[i] = (struct event_sink){ .context = &parts[i].span, .on_event = note_time };
	}
	good = capture_read_all_samples(capture, thread_count, sinks, thread_count, err);
	for (size_t i = 0; i < thread_count; i++) {
		if (parts[i].span.first_ns < ret->first_ns)
			ret->first_ns = parts[i].span.first_ns;
		if (parts[i].span.last_ns > ret->last_ns)
			ret->last_ns = parts[i].span.last_ns;
	}
	memory_free(parts);
	memory_free(sinks);
	return good;
}

/* Resolves times of a selection to the clock of the capture. */
struct time_resolver {
	const struct wall_clock *clock;
	struct time_span span;
};

static bool is_of_day(const struct selection_moment *moment)
{
	return moment->kind == SELECTION_TIME_OF_DAY || moment->kind == SELECTION_TIME_OF_UTC_DAY;
}

/*
 * Converts a time of day to the capture's clock; days is counted from the day on which the capture
 * began.
 */
static uint64_t on_day(const struct time_resolver *resolver, const struct selection_moment *moment,
		       int days)
{
	uint64_t began_ns = wall_clock_of(resolver->clock, resolver->span.first_ns);
	time_t began = (time_t)(began_ns / NS_PER_SECOND);
	uint64_t of_day_s = moment->ns / NS_PER_SECOND;
	bool is_utc = moment->kind == SELECTION_TIME_OF_UTC_DAY;
	struct tm day = { 0 };
	time_t seconds;

	if (!(is_utc ? gmtime_r(&began, &day) : localtime_r(&began, &day)))
		return 0;
	day.tm_mday += days;
	day.tm_hour = (int)(of_day_s / 3600);
	day.tm_min = (int)(of_day_s / 60 % 60);
	day.tm_sec = (int)(of_day_s % 60);
	/* The C library knows daylight saving time. */
	day.tm_isdst = -1;
	seconds = is_utc ? timegm(&day) : mktime(&day);
	if (seconds < 0)
		return 0;
	return wall_clock_back(resolver->clock,
			       (uint64_t)seconds * NS_PER_SECOND + moment->ns % NS_PER_SECOND);
}

static uint64_t distance_to(const struct time_span *span, uint64_t time_ns)
{
	if (time_ns < span->first_ns)
		return span->first_ns - time_ns;
	return time_ns > span->last_ns ? time_ns - span->last_ns : 0;
}

/* Returns the time with this time of day that is within the capture, or nearest to it. */
static uint64_t nearest_day(const struct time_resolver *resolver,
			    const struct selection_moment *moment)
{
	uint64_t best = on_day(resolver, moment, 0);

	for (int days = 1; days >= -1; days -= 2) {
		uint64_t other = on_day(resolver, moment, days);

		if (distance_to(&resolver->span, other) < distance_to(&resolver->span, best))
			best = other;
	}
	return best;
}

static uint64_t resolve(const struct time_resolver *resolver, const struct selection_moment *moment)
{
	switch (moment->kind) {
	case SELECTION_TIME_FROM_FIRST:
		return saturate_add(resolver->span.first_ns, moment->ns);
	case SELECTION_TIME_UTC:
		return wall_clock_back(resolver->clock, moment->ns);
	case SELECTION_TIME_OF_DAY:
	case SELECTION_TIME_OF_UTC_DAY:
		return nearest_day(resolver, moment);
	case SELECTION_TIME_OPEN:
	case SELECTION_TIME_CLOCK:
		break;
	}
	return moment->ns;
}

/* Returns the first range between two times of day that overlaps the capture. */
static struct selection_range resolve_days(const struct time_resolver *resolver,
					   const struct selection_period *period)
{
	struct selection_range first = { 0 };

	for (int days = -1; days <= 1; days++) {
		struct selection_range range = { on_day(resolver, &period->first, days),
						 on_day(resolver, &period->last, days) };

		if (range.last < range.first)
			range.last = on_day(resolver, &period->last, days + 1);
		if (range.last >= resolver->span.first_ns && range.first <= resolver->span.last_ns)
			return range;
		if (days == 0)
			first = range;
	}
	return first;
}

static bool resolve_periods(const struct time_resolver *resolver, struct selection *selection,
			    struct error *err)
{
	for (size_t i = 0; i < selection->periods.count; i++) {
		const struct selection_period *period = &selection->periods.at[i];
		struct selection_range range = { resolve(resolver, &period->first), UINT64_MAX };

		if (is_of_day(&period->first) && is_of_day(&period->last))
			range = resolve_days(resolver, period);
		else if (period->last.kind != SELECTION_TIME_OPEN)
			range.last = resolve(resolver, &period->last);
		if (range.last < range.first)
			return error_set(err, ERROR_USAGE,
					 "--time: START is after STOP in this capture");
		vec_push(&selection->times_ns, range);
	}
	return true;
}

static bool needs_clock(const struct selection *selection)
{
	for (size_t i = 0; i < selection->periods.count; i++)
		if (selection->periods.at[i].first.kind >= SELECTION_TIME_UTC ||
		    selection->periods.at[i].last.kind >= SELECTION_TIME_UTC)
			return true;
	return false;
}

bool time_span_resolve_selection(const struct capture *capture, unsigned thread_count,
				 const struct wall_clock *clock, struct selection *selection,
				 struct error *err)
{
	struct time_resolver resolver = { .clock = clock };

	if (!selection_needs_placing(selection))
		return true;
	if (needs_clock(selection) && !clock->is_known)
		return error_set(err, ERROR_USAGE, "%s: --time: %s", capture->input.name,
				 WALL_CLOCK_UNKNOWN);
	if (!time_span_find(capture, thread_count, &resolver.span, err))
		return false;
	if (resolver.span.first_ns > resolver.span.last_ns)
		return error_set(err, ERROR_USAGE, "%s: --time: no sample has a timestamp",
				 capture->input.name);
	selection_time_place(&selection->time_shares, resolver.span.first_ns, resolver.span.last_ns,
			     &selection->times_ns);
	return resolve_periods(&resolver, selection, err) ||
	       error_prefix(err, "%s", capture->input.name);
}
