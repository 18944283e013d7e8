/* SPDX-License-Identifier: MIT */
/* Reads the parts of the header that are the same in versions 6 and 7. */
#include "base/scan.h"
#include "libparse/text.h"
#include "libparse/tracedat/kernel_symbols.h"
#include "libparse/tracedat/trace_dat.h"

bool trace_dat_alloc(struct trace_dat *dat, uint64_t size_bytes, unsigned char **ret,
		     struct error *err)
{
	if (size_bytes > LIMIT_TRACE_DAT_LOADED_BYTES - dat->loaded_bytes)
		return error_set(err, ERROR_LIMIT, "has headers larger than the limit of %u MiB",
				 LIMIT_TRACE_DAT_LOADED_BYTES >> 20);
	dat->loaded_bytes += size_bytes;
	*ret = memory_alloc(size_bytes + 1, 1);
	vec_push(&dat->memory, *ret);
	return true;
}

bool trace_dat_load(struct trace_dat *dat, const struct input *input, uint64_t offset,
		    uint64_t size_bytes, struct span *ret, struct error *err)
{
	uint64_t left = offset < input->size_bytes ? input->size_bytes - offset : 0;
	unsigned char *memory;
	size_t got;

	if (size_bytes > left)
		size_bytes = left;
	if (size_bytes > LIMIT_TRACE_DAT_HEADER_BYTES)
		size_bytes = LIMIT_TRACE_DAT_HEADER_BYTES;
	if (!trace_dat_alloc(dat, size_bytes, &memory, err) ||
	    !input_read(input, offset, memory, size_bytes, &got, err))
		return false;
	*ret = span_of(memory, got, offset, dat->is_swapped);
	return true;
}

/* Reads a text that follows its length. */
static bool read_text(struct span *span, struct text *ret)
{
	uint64_t size_bytes;
	struct span text;

	if (!span_u64(span, &size_bytes) || size_bytes > LIMIT_TRACE_DAT_HEADER_BYTES ||
	    !span_sub(span, size_bytes, &text))
		return false;
	*ret = (struct text){ (const char *)text.at, (uint32_t)size_bytes };
	return true;
}

/*
 * The field "commit" has the size of the kernel's long. The size in the header is the size of a
 * long in the program that wrote the file.
 */
bool trace_dat_read_pages_format(struct trace_dat *dat, struct span *span)
{
	struct trace_format format;
	const struct field *commit;
	struct text name;
	struct text text;

	if (!span_cstring(span, &name) || !text_is(name, "header_page") || !read_text(span, &text))
		return false;
	trace_format_read(text, &dat->tracepoints.arena, &format);
	commit = trace_format_find(&format, text_of("commit"));
	if (commit && (commit->size_bytes == 4 || commit->size_bytes == 8))
		dat->long_bytes = commit->size_bytes;
	return span_cstring(span, &name) && text_is(name, "header_event") && read_text(span, &text);
}

bool trace_dat_read_symbols(struct trace_dat *dat, struct span *span)
{
	uint32_t size_bytes;
	struct span text;

	if (!span_u32(span, &size_bytes) || !span_sub(span, size_bytes, &text))
		return false;
	kernel_symbols_read(&dat->symbols, (struct text){ (const char *)text.at, size_bytes });
	return true;
}

/* Reads lines of the form "4711 comm". */
bool trace_dat_read_comms(struct trace_dat *dat, struct span *span)
{
	const char *next;
	struct text line;
	struct text text;

	if (!read_text(span, &text))
		return false;
	next = text.at;
	while (dat->comms.count < LIMIT_TRACE_DAT_COMMS &&
	       text_next_line(&next, text.at + text.length, true, &line)) {
		uint64_t tid;

		if (!scan_u64(&line, &tid) || tid > UINT32_MAX)
			continue;
		line = text_trim(line);
		if (!line.length || memchr(line.at, '\0', line.length))
			continue;
		idmap_add(&dat->comm_of_tid, tid, (uint32_t)dat->comms.count);
		vec_push(&dat->comms, line);
	}
	idmap_sort(&dat->comm_of_tid);
	return true;
}

