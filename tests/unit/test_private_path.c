/* SPDX-License-Identifier: MIT */
#include "render/text/private_path.h"

#include <criterion/criterion.h>

Test(private_path, home_folders_have_no_owner)
{
	static const struct {
		const char *path, *expected;
	} rows[] = {
		{ "/home/alice/src/app", "~/src/app" },
		{ "/Users/alice/app", "~/app" },
		{ "/var/home/alice/app", "~/app" },
		{ "/export/home/alice/app", "~/app" },
		{ "/root/app", "~/app" },
		{ "/root", "~" },
		{ "/home/alice", "~" },
		{ "/home/", "~" },
		/* What only looks like one. */
		{ "/home", "/home" },
		{ "/rooted/app", "/rooted/app" },
		{ "/srv/home/alice/app", "/srv/home/alice/app" },
		{ "home/alice", "home/alice" },
		{ "[kernel.kallsyms]", "[kernel.kallsyms]" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		private_path_write(&sink, text_of(rows[i].path));
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "%s became %.*s",
			  rows[i].path, (int)sink_memory(&sink).length, sink_memory(&sink).at);
		sink_deinit(&sink);
	}
}

Test(private_path, words_of_a_command_keep_the_last_part_of_a_path)
{
	static const struct {
		const char *word, *expected;
	} rows[] = {
		{ "/home/alice/perf.data", "perf.data" },
		{ "/home/alice/", "~" },
		{ "-I/root", "-I~" },
		{ "--symbols=/home/alice/debug", "--symbols=debug" },
		{ "-o/home/alice/a.svg", "-oa.svg" },
		{ "--title=before / after", "--title=before / after" },
		{ "perf.data", "perf.data" },
		{ "../perf.data", "../perf.data" },
		{ "--inverted", "--inverted" },
		{ "-", "-" },
		{ "-o", "-o" },
		{ "/", "/" },
		{ "--symbols=/", "--symbols=/" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		private_path_write_word(&sink, text_of(rows[i].word));
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "%s became %.*s",
			  rows[i].word, (int)sink_memory(&sink).length, sink_memory(&sink).at);
		sink_deinit(&sink);
	}
}
