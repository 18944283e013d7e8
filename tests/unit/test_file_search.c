/* SPDX-License-Identifier: MIT */
#include "symbolise/file_search.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "object/debug_link.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define ID_A         "aa00000000000000000000000000000000000001"
#define ID_B         "bb00000000000000000000000000000000000002"
#define ID_C         "cc00000000000000000000000000000000000003"
#define TEXT_OFFSET  0x600
#define TEXT_ADDRESS 0x401000

static const struct elf_writer_symbol symbols[] = {
	{ "hidden", 0x401000, 0x20, STT_FUNC, STB_LOCAL, 0, ELF_WRITER_TEXT },
};

static unsigned char *write_elf(struct elf_writer *writer, const char *hex, size_t *size_ret)
{
	struct build_id id = { .size_bytes = 0 };

	build_id_parse(text_of(hex), &id);
	writer->text_offset = TEXT_OFFSET;
	writer->text_address = TEXT_ADDRESS;
	writer->text_bytes = 0x100;
	writer->build_id = *hex ? id.bytes : NULL;
	writer->build_id_bytes = id.size_bytes;
	return elf_writer_write(writer, size_ret);
}

/* A capture of one module, and a directory that the user names. */
struct world {
	struct scratch scratch;
	struct modules modules;
	struct locations locations;
	struct strings strings;
	const char *path;
	struct symbolise_options options;
	struct module *module;
};

static void set_up(struct world *world)
{
	*world = (struct world){ .options = { .thread_count = 1 } };
	scratch_open(&world->scratch);
	modules_init(&world->modules);
	locations_init(&world->locations);
	strings_init(&world->strings);
	world->path = world->scratch.path;
}

static void tear_down(struct world *world)
{
	modules_deinit(&world->modules);
	locations_deinit(&world->locations);
	strings_deinit(&world->strings);
	scratch_close(&world->scratch);
}

static void run(struct world *world, const char *path, const char *hex)
{
	struct module module = { .kind = MODULE_FILE,
				 .path = strings_intern_text(&world->strings, path) };
	module_id id;

	build_id_parse(text_of(hex), &module.build_id);
	id = modules_intern(&world->modules, &module);
	locations_intern(&world->locations, id, TEXT_OFFSET, false);
	symbolise_paths(&world->modules, &world->locations, &world->strings, &world->options,
			&world->path, 1);
	world->module = modules_get(&world->modules, id);
}

static bool is_named(const struct world *world, const char *name)
{
	const struct location *row = &world->locations.rows.at[0];

	return row->is_named && strcmp(strings_text(&world->strings, row->name), name) == 0;
}

/* The searched path with this suffix, or NULL. */
static const struct searched_path *find_searched_path(const struct world *world, const char *end)
{
	for (uint32_t i = 0; i < world->module->searched_count; i++) {
		const struct searched_path *searched =
			&world->modules.searched_paths.at[world->module->searched_first + i];

		if (text_has_suffix(strings_get(&world->strings, searched->path), end))
			return searched;
	}
	return NULL;
}

enum crc {
	CRC_RIGHT,
	CRC_WRONG
};

static const struct {
	const char *what, *debug_path;
	const char *app_id, *debug_id;
	enum crc crc;
	enum match_status match;
	bool is_named;
	const char *reason; /* recorded for the debug file; NULL: it is not searched */
} link_rows[] = {
	{ "beside it", "bin/app.dbg", "", "", CRC_RIGHT, MATCH_UNVERIFIED, true, "" },
	{ "in .debug", "bin/.debug/app.dbg", "", "", CRC_RIGHT, MATCH_UNVERIFIED, true, "" },
	{ "in the debug root", "usr/lib/debug/usr/bin/app.dbg", "", "", CRC_RIGHT, MATCH_UNVERIFIED,
	  true, "" },
	{ "in the debug root, before /usr was merged", "usr/lib/debug/bin/app.dbg", "", "",
	  CRC_RIGHT, MATCH_UNVERIFIED, true, "" },
	{ "elsewhere under that name", "x/y/app.dbg", "", "", CRC_RIGHT, MATCH_UNVERIFIED, true,
	  "" },
	{ "under another name", "bin/app.debug", "", "", CRC_RIGHT, MATCH_UNVERIFIED, false, NULL },
	{ "of another CRC", "bin/app.dbg", "", "", CRC_WRONG, MATCH_UNVERIFIED, false, "has CRC " },
	{ "without a build-id, of one that has one", "bin/app.dbg", ID_A, "", CRC_RIGHT,
	  MATCH_VERIFIED, true, "" },
	{ "without a build-id, and of another CRC", "bin/app.dbg", ID_A, "", CRC_WRONG,
	  MATCH_VERIFIED, false, "has CRC " },
	{ "of the build-id, whatever the CRC", "bin/app.dbg", ID_A, ID_A, CRC_WRONG, MATCH_VERIFIED,
	  true, "" },
	{ "of another build-id, whatever the CRC", "bin/app.dbg", ID_A, ID_B, CRC_RIGHT,
	  MATCH_VERIFIED, false, "has build-id " ID_B ", but " },
};

