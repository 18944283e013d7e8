/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "libparse/perf/abi.h"
#include "render/text/folded.h"
#include "session/session.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"

#define KSYMBOL_BASE ((uint64_t)0xffffffffc0000000)

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

static const struct perf_attr chain_attr = {
	.type = TYPE_HARDWARE,
	.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

/*
 * Process 7 has code at 0x1000 to 0x8fff: each page is of a file that is called by a letter, a to
 * h.
 */
static void begin(struct perf_writer *writer, enum perf_writer_order order,
		  const struct perf_attr *attr)
{
	perf_writer_init(writer, order);
	perf_writer_event(writer, "cycles", attr, NULL, 0);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	for (unsigned i = 0; i < 8; i++) {
		char path[] = "/a";

		path[1] = (char)('a' + i);
		perf_writer_mmap(writer, 1,
				 &(struct writer_mmap){ .pid = 7,
							.tid = 7,
							.address = 0x1000 * (i + 1),
							.length = 0x1000,
							.path = path });
		path[0] = 'k';
		perf_writer_ksymbol(writer, 1, KSYMBOL_BASE + 0x1000 * i, 0x1000, 0, path);
	}
}

/* Finishes the capture and folds it; the sink's text ends in NUL. */
static void fold(struct perf_writer *writer, struct session_options options, struct sink *folded)
{
	struct memory_file file;
	struct session session;
	struct error err;

	perf_writer_finish(writer);
	memory_file_open(&file, writer->file.at, writer->file.count);
	options.ignores_host = true;
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	sink_init_memory(folded);
	folded_write(&session.profile, folded);
	sink_char(folded, '\0');
	session_close(&session);
	memory_file_close(&file);
	perf_writer_deinit(writer);
}

static void expect_folded(struct perf_writer *writer, const struct session_options *options,
			  const char *expected, const char *what)
{
	struct sink folded;

	fold(writer, *options, &folded);
	cr_expect_str_eq(folded.buffer, expected, "%s: %s, not %s", what, folded.buffer, expected);
	sink_deinit(&folded);
}

/* A failed walk can read a word that kiln uses as a marker in callchains. */
Test(session_callchains, stray_words_are_no_marks)
{
	struct perf_writer writer;
	char expected[32];
	uint64_t count = 0;

	begin(&writer, PERF_WRITER_LITTLE_ENDIAN, &chain_attr);
	for (uint64_t word = CALLCHAIN_MARKER_FIRST; word != 0; word++) {
		const uint64_t chain[] = { CALLCHAIN_USER, 0x1234, word, 1, 0x2222 };

		if (callchain_entry(word) != CALLCHAIN_INVALID)
			continue;
		perf_writer_sample(&writer, &(struct writer_sample){
						    .pid = 7,
						    .tid = 7,
						    .time_ns = 10,
						    .ip = 0x1234,
						    .ips = chain,
						    .ip_count = ARRAY_SIZE(chain),
					    });
		count++;
	}
	cr_assert_eq(count, 4095 - 7);
	snprintf(expected, sizeof(expected), "app;[a] %u\n", 4095 - 7);
	expect_folded(&writer, &(struct session_options){ .thread_count = 1 }, expected, "");
	assert_no_leaks();
}

/*
 * Call addresses recorded by the CPU (LBR) are the user part of the callchain. They are looked up
 * unchanged, not one byte before: the one at 0x3000 is the first instruction of its page.
 */
Test(session_callchains, calls_recorded_by_the_processor)
{
	static const uint64_t chain[] = { CALLCHAIN_KERNEL, KSYMBOL_BASE + 8, KSYMBOL_BASE + 0x1008,
					  CALLCHAIN_USER,   0x1234,           0x8008 };
	static const uint64_t calls[] = { 0x2200, 0x1000, 0, 0x3000, 0x2000, 0, 0x4400, 0x3000, 0 };
	struct writer_sample sample = {
		.pid = 7,
		.tid = 7,
		.time_ns = 10,
		.ips = chain + 3,
		.ip_count = 3,
		.ip = 0x1240,
		.branches = calls,
		.branch_count = 3,
		.branches_hw_index = 4,
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(orders); i++) {
		struct perf_attr attr = chain_attr;
		struct perf_writer writer;

		attr.sample_type |= SAMPLE_BRANCH_STACK;
		attr.branch_sample_type =
			BRANCH_SAMPLE_CALL_STACK | (i / 2 ? BRANCH_SAMPLE_HW_INDEX : 0);
		begin(&writer, orders[i % 2], &attr);
		perf_writer_sample(&writer, &sample);
		sample.ips = chain;
		sample.ip_count = 6;
		sample.misc = CPU_MODE_KERNEL;
		perf_writer_sample(&writer, &sample);
		sample.branch_count = 0;
		perf_writer_sample(&writer, &sample);
		sample.branch_count = 3;
		sample.ips = chain + 3;
		sample.ip_count = 3;
		sample.misc = CPU_MODE_USER;
		expect_folded(&writer, &(struct session_options){ .thread_count = 1 },
			      "app;[d];[c];[b];[a] 1\n"
			      "app;[d];[c];[b];[a];kb;ka 1\n"
			      "app;[h];[a];kb;ka 1\n",
			      i / 2 ? "with index" : "without index");
	}
	assert_no_leaks();
}

/* Branches, newest innermost, extend the callchain; a call that is in both appears once. */
Test(session_callchains, history_of_branches)
{
	static const uint64_t chain[] = { CALLCHAIN_USER, 0x1234, 0x8008, 0x7007 };
	static const uint64_t branches[] = { 0x3300, 0x1100, 0, 0x8003, 0x3100, 0, 0, 0, 0 };
	struct writer_sample sample = {
		.pid = 7,
		.tid = 7,
		.time_ns = 10,
		.ips = chain,
		.ip_count = 4,
		.ip = 0x1234,
		.branches = branches,
		.branch_count = 3,
	};

	for (int has_history = 0; has_history < 2; has_history++) {
		struct session_options options = {
			.thread_count = 1,
			.view = &(struct view){ .grouping = GROUPING_BY_COMM,
						.has_branch_history = has_history },
		};
		struct perf_attr attr = chain_attr;
		struct perf_writer writer;

		attr.sample_type |= SAMPLE_BRANCH_STACK;
		begin(&writer, PERF_WRITER_LITTLE_ENDIAN, &attr);
		perf_writer_sample(&writer, &sample);
		sample.branch_count = 0;
		perf_writer_sample(&writer, &sample);
		sample.branch_count = 3;
		expect_folded(&writer, &options,
			      has_history ? "app;[g];[h];[a] 1\n"
					    "app;[g];[h];[c];[c];[a] 1\n"
					  : "app;[g];[h];[a] 2\n",
			      has_history ? "history" : "no history");
	}
}

static void put_deferred(struct perf_writer *writer, uint64_t time_ns, uint64_t cookie,
			 const uint64_t *ips, uint64_t ip_count)
{
	perf_writer_record_begin(writer, RECORD_CALLCHAIN_DEFERRED, CPU_MODE_USER);
	perf_writer_put_u64(writer, cookie);
	perf_writer_put_u64(writer, ip_count);
	for (uint64_t i = 0; i < ip_count; i++)
		perf_writer_put_u64(writer, ips[i]);
	perf_writer_put_trailer(writer, time_ns, 7, 7);
	perf_writer_record_end(writer);
}

/* Makes several slices, in which user callchains come after all samples, or never. */
static void make_deferred(struct perf_writer *writer, enum perf_writer_order order)
{
	enum {
		COUNT = 40000
	};
	begin(writer, order, &chain_attr);
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t chain[] = { CALLCHAIN_KERNEL, KSYMBOL_BASE + 8, CALLCHAIN_USER_DEFERRED,
				     i };
		bool is_kernel = i % 2;

		perf_writer_sample(writer,
				   &(struct writer_sample){
					   .misc = is_kernel ? CPU_MODE_KERNEL : CPU_MODE_USER,
					   .pid = 7,
					   .tid = 7,
					   .time_ns = 10 + i,
					   .ip = is_kernel ? KSYMBOL_BASE + 8 : 0x8008,
					   .ips = chain + (is_kernel ? 0 : 2),
					   .ip_count = is_kernel ? 4 : 2,
				   });
	}
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t chain[] = { CALLCHAIN_USER, 0x1234 + i % 100,
				     0x2000 + 0x1000 * (i % 2) + 8 };

		if (i % 10 > 1)
			put_deferred(writer, 100000 + i, i, chain, 3);
	}
}

