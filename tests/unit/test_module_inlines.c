/* SPDX-License-Identifier: MIT */
/* What was inlined in kernel modules, which their files tell, whatever names their functions. */
#include <criterion/criterion.h>
#include <elf.h>

#include "dwarf/helper.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define KERNEL    0xffffffff81000000ull
#define EXT4      0xffffffffc0001000ull
#define KERNEL_ID "aa00000000000000000000000000000000000001"
#define ID        "cc00000000000000000000000000000000000003"
#define OTHER     "dd00000000000000000000000000000000000004"
#define ID_PATH   ".build-id/aa/00000000000000000000000000000000000001/"

static const char list[] = "ffffffff81000000 T _text\n"
			   "ffffffff81001234 T _etext\n"
			   "ffffffffc0001010 t choose\t[ext4]\n";

static void write_module(struct scratch *scratch, const char *hex)
{
	struct dwarf_writer writer;
	struct build_id id;
	unsigned char *file;
	uint32_t inlined;
	size_t size_bytes;

	build_id_parse(text_of(hex), &id);
	dwarf_writer_init_module(&writer, EM_X86_64, R_X86_64_64);
	writer.build_id = id.bytes;
	inlined = dwarf_writer_abstract(&writer, "pick", NULL);
	dwarf_writer_function(&writer, "choose", 0x10, 0x30);
	dwarf_writer_inlined(&writer, inlined, 0x14, 0x20, 7);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	file = dwarf_writer_finish(&writer, &size_bytes);
	scratch_write(scratch, "modules/ext4.ko", file, size_bytes);
	memory_free(file);
}

static const struct {
	const char *what;
	const char *file_id; /* NULL: no file */
	bool has_list, wants_inlines;
	uint32_t count;
	const char *name;
} rows[] = {
	{ "the file alone", ID, false, true, 1, "choose" },
	{ "a list and the file", ID, true, true, 1, "choose" },
	{ "a list and the file of another build", OTHER, true, true, 0, "choose" },
	{ "the file of another build", OTHER, false, true, 0, "" },
	{ "a list alone", NULL, true, true, 0, "choose" },
	{ "not asked for", ID, true, false, 0, "choose" },
};

static void check(size_t row, const struct dwarf_helper *helper)
{
	struct symbolise_options options = { .thread_count = 1 };
	struct module kernel = { .kind = MODULE_KERNEL, .reference_address = KERNEL };
	struct module ext4 = {
		.kind = MODULE_KERNEL_MODULE,
		.start = EXT4,
		.end = EXT4 + 0x1000,
	};
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
	build_id_parse(text_of(KERNEL_ID), &kernel.build_id);
	ext4.path = strings_intern_text(&strings, "[ext4]");
	build_id_parse(text_of(ID), &ext4.build_id);
	modules_intern(&modules, &kernel);
	id = locations_intern(&locations, modules_intern(&modules, &ext4), EXT4 + 0x18, false);
	if (rows[row].file_id)
		write_module(&scratch, rows[row].file_id);
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
				 "pick");
	modules_deinit(&modules);
	locations_deinit(&locations);
	strings_deinit(&strings);
	scratch_close(&scratch);
}

Test(module_inlines, by_the_file)
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
