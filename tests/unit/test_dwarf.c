/* SPDX-License-Identifier: MIT */
/* The process that reads debug information: dwarf/helper.h. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/support/dwarf_writer.h"
#include "tests/support/inline_request.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/random.h"

#ifdef HAVE_LIBDW

static unsigned char *make_nested(size_t *size_ret)
{
	struct dwarf_writer writer;
	uint32_t next;
	uint32_t scan;

	dwarf_writer_init(&writer);
	next = dwarf_writer_abstract(&writer, "next", "_Z4nextv");
	dwarf_writer_namespace(&writer, "text");
	scan = dwarf_writer_abstract(&writer, "scan", NULL);
	dwarf_writer_end(&writer);
	dwarf_writer_function(&writer, "other", 0x5000, 0x5100);
	dwarf_writer_end(&writer);
	dwarf_writer_function(&writer, "main", 0x1000, 0x1100);
	dwarf_writer_block(&writer);
	dwarf_writer_inlined(&writer, scan, 0x1010, 0x1080, 7);
	/* Ends after the function that it is inlined into, so it is clipped to that. */
	dwarf_writer_inlined(&writer, next, 0x1020, 0x10f0, 9);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	/* The linker removed its code. */
	dwarf_writer_inlined(&writer, next, 0, 0x1000, 11);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	return dwarf_writer_finish(&writer, size_ret);
}

Test(dwarf, callchains)
{
	static const struct {
		uint64_t address;
		const char *callchain;
	} rows[] = {
		{ 0x500, "" },
		{ 0x1000, "main" },
		{ 0x100f, "main" },
		{ 0x1010, "text::scan<main" },
		{ 0x1020, "_Z4nextv<text::scan<main" },
		{ 0x107f, "_Z4nextv<text::scan<main" },
		{ 0x1080, "main" },
		{ 0x10ff, "main" },
		{ 0x1100, "" },
		{ 0xa000, "" },
	};
	uint64_t addresses[ARRAY_SIZE(rows)];
	struct service helper;
	struct inline_table table;
	size_t size_bytes;
	unsigned char *file;

	inline_request_start(&helper);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		addresses[i] = rows[i].address;
	file = make_nested(&size_bytes);
	cr_assert(inline_request_addresses(&helper, file, size_bytes, addresses, ARRAY_SIZE(rows),
					   &table));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cr_expect_str_eq(inline_names_at(&table, rows[i].address), rows[i].callchain,
				 "%#lx", (long)rows[i].address);
		cr_expect(inline_table_covers(&table, rows[i].address), "%#lx",
			  (long)rows[i].address);
	}
	/* No address of the function at 0x5000 was requested. */
	cr_expect(!inline_table_covers(&table, 0x5000));
	inline_table_deinit(&table);
	memory_free(file);
	service_stop(&helper);
	assert_no_leaks();
}

/* Units with offsets of different sizes share a table of abbreviations. */
Test(dwarf, sizes_of_units)
{
	static const uint64_t addresses[] = { 0x1010, 0x9010 };
	struct dwarf_writer writer;
	struct service helper;
	struct inline_table table;
	size_t size_bytes;
	unsigned char *file;

	dwarf_writer_init(&writer);
	dwarf_writer_variable(&writer);
	dwarf_writer_function(&writer, "narrow", 0x1000, 0x1100);
	dwarf_writer_end(&writer);
	dwarf_writer_begin_wide_unit(&writer);
	dwarf_writer_variable(&writer);
	dwarf_writer_function(&writer, "wide", 0x9000, 0x9100);
	dwarf_writer_end(&writer);
	file = dwarf_writer_finish(&writer, &size_bytes);
	inline_request_start(&helper);
	cr_assert(inline_request_addresses(&helper, file, size_bytes, addresses,
					   ARRAY_SIZE(addresses), &table));
	cr_expect_str_eq(inline_names_at(&table, 0x1010), "narrow");
	cr_expect_str_eq(inline_names_at(&table, 0x9010), "wide");
	inline_table_deinit(&table);
	memory_free(file);
	service_stop(&helper);
	assert_no_leaks();
}

