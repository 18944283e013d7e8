/* SPDX-License-Identifier: MIT */
#include "annotate/hot_lines.h"

#include "base/arithmetic.h"

static int compare_ids(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b)
{
	const struct hot_line *left = a, *right = b;
	int order = compare_ids(left->at.file.i, right->at.file.i);

	if (!order)
		order = compare_ids(left->at.line, right->at.line);
	return order ? order : compare_ids(left->inlined.i, right->inlined.i);
}

static int compare_heat(const void *a, const void *b)
{
	const struct hot_line *left = a, *right = b;

	for (uint32_t i = 0; i < ANNOTATION_EVENTS_MAX; i++)
		if (left->counts[i].weight != right->counts[i].weight)
			return left->counts[i].weight > right->counts[i].weight ? -1 : 1;
	return compare_places(a, b);
}

static void add_counts(struct hot_line *to, const struct hot_line *from)
{
	for (uint32_t i = 0; i < ANNOTATION_EVENTS_MAX; i++) {
		to->counts[i].sample_count =
			saturate_add(to->counts[i].sample_count, from->counts[i].sample_count);
		to->counts[i].weight = saturate_add(to->counts[i].weight, from->counts[i].weight);
	}
}

void hot_lines_find(const struct annotation *annotation, const struct annotated_function *function,
		    hot_line_list *ret)
{
	size_t kept = 0;

	ret->count = 0;
	for (uint32_t i = 0; i < function->instruction_count; i++) {
		size_t instruction = (size_t)function->instruction_first + i;
		const struct annotated_instruction *row = &annotation->instructions.at[instruction];
		const struct annotation_count *counts = annotation_counts(annotation, instruction);
		struct hot_line line = { .at = row->at, .inlined = row->inlined };
		bool has_samples = false;

		for (uint32_t k = 0; k < annotation->event_count; k++) {
			line.counts[k] = counts[k];
			has_samples |= counts[k].sample_count != 0;
		}
		if (has_samples && row->at.line)
			vec_push(ret, line);
	}
	if (!ret->count)
		return;
	qsort(ret->at, ret->count, sizeof(*ret->at), compare_places);
	for (size_t i = 0; i < ret->count; i++) {
		if (kept && compare_places(&ret->at[kept - 1], &ret->at[i]) == 0)
			add_counts(&ret->at[kept - 1], &ret->at[i]);
		else
			ret->at[kept++] = ret->at[i];
	}
	ret->count = kept;
	qsort(ret->at, ret->count, sizeof(*ret->at), compare_heat);
}
