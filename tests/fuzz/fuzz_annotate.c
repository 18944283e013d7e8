/* SPDX-License-Identifier: MIT */
/*
 * The code of a function, as kiln annotate reads it from a file: the first byte is the machine. For
 * any bytes: each byte belongs to one instruction, jumps lead to rows of the function, and loops
 * contain their samples.
 */
#include "annotate/annotation.h"
#include "annotate/disassembly.h"
#include "annotate/hot_lines.h"
#include "annotate/jumps.h"

#define START 0x400000u
/* Many functions have this much code; more would only take time. */
#define SIZE_MAX_BYTES 4096u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void on_instruction(void *context, const struct disassembled *instruction)
{
	struct annotation *annotation = context;

	require(instruction->size_bytes && instruction->text.length);
	annotation_add_instruction(annotation, &(struct annotated_instruction){
						       .address = instruction->address,
						       .size_bytes = instruction->size_bytes,
						       .is_jump = instruction->is_jump,
						       .ends_flow = instruction->ends_flow,
						       .has_target = instruction->has_target,
						       .target = instruction->target,
						       .target_row = ANNOTATION_NONE,
						       .at = { { 1 }, instruction->size_bytes },
					       });
}

static void check(struct annotation *annotation, size_t size)
{
	struct annotated_function *function = &annotation->functions.at[0];
	uint64_t next = START;
	code_loop_list loops = { .at = NULL };
	hot_line_list lines = { .at = NULL };
	struct jump_arrows arrows;
	struct sink sink;

	for (uint32_t i = 0; i < function->instruction_count; i++) {
		const struct annotated_instruction *row = &annotation->instructions.at[i];

		require(row->address == next);
		require(row->target_row == ANNOTATION_NONE ||
			row->target_row < function->instruction_count);
		next += row->size_bytes;
	}
	require(next == START + size);
	for (uint64_t i = 0; i < size; i += 3)
		annotation_add_samples(annotation, function, START + i, 0,
				       (struct annotation_count){ 1, 1 });
	code_loops_find(annotation, function, &loops);
	for (size_t i = 0; i < loops.count; i++)
		require(loops.at[i].first <= loops.at[i].last &&
			loops.at[i].counts[0].weight <= size);
	hot_lines_find(annotation, function, &lines);
	jump_arrows_init(&arrows, annotation, function);
	sink_init_memory(&sink);
	for (uint32_t i = 0; i < arrows.row_count; i++)
		jump_arrows_write(&arrows, i, &sink);
	sink_deinit(&sink);
	jump_arrows_deinit(&arrows);
	vec_free(&loops);
	vec_free(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const uint64_t starts[] = { START, START + 3, START + 16, START + 17, START + 40 };
	struct disassembly_code code;
	struct annotation annotation;

	if (size < 2 || size > SIZE_MAX_BYTES)
		return 0;
	annotation_init(&annotation);
	annotation.event_count = 1;
	vec_push(&annotation.functions, (struct annotated_function){ .size_bytes = size - 1 });
	code = (struct disassembly_code){
		.machine = (enum disassembly_machine)(bytes[0] % (DISASSEMBLY_S390X + 1)),
		.bytes = bytes + 1,
		.size_bytes = size - 1,
		.address = START,
		.starts = starts,
		.start_count = bytes[0] & 0x80 ? ARRAY_SIZE(starts) : 0,
	};
	if (disassemble(&code, on_instruction, &annotation)) {
		annotation_link_jumps(&annotation, &annotation.functions.at[0]);
		check(&annotation, size - 1);
	}
	annotation_deinit(&annotation);
	return 0;
}
