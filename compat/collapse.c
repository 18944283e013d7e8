/* SPDX-License-Identifier: MIT */
#include "compat/collapse.h"

#include "compat/inferno_script.h"
#include "compat/perl_script.h"

static const struct input_format *const formats[] = {
	[COLLAPSE_AS_PERL] = &perl_script_format,
	[COLLAPSE_AS_INFERNO] = &inferno_script_format,
};

bool collapse_open(struct session *session, const char *path, enum collapse_tool tool,
		   const struct collapse_options *options, unsigned thread_count, struct error *err)
{
	/* The comm is the first frame already. */
	static const struct grouping no_grouping = { .count = 0 };
	const struct session_options session_options = {
		.thread_count = thread_count,
		.ignores_host = true,
		.grouping = &no_grouping,
		.ignores_inlines = true,
		.naming = { .keeps_separators = true },
		.format = formats[tool],
		.format_options = options,
		.is_read_once = true,
	};

	return session_open(session, path, &session_options, err);
}
