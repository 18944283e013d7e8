/* SPDX-License-Identifier: MIT */
/* What was inlined in the kernel, which its image tells, whatever names its functions. */
#include <criterion/criterion.h>
#include <elf.h>

#include "dwarf/helper.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define KERNEL  0xffffffff81000000ull
#define LINKED  0x1000
#define ID      "aa00000000000000000000000000000000000001"
#define OTHER   "bb00000000000000000000000000000000000002"
#define ID_PATH ".build-id/aa/00000000000000000000000000000000000001/"

static const char list[] = "ffffffff81000000 T _text\n"
			   "ffffffff81000010 T schedule\n"
			   "ffffffff81001234 T _etext\n";

static void write_image(struct scratch *scratch, const char *hex)
{
	static const struct elf_writer_symbol symbols[] = {
		{ "_text", LINKED, 0, STT_NOTYPE, STB_GLOBAL, 0, ELF_WRITER_TEXT },
		{ "schedule", LINKED + 0x10, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	};
	struct dwarf_writer writer;
	struct build_id id;
	unsigned char *file;
	uint32_t inlined;
	size_t size_bytes;

	build_id_parse(text_of(hex), &id);
	dwarf_writer_init(&writer);
	writer.build_id = id.bytes;
	writer.symbols = symbols;
	writer.symbol_count = ARRAY_SIZE(symbols);
	inlined = dwarf_writer_abstract(&writer, "pick_next", NULL);
	dwarf_writer_function(&writer, "schedule", LINKED + 0x10, LINKED + 0x30);
	dwarf_writer_inlined(&writer, inlined, LINKED + 0x14, LINKED + 0x20, 7);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	file = dwarf_writer_finish(&writer, &size_bytes);
	scratch_write(scratch, "boot/vmlinux", file, size_bytes);
	memory_free(file);
}

static const struct {
	const char *what;
	const char *image_id; /* NULL: no image */
	bool has_list, wants_inlines;
	uint32_t count;
	const char *name;
} rows[] = {
	{ "the image alone", ID, false, true, 1, "schedule" },
	{ "a list and the image", ID, true, true, 1, "schedule" },
	{ "a list and the image of another kernel", OTHER, true, true, 0, "schedule" },
	{ "the image of another kernel", OTHER, false, true, 0, "" },
	{ "a list alone", NULL, true, true, 0, "schedule" },
	{ "not asked for", ID, true, false, 0, "schedule" },
};

static void check(size_t row, const struct dwarf_helper *helper)
{
	struct symbolise_options options = { .thread_count = 1 };
	struct module kernel = { .kind = MODULE_KERNEL, .reference_address = KERNEL };
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
	kernel.path = strings_intern_text(&strings, "[kernel.kallsyms]");
	kernel.reference_symbol = strings_intern_text(&strings, "_text");
	build_id_parse(text_of(ID), &kernel.build_id);
	id = locations_intern(&locations, modules_intern(&modules, &kernel), KERNEL + 0x18, false);
	if (rows[row].image_id)
		write_image(&scratch, rows[row].image_id);
	if (rows[row].has_list)
		scratch_write(&scratch, ID_PATH "kallsyms", list, strlen(list));
	path = scratch_path(&scratch, "");
	options.helper = rows[row].wants_inlines ? helper : NULL;
	symbolise_paths(&modules, &locations, &strings, &options, &path, 1);
	location = &locations.rows.at[id.i];
	cr_expect_str_eq(location->is_named ? strings_text(&strings, location->name) : "",
			 rows[row].name, "%s", rows[row].what);
	cr_expect_eq(location->inlined_count, rows[row].count, "%s: %u", rows[row].what,
		     location->inlined_count);
	if (rows[row].count)
		cr_expect_str_eq(strings_text(&strings, locations_innermost_name(&locations, id)),
				 "pick_next");
	modules_deinit(&modules);
	locations_deinit(&locations);
	strings_deinit(&strings);
	scratch_close(&scratch);
}

Test(kernel_inlines, by_the_image)
{
	struct dwarf_helper helper;

	if (!dwarf_helper_is_built_in())
		cr_skip_test("built without libdw");
	dwarf_helper_start(&helper);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(i, &helper);
	dwarf_helper_stop(&helper);
	assert_no_leaks();
}
