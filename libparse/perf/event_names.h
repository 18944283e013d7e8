/* SPDX-License-Identifier: MIT */
/*
 * Derives the names of events without a recorded name from the attr and the features. Also finds
 * the unit of an event's periods.
 *
 *     type 0..5            built-in tables          cycles:u  L1-dcache-load-misses  mem:0x10:rw
 *     type 2               TRACING_DATA             sched:sched_switch, else tracepoint:316
 *     a PMU's type         PMU_MAPPINGS             intel_pt/config=0x300e601/
 *     config >> 32         a PMU of a hybrid CPU    cpu_core/cycles/
 */
#ifndef LIBPARSE_PERF_EVENT_NAMES_H
#define LIBPARSE_PERF_EVENT_NAMES_H

#include "libparse/perf/features.h"

/* The NUL-terminated name; lives in arena. */
struct text perf_event_name(const struct perf_attr *attr, const struct perf_features *features,
			    struct arena *arena);

/* The unit of the periods of an event with this name. */
enum weight_unit perf_event_unit(const struct perf_attr *attr, struct text name);

/* Whether the event records only sideband events, not samples. */
bool perf_event_is_dummy(const struct perf_attr *attr);

#endif
