/* SPDX-License-Identifier: MIT */
#include "annotate/annotation.h"

#include "base/arithmetic.h"

void annotation_init(struct annotation *annotation)
{
	*annotation = (struct annotation){ .event_count = 0 };
	arena_init(&annotation->arena);
}

void annotation_deinit(struct annotation *annotation)
{
	arena_deinit(&annotation->arena);
	vec_free(&annotation->functions);
	vec_free(&annotation->instructions);
	vec_free(&annotation->counts);
	vec_free(&annotation->lines);
}

void annotation_add_instruction(struct annotation *annotation,
				const struct annotated_instruction *instruction)
{
	struct annotated_function *function =
		&annotation->functions.at[annotation->functions.count - 1];

	vec_push(&annotation->instructions, *instruction);
	for (uint32_t i = 0; i < annotation->event_count; i++)
		vec_push(&annotation->counts, (struct annotation_count){ 0 });
	function->instruction_count++;
}

/* Returns how many instructions of the function begin at or before the address. */
static uint32_t count_begun(const struct annotation *annotation,
			    const struct annotated_function *function, uint64_t address)
{
	const struct annotated_instruction *rows =
		annotation->instructions.at + function->instruction_first;
	uint32_t low = 0, high = function->instruction_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rows[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void annotation_add_samples(struct annotation *annotation, struct annotated_function *function,
			    uint64_t address, uint32_t event, struct annotation_count count)
{
	uint32_t begun = count_begun(annotation, function, address);
	struct annotation_count *counts;
	uint32_t row;

	if (!begun)
		return;
	row = function->instruction_first + begun - 1;
	if (annotation->instructions.at[row].address != address ||
	    annotation->instructions.at[row].is_inside)
		function->between_count = saturate_add(function->between_count, count.sample_count);
	counts = annotation_counts(annotation, row);
	counts[event].sample_count = saturate_add(counts[event].sample_count, count.sample_count);
	counts[event].weight = saturate_add(counts[event].weight, count.weight);
}

void annotation_link_jumps(struct annotation *annotation, const struct annotated_function *function)
{
	for (uint32_t i = 0; i < function->instruction_count; i++) {
		struct annotated_instruction *row =
			&annotation->instructions.at[function->instruction_first + i];
		uint32_t begun;

		if (!row->is_jump || !row->has_target)
			continue;
		begun = count_begun(annotation, function, row->target);
		if (begun &&
		    annotation->instructions.at[function->instruction_first + begun - 1].address ==
			    row->target)
			row->target_row = begun - 1;
	}
}

static bool is_before(const struct annotation_line *line, struct source_line at)
{
	return line->at.file.i != at.file.i ? line->at.file.i < at.file.i : line->at.line < at.line;
}

struct text annotation_line_text(const struct annotation *annotation, struct source_line at)
{
	size_t row = vec_count_first(&annotation->lines, line, is_before(line, at));
	const struct annotation_line *found = annotation->lines.at + row;

	if (row == annotation->lines.count || found->at.file.i != at.file.i ||
	    found->at.line != at.line)
		return (struct text){ .at = NULL };
	return found->text;
}
