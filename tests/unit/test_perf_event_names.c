/* SPDX-License-Identifier: MIT */
#include "libparse/perf/event_names.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "libparse/perf/abi.h"

#define PRECISE(n) ((uint64_t)(n) << ATTR_FLAG_PRECISE_IP_SHIFT)
/* perf record sets this flag unless guests are recorded. */
#define NO_GUEST ATTR_FLAG_EXCLUDE_GUEST

struct fixture {
	struct perf_features features;
	struct arena arena;
};

static void set_up(struct fixture *fixture)
{
	perf_features_init(&fixture->features);
	arena_init(&fixture->arena);
	vec_push(&fixture->features.pmus, (struct perf_pmu){ 4, text_of("cpu_core") });
	vec_push(&fixture->features.pmus, (struct perf_pmu){ 10, text_of("cpu_atom") });
	vec_push(&fixture->features.pmus, (struct perf_pmu){ 6, text_of("intel_pt") });
}

static void tear_down(struct fixture *fixture)
{
	perf_features_deinit(&fixture->features);
	arena_deinit(&fixture->arena);
}

/* The names are those `perf evlist` 6.1 prints for such attrs without EVENT_DESC, except for raw
 * events, PMUs and numbers it does not know: for these it prints no name. */
static const struct {
	struct perf_attr attr;
	const char *name;
} rows[] = {
	{ { .type = 0, .config = 0, .flags = NO_GUEST }, "cycles" },
	{ { .type = 0, .config = 1, .flags = NO_GUEST }, "instructions" },
	{ { .type = 0, .config = 9, .flags = NO_GUEST }, "ref-cycles" },
	{ { .type = 0, .config = 10, .flags = NO_GUEST }, "hardware-0xa" },
	{ { .type = 1, .config = 0, .flags = NO_GUEST }, "cpu-clock" },
	{ { .type = 1, .config = 2, .flags = NO_GUEST }, "page-faults" },
	{ { .type = 1, .config = 11, .flags = NO_GUEST }, "cgroup-switches" },
	{ { .type = 1, .config = 99, .flags = NO_GUEST }, "software-0x63" },
	{ { .type = 1, .config = 9 }, "dummy:HG" },
	{ { .type = 3, .config = 0x10000, .flags = NO_GUEST }, "L1-dcache-load-misses" },
	{ { .type = 3, .config = 0x00000, .flags = NO_GUEST }, "L1-dcache-loads" },
	{ { .type = 3, .config = 0x00102, .flags = NO_GUEST }, "LLC-stores" },
	{ { .type = 3, .config = 0x10204, .flags = NO_GUEST }, "iTLB-prefetch-misses" },
	{ { .type = 3, .config = 0x00006, .flags = NO_GUEST }, "node-loads" },
	{ { .type = 3, .config = 0x00007, .flags = NO_GUEST }, "cache-0x7" },
	{ { .type = 3, .config = 0x20000, .flags = NO_GUEST }, "cache-0x20000" },
	{ { .type = 4, .config = 0x1a8, .flags = NO_GUEST }, "r1a8" },
	{ { .type = 2, .config = 316 }, "tracepoint:316" },
	{ { .type = 5, .config1 = 0x1000, .breakpoint_type = 3, .flags = NO_GUEST },
	  "mem:0x1000:rw" },
	{ { .type = 5, .config1 = 0x2000, .breakpoint_type = 4, .flags = NO_GUEST },
	  "mem:0x2000:x" },
	{ { .type = 6, .config = 0x300e601 }, "intel_pt/config=0x300e601/HG" },
	{ { .type = 6, .config = 1, .config1 = 2, .config2 = 3, .flags = NO_GUEST },
	  "intel_pt/config=0x1,config1=0x2,config2=0x3/" },
	{ { .type = 77, .config = 5, .flags = NO_GUEST }, "pmu77/config=0x5/" },
	/* Modifiers */
	{ { .type = 0, .flags = NO_GUEST | PRECISE(3) }, "cycles:pppH" },
	{ { .type = 0, .flags = PRECISE(2) }, "cycles:pp" },
	{ { .type = 0, .flags = ATTR_FLAG_EXCLUDE_KERNEL | ATTR_FLAG_EXCLUDE_HV }, "cycles:u" },
	{ { .type = 0, .flags = NO_GUEST | ATTR_FLAG_EXCLUDE_KERNEL | ATTR_FLAG_EXCLUDE_HV },
	  "cycles:uH" },
	{ { .type = 1, .config = 1, .flags = ATTR_FLAG_EXCLUDE_USER | ATTR_FLAG_EXCLUDE_HV },
	  "task-clock:k" },
	{ { .type = 1, .config = 2, .flags = NO_GUEST | ATTR_FLAG_EXCLUDE_HV }, "page-faults:kuH" },
	{ { .type = 0, .flags = ATTR_FLAG_EXCLUDE_HOST }, "cycles:G" },
	/* CPUs with two kinds of cores */
	{ { .type = 0, .config = 0x400000000, .flags = NO_GUEST }, "cpu_core/cycles/" },
	{ { .type = 0, .config = 0xa00000001, .flags = NO_GUEST | PRECISE(1) },
	  "cpu_atom/instructions/pH" },
	{ { .type = 3, .config = 0x400010000, .flags = NO_GUEST },
	  "cpu_core/L1-dcache-load-misses/" },
	{ { .type = 0, .config = 0xb00000000, .flags = NO_GUEST }, "pmu11/cycles/" },
};

