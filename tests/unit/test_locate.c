/* SPDX-License-Identifier: MIT */
#include "object/locate.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "object/elf.h"
#include "object/file.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"

#define ID_A    "aa00000000000000000000000000000000000001"
#define ID_B    "bb00000000000000000000000000000000000002"
#define ID_REST "00000000000000000000000000000000000003"

/* The build-id of a file that has this id only in its path. */
#define ID_STORED "dd" ID_REST
/* The store has no such file. */
#define MISSED_A "id /buildid/" ID_A "/executable; "

static const char kernel_list[] = "ffffffff81000000 T _text\n";

static struct build_id id_of(const char *hex)
{
	struct build_id id = { .size_bytes = 0 };

	build_id_parse(text_of(hex), &id);
	return id;
}

static void write_elf(const struct scratch *scratch, const char *name, const char *hex)
{
	struct build_id id = id_of(hex);
	struct elf_writer writer = {
		.text_offset = 0x200,
		.text_bytes = 0x10,
		.build_id = id.bytes,
		.build_id_bytes = id.size_bytes,
	};
	size_t size;
	unsigned char *bytes = elf_writer_write(&writer, &size);

	scratch_write(scratch, name, bytes, size);
	memory_free(bytes);
}

static void fill(const struct scratch *scratch)
{
	write_elf(scratch, "root/usr/bin/app", ID_A);
	write_elf(scratch, "root/usr/lib/libx.so", ID_B);
	write_elf(scratch, "root/opt/lib/libx.so", ID_A);
	scratch_write(scratch, "root/tmp/perf-123.map", "1000 10 f\n", 10);
	scratch_write(scratch, "root/tmp/perf-.map", "1000 10 f\n", 10);
	scratch_write(scratch, "root/tmp/perf-12x.map", "1000 10 f\n", 10);
	scratch_write(scratch, "root/tmp/perf-99999999999.map", "1000 10 f\n", 10);
	scratch_write(scratch, "root/boot/System.map-6.1", kernel_list, sizeof(kernel_list) - 1);
	scratch_write(scratch, "root/" ID_B "/kallsyms", kernel_list, sizeof(kernel_list) - 1);
	scratch_write(scratch, "root/.build-id/cc/" ID_REST "/kallsyms", kernel_list,
		      sizeof(kernel_list) - 1);
	scratch_write(scratch, "root/saved", kernel_list, sizeof(kernel_list) - 1);
	scratch_write(scratch, "root/README", "hello\n", 6);
	scratch_write(scratch, "root/empty", "", 0);
	scratch_pipe(scratch, "root/pipe");
	scratch_link(scratch, "root/loop/again", "..");
	scratch_link(scratch, "root/dangling", "nowhere");
}

Test(locate, index_of_a_directory)
{
	static const struct {
		const char *name;
		enum index_kind kind;
		uint32_t pid;
		const char *id;
	} expected[] = {
		{ ".build-id/cc/" ID_REST "/kallsyms", INDEX_KALLSYMS, 0, "cc" ID_REST },
		{ ID_B "/kallsyms", INDEX_KALLSYMS, 0, ID_B },
		{ "boot/System.map-6.1", INDEX_KALLSYMS, 0, "" },
		{ "opt/lib/libx.so", INDEX_ELF, 0, ID_A },
		{ "saved", INDEX_KALLSYMS, 0, "" },
		{ "tmp/perf-123.map", INDEX_PERF_MAP, 123, "" },
		{ "usr/bin/app", INDEX_ELF, 0, ID_A },
		{ "usr/lib/libx.so", INDEX_ELF, 0, ID_B },
	};
	struct scratch scratch;
	struct file_index index;
	size_t prefix;

	scratch_open(&scratch);
	fill(&scratch);
	file_index_init(&index);
	cr_assert(file_index_add(&index, scratch_path(&scratch, "root///")));
	prefix = strlen(scratch_path(&scratch, "root/"));
	cr_assert_eq(index.files.count, ARRAY_SIZE(expected), "%zu", index.files.count);
	for (size_t i = 0; i < index.files.count; i++) {
		const struct index_file *file = &index.files.at[i];
		char hex[BUILD_ID_TEXT_BYTES];

		cr_expect_str_eq(file->path.at + prefix, expected[i].name);
		cr_expect_eq(file->kind, expected[i].kind, "%s", expected[i].name);
		cr_expect_eq(file->pid, expected[i].pid, "%s", expected[i].name);
		cr_expect_str_eq(build_id_hex(&file->build_id, hex), expected[i].id);
		cr_expect_not(file->is_explicit);
	}
	file_index_deinit(&index);
	scratch_close(&scratch);
	assert_no_leaks();
}