Test(session_callchains, user_parts_that_come_later)
{
	static const unsigned thread_counts[] = { 1, 2, 7 };

	for (size_t i = 0; i < 2 * ARRAY_SIZE(thread_counts); i++) {
		unsigned thread_count = thread_counts[i / 2];
		struct perf_writer writer;
		char what[32];

		snprintf(what, sizeof(what), "%u threads", thread_count);
		make_deferred(&writer, orders[i % 2]);
		expect_folded(&writer, &(struct session_options){ .thread_count = thread_count },
			      "app;[b];[a] 16000\n"
			      "app;[c];[a];ka 16000\n"
			      "app;[h] 4000\n"
			      "app;ka 4000\n",
			      what);
	}
}

/*
 * A user part that contradicts its record's size is counted as lost, and so are the samples that
 * wait for it.
 */
Test(session_callchains, user_parts_that_are_damaged)
{
	static const uint64_t chain[] = { CALLCHAIN_KERNEL, KSYMBOL_BASE + 8,
					  CALLCHAIN_USER_DEFERRED, 5 };
	struct session_options options = { .thread_count = 1, .ignores_host = true };
	struct perf_writer writer;
	struct memory_file file;
	struct session session;
	struct error err;

	begin(&writer, PERF_WRITER_LITTLE_ENDIAN, &chain_attr);
	perf_writer_sample(&writer, &(struct writer_sample){ .misc = CPU_MODE_KERNEL,
							     .pid = 7,
							     .tid = 7,
							     .time_ns = 10,
							     .ips = chain,
							     .ip_count = 4 });
	perf_writer_record_begin(&writer, RECORD_CALLCHAIN_DEFERRED, CPU_MODE_USER);
	perf_writer_put_u64(&writer, 5);
	perf_writer_put_u64(&writer, UINT64_MAX / 8 + 2);
	perf_writer_put_u64(&writer, 0x1000);
	perf_writer_put_trailer(&writer, 11, 7, 7);
	perf_writer_record_end(&writer);
	perf_writer_finish(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	cr_expect_eq(session.profile.losses[LOSS_CORRUPT_RECORDS], 1);
	cr_expect_eq(session.profile.losses[LOSS_DEFERRED_CALLCHAINS], 1);
	cr_expect_eq(session.profile.sample_count, 1);
	session_close(&session);
	memory_file_close(&file);
	perf_writer_deinit(&writer);
}
