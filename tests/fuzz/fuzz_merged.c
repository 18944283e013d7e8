/* SPDX-License-Identifier: MIT */
/*
 * A merged profile. Checksums would stop most mutations, so the input is the decompressed bytes of a chunk of stacks:
 *
 *     | u8 number of stacks | bytes |
 *
 * A profile that can be read can be merged again: it is written, and the stacks in the new file
 * must be in order.
 */
#include <stdint.h>

#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_reader.h"
#include "merging/profile_run.h"
#include "merging/run.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void write_file(const uint8_t *bytes, size_t size, struct sink *sink)
{
	struct merged_summary summary;
	struct sink raw;

	merged_summary_init(&summary);
	summary.capture_count = 1;
	summary.stack_count = bytes[0];
	sink_init_memory(&raw);
	merged_summary_write(&summary, &raw);
	merged_header_write(sink);
	merged_chunk_write(MERGED_STACKS,
			   (struct text){ (const char *)bytes + 1, (uint32_t)size - 1 }, bytes[0],
			   sink);
	merged_chunk_write(MERGED_SUMMARY, sink_memory(&raw), 0, sink);
	sink_deinit(&raw);
	merged_summary_deinit(&summary);
}

/* Writes the profile to a file, and verifies all stacks in it. */
static void check_run(const struct profile *profile)
{
	struct profile_run_options options = { .label_count = 0 };
	struct error err = { 0 };
	struct input input;
	struct sink sink;
	struct run run;

	sink_init_memory(&sink);
	if (!profile_run_write(profile, &options, &sink, &err)) {
		/* Two events cannot be told apart, or there are too many events. */
		require(err.code == ERROR_UNSUPPORTED || err.code == ERROR_LIMIT);
		sink_deinit(&sink);
		return;
	}
	require(input_open(&input, memory_file_reuse(sink_memory(&sink).at, sink.used), &err));
	require(run_open(&run, &input, &err));
	require(run_verify(&run, &err));
	run_close(&run);
	sink_deinit(&sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct view view = { .is_reversed = false };
	struct session_options options = { .view = &view, .format = &merged_format };
	struct session session;
	struct error err = { 0 };
	struct sink sink;

	if (size < 1 || size > LIMIT_MERGED_CHUNK_BYTES)
		return 0;
	profile_run_set_view(&view);
	sink_init_memory(&sink);
	write_file(bytes, size, &sink);
	if (session_checks_open(&session, memory_file_reuse(sink_memory(&sink).at, sink.used),
				&options)) {
		if (!session_build_profile(&session, &err))
			session_checks_error(&err);
		else {
			session_checks_tree(&session.profile);
			check_run(&session.profile);
		}
		session_close(&session);
	}
	sink_deinit(&sink);
	return 0;
}