/* A file that the user names may have any name. */
Test(locate, index_of_single_files)
{
	static const struct {
		const char *name;
		int kind; /* -1: of no use */
		bool is_readable;
	} rows[] = {
		{ "root/usr/bin/app", INDEX_ELF, true },
		{ "root/saved", INDEX_KALLSYMS, true },
		{ "root/tmp/perf-.map", INDEX_PERF_MAP, true },
		{ "root/README", -1, true },
		{ "root/empty", -1, true },
		{ "root/pipe", -1, false },
		{ "root/dangling", -1, false },
		{ "root/absent", -1, false },
	};
	struct scratch scratch;

	scratch_open(&scratch);
	fill(&scratch);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct file_index index;

		file_index_init(&index);
		cr_expect_eq(file_index_add(&index, scratch_path(&scratch, rows[i].name)),
			     rows[i].is_readable, "%s", rows[i].name);
		cr_expect_eq(index.files.count, rows[i].kind >= 0, "%s", rows[i].name);
		if (index.files.count) {
			cr_expect_eq((int)index.files.at[0].kind, rows[i].kind, "%s", rows[i].name);
			cr_expect(index.files.at[0].is_explicit);
		}
		file_index_deinit(&index);
	}
	scratch_close(&scratch);
	assert_no_leaks();
}

/* Writes located files as text: how each was found, and the end of its path. */
static void describe(const struct located_list *list, const char *root, char *buffer, size_t size)
{
	static const char *const how[] = {
		[LOCATED_BY_BUILD_ID] = "id",
		[LOCATED_IN_DIRECTORY] = "directory",
		[LOCATED_LIVE] = "live",
		[LOCATED_BY_NAME] = "name",
	};
	size_t length = 0;

	*buffer = '\0';
	for (size_t i = 0; i < list->rows.count && length < size; i++) {
		const struct located *row = &list->rows.at[i];
		bool is_below = strncmp(row->path, root, strlen(root)) == 0;

		length +=
			(size_t)snprintf(buffer + length, size - length, "%s%s %s", i ? "; " : "",
					 how[row->how], row->path + (is_below ? strlen(root) : 0));
	}
}

static void fill_stores(const struct scratch *scratch)
{
	static const char *const names[] = {
		"buildid/" ID_STORED "/executable.zst",
		"buildid/" ID_STORED "/debuginfo",
		ID_STORED "/debuginfo.gz",
		".build-id/dd/" ID_REST ".debug.xz",
		".build-id/dd/" ID_REST "/elf",
		".build-id/dd/" ID_REST "/debuginfo.xz",
		"usr/lib/debug/.build-id/dd/" ID_REST ".debug",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char name[256];

		snprintf(name, sizeof(name), "root/%s", names[i]);
		scratch_write(scratch, name, "?", 1);
	}
	/* Files in the directories of a store are not opened: there may be millions. */
	write_elf(scratch, "root/buildid/" ID_STORED "/libx.so", ID_A);
}

