/* SPDX-License-Identifier: MIT */
/*
 * The summary of a merged profile. A summary that can be read is written, read again and written
 * again: both texts must be equal. The sum of two equal summaries has twice the losses, unless there
 * are no captures.
 */
#include <stdint.h>

#include "base/arithmetic.h"
#include "libparse/merged/merged_summary.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool read_bytes(struct merged_summary *summary, const void *bytes, size_t size)
{
	struct error err = { .code = ERROR_NONE };

	merged_summary_init(summary);
	if (merged_summary_read(summary, span_of(bytes, size, 0, false), &err))
		return true;
	require(err.code == ERROR_CORRUPT || err.code == ERROR_LIMIT);
	merged_summary_deinit(summary);
	return false;
}

static void check_round_trip(const struct merged_summary *summary)
{
	struct merged_summary again;
	struct sink first;
	struct sink second;

	sink_init_memory(&first);
	sink_init_memory(&second);
	merged_summary_write(summary, &first);
	require(read_bytes(&again, first.buffer, first.used));
	merged_summary_write(&again, &second);
	require(first.used == second.used && memcmp(first.buffer, second.buffer, first.used) == 0);
	merged_summary_deinit(&again);
	sink_deinit(&first);
	sink_deinit(&second);
}

static void check_sum(const struct merged_summary *summary)
{
	struct merged_summary sum;

	merged_summary_init(&sum);
	merged_summary_add(&sum, summary, 0);
	merged_summary_add(&sum, summary, 0);
	require(sum.capture_count == saturate_add(summary->capture_count, summary->capture_count));
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		require(!sum.capture_count ||
			sum.losses[i] == saturate_add(summary->losses[i], summary->losses[i]));
	merged_summary_deinit(&sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct merged_summary summary;

	if (size > LIMIT_MERGED_SUMMARY_BYTES || !read_bytes(&summary, bytes, size))
		return 0;
	check_round_trip(&summary);
	check_sum(&summary);
	merged_summary_deinit(&summary);
	return 0;
}
