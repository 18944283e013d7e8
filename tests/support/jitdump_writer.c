/* SPDX-License-Identifier: MIT */
#include "tests/support/jitdump_writer.h"

#include <string.h>

static void put(struct jitdump_writer *writer, const void *bytes, size_t size_bytes)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size_bytes; i++)
		vec_push(&writer->bytes, at ? at[i] : 0);
}

static void put_u32(struct jitdump_writer *writer, uint32_t value)
{
	value = writer->is_swapped ? __builtin_bswap32(value) : value;
	put(writer, &value, sizeof(value));
}

static void put_u64(struct jitdump_writer *writer, uint64_t value)
{
	value = writer->is_swapped ? __builtin_bswap64(value) : value;
	put(writer, &value, sizeof(value));
}

void jitdump_writer_init(struct jitdump_writer *writer, bool is_swapped, uint32_t pid)
{
	*writer = (struct jitdump_writer){ .is_swapped = is_swapped, .pid = pid };
	put_u32(writer, 0x4a695444);
	put_u32(writer, 1);
	put_u32(writer, JITDUMP_WRITER_HEADER_BYTES);
	put_u32(writer, 62);
	put_u32(writer, 0);
	put_u32(writer, pid);
	put_u64(writer, 1);
	put_u64(writer, 0);
}

void jitdump_writer_deinit(struct jitdump_writer *writer)
{
	vec_free(&writer->bytes);
}

/* Begins a record, whose size is filled in by end. */
static size_t begin(struct jitdump_writer *writer, uint32_t id, uint64_t time_ns)
{
	size_t offset = writer->bytes.count;

	put_u32(writer, id);
	put_u32(writer, 0);
	put_u64(writer, time_ns);
	return offset;
}

static size_t end(struct jitdump_writer *writer, size_t offset)
{
	jitdump_writer_patch_u32(writer, offset + 4, (uint32_t)(writer->bytes.count - offset));
	return offset;
}

static void put_process(struct jitdump_writer *writer, const struct writer_code *code)
{
	uint32_t pid = code->pid ? code->pid : writer->pid;

	put_u32(writer, pid);
	put_u32(writer, pid);
	put_u64(writer, code->address);
}

size_t jitdump_writer_load(struct jitdump_writer *writer, uint64_t time_ns,
			   const struct writer_code *code, const char *name)
{
	size_t offset = begin(writer, 0, time_ns);

	put_process(writer, code);
	put_u64(writer, code->address);
	put_u64(writer, code->size_bytes);
	put_u64(writer, code->index);
	put(writer, name, strlen(name) + 1);
	put(writer, NULL, (size_t)code->size_bytes);
	return end(writer, offset);
}

size_t jitdump_writer_move(struct jitdump_writer *writer, uint64_t time_ns,
			   const struct writer_code *code)
{
	size_t offset = begin(writer, 1, time_ns);

	put_process(writer, code);
	put_u64(writer, code->from);
	put_u64(writer, code->address);
	put_u64(writer, code->size_bytes);
	put_u64(writer, code->index);
	return end(writer, offset);
}

size_t jitdump_writer_other(struct jitdump_writer *writer, uint32_t id, uint64_t time_ns,
			    const void *bytes, size_t size_bytes)
{
	size_t offset = begin(writer, id, time_ns);

	put(writer, bytes, size_bytes);
	return end(writer, offset);
}

void jitdump_writer_patch_u32(struct jitdump_writer *writer, size_t offset, uint32_t value)
{
	value = writer->is_swapped ? __builtin_bswap32(value) : value;
	memcpy(writer->bytes.at + offset, &value, sizeof(value));
}

void jitdump_writer_patch_u64(struct jitdump_writer *writer, size_t offset, uint64_t value)
{
	value = writer->is_swapped ? __builtin_bswap64(value) : value;
	memcpy(writer->bytes.at + offset, &value, sizeof(value));
}
