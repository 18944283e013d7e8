/* SPDX-License-Identifier: MIT */
/* Debug information of kernel modules, which are not linked. */
#include "dwarf/relocation.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "dwarf/helper.h"
#include "symbolise/symbolise.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#ifdef HAVE_LIBDW

#define MODULES     "tests/fixtures/inlined/modules/"
#define CODE_BYTES  0x140u
#define NOT_READ_IN 0x3000u /* linked: a section that the kernel drops */

static void ask(const struct service *helper, int fd, uint64_t first, struct inline_table *table,
		struct error *err)
{
	uint64_t addresses[CODE_BYTES];
	struct dwarf_files files = { .fd = fd, .shared_fd = -1, .wants_lines = true };
	struct dwarf_request question = {
		.addresses = addresses,
		.address_count = CODE_BYTES,
		.places = { "", 0 },
	};
	struct dwarf_reading reading;

	*err = (struct error){ .text = "" };
	for (uint64_t i = 0; i < CODE_BYTES; i++)
		addresses[i] = first + i;
	inline_table_init(table);
	if (!dwarf_helper_begin(helper, &files, &reading, err))
		return;
	dwarf_reading_send(&reading, &question);
	cr_expect_eq(dwarf_reading_receive(&reading, NULL, table, NULL, err), !*err->text);
}

static void ask_file(const struct service *helper, const char *name, uint64_t first,
		     struct inline_table *table)
{
	struct error err;
	char path[200];
	int fd;

	snprintf(path, sizeof(path), MODULES "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert(fd >= 0, "%s", path);
	ask(helper, fd, first, table, &err);
	cr_expect_str_eq(err.text, "", "%s: %s", name, err.text);
	close(fd);
}

/* The names at an address, innermost first, with "<" between them, and the line. */
static void write_place(const struct inline_table *table, uint64_t address, char text[300])
{
	const struct inline_line *line = inline_table_find_line(table, address);
	uint32_t node = inline_table_find(table, address);

	snprintf(text, 300, "%u:", line ? line->line : 0);
	for (; node != INLINE_NONE; node = table->nodes.at[node].parent)
		snprintf(text + strlen(text), 300 - strlen(text), "<%s",
			 inline_table_text(table, table->nodes.at[node].name).at);
}

/* A module gives the same answer for each address as the same code linked to that address. */
Test(relocation, as_if_linked)
{
	static const struct {
		const char *module, *linked;
	} rows[] = {
		{ "five.ko", "five" },
		{ "four.ko", "four" },
		{ "packed.ko", "five" },
		{ "aarch64.ko", "aarch64" },
	};
	struct service helper;

	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct inline_table module, linked;
		size_t inlined_count = 0;

		ask_file(&helper, rows[i].module, DWARF_MODULE_START, &module);
		ask_file(&helper, rows[i].linked, DWARF_MODULE_START, &linked);
		for (uint64_t k = 0; k < CODE_BYTES; k++) {
			char got[300], expected[300];

			write_place(&module, DWARF_MODULE_START + k, got);
			write_place(&linked, DWARF_MODULE_START + k, expected);
			cr_expect_str_eq(got, expected, "%s at %#lx", rows[i].module, (long)k);
			inlined_count += strstr(expected, "<mix<twice<") != NULL;
		}
		cr_expect(inlined_count > 10, "%s: %zu", rows[i].module, inlined_count);
		inline_table_deinit(&module);
		inline_table_deinit(&linked);
		/* Initialisation code is far away. */
		ask_file(&helper, rows[i].module, NOT_READ_IN, &module);
		cr_expect_eq(module.nodes.count, 0);
		inline_table_deinit(&module);
	}
	service_stop(&helper);
	assert_no_leaks();
}

static unsigned char *write_module(const struct dwarf_writer_relocation *first, size_t count,
				   uint16_t machine, uint32_t type, size_t *size_ret)
{
	struct dwarf_writer writer;
	uint32_t inlined;

	dwarf_writer_init_module(&writer, machine, type);
	for (size_t i = 0; i < count; i++)
		vec_push(&writer.relocations, first[i]);
	inlined = dwarf_writer_abstract(&writer, "pick", NULL);
	dwarf_writer_function(&writer, "choose", 0x10, 0x30);
	dwarf_writer_inlined(&writer, inlined, 0x14, 0x20, 7);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	return dwarf_writer_finish(&writer, size_ret);
}

