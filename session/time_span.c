/* SPDX-License-Identifier: MIT */
#include "session/time_span.h"

#include <time.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "profile/selection/selection_time.h"
#include "profile/selection/time_windows.h"

#define NS_PER_SECOND ((uint64_t)1000000000)

/*
 * Since 2001, clocks that count from 1970 have been above this value. A clock that counts from boot
 * reaches it only after 31 years.
 */
#define EPOCH_LEAST_NS (NS_PER_SECOND * 1000000000)

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
		sinks[i] = (struct event_sink){ .context = &parts[i].span,
						.on_event = note_time,
						.ignores_callchains = true };
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

/* Converts the times of a selection to the clock of the capture. */
struct time_resolver {
	const struct wall_clock *clock;
	struct time_span span;
};

static bool is_of_day(const struct selection_moment *moment)
{
	return moment->kind == SELECTION_TIME_OF_DAY || moment->kind == SELECTION_TIME_OF_UTC_DAY;
}

/*
 * Converts a time of day to the capture's clock. days: the number of days after the day on which
 * the capture began.
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
	/* Let the C library decide whether daylight saving time applies. */
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

static bool is_wall(const struct selection_moment *moment)
{
	return moment->kind >= SELECTION_TIME_UTC;
}

/*
 * Converts a number that must be seconds since 1970, because the clock of the capture does not have
 * such large times.
 */
static struct selection_moment as_epoch(const struct time_resolver *resolver,
					struct selection_moment moment)
{
	if (moment.kind == SELECTION_TIME_CLOCK && moment.ns >= EPOCH_LEAST_NS &&
	    resolver->span.last_ns < EPOCH_LEAST_NS)
		moment.kind = SELECTION_TIME_UTC;
	return moment;
}

static bool place_mark(const struct time_resolver *resolver, const struct marks *marks,
		       const struct mark *mark, struct placed_mark *ret, struct error *err)
{
	struct selection_period period = { as_epoch(resolver, mark->period.first),
					   as_epoch(resolver, mark->period.last) };
	struct selection_range range;

	if ((is_wall(&period.first) || is_wall(&period.last)) && !resolver->clock->is_known)
		return error_set(err, ERROR_USAGE, "%s: line %u: %s", marks->file_name, mark->line,
				 WALL_CLOCK_UNKNOWN);
	range = (struct selection_range){ resolve(resolver, &period.first),
					  resolve(resolver, &period.last) };
	if (is_of_day(&period.first) && is_of_day(&period.last) &&
	    period.first.ns != period.last.ns)
		range = resolve_days(resolver, &period);
	*ret = (struct placed_mark){ range.first, range.last, mark->label, mark->line };
	return true;
}

static int compare_marks(const void *a, const void *b)
{
	const struct placed_mark *left = a;
	const struct placed_mark *right = b;

	if (left->first_ns != right->first_ns)
		return left->first_ns < right->first_ns ? -1 : 1;
	return (left->line > right->line) - (left->line < right->line);
}

static bool place_marks(const struct time_resolver *resolver, const struct marks *marks,
			uint64_t margin_ns, struct placed_marks *ret, struct error *err)
{
	for (size_t i = 0; i < marks->rows.count; i++) {
		struct placed_mark placed;

		if (!place_mark(resolver, marks, &marks->rows.at[i], &placed, err))
			return false;
		if (placed.first_ns <= placed.last_ns &&
		    saturate_add(placed.last_ns, margin_ns) >= resolver->span.first_ns &&
		    placed.first_ns <= saturate_add(resolver->span.last_ns, margin_ns)) {
			vec_push(&ret->rows, placed);
			continue;
		}
		if (!ret->outside_count++)
			ret->outside_line = placed.line;
	}
	if (ret->rows.count > 1)
		qsort(ret->rows.at, ret->rows.count, sizeof(*ret->rows.at), compare_marks);
	return true;
}

static bool find_span(const struct capture *capture, unsigned thread_count, const char *option,
		      struct time_span *ret, struct error *err)
{
	if (!time_span_find(capture, thread_count, ret, err))
		return false;
	return ret->first_ns <= ret->last_ns ||
	       error_set(err, ERROR_USAGE, "%s: %s: no sample has a timestamp", capture->input.name,
			 option);
}

