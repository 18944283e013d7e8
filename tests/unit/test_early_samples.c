/* SPDX-License-Identifier: MIT */
#include "libparse/early_samples.h"

#include <criterion/criterion.h>

#include "libparse/formats.h"
#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"

#define SAMPLES   1703
#define RAW_BYTES (8192 - 4)
/* The number of samples between two records of another kind. */
#define COMM_EVERY 97

struct seen_row {
	uint64_t offset, time_ns;
	uint32_t attr, tid;
};

/* The samples that a sink has received. */
struct seen {
	VEC(struct seen_row) rows;
};

struct early {
	struct early_samples samples;
	struct seen parts[EARLY_PARTS_MAX];
	bool is_wanted;
};

static void on_sample(void *context, const struct event *event)
{
	struct seen *seen = context;

	if (event->kind == EVENT_SAMPLE)
		vec_push(&seen->rows, (struct seen_row){ event->offset, event->time_ns,
							 event->sample.attr, event->sample.tid });
}

static void on_attr(void *context, const struct event *event)
{
	(void)context;
	cr_assert_eq(event->kind, EVENT_ATTR);
}

static bool begin(void *context)
{
	const struct early *early = context;

	return early->is_wanted;
}

static void on_state(void *context, const struct event *event)
{
	(void)context;
	cr_assert_neq(event->kind, EVENT_SAMPLE);
}

static void early_init(struct early *early, bool is_wanted)
{
	*early = (struct early){ .is_wanted = is_wanted };
	early->samples.attrs = (struct event_sink){ .context = early, .on_event = on_attr };
	early->samples.begin = begin;
	for (size_t i = 0; i < EARLY_PARTS_MAX; i++)
		early->samples.parts[i] =
			(struct event_sink){ .context = &early->parts[i], .on_event = on_sample };
}

/* Joins the parts in part 0, where the samples after the last part are, too. */
static void early_sort(struct early *early)
{
	struct seen *all = &early->parts[0];

	for (size_t i = 1; i < EARLY_PARTS_MAX; i++) {
		for (size_t k = 0; k < early->parts[i].rows.count; k++)
			vec_push(&all->rows, early->parts[i].rows.at[k]);
		vec_free(&early->parts[i].rows);
	}
	for (size_t i = 1; i < all->rows.count; i++)
		for (size_t k = i; k && all->rows.at[k - 1].offset > all->rows.at[k].offset; k--) {
			struct seen_row row = all->rows.at[k];

			all->rows.at[k] = all->rows.at[k - 1];
			all->rows.at[k - 1] = row;
		}
}

/* Reads a capture, and compares the early samples with those of the second pass. */
static bool reads_early(const char *path, unsigned thread_count, bool is_wanted)
{
	const struct event_sink state = { .on_event = on_state };
	struct seen seen = { 0 };
	const struct event_sink sink = { .context = &seen, .on_event = on_sample };
	struct early early;
	struct capture_reading reading = { .thread_count = thread_count, .early = &early.samples };
	struct capture capture;
	struct error err;

	early_init(&early, is_wanted);
	cr_assert(capture_open_as(&capture, path, &reading, &err), "%s", err.text);
	cr_assert(capture_read_state(&capture, &state, &err), "%s", err.text);
	for (size_t i = 0; i < capture.slices.count; i++)
		cr_assert(capture_read_samples(&capture, capture.slices.at[i], &sink, &err));
	capture_close(&capture);
	cr_assert_gt(seen.rows.count, 0);
	early_sort(&early);
	if (early.samples.is_complete) {
		cr_assert_eq(early.parts[0].rows.count, seen.rows.count);
		for (size_t i = 0; i < seen.rows.count; i++) {
			const struct seen_row *expected = &seen.rows.at[i];
			const struct seen_row *row = &early.parts[0].rows.at[i];

			cr_assert(row->offset == expected->offset && row->attr == expected->attr &&
				  row->time_ns == expected->time_ns && row->tid == expected->tid);
		}
	}
	vec_free(&early.parts[0].rows);
	vec_free(&seen.rows);
	return early.samples.is_complete;
}

struct shape {
	enum perf_writer_order order;
	bool is_pipe, has_readings, has_update, looks_like_records;
};

