/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_rows.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define RUN_ROWS 10000u

/* Adds ascending runs to the parts, in turn. The times of the runs overlap. */
static void add_runs(struct pairing_rows *parts, size_t part_count, unsigned run_count,
		     uint64_t step_ns)
{
	uint32_t number = 0;

	for (size_t i = 0; i < part_count; i++)
		for (unsigned run = 0; run < run_count; run++)
			for (unsigned row = 0; row < RUN_ROWS; row++, number++)
				vec_push(&parts[i].rows, (struct pairing_row){
								 .time_ns = run * 7 + row * step_ns,
								 .offset = number / 2,
								 .ordinal = number % 2,
								 .previous = number,
							 });
}

/* Rows must be in the order of their times, and rows of equal times in the order of their numbers. */
static void expect_sorted(const pairing_row_list *rows, size_t count)
{
	unsigned char *seen = memory_zalloc(count, 1);

	cr_assert_eq(rows->count, count);
	for (size_t i = 0; i < count; i++) {
		const struct pairing_row *row = &rows->at[i];
		const struct pairing_row *last = i ? row - 1 : row;

		cr_assert(!seen[row->previous]++, "row %u is there twice", row->previous);
		cr_assert(last->time_ns <= row->time_ns, "%zu", i);
		if (i && last->time_ns == row->time_ns)
			cr_assert_lt(last->previous, row->previous, "%zu", i);
	}
	memory_free(seen);
}

static void check(unsigned part_count, unsigned run_count, uint64_t step_ns, unsigned thread_count)
{
	struct pairing_rows parts[2] = { 0 };
	pairing_row_list rows;

	add_runs(parts, part_count, run_count, step_ns);
	pairing_rows_sort(parts, part_count, thread_count, &rows);
	expect_sorted(&rows, (size_t)part_count * run_count * RUN_ROWS);
	vec_free(&rows);
}

Test(pairing_rows, runs_of_several_buffers)
{
	static const uint64_t steps_ns[] = { 0, 1, 3, 1000 };

	for (unsigned part_count = 1; part_count <= 2; part_count++)
		for (unsigned run_count = 0; run_count <= 3; run_count++)
			for (unsigned step = 0; step < ARRAY_SIZE(steps_ns); step++)
				for (unsigned threads = 1; threads <= 3; threads++)
					check(part_count, run_count, steps_ns[step], threads);
	assert_no_leaks();
}

/* There are too many runs to merge them in one step. */
Test(pairing_rows, rows_in_any_order)
{
	struct pairing_rows parts[2] = { 0 };
	pairing_row_list rows;

	for (uint32_t i = 0; i < RUN_ROWS; i++)
		vec_push(&parts[i * 2 / RUN_ROWS].rows,
			 (struct pairing_row){ .time_ns = i * 7919u % 97u, .previous = i });
	pairing_rows_sort(parts, 2, 2, &rows);
	expect_sorted(&rows, RUN_ROWS);
	vec_free(&rows);
	assert_no_leaks();
}

/* Equal rows are in the order of the parts, not of their addresses. */
Test(pairing_rows, equal_rows_stay_in_order)
{
	for (unsigned first = 0; first < 2; first++) {
		struct pairing_rows parts[2] = { 0 };
		struct pairing_rows swapped[2];
		pairing_row_list rows;

		for (unsigned i = 0; i < 2; i++)
			for (unsigned row = 0; row < RUN_ROWS; row++)
				vec_push(&parts[i].rows,
					 (struct pairing_row){ .time_ns = row, .previous = i });
		swapped[0] = parts[first];
		swapped[1] = parts[1 - first];
		pairing_rows_sort(swapped, 2, 2, &rows);
		for (unsigned i = 0; i < 2 * RUN_ROWS; i++)
			cr_assert_eq(rows.at[i].previous, (i + first) % 2, "%u", i);
		vec_free(&rows);
	}
	assert_no_leaks();
}
