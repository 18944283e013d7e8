/* SPDX-License-Identifier: MIT */
/*
 * What to call an event the capture has no name for, made from its attr and from what the features
 * say of PMUs and tracepoints; and what one unit of its samples' weight is.
 *
 *     type 0..5            built-in tables          cycles:u  L1-dcache-load-misses  mem:0x10:rw
 *     type 2               TRACING_DATA             sched:sched_switch, else tracepoint:316
 *     a PMU's number       PMU_MAPPINGS             intel_pt/config=0x300e601/
 *     config >> 32         a PMU of a hybrid CPU    cpu_core/cycles/
 */
#ifndef LIBPARSE_PERF_EVENT_NAMES_H
#define LIBPARSE_PERF_EVENT_NAMES_H

#include "libparse/perf/features.h"

/* The name in arena, NUL behind it. */
struct text perf_event_name(const struct perf_attr *attr, const struct perf_features *features,
			    struct arena *arena);

/* What the samples of an event called name count: a sample's weight is its period. */
enum weight_unit perf_event_unit(const struct perf_attr *attr, struct text name);

/* An event that only carries mappings, names of threads and the like, and never samples. */
bool perf_event_is_dummy(const struct perf_attr *attr);

#endif
