/* SPDX-License-Identifier: MIT */
#include "session/source_file.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "tests/support/scratch.h"

Test(source_file, names_of_source_code)
{
	static const struct {
		const char *path;
		bool is_source;
	} rows[] = {
		{ "/a/b.c", true },
		{ "b.C", true },
		{ "/a/b.S", true },
		{ "lib.rs", true },
		{ "x.c++", true },
		{ "/a.c/b", false },
		{ "/etc/shadow", false },
		{ "/root/.c", false },
		{ ".c", false },
		{ "/home/a/id_rsa", false },
		{ "a.pem", false },
		{ "a.", false },
		{ "", false },
		{ "/", false },
		{ "a.c.key", false },
		{ "passwd.conf", false },
		{ "/a/.netrc", false },
		{ "a.cc/", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(source_file_has_name(text_of(rows[i].path)), rows[i].is_source, "%s",
			     rows[i].path);
}

static const char *directories[4];
static char directory_texts[3][1024];

/* Makes a root below the scratch directory, and beside it files that must not be read. */
static void make_files(struct scratch *scratch)
{
	scratch_open(scratch);
	scratch_write(scratch, "root/src/a.c", "a", 1);
	scratch_write(scratch, "root/b.c", "b", 1);
	scratch_write(scratch, "root/secret", "s", 1);
	scratch_write(scratch, "outside.c", "o", 1);
	scratch_link(scratch, "root/link.c", "src/a.c");
	scratch_link(scratch, "root/secret.c", "secret");
	scratch_link(scratch, "root/passwd.c", "/etc/passwd");
	scratch_link(scratch, "root/up.c", "../outside.c");
	scratch_pipe(scratch, "root/pipe.c");
	snprintf(directory_texts[0], sizeof(directory_texts[0]), "%s",
		 scratch_path(scratch, "root"));
	snprintf(directory_texts[1], sizeof(directory_texts[1]), "/build/x=%s",
		 scratch_path(scratch, "root"));
	snprintf(directory_texts[2], sizeof(directory_texts[2]), "rel/=%s",
		 scratch_path(scratch, "root"));
	for (size_t i = 0; i < 3; i++)
		directories[i] = directory_texts[i];
}

Test(source_file, only_source_code_below_the_directories_is_opened)
{
	static const struct {
		const char *path;
		char content; /* 0: of no file */
		enum source_file_status status;
	} rows[] = {
		{ "/src/a.c", 'a', SOURCE_FILE_OPEN },
		{ "src/a.c", 'a', SOURCE_FILE_OPEN },
		{ "src/../b.c", 'b', SOURCE_FILE_OPEN },
		{ "../../b.c", 'b', SOURCE_FILE_OPEN },
		{ "/link.c", 'a', SOURCE_FILE_OPEN },
		{ "/build/x/src/a.c", 'a', SOURCE_FILE_OPEN },
		{ "/build/xy/src/a.c", 0, SOURCE_FILE_NOT_FOUND },
		{ "/build/x", 0, SOURCE_FILE_NOT_SOURCE },
		{ "rel/b.c", 'b', SOURCE_FILE_OPEN },
		{ "/secret", 0, SOURCE_FILE_NOT_SOURCE },
		{ "/secret.c", 0, SOURCE_FILE_NOT_SOURCE },
		{ "/passwd.c", 0, SOURCE_FILE_NOT_FOUND }, /* the root has no /etc */
		{ "/up.c", 0, SOURCE_FILE_NOT_FOUND },
		{ "../outside.c", 0, SOURCE_FILE_NOT_FOUND },
		{ "/pipe.c", 0, SOURCE_FILE_NOT_FOUND },
		{ "/src", 0, SOURCE_FILE_NOT_SOURCE },
	};
	struct scratch scratch;

	make_files(&scratch);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct source_directories where = { directories, 3, false };
		char content = 0;
		int fd = -1;

		cr_expect_eq(source_file_open(&where, text_of(rows[i].path), &fd), rows[i].status,
			     "%s", rows[i].path);
		if (fd >= 0) {
			cr_expect_eq(read(fd, &content, 1), 1);
			close(fd);
		}
		cr_expect_eq(content, rows[i].content, "%s", rows[i].path);
	}
	scratch_close(&scratch);
}

/* Only absolute paths are opened on this machine, and only for captures of this machine. */
Test(source_file, this_machine_is_asked_only_where_it_may)
{
	static const char *const names[] = { "root/b.c", "root/passwd.c", "root/secret.c" };
	static const enum source_file_status statuses[] = { SOURCE_FILE_OPEN,
							    SOURCE_FILE_NOT_SOURCE,
							    SOURCE_FILE_NOT_SOURCE };
	struct scratch scratch;

	make_files(&scratch);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct source_directories none = { NULL, 0, false };
		const struct source_directories host = { NULL, 0, true };
		struct text path = text_of(scratch_path(&scratch, names[i]));
		struct text relative = { path.at + 1, path.length - 1 };
		int fd = -1;

		cr_expect_eq(source_file_open(&none, path, &fd), SOURCE_FILE_NOT_FOUND);
		cr_expect_eq(source_file_open(&host, relative, &fd), SOURCE_FILE_NOT_FOUND);
		cr_expect_eq(fd, -1);
		cr_expect_eq(source_file_open(&host, path, &fd), statuses[i], "%s", names[i]);
		if (fd >= 0)
			close(fd);
	}
	scratch_close(&scratch);
}
