/* SPDX-License-Identifier: MIT */
#include "libparse/perf/lookahead.h"

#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

#define SAMPLES   1600
#define RAW_BYTES (8192 - 4)
/* The number of samples between two records of another kind. */
#define COMM_EVERY 97

struct world {
	struct perf_writer writer;
	struct memory_file file;
	uint64_t begin, end;
	uint64_t samples_at[SAMPLES];
};

/* The payload of samples: empty, or bytes that look like records. */
enum payload {
	PAYLOAD_ZEROS,
	PAYLOAD_RECORDS,
};

static void put_name(struct perf_writer *writer)
{
	perf_writer_record_begin(writer, RECORD_EVENT_UPDATE, 0);
	perf_writer_put_u64(writer, EVENT_UPDATE_NAME);
	perf_writer_put_u64(writer, 0);
	perf_writer_put_name(writer, "renamed");
	perf_writer_record_end(writer);
}

/* renamed: the number of the sample before which the event gets another name. */
static void set_up_renamed(struct world *world, enum perf_writer_order order, enum payload payload,
			   uint32_t renamed)
{
	static const struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_RAW,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	static const unsigned char little[8] = { RECORD_SAMPLE, 0, 0, 0, 2, 0, 8, 0 };
	static const unsigned char big[8] = { 0, 0, 0, RECORD_SAMPLE, 0, 2, 0, 8 };
	unsigned char raw[RAW_BYTES] = { 0 };

	for (size_t at = 4; payload == PAYLOAD_RECORDS && at + 8 <= sizeof(raw); at += 8)
		memcpy(raw + at, order == PERF_WRITER_BIG_ENDIAN ? big : little, 8);
	*world = (struct world){ .begin = 0 };
	perf_writer_init(&world->writer, order);
	perf_writer_event(&world->writer, "event", &attr, NULL, 0);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		if (i % COMM_EVERY == 0)
			perf_writer_comm(&world->writer, i + 1, i, i, "name", 0);
		if (i == renamed)
			put_name(&world->writer);
		world->samples_at[i] = perf_writer_sample(
			&world->writer, &(struct writer_sample){ .misc = CPU_MODE_USER,
								 .ip = 0x1000 + i,
								 .pid = i,
								 .tid = i,
								 .time_ns = i + 1,
								 .raw = raw,
								 .raw_bytes = sizeof(raw) });
	}
	perf_writer_finish(&world->writer);
	world->begin = world->writer.data_offset;
	world->end = world->writer.features_offset;
	for (uint32_t i = 0; i < SAMPLES; i++)
		world->samples_at[i] += world->begin;
}

static void set_up(struct world *world, enum perf_writer_order order, enum payload payload)
{
	set_up_renamed(world, order, payload, SAMPLES);
}

static void tear_down(struct world *world)
{
	perf_writer_deinit(&world->writer);
}

static bool is_sample(const struct world *world, uint64_t offset)
{
	for (uint32_t i = 0; i < SAMPLES; i++)
		if (world->samples_at[i] == offset)
			return true;
	return false;
}

