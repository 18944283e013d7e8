/* SPDX-License-Identifier: MIT */
/* Reads the first bytes of a trace.dat file, and the header of version 6. */
#include "base/scan.h"
#include "libparse/text.h"
#include "libparse/tracedat/trace_dat.h"

/* The length of the word after the options of version 6, or after the offset of another buffer. */
#define KIND_BYTES 10

/*
 * Maximum number of buffers in a trace.dat file. While recording, trace-cmd has a file open for
 * each CPU of each buffer.
 */
#define LIMIT_TRACE_DAT_BUFFERS 256u

typedef VEC(uint64_t) offset_list;

static bool corrupt(const struct span *span, const char *what, struct error *err)
{
	if (span_offset(span) + span_left(span) >= LIMIT_TRACE_DAT_HEADER_BYTES)
		return error_set_at(err, ERROR_CORRUPT, span_offset(span),
				    "%s is corrupt, or the header is larger than %u MiB", what,
				    LIMIT_TRACE_DAT_HEADER_BYTES >> 20);
	return error_set_at(err, ERROR_CORRUPT, span_offset(span), "%s is truncated or corrupt",
			    what);
}

/* "options  ", "latency  " or "flyrecord". */
static bool read_kind(struct span *span, struct text *ret)
{
	struct span kind;

	if (!span_sub(span, KIND_BYTES, &kind))
		return false;
	*ret = text_trim((struct text){ (const char *)kind.at, KIND_BYTES - 1 });
	return true;
}

static bool read_options(struct trace_dat *dat, struct span *span, offset_list *buffers)
{
	uint32_t size_bytes;
	struct span data;
	uint16_t option;
	uint64_t offset;

	while (span_u16(span, &option)) {
		if (option == OPTION_DONE)
			return true;
		if (!span_u32(span, &size_bytes) || !span_sub(span, size_bytes, &data))
			return false;
		if (option != OPTION_BUFFER)
			trace_dat_read_option(dat, option, data);
		else if (span_u64(&data, &offset) && buffers->count < LIMIT_TRACE_DAT_BUFFERS)
			vec_push(buffers, offset);
	}
	return false;
}

/* Reads the position of each CPU's data. */
static bool read_cpus(struct trace_dat *dat, struct capture *capture, struct span *span,
		      uint32_t cpu_count, struct error *err)
{
	struct trace_dat_cpu row = { .page_bytes = dat->page_bytes };

	for (row.cpu = 0; row.cpu < cpu_count; row.cpu++) {
		if (!span_u64(span, &row.offset) || !span_u64(span, &row.size_bytes))
			return corrupt(span, "the list of CPUs", err);
		if (!trace_dat_add_cpu(dat, capture, &row, err))
			return false;
	}
	return true;
}

static bool read_buffers(struct trace_dat *dat, struct capture *capture, const offset_list *buffers,
			 uint32_t cpu_count, struct error *err)
{
	for (size_t i = 0; i < buffers->count; i++) {
		struct span span;
		struct text kind;

		if (!trace_dat_load(dat, &capture->input, buffers->at[i],
				    KIND_BYTES + (uint64_t)cpu_count * 16, &span, err))
			return false;
		if (!read_kind(&span, &kind) || !text_is(kind, "flyrecord"))
			return corrupt(&span, "the header of a buffer", err);
		if (!read_cpus(dat, capture, &span, cpu_count, err))
			return false;
		memory_free(dat->memory.at[--dat->memory.count]);
	}
	return true;
}

/*
 * Finds "[local]" in "[local] global counter ...". If no name is in brackets, the clock is "local".
 */
static void read_clock(struct trace_dat *dat, struct span span)
{
	uint64_t size_bytes;
	struct span text;
	const char *open;
	const char *close;

	if (!span_u64(&span, &size_bytes) || !span_sub(&span, size_bytes, &text))
		return;
	open = memchr(text.at, '[', size_bytes);
	close = open ? memchr(open, ']', (size_t)((const char *)text.end - open)) : NULL;
	if (close)
		dat->clock = text_between(open + 1, close);
}

static bool read_tail(struct trace_dat *dat, struct capture *capture, struct span *span,
		      struct error *err)
{
	offset_list buffers = { 0 };
	struct text kind;
	uint32_t cpu_count;
	bool good = span_u32(span, &cpu_count) && read_kind(span, &kind);

