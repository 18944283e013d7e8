/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <criterion/criterion.h>

Test(nearest, names)
{
	static const struct {
		const char *wanted;
		const char *offered[6];
		const char *nearest[NEAREST_MAX];
	} rows[] = {
		{ "worker9",
		  { "main", "worker-2", "logger", "worker-1" },
		  { "worker-1", "worker-2", "logger" } },
		{ "WORKER", { "main", "worker" }, { "worker", "main" } },
		/* What contains it is near, however long it is. */
		{ "parse", { "pause", "json_parse_value" }, { "json_parse_value", "pause" } },
		{ "a", { "b", "b", "b", "c" }, { "b", "c" } },
		{ "", { "x" }, { "x" } },
		{ "x", { NULL }, { NULL } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct nearest nearest = { .count = 0 };
		size_t count = 0;

		for (size_t k = 0; k < 6 && rows[i].offered[k]; k++)
			nearest_offer(&nearest, text_of(rows[i].offered[k]),
				      nearest_distance(text_of(rows[i].wanted),
						       text_of(rows[i].offered[k])));
		while (count < NEAREST_MAX && rows[i].nearest[count])
			count++;
		cr_assert_eq(nearest.count, count, "%s", rows[i].wanted);
		for (size_t k = 0; k < count; k++)
			cr_expect(text_is(nearest.at[k].name, rows[i].nearest[k]),
				  "%s: number %zu is %.*s", rows[i].wanted, k,
				  (int)nearest.at[k].name.length, nearest.at[k].name.at);
	}
}
