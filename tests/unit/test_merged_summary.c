/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_summary.h"

#include <criterion/criterion.h>

/* Writes a summary, and reads it again. */
static bool can_read(const struct merged_summary *summary)
{
	struct merged_summary again;
	struct error err;
	struct sink raw;
	bool good;

	sink_init_memory(&raw);
	merged_summary_write(summary, &raw);
	merged_summary_init(&again);
	good = merged_summary_read(&again, span_of(raw.buffer, raw.used, 0, false), &err);
	cr_expect(!good || again.events.count == summary->events.count);
	merged_summary_deinit(&again);
	sink_deinit(&raw);
	return good;
}

Test(merged_summary, events_and_keys_are_sorted)
{
	static const char *const names[] = { "b", "c", "a", "b" };
	struct merged_summary summary;
	struct error err;

	merged_summary_init(&summary);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		cr_assert(merged_summary_event(&summary, text_of(names[i]), UNIT_EVENTS, &err));
		cr_assert(merged_summary_add_key(&summary, text_of(names[i]), &err));
	}
	cr_expect_eq(summary.events.count, 3);
	cr_expect_eq(summary.label_keys.count, 3);
	for (size_t i = 0; i < summary.events.count; i++) {
		cr_expect_eq(summary.events.at[i].name.at[0], "abc"[i]);
		cr_expect_eq(summary.label_keys.at[i].at[0], "abc"[i]);
	}
	cr_expect(can_read(&summary));

	summary.events.at[1].name = text_of("a");
	cr_expect_not(can_read(&summary), "repeated events are refused");
	summary.events.at[1].name = text_of("b");
	summary.label_keys.at[2] = text_of("a");
	cr_expect_not(can_read(&summary), "unsorted keys are refused");
	summary.label_keys.at[2] = text_of("c");
	summary.capture_count = 1;
	summary.partial_count = 2;
	cr_expect_not(can_read(&summary), "more incomplete captures than captures are refused");
	merged_summary_deinit(&summary);
}

/* The first event or label key above the limit is refused, when it is added and when it is read. */
Test(merged_summary, limits)
{
	struct merged_summary summary;
	char name[16];
	struct error err;

	merged_summary_init(&summary);
	for (uint32_t i = 0; i < LIMIT_MERGED_EVENTS; i++) {
		snprintf(name, sizeof(name), "%08u", i);
		cr_assert(merged_summary_event(&summary, text_of(name), UNIT_EVENTS, &err));
		cr_assert(i >= LIMIT_MERGED_KEYS ||
			  merged_summary_add_key(&summary, text_of(name), &err));
	}
	cr_expect(can_read(&summary));
	cr_expect_null(merged_summary_event(&summary, text_of("x"), UNIT_EVENTS, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	cr_expect_not(merged_summary_add_key(&summary, text_of("x"), &err));
	cr_expect_eq(err.code, ERROR_LIMIT);

	vec_push(&summary.label_keys, text_of("x"));
	cr_expect_not(can_read(&summary));
	summary.label_keys.count--;
	vec_push(&summary.events, (struct merged_event){ .name = text_of("x") });
	cr_expect_not(can_read(&summary));
	merged_summary_deinit(&summary);
}
