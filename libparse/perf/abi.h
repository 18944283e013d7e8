/* SPDX-License-Identifier: MIT */
/*
 * Constants of the perf.data format. The constants are defined here, because this machine's kernel
 * headers may be older or newer than the capture, or missing.
 *
 *     record   = | u32 type RECORD_* | u16 misc MISC_* | u16 size | payload            | trailer |
 *     sample   = payload of RECORD_SAMPLE: the SAMPLE_* fields that its attr selects
 *     attr     = what an event measures: TYPE_*, config, SAMPLE_*, READ_FORMAT_*, ATTR_FLAG_*
 *     feature  = one section after the data, FEATURE_*
 *
 * Source: linux/perf_event.h (kernel records, numbers below 64), and for perf's own records
 * tools/perf/Documentation/perf.data-file-format.txt and tools/lib/perf/include/perf/event.h of the
 * Linux kernel.
 */
#ifndef LIBPARSE_PERF_ABI_H
#define LIBPARSE_PERF_ABI_H

#include <stdint.h>

/* Maximum size of one record. The size field of a record has 16 bits. */
#define LIMIT_RECORD_BYTES 65536u
/* Maximum number of callchain entries: as many as fit into a record. The kernel records at most 127
 * frames by default. */
#define LIMIT_CALLCHAIN_ENTRIES (LIMIT_RECORD_BYTES / 8)
/* Maximum size of a feature section, which is read into memory. HEADER_BPF_BTF is the largest. */
#define LIMIT_FEATURE_BYTES (64u << 20)

enum perf_record_type {
	/*
	 * Written by the kernel. These records, except samples, end in the sample_id trailer, if
	 * the attr has one.
	 */
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_UNTHROTTLE = 6,
	RECORD_FORK = 7,
	RECORD_READ = 8,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_AUX = 11,
	RECORD_ITRACE_START = 12,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15,
	RECORD_NAMESPACES = 16,
	RECORD_KSYMBOL = 17,
	RECORD_BPF_EVENT = 18,
	RECORD_CGROUP = 19,
	RECORD_TEXT_POKE = 20,
	RECORD_AUX_OUTPUT_HW_ID = 21,
	RECORD_CALLCHAIN_DEFERRED = 22,
	RECORD_KERNEL_END, /* lowest number not yet used by a kernel */

	/* Written by perf, without a trailer. */
	RECORD_USER_BEGIN = 64,
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_EVENT_TYPE = 65,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_HEADER_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_AUXTRACE_ERROR = 72,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76,
	RECORD_STAT_ROUND = 77,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_INIT = 82,
	RECORD_COMPRESSED2 = 83,
	RECORD_BPF_METADATA = 84,
	RECORD_SCHEDSTAT_CPU = 85,
	RECORD_SCHEDSTAT_DOMAIN = 86,
	RECORD_USER_END, /* lowest number not yet used by perf */
};

/* Bits of a record's misc. The meaning of the upper bits depends on the record type. */
enum perf_misc {
	MISC_CPUMODE_MASK = 7, /* enum cpu_mode of libparse/event.h */

	MISC_PROC_MAP_PARSE_TIMEOUT = 1 << 12, /* MMAP2: the list of mappings was truncated */

	MISC_MMAP_DATA = 1 << 13,  /* MMAP: a mapping that is not executable */
	MISC_COMM_EXEC = 1 << 13,  /* COMM: set by exec, not by prctl */
	MISC_FORK_EXEC = 1 << 13,  /* FORK: synthesized by perf, mappings follow */
	MISC_SWITCH_OUT = 1 << 13, /* SWITCH: switched out */

	MISC_EXACT_IP = 1 << 14,           /* SAMPLE: ip is exact */
	MISC_SWITCH_OUT_PREEMPT = 1 << 14, /* SWITCH: preempted */
	MISC_MMAP_BUILD_ID = 1 << 14,      /* MMAP2: build-id in place of device and inode */

	MISC_BUILD_ID_SIZE = 1 << 15, /* HEADER_BUILD_ID: its size byte is valid */
	MISC_LOST_SAMPLES_BPF =
		1 << 15, /* LOST_SAMPLES: a BPF filter dropped the samples on purpose */
};

/*
 * Bits of sample_type. Samples store the fields in a different order: see libparse/perf/sample.h.
 */
