/* SPDX-License-Identifier: MIT */
/*
 * Features that contain metadata. Each function reads one feature and sends the line that `kiln
 * info` prints, worded like `perf report --header-only`. The functions return false if the bytes
 * are corrupt; facts sent before that remain valid. The functions are called only through the table
 * in features.c.
 */
#ifndef LIBPARSE_PERF_FEATURE_FACTS_H
#define LIBPARSE_PERF_FEATURE_FACTS_H

#include "base/sink.h"
#include "libparse/perf/features.h"

/* One line of metadata, as kiln info prints it. */
#define LIMIT_FACT_BYTES (64u << 10)

/* Sends the text in line unless it is empty, and frees it. */
void feature_send_line(const struct event_sink *sink, enum fact name, struct sink *line);

/* Reads a length, then a string that ends at the first NUL. */
bool feature_string(struct span *span, struct text *ret);

/* Whether further text would be dropped. */
bool feature_line_is_full(const struct sink *line);

bool feature_send_string(struct span bytes, enum fact fact, const struct event_sink *sink);
bool feature_send_cpu_count(struct perf_features *features, struct span bytes,
			    const struct event_sink *sink);
bool feature_send_memory(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink);
bool feature_send_command_line(struct perf_features *features, struct span bytes,
			       const struct event_sink *sink);
bool feature_send_cpu_topology(struct perf_features *features, struct span bytes,
			       const struct event_sink *sink);
bool feature_send_numa_topology(struct perf_features *features, struct span bytes,
				const struct event_sink *sink);
bool feature_send_groups(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink);
bool feature_send_caches(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink);
bool feature_send_sample_time(struct perf_features *features, struct span bytes,
			      const struct event_sink *sink);
bool feature_send_clock_data(struct perf_features *features, struct span bytes,
			     const struct event_sink *sink);
bool feature_send_compression(struct perf_features *features, struct span bytes,
			      const struct event_sink *sink);

/* The name of a clock, such as "monotonic". */
const char *feature_clock_name(uint32_t clock_id);

#endif
