/* SPDX-License-Identifier: MIT */
/*
 * The features of a capture: sections after the data, or records in a pipe. Features are sent at
 * once as facts and build-ids. Names of events, PMUs and tracepoints are kept.
 *
 *     (feature id, bytes) ─▶ one row of a table ─┬─▶ EVENT_FACT, EVENT_BUILD_ID
 *                                                └─▶ struct perf_features
 *
 * Samples can be read without any feature. A corrupt feature is reported, and only its own content
 * is missing. Source: perf.data-file-format.txt and tools/perf/util/header.c of the Linux kernel.
 */
#ifndef LIBPARSE_PERF_FEATURES_H
#define LIBPARSE_PERF_FEATURES_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "libparse/perf/attr.h"
#include "libparse/tracepoint/tracepoints.h"

#define PERF_FEATURE_COUNT 256

/* An event from EVENT_DESC. */
struct perf_event_description {
	struct perf_attr attr;
	struct text name; /* NUL-terminated */
};

/* A PMU and its type number, which may differ at each boot. */
struct perf_pmu {
	uint32_t type;
	struct text name;
};

struct perf_features {
	struct arena arena;
	VEC(struct perf_event_description) events;
	struct idmap event_ids; /* event ids to rows of `events` */
	VEC(struct perf_pmu) pmus;
	struct perf_tracepoints tracepoints;
	uint32_t cpus_available; /* 0 if unknown */
	bool has_clock;
	bool has_default_clock;
	uint32_t clock_id;
	uint64_t clock_resolution_ns;             /* 0 if unknown */
	uint64_t sample_first_ns, sample_last_ns; /* 0 and 0: unknown */
	bool is_stat;                             /* perf stat record: counters, no samples */
	bool has_directory_version;               /* DIR_FORMAT was read */
	uint64_t directory_version; /* 0 means one file, 1 means separate record files */
	bool has_auxtrace;          /* hardware traces, which kiln does not decode */
	uint64_t present[PERF_FEATURE_COUNT / 64];
	uint64_t damaged[PERF_FEATURE_COUNT / 64];
	uint64_t unknown[PERF_FEATURE_COUNT / 64];
};

void perf_features_init(struct perf_features *features);
void perf_features_deinit(struct perf_features *features);

/*
 * Reads a feature. Repeated features are ignored. Empty features are also ignored (in a pipe, an
 * empty feature ends the list), except for features that never have content.
 */
void perf_features_read(struct perf_features *features, uint64_t feature, struct span bytes,
			const struct event_sink *sink);

/* Reports a feature as unreadable because its section is missing. */
void perf_features_note_damage(struct perf_features *features, uint64_t feature);

/*
 * Notes the clock of an attr, for captures without CLOCK_DATA. has_id: whether the attr selects a
 * clock; if not, the clock is perf's default.
 */
void perf_features_note_clock(struct perf_features *features, bool has_id, uint32_t clock_id);

/* Sends facts that need all features: the clock, and which features are missing or corrupt. */
void perf_features_finish(const struct perf_features *features, const struct event_sink *sink);

/* Finds the event with this sample id in EVENT_DESC, or NULL. */
const struct perf_event_description *perf_features_find_event(const struct perf_features *features,
							      uint64_t id);

/*
 * Finds an attr's name in EVENT_DESC, by the first of its ids (64 bits each), or else by index, if
 * type and config match. .at is NULL if there is no name. Valid until perf_features_deinit.
 */
struct text perf_features_event_name(const struct perf_features *features, uint32_t index,
				     const struct perf_attr *attr, struct span ids);

/* The PMU with this type number, or NULL. */
const struct perf_pmu *perf_features_find_pmu(const struct perf_features *features, uint32_t type);

/* The name that perf uses for the feature, or NULL. */
const char *perf_feature_name(uint64_t feature);

#endif
