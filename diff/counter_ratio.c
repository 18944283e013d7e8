/* SPDX-License-Identifier: MIT */
#include "diff/counter_ratio.h"

static struct event_name name_of(const struct profile *profile, uint32_t event)
{
	return event_name_parse(strings_get(profile->strings, profile->events.at[event].name));
}

/*
 * Returns the event with this name and with the PMU and modifiers of the given event; COUNTER_NONE
 * if there is none, or if its count is 0.
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
	return COUNTER_NONE;
}

/*
 * Finds the divisor of a miss count: "cache-references" for "cache-misses", "L1-dcache-loads" for
 * "L1-dcache-load-misses".
 */
static void find_miss_rate(const struct profile *profile, uint32_t event,
			   const struct event_name *name, struct counter_pair *pair)
{
	static const char misses[] = "-misses";
	static const char *const wholes[] = { "-references", "s", "es", "-instructions", "" };
	struct text base = name->base;

	if (!text_has_suffix(base, misses))
		return;
	base.length -= sizeof(misses) - 1;
	for (size_t i = 0; i < ARRAY_SIZE(wholes); i++) {
		uint32_t of = find_beside(profile, name, base, wholes[i]);

		if (of == COUNTER_NONE)
			continue;
		*pair = (struct counter_pair){ "miss-rate", event, of };
		return;
	}
}

uint32_t counter_instructions_beside(const struct profile *profile, uint32_t event)
{
	struct event_name name = name_of(profile, event);

	return find_beside(profile, &name, text_of("instructions"), "");
}

void counter_pairs_find(const struct profile *profile, uint32_t event,
			struct counter_pair pairs[COUNTER_RATIOS_MAX])
{
	struct event_name name = name_of(profile, event);
	uint32_t cycles;

	pairs[0] = pairs[1] = (struct counter_pair){ NULL, COUNTER_NONE, COUNTER_NONE };
	if (!profile->events.at[event].sample_count)
		return;
	find_miss_rate(profile, event, &name, &pairs[0]);
	if (!text_is(name.base, "instructions") || !profile->events.at[event].period_sum)
		return;
	cycles = find_beside(profile, &name, text_of("cycles"), "");
	if (cycles == COUNTER_NONE)
		cycles = find_beside(profile, &name, text_of("cpu-cycles"), "");
	if (cycles == COUNTER_NONE)
		return;
	pairs[0] = (struct counter_pair){ "instructions-per-cycle", event, cycles };
	pairs[1] = (struct counter_pair){ "cycles-per-instruction", cycles, event };
}

void counter_ratios_find(const struct profile *profile, uint32_t event,
			 struct counter_ratio ratios[COUNTER_RATIOS_MAX])
{
	const struct profile_event *events = profile->events.at;
	struct counter_pair pairs[COUNTER_RATIOS_MAX];

	counter_pairs_find(profile, event, pairs);
	for (int i = 0; i < COUNTER_RATIOS_MAX; i++) {
		const struct counter_pair *pair = &pairs[i];

		ratios[i] = (struct counter_ratio){ .of = COUNTER_NONE };
		if (pair->name)
			ratios[i] = (struct counter_ratio){
				.name = pair->name,
				.of = pair->above == event ? pair->below : pair->above,
				.value = (double)events[pair->above].period_sum /
					 (double)events[pair->below].period_sum,
			};
	}
}
