/* SPDX-License-Identifier: MIT */
#include "libparse/perf/features.h"

#include <inttypes.h>

#include "base/strings.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/build_ids.h"
#include "libparse/perf/feature_facts.h"
#include "libparse/perf/perf_reader.h"

/* Maximum number of PMUs of a machine. A large server has hundreds of PMUs. */
#define LIMIT_PMUS 4096u

typedef bool feature_reader(struct perf_features *features, struct span bytes,
			    const struct event_sink *sink);

struct feature {
	uint64_t id;
	const char *name;
	enum fact fact;       /* without `read`: the feature is a string, sent as this fact */
	feature_reader *read; /* NULL, and fact FACT_COUNT: the feature is not used */
	bool is_expected;     /* every perf record since Linux 3.2 writes it */
};

static void set_bit(uint64_t *bits, uint64_t index)
{
	bits[index / 64] |= 1ull << index % 64;
}

static bool has_bit(const uint64_t *bits, uint64_t index)
{
	return bits[index / 64] >> index % 64 & 1;
}

static bool read_tracing_data(struct perf_features *features, struct span bytes,
			      const struct event_sink *sink)
{
	(void)sink;
	return perf_tracepoints_read(&features->tracepoints, bytes);
}

static bool read_build_ids(struct perf_features *features, struct span bytes,
			   const struct event_sink *sink)
{
	(void)features;
	return perf_build_ids_read(bytes, sink);
}

static bool read_ids(struct perf_features *features, struct span *bytes, uint32_t count)
{
	uint32_t event = (uint32_t)features->events.count;
	struct span ids;
	uint64_t id;

	if (!span_sub(bytes, (uint64_t)count * sizeof(id), &ids) ||
	    count > LIMIT_EVENT_IDS - features->event_ids.rows.count)
		return false;
	while (span_u64(&ids, &id))
		idmap_add(&features->event_ids, id, event);
	return true;
}

static bool read_event(struct perf_features *features, struct span *bytes, uint32_t attr_bytes)
{
	struct perf_event_description description = { 0 };
	struct span attr;
	struct text name;
	uint32_t id_count;
	struct error unused;

	if (!span_sub(bytes, attr_bytes, &attr) ||
	    !perf_attr_read(attr, &description.attr, &unused) || !span_u32(bytes, &id_count) ||
	    !feature_string(bytes, &name))
		return false;
	if (name.length > LIMIT_NAME_BYTES)
		name.length = LIMIT_NAME_BYTES;
	if (!read_ids(features, bytes, id_count))
		return false;
	description.name =
		(struct text){ arena_text(&features->arena, name.at, name.length), name.length };
	vec_push(&features->events, description);
	return true;
}

static bool read_event_descriptions(struct perf_features *features, struct span bytes,
				    const struct event_sink *sink)
{
	uint32_t count;
	uint32_t attr_bytes;

	(void)sink;
	if (!span_u32(&bytes, &count) || count > LIMIT_ATTRS || !span_u32(&bytes, &attr_bytes))
		return false;
	while (count && read_event(features, &bytes, attr_bytes))
		count--;
	idmap_sort(&features->event_ids);
	return count == 0;
}

static bool read_pmus(struct perf_features *features, struct span bytes,
		      const struct event_sink *sink)
{
	struct sink line;
	uint32_t count;
	bool good = true;

	if (!span_u32(&bytes, &count) || count > LIMIT_PMUS)
		return false;
	sink_init_memory(&line);
	for (uint32_t i = 0; i < count && good; i++) {
		uint32_t type;
		struct text name;

		good = span_u32(&bytes, &type) && feature_string(&bytes, &name) &&
		       name.length <= LIMIT_NAME_BYTES;
		if (!good)
			break;
		name.at = arena_text(&features->arena, name.at, name.length);
		vec_push(&features->pmus, (struct perf_pmu){ .type = type, .name = name });
		sink_puts(&line, i ? ", " : "");
		sink_text(&line, name);
		sink_printf(&line, " = %" PRIu32, type);
	}
	feature_send_line(sink, FACT_PMU_MAPPINGS, &line);
	return good;
}

static bool read_auxtrace(struct perf_features *features, struct span bytes,
			  const struct event_sink *sink)
{
	(void)bytes;
	(void)sink;
	features->has_auxtrace = true;
	return true;
}

static bool read_stat(struct perf_features *features, struct span bytes,
		      const struct event_sink *sink)
{
	(void)bytes;
	(void)sink;
	features->is_stat = true;
	return true;
}

static bool read_clock_resolution(struct perf_features *features, struct span bytes,
				  const struct event_sink *sink)
{
	(void)sink;
	return span_u64(&bytes, &features->clock_resolution_ns);
}

static bool read_directory_version(struct perf_features *features, struct span bytes,
				   const struct event_sink *sink)
{
	(void)sink;
	features->has_directory_version = span_u64(&bytes, &features->directory_version);
	return features->has_directory_version;
}

#define NO_FACT FACT_COUNT

