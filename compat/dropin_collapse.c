/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/text/folded.h"
#include "compat/collapse.h"
#include "compat/dropin.h"

static void tell_lines(const struct profile *profile)
{
	fprintf(stderr, "Unrecognized lines: %llu, the first is line %llu\n",
		(unsigned long long)profile->losses[LOSS_SKIPPED_LINES],
		(unsigned long long)profile->first_skipped_line);
}

static bool collapse(const char *input, const struct dropin_collapsing *collapsing,
		     struct sink *sink, struct error *err)
{
	struct session session;
	bool good;

	if (!collapse_open(&session, input, collapsing->tool, &collapsing->options,
			   collapsing->thread_count, err))
		return false;
	good = session_build_profile(&session, err);
	if (good && session.profile.losses[LOSS_SKIPPED_LINES] && !collapsing->is_quiet)
		tell_lines(&session.profile);
	if (good)
		folded_write(&session.profile, sink);
	session_close(&session);
	if (good && !collapsing->is_quiet)
		dropin_tell_empty(sink);
	return good && sink_flush(sink, err);
}

int dropin_collapse(const text_list *inputs, const struct dropin_collapsing *collapsing,
		    int failed_code)
{
	struct error err;
	struct sink sink;
	bool good;

	if (inputs->count > 1) {
		fprintf(stderr, "kiln: only one input is read\n");
		return failed_code;
	}
	sink_init_fd(&sink, STDOUT_FILENO);
	good = collapse(inputs->count ? inputs->at[0] : "-", collapsing, &sink, &err);
	sink_deinit(&sink);
	if (!good)
		command_fail(&err);
	return good ? EXIT_DONE : failed_code;
}
