/* SPDX-License-Identifier: MIT */
/*
 * Builds jitdumps in memory, of either byte order, with code of zeros. It shares no code with the reader.
 *
 *     struct jitdump_writer writer;
 *     jitdump_writer_init(&writer, false, 7);
 *     jitdump_writer_load(&writer, 110, &(struct writer_code){ .address = 0x7000, .size_bytes = 64 }, "f");
 *     now writer.bytes.at, writer.bytes.count are the dump, and may be corrupted
 *     jitdump_writer_deinit(&writer);
 */
#ifndef TESTS_SUPPORT_JITDUMP_WRITER_H
#define TESTS_SUPPORT_JITDUMP_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Where in the header. */
#define JITDUMP_WRITER_VERSION_OFFSET 4
#define JITDUMP_WRITER_PID_OFFSET     20
#define JITDUMP_WRITER_FLAGS_OFFSET   32
#define JITDUMP_WRITER_HEADER_BYTES   40

struct jitdump_writer {
	bool is_swapped;
	uint32_t pid;
	VEC(unsigned char) bytes;
};

struct writer_code {
	uint32_t pid; /* 0: the header's */
	uint64_t address, size_bytes, index;
	uint64_t from; /* of a move */
};

/* is_swapped: in the byte order that is not this machine's. */
void jitdump_writer_init(struct jitdump_writer *writer, bool is_swapped, uint32_t pid);
void jitdump_writer_deinit(struct jitdump_writer *writer);

/* Records. Each returns its offset. */
size_t jitdump_writer_load(struct jitdump_writer *writer, uint64_t time_ns,
			   const struct writer_code *code, const char *name);
size_t jitdump_writer_move(struct jitdump_writer *writer, uint64_t time_ns,
			   const struct writer_code *code);
size_t jitdump_writer_other(struct jitdump_writer *writer, uint32_t id, uint64_t time_ns,
			    const void *bytes, size_t size_bytes);

/* Overwrites the bytes at offset. */
void jitdump_writer_patch_u32(struct jitdump_writer *writer, size_t offset, uint32_t value);
void jitdump_writer_patch_u64(struct jitdump_writer *writer, size_t offset, uint64_t value);

#endif
