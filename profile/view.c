/* SPDX-License-Identifier: MIT */
#include "profile/view.h"

const struct view view_default = {
	.grouping = GROUPING_BY_COMM,
};

void view_deinit(struct view *view)
{
	selection_deinit(&view->selection);
}

bool view_is_whole(const struct view *view)
{
	const struct selection *selection = &view->selection;

	return !view->is_reversed && !view->has_branch_history && selection_is_empty(selection) &&
	       !selection->depth_max && !selection->bases.count;
}

bool view_has_lines(const struct view *view)
{
	return view->naming.has_lines || view->naming.keeps_source;
}

bool view_keeps_stacks(const struct view *view)
{
	return !view->is_reversed && view->naming.interpreter == INTERPRETER_SHOWN &&
	       !selection_asks_of_frames(&view->selection) &&
	       !grouping_has(&view->grouping, GROUP_DSO);
}