Test(locate, places_in_order)
{
	static const struct {
		const char *path, *id;
		bool has_cache, uses_host;
		const char *expected;
	} rows[] = {
		{ "/usr/bin/app", ID_A, false, false,
		  "id /opt/lib/libx.so; id /usr/bin/app; " MISSED_A
		  "name /usr/bin/app; directory /usr/bin/app" },
		{ "/usr/bin/app", "", false, true,
		  "name /usr/bin/app; directory /usr/bin/app; live /usr/bin/app" },
		{ "/usr/bin/app (deleted)", "", false, false,
		  "name /usr/bin/app; directory /usr/bin/app" },
		{ "/srv/gone", ID_A, true, true,
		  "id /opt/lib/libx.so; id /usr/bin/app; " MISSED_A
		  "id /cache/.build-id/aa/00000000000000000000000000000000000001/elf; "
		  "id /cache/.build-id/aa/00000000000000000000000000000000000001/debug; "
		  "id /cache/.build-id/aa/00000000000000000000000000000000000001/vdso; "
		  "id /cache/.build-id/aa/00000000000000000000000000000000000001; "
		  "id /usr/lib/debug/.build-id/aa/00000000000000000000000000000000000001.debug; "
		  "directory /srv/gone; live /srv/gone" },
		/* Of two files of this name, the one that shares more of the path is found; if both
		 * share as much, neither of them. */
		{ "/srv/opt/lib/libx.so", "", false, false,
		  "name /opt/lib/libx.so; directory /srv/opt/lib/libx.so" },
		{ "/srv/libx.so", "", false, false, "directory /srv/libx.so" },
		/* A store of any layout may claim that a file has this build-id; the note in the
		 * file is checked later. */
		{ "", ID_STORED, false, false,
		  "id /buildid/" ID_STORED "/executable.zst; id /buildid/" ID_STORED
		  "/debuginfo; id /" ID_STORED "/debuginfo.gz; "
		  "id /.build-id/dd/" ID_REST ".debug.xz; id /.build-id/dd/" ID_REST "/elf; "
		  "id /.build-id/dd/" ID_REST "/debuginfo.xz; "
		  "id /usr/lib/debug/.build-id/dd/" ID_REST ".debug" },
		/* Paths that lead elsewhere, or nowhere */
		{ "/../usr/bin/app", "", false, true, "name /usr/bin/app" },
		{ "/usr/..", "", false, true, "" },
		{ "/a..b/..c", "", false, false, "directory /a..b/..c" },
		{ "app", "", false, true, "name /usr/bin/app" },
		{ "", "", true, true, "" },
	};
	struct scratch scratch;
	struct file_index index;
	struct locator locator = { .index = &index };
	char root[512], text[2048];

	scratch_open(&scratch);
	fill(&scratch);
	fill_stores(&scratch);
	snprintf(root, sizeof(root), "%s", scratch_path(&scratch, "root"));
	file_index_init(&index);
	cr_assert(file_index_add(&index, root));
	file_index_finish(&index);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct locate_query query = {
			.path = text_of(rows[i].path),
			.build_id = id_of(rows[i].id),
		};
		struct located_list list = { .rows = { .at = NULL } };
		struct arena arena;

		arena_init(&arena);
		locator.build_id_cache = rows[i].has_cache ? "/cache" : NULL;
		locator.uses_host = rows[i].uses_host;
		locate_objects(&locator, &query, &arena, &list);
		describe(&list, root, text, sizeof(text));
		cr_expect_str_eq(text, rows[i].expected, "row %zu: %s", i, text);
		vec_free(&list.rows);
		arena_deinit(&arena);
	}
	file_index_deinit(&index);
	scratch_close(&scratch);
	assert_no_leaks();
}

static void check_open(const struct located *located, bool is_found)
{
	struct elf_file elf;
	struct error err;
	bool is_there;

	if (located_open(&(struct locator){ .uses_host = true }, located, &elf, &is_there, &err))
		elf_close(&elf);
	cr_expect_eq(is_there, is_found, "%s", located->path);
}

