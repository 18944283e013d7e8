/* SPDX-License-Identifier: MIT */
#include "profile/event_name.h"

#include <criterion/criterion.h>

Test(event_name, parts)
{
	static const struct {
		const char *name, *pmu, *base, *modifiers;
	} rows[] = {
		{ "cycles", "", "cycles", "" },
		{ "cycles:P", "", "cycles", "P" },
		{ "cpu-clock:ppp", "", "cpu-clock", "ppp" },
		{ "cpu-clock/freq=999/", "", "cpu-clock", "" },
		{ "cpu-clock/freq=999/u", "", "cpu-clock", "u" },
		{ "cpu_core/cycles/", "cpu_core", "cycles", "" },
		{ "cpu_core/cycles/:P", "cpu_core", "cycles", "P" },
		{ "cpu/cycles,freq=99/", "cpu", "cycles", "" },
		{ "power/energy-pkg/", "power", "energy-pkg", "" },
		/* An event defined by its terms has no shorter name. */
		{ "cpu/event=0x3c,umask=1/", "", "cpu/event=0x3c,umask=1/", "" },
		{ "sched:sched_switch", "", "sched:sched_switch", "" },
		{ "sched:sched_switch:u", "", "sched:sched_switch", "u" },
		{ ":u", "", ":u", "" },
		{ "/", "", "/", "" },
		{ "//", "", "//", "" },
		{ "", "", "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_name name = event_name_parse(text_of(rows[i].name));

		cr_expect(text_is(name.pmu, rows[i].pmu), "row %zu", i);
		cr_expect(text_is(name.base, rows[i].base), "row %zu", i);
		cr_expect(text_is(name.modifiers, rows[i].modifiers), "row %zu", i);
	}
}

Test(event_name, matches)
{
	static const struct {
		const char *name, *pattern;
		enum event_match match;
	} rows[] = {
		{ "cpu-clock/freq=999/", "cpu-clock/freq=999/", EVENT_MATCH_EXACT },
		{ "cpu-clock/freq=999/", "cpu-clock", EVENT_MATCH_BASE },
		{ "cpu-clock/freq=999/", "cpu-*", EVENT_MATCH_PATTERN },
		{ "cpu-clock:ppp", "cpu-clock", EVENT_MATCH_BASE },
		{ "cycles:P", "cycles", EVENT_MATCH_BASE },
		{ "cycles:k", "cycles:u", EVENT_MATCH_NONE },
		{ "cpu_core/cycles/", "cycles", EVENT_MATCH_BASE },
		{ "cpu_core/cycles/P", "cpu_core/cycles/", EVENT_MATCH_BASE },
		{ "cpu_core/cycles/P", "cpu_core/cycles", EVENT_MATCH_BASE },
		{ "cpu_core/cycles/P", "cpu_atom/cycles/", EVENT_MATCH_NONE },
		{ "cpu_core/cycles/", "cycle", EVENT_MATCH_NONE },
		{ "cpu/event=0x3c/", "cpu", EVENT_MATCH_NONE },
		{ "sched:sched_switch", "sched", EVENT_MATCH_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(event_name_match(text_of(rows[i].name), rows[i].pattern),
			     rows[i].match, "row %zu", i);
}

Test(event_name, alike)
{
	static const struct {
		const char *left, *right;
		bool are_alike, add_up;
	} rows[] = {
		{ "cpu-clock:ppp", "cpu-clock/freq=999/", true, false },
		{ "cycles:P", "cycles", true, true },
		{ "cycles:u", "cycles:upp", true, true },
		{ "cycles:u", "cycles", false, false },
		{ "cycles:u", "cycles:uH", true, false },
		{ "cycles:u", "cycles:uG", false, false },
		{ "cpu_core/cycles/", "cycles:P", true, false },
		{ "cpu_core/cycles/", "cpu_core/cycles/P", true, true },
		{ "cpu_core/cycles/", "cpu_atom/cycles/", false, false },
		{ "cpu/mem-loads,ldlat=30/P", "cpu/mem-loads,ldlat=30/pp", true, true },
		{ "cpu/mem-loads,ldlat=30/P", "cpu/mem-loads,ldlat=300/P", true, false },
		{ "cycles:G", "cycles:GH", true, false },
		{ "cycles", "instructions", false, false },
		/* These may be two tracepoints of one system. */
		{ "probe_app:D", "probe_app:S", true, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text left = text_of(rows[i].left);
		struct text right = text_of(rows[i].right);

		cr_expect_eq(event_names_alike(left, right), rows[i].are_alike, "row %zu", i);
		cr_expect_eq(event_names_add_up(left, right), rows[i].add_up, "row %zu", i);
		cr_expect_eq(event_names_add_up(right, left), rows[i].add_up, "row %zu", i);
	}
}

Test(event_name, of_cpu_time)
{
	static const char *const names[] = { "cpu-clock:ppp",    "task-clock/freq=99/u",
					     "cycles",           "cpu_core/cycles/",
					     "cpu/cpu-cycles/P", "armv8_pmuv3_0/cpu_cycles/" };
	static const char *const others[] = { "sched:sched_switch",
					      "stalled-cycles-frontend",
					      "page-faults",
					      "cpu/event=0x3c/",
					      "dummy:HG",
					      "@cycles",
					      "" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		cr_expect(event_name_is_of_cpu_time(text_of(names[i])), "%s", names[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		cr_expect_not(event_name_is_of_cpu_time(text_of(others[i])), "%s", others[i]);
}