Test(perf_event_names, made_from_the_attr)
{
	struct fixture fixture;

	set_up(&fixture);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text name =
			perf_event_name(&rows[i].attr, &fixture.features, &fixture.arena);

		cr_expect_str_eq(name.at, rows[i].name, "row %zu", i);
		cr_expect_eq(name.length, strlen(rows[i].name), "row %zu", i);
	}
	tear_down(&fixture);
}

Test(perf_event_names, units)
{
	static const struct {
		struct perf_attr attr;
		const char *name;
		enum weight_unit unit;
	} units[] = {
		{ { .type = 1, .config = 0, .sample_type = SAMPLE_PERIOD, .flags = ATTR_FLAG_FREQ },
		  "cpu-clock",
		  UNIT_NANOSECONDS },
		{ { .type = 1, .config = 1, .sample_period = 1000000 },
		  "task-clock:u",
		  UNIT_NANOSECONDS },
		{ { .type = 1, .config = 2, .sample_period = 1 }, "page-faults", UNIT_EVENTS },
		{ { .type = 2, .config = 316, .sample_period = 1 },
		  "sched:sched_switch",
		  UNIT_EVENTS },
		{ { .type = 0, .sample_type = SAMPLE_PERIOD, .flags = ATTR_FLAG_FREQ },
		  "cycles",
		  UNIT_EVENTS },
		/* By frequency, and without periods: the weight of a sample is unknown. */
		{ { .type = 0, .sample_period = 4000, .flags = ATTR_FLAG_FREQ },
		  "cycles",
		  UNIT_SAMPLES },
		{ { .type = 1, .config = 0, .sample_period = 4000, .flags = ATTR_FLAG_FREQ },
		  "cpu-clock",
		  UNIT_SAMPLES },
		{ { .type = 0 }, "cycles", UNIT_SAMPLES },
		{ { .type = 1, .config = 10, .sample_type = SAMPLE_PERIOD, .sample_period = 1 },
		  "offcpu-time",
		  UNIT_NANOSECONDS },
		{ { .type = 1, .config = 10, .sample_type = SAMPLE_PERIOD, .sample_period = 1 },
		  "bpf-output",
		  UNIT_EVENTS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		cr_expect_eq(perf_event_unit(&units[i].attr, text_of(units[i].name)), units[i].unit,
			     "row %zu, %s", i, units[i].name);
}

Test(perf_event_names, dummy)
{
	struct perf_attr dummy = { .type = TYPE_SOFTWARE, .config = SOFTWARE_DUMMY };
	struct perf_attr ref_cycles = { .type = TYPE_HARDWARE, .config = 9 };

	cr_expect(perf_event_is_dummy(&dummy));
	cr_expect_not(perf_event_is_dummy(&ref_cycles));
}
