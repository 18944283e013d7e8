/* SPDX-License-Identifier: MIT */
#include "tools/about/commands.h"

const struct command *const commands[] = {
	&command_flame,    &command_offcpu, &command_heatmap,
	&command_timeline, &command_page,   &command_report,
	&command_annotate, &command_sched,  &command_syscalls,
	&command_events,   &command_spikes, &command_diff,
	&command_fold,     &command_script, &command_export,
	&command_merge,    &command_bundle, &command_info,
	&command_doctor,   &command_cache,  NULL,
};

const struct command *commands_find(const char *name)
{
	for (const struct command *const *at = commands; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}
