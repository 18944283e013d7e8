/* SPDX-License-Identifier: MIT */
/* Bytes after the end of a capture, as in the output of "cat a.data b.data". */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "tests/support/leaks.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"

enum follower {
	FOLLOWER_NONE,
	FOLLOWER_FILE,
	FOLLOWER_PIPE,
	FOLLOWER_TEXT,
	FOLLOWER_ZEROS,
};

static void write_capture(struct perf_writer *writer, bool is_pipe, enum perf_writer_order order)
{
	const struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};

	perf_writer_init(writer, order);
	writer->is_pipe = is_pipe;
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	perf_writer_sample(writer, &(struct writer_sample){ .pid = 7, .tid = 7, .time_ns = 2 });
	perf_writer_feature_string(writer, FEATURE_HOSTNAME, "db7");
	perf_writer_finish(writer);
}

static void append(struct perf_writer *writer, enum follower follower, enum perf_writer_order order)
{
	static const unsigned char zeros[100];
	static const char text[] = "what is this\n";
	struct perf_writer other;
	const unsigned char *at = follower == FOLLOWER_TEXT ? (const unsigned char *)text : zeros;
	size_t count = follower == FOLLOWER_TEXT    ? sizeof(text) - 1
		       : follower == FOLLOWER_ZEROS ? sizeof(zeros)
						    : 0;

	write_capture(&other, follower == FOLLOWER_PIPE, order);
	if (follower == FOLLOWER_FILE || follower == FOLLOWER_PIPE) {
		at = other.file.at;
		count = other.file.count;
	}
	for (size_t i = 0; i < count; i++)
		vec_push(&writer->file, at[i]);
	perf_writer_deinit(&other);
}

Test(perf_following, is_told_and_costs_nothing_of_the_capture)
{
	static const struct {
		bool is_pipe, is_killed; /* killed: records go up to the end of the file */
		enum follower follower;
		const char *expected; /* the error; NULL: not corrupt */
	} rows[] = {
		{ .follower = FOLLOWER_NONE },
		{ .follower = FOLLOWER_FILE, .expected = "another capture begins here" },
		{ .follower = FOLLOWER_PIPE, .expected = "another capture begins here" },
		{ .follower = FOLLOWER_TEXT, .expected = "13 bytes after the end" },
		{ .follower = FOLLOWER_ZEROS },
		{ .is_pipe = true, .follower = FOLLOWER_NONE },
		{ .is_pipe = true,
		  .follower = FOLLOWER_FILE,
		  .expected = "another capture begins here" },
		{ .is_pipe = true,
		  .follower = FOLLOWER_PIPE,
		  .expected = "another capture begins here" },
		{ .is_killed = true,
		  .follower = FOLLOWER_PIPE,
		  .expected = "another capture begins here" },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		enum perf_writer_order order =
			i % 2 ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN;
		const bool is_partial = rows[i / 2].expected != NULL;
		struct perf_writer writer;
		struct outcome outcome;
		size_t end;

		write_capture(&writer, rows[i / 2].is_pipe, order);
		if (rows[i / 2].is_killed) {
			perf_writer_patch_u64(&writer, PERF_WRITER_DATA_SIZE, 0);
			writer.file.count = writer.features_offset;
		}
		end = writer.file.count;
		append(&writer, rows[i / 2].follower, order);
		outcome_read(writer.file.at, writer.file.count, &outcome);
		cr_assert(outcome.good, "row %zu: %s", i / 2, outcome.err.text);
		cr_expect_eq(outcome.is_partial, is_partial, "row %zu", i / 2);
		cr_expect_eq(outcome.log.counts[EVENT_SAMPLE], 1, "row %zu", i / 2);
		cr_expect_eq(outcome.log.losses[LOSS_TRAILING_BYTES],
			     is_partial ? writer.file.count - end : 0, "row %zu", i / 2);
		cr_expect_eq(outcome.log.losses[LOSS_UNKNOWN_RECORDS], 0, "row %zu", i / 2);
		if (is_partial) {
			cr_expect(strstr(outcome.damage.text, rows[i / 2].expected), "row %zu: %s",
				  i / 2, outcome.damage.text);
			cr_expect_eq(outcome.damage.offset, end, "row %zu", i / 2);
		}
		outcome_deinit(&outcome);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}
