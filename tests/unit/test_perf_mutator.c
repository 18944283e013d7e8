/* SPDX-License-Identifier: MIT */
#include "tests/support/perf_mutator.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "libparse/perf/perf_file.h"
#include "tests/support/memory_file.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

#define CAPACITY 4096
#define SEEDS    300

/* Two events, three records, two features. */
static void make(struct perf_writer *writer, enum perf_writer_order order, bool is_pipe)
{
	static const uint64_t ids[] = { 42, 43 };
	static const struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_IDENTIFIER,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};

	perf_writer_init(writer, order);
	writer->is_pipe = is_pipe;
	perf_writer_event(writer, "first", &attr, &ids[0], 1);
	perf_writer_event(writer, "second", &attr, &ids[1], 1);
	perf_writer_comm(writer, 100, 7, 7, "server", 0);
	perf_writer_mmap(writer, 110, &(struct writer_mmap){ .pid = 7, .path = "/bin/server" });
	perf_writer_sample(writer, &(struct writer_sample){ .pid = 7, .tid = 7, .time_ns = 120 });
	if (!is_pipe) {
		perf_writer_feature_string(writer, FEATURE_HOSTNAME, "db7");
		perf_writer_feature_event_desc(writer);
	}
	perf_writer_finish(writer);
}

/*
 * Checks that sections end with the file, and records with the data: the structure accounts for all
 * bytes.
 */
static void expect_whole(const uint8_t *bytes, size_t size_bytes, uint32_t seed)
{
	struct outcome outcome;

	outcome_read(bytes, size_bytes, &outcome);
	cr_expect(outcome.good || !strstr(outcome.err.text, "section"), "seed %u: %s", seed,
		  outcome.err.text);
	cr_expect(!outcome.is_partial || !strstr(outcome.damage.text, "truncated"), "seed %u: %s",
		  seed, outcome.damage.text);
	outcome_deinit(&outcome);
}

/* Most mutants are read to the end, and most of them have other events than the capture. */
Test(perf_mutator, mutants_keep_their_structure)
{
	for (int kind = 0; kind < 4; kind++) {
		struct perf_writer writer;
		uint8_t bytes[CAPACITY];
		uint32_t changed = 0;

		make(&writer, kind & 1 ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN,
		     kind & 2);
		for (uint32_t seed = 0; seed < SEEDS; seed++) {
			size_t size;

			memcpy(bytes, writer.file.at, writer.file.count);
			size = perf_mutator_mutate(bytes, writer.file.count, sizeof(bytes), seed,
						   NULL);
			cr_assert(size > 0 && size <= sizeof(bytes));
			changed += size != writer.file.count ||
				   memcmp(bytes, writer.file.at, size) != 0;
			expect_whole(bytes, size, seed);
		}
		cr_expect_gt(changed, SEEDS * 3 / 4);
		perf_writer_deinit(&writer);
	}
}

Test(perf_mutator, same_seed_same_mutant)
{
	struct perf_writer writer;
	uint8_t bytes[2][CAPACITY];
	size_t sizes[2];

	make(&writer, PERF_WRITER_LITTLE_ENDIAN, false);
	for (int i = 0; i < 2; i++) {
		memcpy(bytes[i], writer.file.at, writer.file.count);
		sizes[i] = perf_mutator_mutate(bytes[i], writer.file.count, CAPACITY, 5, NULL);
	}
	cr_expect_eq(sizes[0], sizes[1]);
	cr_expect_eq(memcmp(bytes[0], bytes[1], sizes[0]), 0);
	perf_writer_deinit(&writer);
}

/* Records are dropped if there is no room for all. */
Test(perf_mutator, mutants_fit)
{
	struct perf_writer writer;
	uint8_t bytes[CAPACITY];
	size_t least;

	make(&writer, PERF_WRITER_LITTLE_ENDIAN, true);
	least = writer.file.count - 40;
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		memcpy(bytes, writer.file.at, writer.file.count);
		cr_expect_leq(perf_mutator_mutate(bytes, writer.file.count, least, seed, NULL),
			      least);
	}
	perf_writer_deinit(&writer);
}

Test(perf_mutator, crossing)
{
	struct perf_writer writers[2];
	uint8_t bytes[CAPACITY];
	size_t size;

	make(&writers[0], PERF_WRITER_LITTLE_ENDIAN, false);
	make(&writers[1], PERF_WRITER_LITTLE_ENDIAN, true);
	size = perf_mutator_cross(writers[0].file.at, writers[0].file.count, writers[1].file.at,
				  writers[1].file.count, bytes, sizeof(bytes), 3);
	cr_assert_gt(size, writers[0].file.count);
	expect_whole(bytes, size, 3);
	cr_expect_eq(perf_mutator_cross(writers[0].file.at, writers[0].file.count, bytes, 7, bytes,
					sizeof(bytes), 3),
		     0);
	perf_writer_deinit(&writers[0]);
	perf_writer_deinit(&writers[1]);
}

Test(perf_mutator, other_bytes)
{
	uint8_t bytes[64] = "PERFILE2";

	cr_expect_eq(perf_mutator_mutate(bytes, 8, sizeof(bytes), 1, NULL), 0);
	cr_expect_eq(perf_mutator_mutate(bytes, sizeof(bytes), sizeof(bytes), 1, NULL), 0);
	bytes[0] = 'Q';
	cr_expect_eq(perf_mutator_mutate(bytes, sizeof(bytes), sizeof(bytes), 1, NULL), 0);
}
