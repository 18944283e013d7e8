/* SPDX-License-Identifier: MIT */
#include "session/visited_stack.h"

void visited_stack_init(struct visited_stack *stack, struct session *session)
{
	const struct profile *profile = &session->profile;
	const struct view *view = &session->view;

	*stack = (struct visited_stack){ .view = view };
	frames_init(&stack->names, profile->strings, profile->modules, &session->locations,
		    &view->naming);
	stack->transform = (struct stack_transform){
		.frames = &stack->names,
		.is_reversed = view->is_reversed,
		.depth_max = view->selection.depth_max,
	};
}

/* Checks which of the frames created since the last call can be a base. */
static void find_bases(struct visited_stack *stack)
{
	const struct frame_table *table = &stack->names.table;

	while (stack->is_base.count < table->rows.count) {
		str_id name = table->rows.at[stack->is_base.count].name;

		vec_push(&stack->is_base, frame_name_fits(strings_get(stack->names.strings, name),
							  &stack->view->selection.bases));
	}
	stack->transform.is_base = stack->is_base.at;
}

bool visited_stack_append(struct visited_stack *stack, const struct visited_sample *visited)
{
	const struct frame_variant variant = { .is_java = false };
	uint32_t group_count = (uint32_t)stack->frames.count;
	uint32_t count;

	for (size_t i = visited->frame_count; i-- > 0;) {
		struct frame_run run =
			frames_of_location(&stack->names, visited->frames[i], variant);

		for (uint32_t k = 0; k < run.count; k++)
			vec_push(&stack->frames, stack->names.in_runs.at[run.first + k]);
	}
	count = (uint32_t)stack->frames.count;
	if (stack->view->selection.bases.count)
		find_bases(stack);
	if (!stack_transform_apply(&stack->transform, stack->frames.at, &count, group_count))
		return false;
	stack->frames.count = count;
	return true;
}

void visited_stack_finish(struct visited_stack *stack, struct profile *profile)
{
	frame_table_finish(&stack->names.table, profile);
	frames_deinit(&stack->names);
	vec_free(&stack->frames);
	vec_free(&stack->is_base);
}