/* GNU C, D, Ada and others nest functions. Both are covered, so that both have lines. */
Test(dwarf, nested_function)
{
	static const uint64_t addresses[] = { 0x1010, 0x2010 };
	struct service helper;
	struct dwarf_writer writer;
	struct inline_table table;
	size_t size_bytes;
	unsigned char *file;

	dwarf_writer_init(&writer);
	dwarf_writer_function(&writer, "outer", 0x1000, 0x1100);
	dwarf_writer_function(&writer, "nested", 0x2000, 0x2100);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	file = dwarf_writer_finish(&writer, &size_bytes);
	inline_request_start(&helper);
	cr_expect(inline_request_addresses(&helper, file, size_bytes, addresses,
					   ARRAY_SIZE(addresses), &table));
	cr_expect_str_eq(inline_names_at(&table, 0x1010), "outer");
	cr_expect_str_eq(inline_names_at(&table, 0x2010), "outer::nested");
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		cr_expect(inline_table_covers(&table, addresses[i]), "%#lx", (long)addresses[i]);
	inline_table_deinit(&table);
	service_stop(&helper);
	memory_free(file);
	assert_no_leaks();
}

#define FORMS        "tests/fixtures/inlined/forms"
#define FORM_STEP    3
#define FORM_ADDRESS 0x600u
#define FORM_COUNT   512

/*
 * Reads the functions and lines at each address of the program, from one form of its debug
 * information.
 */
static void read_form(const struct service *helper, const char *name, struct inline_table *table)
{
	char places[300];
	int places_bytes;
	uint64_t addresses[FORM_COUNT];
	char path[200];
	char shared[200];
	struct error err = { .text = "" };
	struct dwarf_files files = { .wants_lines = true };
	struct dwarf_request request = {
		.addresses = addresses,
		.address_count = FORM_COUNT,
	};

	for (uint64_t i = 0; i < FORM_COUNT; i++)
		addresses[i] = FORM_ADDRESS + i * FORM_STEP;
	places_bytes = snprintf(places, sizeof(places), "R%s%cB%s/%s.dwp", FORMS, 0, FORMS, name);
	request.places = (struct text){ places, (uint32_t)places_bytes + 1 };
	snprintf(path, sizeof(path), FORMS "/%s", name);
	snprintf(shared, sizeof(shared), FORMS "/%s.common", name);
	files.fd = open(path, O_RDONLY | O_CLOEXEC);
	files.shared_fd = open(shared, O_RDONLY | O_CLOEXEC);
	cr_assert(files.fd >= 0, "%s", path);
	inline_table_init(table);
	cr_expect(inline_request_send(helper, &files, &request, table, NULL, &err), "%s: %s", name,
		  err.text);
	cr_expect(!table->is_incomplete, "%s", name);
	close(files.fd);
	if (files.shared_fd >= 0)
		close(files.shared_fd);
}

/*
 * All forms of debug information give the same answer: DWARF 4 and 5, split, packed, compressed and
 * shared.
 */
Test(dwarf, forms)
{
	static const char *const forms[] = {
		"four",        "split", "split-four", "split-types", "packed",
		"packed-four", "zlib",  "shared",     "zlib-gnu",
#ifdef HAVE_ZSTD
		"zstd",
#endif
	};
	struct service helper;
	struct inline_table plain;
	size_t found = 0;

	inline_request_start(&helper);
	read_form(&helper, "plain", &plain);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct inline_table table;

		read_form(&helper, forms[i], &table);
		for (uint64_t k = 0; k < FORM_COUNT; k++) {
			uint64_t address = FORM_ADDRESS + k * FORM_STEP;
			const struct inline_line *line = inline_table_find_line(&plain, address);
			const struct inline_line *other = inline_table_find_line(&table, address);
			char callchain[500];

			snprintf(callchain, sizeof(callchain), "%s",
				 inline_names_at(&plain, address));
			found += strchr(callchain, '<') != NULL;
			cr_expect_str_eq(inline_names_at(&table, address), callchain, "%s at %#lx",
					 forms[i], (long)address);
			cr_expect_eq(other ? other->line : 0, line ? line->line : 0, "%s at %#lx",
				     forms[i], (long)address);
		}
		inline_table_deinit(&table);
	}
	cr_expect(found > 40 * ARRAY_SIZE(forms), "%zu", found);
	inline_table_deinit(&plain);
	service_stop(&helper);
	assert_no_leaks();
}

