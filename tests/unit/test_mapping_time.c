/* SPDX-License-Identifier: MIT */
#include "process/mapping_time.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "tests/support/leaks.h"

#define SECOND 1000000000

Test(mapping_time, placed)
{
	static const struct wall_clock unknown = { false, 0, 0 };
	static const struct wall_clock known = { true, (uint64_t)900 * SECOND,
						 (uint64_t)1 * SECOND };
	static const struct {
		const char *what;
		const struct wall_clock *clock;
		uint64_t first_ns, last_ns;
		int64_t written_ns;
		uint64_t mapped_ns;
		int64_t wall_ns;
	} rows[] = {
		{ "with the clock", &known, 0, 0, 0, (uint64_t)3 * SECOND, (int64_t)902 * SECOND },
		{ "a thousandth for drift", &unknown, 0, (uint64_t)9 * SECOND,
		  (int64_t)500 * SECOND, (uint64_t)7 * SECOND,
		  (int64_t)498 * SECOND + 2 * (SECOND / 1000) },
		{ "at the end", &unknown, 0, 9, (int64_t)500 * SECOND, 9, (int64_t)500 * SECOND },
		{ "behind the end", &unknown, 0, 9, (int64_t)500 * SECOND, 10,
		  (int64_t)500 * SECOND },
		{ "before the recording", &unknown, (uint64_t)7 * SECOND, (uint64_t)9 * SECOND,
		  (int64_t)500 * SECOND, 0, (int64_t)498 * SECOND + 2 * (SECOND / 1000) },
		{ "no times", &unknown, 0, 0, (int64_t)500 * SECOND, 0, 0 },
		{ "nobody knows when it was written", &unknown, 0, 9, 0, 5, 0 },
		{ "longer than the epoch", &unknown, 0, UINT64_MAX, (int64_t)500 * SECOND, 5, 0 },
		{ "written before the epoch", &unknown, 0, 9, INT64_MIN, 5, 0 },
		{ "a clock beyond its end", &known, 0, 0, 0, UINT64_MAX, INT64_MAX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module module = { .kind = MODULE_FILE,
					 .mapped_bytes = 1,
					 .mapped_ns = rows[i].mapped_ns };
		struct recording_time recording = { rows[i].clock, rows[i].first_ns,
						    rows[i].last_ns, rows[i].written_ns };
		struct modules modules;
		module_id id;

		modules_init(&modules);
		id = modules_intern(&modules, &module);
		mapping_time_set(&modules, &recording);
		cr_expect_eq(modules_get(&modules, id)->mapped_wall_ns, rows[i].wall_ns, "%s: %lld",
			     rows[i].what, (long long)modules_get(&modules, id)->mapped_wall_ns);
		modules_deinit(&modules);
	}
	assert_no_leaks();
}
