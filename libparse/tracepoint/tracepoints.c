/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/tracepoints.h"

#include "base/scan.h"
#include "libparse/perf/abi.h"
#include "libparse/tracepoint/trace_format.h"

/* Maximum number of tracepoints of a kernel, whose ids have 16 bits. */
#define LIMIT_TRACEPOINTS 65536u

void perf_tracepoints_init(struct perf_tracepoints *tracepoints)
{
	*tracepoints = (struct perf_tracepoints){ 0 };
	arena_init(&tracepoints->arena);
}

void perf_tracepoints_deinit(struct perf_tracepoints *tracepoints)
{
	arena_deinit(&tracepoints->arena);
	vec_free(&tracepoints->rows);
	kernel_texts_deinit(&tracepoints->texts);
}

static int compare_ids(const void *a, const void *b)
{
	const struct perf_tracepoint *first = a;
	const struct perf_tracepoint *second = b;

	if (first->id != second->id)
		return first->id < second->id ? -1 : 1;
	return text_compare(first->name, second->name);
}

static struct perf_tracepoint *find(const struct perf_tracepoints *tracepoints, uint64_t id)
{
	size_t begin = vec_count_first(&tracepoints->rows, tracepoint, tracepoint->id < id);
	if (begin == tracepoints->rows.count || tracepoints->rows.at[begin].id != id)
		return NULL;
	return &tracepoints->rows.at[begin];
}

const struct perf_tracepoint *perf_tracepoints_find(const struct perf_tracepoints *tracepoints,
						    uint64_t id)
{
	return find(tracepoints, id);
}

const struct perf_tracepoint *perf_tracepoints_read_format(struct perf_tracepoints *tracepoints,
							   uint64_t id)
{
	struct perf_tracepoint *row = find(tracepoints, id);

	if (!row || row->is_read)
		return row;
	row->is_read = true;
	trace_format_read(row->text, &tracepoints->arena, &row->format);
	row->format.texts = &tracepoints->texts;
	tracepoints->print_bytes += row->format.print.length;
	if (tracepoints->print_bytes <= LIMIT_PRINTS_BYTES)
		print_format_read(&row->format, &tracepoints->arena, &row->print);
	return row;
}

static void add(struct perf_tracepoints *tracepoints, uint64_t id, struct text system,
		struct text name, struct text format)
{
	size_t length = (size_t)system.length + 1 + name.length;
	char *joined;

	joined = arena_alloc(&tracepoints->arena, length + 1, 1);
	memcpy(joined, system.at, system.length);
	joined[system.length] = ':';
	memcpy(joined + system.length + 1, name.at, name.length);
	joined[length] = '\0';
	vec_push(&tracepoints->rows,
		 (struct perf_tracepoint){
			 .id = id,
			 .name = { joined, (uint32_t)length },
			 .text = { arena_text(&tracepoints->arena, format.at, format.length),
				   format.length },
		 });
}

/* Finds the line that begins with key, and returns the rest of it. */
static bool find_line(struct text text, const char *key, struct text *ret)
{
	size_t key_length = strlen(key);
	const char *at = text.at;
	const char *end = text.at + text.length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		if ((size_t)(stop - at) >= key_length && memcmp(at, key, key_length) == 0) {
			at += key_length;
			*ret = (struct text){ at, (uint32_t)(stop - at) };
			return true;
		}
		at = newline ? newline + 1 : end;
	}
	return false;
}

static bool is_name(struct text text)
{
	return text.length && text.length <= LIMIT_TRACEPOINT_NAME_BYTES &&
	       !memchr(text.at, '\0', text.length);
}

/* Reads a text that follows its length. */
static bool read_text(struct span *span, struct text *ret)
{
	uint64_t size_bytes;
	struct span text;

	if (!span_u64(span, &size_bytes) || size_bytes > LIMIT_FEATURE_BYTES ||
	    !span_sub(span, size_bytes, &text))
		return false;
	*ret = (struct text){ (const char *)text.at, (uint32_t)size_bytes };
	return true;
}

