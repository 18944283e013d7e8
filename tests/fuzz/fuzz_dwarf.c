/* SPDX-License-Identifier: MIT */
/*
 * Debug information of an ELF file. It is read in this process, so that the sanitizers detect
 * faults of kiln; libdw is not built with sanitizers. For any input: the table is one that kiln
 * would accept.
 */
#include <stdint.h>
#include <unistd.h>

#include "dwarf/debug_reader.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#ifdef HAVE_LIBDW

#define ADDRESS_COUNT 64

static void check(const struct inline_table *table)
{
	struct inline_table again;
	struct error err;
	byte_list written = { .at = NULL };

	inline_table_init(&again);
	inline_table_write(table, &written);
	if (!inline_table_read(&again, span_of(written.at, written.count, 0, false), &err))
		__builtin_trap();
	inline_table_deinit(&again);
	vec_free(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct memory_file file;
	struct inline_table table;
	uint64_t addresses[ADDRESS_COUNT];
	struct dwarf_files files = { .shared_fd = -1, .wants_lines = size % 2 };
	struct dwarf_request question = {
		.addresses = addresses,
		.address_count = ADDRESS_COUNT,
		.places = { "", 0 },
	};
	struct dwarf_reader *reader;
	byte_list split_files = { .at = NULL };
	struct error err;

	/* These are addresses where small programs have their code. */
	for (uint64_t i = 0; i < ADDRESS_COUNT; i++)
		addresses[i] = 0x1000 + i * 0x20;
	memory_file_open(&file, bytes, size);
	files.fd = file.fd;
	inline_table_init(&table);
	reader = dwarf_reader_open(&files, &err);
	if (reader) {
		dwarf_reader_answer(reader, &question, NULL, &table, &split_files);
		check(&table);
		dwarf_reader_close(reader);
	}
	vec_free(&split_files);
	inline_table_deinit(&table);
	memory_file_close(&file);
	return 0;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return 0;
}

#endif
