/* SPDX-License-Identifier: MIT */
#include "session/collapse.h"

#include "libparse/perl_script.h"

bool collapse_open(struct session *session, const char *path,
		   const struct collapse_options *options, struct error *err)
{
	/* The comm is the first frame already. */
	static const struct grouping no_grouping = { .count = 0 };
	const struct perl_script_options format_options = {
		.with_pid = options->with_pid,
		.with_tid = options->with_tid,
		.marks_kernel = options->marks_kernel,
		.marks_jit = options->marks_jit,
		.shows_addresses = options->shows_addresses,
		.has_source_lines = options->has_source_lines,
		.event_filter = options->event_filter,
	};
	const struct session_options session_options = {
		.ignores_host = true,
		.grouping = &no_grouping,
		.ignores_inlines = true,
		.naming = { .keeps_separators = true },
		.format = &perl_script_format,
		.format_options = &format_options,
		.is_read_once = true,
	};

	return session_open(session, path, &session_options, err);
}
