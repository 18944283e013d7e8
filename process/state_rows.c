/* SPDX-License-Identifier: MIT */
#include "process/state_rows.h"

#include <stdlib.h>

static int compare_time(const void *a, const void *b)
{
	const struct state_row *const *left = a;
	const struct state_row *const *right = b;

	if ((*left)->time_ns != (*right)->time_ns)
		return (*left)->time_ns < (*right)->time_ns ? -1 : 1;
	return *left < *right ? -1 : 1; /* sorted stably: file order */
}

static void apply(struct process_history *history, const struct state_row *row)
{
	switch (row->kind) {
	case STATE_COMM:
	case STATE_EXEC:
		process_history_comm(history, row->time_ns, row->pid, row->tid, row->comm,
				     row->kind == STATE_EXEC);
		break;
	case STATE_FORK:
		process_history_fork(history, row->time_ns, &row->fork);
		break;
	case STATE_MAP:
		process_history_map(history, row->time_ns, row->pid, &row->mapping);
		if (row->mapping.layer != MAPPING_ABOVE)
			process_history_map_data(history, row->time_ns, row->pid, &row->mapping);
		break;
	case STATE_MAP_DATA:
		process_history_map_data(history, row->time_ns, row->pid, &row->mapping);
		process_history_unmap(history, row->time_ns, row->pid, &row->mapping);
		break;
	case STATE_UNMAP:
		process_history_unmap(history, row->time_ns, row->pid, &row->mapping);
		break;
	case STATE_KERNEL_MAP:
		process_history_kernel_map(history, row->time_ns, &row->mapping);
		break;
	case STATE_KERNEL_UNMAP:
		process_history_kernel_unmap(history, row->time_ns, row->mapping.start,
					     row->mapping.end);
		break;
	}
}

void state_rows_apply(struct process_history *history, struct state_row *rows, size_t count,
		      bool is_timeless)
{
	const struct state_row **order = memory_alloc(count, sizeof(*order));

	for (size_t i = 0; i < count; i++) {
		if (is_timeless)
			rows[i].time_ns = rows[i].offset;
		order[i] = &rows[i];
	}
	qsort(order, count, sizeof(*order), compare_time);
	for (size_t i = 0; i < count; i++)
		apply(history, order[i]);
	memory_free(order);
}