struct text trace_dat_find_comm(const struct trace_dat *dat, uint32_t tid)
{
	const struct text none = { NULL, 0 };
	uint32_t row = idmap_find(&dat->comm_of_tid, tid);

	return row == IDMAP_NONE ? none : dat->comms.at[row];
}

/* Returns a text up to its NUL. */
static struct text option_text(struct span data)
{
	struct text text;

	if (!span_cstring(&data, &text))
		text = (struct text){ (const char *)data.at, (uint32_t)span_left(&data) };
	return text_trim(text);
}

/* Returns a number as strtoll reads it: "0x1f", "-12". */
static uint64_t option_number(struct span data)
{
	struct text text = option_text(data);
	bool is_negative = scan_char(&text, '-');
	uint64_t number = 0;

	if (scan_prefix(&text, "0x"))
		(void)scan_hex(&text, &number);
	else
		(void)scan_u64(&text, &number);
	return is_negative ? 0 - number : number;
}

void trace_dat_read_option(struct trace_dat *dat, unsigned option, struct span data)
{
	switch (option) {
	case OPTION_DATE: /* in microseconds */
		dat->time_offset_ns += option_number(data) * 1000;
		break;
	case OPTION_OFFSET:
		dat->time_offset_ns += option_number(data);
		break;
	case OPTION_UNAME:
		dat->uname = option_text(data);
		break;
	case OPTION_VERSION:
		dat->tool_version = option_text(data);
		break;
	case OPTION_TSC2NSEC: /* an offset follows, which trace-cmd does not use either */
		dat->has_cycles = span_u32(&data, &dat->cycles_multiplier) &&
				  span_u32(&data, &dat->cycles_shift) && dat->cycles_multiplier &&
				  dat->cycles_shift < 64;
		break;
	default:
		break;
	}
}

bool trace_dat_refuse_text(struct error *err)
{
	return error_set(err, ERROR_UNSUPPORTED,
			 "is a trace.dat with the text of a latency tracer; run `trace-cmd report` "
			 "on it, and use the output as the input");
}

bool trace_dat_add_cpu(struct trace_dat *dat, struct capture *capture,
		       const struct trace_dat_cpu *cpu, struct error *err)
{
	uint64_t file_bytes = capture->input.size_bytes;
	struct trace_dat_cpu row = *cpu;

	if (!row.size_bytes)
		return true;
	if (dat->cpus.count >= LIMIT_TRACE_DAT_CPUS)
		return error_set(err, ERROR_LIMIT, "has data from more CPUs than the limit of %u",
				 LIMIT_TRACE_DAT_CPUS);
	if (row.page_bytes < 32 || row.page_bytes > LIMIT_TRACE_DAT_PAGE_BYTES)
		return error_set(err, ERROR_CORRUPT, "has an invalid page size, %u bytes",
				 row.page_bytes);
	if (row.offset > file_bytes || row.size_bytes > file_bytes - row.offset) {
		if (!capture->is_partial)
			error_set(&capture->damage, ERROR_CORRUPT,
				  "the file is truncated: data of CPU %u is missing", row.cpu);
		capture->is_partial = true;
		if (row.offset >= file_bytes)
			return true;
		row.size_bytes = file_bytes - row.offset;
	}
	dat->cpu_bytes += row.size_bytes;
	if (dat->cpu_bytes > file_bytes)
		return error_set(err, ERROR_CORRUPT, "assigns the same data to several CPUs");
	vec_push(&dat->cpus, row);
	return true;
}

void trace_dat_deinit(struct trace_dat *dat)
{
	for (size_t i = 0; i < dat->memory.count; i++)
		memory_free(dat->memory.at[i]);
	vec_free(&dat->memory);
	trace_events_deinit(&dat->events);
	perf_tracepoints_deinit(&dat->tracepoints);
	kernel_symbols_deinit(&dat->symbols);
	idmap_deinit(&dat->comm_of_tid);
	vec_free(&dat->comms);
	vec_free(&dat->cpus);
}
