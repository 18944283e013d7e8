/* SPDX-License-Identifier: MIT */
/*
 * Adds up the events of a log by the texts in some of its columns:
 *
 *     --by COMM,T --value LAT      dd  W   0.74 ms        row dd, W: 2 events, total 1.35 ms
 *                                  dd  W   0.61 ms        row dd, R: 1 event
 *                                  dd  R   0.20 ms
 *
 * Values are nanoseconds if the column has a unit of time, and otherwise millionths: 0.74 is
 * 740000.
 */
#ifndef EVENTLOG_LOG_STATS_H
#define EVENTLOG_LOG_STATS_H

#include "base/idtable.h"
#include "eventlog/log_choice.h"
#include "libparse/event.h"

struct log_row {
	uint32_t keys[LOG_KEYS_MAX]; /* str_ids */
	uint64_t event_count;        /* events with and without a value */
	uint64_t total, largest;
	uint64_t largest_time_ns;
	uint32_t largest_time; /* the time of that value as printed in the log: a str_id */
	bool has_largest_time;
	VEC(uint64_t) values; /* after log_stats_finish: ascending */
};

/* One of the events with the largest values. */
struct log_event {
	uint64_t value;
	uint64_t ordinal; /* in the input */
	uint32_t cells;   /* index of its first str_id in log_stats.cells */
};

/* When a value occurred. */
struct log_point {
	uint64_t time_ns, value;
};

/* Handles times of day that pass midnight. */
struct log_clock {
	bool has_times_of_day;           /* all times are relative to the first midnight */
	bool is_unordered;               /* times go back by hours, so all are from the same day */
	uint64_t day_ns;                 /* when the day of the previous event began */
	uint64_t previous_ns;            /* time of day of the previous event */
	uint64_t earliest_ns, latest_ns; /* times of day */
};

/* Options other than the choice of columns. */
struct log_stats_options {
	struct log_choice_options columns;
	uint64_t top_count; /* how many events to keep; 0 keeps none */
	bool keeps_points;
};

struct log_stats {
	const struct log_heading *heading;
	struct log_choice choice;
	struct strings *strings;
	VEC(struct log_row) rows; /* after log_stats_finish: by total, then by events */
	struct idtable row_table;
	struct log_stats_options options;
	VEC(struct log_event) top; /* after log_stats_finish: descending */
	VEC(uint32_t) cells;       /* for each event in top: the str_ids of its columns */
	uint64_t event_count, total;
	uint64_t value_count, time_count; /* events with a value, and with a time */
	uint64_t first_ns, last_ns;       /* first > last: times are not known */
	VEC(struct log_point) points;     /* events with a value and a time, if points are kept */
	struct log_clock clock;
};

void log_stats_init(struct log_stats *stats, const struct log_heading *heading,
		    const struct log_choice *choice, struct strings *strings,
		    const struct log_stats_options *options);
void log_stats_deinit(struct log_stats *stats);

/* Adds an event. cells: one for each column of the heading. */
void log_stats_add(struct log_stats *stats, const struct text *cells);

/* Sorts rows and values. */
void log_stats_finish(struct log_stats *stats);

/* Whether values are durations. */
static inline bool log_stats_are_durations(const struct log_stats *stats)
{
	return stats->choice.has_value && stats->heading->columns[stats->choice.value].unit_ns;
}

/* Whether times are times of day, or have no unit. Such times are shown as they are in the log. */
static inline bool log_stats_has_plain_times(const struct log_stats *stats)
{
	return stats->choice.has_time && !stats->heading->columns[stats->choice.time].unit_ns;
}

#endif
