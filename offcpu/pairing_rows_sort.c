/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_rows.h"

#include "base/runs_sort.h"
#include "base/workers.h"

/*
 * The rows of one buffer of perf are mostly ascending, so there are few ascending runs. Times
 * divide each run into pieces, and each task merges the pieces between two times:
 *
 *     run 1     1 4 | 5 9 | 12       times 5 and 10
 *     run 2     2   | 6 7 | 10 11
 *     merged    1 2 4 | 5 6 7 9 | 10 11 12
 */

/* More pieces than threads, because some pieces take longer than others. */
#define PIECES_OF_THREAD 4u
/* With shorter runs, dividing them costs more than it saves. */
#define RUN_ROWS_MIN 4096u

/* Ascending rows. */
struct ascending {
	const struct pairing_row *at, *end;
	size_t number; /* of the run, in input order */
};

struct sorting {
	VEC(struct ascending) runs;
	size_t row_count, piece_count;
	const struct pairing_row **bounds; /* of piece p and run r: [p * runs.count + r] */
	struct pairing_row *sorted;
};

static int compare_rows(const void *a, const void *b)
{
	const struct pairing_row *left = a;
	const struct pairing_row *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return (left->ordinal > right->ordinal) - (left->ordinal < right->ordinal);
}

/* The first row of a run at or after a time. */
static const struct pairing_row *find_time(const struct ascending *run, uint64_t time_ns)
{
	const struct pairing_row *low = run->at;
	const struct pairing_row *high = run->end;

	while (low < high) {
		const struct pairing_row *middle = low + (high - low) / 2;

		if (middle->time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t run_length(const struct ascending *run)
{
	return (size_t)(run->end - run->at);
}

/* Divides all runs at times that divide the longest run evenly. */
static void divide(struct sorting *sorting)
{
	const struct ascending *longest = &sorting->runs.at[0];
	size_t run_count = sorting->runs.count;

	for (size_t i = 1; i < run_count; i++)
		if (run_length(&sorting->runs.at[i]) > run_length(longest))
			longest = &sorting->runs.at[i];
	sorting->bounds =
		memory_alloc((sorting->piece_count + 1) * run_count, sizeof(*sorting->bounds));
	for (size_t i = 0; i < run_count; i++) {
		const struct ascending *run = &sorting->runs.at[i];

		sorting->bounds[i] = run->at;
		for (size_t piece = 1; piece < sorting->piece_count; piece++) {
			size_t row = (size_t)((uint64_t)run_length(longest) * piece /
					      sorting->piece_count);

			sorting->bounds[piece * run_count + i] =
				find_time(run, longest->at[row].time_ns);
		}
		sorting->bounds[sorting->piece_count * run_count + i] = run->end;
	}
}

/* Equal rows stay in order. */
static bool is_before(const struct ascending *left, const struct ascending *right)
{
	int order = compare_rows(left->at, right->at);

	return order ? order < 0 : left->number < right->number;
}

/* Moves a run down the heap, until no run below it begins with an earlier row. */
static void sift(struct ascending *heap, size_t count, size_t place)
{
	struct ascending moved = heap[place];
	size_t child;

	while ((child = 2 * place + 1) < count) {
		if (child + 1 < count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (is_before(&moved, &heap[child]))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = moved;
}

static void merge(struct ascending *heap, size_t count, struct pairing_row *to)
{
	for (size_t place = count / 2; place-- > 0;)
		sift(heap, count, place);
	while (count > 1) {
		*to++ = *heap[0].at++;
		if (heap[0].at == heap[0].end)
			heap[0] = heap[--count];
		sift(heap, count, 0);
	}
	if (count)
		memcpy(to, heap[0].at, (size_t)(heap[0].end - heap[0].at) * sizeof(*to));
}

static void merge_piece(void *context, size_t index)
{
	struct sorting *sorting = context;
	size_t run_count = sorting->runs.count;
	const struct pairing_row **begins = &sorting->bounds[index * run_count];
	struct ascending *heap = memory_alloc(run_count, sizeof(*heap));
	size_t count = 0;
	size_t place = 0; /* of the piece's first row when sorted */

	for (size_t i = 0; i < run_count; i++) {
		struct ascending part = { begins[i], begins[run_count + i], i };

		place += (size_t)(part.at - sorting->runs.at[i].at);
		if (part.at < part.end)
			heap[count++] = part;
	}
	merge(heap, count, sorting->sorted + place);
	memory_free(heap);
}

/* Returns false if there are too many runs. */
static bool find_runs(struct sorting *sorting, const pairing_row_list *rows)
{
	size_t end = 0;

	while (end < rows->count) {
		struct ascending run;
		size_t begin = end;

		if (sorting->runs.count > sorting->row_count / RUN_ROWS_MIN + 1)
			return false;
		end = runs_end((const char *)rows->at, begin, rows->count, sizeof(*rows->at),
			       compare_rows);
		run = (struct ascending){ rows->at + begin, rows->at + end, sorting->runs.count };
		vec_push(&sorting->runs, run);
	}
	return true;
}

static void merge_runs(struct sorting *sorting, unsigned thread_count)
{
	sorting->piece_count = thread_count > 1 ? thread_count * PIECES_OF_THREAD : 1;
	divide(sorting);
	workers_run(thread_count, sorting->piece_count, merge_piece, sorting);
	memory_free(sorting->bounds);
}

static void join(const struct pairing_rows *parts, size_t count, struct pairing_row *to)
{
	for (size_t i = 0; i < count; i++) {
		if (parts[i].rows.count)
			memcpy(to, parts[i].rows.at, parts[i].rows.count * sizeof(*to));
		to += parts[i].rows.count;
	}
}

void pairing_rows_sort(struct pairing_rows *parts, size_t count, unsigned thread_count,
		       pairing_row_list *ret)
{
	struct sorting sorting = { 0 };
	bool has_few_runs = true;

	for (size_t i = 0; i < count; i++)
		sorting.row_count += parts[i].rows.count;
	for (size_t i = 0; has_few_runs && i < count; i++)
		has_few_runs = find_runs(&sorting, &parts[i].rows);
	sorting.sorted = memory_alloc(sorting.row_count, sizeof(*sorting.sorted));
	if (!has_few_runs) {
		join(parts, count, sorting.sorted);
		runs_sort(sorting.sorted, sorting.row_count, sizeof(*sorting.sorted), compare_rows);
	} else if (sorting.runs.count) {
		merge_runs(&sorting, thread_count);
	}
	for (size_t i = 0; i < count; i++)
		vec_free(&parts[i].rows);
	vec_free(&sorting.runs);
	ret->at = sorting.sorted;
	ret->count = ret->capacity = sorting.row_count;
}