enum perf_sample_bit {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDR = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_RAW = 1 << 10,
	SAMPLE_BRANCH_STACK = 1 << 11,
	SAMPLE_REGS_USER = 1 << 12,
	SAMPLE_STACK_USER = 1 << 13,
	SAMPLE_WEIGHT = 1 << 14,
	SAMPLE_DATA_SRC = 1 << 15,
	SAMPLE_IDENTIFIER = 1 << 16,
	SAMPLE_TRANSACTION = 1 << 17,
	SAMPLE_REGS_INTR = 1 << 18,
	SAMPLE_PHYS_ADDR = 1 << 19,
	SAMPLE_AUX = 1 << 20,
	SAMPLE_CGROUP = 1 << 21,
	SAMPLE_DATA_PAGE_SIZE = 1 << 22,
	SAMPLE_CODE_PAGE_SIZE = 1 << 23,
	SAMPLE_WEIGHT_STRUCT = 1 << 24,
	SAMPLE_KNOWN = (1 << 25) - 1,
};

enum perf_read_format {
	READ_FORMAT_TOTAL_TIME_ENABLED = 1 << 0,
	READ_FORMAT_TOTAL_TIME_RUNNING = 1 << 1,
	READ_FORMAT_ID = 1 << 2,
	READ_FORMAT_GROUP = 1 << 3,
	READ_FORMAT_LOST = 1 << 4,
};

enum perf_branch_sample {
	BRANCH_SAMPLE_CALL_STACK = 1 << 11,
	BRANCH_SAMPLE_HW_INDEX = 1 << 17,
	BRANCH_SAMPLE_COUNTERS = 1 << 19,
};

/*
 * Bits of perf_attr.flags, counted from the least significant one, for files in either byte order.
 */
enum perf_attr_flag {
	ATTR_FLAG_DISABLED = 1 << 0,
	ATTR_FLAG_INHERIT = 1 << 1,
	ATTR_FLAG_PINNED = 1 << 2,
	ATTR_FLAG_EXCLUSIVE = 1 << 3,
	ATTR_FLAG_EXCLUDE_USER = 1 << 4,
	ATTR_FLAG_EXCLUDE_KERNEL = 1 << 5,
	ATTR_FLAG_EXCLUDE_HV = 1 << 6,
	ATTR_FLAG_EXCLUDE_IDLE = 1 << 7,
	ATTR_FLAG_MMAP = 1 << 8,
	ATTR_FLAG_COMM = 1 << 9,
	ATTR_FLAG_FREQ = 1 << 10,
	ATTR_FLAG_INHERIT_STAT = 1 << 11,
	ATTR_FLAG_ENABLE_ON_EXEC = 1 << 12,
	ATTR_FLAG_TASK = 1 << 13,
	ATTR_FLAG_WATERMARK = 1 << 14,
	ATTR_FLAG_PRECISE_IP_SHIFT = 15, /* two bits, from 0 (any skid) to 3 (none) */
	ATTR_FLAG_PRECISE_IP_MASK = 3,
	ATTR_FLAG_MMAP_DATA = 1 << 17,
	ATTR_FLAG_SAMPLE_ID_ALL = 1 << 18,
	ATTR_FLAG_EXCLUDE_HOST = 1 << 19,
	ATTR_FLAG_EXCLUDE_GUEST = 1 << 20,
	ATTR_FLAG_EXCLUDE_CALLCHAIN_KERNEL = 1 << 21,
	ATTR_FLAG_EXCLUDE_CALLCHAIN_USER = 1 << 22,
	ATTR_FLAG_MMAP2 = 1 << 23,
	ATTR_FLAG_COMM_EXEC = 1 << 24,
	ATTR_FLAG_USE_CLOCKID = 1 << 25,
	ATTR_FLAG_CONTEXT_SWITCH = 1 << 26,
	ATTR_FLAG_WRITE_BACKWARD = 1 << 27,
	ATTR_FLAG_NAMESPACES = 1 << 28,
	ATTR_FLAG_KSYMBOL = 1 << 29,
	ATTR_FLAG_BPF_EVENT = 1 << 30,
};

/* Indexes of the pid and mount namespaces in a NAMESPACES record, and the size of an entry. */
enum {
	NAMESPACE_PID = 3,
	NAMESPACE_MOUNT = 5,
	NAMESPACE_BYTES = 16
};

