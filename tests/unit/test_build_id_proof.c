/* SPDX-License-Identifier: MIT */
/* Whether a build-id, or a file offered by name, belongs to the file that was mapped. */
#include "symbolise/build_id_proof.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "symbolise/file_match.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define ID_A        "aa00000000000000000000000000000000000001"
#define ID_B        "bb00000000000000000000000000000000000002"
#define TEXT_OFFSET 0x600

struct world {
	struct scratch scratch;
	struct modules modules;
	struct locations locations;
	struct strings strings;
	const char *paths[1];
	struct symbolise_options options;
};

static void set_up(struct world *world)
{
	*world = (struct world){ .options = { .thread_count = 1 } };
	scratch_open(&world->scratch);
	modules_init(&world->modules);
	locations_init(&world->locations);
	strings_init(&world->strings);
	world->paths[0] = world->scratch.path;
}

static void tear_down(struct world *world)
{
	modules_deinit(&world->modules);
	locations_deinit(&world->locations);
	strings_deinit(&world->strings);
	scratch_close(&world->scratch);
}

/* A file with one function, and a build-id. */
static void write_elf(struct world *world, const char *name, const char *hex)
{
	static const struct elf_writer_symbol symbol = { "first",        0x401000,   0x20,
							 STT_FUNC,       STB_GLOBAL, 0,
							 ELF_WRITER_TEXT };
	struct elf_writer writer = {
		.symbols = &symbol,
		.symbol_count = 1,
		.text_offset = TEXT_OFFSET,
		.text_address = 0x401000,
		.text_bytes = 0x100,
	};
	struct build_id id;
	size_t size;
	unsigned char *bytes;

	cr_assert(build_id_parse(text_of(hex), &id));
	writer.build_id = id.bytes;
	writer.build_id_bytes = id.size_bytes;
	bytes = elf_writer_write(&writer, &size);
	scratch_write(&world->scratch, name, bytes, size);
	memory_free(bytes);
}

static module_id add_module(struct world *world, const char *path, const char *hex)
{
	struct module module = { .kind = MODULE_FILE,
				 .path = strings_intern_text(&world->strings, path) };

	build_id_parse(text_of(hex), &module.build_id);
	return modules_intern(&world->modules, &module);
}

static void add(struct world *world, module_id module, uint64_t address, bool is_return)
{
	locations_intern(&world->locations, module, address, is_return);
}

static void run(struct world *world)
{
	symbolise_paths(&world->modules, &world->locations, &world->strings, &world->options,
			world->paths, 1);
}

static const struct module *get(const struct world *world, module_id id)
{
	return modules_get(&world->modules, id);
}

static void expect_reason(const struct world *world, module_id id, const char *part)
{
	const char *reason = strings_text(&world->strings, get(world, id)->reason);

	cr_expect(strstr(reason, part), "\"%s\" is not in \"%s\"", part, reason);
}

/* The return addresses of the file's only calls. */
#define SITE_COUNT 10
#define SITE(i)    (TEXT_OFFSET + 0x10 + 0x10 * (uint64_t)(i))

/*
 * Writes a file whose code begins with push %rbp; mov %rsp,%rbp, and has a call in front of each
 * site.
 */
static void write_calls(struct world *world, const char *name, const char *hex)
{
	static const unsigned char prologue[] = { 0x55, 0x48, 0x89, 0xe5 };
	static const unsigned char call[] = { 0xff, 0xd0 };
	int fd;

	write_elf(world, name, hex);
	fd = open(scratch_path(&world->scratch, name), O_WRONLY);
	cr_assert_geq(fd, 0);
	cr_assert_eq(pwrite(fd, prologue, sizeof(prologue), TEXT_OFFSET), sizeof(prologue));
	for (int i = 0; i < SITE_COUNT; i++)
		cr_assert_eq(pwrite(fd, call, sizeof(call), (off_t)SITE(i) - 2), sizeof(call));
	close(fd);
}

/* A file with the build-id of the capture, or offered by name, and return addresses of the capture.
 * Some of these follow a call in the file. */