/* The base name of a source file in the table. */
static const char *base_name(const struct inline_table *table, uint32_t file)
{
	const char *path = inline_table_text(table, file).at;
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The list of source files in a split file can be the list of its type units only. */
Test(dwarf, files_of_type_units)
{
	static const struct {
		const char *function, *call_file, *file;
	} rows[] = {
		{ "_ZN7Counter4nextEi", "type_unit.cpp", "type.h" },
		{ "_ZL10four_timesi", "type.h", "call.h" },
		{ "_ZL5twicei", "call.h", "call.h" },
	};
	struct service helper;
	struct inline_table table;

	inline_request_start(&helper);
	read_form(&helper, "type-unit", &table);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t found = 0;

		for (size_t k = 0; k < table.nodes.count; k++) {
			const struct inline_node *node = &table.nodes.at[k];

			if (!text_is(inline_table_text(&table, node->name), rows[i].function))
				continue;
			found++;
			cr_expect_str_eq(base_name(&table, node->call_file), rows[i].call_file);
			cr_expect_str_eq(base_name(&table, node->file), rows[i].file);
		}
		cr_expect(found > 0, "%s", rows[i].function);
	}
	inline_table_deinit(&table);
	service_stop(&helper);
	assert_no_leaks();
}

/* A file of split units in an archive. */
struct archived_split {
	const char *form; /* the program */
	const char *file; /* its split units */
	const char *name; /* of that file in the archive */
	bool is_found;
};

static void load_form(const char *name, byte_list *bytes)
{
	char path[200];
	FILE *file;
	int byte;

	snprintf(path, sizeof(path), FORMS "/%s", name);
	file = fopen(path, "re");
	cr_assert(file, "%s", path);
	while ((byte = getc(file)) != EOF)
		vec_push(bytes, (unsigned char)byte);
	fclose(file);
}

static void check_packed_split(const struct service *helper, const struct archived_split *row)
{
	static const char junk[70];
	uint64_t address = FORM_ADDRESS + 0x100;
	char places[300], used[200];
	struct memory_file program, archive; /* without split units beside them */
	struct inline_table table;
	byte_list code = { .at = NULL }, bytes = { .at = NULL }, taken = { .at = NULL };
	struct dwarf_files files = { .shared_fd = -1, .archive_count = 1 };
	struct dwarf_request request = { .addresses = &address, .address_count = 1 };
	struct error err;
	int length;

	load_form(row->form, &code);
	for (size_t i = 0; i < sizeof(junk); i++)
		vec_push(&bytes, (unsigned char)junk[i]);
	load_form(row->file, &bytes);
	memory_file_open(&program, code.at, code.count);
	memory_file_open(&archive, bytes.at, bytes.count);
	snprintf(used, sizeof(used), "A0:%zu:%zu:%s", sizeof(junk), bytes.count - sizeof(junk),
		 row->name);
	length = snprintf(places, sizeof(places), "P/bin/packed%c%s", 0, used);
	files.fd = program.fd;
	files.archive_fds = &archive.fd;
	request.places = (struct text){ places, (uint32_t)length + 1 };
	inline_table_init(&table);
	cr_expect(inline_request_send(helper, &files, &request, &table, &taken, &err));
	cr_expect_eq(table.is_incomplete, !row->is_found, "%s of %s", used, row->file);
	/* The list of files used has the archive entry, without a path. */
	cr_expect_eq(taken.count, row->is_found ? strlen(used) + 2 : 0, "%s", used);
	cr_expect(!taken.count || strcmp((const char *)taken.at, used) == 0, "%s", used);
	inline_table_deinit(&table);
	vec_free(&taken);
	vec_free(&bytes);
	vec_free(&code);
	memory_file_close(&archive);
	memory_file_close(&program);
}