/* attr.clockid: Linux clock ids. Other systems have other numbers. */
enum {
	CLOCK_ID_REALTIME = 0,
	CLOCK_ID_MONOTONIC = 1
};

/* Too large for an enumerator, which is an int. */
#define ATTR_FLAG_AUX_OUTPUT      (1ull << 31)
#define ATTR_FLAG_CGROUP          (1ull << 32)
#define ATTR_FLAG_TEXT_POKE       (1ull << 33)
#define ATTR_FLAG_BUILD_ID        (1ull << 34)
#define ATTR_FLAG_INHERIT_THREAD  (1ull << 35)
#define ATTR_FLAG_REMOVE_ON_EXEC  (1ull << 36)
#define ATTR_FLAG_SIGTRAP         (1ull << 37)
#define ATTR_FLAG_DEFER_CALLCHAIN (1ull << 38)
#define ATTR_FLAG_DEFER_OUTPUT    (1ull << 39)

/* Sizes of the attr's versions, VER0 to VER9. */
enum perf_attr_size {
	ATTR_BYTES_VER0 = 64,
	ATTR_BYTES_VER1 = 72,  /* config2 */
	ATTR_BYTES_VER2 = 80,  /* branch_sample_type */
	ATTR_BYTES_VER3 = 96,  /* sample_regs_user, sample_stack_user, clockid */
	ATTR_BYTES_VER4 = 104, /* sample_regs_intr */
	ATTR_BYTES_VER5 = 112, /* aux_watermark, sample_max_stack */
	ATTR_BYTES_VER6 = 120, /* aux_sample_size */
	ATTR_BYTES_VER7 = 128, /* sig_data */
	ATTR_BYTES_VER8 = 136, /* config3 */
	ATTR_BYTES_VER9 = 144, /* config4 */
};

enum perf_type {
	TYPE_HARDWARE = 0,
	TYPE_SOFTWARE = 1,
	TYPE_TRACEPOINT = 2,
	TYPE_HW_CACHE = 3,
	TYPE_RAW = 4,
	TYPE_BREAKPOINT = 5,
	TYPE_DYNAMIC = 6, /* lowest number that the kernel assigns to a PMU dynamically */
};

/* Configs of TYPE_SOFTWARE that kiln treats specially. */
enum perf_software {
	SOFTWARE_CPU_CLOCK = 0,
	SOFTWARE_TASK_CLOCK = 1,
	SOFTWARE_DUMMY = 9,
	SOFTWARE_BPF_OUTPUT = 10,
};

enum perf_breakpoint {
	BREAKPOINT_READ = 1,
	BREAKPOINT_WRITE = 2,
	BREAKPOINT_EXECUTE = 4,
};

/* Types of EVENT_UPDATE and of KSYMBOL. */
enum perf_event_update {
	EVENT_UPDATE_UNIT = 0,
	EVENT_UPDATE_SCALE = 1,
	EVENT_UPDATE_NAME = 2,
	EVENT_UPDATE_CPUS = 3,
};

enum perf_ksymbol {
	KSYMBOL_TYPE_BPF = 1,
	KSYMBOL_TYPE_OUT_OF_LINE = 2,
	KSYMBOL_FLAG_UNREGISTER = 1,
};

enum perf_aux_flag {
	AUX_FLAG_TRUNCATED = 1,
	AUX_FLAG_OVERWRITE = 2,
	AUX_FLAG_PARTIAL = 4,
	AUX_FLAG_COLLISION = 8,
};

/* Bits of the header's bitmap, and ids of HEADER_FEATURE records. */
enum perf_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_MEM_TOPOLOGY = 22,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_BPF_PROG_INFO = 25,
	FEATURE_BPF_BTF = 26,
	FEATURE_COMPRESSED = 27,
	FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_PMU_CAPS = 31,
	FEATURE_CPU_DOMAIN_INFO = 32,
	FEATURE_E_MACHINE = 33,
	FEATURE_CLN_SIZE = 34,
	/* simpleperf's own features (Android) */
	FEATURE_SIMPLEPERF_FILE = 128,
	FEATURE_SIMPLEPERF_META_INFO = 129,
	FEATURE_SIMPLEPERF_DEBUG_UNWIND = 130,
	FEATURE_SIMPLEPERF_DEBUG_UNWIND_FILE = 131,
	FEATURE_SIMPLEPERF_FILE2 = 132,
};

#endif
