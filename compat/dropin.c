/* SPDX-License-Identifier: MIT */
#include "compat/dropin.h"

#include "compat/input_lines.h"

static const struct dropin *const dropins[] = {
	&dropin_stackcollapse_bpftrace,
	&dropin_stackcollapse_perf,
	&dropin_stackcollapse_perf_sched,
	&dropin_flamegraph,
	&dropin_inferno_flamegraph,
	&dropin_difffolded,
	&dropin_inferno_diff_folded,
	&dropin_inferno_collapse_perf,
	NULL,
};

const struct dropin *dropin_find(const char *program)
{
	const char *slash = program ? strrchr(program, '/') : NULL;
	const char *name = slash ? slash + 1 : program;

	for (const struct dropin *const *at = dropins; name && *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}

void dropin_warn_skipped(const struct input_lines *lines)
{
	if (lines->skipped_count)
		fprintf(stderr,
			"kiln: skipped %llu line%s longer than the limit of 16 MiB; the first is "
			"line %llu\n",
			(unsigned long long)lines->skipped_count,
			lines->skipped_count == 1 ? "" : "s",
			(unsigned long long)lines->first_skipped_number);
}

void dropin_warn_empty(const struct sink *sink)
{
	if (!sink->written && !sink->used && !sink->failed_errno)
		fprintf(stderr, "kiln: found no stacks; nothing was written\n");
}
