/* SPDX-License-Identifier: MIT */
/*
 * What perf writes about a recording beside its records: sections behind the data, or records of
 * their own in a pipe. Each is told at once as facts and build ids; what names events is kept.
 *
 *     (feature id, bytes) ─▶ one row of a table ─┬─▶ EVENT_FACT, EVENT_BUILD_ID
 *                                                └─▶ struct perf_features: names of events,
 *                                                    PMUs and tracepoints, the clock
 *
 * No feature is needed to read the samples: one that is damaged costs what it would have told, and
 * is listed. Source: perf.data-file-format.txt and tools/perf/util/header.c of the Linux kernel.
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

/* One event as EVENT_DESC has it. */
struct perf_event_description {
	struct perf_attr attr;
	struct text name; /* NUL behind it */
};

/* A kind of hardware or software that counts, and the number this boot's kernel gave it. */
struct perf_pmu {
	uint32_t type;
	struct text name;
};

struct perf_features {
	struct arena arena;
	VEC(struct perf_event_description) events;
	struct idmap event_ids; /* to rows of events */
	VEC(struct perf_pmu) pmus;
	struct perf_tracepoints tracepoints;
	uint32_t cpus_available; /* 0: unknown */
	bool has_clock;
	uint32_t clock_id;
	uint64_t clock_resolution_ns;             /* 0: unknown */
	uint64_t sample_first_ns, sample_last_ns; /* 0 and 0: unknown */
	bool is_stat;                             /* counters of perf stat, no samples */
	bool has_folder_version;                  /* DIR_FORMAT was there and could be read */
	uint64_t folder_version; /* 0: one file; 1: with files of records beside it */
	bool has_auxtrace;       /* hardware traces, which nothing here decodes */
	uint64_t present[PERF_FEATURE_COUNT / 64];
	uint64_t damaged[PERF_FEATURE_COUNT / 64];
	uint64_t unknown[PERF_FEATURE_COUNT / 64];
};

void perf_features_init(struct perf_features *features);
void perf_features_deinit(struct perf_features *features);

/* Reads one feature. A second one of the same id is ignored, and so is an empty one, by which
 * pipes end the list, unless being there is all it says. */
void perf_features_read(struct perf_features *features, uint64_t feature, struct span bytes,
			const struct event_sink *sink);

/* Lists a feature as unreadable whose bytes could not even be found. */
void perf_features_note_damage(struct perf_features *features, uint64_t feature);

/* Tells what only all features together say: the clock, and which are missing or unreadable. */
void perf_features_finish(const struct perf_features *features, const struct event_sink *sink);

/* The event an id was given to by EVENT_DESC, or NULL. */
const struct perf_event_description *perf_features_find_event(const struct perf_features *features,
							      uint64_t id);

/*
 * The name EVENT_DESC has for the index-th attr, whose ids (64 bits each) are given: by an id, or
 * when there are none by its place. at is NULL when it has none; valid until perf_features_deinit.
 */
struct text perf_features_event_name(const struct perf_features *features, uint32_t index,
				     const struct perf_attr *attr, struct span ids);

/* The PMU of a type, or NULL. */
const struct perf_pmu *perf_features_find_pmu(const struct perf_features *features, uint32_t type);

/* The feature's name as perf has it, or NULL. */
const char *perf_feature_name(uint64_t feature);

#endif
