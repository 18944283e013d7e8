/* SPDX-License-Identifier: MIT */
/*
 * Inlined functions of the kernel and its modules: these are read from the files, whatever the
 * source of function names is.
 */
#include <criterion/criterion.h>
#include <elf.h>

#include "dwarf/helper.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define KERNEL    0xffffffff81000000ull
#define LINKED    0x1000
#define EXT4      0xffffffffc0001000ull
#define KERNEL_ID "aa00000000000000000000000000000000000001"
#define EXT4_ID   "cc00000000000000000000000000000000000003"
#define OTHER_ID  "bb00000000000000000000000000000000000002"
#define LIST_PATH ".build-id/aa/00000000000000000000000000000000000001/kallsyms"

static const char list[] = "ffffffff81000000 T _text\n"
			   "ffffffff81000010 T schedule\n"
			   "ffffffff81001234 T _etext\n"
			   "ffffffffc0001010 t choose\t[ext4]\n";

/* Writes a file with a function of 0x20 bytes, into whose middle another one is inlined. */
static void write_file(struct scratch *scratch, const char *path, struct dwarf_writer *writer,
		       const char *name, uint64_t start, const char *inlined_name)
{
	uint32_t inlined = dwarf_writer_abstract(writer, inlined_name, NULL);
	unsigned char *file;
	size_t size_bytes;

	dwarf_writer_function(writer, name, start, start + 0x20);
	dwarf_writer_inlined(writer, inlined, start + 4, start + 0x10, 7);
	dwarf_writer_end(writer);
	dwarf_writer_end(writer);
	file = dwarf_writer_finish(writer, &size_bytes);
	scratch_write(scratch, path, file, size_bytes);
	memory_free(file);
}

static void write_image(struct scratch *scratch, const struct build_id *id)
{
	static const struct elf_writer_symbol symbols[] = {
		{ "_text", LINKED, 0, STT_NOTYPE, STB_GLOBAL, 0, ELF_WRITER_TEXT },
		{ "schedule", LINKED + 0x10, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	};
	struct dwarf_writer writer;

	dwarf_writer_init(&writer);
	writer.build_id = id->bytes;
	writer.symbols = symbols;
	writer.symbol_count = ARRAY_SIZE(symbols);
	write_file(scratch, "boot/vmlinux", &writer, "schedule", LINKED + 0x10, "pick_next");
}

static void write_module(struct scratch *scratch, const struct build_id *id)
{
	struct dwarf_writer writer;

	dwarf_writer_init_module(&writer, EM_X86_64, R_X86_64_64);
	writer.build_id = id->bytes;
	write_file(scratch, "modules/ext4.ko", &writer, "choose", 0x10, "pick");
}

static const struct subject {
	const char *what, *id;
	uint64_t start;
	void (*write)(struct scratch *scratch, const struct build_id *id);
	const char *name, *inlined_name;
} subjects[] = {
	{ "the kernel", KERNEL_ID, KERNEL, write_image, "schedule", "pick_next" },
	{ "a module", EXT4_ID, EXT4, write_module, "choose", "pick" },
};

enum file {
	FILE_NONE,
	FILE_OWN,
	FILE_OF_ANOTHER_BUILD,
};

static const struct row {
	const char *what;
	enum file file;
	bool has_list, wants_inlines;
	uint32_t count;
	bool is_named;
} rows[] = {
	{ "its file alone", FILE_OWN, false, true, 1, true },
	{ "a list and its file", FILE_OWN, true, true, 1, true },
	{ "a list and a file of another build", FILE_OF_ANOTHER_BUILD, true, true, 0, true },
	{ "a file of another build", FILE_OF_ANOTHER_BUILD, false, true, 0, false },
	{ "a list alone", FILE_NONE, true, true, 0, true },
	{ "not asked for", FILE_OWN, true, false, 0, true },
};

static void write_files(struct scratch *scratch, const struct subject *subject,
			const struct row *row)
{
	struct build_id id;

	build_id_parse(text_of(row->file == FILE_OWN ? subject->id : OTHER_ID), &id);
	if (row->file != FILE_NONE)
		subject->write(scratch, &id);
	if (row->has_list)
		scratch_write(scratch, LIST_PATH, list, strlen(list));
}

/* Adds the kernel and a module of it; returns the one that is the subject. */
static module_id add_modules(struct modules *modules, struct strings *strings,
			     const struct subject *subject)
{
	struct module kernel = { .kind = MODULE_KERNEL, .reference_address = KERNEL };
	struct module ext4 = {
		.kind = MODULE_KERNEL_MODULE,
		.start = EXT4,
		.end = EXT4 + 0x1000,
	};
	module_id ids[2];

	kernel.path = strings_intern_text(strings, "[kernel.kallsyms]");
	kernel.reference_symbol = strings_intern_text(strings, "_text");
	build_id_parse(text_of(KERNEL_ID), &kernel.build_id);
	ext4.path = strings_intern_text(strings, "[ext4]");
	build_id_parse(text_of(EXT4_ID), &ext4.build_id);
	ids[0] = modules_intern(modules, &kernel);
	ids[1] = modules_intern(modules, &ext4);
	return ids[subject->start == EXT4];
}

static void check(const struct subject *subject, const struct row *row,
		  const struct service *helper)
{
	struct symbolise_options options = { .thread_count = 1 };
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
	id = locations_intern(&locations, add_modules(&modules, &strings, subject),
			      subject->start + 0x18, false);
	write_files(&scratch, subject, row);
	path = scratch_path(&scratch, "");
	options.service = row->wants_inlines ? helper : NULL;
	symbolise_paths(&modules, &locations, &strings, &options, &path, 1);
	location = &locations.rows.at[id.i];
	cr_expect_str_eq(location->is_named ? strings_text(&strings, location->name) : "",
			 row->is_named ? subject->name : "", "%s, %s", subject->what, row->what);
	cr_expect_eq(location->inlined_count, row->count, "%s, %s: %u", subject->what, row->what,
		     location->inlined_count);
	if (row->count)
		cr_expect_str_eq(strings_text(&strings, locations_innermost_name(&locations, id)),
				 subject->inlined_name);
	modules_deinit(&modules);
	locations_deinit(&locations);
	strings_deinit(&strings);
	scratch_close(&scratch);
}

Test(kernel_inlines, by_the_file)
{
	struct service helper;

	if (!dwarf_helper_is_built_in())
		cr_skip_test("built without libdw");
	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
			check(&subjects[i], &rows[k], &helper);
	service_stop(&helper);
	assert_no_leaks();
}
