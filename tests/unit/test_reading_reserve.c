/* SPDX-License-Identifier: MIT */
#include "symbolise/reading_reserve.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/workers.h"
#include "dwarf/reading_budget.h"
#include "tests/support/inline_request.h"
#include "tests/support/leaks.h"

#define JOB_COUNT 40u

struct drawing {
	struct reading_reserve reserve;
	bool are_granted[JOB_COUNT];
};

/* Every fourth job draws nothing, the others up to a fifth of the reserve. */
static uint64_t steps_of(size_t job)
{
	return (uint64_t)LIMIT_DWARF_RESERVE_STEPS / 20 * (job % 4) + job % 4;
}

static void draw(void *context, size_t job)
{
	struct drawing *drawing = context;

	drawing->are_granted[job] = reading_reserve_draw(&drawing->reserve, job, steps_of(job));
	reading_reserve_pass(&drawing->reserve, job);
}

/* What each job gets does not depend on the threads. */
Test(reading_reserve, jobs_draw_in_order, .timeout = 60)
{
	for (unsigned threads = 1; threads <= 8; threads++) {
		uint64_t left = LIMIT_DWARF_RESERVE_STEPS;
		struct drawing drawing;
		size_t refused = 0;

		reading_reserve_init(&drawing.reserve, JOB_COUNT);
		workers_run(threads, JOB_COUNT, draw, &drawing);
		for (size_t i = 0; i < JOB_COUNT; i++) {
			bool is_granted = steps_of(i) <= left;

			left = is_granted ? left - steps_of(i) : 0;
			refused += !is_granted;
			cr_expect_eq(drawing.are_granted[i], is_granted, "job %zu, %u threads", i,
				     threads);
		}
		cr_expect_gt(refused, 15);
		cr_expect_eq(reading_reserve_left(&drawing.reserve), 0);
		reading_reserve_deinit(&drawing.reserve);
	}
	assert_no_leaks();
}

struct race {
	struct reading_reserve reserve;
	atomic_bool has_begun;
	bool are_granted[2];
};

/* The first job draws only when the second one is about to draw. */
static void draw_late(void *context, size_t job)
{
	struct race *race = context;

	if (job)
		atomic_store(&race->has_begun, true);
	for (unsigned i = 0; !job && i < 20000 && (i < 10000 || !race->has_begun); i++)
		sched_yield();
	race->are_granted[job] =
		reading_reserve_draw(&race->reserve, job, LIMIT_DWARF_RESERVE_STEPS);
	reading_reserve_pass(&race->reserve, job);
}

Test(reading_reserve, a_later_job_waits, .timeout = 60)
{
	struct race race = { .has_begun = false };

	reading_reserve_init(&race.reserve, 2);
	workers_run(2, 2, draw_late, &race);
	cr_expect(race.are_granted[0]);
	cr_expect(!race.are_granted[1]);
	reading_reserve_deinit(&race.reserve);
}

Test(reading_reserve, failures_are_limited)
{
	struct reading_reserve reserve;

	reading_reserve_init(&reserve, 0);
	for (unsigned i = 0; i < LIMIT_DWARF_FAILURES; i++) {
		cr_expect(reading_reserve_allows(&reserve));
		reading_reserve_fail(&reserve);
	}
	cr_expect(!reading_reserve_allows(&reserve));
	reading_reserve_deinit(&reserve);
}

/* A file takes its own steps first, then those of the reserve. */
Test(reading_reserve, own_steps_come_first)
{
	struct reading_budget budget = { .left = 10, .reserve = 5 };

	cr_expect(reading_budget_spend(&budget, 9));
	cr_expect_eq(budget.drawn, 0);
	cr_expect(reading_budget_spend(&budget, 4));
	cr_expect_eq(budget.drawn, 3);
	cr_expect(!reading_budget_spend(&budget, 3));
	cr_expect(budget.is_exceeded);
	/* A smaller amount, too. */
	cr_expect(!reading_budget_spend(&budget, 1));
}

#ifdef HAVE_LIBDW

#include "tests/support/elf_writer.h"
#include "tests/support/memory_file.h"

#define CODE        0x1000u
#define RANGE_COUNT 1000u

/*
 * Makes inlined functions that share one list of ranges. Each of them begins at another row of the
 * list.
 */
