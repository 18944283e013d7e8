/* SPDX-License-Identifier: MIT */
/*
 * The features that are told as text: each function reads the bytes of one feature and sends the
 * line `info` shows, worded like `perf report --header-only`. All return false when the bytes do
 * not make sense; what was told by then stands. Called by the table in features.c only.
 */
#ifndef LIBPARSE_PERF_FEATURE_FACTS_H
#define LIBPARSE_PERF_FEATURE_FACTS_H

#include "base/sink.h"
#include "libparse/perf/features.h"

/* A fact's value, cut to what is sane to show. */
void feature_send_fact(const struct event_sink *sink, enum fact name, struct text value);

/* Sends what was written to line, when that is anything, and frees it. */
void feature_send_line(const struct event_sink *sink, enum fact name, struct sink *line);

/* A string with its length before it, ending at its first NUL. */
bool feature_string(struct span *span, struct text *ret);

/* More of the line would not be shown. */
bool feature_line_is_full(const struct sink *line);

bool feature_tell_string(struct span bytes, enum fact fact, const struct event_sink *sink);
bool feature_tell_cpu_count(struct perf_features *features, struct span bytes,
			    const struct event_sink *sink);
bool feature_tell_memory(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink);
bool feature_tell_command_line(struct perf_features *features, struct span bytes,
			       const struct event_sink *sink);
bool feature_tell_cpu_topology(struct perf_features *features, struct span bytes,
			       const struct event_sink *sink);
bool feature_tell_numa_topology(struct perf_features *features, struct span bytes,
				const struct event_sink *sink);
bool feature_tell_groups(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink);
bool feature_tell_caches(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink);
bool feature_tell_sample_time(struct perf_features *features, struct span bytes,
			      const struct event_sink *sink);
bool feature_tell_clock_data(struct perf_features *features, struct span bytes,
			     const struct event_sink *sink);
bool feature_tell_compression(struct perf_features *features, struct span bytes,
			      const struct event_sink *sink);

/* "monotonic" and the like. */
const char *feature_clock_name(uint32_t clock_id);

#endif
