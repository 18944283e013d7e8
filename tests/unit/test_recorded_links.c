/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <elf.h>
#include <unistd.h>

#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define ID           "aa00000000000000000000000000000000000001"
#define TEXT_OFFSET  0x600
#define TEXT_ADDRESS 0x401000

/* A capture of this machine with one module. */
struct world {
	struct scratch scratch;
	struct modules modules;
	struct locations locations;
	struct strings strings;
	struct symbolise_options options;
};

static void set_up(struct world *world)
{
	*world = (struct world){ .options = { .use_host_files = true, .thread_count = 1 } };
	scratch_open(&world->scratch);
	modules_init(&world->modules);
	locations_init(&world->locations);
	strings_init(&world->strings);
}

static void tear_down(struct world *world)
{
	modules_deinit(&world->modules);
	locations_deinit(&world->locations);
	strings_deinit(&world->strings);
	scratch_close(&world->scratch);
}

static void write_program(const struct world *world, const char *name)
{
	static const struct elf_writer_symbol symbols[] = {
		{ "first", TEXT_ADDRESS, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	};
	struct build_id id;
	struct elf_writer writer = { .symbols = symbols,
				     .symbol_count = ARRAY_SIZE(symbols),
				     .text_offset = TEXT_OFFSET,
				     .text_address = TEXT_ADDRESS,
				     .text_bytes = 0x100 };
	size_t size;
	unsigned char *bytes;

	cr_assert(build_id_parse(text_of(ID), &id));
	writer.build_id = id.bytes;
	writer.build_id_bytes = id.size_bytes;
	bytes = elf_writer_write(&writer, &size);
	scratch_write(&world->scratch, name, bytes, size);
	memory_free(bytes);
}

static void expect_match(struct world *world, const struct module *module, uint64_t address,
			 enum match_status match, const char *reason)
{
	module_id id = modules_intern(&world->modules, module);
	const char *found;

	locations_intern(&world->locations, id, address, false);
	symbolise_paths(&world->modules, &world->locations, &world->strings, &world->options, NULL,
			0);
	module = modules_get(&world->modules, id);
	found = strings_text(&world->strings, module->reason);
	cr_expect_eq(module->match, match, "%d: %s", module->match, found);
	cr_expect_eq(module->named_count, match == MATCH_VERIFIED, "%s", found);
	cr_expect(strstr(found, reason), "\"%s\" is not in \"%s\"", reason, found);
}

/* The kernel records no links; directories of the path may have become links since. */
Test(recorded_links, programs)
{
	static const struct {
		const char *path, *build_id;
		enum match_status match;
		const char *reason;
	} rows[] = {
		{ "usr/lib/app", ID, MATCH_VERIFIED, "" },
		{ "lib/app", ID, MATCH_VERIFIED, "" },
		{ "usr/lib/link", ID, MATCH_MISMATCHED, "is a symbolic link" },
		{ "lib/link", "", MATCH_MISMATCHED, "is a symbolic link" },
		{ "lib/nothing", "", MATCH_MISMATCHED, "is a symbolic link" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module module = { .kind = MODULE_FILE };
		struct world world;

		set_up(&world);
		write_program(&world, "usr/lib/app");
		scratch_link(&world.scratch, "lib", "usr/lib");
		scratch_link(&world.scratch, "usr/lib/link", "app");
		scratch_link(&world.scratch, "usr/lib/nothing", "none");
		module.path = strings_intern_text(&world.strings,
						  scratch_path(&world.scratch, rows[i].path));
		build_id_parse(text_of(rows[i].build_id), &module.build_id);
		expect_match(&world, &module, TEXT_OFFSET, rows[i].match, rows[i].reason);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* Anyone can create a link at the path of a perf map, and it may lead to a file of root. */
Test(recorded_links, perf_maps)
{
	static const char map[] = "1000 20 f\n";
	/* No process has so large a PID. */
	struct module module = { .kind = MODULE_ANONYMOUS, .pid = 0x70000000 + (uint32_t)getpid() };
	struct world world;
	char path[64];

	set_up(&world);
	scratch_write(&world.scratch, "map", map, sizeof(map) - 1);
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", (unsigned)module.pid);
	cr_assert_eq(symlink(scratch_path(&world.scratch, "map"), path), 0);
	module.path = strings_intern_text(&world.strings, "//anon");
	expect_match(&world, &module, 0x1001, MATCH_MISMATCHED, "is a symbolic link");
	cr_expect_eq(unlink(path), 0);
	tear_down(&world);
	assert_no_leaks();
}
