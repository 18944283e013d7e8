/* SPDX-License-Identifier: MIT */
#include "diff/counter_ratio.h"

#define NONE UINT32_MAX

static struct event_name name_of(const struct profile *profile, uint32_t event)
{
	return event_name_parse(strings_get(profile->strings, profile->events.at[event].name));
}

/*
 * Returns the event with this name and with the PMU and modifiers of the given event; NONE if there
 * is none, or if its count is 0.
 */
static uint32_t find_beside(const struct profile *profile, const struct event_name *other,
			    struct text name, const char *suffix)
{
	size_t suffix_length = strlen(suffix);

	for (uint32_t i = 0; i < profile->events.count; i++) {
		struct event_name found = name_of(profile, i);

		if (!profile->events.at[i].period_sum || !text_equal(found.pmu, other->pmu) ||
		    !text_equal(found.modifiers, other->modifiers))
			continue;
		if (found.base.length == name.length + suffix_length &&
		    memcmp(found.base.at, name.at, name.length) == 0 &&
		    memcmp(found.base.at + name.length, suffix, suffix_length) == 0)
			return i;
	}
	return NONE;
}

static struct counter_ratio ratio_of_events(const struct profile *profile, const char *name,
					    uint32_t event, uint32_t of)
{
	return (struct counter_ratio){
		.name = name,
		.of = of,
		.value = (double)profile->events.at[event].period_sum /
			 (double)profile->events.at[of].period_sum,
	};
}

/*
 * Finds the divisor of a miss count: "cache-references" for "cache-misses", "L1-dcache-loads" for
 * "L1-dcache-load-misses".
 */
static void find_miss_rate(const struct profile *profile, uint32_t event,
			   const struct event_name *name, struct counter_ratio *ratio)
{
	static const char misses[] = "-misses";
	static const char *const wholes[] = { "-references", "s", "es", "-instructions", "" };
	struct text base = name->base;

	if (!text_has_suffix(base, misses))
		return;
	base.length -= sizeof(misses) - 1;
	for (size_t i = 0; i < ARRAY_SIZE(wholes); i++) {
		uint32_t of = find_beside(profile, name, base, wholes[i]);

		if (of == NONE)
			continue;
		*ratio = ratio_of_events(profile, "miss-rate", event, of);
		return;
	}
}

void counter_ratios_find(const struct profile *profile, uint32_t event,
			 struct counter_ratio ratios[COUNTER_RATIOS_MAX])
{
	struct event_name name = name_of(profile, event);
	uint32_t cycles;

	ratios[0] = ratios[1] = (struct counter_ratio){ .name = NULL, .of = NONE };
	if (!profile->events.at[event].sample_count)
		return;
	find_miss_rate(profile, event, &name, &ratios[0]);
	if (!text_is(name.base, "instructions") || !profile->events.at[event].period_sum)
		return;
	cycles = find_beside(profile, &name, text_of("cycles"), "");
	if (cycles == NONE)
		cycles = find_beside(profile, &name, text_of("cpu-cycles"), "");
	if (cycles == NONE)
		return;
	ratios[0] = ratio_of_events(profile, "instructions-per-cycle", event, cycles);
	ratios[1] = ratio_of_events(profile, "cycles-per-instruction", cycles, event);
	ratios[1].of = cycles;
}
