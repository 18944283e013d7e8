/* SPDX-License-Identifier: MIT */
/*
 * The kernel's perf_event_attr: what an event measures and what its samples contain. The struct
 * exists in ten versions, each larger than the previous one. All versions are read into one struct:
 *
 *     0      64      72      80                  96       104 ... 144
 *     | VER0 |config2|branch |user regs, stack   |intr regs|  ...  | unknown newer fields |
 *                                                 ^ may end anywhere: the rest is zero
 *
 * Source: struct perf_event_attr in linux/perf_event.h.
 */
#ifndef LIBPARSE_PERF_ATTR_H
#define LIBPARSE_PERF_ATTR_H

#include "base/error.h"
#include "base/span.h"

struct perf_attr {
	uint32_t type; /* TYPE_*, or the number of a PMU */
	uint32_t size; /* as recorded; 64 if the recorded size is 0 */
	uint64_t config;
	uint64_t sample_period; /* with ATTR_FLAG_FREQ, the frequency in Hz */
	uint64_t sample_type;   /* SAMPLE_* */
	uint64_t read_format;   /* READ_FORMAT_* */
	uint64_t flags;         /* ATTR_FLAG_*, in the same order for files in either byte order */
	uint32_t wakeup_events;
	uint32_t breakpoint_type; /* BREAKPOINT_* */
	uint64_t config1;         /* breakpoints: the address */
	uint64_t config2;         /* breakpoints: the size in bytes */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint32_t aux_sample_size;
	uint64_t sig_data;
	uint64_t config3;
	uint64_t config4;
};

/*
 * Reads an attr, up to its recorded size. Fields missing from older versions are zero; fields of
 * unknown newer versions are ignored. False if the attr is shorter than the first version (64
 * bytes).
 */
bool perf_attr_read(struct span bytes, struct perf_attr *ret, struct error *err) WARN_UNUSED;

/* precise_ip: 0 (arbitrary skid) to 3 (none). */
unsigned perf_attr_precision(const struct perf_attr *attr);

#endif
