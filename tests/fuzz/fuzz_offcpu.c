/* SPDX-License-Identifier: MIT */
/*
 * The times between the switches, or other events, of a capture. The lowest bits of the input's
 * size choose what is paired.
 */
#include <stdint.h>

#include "render/text/latency.h"
#include "session/off_cpu.h"
#include "tests/fuzz/perf_mutations.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct pairing_options pairings[] = {
	{ .has_preempted = true,
	  .open = PAIRING_OPEN_INCLUDE,
	  .is_forced = true,
	  .reads_records = true },
	{ .has_run_queue = true, .has_waker_chain = true, .is_forced = true },
	{ .is_wall = true, .is_forced = true, .reads_records = true },
	{ .groups_by_duration = true, .has_wakers = true, .is_forced = true },
	{ .span = "sched:sched_switch,raw_syscalls:sys_enter", .is_forced = true },
};

static void check(const struct session *session)
{
	struct sink sink;

	session_checks_tree(&session->profile);
	require(session->profile.view_sample_count <= session->offcpu.pairing.intervals.count ||
		!session->offcpu.has_intervals);
	sink_init_memory(&sink);
	latency_write(&session->profile, &(struct latency_options){ .row_name = "stack" }, &sink);
	sink_deinit(&sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct session_options options = { .pairing = &pairings[size % ARRAY_SIZE(pairings)] };
	struct session session;
	struct error err = { 0 };

	if (!session_checks_open(&session, memory_file_reuse(bytes, size), &options))
		return 0;
	if (session_build_offcpu(&session, &err))
		check(&session);
	else
		session_checks_error(&err);
	session_close(&session);
	return 0;
}
