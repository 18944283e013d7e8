/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/jit_process.h"

struct jit_process jit_process_find(const struct naming_context *context,
				    const struct module *module)
{
	const struct symbolise_options *options = context->options;
	const struct jit_dump *dump =
		options->jit_dumps ? jit_dumps_of_process(options->jit_dumps, module->pid) : NULL;
	struct jit_process process = {
		.pid = module->pid,
		.own_pid = module->has_other_pid ? 0 : module->pid,
		.is_sure = module->has_host_pid,
		.is_in_container = module->has_other_pid,
	};

	process.is_running =
		options->use_host_files &&
		host_process_find(module->pid, options->capture_time_s, &process.process);
	/*
	 * The name of a jitdump contains the same PID as the perf map, and the capture contains
	 * this name.
	 */
	if (dump)
		process.own_pid = dump->file_pid;
	else if (process.is_running)
		process.own_pid = process.process.own_pid;
	process.is_sure |= dump || process.is_running;
	process.is_in_container |= process.own_pid && process.own_pid != process.pid;
	return process;
}

/* Adds maps given as --symbols PID=FILE. */
static void add_given(const struct jit_process *process, const struct file_index *index,
		      map_list *maps)
{
	struct index_matches run = file_index_find_pid(index, process->pid);

	for (size_t i = 0; i < run.count; i++)
		if (run.at[i]->for_pid == process->pid && run.at[i]->is_explicit)
			vec_push(maps, run.at[i]);
}

/*
 * A process in a container uses the PIDs of the container's namespace. A map that the user gave for
 * one PID is not used for another PID.
 */
static bool is_by_number(const struct jit_process *process, const struct index_file *map,
			 bool has_given_maps)
{
	if (has_given_maps || map->for_pid)
		return map->for_pid == process->pid;
	return !map->is_of_container || (process->is_sure && process->is_in_container);
}

void jit_process_add_maps(const struct jit_process *process, const struct file_index *index,
			  map_list *maps)
{
	bool has_given_maps = file_index_has_map_for(index, process->pid);
	struct index_matches run = file_index_find_pid(index, process->own_pid);

	add_given(process, index, maps);
	if (maps->count || !process->own_pid)
		return;
	for (size_t i = 0; i < run.count; i++)
		if (is_by_number(process, run.at[i], has_given_maps))
			vec_push(maps, run.at[i]);
}

bool jit_process_may_own(const struct jit_process *process, const struct file_index *index,
			 const struct index_file *map)
{
	if (map->for_pid || file_index_has_map_for(index, process->pid))
		return map->for_pid == process->pid;
	if (!map->pid)
		return true;
	if (process->is_sure && process->own_pid)
		return map->pid == process->own_pid;
	/*
	 * A map in a directory is named after the PID of its writer. Outside containers, a
	 * different PID means a different process.
	 */
	return process->is_in_container || map->is_of_container || map->is_explicit;
}
