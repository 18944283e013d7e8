/* SPDX-License-Identifier: MIT */
#include "process/loss.h"

#include <criterion/criterion.h>

#include "base/attributes.h"
#include "libparse/event.h"
#include "tests/support/leaks.h"

/*
 * Losses reported at 40 on the first CPU, for the time since 10; at 20 on another CPU, and at 60 on
 * an unknown one.
 */
Test(loss_spans, overlap_what_lies_in_them)
{
	static const struct {
		uint64_t from_ns, until_ns;
		bool is_over;
	} rows[] = {
		{ 0, 10, false }, { 0, 11, true },   { 12, 15, true }, { 25, 30, true },
		{ 39, 50, true }, { 40, 50, false }, { 40, 60, true }, { 60, 90, false },
	};
	struct loss_spans spans = { 0 };

	loss_spans_add(&spans, 60, EVENT_NO_CPU);
	loss_spans_add(&spans, 20, 1);
	loss_spans_add(&spans, 40, 0);
	loss_spans_sort(&spans);
	cr_assert_eq(spans.rows.at[1].end_ns, 40);
	cr_expect_eq(spans.rows.at[1].cpu, 0);
	cr_expect_eq(spans.rows.at[2].cpu, EVENT_NO_CPU);
	spans.rows.at[1].begin_ns = 10;
	loss_spans_finish(&spans);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(loss_spans_overlap(&spans, rows[i].from_ns, rows[i].until_ns),
			     rows[i].is_over, "row %zu", i);
	loss_spans_deinit(&spans);
	assert_no_leaks();
}
