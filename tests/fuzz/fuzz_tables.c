/* SPDX-License-Identifier: MIT */
/*
 * System calls and event logs, up to the tables and heat maps that kiln syscalls and kiln events write. The
 * lowest bits of the input's size choose the rows.
 */
#include <stdint.h>

#include "render/text/log_table.h"
#include "render/text/syscall_table.h"
#include "render/timeline/heat_map_output.h"
#include "session/log_session.h"
#include "session/syscall_reader.h"
#include "tests/fuzz/perf_mutations.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"
#include "timeline/log_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct syscall_options calls[] = {
	{ .keys = { { SYSCALL_KEY_NAME }, 1 }, .is_forced = true },
	{ .keys = { { SYSCALL_KEY_THREAD, SYSCALL_KEY_NAME }, 2 }, .is_forced = true },
	{ .keys = { { SYSCALL_KEY_COMM, SYSCALL_KEY_ERROR, SYSCALL_KEY_PROCESS }, 3 },
	  .is_forced = true },
};

static const struct log_stats_options logs[] = {
	{ .top_count = 3, .keeps_points = true },
	{ .columns = { .by = "COMM" }, .top_count = 1, .keeps_points = true },
	{ .columns = { .value = "PID", .time = "T" } },
};

/* Each call is in exactly one row, and so is each known duration. */
static void check_calls(const struct session *session)
{
	const struct syscall_stats *stats = &session->syscalls;
	struct histogram_set set;
	uint64_t call_count = 0;
	struct sink sink;

	for (size_t i = 0; i < stats->rows.count; i++) {
		const struct syscall_row *row = &stats->rows.at[i];

		call_count = row->call_count > UINT64_MAX - call_count
				     ? UINT64_MAX
				     : call_count + row->call_count;
		require(row->durations_ns.count <= row->call_count);
	}
	require(call_count == stats->call_count);
	sink_init_memory(&sink);
	for (int format = TABLE_FORMAT_TEXT; format <= TABLE_FORMAT_HTML; format++)
		syscall_table_write(
			stats, &session->profile,
			&(struct syscall_table_options){ .format = (enum table_format)format },
			&sink);
	sink_deinit(&sink);
	syscall_table_make_histograms(stats, &session->profile, &set);
	histogram_set_deinit(&set);
}

/* Each event with a time and a value is in one cell. */
static void check_log_map(const struct session *session)
{
	static const struct log_map_options options = { .column_max = 100 };
	struct heat_map map;
	uint64_t event_count = 0;
	struct error err;
	struct sink sink;

	sink_init_memory(&sink);
	if (log_map_make(&map, &session->log, &options, &err)) {
		const struct heat_map_view view = { .map = &map, .profile = &session->profile };

		for (size_t i = 0; i < map.cells.count; i++) {
			require(map.cells.at[i].row < map.row_count);
			require(map.cells.at[i].column < map.column_count);
			event_count += map.cells.at[i].sample_count;
		}
		require(event_count == session->log.points.count);
		require(map.column_count <= options.column_max);
		heat_map_write_svg(&view, &sink);
		heat_map_write_text(&view, 80, &sink);
		heat_map_write_json(&view, &sink);
	}
	heat_map_deinit(&map);
	sink_deinit(&sink);
}

static void check_log(const struct session *session)
{
	const struct log_stats *stats = &session->log;
	uint64_t event_count = 0;
	struct sink sink;

	for (size_t i = 0; i < stats->rows.count; i++)
		event_count += stats->rows.at[i].event_count;
	require(event_count == stats->event_count);
	require(stats->top.count <= stats->options.top_count);
	sink_init_memory(&sink);
	for (int format = TABLE_FORMAT_TEXT; format <= TABLE_FORMAT_HTML; format++) {
		struct log_table_options options = { .format = (enum table_format)format };

		log_table_write(stats, &options, &sink);
		options.shows_top = true;
		log_table_write(stats, &options, &sink);
	}
	if (stats->value_count)
		log_table_write_distribution(stats, false, 2, &sink);
	sink_deinit(&sink);
	check_log_map(session);
}

static void read_with(const char *path, const struct session_options *options)
{
	struct session session;
	struct error err = { 0 };

	if (!session_checks_open(&session, path, options))
		return;
	if (options->syscalls ? session_build_syscalls(&session, &err)
			      : session_build_log(&session, &err))
		options->syscalls ? check_calls(&session) : check_log(&session);
	else
		session_checks_error(&err);
	session_close(&session);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct session_options of_calls = { .syscalls = &calls[size % ARRAY_SIZE(calls)] };
	struct session_options of_logs = { .log = &logs[size % ARRAY_SIZE(logs)] };
	const char *path = memory_file_reuse(bytes, size);

	read_with(path, &of_calls);
	read_with(path, &of_logs);
	return 0;
}
