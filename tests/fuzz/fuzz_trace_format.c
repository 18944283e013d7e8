/* SPDX-License-Identifier: MIT */
/*
 * A tracepoint's format, and after a NUL the data of a sample, which is written with the print
 * format, and field by field. For any input: the text is no longer than its parts can make it.
 */
#include <stdint.h>

#include "libparse/perf/abi.h"
#include "libparse/tracepoint/print_format.h"
#include "libparse/tracepoint/trace_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The most that one character of a format can become: a list of all bits, or bytes as numbers. */
#define GROWTH_MAX ((uint64_t)64 * LIMIT_RECORD_BYTES)

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void write_function(void *context, uint64_t address, bool has_offset, struct sink *sink)
{
	(void)context;
	(void)has_offset;
	sink_u64(sink, address);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct function_names functions = { .write = write_function };
	const uint8_t *nul = size ? memchr(bytes, 0, size) : NULL;
	uint32_t length = nul ? (uint32_t)(nul - bytes) : (uint32_t)size;
	struct span raw = span_of(bytes, size, 0, false);
	struct trace_format format;
	struct print_format print;
	struct arena arena;
	struct sink sink;

	if (nul)
		raw = span_of(nul + 1, size - length - 1, 0, false);
	if (span_left(&raw) > LIMIT_RECORD_BYTES)
		raw.end = raw.at + LIMIT_RECORD_BYTES;
	arena_init(&arena);
	sink_init_memory(&sink);
	trace_format_read((struct text){ (const char *)bytes, length }, &arena, &format);
	require(format.field_count <= LIMIT_TRACEPOINT_FIELDS);
	print_format_read(&format, &arena, &print);
	print_format_write(&print, &format, raw, &functions, &sink);
	require(sink_memory(&sink).length <= GROWTH_MAX * (length + 1));
	sink.used = 0;
	print_format_write(&(struct print_format){ 0 }, &format, raw, NULL, &sink);
	sink_deinit(&sink);
	arena_deinit(&arena);
	return 0;
}
