/* SPDX-License-Identifier: MIT */
/*
 * An open trace.dat: the contents of its header, and the position of each CPU's data. Version 6 is
 * read from front to back; version 7 has the same parts in sections, which can be compressed.
 *
 *     17 08 44 "tracing6\0" | big-endian? | long size | page size
 *     "header_page\0" text | "header_event\0" text | ftrace formats | formats of systems
 *     kallsyms | printk formats (not read) | saved command lines | number of CPUs
 *     "options  \0" options ...       times, clock, machine; buffers of other instances
 *     "flyrecord\0" offset, size ...  for each CPU
 *     pages of CPU 0 | pages of CPU 1 | ...
 *
 * Source: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5).
 */
#ifndef LIBPARSE_TRACEDAT_TRACE_DAT_H
#define LIBPARSE_TRACEDAT_TRACE_DAT_H

#include "base/idmap.h"
#include "compress/codec.h"
#include "libparse/formats.h"
#include "libparse/tracedat/kernel_symbols.h"
#include "libparse/tracedat/trace_events.h"
#include "libparse/tracepoint/tracepoints.h"

/* Maximum size of the header of a trace.dat file, or of one of its sections. Kernel symbols and
 * event formats of a distribution's kernel take 15 MB. */
#define LIMIT_TRACE_DAT_HEADER_BYTES (64u << 20)
/*
 * Total size of the loaded and decompressed parts of a trace.dat file. A corrupt file can refer to
 * the same part many times.
 */
#define LIMIT_TRACE_DAT_LOADED_BYTES (128u << 20)
/*
 * Maximum size of a page of the ring buffer. The kernel allows sub-buffers of up to 128 pages of 4
 * KiB.
 */
#define LIMIT_TRACE_DAT_PAGE_BYTES (1u << 20)

/* Maximum number of CPUs of all buffers in a trace.dat file. Linux supports at most 8192 CPUs. */
#define LIMIT_TRACE_DAT_CPUS 65536u
/*
 * Maximum number of threads with a recorded name. There are at most 2^22 tids; the kernel keeps 128
 * names by default.
 */
#define LIMIT_TRACE_DAT_COMMS (1u << 20)

/* The data of one CPU in one buffer. */
struct trace_dat_cpu {
	uint32_t cpu;
	uint32_t page_bytes;
	bool is_compressed;
	uint64_t offset, size_bytes;
};

/* The options of versions 6 and 7 that kiln reads. */
enum trace_dat_option {
	OPTION_DONE = 0,
	OPTION_DATE = 1,
	OPTION_BUFFER = 3,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_VERSION = 9,
	OPTION_TSC2NSEC = 14,
	OPTION_HEADER_INFO = 16,
	OPTION_FTRACE_EVENTS = 17,
	OPTION_EVENT_FORMATS = 18,
	OPTION_KALLSYMS = 19,
	OPTION_CMDLINES = 21,
	OPTION_BUFFER_TEXT = 22, /* text of a latency tracer */
};

struct trace_dat {
	VEC(unsigned char *) memory; /* loaded parts of the file; texts point into these parts */
	uint64_t loaded_bytes;       /* of these */
	uint64_t cpu_bytes;          /* total size of the data of all CPUs */
	unsigned version;
	bool is_swapped, is_big_endian;
	unsigned long_bytes; /* size of the kernel's long */
	uint32_t page_bytes;
	enum codec codec;    /* version 7: codec of compressed sections */
	uint32_t parts_read; /* version 7: bits by enum trace_dat_option */
	struct perf_tracepoints tracepoints;
	struct trace_events events;
	struct kernel_symbols symbols;
	struct idmap comm_of_tid; /* maps tids to rows of comms */
	VEC(struct text) comms;
	VEC(struct trace_dat_cpu) cpus;
	struct text clock, uname, tool_version; /* .at is NULL if not recorded */
	uint64_t time_offset_ns;                /* added to all times; may be negative */
	bool has_cycles; /* times are in cycles; the fields below convert cycles to nanoseconds */
	uint32_t cycles_multiplier, cycles_shift;
};

/* Reads everything but the data of the CPUs. Call trace_dat_deinit even after a failure. */
bool trace_dat_init(struct trace_dat *dat, struct capture *capture, struct error *err);
void trace_dat_deinit(struct trace_dat *dat);

/* Sections of version 7. */
bool trace_dat_read_sections(struct trace_dat *dat, struct capture *capture, uint64_t options,
			     struct error *err);

/* Allocates memory that lives as long as dat. */
bool trace_dat_alloc(struct trace_dat *dat, uint64_t size_bytes, unsigned char **ret,
		     struct error *err) WARN_UNUSED;

/*
 * Loads up to size_bytes at an offset, or fewer bytes at the end of the input. The bytes live as
 * long as dat.
 */
bool trace_dat_load(struct trace_dat *dat, const struct input *input, uint64_t offset,
		    uint64_t size_bytes, struct span *ret, struct error *err) WARN_UNUSED;

/*
 * These functions read parts of the header, and move the cursor past them. These functions return
 * false if a part is truncated or corrupt.
 */
bool trace_dat_read_pages_format(struct trace_dat *dat, struct span *span);
bool trace_dat_read_symbols(struct trace_dat *dat, struct span *span);
bool trace_dat_read_comms(struct trace_dat *dat, struct span *span);

/* Reads an option that both versions have. Other options are ignored. */
void trace_dat_read_option(struct trace_dat *dat, unsigned option, struct span data);

/* The error for the text of a latency tracer. Always returns false. */
bool trace_dat_refuse_text(struct error *err);

/* Adds the data of a CPU. Data beyond the end of the input is omitted and reported. */
bool trace_dat_add_cpu(struct trace_dat *dat, struct capture *capture,
		       const struct trace_dat_cpu *cpu, struct error *err) WARN_UNUSED;

/*
 * Returns the recorded name of the thread with this tid. .at is NULL if the file has no name for
 * it.
 */
struct text trace_dat_find_comm(const struct trace_dat *dat, uint32_t tid);

#endif