	if (good && text_is(kind, "options"))
		good = read_options(dat, span, &buffers) && read_kind(span, &kind);
	if (!good)
		corrupt(span, "the header", err);
	else if (text_is(kind, "latency"))
		good = trace_dat_refuse_text(err);
	else if (!text_is(kind, "flyrecord") || cpu_count > LIMIT_TRACE_DAT_CPUS)
		good = corrupt(span, "the header", err);
	good = good && read_cpus(dat, capture, span, cpu_count, err);
	if (good)
		read_clock(dat, *span);
	good = good && read_buffers(dat, capture, &buffers, cpu_count, err);
	vec_free(&buffers);
	return good;
}

static bool skip_text(struct span *span)
{
	uint32_t size_bytes;

	return span_u32(span, &size_bytes) && span_skip(span, size_bytes);
}

static bool read_header(struct trace_dat *dat, struct capture *capture, uint64_t offset,
			struct error *err)
{
	struct span span;

	if (!trace_dat_load(dat, &capture->input, offset, UINT64_MAX, &span, err))
		return false;
	if (!trace_dat_read_pages_format(dat, &span))
		return corrupt(&span, "the page format", err);
	if (!perf_tracepoints_read_ftrace(&dat->tracepoints, &span) ||
	    !perf_tracepoints_read_systems(&dat->tracepoints, &span))
		return corrupt(&span, "the list of event formats", err);
	if (!trace_dat_read_symbols(dat, &span))
		return corrupt(&span, "the list of kernel symbols", err);
	if (!skip_text(&span) || !trace_dat_read_comms(dat, &span))
		return corrupt(&span, "the list of command names", err);
	return read_tail(dat, capture, &span, err);
}

/* Reads the fields up to the page size. */
static bool read_start(struct trace_dat *dat, struct span *span)
{
	struct text version;
	uint64_t number;
	uint8_t is_big_endian;
	uint8_t long_bytes;

	if (!span_skip(span, TRACING_MAGIC_BYTES) || !span_cstring(span, &version) ||
	    !text_to_u64(version, &number) || number > UINT16_MAX ||
	    !span_u8(span, &is_big_endian) || !span_u8(span, &long_bytes))
		return false;
	dat->version = (unsigned)number;
	dat->is_big_endian = is_big_endian != 0;
	dat->is_swapped = dat->is_big_endian != HOST_IS_BIG_ENDIAN;
	dat->long_bytes = long_bytes == 4 ? 4 : 8;
	span->swapped = dat->is_swapped;
	return span_u32(span, &dat->page_bytes);
}

/* Reads the compression of version 7, and the sections. */
static bool read_sections(struct trace_dat *dat, struct capture *capture, struct span span,
			  struct error *err)
{
	struct text version;
	struct text codec;
	uint64_t offset;

	if (!span_cstring(&span, &codec) || !span_cstring(&span, &version) ||
	    !span_u64(&span, &offset))
		return corrupt(&span, "the header", err);
	dat->codec = text_is(codec, "zstd")   ? CODEC_ZSTD
		     : text_is(codec, "zlib") ? CODEC_ZLIB
					      : CODEC_NONE;
	if (dat->codec == CODEC_NONE && !text_is(codec, "none"))
		return error_set(err, ERROR_UNSUPPORTED,
				 "is compressed in a way that kiln cannot read; run `trace-cmd "
				 "convert --compression none -i FILE -o OUTPUT`, and use OUTPUT as "
				 "the input");
	return trace_dat_read_sections(dat, capture, offset, err);
}

/* The release in "Linux HOST RELEASE ARCH", or an empty text. */
static struct text release_of(const struct trace_dat *dat)
{
	struct text rest = dat->uname;
	struct text word;

	for (unsigned i = 0; rest.at && text_next_word(&rest, &word); i++)
		if (i == 2)
			return word;
	return text_of("");
}

bool trace_dat_init(struct trace_dat *dat, struct capture *capture, struct error *err)
{
	struct span span;
	bool good;

	*dat = (struct trace_dat){ 0 };
	perf_tracepoints_init(&dat->tracepoints);
	idmap_init(&dat->comm_of_tid);
	if (!trace_dat_load(dat, &capture->input, 0, FORMAT_HEAD_BYTES, &span, err))
		return false;
	if (!read_start(dat, &span))
		return corrupt(&span, "the header", err);
	if (dat->version == 6)
		good = read_header(dat, capture, span_offset(&span), err);
	else if (dat->version == 7)
		good = read_sections(dat, capture, span, err);
	else
		good = error_set(err, ERROR_UNSUPPORTED,
				 "is a trace.dat file of version %u; run `trace-cmd report` on it, "
				 "and use the output as the input",
				 dat->version);
	perf_tracepoints_sort(&dat->tracepoints);
	trace_events_init(&dat->events, &dat->tracepoints, release_of(dat));
	return good;
}
