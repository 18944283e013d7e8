/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_rows.h"

#include "base/key_sort.h"
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
/* The times that divide runs are chosen from this many times of each piece. */
#define TIMES_OF_PIECE 64u
/* With shorter runs, dividing them costs more than it saves. */
#define RUN_ROWS_MIN 4096u
/*
 * After the two first runs have not been merged because another run interferes, rows until the next
 * try.
 */
#define ROWS_UNTIL_TRY 32u

/* Ascending rows. */
struct ascending {
	const struct pairing_row *at, *end;
	size_t number; /* of the run, in input order */
};

/* The runs of one part. */
struct part_runs {
	const pairing_row_list *rows;
	VEC(struct ascending) runs;
	char gap[CACHE_LINE_BYTES]; /* so that workers do not write to the same cache line */
};

struct sorting {
	struct part_runs *parts;
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

/* Returns times that are evenly distributed over the rows of all runs, in ascending order. */
static struct key_row *choose_times(const struct sorting *sorting, size_t *count_ret)
{
	size_t wanted = sorting->piece_count * TIMES_OF_PIECE;
	size_t step = sorting->row_count / wanted + 1;
	struct key_row *times = memory_alloc(wanted + sorting->runs.count + 1, sizeof(*times));
	size_t count = 0;

	for (size_t i = 0; i < sorting->runs.count; i++)
		for (size_t row = step / 2; row < run_length(&sorting->runs.at[i]); row += step)
			times[count++] =
				(struct key_row){ .key = sorting->runs.at[i].at[row].time_ns };
	key_sort(times, count);
	*count_ret = count;
	return times;
}

/* Divides all runs at times that divide the rows about evenly. */
static void divide(struct sorting *sorting)
{
	size_t run_count = sorting->runs.count;
	size_t time_count;
	struct key_row *times = choose_times(sorting, &time_count);

	sorting->bounds =
		memory_alloc((sorting->piece_count + 1) * run_count, sizeof(*sorting->bounds));
	for (size_t i = 0; i < run_count; i++) {
		const struct ascending *run = &sorting->runs.at[i];

		sorting->bounds[i] = run->at;
		for (size_t piece = 1; piece < sorting->piece_count; piece++) {
			size_t at = time_count * piece / sorting->piece_count;

			sorting->bounds[piece * run_count + i] =
				time_count ? find_time(run, times[at].key) : run->end;
		}
		sorting->bounds[sorting->piece_count * run_count + i] = run->end;
	}
	memory_free(times);
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

static void drop_if_empty(struct ascending *heap, size_t *count, size_t place)
{
	if (heap[place].at == heap[place].end)
		heap[place] = heap[--*count];
	if (place < *count)
		sift(heap, *count, place);
}

/* Returns the time of the earliest row of a heap, or of both its halves, except for two runs. */
static uint64_t next_time(const struct ascending *heap, size_t count, size_t second)
{
	const size_t places[] = { 3 - second, 2 * second + 1, 2 * second + 2 };
	uint64_t time_ns = UINT64_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (places[i] < count && heap[places[i]].at->time_ns < time_ns)
			time_ns = heap[places[i]].at->time_ns;
	return time_ns;
}

/*
 * Merges two runs, as far as their rows are earlier than until_ns. The choice between rows of
 * different times needs no branch, which would often be mispredicted.
 */
static struct pairing_row *merge_two(struct ascending *left, struct ascending *right,
				     uint64_t until_ns, struct pairing_row *to)
{
	const struct pairing_row *a = left->at;
	const struct pairing_row *b = right->at;

	while (a < left->end && b < right->end) {
		bool takes_right = b->time_ns < a->time_ns;
		const struct pairing_row *row = takes_right ? b : a;

		if (row->time_ns >= until_ns || a->time_ns == b->time_ns)
			break;
		*to++ = *row;
		a += !takes_right;
		b += takes_right;
	}
	left->at = a;
	right->at = b;
	return to;
}

/* Merges the two runs that begin first. Returns NULL if another run, or equal times, interfere. */
static struct pairing_row *merge_first_two(struct ascending *heap, size_t *count,
					   struct pairing_row *to)
{
	size_t second = *count > 2 && is_before(&heap[2], &heap[1]) ? 2 : 1;
	struct pairing_row *end =
		merge_two(&heap[0], &heap[second], next_time(heap, *count, second), to);

	if (end == to)
		return NULL;
	drop_if_empty(heap, count, second);
	drop_if_empty(heap, count, 0);
	return end;
}

static void merge(struct ascending *heap, size_t count, struct pairing_row *to)
{
	unsigned row_count = 0;

	for (size_t place = count / 2; place-- > 0;)
		sift(heap, count, place);
	while (count > 1) {
		struct pairing_row *end = row_count ? NULL : merge_first_two(heap, &count, to);

		if (end) {
			to = end;
			continue;
		}
		row_count = row_count ? row_count - 1 : ROWS_UNTIL_TRY;
		*to++ = *heap[0].at++;
		drop_if_empty(heap, &count, 0);
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

static size_t run_count_max(const struct sorting *sorting)
{
	return sorting->row_count / RUN_ROWS_MIN + 1;
}

/* Finds the runs of a part, or some of them if there are too many. */
static void find_runs(void *context, size_t index)
{
	const struct sorting *sorting = context;
	struct part_runs *part = &sorting->parts[index];
	const pairing_row_list *rows = part->rows;
	size_t end = 0;

	while (end < rows->count && part->runs.count <= run_count_max(sorting)) {
		size_t begin = end;

		end = runs_end((const char *)rows->at, begin, rows->count, sizeof(*rows->at),
			       compare_rows);
		vec_push(&part->runs, (struct ascending){ rows->at + begin, rows->at + end, 0 });
	}
}

static void number_runs(struct sorting *sorting, size_t part_count)
{
	for (size_t i = 0; i < part_count; i++) {
		for (size_t run = 0; run < sorting->parts[i].runs.count; run++) {
			struct ascending ascending = sorting->parts[i].runs.at[run];

			ascending.number = sorting->runs.count;
			vec_push(&sorting->runs, ascending);
		}
		vec_free(&sorting->parts[i].runs);
	}
	memory_free(sorting->parts);
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

static void free_part(void *context, size_t index)
{
	struct pairing_rows *parts = context;

	vec_free(&parts[index].rows);
}

void pairing_rows_sort(struct pairing_rows *parts, size_t count, unsigned thread_count,
		       pairing_row_list *ret)
{
	struct sorting sorting = { .parts = memory_zalloc(count, sizeof(*sorting.parts)) };

	for (size_t i = 0; i < count; i++) {
		sorting.row_count += parts[i].rows.count;
		sorting.parts[i].rows = &parts[i].rows;
	}
	workers_run(thread_count, count, find_runs, &sorting);
	number_runs(&sorting, count);
	sorting.sorted = memory_alloc_large(sorting.row_count * sizeof(*sorting.sorted));
	if (sorting.runs.count > run_count_max(&sorting)) {
		join(parts, count, sorting.sorted);
		runs_sort(sorting.sorted, sorting.row_count, sizeof(*sorting.sorted), compare_rows);
	} else if (sorting.runs.count) {
		merge_runs(&sorting, thread_count);
	}
	/* The kernel takes a while to free large blocks. */
	workers_run(thread_count, count, free_part, parts);
	vec_free(&sorting.runs);
	ret->at = sorting.sorted;
	ret->count = ret->capacity = sorting.row_count;
}