bool time_span_place_marks(const struct capture *capture, unsigned thread_count,
			   const struct wall_clock *clock, const struct marks *marks,
			   uint64_t margin_ns, struct placed_marks *ret, struct error *err)
{
	struct time_resolver resolver = { .clock = clock };

	*ret = (struct placed_marks){ .outside_count = 0 };
	return find_span(capture, thread_count, marks->file_name, &resolver.span, err) &&
	       place_marks(&resolver, marks, margin_ns, ret, err);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct selection_range *left = a;
	const struct selection_range *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

/* Sorts ranges, and joins those that overlap. */
static void join_ranges(selection_ranges *ranges)
{
	size_t kept = 0;

	if (ranges->count > 1)
		qsort(ranges->at, ranges->count, sizeof(*ranges->at), compare_ranges);
	for (size_t i = 0; i < ranges->count; i++) {
		struct selection_range range = ranges->at[i];

		if (!kept || range.first > ranges->at[kept - 1].last)
			ranges->at[kept++] = range;
		else if (range.last > ranges->at[kept - 1].last)
			ranges->at[kept - 1].last = range.last;
	}
	ranges->count = kept;
}

/*
 * Reduces windows to their parts that are inside the ranges of `with`. Both lists were joined by
 * join_ranges.
 */
static void intersect(selection_ranges *windows, const selection_ranges *with)
{
	selection_ranges parts = { 0 };

	for (size_t i = 0, k = 0; i < windows->count && k < with->count;) {
		struct selection_range a = windows->at[i];
		struct selection_range b = with->at[k];
		struct selection_range part = { a.first > b.first ? a.first : b.first,
						a.last < b.last ? a.last : b.last };

		if (part.first <= part.last)
			vec_push(&parts, part);
		if (a.last < b.last)
			i++;
		else
			k++;
	}
	vec_free(windows);
	*windows = parts;
}

/* Replaces times_ns with the windows around marks, clipped to times_ns. */
static bool cut_windows(struct selection *selection, const struct placed_marks *placed,
			struct error *err)
{
	selection_ranges windows = { 0 };

	for (size_t i = 0; i < placed->rows.count; i++) {
		const struct placed_mark *mark = &placed->rows.at[i];
		uint64_t before_ns = selection->around_ns;

		if (before_ns > mark->first_ns)
			before_ns = mark->first_ns;
		vec_push(&windows, (struct selection_range){
					   mark->first_ns - before_ns,
					   saturate_add(mark->last_ns, selection->around_ns) });
	}
	join_ranges(&windows);
	if (selection->times_ns.count) {
		join_ranges(&selection->times_ns);
		intersect(&windows, &selection->times_ns);
	}
	vec_free(&selection->times_ns);
	selection->times_ns = windows;
	if (!placed->rows.count)
		return error_set(
			err, ERROR_NO_MATCH,
			"%s: no mark is within the capture; the first of %zu is in line %u",
			selection->around->file_name, selection->around->rows.count,
			placed->outside_line);
	return windows.count ||
	       error_set(err, ERROR_NO_MATCH, "no --around window overlaps a --time range");
}

bool time_span_resolve_selection(const struct capture *capture, unsigned thread_count,
				 const struct wall_clock *clock, struct selection *selection,
				 struct placed_marks *ret, struct error *err)
{
	struct time_resolver resolver = { .clock = clock };

	if (!selection_needs_placing(selection))
		return true;
	if (needs_clock(selection) && !clock->is_known)
		return error_set(err, ERROR_USAGE, "%s: --time: %s", capture->input.name,
				 WALL_CLOCK_UNKNOWN);
	if (!find_span(capture, thread_count, selection->around ? "--around" : "--time",
		       &resolver.span, err))
		return false;
	selection_time_place(&selection->time_shares, resolver.span.first_ns, resolver.span.last_ns,
			     &selection->times_ns);
	if (!resolve_periods(&resolver, selection, err) ||
	    (selection->around &&
	     !(place_marks(&resolver, selection->around, selection->around_ns, ret, err) &&
	       cut_windows(selection, ret, err))))
		return error_prefix(err, "%s", capture->input.name);
	return true;
}

void time_span_find_unselected(struct profile *profile, const struct selection *selection)
{
	struct time_windows windows;

	if (!profile_has_time(profile) || !selection->times_ns.count)
		return;
	time_windows_init(&windows, selection);
	profile->unselected_ns =
		profile->last_time_ns - profile->first_time_ns -
		time_windows_part(&windows, profile->first_time_ns, profile->last_time_ns);
	time_windows_deinit(&windows);
}