static void write_capture(struct perf_writer *writer, const struct shape *shape)
{
	static const unsigned char record[8] = { RECORD_SAMPLE, 0, 0, 0, 2, 0, 8, 0 };
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_RAW |
			       (shape->has_readings ? SAMPLE_READ : 0),
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	static const uint64_t ids[] = { 70, 71, 134 };
	unsigned char raw[RAW_BYTES] = { 0 };

	for (size_t at = 4; shape->looks_like_records && at + 8 <= sizeof(raw); at += 8)
		memcpy(raw + at, record, sizeof(record));
	perf_writer_init(writer, shape->order);
	writer->is_pipe = shape->is_pipe;
	perf_writer_event(writer, "one", &attr, &ids[0], 2);
	perf_writer_event(writer, "other", &attr, &ids[2], 1);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint64_t reading = i + 1;

		if (i % COMM_EVERY == 0)
			perf_writer_comm(writer, i + 1, i, i, "name", 0);
		if (shape->has_update && i == SAMPLES / 2) {
			perf_writer_record_begin(writer, RECORD_EVENT_UPDATE, 0);
			perf_writer_put_u64(writer, EVENT_UPDATE_NAME);
			perf_writer_put_u64(writer, ids[2]);
			perf_writer_put_name(writer, "renamed");
			perf_writer_record_end(writer);
		}
		perf_writer_sample(writer, &(struct writer_sample){ .event = i % 3 == 2,
								    .id = ids[i % 3],
								    .pid = i,
								    .tid = i,
								    .time_ns = i + 1,
								    .read_words = &reading,
								    .read_count = 1,
								    .raw = raw,
								    .raw_bytes = sizeof(raw) });
	}
	perf_writer_finish(writer);
}

static bool shape_reads_early(const struct perf_writer *writer, unsigned thread_count)
{
	struct memory_file file;
	bool good;

	memory_file_open(&file, writer->file.at, writer->file.count);
	good = reads_early(file.path, thread_count, true);
	memory_file_close(&file);
	return good;
}

Test(early_samples, equal_those_of_the_second_pass)
{
	for (int order = 0; order < 2; order++) {
		const struct shape shape = { .order = (enum perf_writer_order)order };
		struct perf_writer writer;

		write_capture(&writer, &shape);
		for (unsigned threads = 1; threads < 6; threads++)
			cr_expect(shape_reads_early(&writer, threads), "%u threads", threads);
		writer.file.count = writer.features_offset - 100;
		for (unsigned threads = 1; threads < 4; threads++)
			cr_expect(shape_reads_early(&writer, threads), "truncated");
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}

/* One thread reads only what precedes the corrupt record, several read more. */
Test(early_samples, corrupt_record)
{
	const struct shape shape = { .order = PERF_WRITER_LITTLE_ENDIAN };
	struct perf_writer writer;
	size_t at;

	write_capture(&writer, &shape);
	at = writer.data_offset + writer.data.count / 64 * 8;
	for (; memcmp(writer.file.at + at, "\x09\0\0\0", 4) != 0; at += 8)
		cr_assert_lt(at, writer.features_offset);
	perf_writer_patch_u16(&writer, at + 6, 4);
	cr_expect(shape_reads_early(&writer, 1));
	cr_expect_not(shape_reads_early(&writer, 2));
	cr_expect_not(shape_reads_early(&writer, 3));
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

Test(early_samples, incomplete)
{
	static const struct shape shapes[] = {
		{ .is_pipe = true },
		{ .has_readings = true },
		{ .has_update = true },
	};
	struct perf_writer writer;

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		write_capture(&writer, &shapes[i]);
		for (unsigned threads = 1; threads < 4; threads++)
			cr_expect_not(shape_reads_early(&writer, threads), "%zu", i);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}

/* The guess of a record boundary is wrong. */
Test(early_samples, wrong_guess)
{
	const struct shape shape = { .looks_like_records = true };
	struct perf_writer writer;

	write_capture(&writer, &shape);
	cr_expect(shape_reads_early(&writer, 1));
	cr_expect_not(shape_reads_early(&writer, 2));
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

Test(early_samples, not_wanted)
{
	const struct shape shape = { .order = PERF_WRITER_LITTLE_ENDIAN };
	struct perf_writer writer;
	struct memory_file file;

	write_capture(&writer, &shape);
	memory_file_open(&file, writer.file.at, writer.file.count);
	cr_expect_not(reads_early(file.path, 2, false));
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}
