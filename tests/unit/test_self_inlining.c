/* SPDX-License-Identifier: MIT */
/* A function that is inlined into itself, and whose symbol has another name than debug information. */
#include <criterion/criterion.h>
#include <elf.h>

#include "dwarf/helper.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define ID    "aa00000000000000000000000000000000000001"
#define START 0x1010

static const struct row {
	const char *what;
	const char *symbol, *function, *inlined, *scope; /* scope may be NULL */
	bool keeps_suffixes, uses_perf_names;
	const char *name, *inlined_name; /* inlined_name is NULL if it is not shown */
} rows[] = {
	{ "an alias", "setb", "__GI_setb", "__GI_setb", NULL, false, false, "setb", "setb" },
	{ "another function", "setb", "__GI_setb", "__GI_put", NULL, false, false, "setb",
	  "__GI_put" },
	{ "functions whose names are not unique", "setb", "run", "run", "net", false, false, "setb",
	  "net::run" },
	{ "functions without their scopes", "_ZN3net3runEv", "run", "run", NULL, false, false,
	  "_ZN3net3runEv", "run" },
	{ "functions whose template arguments have scopes", "_ZN3net3runIN1a1bEEEvv", "run<a::b>",
	  "run<a::b>", NULL, false, false, "_ZN3net3runIN1a1bEEEvv", "run<a::b>" },
	{ "an alias of a mangled name", "_ZN3net4walkEv", "_ZN3net3runEv", "_ZN3net3runEv", NULL,
	  false, false, "_ZN3net4walkEv", "_ZN3net4walkEv" },
	{ "a clone", "setb.constprop.0", "setb", "setb", NULL, true, false, "setb.constprop.0",
	  "setb" },
	{ "perf's names", "setb", "__GI_setb", "__GI_setb", NULL, false, true, "setb",
	  "__GI_setb" },
	{ "a function without a name", "setb", "setb", "", NULL, false, false, "setb", NULL },
};

static void write_file(const struct scratch *scratch, const struct row *row,
		       const struct build_id *id)
{
	const struct elf_writer_symbol symbol = { row->symbol, START, 0x20,           STT_FUNC,
						  STB_GLOBAL,  0,     ELF_WRITER_TEXT };
	struct dwarf_writer writer;
	unsigned char *file;
	size_t size_bytes;
	uint32_t inlined;

	dwarf_writer_init(&writer);
	writer.build_id = id->bytes;
	writer.symbols = &symbol;
	writer.symbol_count = 1;
	if (row->scope)
		dwarf_writer_namespace(&writer, row->scope);
	inlined = dwarf_writer_abstract(&writer, row->inlined, NULL);
	dwarf_writer_function(&writer, row->function, START, START + 0x20);
	dwarf_writer_inlined(&writer, inlined, START + 4, START + 0x10, 7);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	if (row->scope)
		dwarf_writer_end(&writer);
	file = dwarf_writer_finish(&writer, &size_bytes);
	scratch_write(scratch, "program", file, size_bytes);
	memory_free(file);
}

static void check(const struct row *row, const struct service *helper)
{
	struct symbolise_options options = { .thread_count = 1,
					     .service = helper,
					     .fold_suffixes = !row->keeps_suffixes,
					     .perf_names = row->uses_perf_names };
	struct module program = { .kind = MODULE_FILE };
	const struct location *location;
	struct modules modules;
	struct locations locations;
	struct strings strings;
	struct scratch scratch;
	const char *path;
	location_id id;

	scratch_open(&scratch);
	modules_init(&modules);
	locations_init(&locations);
	strings_init(&strings);
	program.path = strings_intern_text(&strings, "/bin/program");
	build_id_parse(text_of(ID), &program.build_id);
	id = locations_intern(&locations, modules_intern(&modules, &program), START + 8, false);
	write_file(&scratch, row, &program.build_id);
	path = scratch_path(&scratch, "");
	symbolise_paths(&modules, &locations, &strings, &options, &path, 1);
	location = &locations.rows.at[id.i];
	cr_expect_str_eq(strings_text(&strings, location->name), row->name, "%s", row->what);
	cr_expect_eq(location->inlined_count, row->inlined_name != NULL, "%s: %u", row->what,
		     location->inlined_count);
	cr_expect_str_eq(strings_text(&strings, locations_innermost_name(&locations, id)),
			 row->inlined_name ? row->inlined_name : row->name, "%s", row->what);
	modules_deinit(&modules);
	locations_deinit(&locations);
	strings_deinit(&strings);
	scratch_close(&scratch);
}

Test(self_inlining, names)
{
	struct service helper;

	if (!dwarf_helper_is_built_in())
		cr_skip_test("built without libdw");
	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i], &helper);
	service_stop(&helper);
	assert_no_leaks();
}