static const struct {
	const char *what, *file_id, *path_id;
	bool is_by_kernel, has_rivals, trusts_paths;
	int site_count, call_count;
	enum match_status match;
	enum build_id_proof proof;
	const char *reason;
} code_rows[] = {
	{ "by the kernel", ID_A, ID_A, true, false, false, 10, 0, MATCH_VERIFIED, PROOF_NONE, "" },
	{ "nothing to go by", ID_A, ID_A, false, false, false, 0, 0, MATCH_LATE_BUILD_ID,
	  PROOF_NONE, "" },
	{ "too few", ID_A, ID_A, false, false, false, 7, 0, MATCH_LATE_BUILD_ID, PROOF_NONE, "" },
	{ "proved", ID_A, ID_A, false, false, false, 10, 10, MATCH_VERIFIED, PROOF_CODE, "" },
	{ "but for one", ID_A, ID_A, false, false, false, 10, 9, MATCH_LATE_BUILD_ID, PROOF_NONE,
	  "" },
	{ "but for two", ID_A, ID_A, false, false, false, 10, 8, MATCH_LATE_BUILD_ID, PROOF_NONE,
	  "" },
	{ "refuted", ID_A, ID_A, false, false, false, 10, 7, MATCH_MISMATCHED, PROOF_OTHER_CODE,
	  "only 7 of 10 return addresses follow a call" },
	{ "refuted, and used", ID_A, ID_A, false, false, true, 10, 0, MATCH_UNVERIFIED,
	  PROOF_OTHER_CODE, "--trust-paths" },
	{ "by name, proved", ID_B, "", true, false, false, 10, 10, MATCH_VERIFIED, PROOF_NONE, "" },
	{ "by name, undecided", ID_B, "", true, false, false, 7, 7, MATCH_UNVERIFIED, PROOF_NONE,
	  "has the same name" },
	{ "by name, refuted", ID_B, "", true, false, false, 10, 0, MATCH_MISMATCHED, PROOF_NONE,
	  "is a different file: only 0 of 10" },
	{ "one of several, proved", ID_B, "", true, true, false, 10, 10, MATCH_VERIFIED, PROOF_NONE,
	  "" },
	{ "one of several, undecided", ID_B, "", true, true, false, 7, 7, MATCH_MISMATCHED,
	  PROOF_NONE, "too few return addresses" },
	{ "one of several, undecided, and used", ID_B, "", true, true, true, 7, 7, MATCH_UNVERIFIED,
	  PROOF_NONE, "has the same name" },
};

Test(build_id_proof, code_settles_it)
{
	for (size_t i = 0; i < ARRAY_SIZE(code_rows); i++) {
		struct world world;
		struct module *row;
		module_id module;
		bool is_named;

		set_up(&world);
		world.options.trusts_paths = code_rows[i].trusts_paths;
		write_calls(&world, "app", code_rows[i].file_id);
		module = add_module(&world, "/usr/bin/app", code_rows[i].path_id);
		row = modules_get(&world.modules, module);
		row->build_id_source =
			code_rows[i].is_by_kernel ? BUILD_ID_BY_KERNEL : BUILD_ID_BY_RECORDER;
		row->has_rivals = code_rows[i].has_rivals;
		row->next_rival = module;
		add(&world, module, TEXT_OFFSET, false);
		for (int k = 0; k < code_rows[i].site_count; k++)
			add(&world, module, SITE(k) + (k < code_rows[i].call_count ? 0 : 3), true);
		run(&world);
		is_named = match_is_usable(code_rows[i].match);
		cr_expect_eq(row->match, code_rows[i].match, "%s: %d", code_rows[i].what,
			     row->match);
		cr_expect_eq(row->build_id_proof, code_rows[i].proof, "%s: %d", code_rows[i].what,
			     row->build_id_proof);
		cr_expect_eq(row->named_count != 0, is_named, "%s", code_rows[i].what);
		expect_reason(&world, module, code_rows[i].reason);
		tear_down(&world);
	}
	assert_no_leaks();
}

/*
 * Two files were mapped from one path. The code of the offered file fits both of them, or only one.
 */
