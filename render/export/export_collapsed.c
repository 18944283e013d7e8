/* SPDX-License-Identifier: MIT */
/*
 * Collapsed stacks, the folded stacks of async-profiler, as its converter jfrconv and speedscope read
 * them: no comments, and counts without decimals. The frame of a thread is that of async-profiler's
 * option for threads:
 *
 *     [worker tid=4711];main;parse;read_[k] 42
 *
 * FlameGraph.java and JfrConverter.java of async-profiler, and bg-flamegraph.ts of speedscope, are
 * the sources.
 */
#include "base/scan.h"
#include "render/export/export.h"

struct collapsed_writer {
	const struct profile *profile;
	const struct grouping *grouping;
	uint32_t group_depth;
	uint64_t divisor; /* of weights */
	struct sink path; /* frames of the current row */
	VEC(size_t) ends; /* of the frames below the groups, in path */
	struct sink *sink;
};

static struct text name_of(const struct collapsed_writer *writer, uint32_t row)
{
	return profile_frame_name(writer->profile, writer->profile->stacks.at[row].frame);
}

static void begin_frame(struct collapsed_writer *writer)
{
	if (writer->path.used)
		sink_char(&writer->path, ';');
}

/* "[worker tid=4711]" or, without a comm, "[tid=4711]". */
static void put_thread(struct collapsed_writer *writer, struct text comm, struct text tid)
{
	sink_char(&writer->path, '[');
	sink_text(&writer->path, comm);
	if (comm.length)
		sink_char(&writer->path, ' ');
	sink_puts(&writer->path, "tid=");
	sink_text(&writer->path, tid);
	sink_char(&writer->path, ']');
}

static bool is_thread(const struct collapsed_writer *writer, uint32_t level, struct text *name)
{
	return level < writer->group_depth && writer->grouping->by[level] == GROUP_TID &&
	       scan_prefix(name, "tid ");
}

/* Writes the frames of the groups that end in this row: it and the rows above it. */
static void put_groups(struct collapsed_writer *writer, uint32_t row)
{
	const struct stack *stacks = writer->profile->stacks.at;
	struct text names[GROUPING_LEVELS_MAX];
	uint32_t count = stacks[row].depth;

	for (uint32_t level = count; level--; row = stacks[row].parent)
		names[level] = name_of(writer, row);
	writer->path.used = 0;
	for (uint32_t level = 0; level < count; level++) {
		bool is_comm = writer->grouping->by[level] == GROUP_COMM;

		begin_frame(writer);
		if (is_comm && level + 1 < count &&
		    is_thread(writer, level + 1, &names[level + 1])) {
			put_thread(writer, names[level], names[level + 1]);
			level++;
		} else if (is_thread(writer, level, &names[level])) {
			put_thread(writer, text_of(""), names[level]);
		} else {
			sink_text(&writer->path, names[level]);
		}
	}
	writer->ends.count = 0;
	vec_push(&writer->ends, writer->path.used);
}

static void put_row(struct collapsed_writer *writer, uint32_t row)
{
	uint32_t depth = writer->profile->stacks.at[row].depth;

	if (depth <= writer->group_depth) {
		put_groups(writer, row);
		return;
	}
	depth -= writer->group_depth;
	writer->ends.count = depth;
	writer->path.used = writer->ends.at[depth - 1];
	begin_frame(writer);
	sink_text(&writer->path, name_of(writer, row));
	vec_push(&writer->ends, writer->path.used);
}

static void write_line(struct collapsed_writer *writer, uint64_t count)
{
	sink_text(writer->sink, sink_memory(&writer->path));
	sink_char(writer->sink, ' ');
	sink_u64(writer->sink, count);
	sink_char(writer->sink, '\n');
}

void export_write_collapsed(const struct profile *profile, const struct export_options *options,
			    struct sink *sink)
{
	struct collapsed_writer writer = {
		.profile = profile,
		.grouping = options->grouping,
		.group_depth = export_group_depth(profile, options),
		.divisor = export_divisor(profile),
		.sink = sink,
	};

	sink_init_memory(&writer.path);
	vec_push(&writer.ends, 0);
	for (uint32_t row = 1; row < profile->stacks.count; row++) {
		uint64_t count = profile->stacks.at[row].self / writer.divisor;

		put_row(&writer, row);
		if (count)
			write_line(&writer, count);
	}
	sink_deinit(&writer.path);
	vec_free(&writer.ends);
}