static unsigned char *make_shared_ranges(size_t *size_ret)
{
	static const unsigned char abbreviations[] = {
		1, 0x11, 1, 0x11, 0x01, 0x12, 0x07, 0, 0, /* unit: low_pc, high_pc */
		2, 0x2e, 1, 0x11, 0x01, 0x12, 0x07, 0, 0, /* function */
		3, 0x1d, 0, 0x55, 0x17, 0,    0,          /* inlined: ranges */
		0,
	};
	const uint64_t code[] = { CODE, 1 << 20 };
	struct elf_writer writer = { .text_address = CODE, .text_bytes = 16 };
	struct elf_writer_section sections[] = {
		{ .name = ".debug_abbrev",
		  .type = 1,
		  .bytes = abbreviations,
		  .size_bytes = sizeof(abbreviations) },
		{ .name = ".debug_info", .type = 1 },
		{ .name = ".debug_ranges", .type = 1 },
	};
	VEC(uint64_t) ranges = { .at = NULL };
	byte_list info = { .at = NULL };
	unsigned char *file;

	vec_reserve(&info, 100 + 5 * RANGE_COUNT);
	info.count = 11;
	for (unsigned char tag = 1; tag <= 2; tag++) {
		vec_push(&info, tag);
		memcpy(info.at + info.count, code, sizeof(code));
		info.count += sizeof(code);
	}
	for (uint32_t i = 0; i < RANGE_COUNT; i++) {
		uint32_t offset = 16 * i;

		vec_push(&info, 3);
		memcpy(info.at + info.count, &offset, sizeof(offset));
		info.count += sizeof(offset);
		vec_push(&ranges, 32 * (uint64_t)i + 1);
		vec_push(&ranges, 32 * (uint64_t)i + 9);
	}
	vec_push(&ranges, 0);
	vec_push(&ranges, 0);
	vec_push(&info, 0);
	vec_push(&info, 0);
	/* The unit's header: its size, version 4, offset of abbreviations, bytes of an address. */
	memcpy(info.at, &(uint32_t){ (uint32_t)info.count - 4 }, 4);
	memcpy(info.at + 4, &(uint16_t){ 4 }, 2);
	memcpy(info.at + 6, &(uint32_t){ 0 }, 4);
	info.at[10] = 8;
	sections[1].bytes = info.at;
	sections[1].size_bytes = info.count;
	sections[2].bytes = ranges.at;
	sections[2].size_bytes = ranges.count * sizeof(*ranges.at);
	writer.more = sections;
	writer.more_count = ARRAY_SIZE(sections);
	writer.is_big_endian = HOST_IS_BIG_ENDIAN;
	file = elf_writer_write(&writer, size_ret);
	vec_free(&ranges);
	vec_free(&info);
	return file;
}

/*
 * A list that many entries share takes time in proportion to the square of the file's size, which
 * only the reserve allows.
 */
Test(reading_reserve, shared_ranges_need_it, .timeout = 60)
{
	static const struct {
		uint64_t reserve_steps;
		bool is_over_budget;
	} rows[] = {
		{ 0, true },
		{ RANGE_COUNT * RANGE_COUNT / 4, true },
		{ RANGE_COUNT * RANGE_COUNT, false },
	};
	static const uint64_t address = CODE + 1;
	struct service helper;
	struct memory_file memory;
	size_t size_bytes;
	unsigned char *file = make_shared_ranges(&size_bytes);
	struct dwarf_files files = { .shared_fd = -1 };

	inline_request_start(&helper);
	memory_file_open(&memory, file, size_bytes);
	files.fd = memory.fd;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct dwarf_request request = { .addresses = &address,
						 .address_count = 1,
						 .places = { "", 0 },
						 .reserve_steps = rows[i].reserve_steps };
		struct inline_table table;
		struct error err;

		inline_table_init(&table);
		cr_assert(inline_request_send(&helper, &files, &request, &table, NULL, &err), "%s",
			  err.text);
		cr_expect_eq(table.is_over_budget, rows[i].is_over_budget, "row %zu", i);
		/* A table over the budget is dropped as a whole. */
		cr_expect_eq(table.segments.count > 0, !rows[i].is_over_budget, "row %zu", i);
		inline_table_deinit(&table);
	}
	memory_file_close(&memory);
	memory_free(file);
	service_stop(&helper);
	assert_no_leaks();
}

#endif