Test(lookahead, sees_the_second_half)
{
	for (int order = 0; order < 2; order++) {
		bool is_big_machine = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
		bool is_big = order == PERF_WRITER_BIG_ENDIAN;
		uint64_t samples = 0, comms = 0;
		uint64_t middle;
		struct world world;
		struct input input;
		struct lookahead lookahead;
		struct error err;

		set_up(&world, (enum perf_writer_order)order, PAYLOAD_ZEROS);
		middle = world.begin + (world.end - world.begin) / 2 / 8 * 8;
		memory_file_open(&world.file, world.writer.file.at, world.writer.file.count);
		cr_assert(input_open(&input, world.file.path, &err), "%s", err.text);
		cr_assert(lookahead_init(&lookahead, &input, middle, world.end,
					 is_big != is_big_machine));
		lookahead_run(&lookahead);
		cr_expect_eq(lookahead.end, world.end);
		cr_expect(is_sample(&world, lookahead.begin));
		for (uint32_t i = 0; i < SAMPLES; i++) {
			samples += world.samples_at[i] >= lookahead.begin;
			comms += world.samples_at[i] > lookahead.begin && i % COMM_EVERY == 0;
		}
		cr_expect_gt(samples, SAMPLES / 3);
		cr_expect_eq(lookahead.records.count, comms);
		for (size_t i = 0; i < lookahead.records.count; i++)
			cr_expect_eq(lookahead_record(&lookahead, i).type, RECORD_COMM);
		for (size_t i = 0; i < lookahead.slices.count; i++)
			samples -= lookahead.slices.at[i].sample_count;
		cr_expect_gt(lookahead.slices.count, 4);
		cr_expect_eq(lookahead.open_slice.sample_count, samples);
		lookahead_deinit(&lookahead);
		input_close(&input);
		memory_file_close(&world.file);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* Each kept record takes memory, even if it is short. */
Test(lookahead, stops_when_it_keeps_too_much)
{
	struct world world;
	struct input input;
	struct lookahead lookahead;
	struct error err;

	set_up(&world, PERF_WRITER_LITTLE_ENDIAN, PAYLOAD_ZEROS);
	memory_file_open(&world.file, world.writer.file.at, world.writer.file.count);
	cr_assert(input_open(&input, world.file.path, &err), "%s", err.text);
	cr_assert(lookahead_init(&lookahead, &input, world.begin, world.end,
				 __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	lookahead.kept_bytes_max = 2 * sizeof(struct lookahead_row);
	lookahead_run(&lookahead);
	cr_expect_eq(lookahead.records.count, 1);
	cr_expect_lt(lookahead.end, world.samples_at[2 * COMM_EVERY]);
	lookahead_deinit(&lookahead);
	input_close(&input);
	memory_file_close(&world.file);
	tear_down(&world);
	assert_no_leaks();
}

static void expect_equal(struct outcome *one, struct outcome *several, const char *what)
{
	cr_assert(one->good && several->good, "%s", what);
	cr_expect(strcmp(event_log_text(&one->log), event_log_text(&several->log)) == 0, "%s",
		  what);
	cr_expect_eq(one->is_partial, several->is_partial, "%s", what);
	if (one->is_partial)
		cr_expect_eq(one->damage.offset, several->damage.offset, "%s", what);
}

/* Several threads read the same as one. */
static void expect_same(struct world *world, const char *what)
{
	struct outcome one, several;

	memory_file_open(&world->file, world->writer.file.at, world->writer.file.count);
	outcome_read_by(world->file.path, 1, &one);
	for (unsigned threads = 2; threads < 4; threads++) {
		outcome_read_by(world->file.path, threads, &several);
		expect_equal(&one, &several, what);
		outcome_deinit(&several);
	}
	memory_file_close(&world->file);
	outcome_deinit(&one);
}

/* A record that changes the name of the event is read in any part of the file. */
Test(lookahead, renamed_event)
{
	struct world world;

	for (int part = 0; part < 2; part++) {
		struct outcome outcome;

		set_up_renamed(&world, PERF_WRITER_LITTLE_ENDIAN, PAYLOAD_ZEROS,
			       part ? SAMPLES - 100 : 100);
		expect_same(&world, "renamed");
		outcome_read(world.writer.file.at, world.writer.file.count, &outcome);
		cr_expect(strstr(event_log_text(&outcome.log), "renamed"));
		outcome_deinit(&outcome);
		tear_down(&world);
	}
	assert_no_leaks();
}

Test(lookahead, changes_nothing)
{
	struct world world;

	for (int payload = 0; payload < 2; payload++)
		for (int order = 0; order < 2; order++) {
			set_up(&world, (enum perf_writer_order)order, (enum payload)payload);
			expect_same(&world, payload ? "what looks like records" : "zeros");
			tear_down(&world);
		}
	set_up(&world, PERF_WRITER_LITTLE_ENDIAN, PAYLOAD_ZEROS);
	perf_writer_patch_u16(&world.writer, world.samples_at[SAMPLES - 90] + 6, 0);
	expect_same(&world, "damaged in the second half");
	perf_writer_patch_u16(&world.writer, world.samples_at[90] + 6, 4);
	expect_same(&world, "damaged in the first half");
	tear_down(&world);
	set_up(&world, PERF_WRITER_LITTLE_ENDIAN, PAYLOAD_ZEROS);
	world.writer.file.count = world.samples_at[SAMPLES - 90] + 100;
	expect_same(&world, "cut");
	tear_down(&world);
	assert_no_leaks();
}
