/* SPDX-License-Identifier: MIT */
#include "libparse/perf/event_names.h"

#include <inttypes.h>

#include "base/sink.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/off_cpu_samples.h"

/* In the order of enum perf_hw_id. */
static const char *const hardware_names[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

/* In the order of enum perf_sw_ids. */
static const char *const software_names[] = {
	"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

/* The three bytes of a cache event's config, each in the order of its enum perf_hw_cache_*_id. */
static const char *const cache_names[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
};

static const struct {
	const char *accesses, *misses;
} cache_operations[] = {
	{ "loads", "load-misses" },
	{ "stores", "store-misses" },
	{ "prefetches", "prefetch-misses" },
};

#define HYBRID_PMU_SHIFT 32

static bool write_cache_name(struct sink *line, uint32_t config)
{
	uint32_t cache = config & 0xff;
	uint32_t operation = config >> 8 & 0xff;
	uint32_t result = config >> 16;

	if (cache >= ARRAY_SIZE(cache_names) || operation >= ARRAY_SIZE(cache_operations) ||
	    result > 1)
		return false;
	sink_printf(line, "%s-%s", cache_names[cache],
		    result ? cache_operations[operation].misses
			   : cache_operations[operation].accesses);
	return true;
}

static bool write_table_name(struct sink *line, const char *const *names, size_t count,
			     uint64_t config)
{
	if (config >= count)
		return false;
	sink_puts(line, names[config]);
	return true;
}

static void write_breakpoint_name(struct sink *line, const struct perf_attr *attr)
{
	sink_printf(line, "mem:0x%" PRIx64 ":", attr->config1);
	if (attr->breakpoint_type & BREAKPOINT_READ)
		sink_char(line, 'r');
	if (attr->breakpoint_type & BREAKPOINT_WRITE)
		sink_char(line, 'w');
	if (attr->breakpoint_type & BREAKPOINT_EXECUTE)
		sink_char(line, 'x');
}

/*
 * Writes the modifiers that perf appends: the CPU modes that are counted, unless all are counted,
 * and the precision of the address. By default, guests are excluded, but an event with any other
 * modifier includes guests.
 */
static void write_modifiers(struct sink *line, const struct perf_attr *attr, const char *separator)
{
	uint64_t flags = attr->flags;
	bool is_narrowed =
		flags & (ATTR_FLAG_EXCLUDE_USER | ATTR_FLAG_EXCLUDE_KERNEL | ATTR_FLAG_EXCLUDE_HV);
	unsigned precision = perf_attr_precision(attr);
	char modifiers[16];
	size_t length = 0;
	bool is_guest_excluded = flags & ATTR_FLAG_EXCLUDE_GUEST;

	if (is_narrowed && !(flags & ATTR_FLAG_EXCLUDE_KERNEL))
		modifiers[length++] = 'k';
	if (is_narrowed && !(flags & ATTR_FLAG_EXCLUDE_USER))
		modifiers[length++] = 'u';
	if (is_narrowed && !(flags & ATTR_FLAG_EXCLUDE_HV))
		modifiers[length++] = 'h';
	for (unsigned i = 0; i < precision; i++)
		modifiers[length++] = 'p';
	if (flags & ATTR_FLAG_EXCLUDE_HOST || is_guest_excluded == (is_narrowed || precision)) {
		if (!(flags & ATTR_FLAG_EXCLUDE_HOST))
			modifiers[length++] = 'H';
		if (!is_guest_excluded)
			modifiers[length++] = 'G';
	}
	if (!length)
		return;
	sink_puts(line, separator);
	sink_bytes(line, modifiers, length);
}

static void write_pmu_name(struct sink *line, const struct perf_features *features, uint32_t type)
{
	const struct perf_pmu *pmu = perf_features_find_pmu(features, type);

	if (pmu)
		sink_text(line, pmu->name);
	else
		sink_printf(line, "pmu%" PRIu32, type);
}

/* Writes a name that perf record -e accepts, such as cpu/config=0x1a8,config1=0x2/. */
static void write_pmu_event(struct sink *line, const struct perf_attr *attr,
			    const struct perf_features *features)
{
	write_pmu_name(line, features, attr->type);
	sink_printf(line, "/config=0x%" PRIx64, attr->config);
	if (attr->config1)
		sink_printf(line, ",config1=0x%" PRIx64, attr->config1);
	if (attr->config2)
		sink_printf(line, ",config2=0x%" PRIx64, attr->config2);
	if (attr->config3)
		sink_printf(line, ",config3=0x%" PRIx64, attr->config3);
	if (attr->config4)
		sink_printf(line, ",config4=0x%" PRIx64, attr->config4);
	sink_char(line, '/');
	write_modifiers(line, attr, "");
}

/* On a CPU with two kinds of cores, the upper half of a hardware or cache event's config is the
 * PMU. */
static void write_generic_event(struct sink *line, const struct perf_attr *attr,
				const struct perf_features *features)
{
	uint32_t pmu = (uint32_t)(attr->config >> HYBRID_PMU_SHIFT);
	uint32_t config = (uint32_t)attr->config;
	bool good;

	if (pmu) {
		write_pmu_name(line, features, pmu);
		sink_char(line, '/');
	}
	if (attr->type == TYPE_HW_CACHE)
		good = write_cache_name(line, config);
	else
		good = write_table_name(line, hardware_names, ARRAY_SIZE(hardware_names), config);
	if (!good)
		sink_printf(line, "%s-0x%" PRIx32,
			    attr->type == TYPE_HW_CACHE ? "cache" : "hardware", config);
	if (pmu)
		sink_char(line, '/');
	write_modifiers(line, attr, pmu ? "" : ":");
}

static void write_tracepoint_name(struct sink *line, const struct perf_attr *attr,
				  const struct perf_features *features)
{
	const struct perf_tracepoint *tracepoint =
		perf_tracepoints_find(&features->tracepoints, attr->config);

	if (tracepoint)
		sink_text(line, tracepoint->name);
	else
		sink_printf(line, "tracepoint:%" PRIu64, attr->config);
}

static void write_name(struct sink *line, const struct perf_attr *attr,
		       const struct perf_features *features)
{
	switch (attr->type) {
	case TYPE_HARDWARE:
	case TYPE_HW_CACHE:
		write_generic_event(line, attr, features);
		return;
	case TYPE_TRACEPOINT:
		write_tracepoint_name(line, attr, features);
		return;
	case TYPE_SOFTWARE:
		if (!write_table_name(line, software_names, ARRAY_SIZE(software_names),
				      attr->config))
			sink_printf(line, "software-0x%" PRIx64, attr->config);
		break;
	case TYPE_RAW:
		sink_printf(line, "r%" PRIx64, attr->config);
		break;
	case TYPE_BREAKPOINT:
		write_breakpoint_name(line, attr);
		break;
	default:
		write_pmu_event(line, attr, features);
		return;
	}
	write_modifiers(line, attr, ":");
}

struct text perf_event_name(const struct perf_attr *attr, const struct perf_features *features,
			    struct arena *arena)
{
	struct sink line;
	struct text name;

	sink_init_memory(&line);
	write_name(&line, attr, features);
	name = sink_memory(&line);
	name.at = arena_text(arena, name.at, name.length);
	sink_deinit(&line);
	return name;
}

static bool is_software(const struct perf_attr *attr, uint64_t config)
{
	return attr->type == TYPE_SOFTWARE && attr->config == config;
}

enum weight_unit perf_event_unit(const struct perf_attr *attr, struct text name)
{
	/* perf record --off-cpu records off-CPU times as periods of this event. */
	if (off_cpu_samples_is_event(attr, name))
		return UNIT_NANOSECONDS;
	/*
	 * Neither the samples nor the attr contain a period, so the weight of a sample is unknown.
	 */
	if (!(attr->sample_type & (SAMPLE_PERIOD | SAMPLE_READ)) &&
	    (attr->flags & ATTR_FLAG_FREQ || !attr->sample_period))
		return UNIT_SAMPLES;
	if (is_software(attr, SOFTWARE_CPU_CLOCK) || is_software(attr, SOFTWARE_TASK_CLOCK))
		return UNIT_NANOSECONDS;
	return UNIT_EVENTS;
}

bool perf_event_is_dummy(const struct perf_attr *attr)
{
	return is_software(attr, SOFTWARE_DUMMY);
}