/* Split units in an archive are used if name and id match, and are reported as used. */
Test(dwarf, packed_split_files)
{
	static const struct archived_split rows[] = {
		{ "split", "split.dwo", "split.dwo", true },
		{ "split", "split.dwo", "other.dwo", false },
		{ "split", "plain", "split.dwo", false },
		{ "packed", "packed.dwp", "packed.dwp", true },
		{ "packed", "packed.dwp", "other.dwp", false },
		{ "packed", "packed-four.dwp", "packed.dwp", false },
		{ "packed", "plain", "packed.dwp", false },
	};
	struct service helper;

	inline_request_start(&helper);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_packed_split(&helper, &rows[i]);
	service_stop(&helper);
	assert_no_leaks();
}

/* Without the file of split units the table is marked as incomplete. */
Test(dwarf, split_file_is_missing)
{
	uint64_t address = FORM_ADDRESS + 0x100;
	struct service helper;
	struct inline_table table;
	struct error err;
	struct dwarf_files files = {
		.fd = open(FORMS "/split", O_RDONLY | O_CLOEXEC),
		.shared_fd = -1,
	};
	struct dwarf_request request = {
		.addresses = &address,
		.address_count = 1,
		.places = { "", 0 },
	};

	inline_request_start(&helper);
	inline_table_init(&table);
	cr_expect(inline_request_send(&helper, &files, &request, &table, NULL, &err));
	cr_expect(table.is_incomplete);
	inline_table_deinit(&table);
	close(files.fd);
	files.fd = open(FORMS "/shared", O_RDONLY | O_CLOEXEC);
	inline_table_init(&table);
	cr_expect(inline_request_send(&helper, &files, &request, &table, NULL, &err));
	cr_expect(table.is_incomplete);
	inline_table_deinit(&table);
	close(files.fd);
	service_stop(&helper);
}

/*
 * Functions that are nested more deeply than any compiler nests them. Names above the limit are
 * still correct.
 */
Test(dwarf, depth)
{
	static const uint64_t address = 0x1800;
	struct service helper;
	struct dwarf_writer writer;
	struct inline_table table;
	size_t size_bytes;
	unsigned char *file;
	uint32_t next;

	dwarf_writer_init(&writer);
	next = dwarf_writer_abstract(&writer, "next", NULL);
	dwarf_writer_function(&writer, "main", 0x1000, 0x2000);
	for (int i = 0; i < 2000; i++)
		dwarf_writer_inlined(&writer, next, 0x1000, 0x2000, 1);
	for (int i = 0; i < 2001; i++)
		dwarf_writer_end(&writer);
	file = dwarf_writer_finish(&writer, &size_bytes);
	inline_request_start(&helper);
	cr_expect(inline_request_addresses(&helper, file, size_bytes, &address, 1, &table));
	cr_expect_neq(inline_table_find(&table, address), INLINE_NONE);
	inline_table_deinit(&table);
	service_stop(&helper);
	memory_free(file);
}

/* Corrupt files end in an answer, not in a crash or a hang. */
Test(dwarf, damage)
{
	struct random random = { 5 };
	struct service helper;
	size_t size_bytes;
	unsigned char *file = make_nested(&size_bytes);
	uint64_t addresses[] = { 0x1010, 0x1030, 0x5000, 0x8000 };

	inline_request_start(&helper);
	for (int round = 0; round < 200; round++) {
		unsigned char *copy = memory_alloc(size_bytes, 1);
		struct inline_table table;

		memcpy(copy, file, size_bytes);
		for (int i = 0; i < 4; i++)
			copy[random_below(&random, (uint32_t)size_bytes)] =
				(unsigned char)random_below(&random, 256);
		inline_request_addresses(&helper, copy, size_bytes, addresses,
					 ARRAY_SIZE(addresses), &table);
		for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
			inline_names_at(&table, addresses[i]);
		inline_table_deinit(&table);
		memory_free(copy);
	}
	service_stop(&helper);
	memory_free(file);
}

#endif
