/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "render/text/info.h"
#include "render/text/info_advice.h"
#include "tests/support/profile_maker.h"

/* A profile with all of its weight in one module, which has this path. */
static struct module *make(struct profile_maker *maker, enum module_kind kind, const char *path,
			   enum match_status match)
{
	struct module *module;

	profile_maker_init(maker);
	profile_maker_module(maker, kind, path);
	profile_maker_stack(maker, "app;|1", 3);
	profile_maker_stack(maker, "app", 1);
	profile_maker_build(maker, NULL);
	maker->profile.input_name = strings_intern_text(maker->profile.strings, "a b.data");
	module = modules_get(maker->profile.modules, (module_id){ 1 });
	module->match = match;
	module->location_count = 1;
	module->pid = 77;
	return module;
}

static void expect(const struct profile *profile, const char *wanted)
{
	struct sink sink;

	sink_init_memory(&sink);
	info_files_write_why(profile, text_of(""), &sink);
	sink_char(&sink, '\0');
	cr_expect(strstr(sink.buffer, wanted), "%s\nhas no\n%s", sink.buffer, wanted);
	sink_deinit(&sink);
}

Test(info_files, what_to_do_about_the_worst)
{
	static const struct {
		enum module_kind kind;
		const char *path, *host;
		enum match_status match;
		const char *wanted;
	} rows[] = {
		{ MODULE_FILE, "/opt/app/server", "web1", MATCH_MISSING,
		  "\nto symbolise another 75.00%, in /opt/app/server\n"
		  "  scp web1:/opt/app/server . && kiln info --symbols ./server 'a b.data'\n" },
		{ MODULE_FILE, "/opt/it's; rm -rf x", NULL, MATCH_MISSING,
		  "  scp 'HOST:/opt/it'\\''s; rm -rf x' . && kiln info --symbols "
		  "'./it'\\''s; rm -rf x' 'a b.data'\n" },
		{ MODULE_KERNEL, "[kernel.kallsyms]", "web1", MATCH_MISSING,
		  "  ssh web1 sudo cat /proc/kallsyms > kallsyms && kiln info --symbols ./kallsyms "
		  "'a b.data'\n" },
		{ MODULE_ANONYMOUS, "//anon", "$(reboot)", MATCH_MISSING,
		  "  scp '$(reboot):/tmp/perf-77.map' . && kiln info --symbols ./perf-77.map "
		  "'a b.data'\n" },
		/* The file at this path on the host is the one that was refused. */
		{ MODULE_FILE, "/opt/app/server", "web1", MATCH_MISMATCHED,
		  "  debuginfod-find executable ab01020304050607\n" },
		{ MODULE_FILE, "/bin/stripped", "web1", MATCH_NO_SYMBOLS,
		  "  debuginfod-find debuginfo ab01020304050607\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct module *module = make(&maker, rows[i].kind, rows[i].path, rows[i].match);

		module->build_id = (struct build_id){
			.bytes = { 0xab, 1, 2, 3, 4, 5, 6, 7 },
			.size_bytes = 8,
		};
		if (rows[i].host)
			maker.profile.facts[FACT_HOST] = text_of(rows[i].host);
		expect(&maker.profile, rows[i].wanted);
		profile_maker_deinit(&maker);
	}
}

static void add_searched_path(struct profile_maker *maker, struct module *module, const char *path)
{
	vec_push(&maker->profile.modules->searched_paths,
		 (struct searched_path){
			 .path = strings_intern_text(maker->profile.strings, path),
			 .match = MATCH_MISSING,
		 });
	module->searched_count++;
}

/* JIT compilers write a dump or a map. Its searched path is its path on the host. */
Test(info_files, what_to_do_about_compiled_code)
{
	struct profile_maker maker;
	struct module *module = make(&maker, MODULE_ANONYMOUS, "//anon", MATCH_MISSING);

	add_searched_path(&maker, module, "perf-7.map");
	expect(&maker.profile, "\n  scp HOST:/tmp/perf-77.map . && ");
	/* In a container, the file is named after another PID, and the path leads through the
	 * process. */
	module->has_other_pid = true;
	expect(&maker.profile,
	       "in //anon, while process 77 runs\n  mkdir maps-77 && scp "
	       "'HOST:/proc/77/root/tmp/perf-*.map' maps-77 && kiln info --symbols 77=maps-77 'a "
	       "b.data'\nor, on the host HOST, to pack everything that is needed into a bundle\n"
	       "  kiln bundle 'a b.data' -o host.bundle.tar.zst\n");
	add_searched_path(&maker, module, "/srv/jit-7.dump");
	add_searched_path(&maker, module, "/tmp/perf-7.map");
	expect(&maker.profile, "scp HOST:/proc/77/root/srv/jit-7.dump maps-77 && ");
	module->has_other_pid = false;
	expect(&maker.profile, "\n  scp HOST:/srv/jit-7.dump . && kiln info --symbols ./jit-7.dump "
			       "'a b.data'\nor, on the host HOST, to pack everything that is "
			       "needed into a bundle\n  kiln bundle 'a b.data' -o "
			       "host.bundle.tar.zst\n");
	profile_maker_deinit(&maker);
}

/* Exported functions already have names, so the file with most samples may not be the one to fix first. */
Test(info_files, the_worst_is_what_has_no_name)
{
	struct profile_maker maker;
	struct module *modules;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/bin/partly");
	profile_maker_module(&maker, MODULE_FILE, "/bin/gone");
	profile_maker_stack(&maker, "app;main|1", 80);
	profile_maker_stack(&maker, "app;|1", 15);
	profile_maker_stack(&maker, "app;|2", 5);
	profile_maker_build(&maker, NULL);
	modules = maker.profile.modules->rows.at;
	for (size_t i = 1; i <= 2; i++)
		modules[i].location_count = 2;
	modules[1].match = MATCH_VERIFIED;
	modules[2].match = MATCH_MISSING;
	expect(&maker.profile, "\nto symbolise another 5.00%, in /bin/gone\n");
	/* A stripped file without a build-id cannot be requested. */
	modules[1].is_stripped = true;
	expect(&maker.profile, "\nto symbolise another 5.00%, in /bin/gone\n");
	modules[1].build_id = (struct build_id){ .bytes = { 0xcd }, .size_bytes = 8 };
	expect(&maker.profile, "\nto symbolise another 15.00%, in /bin/partly\n"
			       "  debuginfod-find debuginfo cd00000000000000\n");
	profile_maker_deinit(&maker);
}

/* Warnings about such names refer to --why. */
Test(info_files, why_names_may_be_wrong)
{
	static const struct {
		enum module_kind kind;
		enum match_status match;
		bool lacks_inlines;
		const char *wanted;
	} rows[] = {
		{ MODULE_FILE, MATCH_VERIFIED, false, "all frames have names\n" },
		{ MODULE_FILE, MATCH_UNVERIFIED, false, "unverified   /bin/app\n" },
		{ MODULE_FILE, MATCH_VERIFIED, true, "no inlined functions: app\n" },
		/* A perf map has no build-id to verify. */
		{ MODULE_ANONYMOUS, MATCH_UNVERIFIED, false, "all frames have names\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct module *module = make(&maker, rows[i].kind, "/bin/app", rows[i].match);

		module->named_count = module->location_count;
		if (rows[i].lacks_inlines)
			module->inline_reason = strings_intern_text(maker.profile.strings, "app");
		expect(&maker.profile, rows[i].wanted);
		profile_maker_deinit(&maker);
	}
}

/* A command to copy contains no terminal escapes. */
Test(info_files, no_advice_where_there_is_none)
{
	static const struct {
		const char *path;
		enum match_status match;
	} rows[] = {
		{ "/bin/app", MATCH_VERIFIED },
		{ "/bin/app", MATCH_UNVERIFIED },
		{ "/bin/\x1b[2Japp", MATCH_MISSING },
		{ "/bin/a\nreboot", MATCH_MISSING },
		{ "/memfd:jit (deleted)", MATCH_MISSING },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct sink sink;

		make(&maker, MODULE_FILE, rows[i].path, rows[i].match);
		sink_init_memory(&sink);
		info_files_write_why(&maker.profile, text_of(""), &sink);
		sink_char(&sink, '\0');
		cr_expect_null(strstr(sink.buffer, "to symbolise"), "%s", sink.buffer);
		sink_deinit(&sink);
		profile_maker_deinit(&maker);
	}
}

/* The warning does not ask for a copy of a file that the host no longer has. */
Test(info_files, a_deleted_file_cannot_be_copied)
{
	static const struct {
		const char *path, *wanted;
	} rows[] = {
		{ "/bin/app", "copy /bin/app from the host" },
		{ "/bin/app (deleted)",
		  "the host no longer has this file; --symbols FILE accepts a "
		  "copy of the same build" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct module *module = make(&maker, MODULE_FILE, rows[i].path, MATCH_MISSING);
		struct sink sink;

		sink_init_memory(&sink);
		info_advice_write_short(&maker.profile, module, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink.buffer, rows[i].wanted);
		sink_deinit(&sink);
		profile_maker_deinit(&maker);
	}
}

Test(info_files, places_and_why_they_were_refused)
{
	static const struct {
		const char *path, *reason;
		enum match_status match;
	} searched_paths[] = {
		{ "/usr/lib/debug/x.debug", NULL, MATCH_MISSING },
		{ "./symbols/\x07server", "it has build-id 03d1", MATCH_MISMATCHED },
	};
	struct profile_maker maker;
	struct module *module = make(&maker, MODULE_FILE, "/opt/app/server", MATCH_MISMATCHED);
	struct strings *strings = maker.profile.strings;

	for (size_t i = 0; i < ARRAY_SIZE(searched_paths); i++)
		vec_push(&maker.profile.modules->searched_paths,
			 (struct searched_path){
				 .path = strings_intern_text(strings, searched_paths[i].path),
				 .match = searched_paths[i].match,
				 .reason = searched_paths[i].reason
						   ? strings_intern_text(strings,
									 searched_paths[i].reason)
						   : STR_EMPTY,
			 });
	module->searched_count = 2;
	module->searched_more_count = 5;
	expect(&maker.profile, "  75.00%        1       0  mismatch     /opt/app/server\n");
	expect(&maker.profile, " searched: /usr/lib/debug/x.debug: not found\n");
	expect(&maker.profile,
	       " searched: ./symbols/\\x07server: mismatch, it has build-id 03d1\n");
	expect(&maker.profile, " and 5 more locations\n");
	profile_maker_deinit(&maker);
}