/* In the order of feature numbers. Names are those of perf report --header-only. */
static const struct feature features_table[] = {
	{ FEATURE_TRACING_DATA, "TRACING_DATA", NO_FACT, read_tracing_data, false },
	{ FEATURE_BUILD_ID, "BUILD_ID", NO_FACT, read_build_ids, true },
	{ FEATURE_HOSTNAME, "HOSTNAME", FACT_HOST, NULL, true },
	{ FEATURE_OSRELEASE, "OSRELEASE", FACT_OS_RELEASE, NULL, true },
	{ FEATURE_VERSION, "VERSION", FACT_TOOL_VERSION, NULL, true },
	{ FEATURE_ARCH, "ARCH", FACT_ARCH, NULL, true },
	{ FEATURE_NRCPUS, "NRCPUS", NO_FACT, feature_send_cpu_count, true },
	{ FEATURE_CPUDESC, "CPUDESC", FACT_CPU, NULL, true },
	{ FEATURE_CPUID, "CPUID", FACT_CPU_ID, NULL, false },
	{ FEATURE_TOTAL_MEM, "TOTAL_MEM", NO_FACT, feature_send_memory, true },
	{ FEATURE_CMDLINE, "CMDLINE", NO_FACT, feature_send_command_line, true },
	{ FEATURE_EVENT_DESC, "EVENT_DESC", NO_FACT, read_event_descriptions, true },
	{ FEATURE_CPU_TOPOLOGY, "CPU_TOPOLOGY", NO_FACT, feature_send_cpu_topology, false },
	{ FEATURE_NUMA_TOPOLOGY, "NUMA_TOPOLOGY", NO_FACT, feature_send_numa_topology, false },
	{ FEATURE_BRANCH_STACK, "BRANCH_STACK", NO_FACT, NULL, false },
	{ FEATURE_PMU_MAPPINGS, "PMU_MAPPINGS", NO_FACT, read_pmus, false },
	{ FEATURE_GROUP_DESC, "GROUP_DESC", NO_FACT, feature_send_groups, false },
	{ FEATURE_AUXTRACE, "AUXTRACE", NO_FACT, read_auxtrace, false },
	{ FEATURE_STAT, "STAT", NO_FACT, read_stat, false },
	{ FEATURE_CACHE, "CACHE", NO_FACT, feature_send_caches, false },
	{ FEATURE_SAMPLE_TIME, "SAMPLE_TIME", NO_FACT, feature_send_sample_time, false },
	{ FEATURE_MEM_TOPOLOGY, "MEM_TOPOLOGY", NO_FACT, NULL, false },
	{ FEATURE_CLOCKID, "CLOCKID", NO_FACT, read_clock_resolution, false },
	{ FEATURE_DIR_FORMAT, "DIR_FORMAT", NO_FACT, read_directory_version, false },
	{ FEATURE_BPF_PROG_INFO, "BPF_PROG_INFO", NO_FACT, NULL, false },
	{ FEATURE_BPF_BTF, "BPF_BTF", NO_FACT, NULL, false },
	{ FEATURE_COMPRESSED, "COMPRESSED", NO_FACT, feature_send_compression, false },
	{ FEATURE_CPU_PMU_CAPS, "CPU_PMU_CAPS", NO_FACT, NULL, false },
	{ FEATURE_CLOCK_DATA, "CLOCK_DATA", NO_FACT, feature_send_clock_data, false },
	{ FEATURE_HYBRID_TOPOLOGY, "HYBRID_TOPOLOGY", NO_FACT, NULL, false },
	{ FEATURE_PMU_CAPS, "PMU_CAPS", NO_FACT, NULL, false },
	{ FEATURE_CPU_DOMAIN_INFO, "CPU_DOMAIN_INFO", NO_FACT, NULL, false },
	{ FEATURE_E_MACHINE, "E_MACHINE", NO_FACT, NULL, false },
	{ FEATURE_CLN_SIZE, "CLN_SIZE", NO_FACT, NULL, false },
	{ FEATURE_SIMPLEPERF_FILE, "FILE", NO_FACT, NULL, false },
	{ FEATURE_SIMPLEPERF_META_INFO, "META_INFO", NO_FACT, NULL, false },
	{ FEATURE_SIMPLEPERF_DEBUG_UNWIND, "DEBUG_UNWIND", NO_FACT, NULL, false },
	{ FEATURE_SIMPLEPERF_DEBUG_UNWIND_FILE, "DEBUG_UNWIND_FILE", NO_FACT, NULL, false },
	{ FEATURE_SIMPLEPERF_FILE2, "FILE2", NO_FACT, NULL, false },
};

static const struct feature *find_feature(uint64_t id)
{
	for (size_t i = 0; i < ARRAY_SIZE(features_table); i++)
		if (features_table[i].id == id)
			return &features_table[i];
	return NULL;
}

/* Whether a feature has no content, so that only its presence matters. */
static bool is_flag(uint64_t id)
{
	return id == FEATURE_BRANCH_STACK || id == FEATURE_STAT;
}

