/* SPDX-License-Identifier: MIT */
#include "tests/support/interval_stacks.h"

#include <stdio.h>
#include <stdlib.h>

#include "render/text/folded.h"
#include "session/off_cpu.h"
#include "tests/support/memory_file.h"

void interval_stacks_read(const struct perf_writer *writer, const struct pairing_options *pairing,
			  struct interval_stacks *ret)
{
	interval_stacks_read_some(writer, pairing, NULL, ret);
}

void interval_stacks_read_some(const struct perf_writer *writer,
			       const struct pairing_options *pairing,
			       const struct selection *selection, struct interval_stacks *ret)
{
	struct view view = view_default;
	struct session_options options = {
		.view = &view,
		.ignores_host = true,
		.thread_count = 2,
		.pairing = pairing,
	};
	struct memory_file file;
	struct session session;
	struct error err;
	struct sink sink;

	if (selection)
		view.selection = *selection;
	memory_file_open(&file, writer->file.at, writer->file.count);
	if (!session_open(&session, file.path, &options, &err)) {
		fprintf(stderr, "interval_stacks: %s\n", err.text);
		abort();
	}
	ret->good = session_build_offcpu(&session, &err);
	sink_init_memory(&sink);
	if (ret->good) {
		folded_write(&session.profile, &sink);
		sink_char(&sink, '\0');
		snprintf(ret->text, sizeof(ret->text), "%s", sink_memory(&sink).at);
	} else {
		error_text(&err, ret->text, sizeof(ret->text));
	}
	ret->counts = session.offcpu.pairing.counts;
	ret->unrecorded_cpu_count = session.offcpu.unrecorded_cpu_count;
	ret->is_guessed = session.offcpu.has_guessed_fields;
	ret->lacks_callchains = offcpu_lacks_callchains(&session.offcpu, &session.profile);
	ret->is_partial = session.profile.partial_reason != NULL;
	sink_deinit(&sink);
	session_close(&session);
	memory_file_close(&file);
}