Test(relocation, what_files_may_ask_for)
{
	/* These come before the valid relocations. */
	static const struct dwarf_writer_relocation odd[] = {
		{ UINT64_MAX, 0, R_X86_64_64, 1 }, /* beyond the section */
		{ UINT64_MAX - 3, 0, R_X86_64_64, 1 },
		{ 40000, 0, R_X86_64_32, 1 },
		{ 0, 7, R_X86_64_64, 2 }, /* of a symbol that does not exist */
		{ 0, 7, R_X86_64_64, UINT32_MAX },
		{ 0, 7, R_X86_64_64, 0 },       /* of an undefined symbol */
		{ 0, 7, R_X86_64_DTPOFF64, 1 }, /* of another kind */
	};
	static const struct {
		uint16_t machine;
		uint32_t type;
		size_t odd_count;
		const char *at_0x18, *error;
	} rows[] = {
		{ EM_X86_64, R_X86_64_64, 0, "0:<pick<choose", "" },
		{ EM_X86_64, R_X86_64_64, ARRAY_SIZE(odd), "0:<pick<choose", "" },
		{ EM_AARCH64, R_AARCH64_ABS64, 0, "0:<pick<choose", "" },
		{ EM_AARCH64, R_X86_64_64, 0, "0:", "" },
		{ EM_S390, R_390_64, 0, "0:", "not supported for this architecture" },
	};
	struct service helper;

	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t size_bytes;
		unsigned char *bytes = write_module(odd, rows[i].odd_count, rows[i].machine,
						    rows[i].type, &size_bytes);
		struct memory_file file;
		struct inline_table table;
		struct error err;
		char text[300];

		memory_file_open(&file, bytes, size_bytes);
		ask(&helper, file.fd, DWARF_MODULE_START, &table, &err);
		cr_expect(strstr(err.text, rows[i].error), "row %zu: %s", i, err.text);
		write_place(&table, DWARF_MODULE_START + 0x18, text);
		cr_expect_str_eq(text, rows[i].at_0x18, "row %zu: %s", i, text);
		inline_table_deinit(&table);
		memory_file_close(&file);
		memory_free(bytes);
	}
	service_stop(&helper);
	assert_no_leaks();
}

/* Numbers of a little-endian file. */
static uint64_t load(const unsigned char *at, size_t size_bytes)
{
	uint64_t value = 0;

	for (size_t i = size_bytes; i-- > 0;)
		value = value << 8 | at[i];
	return value;
}

static void store(unsigned char *at, uint64_t value, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++)
		at[i] = (unsigned char)(value >> (8 * i));
}

/* Copies the section headers to the end of the file, with more of the last table of relocations. */
static unsigned char *repeat_table(const unsigned char *bytes, size_t *size_bytes, size_t count,
				   uint32_t link)
{
	const size_t header_bytes = sizeof(Elf64_Shdr);
	uint64_t headers = load(bytes + offsetof(Elf64_Ehdr, e_shoff), 8);
	size_t section_count = load(bytes + offsetof(Elf64_Ehdr, e_shnum), 2);
	size_t begin = (*size_bytes + 7) & ~(size_t)7;
	size_t result_bytes = begin + (section_count + count) * header_bytes;
	unsigned char *result = memory_zalloc(result_bytes, 1);
	unsigned char *table = result + begin + (section_count - 1) * header_bytes;

	memcpy(result, bytes, *size_bytes);
	memcpy(result + begin, bytes + headers, section_count * header_bytes);
	cr_assert_eq(load(table + offsetof(Elf64_Shdr, sh_type), 4), SHT_RELA);
	if (link)
		store(table + offsetof(Elf64_Shdr, sh_link), link, 4);
	for (size_t i = 1; i <= count; i++)
		memcpy(table + i * header_bytes, table, header_bytes);
	store(result + offsetof(Elf64_Ehdr, e_shoff), begin, 8);
	store(result + offsetof(Elf64_Ehdr, e_shnum), section_count + count, 2);
	*size_bytes = result_bytes;
	return result;
}

/* Tables that would take more time than the file is large, and one without its symbols. */
Test(relocation, corrupt_tables)
{
	static const struct dwarf_writer_relocation many[2000] = { { 0, 0, R_X86_64_64, 0 } };
	static const struct {
		size_t row_count, repeat_count;
		uint32_t link;
		const char *error;
	} rows[] = {
		{ 0, 63, 0, "" },
		{ 0, 64, 0, "more relocation tables than the limit of 64" },
		{ ARRAY_SIZE(many), 1, 0, "more relocations than fit into the file" },
		{ 0, 0, 999, ".debug_info: corrupt relocations" },
	};
	struct service helper;

	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t size_bytes;
		unsigned char *module =
			write_module(many, rows[i].row_count, EM_X86_64, R_X86_64_64, &size_bytes);
		unsigned char *bytes =
			repeat_table(module, &size_bytes, rows[i].repeat_count, rows[i].link);
		struct memory_file file;
		struct inline_table table;
		struct error err;

		memory_file_open(&file, bytes, size_bytes);
		ask(&helper, file.fd, DWARF_MODULE_START, &table, &err);
		cr_expect(*rows[i].error ? strstr(err.text, rows[i].error) != NULL : !*err.text,
			  "row %zu: %s", i, err.text);
		inline_table_deinit(&table);
		memory_file_close(&file);
		memory_free(bytes);
		memory_free(module);
	}
	service_stop(&helper);
	assert_no_leaks();
}

#endif
