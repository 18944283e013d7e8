/* SPDX-License-Identifier: MIT */
#include "process/loss_spans.h"

void loss_spans_deinit(struct loss_spans *spans)
{
	vec_free(&spans->rows);
}

void loss_spans_add(struct loss_spans *spans, uint64_t time_ns, uint32_t cpu)
{
	/* That moment, and none before it. */
	vec_push(&spans->rows, (struct loss_span){ time_ns - (time_ns > 0), time_ns, cpu });
}

static int compare(const void *a, const void *b)
{
	const struct loss_span *left = a;
	const struct loss_span *right = b;

	if (left->end_ns != right->end_ns)
		return left->end_ns < right->end_ns ? -1 : 1;
	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

void loss_spans_sort(struct loss_spans *spans)
{
	if (spans->rows.count > 1)
		qsort(spans->rows.at, spans->rows.count, sizeof(*spans->rows.at), compare);
}

/* Each begin becomes the earliest of its own and all that end later. */
void loss_spans_finish(struct loss_spans *spans)
{
	for (size_t i = spans->rows.count; i-- > 1;)
		if (spans->rows.at[i].begin_ns < spans->rows.at[i - 1].begin_ns)
			spans->rows.at[i - 1].begin_ns = spans->rows.at[i].begin_ns;
}

bool loss_spans_overlap(const struct loss_spans *spans, uint64_t from_ns, uint64_t until_ns)
{
	size_t begin = 0;
	size_t end = spans->rows.count;

	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (spans->rows.at[middle].end_ns <= from_ns)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin < spans->rows.count && spans->rows.at[begin].begin_ns < until_ns;
}