/* If a format is malformed, only the event with that format lacks a name. */
static bool read_event(struct perf_tracepoints *tracepoints, struct span *span, struct text system)
{
	struct text format;
	struct text name;
	struct text number;
	uint64_t id;

	if (tracepoints->rows.count >= LIMIT_TRACEPOINTS || !read_text(span, &format))
		return false;
	if (find_line(format, "name: ", &name) && find_line(format, "ID: ", &number) &&
	    is_name(name) && text_to_u64(number, &id))
		add(tracepoints, id, system, name, format);
	return true;
}

bool perf_tracepoints_read_systems(struct perf_tracepoints *tracepoints, struct span *span)
{
	uint32_t system_count;

	if (!span_u32(span, &system_count))
		return false;
	for (uint32_t i = 0; i < system_count; i++) {
		struct text system;
		uint32_t event_count;

		if (!span_cstring(span, &system) || !is_name(system) ||
		    !span_u32(span, &event_count))
			return false;
		for (uint32_t k = 0; k < event_count; k++)
			if (!read_event(tracepoints, span, system))
				return false;
	}
	return true;
}

static bool read_named_text(struct span *span, const char *expected)
{
	struct text name;
	struct text text;

	return span_cstring(span, &name) && text_is(name, expected) && read_text(span, &text);
}

static bool skip_ftrace_formats(struct span *span)
{
	uint32_t count;
	struct text text;

	if (!span_u32(span, &count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!read_text(span, &text))
			return false;
	return true;
}

bool perf_tracepoints_read_ftrace(struct perf_tracepoints *tracepoints, struct span *span)
{
	uint32_t count;

	if (!span_u32(span, &count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!read_event(tracepoints, span, text_of("ftrace")))
			return false;
	return true;
}

/* Rows are sorted, not hashed, so that hostile ids cannot cause collisions. */
void perf_tracepoints_sort(struct perf_tracepoints *tracepoints)
{
	if (tracepoints->rows.count)
		qsort(tracepoints->rows.at, tracepoints->rows.count, sizeof(*tracepoints->rows.at),
		      compare_ids);
}

/*
 * Reads the kernel strings, which follow all formats. Kernel strings are optional. Without kernel
 * strings, pointers are printed as numbers.
 */
static void read_kernel_texts(struct perf_tracepoints *tracepoints, struct span *span)
{
	uint32_t size_bytes;
	struct span text;

	if (!span_u32(span, &size_bytes) || !span_skip(span, size_bytes) ||
	    !span_u32(span, &size_bytes) || !span_sub(span, size_bytes, &text))
		return;
	kernel_texts_read(&tracepoints->texts, (struct text){ (const char *)text.at, size_bytes },
			  &tracepoints->arena);
}

static bool read_payload(struct perf_tracepoints *tracepoints, struct span *span)
{
	uint32_t page_bytes;

	return span_u32(span, &page_bytes) && read_named_text(span, "header_page") &&
	       read_named_text(span, "header_event") && skip_ftrace_formats(span) &&
	       perf_tracepoints_read_systems(tracepoints, span);
}

bool perf_tracepoints_read(struct perf_tracepoints *tracepoints, struct span bytes)
{
	struct text version;
	uint8_t is_big_endian;
	uint8_t long_bytes;
	bool good;

	if (span_left(&bytes) < TRACING_MAGIC_BYTES ||
	    memcmp(bytes.at, TRACING_MAGIC, TRACING_MAGIC_BYTES) != 0)
		return false;
	span_skip(&bytes, TRACING_MAGIC_BYTES);
	if (!span_cstring(&bytes, &version) || !span_u8(&bytes, &is_big_endian) ||
	    !span_u8(&bytes, &long_bytes))
		return false;
	/* The tracing data has its own byte order. */
	bytes.swapped = (is_big_endian != 0) != HOST_IS_BIG_ENDIAN;
	good = read_payload(tracepoints, &bytes);
	if (good)
		read_kernel_texts(tracepoints, &bytes);
	perf_tracepoints_sort(tracepoints);
	return good;
}
