/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_filter.h"

static struct text comm_of(const struct process_state *state, uint32_t pid, uint32_t tid,
			   uint64_t time_ns, char buffer[COMM_BYTES])
{
	struct process_moment moment = process_history_find(&state->history, pid, tid, time_ns);

	return comm_text(state->strings, moment.comm, tid, buffer);
}

bool pairing_filter_has(const struct pairing_filter *filter, uint32_t tid, uint16_t cpu,
			uint64_t time_ns)
{
	const struct selection *selection = filter->selection;
	struct text comm = text_of("");
	struct text process = text_of("");
	char comm_buffer[COMM_BYTES];
	char process_buffer[COMM_BYTES];
	uint32_t pid;

	if (!selection)
		return true;
	if (cpu && selection->cpus.count && !selection_has_number(&selection->cpus, cpu - 1u))
		return false;
	pid = process_history_pid(&filter->state->history, tid);
	if (selection->comms.count)
		comm = comm_of(filter->state, pid, tid, time_ns, comm_buffer);
	if (selection->processes.count)
		process = comm_of(filter->state, pid, pid, time_ns, process_buffer);
	return selection_includes_thread(selection, pid, tid, comm, process);
}
