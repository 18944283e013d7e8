/* SPDX-License-Identifier: MIT */
#include "base/strings.h"
#include "compress/contents.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "tests/support/leaks.h"

/* The content of an archive: files, and links with their targets. */
struct row {
	const char *name;
	const char *text; /* content of a file; NULL: a link */
	const char *target;
	bool is_hard;
};

#define FILE_OF(name, text)                       \
	{                                         \
		name, "\177ELF" text, NULL, false \
	}
#define LINK(name, target)                \
	{                                 \
		name, NULL, target, false \
	}
#define HARD(name, target)               \
	{                                \
		name, NULL, target, true \
	}

static void take(struct contents *contents, const struct row *row)
{
	struct input *spool;
	struct error err;
	struct span head;

	if (!row->text) {
		contents_add_link(contents, text_of(row->name), text_of(row->target), row->is_hard);
		return;
	}
	head = span_of(row->text, strlen(row->text), 0, false);
	cr_assert(contents_add_file(contents, text_of(row->name), head, &spool, &err));
	if (spool)
		cr_assert(input_append_spool(spool, row->text, strlen(row->text), &err));
}

/* Lists members in the order of names as "name=content; ...", without the magic numbers. */
static void describe(const struct contents *contents, struct sink *sink)
{
	for (size_t i = 0; i < contents->members.count; i++) {
		const struct contents_member *member = &contents->members.at[i];
		char bytes[64] = "";
		struct error err;
		size_t got;

		cr_assert_lt(member->size_bytes, sizeof(bytes));
		cr_assert(input_read(&contents->spool, member->begin, bytes,
				     (size_t)member->size_bytes, &got, &err));
		cr_expect_eq(got, member->size_bytes);
		sink_printf(sink, "%s%s=%s", i ? "; " : "", member->name.at,
			    bytes + (bytes[0] == '\177' ? 4 : 0));
	}
	sink_char(sink, '\0');
}

struct content_case {
	const char *what;
	struct row rows[5];
	size_t count;
	const char *expected;
};

static void check(const struct content_case *at)
{
	struct contents contents;
	struct sink text;

	contents_init(&contents);
	sink_init_memory(&text);
	for (size_t i = 0; i < at->count; i++)
		take(&contents, &at->rows[i]);
	contents_finish(&contents);
	describe(&contents, &text);
	cr_expect_str_eq(text.buffer, at->expected, "%s: %s", at->what, text.buffer);
	sink_deinit(&text);
	contents_deinit(&contents);
}