Test(build_id_proof, code_of_rivals)
{
	for (int is_alike = 0; is_alike < 2; is_alike++) {
		enum match_status match = is_alike ? MATCH_MISMATCHED : MATCH_VERIFIED;
		struct module rival = { .kind = MODULE_FILE, .inode = 5, .has_rivals = true };
		module_id first, second;
		struct world world;
		char kept[300];

		set_up(&world);
		write_calls(&world, "kept/app.before", ID_A);
		snprintf(kept, sizeof(kept), "%s", scratch_path(&world.scratch, "kept/app.before"));
		world.paths[0] = kept;
		rival.path = strings_intern_text(&world.strings, "/usr/bin/app");
		first = modules_intern(&world.modules, &rival);
		rival.inode = 6;
		second = modules_intern(&world.modules, &rival);
		modules_get(&world.modules, first)->next_rival = second;
		modules_get(&world.modules, second)->next_rival = first;
		for (int k = 0; k < SITE_COUNT; k++) {
			add(&world, first, SITE(k), true);
			add(&world, second, SITE(k) + (is_alike ? 0 : 3), true);
		}
		run(&world);
		cr_expect_eq(get(&world, first)->match, match, "%d", get(&world, first)->match);
		cr_expect_eq(get(&world, second)->match, MATCH_MISMATCHED);
		if (is_alike)
			expect_reason(&world, first, "matches more than one");
		tear_down(&world);
	}
	assert_no_leaks();
}

/* Changes "app" as perf record does when it ends, or as cp -p and ln do. */
static void link_back_in_time(struct world *world, time_t written_s)
{
	struct timespec times[2] = { { .tv_sec = written_s }, { .tv_sec = written_s } };
	char path[300];

	snprintf(path, sizeof(path), "%s", scratch_path(&world->scratch, "app"));
	cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	cr_assert_eq(link(path, scratch_path(&world->scratch, "link")), 0);
}

