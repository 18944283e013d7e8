/* SPDX-License-Identifier: MIT */
#include "merging/run.h"

#include "base/memory.h"
#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_text.h"
#include "merging/run_cursor.h"

bool run_open(struct run *run, struct input *input, struct error *err)
{
	run->input = *input;
	*input = (struct input){ .fd = -1 };
	if (merged_file_open(&run->file, &run->input, err))
		return true;
	error_prefix(err, "%s", run->input.name);
	run_close(run);
	return false;
}

void run_close(struct run *run)
{
	merged_file_close(&run->file);
	input_close(&run->input);
}

/*
 * A tournament of runs. Node i > 0 contains the loser of the match between the winners of its
 * children 2i and 2i + 1; leaves follow the nodes. The common_count of a run that lost is the
 * number of elements that its stack shares with the winner's stack.
 */
struct run_tournament {
	struct run_cursor *cursors;
	size_t count; /* of leaves */
	size_t *losers;
	size_t winner;
};

/*
 * Whether a's stack sorts before b's stack, or equals it. Both sort after the last stack of the
 * output, so the stack that shares more elements with the last stack sorts first.
 */
static bool plays(struct run_cursor *a, struct run_cursor *b)
{
	uint32_t depth = a->common_count;
	int order;

	if (a->is_done || b->is_done)
		return !a->is_done;
	if (a->common_count != b->common_count)
		return a->common_count > b->common_count;
	while (depth < a->elements.count && depth < b->elements.count &&
	       text_equal(a->elements.at[depth], b->elements.at[depth]))
		depth++;
	order = depth == a->elements.count ? -1
		: depth == b->elements.count
			? 1
			: merged_text_compare(a->elements.at[depth], b->elements.at[depth]);
	if (order <= 0)
		b->common_count = depth;
	else
		a->common_count = depth;
	return order <= 0;
}

/*
 * Plays all matches below a node, and returns the winner. The recursion is only as deep as the
 * tree.
 */
static size_t start_node(struct run_tournament *tournament, size_t node)
{
	size_t a;
	size_t b;
	bool is_first;

	if (node >= tournament->count)
		return node - tournament->count;
	a = start_node(tournament, 2 * node);
	b = start_node(tournament, 2 * node + 1);
	is_first = plays(&tournament->cursors[a], &tournament->cursors[b]);
	tournament->losers[node] = is_first ? b : a;
	return is_first ? a : b;
}

/* Replays the matches of the last winner, which has moved to a new stack. */
static void replay(struct run_tournament *tournament)
{
	size_t winner = tournament->winner;

	for (size_t node = (winner + tournament->count) / 2; node; node /= 2) {
		size_t other = tournament->losers[node];

		if (plays(&tournament->cursors[winner], &tournament->cursors[other]))
			continue;
		tournament->losers[node] = winner;
		winner = other;
	}
	tournament->winner = winner;
}

static bool write_stacks(struct run_tournament *tournament, const struct run *runs,
			 struct merged_writer *writer, struct error *err)
{
	for (;;) {
		struct run_cursor *cursor = &tournament->cursors[tournament->winner];
		struct merged_stack stack = {
			.elements = cursor->elements.at,
			.count = (uint32_t)cursor->elements.count,
			.shared_count = cursor->common_count,
			.sample_count = cursor->stacks.sample_count,
			.weight = cursor->stacks.weight,
		};

		if (cursor->is_done)
			return true;
		if (!merged_writer_add(writer, &stack, err) || !run_cursor_next(cursor, err))
			return error_prefix(err, "%s", runs[tournament->winner].input.name);
		replay(tournament);
	}
}

static bool start(struct run_tournament *tournament, const struct run *runs, struct error *err)
{
	for (size_t i = 0; i < tournament->count; i++) {
		run_cursor_init(&tournament->cursors[i], &runs[i]);
		if (!run_cursor_next(&tournament->cursors[i], err))
			return error_prefix(err, "%s", runs[i].input.name);
		tournament->cursors[i].common_count = 0;
	}
	tournament->winner = start_node(tournament, 1);
	return true;
}

/*
 * Writes the sum of all runs to the sink, which may be NULL. Adds the contents of the stacks to the
 * summary.
 */
static bool merge(const struct run *runs, size_t count, struct merged_summary *summary,
		  struct sink *sink, struct error *err)
{
	struct run_tournament tournament = { .count = count };
	struct merged_writer writer;
	bool good;

	merged_writer_init(&writer, sink, summary);
	for (size_t i = 0; i < count; i++)
		merged_summary_add(summary, &runs[i].file.summary, runs[i].file.unknown_count);
	tournament.cursors = memory_zalloc(count + 1, sizeof(*tournament.cursors));
	tournament.losers = memory_zalloc(count + 1, sizeof(*tournament.losers));
	good = !count ||
	       (start(&tournament, runs, err) && write_stacks(&tournament, runs, &writer, err));
	if (good)
		merged_writer_finish(&writer);
	for (size_t i = 0; i < count; i++)
		run_cursor_deinit(&tournament.cursors[i]);
	memory_free(tournament.cursors);
	memory_free(tournament.losers);
	merged_writer_deinit(&writer);
	return good;
}

bool run_merge(const struct run *runs, size_t count, uint64_t skipped_count, struct sink *sink,
	       struct error *err)
{
	struct merged_summary summary;
	bool good;

	merged_summary_init(&summary);
	summary.skipped_count = skipped_count;
	good = merge(runs, count, &summary, sink, err);
	merged_summary_deinit(&summary);
	return good;
}

static bool has_events(const struct merged_summary *stated, const struct merged_summary *found)
{
	bool good = stated->stack_count == found->stack_count &&
		    stated->events.count == found->events.count;

	for (size_t i = 0; good && i < found->events.count; i++) {
		const struct merged_event *left = &stated->events.at[i];
		const struct merged_event *right = &found->events.at[i];

		good = text_equal(left->name, right->name) && left->unit == right->unit &&
		       left->sample_count == right->sample_count && left->weight == right->weight;
	}
	return good;
}

bool run_verify(const struct run *run, struct error *err)
{
	struct merged_summary found;
	bool good;

	merged_summary_init(&found);
	good = merge(run, 1, &found, NULL, err);
	if (good && !has_events(&run->file.summary, &found))
		good = error_set(
			err, ERROR_CORRUPT,
			"%s: the file is corrupt: its summary and its stacks have different "
			"numbers of samples; copy the file or merge the captures again",
			run->input.name);
	merged_summary_deinit(&found);
	return good;
}