Test(contents, names_are_only_names)
{
	static const struct content_case cases[] = {
		{ "nothing", { { NULL, NULL, NULL, false } }, 0, "" },
		{ "absolute", { FILE_OF("/usr/bin/a", "a") }, 1, "usr/bin/a=a" },
		{ "with dots",
		  { FILE_OF("./usr//bin/./a", "a"), FILE_OF("usr/x/../bin/b", "b") },
		  2,
		  "usr/bin/a=a; usr/bin/b=b" },
		{ "above the root", { FILE_OF("../../etc/a", "a") }, 1, "etc/a=a" },
		{ "no name at all",
		  { FILE_OF("/", "a"), FILE_OF("..", "b"), FILE_OF("", "c") },
		  3,
		  "" },
		{ "the last of equal names counts",
		  { FILE_OF("a", "old"), FILE_OF("b", "b"), FILE_OF("./a", "new") },
		  3,
		  "a=new; b=b" },
		{ "also when it is a link",
		  { FILE_OF("a", "old"), FILE_OF("b", "b"), LINK("a", "b") },
		  3,
		  "a=b; b=b" },
		{ "also when it is a file",
		  { LINK("a", "b"), FILE_OF("b", "b"), FILE_OF("a", "a") },
		  3,
		  "a=a; b=b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
	assert_no_leaks();
}

Test(contents, links_lead_to_files_of_the_same_archive)
{
	static const struct content_case cases[] = {
		{ "beside it",
		  { FILE_OF("lib/a", "a"), LINK("lib/b", "a") },
		  2,
		  "lib/a=a; lib/b=a" },
		{ "elsewhere",
		  { LINK("bin/b", "../lib/a"), FILE_OF("lib/a", "a") },
		  2,
		  "bin/b=a; lib/a=a" },
		{ "from the root",
		  { LINK("bin/b", "/lib/a"), FILE_OF("lib/a", "a") },
		  2,
		  "bin/b=a; lib/a=a" },
		{ "hard ones are always from the root",
		  { FILE_OF("lib/a", "a"), HARD("lib/b", "lib/a"), HARD("lib/c", "a") },
		  3,
		  "lib/a=a; lib/b=a" },
		{ "link to link to file",
		  { LINK("c", "b"), LINK("b", "a"), FILE_OF("a", "a") },
		  3,
		  "a=a; b=a; c=a" },
		{ "through a linked directory",
		  { LINK("lib", "usr/lib"), LINK("x", "lib/a"), FILE_OF("usr/lib/a", "a") },
		  3,
		  "usr/lib/a=a; x=a" },
		{ "above the root there is nothing",
		  { LINK("x", "../../../etc/passwd"), LINK("y", "/etc/passwd") },
		  2,
		  "" },
		{ "which is the root",
		  { LINK("d/x", "../../../a"), FILE_OF("a", "a") },
		  2,
		  "a=a; d/x=a" },
		{ "in a circle",
		  { LINK("a", "b"), LINK("b", "a"), LINK("c", "c"), LINK("d", "d/d"),
		    FILE_OF("e", "e") },
		  5,
		  "e=e" },
		{ "to a directory", { FILE_OF("d/a", "a"), LINK("l", "d") }, 2, "d/a=a" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
	assert_no_leaks();
}

Test(contents, only_what_names_frames_is_kept)
{
	static const struct {
		const char *name, *text;
		bool is_kept;
	} rows[] = {
		{ "a", "\177ELF and so on", true },
		{ "a", "ffffffff81000000 T _text\n", true },
		{ "saved", "7f0010 20 function\n", true },
		{ "a", "0x7f0010 20 function\n", true },
		{ "a", "DTiJ and so on", true },
		{ "a", "JiTD and so on", true },
		{ "tmp/perf-7.map", "", true },
		{ "x/kallsyms", "", true },
		{ "boot/System.map-6.1", "?", true },
		{ CONTENTS_MANIFEST_NAME, CONTENTS_MANIFEST_NAME "\t1\n", true },
		{ "x/" CONTENTS_MANIFEST_NAME, CONTENTS_MANIFEST_NAME "\t1\n", false },
		{ "lib/ext4.ko.gz", "\x1f\x8b\x08", true },
		{ "ab/cd/elf", "\x1f\x8b\x08", true },
		{ "notes.gz", "\x1f\x8b\x08", false },
		{ "a", "", false },
		{ "a", "#!/bin/sh\n", false },
		{ "a", "face\n", false },
		{ "perf.data", "PERFILE2", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct contents contents;
		struct row row = { rows[i].name, rows[i].text, NULL, false };

		contents_init(&contents);
		take(&contents, &row);
		contents_finish(&contents);
		cr_expect_eq(contents.members.count, rows[i].is_kept, "row %zu", i);
		cr_expect_eq(contents_find(&contents, text_of(rows[i].name)) != NULL,
			     rows[i].is_kept, "row %zu", i);
		contents_deinit(&contents);
	}
	assert_no_leaks();
}

/* Many links, whose long targets consist of links, too. */
Test(contents, links_are_followed_in_bounded_time)
{
	enum {
		LINK_COUNT = 5000,
		DEPTH = 1500
	};
	struct contents contents;
	struct sink target;

	contents_init(&contents);
	sink_init_memory(&target);
	for (int i = 0; i < DEPTH; i++)
		sink_puts(&target, "a/");
	sink_puts(&target, "l0");
	contents_add_link(&contents, text_of("a"), text_of("."), false);
	for (int i = 0; i < LINK_COUNT; i++) {
		char name[16];

		snprintf(name, sizeof(name), "l%d", i);
		contents_add_link(&contents, text_of(name), sink_memory(&target), false);
	}
	contents_finish(&contents);
	cr_expect_eq(contents.members.count, 0);
	sink_deinit(&target);
	contents_deinit(&contents);
	assert_no_leaks();
}

Test(contents, names_longer_than_paths_are_left_out)
{
	struct contents contents;
	struct sink name;
	struct input *spool;
	struct error err;

	contents_init(&contents);
	sink_init_memory(&name);
	for (unsigned i = 0; i <= LIMIT_NAME_BYTES; i++)
		sink_char(&name, 'a');
	cr_assert(contents_add_file(&contents, sink_memory(&name), span_of("\177ELF", 4, 0, false),
				    &spool, &err));
	cr_expect_null(spool);
	contents_add_link(&contents, sink_memory(&name), text_of("a"), false);
	contents_add_link(&contents, text_of("a"), sink_memory(&name), false);
	cr_expect_eq(contents.members.count, 0);
	contents_finish(&contents);
	sink_deinit(&name);
	contents_deinit(&contents);
	assert_no_leaks();
}