/* The mapped file was written after the mapping: its code is different, unless the return addresses fit. */
Test(build_id_proof, written_after_mapping)
{
	static const struct {
		const char *what, *path_id;
		int64_t mapped_before_s; /* how long before the file was written; 0: unknown */
		bool is_linked;          /* linked, and modified before the mapping */
		int site_count;
		int call_count;
		uint64_t generation;
		bool trusts_paths;
		enum match_status match;
		enum build_id_proof proof;
	} rows[] = {
		{ "nobody knows", ID_A, 0, false, 0, 0, 0, false, MATCH_VERIFIED, PROOF_INODE },
		{ "before", ID_A, -5, false, 0, 0, 0, false, MATCH_VERIFIED, PROOF_INODE },
		{ "since", ID_A, 5, false, 0, 0, 0, false, MATCH_MISMATCHED, PROOF_REWRITTEN },
		{ "and used", ID_A, 5, false, 0, 0, 0, true, MATCH_UNVERIFIED, PROOF_REWRITTEN },
		{ "and fits", ID_A, 5, false, 10, 10, 0, false, MATCH_VERIFIED, PROOF_CODE },
		{ "by perf inject", ID_A, 5, false, 0, 0, 1, false, MATCH_VERIFIED, PROOF_INODE },
		{ "no build-id, before", "", -5, false, 0, 0, 0, false, MATCH_SAME_FILE,
		  PROOF_NONE },
		{ "no build-id, since", "", 5, false, 0, 0, 0, false, MATCH_MISMATCHED,
		  PROOF_NONE },
		{ "linked to", ID_A, 5, true, 0, 0, 0, false, MATCH_VERIFIED, PROOF_INODE },
		{ "or copied over", ID_A, 5, true, 10, 0, 0, false, MATCH_MISMATCHED,
		  PROOF_OTHER_CODE },
		{ "no build-id, linked to", "", 5, true, 0, 0, 0, false, MATCH_SAME_FILE,
		  PROOF_NONE },
		{ "or copied over, too", "", 5, true, 10, 0, 0, false, MATCH_MISMATCHED,
		  PROOF_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module module = { .kind = MODULE_FILE,
					 .inode_generation = rows[i].generation,
					 .build_id_source = BUILD_ID_BY_RECORDER };
		struct stat status;
		struct world world;
		module_id id;

		set_up(&world);
		world.options.use_host_files = true;
		world.options.trusts_paths = rows[i].trusts_paths;
		write_calls(&world, "app", ID_A);
		module.path =
			strings_intern_text(&world.strings, scratch_path(&world.scratch, "app"));
		cr_assert_eq(stat(scratch_path(&world.scratch, "app"), &status), 0);
		if (rows[i].is_linked)
			link_back_in_time(&world, status.st_mtim.tv_sec - 60);
		module.inode = status.st_ino;
		module.device_major = major(status.st_dev);
		module.device_minor = minor(status.st_dev);
		if (rows[i].mapped_before_s)
			module.mapped_wall_ns =
				((int64_t)status.st_mtim.tv_sec - rows[i].mapped_before_s) *
				1000000000;
		build_id_parse(text_of(rows[i].path_id), &module.build_id);
		id = modules_intern(&world.modules, &module);
		add(&world, id, TEXT_OFFSET, false);
		for (int k = 0; k < rows[i].site_count; k++)
			add(&world, id, SITE(k) + (k < rows[i].call_count ? 0 : 3), true);
		world.paths[0] = "/nonexistent";
		run(&world);
		cr_expect_eq(get(&world, id)->match, rows[i].match, "%s: %d", rows[i].what,
			     get(&world, id)->match);
		cr_expect_eq(get(&world, id)->build_id_proof, rows[i].proof, "%s: %d", rows[i].what,
			     get(&world, id)->build_id_proof);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* The build-id is of the file at the path when recording ended. */
Test(build_id_proof, inodes_settle_it)
{
	static const struct {
		const char *what;
		uint64_t inode_change;
		uint32_t device_change;
		const char *file_id;
		int64_t capture_time_s;
		bool trusts_paths;
		enum match_status match;
		enum build_id_proof proof;
	} rows[] = {
		{ "the same", 0, 0, ID_A, 0, false, MATCH_VERIFIED, PROOF_INODE },
		{ "replaced", 1, 0, ID_A, 0, false, MATCH_MISMATCHED, PROOF_OTHER_INODE },
		{ "replaced, and used", 1, 0, ID_A, 0, true, MATCH_UNVERIFIED, PROOF_OTHER_INODE },
		{ "another device number", 0, 1, ID_A, 0, false, MATCH_LATE_BUILD_ID, PROOF_NONE },
		/* A file newer than the capture proves nothing. */
		{ "installed again since", 1, 0, ID_A, 1, false, MATCH_LATE_BUILD_ID, PROOF_NONE },
		{ "another build since", 1, 0, ID_B, 1, false, MATCH_LATE_BUILD_ID, PROOF_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module module = { .kind = MODULE_FILE,
					 .build_id_source = BUILD_ID_BY_RECORDER };
		struct stat status;
		struct world world;
		char kept[300];
		module_id id;

		set_up(&world);
		world.options.use_host_files = true;
		world.options.trusts_paths = rows[i].trusts_paths;
		world.options.capture_time_s = rows[i].capture_time_s;
		write_elf(&world, "app", rows[i].file_id);
		write_elf(&world, "kept/app", ID_A);
		snprintf(kept, sizeof(kept), "%s", scratch_path(&world.scratch, "kept/app"));
		world.paths[0] = kept;
		module.path =
			strings_intern_text(&world.strings, scratch_path(&world.scratch, "app"));
		cr_assert_eq(stat(scratch_path(&world.scratch, "app"), &status), 0);
		module.inode = status.st_ino + rows[i].inode_change;
		module.device_major = major(status.st_dev) + rows[i].device_change;
		module.device_minor = minor(status.st_dev);
		build_id_parse(text_of(ID_A), &module.build_id);
		id = modules_intern(&world.modules, &module);
		add(&world, id, TEXT_OFFSET, false);
		run(&world);
		cr_expect_eq(get(&world, id)->match, rows[i].match, "%s: %d", rows[i].what,
			     get(&world, id)->match);
		cr_expect_eq(get(&world, id)->build_id_proof, rows[i].proof, "%s", rows[i].what);
		cr_expect_eq(get(&world, id)->named_count, match_is_usable(rows[i].match), "%s",
			     rows[i].what);
		tear_down(&world);
	}
	assert_no_leaks();
}
