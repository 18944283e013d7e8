/* SPDX-License-Identifier: MIT */
/*
 * Debug information in two files: a program with skeletons, and the file with the split units, a
 * package, or the shared part (dwz). As in fuzz_dwarf, they are read in this process.
 *
 *     | u24 size of the program | u8 flags | program | second file |
 */
#include <stdint.h>
#include <unistd.h>

#include "dwarf/debug_reader.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#ifdef HAVE_LIBDW

#define HEADER_BYTES  4
#define ADDRESS_COUNT 64

enum {
	FLAG_LINES = 1,
	FLAG_PACKAGE = 2, /* the second file is a package, not the file of a unit */
	FLAG_SHARED = 4,  /* the second file is the shared part of several programs */
};

/* Opens the second file, whatever path is requested. */
static int open_second(void *context, const char *offer, const char *path)
{
	const struct memory_file *second = context;

	(void)offer;
	(void)path;
	return dup(second->fd);
}

static void read_both(const struct memory_file *program, struct memory_file *second, uint8_t flags)
{
	uint64_t addresses[ADDRESS_COUNT];
	struct dwarf_files files = {
		.fd = program->fd,
		.shared_fd = flags & FLAG_SHARED ? second->fd : -1,
		/* The libdw of elfutils 0.188 crashes if the lines of a package are corrupt. */
		.wants_lines = flags & FLAG_LINES && !(flags & FLAG_PACKAGE),
	};
	struct dwarf_request question = {
		.addresses = addresses,
		.address_count = ADDRESS_COUNT,
		.places = flags & FLAG_PACKAGE ? (struct text){ "B", 2 } : (struct text){ "H", 2 },
	};
	const struct dwarf_opener opener = { open_second, second };
	struct inline_table table;
	byte_list used = { .at = NULL };
	struct dwarf_reader *reader;
	struct error err;

	/* These are addresses where the programs of the seeds have their code. */
	for (uint64_t i = 0; i < ADDRESS_COUNT; i++)
		addresses[i] = 0x600 + i * 0x20;
	inline_table_init(&table);
	reader = dwarf_reader_open(&files, &err);
	if (reader) {
		dwarf_reader_answer(reader, &question, &opener, &table, &used);
		dwarf_reader_close(reader);
	}
	vec_free(&used);
	inline_table_deinit(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct memory_file program;
	struct memory_file second;
	size_t program_bytes;

	if (size < HEADER_BYTES)
		return 0;
	program_bytes = bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16;
	if (program_bytes > size - HEADER_BYTES)
		program_bytes = size - HEADER_BYTES;
	memory_file_open(&program, bytes + HEADER_BYTES, program_bytes);
	memory_file_open(&second, bytes + HEADER_BYTES + program_bytes,
			 size - HEADER_BYTES - program_bytes);
	read_both(&program, &second, bytes[3]);
	memory_file_close(&program);
	memory_file_close(&second);
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