Test(locate, a_directory_is_a_root)
{
	static const struct {
		const char *path;
		bool is_found;
	} rows[] = {
		{ "/usr/bin/app", true }, { "/relative", true }, { "/absolute", true },
		{ "/outside", false },    { "/usr/bin", false }, { "/pipe", false },
		{ "/absent", false },
	};
	struct scratch scratch;
	char root[512];

	scratch_open(&scratch);
	fill(&scratch);
	scratch_write(&scratch, "secret", "x", 1);
	scratch_link(&scratch, "root/absolute", "/usr/bin/app");
	scratch_link(&scratch, "root/relative", "usr/bin/app");
	scratch_link(&scratch, "root/outside", "../secret");
	snprintf(root, sizeof(root), "%s", scratch_path(&scratch, "root"));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct located located = { .how = LOCATED_IN_DIRECTORY,
					   .root = root,
					   .path = rows[i].path };

		check_open(&located, rows[i].is_found);
	}
	scratch_close(&scratch);
	assert_no_leaks();
}

Test(locate, file_read)
{
	struct scratch scratch;
	struct file_bytes bytes;
	struct error err;
	int fd;

	scratch_open(&scratch);
	scratch_write(&scratch, "file", "0123456789", 10);
	fd = file_open(scratch_path(&scratch, "file"), &err);
	cr_assert_geq(fd, 0);
	cr_assert(file_read(fd, 10, &bytes, &err));
	cr_expect_eq(bytes.size_bytes, 10);
	cr_expect_str_eq(bytes.at, "0123456789");
	file_bytes_deinit(&bytes);
	lseek(fd, 0, SEEK_SET);
	cr_expect_not(file_read(fd, 9, &bytes, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	close(fd);
	/* Sizes in /proc are 0. */
	fd = file_open("/proc/self/status", &err);
	cr_assert_geq(fd, 0);
	cr_assert(file_read(fd, 1 << 20, &bytes, &err));
	cr_expect_gt(bytes.size_bytes, 100);
	file_bytes_deinit(&bytes);
	close(fd);
	scratch_close(&scratch);
	assert_no_leaks();
}

/* Useless and unread files are reported. */
Test(locate, notes)
{
	static const struct {
		const char *path, *note; /* at NULL: none */
		size_t seen_max;
	} rows[] = {
		{ "root", NULL, 1000 },
		{ "root/usr/bin/app", NULL, 1000 },
		{ "root/saved", NULL, 1000 },
		{ "root/README", "README is not an ELF file", 1000 },
		{ "root/pipe", "pipe is not an ELF file", 1000 },
		{ "root/absent", "absent: No such file", 1000 },
		{ "root/loop", "loop contains no ELF file", 1000 },
		{ "root", "the limit of 3 files", 3 },
		{ "deep", "32 directory levels deep", 1000 },
	};
	struct scratch scratch;
	char name[512] = "deep";

	scratch_open(&scratch);
	fill(&scratch);
	for (int i = 0; i < 40; i++)
		memcpy(name + strlen(name), "/d", 3);
	memcpy(name + strlen(name), "/kallsyms", 10);
	scratch_write(&scratch, name, kernel_list, sizeof(kernel_list) - 1);
	scratch_write(&scratch, "deep/kallsyms", kernel_list, sizeof(kernel_list) - 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct file_index index;

		file_index_init(&index);
		index.seen_max = rows[i].seen_max;
		file_index_add(&index, scratch_path(&scratch, rows[i].path));
		cr_expect_eq(index.notes.count, rows[i].note != NULL, "%s", rows[i].path);
		if (index.notes.count && rows[i].note)
			cr_expect(strstr(index.notes.at[0].at, rows[i].note), "%s: %s",
				  rows[i].path, index.notes.at[0].at);
		file_index_deinit(&index);
	}
	scratch_close(&scratch);
	assert_no_leaks();
}