Test(file_search, debug_link)
{
	for (size_t i = 0; i < ARRAY_SIZE(link_rows); i++) {
		unsigned char link[] = "app.dbg\0CRC4";
		static const struct elf_writer_symbol exported[] = {
			{ "exported", 0x401040, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
		};
		struct elf_writer_section section = { .name = ".gnu_debuglink",
						      .type = SHT_PROGBITS,
						      .bytes = link,
						      .size_bytes = sizeof(link) - 1 };
		struct elf_writer app = { .dynamic_symbols = exported,
					  .dynamic_symbol_count = 1,
					  .more = &section,
					  .more_count = 1 };
		struct elf_writer debug = { .symbols = symbols,
					    .symbol_count = ARRAY_SIZE(symbols),
					    .is_debug_file = true };
		const struct searched_path *searched;
		struct world world;
		uint32_t crc;
		size_t size;
		unsigned char *bytes;

		set_up(&world);
		bytes = write_elf(&debug, link_rows[i].debug_id, &size);
		scratch_write(&world.scratch, link_rows[i].debug_path, bytes, size);
		crc = debug_link_crc_of(bytes, size) ^ link_rows[i].crc;
		memory_free(bytes);
		for (int k = 0; k < 4; k++)
			link[8 + k] = (unsigned char)(crc >> 8 * k);
		bytes = write_elf(&app, link_rows[i].app_id, &size);
		scratch_write(&world.scratch, "bin/app", bytes, size);
		memory_free(bytes);
		run(&world, "/usr/bin/app", link_rows[i].app_id);
		cr_expect_eq(is_named(&world, "hidden"), link_rows[i].is_named, "%s",
			     link_rows[i].what);
		cr_expect_eq(world.module->match,
			     link_rows[i].is_named ? link_rows[i].match : MATCH_NO_SYMBOLS,
			     "%s: %d", link_rows[i].what, world.module->match);
		searched = find_searched_path(&world, link_rows[i].debug_path);
		cr_expect_eq(searched != NULL, link_rows[i].reason != NULL, "%s",
			     link_rows[i].what);
		if (searched && link_rows[i].reason) {
			const char *reason = strings_text(&world.strings, searched->reason);

			cr_expect_eq(searched->match,
				     link_rows[i].is_named ? link_rows[i].match : MATCH_MISMATCHED,
				     "%s: %d", link_rows[i].what, searched->match);
			cr_expect(strstr(reason, link_rows[i].reason) == reason, "%s: %s",
				  link_rows[i].what, reason);
		}
		tear_down(&world);
	}
	assert_no_leaks();
}

/* Whether a file whose path has this suffix was accepted. */
static bool is_accepted(const struct world *world, const char *end)
{
	for (uint32_t i = 0; i < world->module->searched_count; i++) {
		const struct searched_path *searched =
			&world->modules.searched_paths.at[world->module->searched_first + i];

		if (searched->match == MATCH_VERIFIED &&
		    text_has_suffix(strings_get(&world->strings, searched->path), end))
			return true;
	}
	return false;
}

/* perf record copies a program into its cache, but not the files that are beside the program. */
Test(file_search, links_of_a_cached_copy)
{
	static const struct {
		const char *what, *section, *link, *file, *found, *id;
		bool is_stripped;
	} rows[] = {
		{ "beside it", ".gnu_debuglink", "app.dbg\0CRC4", "bin/app.dbg", "bin/app.dbg",
		  ID_A, true },
		{ "in .debug", ".gnu_debuglink", "app.dbg\0CRC4", "bin/.debug/app.dbg",
		  "bin/.debug/app.dbg", ID_A, true },
		{ "a dwz file", ".gnu_debugaltlink", "../z/comm\0\0", "z/comm", "bin/../z/comm",
		  ID_B, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct build_id supplement;
		unsigned char content[64];
		struct elf_writer_section section = { .name = rows[i].section,
						      .type = SHT_PROGBITS,
						      .bytes = content,
						      .size_bytes = 12 };
		struct elf_writer app = { .symbols = symbols,
					  .symbol_count = rows[i].is_stripped ? 0 : 1,
					  .more = &section,
					  .more_count = 1 };
		struct elf_writer debug = { .symbols = symbols,
					    .symbol_count = ARRAY_SIZE(symbols),
					    .is_debug_file = true };
		char captured[300], cache[300];
		struct world world;
		unsigned char *bytes;
		size_t size;

		set_up(&world);
		memcpy(content, rows[i].link, 12);
		if (!rows[i].is_stripped) {
			build_id_parse(text_of(ID_B), &supplement);
			memcpy(content + 10, supplement.bytes, 20);
			section.size_bytes = 30;
		}
		bytes = write_elf(&debug, rows[i].id, &size);
		scratch_write(&world.scratch, rows[i].file, bytes, size);
		memory_free(bytes);
		bytes = write_elf(&app, ID_A, &size);
		scratch_write(&world.scratch,
			      "cache/.build-id/aa/00000000000000000000000000000000000001/elf",
			      bytes, size);
		memory_free(bytes);
		snprintf(captured, sizeof(captured), "%s/bin/app", world.scratch.path);
		snprintf(cache, sizeof(cache), "%s/cache", world.scratch.path);
		scratch_write(&world.scratch, "empty/file", "", 0);
		scratch_write(&world.scratch, "bin/other", "", 0);
		world.path = scratch_path(&world.scratch, "empty");
		world.options.build_id_cache = cache;
		world.options.use_host_files = true;
		run(&world, captured, ID_A);
		cr_expect(is_named(&world, "hidden"), "%s", rows[i].what);
		cr_expect(is_accepted(&world, rows[i].found), "%s", rows[i].what);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* The match status of the dwz file is recorded, even though it holds no symbols. */
Test(file_search, alt_link)
{
	static const struct {
		const char *what, *path, *file, *id;
		enum match_status match;
	} rows[] = {
		{ "by its path", "../.dwz/common", ".dwz/common", ID_B, MATCH_VERIFIED },
		{ "by its build-id", "../nowhere", "x/y", ID_B, MATCH_VERIFIED },
		{ "below the root", "/usr/lib/debug/.dwz/c", "usr/lib/debug/.dwz/c", ID_B,
		  MATCH_VERIFIED },
		{ "another", "../.dwz/common", ".dwz/common", ID_C, MATCH_MISMATCHED },
		{ "not there", "../.dwz/common", "other", ID_C, MATCH_MISSING },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char content[64] = "";
		struct build_id id;
		struct elf_writer_section section = { .name = ".gnu_debugaltlink",
						      .type = SHT_PROGBITS,
						      .bytes = content };
		struct elf_writer app = { .symbols = symbols,
					  .symbol_count = ARRAY_SIZE(symbols),
					  .more = &section,
					  .more_count = 1 };
		struct elf_writer common = { .has_no_segments = true };
		const struct searched_path *searched;
		struct world world;
		size_t size;
		unsigned char *bytes;

		set_up(&world);
		build_id_parse(text_of(ID_B), &id);
		memcpy(content, rows[i].path, strlen(rows[i].path));
		memcpy(content + strlen(rows[i].path) + 1, id.bytes, 20);
		section.size_bytes = strlen(rows[i].path) + 21;
		bytes = write_elf(&app, ID_A, &size);
		scratch_write(&world.scratch, "bin/app", bytes, size);
		memory_free(bytes);
		bytes = write_elf(&common, rows[i].id, &size);
		scratch_write(&world.scratch, rows[i].file, bytes, size);
		memory_free(bytes);
		run(&world, "/usr/bin/app", ID_A);
		cr_expect(is_named(&world, "hidden"), "%s", rows[i].what);
		searched = find_searched_path(
			&world, rows[i].match == MATCH_MISSING ? rows[i].path : rows[i].file);
		cr_assert(searched, "%s", rows[i].what);
		cr_expect_eq(searched->match, rows[i].match, "%s: %d", rows[i].what,
			     searched->match);
		tear_down(&world);
	}
	assert_no_leaks();
}
