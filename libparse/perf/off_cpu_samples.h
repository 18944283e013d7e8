/* SPDX-License-Identifier: MIT */
/*
 * Samples of perf record --off-cpu, which come from a BPF program. Since perf 6.16, their regular
 * fields are placeholders, and the data is in RAW:
 *
 *     u32 pid, u32 tid | u64 off-CPU time in ns | u64 count, callchain | u64 cgroup
 *
 * Source: tools/perf/util/bpf_off_cpu.c and bpf_skel/off_cpu.bpf.c of the Linux kernel.
 */
#ifndef LIBPARSE_PERF_OFF_CPU_SAMPLES_H
#define LIBPARSE_PERF_OFF_CPU_SAMPLES_H

#include "libparse/event.h"
#include "libparse/perf/attr.h"

/* Whether this is the event of --off-cpu. */
bool off_cpu_samples_is_event(const struct perf_attr *attr, struct text name);

/* Whether the samples of the --off-cpu event have their data in RAW. */
bool off_cpu_samples_are_raw(const struct perf_attr *attr);

/*
 * Corrects a sample that sample_read has read. ips must have space for LIMIT_CALLCHAIN_ENTRIES; the
 * callchain is stored there. False if RAW is corrupt.
 */
bool off_cpu_samples_read(struct event *event, uint64_t *ips);

#endif