void perf_features_init(struct perf_features *features)
{
	*features = (struct perf_features){ 0 };
	arena_init(&features->arena);
	idmap_init(&features->event_ids);
	perf_tracepoints_init(&features->tracepoints);
}

void perf_features_deinit(struct perf_features *features)
{
	arena_deinit(&features->arena);
	vec_free(&features->events);
	idmap_deinit(&features->event_ids);
	vec_free(&features->pmus);
	perf_tracepoints_deinit(&features->tracepoints);
}

void perf_features_read(struct perf_features *features, uint64_t id, struct span bytes,
			const struct event_sink *sink)
{
	const struct feature *feature = find_feature(id);
	bool good = true;

	if (id >= PERF_FEATURE_COUNT || has_bit(features->present, id) ||
	    (!span_left(&bytes) && !is_flag(id)))
		return;
	set_bit(features->present, id);
	if (!feature)
		set_bit(features->unknown, id);
	else if (feature->read)
		good = feature->read(features, bytes, sink);
	else if (feature->fact != NO_FACT)
		good = feature_send_string(bytes, feature->fact, sink);
	if (!good)
		set_bit(features->damaged, id);
}

void perf_features_note_damage(struct perf_features *features, uint64_t id)
{
	if (id >= PERF_FEATURE_COUNT)
		return;
	set_bit(features->present, id);
	set_bit(features->damaged, id);
}

void perf_features_note_clock(struct perf_features *features, bool has_id, uint32_t clock_id)
{
	if (features->has_clock)
		return;
	features->has_clock = has_id;
	features->has_default_clock = !has_id;
	features->clock_id = clock_id;
}

static void tell_clock(const struct perf_features *features, const struct event_sink *sink)
{
	struct sink line;
	const char *name = feature_clock_name(features->clock_id);

	sink_init_memory(&line);
	if (features->has_clock && name)
		sink_puts(&line, name);
	else if (features->has_clock)
		sink_printf(&line, "clock %" PRIu32, features->clock_id);
	else if (features->has_default_clock)
		sink_puts(&line, "sched_clock of the kernel (perf's default)");
	if (features->clock_resolution_ns)
		sink_printf(&line, "%sresolution %" PRIu64 " ns", line.used ? ", " : "",
			    features->clock_resolution_ns);
	feature_send_line(sink, FACT_CLOCK, &line);
}

static void list_feature(struct sink *line, uint64_t id, const char *heading, bool *has_heading)
{
	const struct feature *feature = find_feature(id);

	if (*has_heading)
		sink_puts(line, ", ");
	else
		sink_printf(line, "%s%s", line->used ? "; " : "", heading);
	*has_heading = true;
	if (feature)
		sink_puts(line, feature->name);
	else
		sink_u64(line, id);
}

/*
 * Lists unreadable, unknown and missing features. Lists missing features only if most recordings
 * have them. For example, a capture without tracepoints rightly has no formats.
 */
static void send_missing(const struct perf_features *features, const struct event_sink *sink)
{
	struct sink line;
	bool has_heading = false;

	sink_init_memory(&line);
	for (size_t i = 0; i < ARRAY_SIZE(features_table); i++)
		if (features_table[i].is_expected &&
		    !has_bit(features->present, features_table[i].id))
			list_feature(&line, features_table[i].id, "", &has_heading);
	has_heading = false;
	for (uint64_t id = 0; id < PERF_FEATURE_COUNT; id++)
		if (has_bit(features->damaged, id))
			list_feature(&line, id, "unreadable: ", &has_heading);
	has_heading = false;
	for (uint64_t id = 0; id < PERF_FEATURE_COUNT; id++)
		if (has_bit(features->unknown, id))
			list_feature(&line, id, "unknown: ", &has_heading);
	feature_send_line(sink, FACT_FEATURES_MISSING, &line);
}

void perf_features_finish(const struct perf_features *features, const struct event_sink *sink)
{
	tell_clock(features, sink);
	send_missing(features, sink);
}

const struct perf_event_description *perf_features_find_event(const struct perf_features *features,
							      uint64_t id)
{
	uint32_t event = idmap_find(&features->event_ids, id);

	return event == IDMAP_NONE ? NULL : &features->events.at[event];
}

struct text perf_features_event_name(const struct perf_features *features, uint32_t index,
				     const struct perf_attr *attr, struct span ids)
{
	const struct perf_event_description *found = NULL;
	uint64_t id;

	if (span_u64(&ids, &id))
		found = perf_features_find_event(features, id);
	if (!found && index < features->events.count) {
		const struct perf_event_description *same = &features->events.at[index];

		if (same->attr.type == attr->type && same->attr.config == attr->config)
			found = same;
	}
	return found && found->name.length ? found->name : (struct text){ 0 };
}

const struct perf_pmu *perf_features_find_pmu(const struct perf_features *features, uint32_t type)
{
	for (size_t i = 0; i < features->pmus.count; i++)
		if (features->pmus.at[i].type == type)
			return &features->pmus.at[i];
	return NULL;
}

const char *perf_feature_name(uint64_t id)
{
	const struct feature *feature = find_feature(id);

	return feature ? feature->name : NULL;
}
