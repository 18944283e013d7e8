/* SPDX-License-Identifier: MIT */
/* Code whose debug information contains lines, but no function. */
#include <criterion/criterion.h>
#include <elf.h>

#include "dwarf/table_cache.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define ID    "aa00000000000000000000000000000000000002"
#define START 0x1010

static void write_program(const struct scratch *scratch, const struct build_id *id)
{
	const struct elf_writer_symbol symbol = { "spin",     START, 0x10,           STT_FUNC,
						  STB_GLOBAL, 0,     ELF_WRITER_TEXT };
	const struct elf_writer writer = {
		.text_address = 0x1000,
		.text_offset = 0x1000,
		.text_bytes = 0x100,
		.build_id = id->bytes,
		.build_id_bytes = id->size_bytes,
		.symbols = &symbol,
		.symbol_count = 1,
	};
	size_t size_bytes;
	unsigned char *file = elf_writer_write(&writer, &size_bytes);

	scratch_write(scratch, "program", file, size_bytes);
	memory_free(file);
}

/* Lines 7 and 8 of spin.s, before and in the function, as the assembler of clang describes them. */
static void store_lines(const char *directory, const struct build_id *id)
{
	static const char text[] = "spin.s";
	struct inline_table table;
	struct error err;

	inline_table_init(&table);
	table.has_lines = true;
	for (const char *at = text; at == text || at[-1]; at++)
		vec_push(&table.text, *at);
	vec_push(&table.covered, (struct inline_range){ 0x1000, 0x1020 });
	vec_push(&table.lines, (struct inline_line){ 0x1000, 1, 7 });
	vec_push(&table.lines, (struct inline_line){ START, 1, 8 });
	vec_push(&table.lines, (struct inline_line){ 0x1020, 0, 0 });
	inline_table_finish(&table);
	cr_assert(table_cache_store(directory, id, &table, &err), "%s", err.text);
	inline_table_deinit(&table);
}

static const struct row {
	uint64_t address;
	const char *name; /* empty: unnamed */
	uint32_t line;
} rows[] = {
	{ START - 4, "", 7 },
	{ START + 4, "spin", 8 },
};

static void check(const struct row *row, const struct service *helper)
{
	struct symbolise_options options = { .thread_count = 1,
					     .service = helper,
					     .wants_lines = true };
	struct module program = { .kind = MODULE_FILE };
	const struct location *location;
	struct modules modules;
	struct locations locations;
	struct strings strings;
	struct scratch scratch;
	char directory[sizeof(scratch.path)];
	const char *path;
	location_id id;

	scratch_open(&scratch);
	modules_init(&modules);
	locations_init(&locations);
	strings_init(&strings);
	program.path = strings_intern_text(&strings, "/bin/program");
	build_id_parse(text_of(ID), &program.build_id);
	id = locations_intern(&locations, modules_intern(&modules, &program), row->address, false);
	write_program(&scratch, &program.build_id);
	snprintf(directory, sizeof(directory), "%s", scratch_path(&scratch, "cache"));
	store_lines(directory, &program.build_id);
	options.table_cache = directory;
	path = scratch_path(&scratch, "program");
	symbolise_paths(&modules, &locations, &strings, &options, &path, 1);
	location = &locations.rows.at[id.i];
	cr_expect_eq(location->is_named, row->name[0] != '\0', "%#lx", (long)row->address);
	cr_expect_str_eq(strings_text(&strings, location->name), row->name);
	cr_expect_str_eq(strings_text(&strings, location->at.file), "spin.s");
	cr_expect_eq(location->at.line, row->line, "line %u", location->at.line);
	cr_expect_eq(location->inlined_count, 0);
	modules_deinit(&modules);
	locations_deinit(&locations);
	strings_deinit(&strings);
	scratch_close(&scratch);
}

Test(assembler_lines, without_functions)
{
	struct service helper;

	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i], &helper);
	service_stop(&helper);
	assert_no_leaks();
}
