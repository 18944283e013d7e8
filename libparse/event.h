/* SPDX-License-Identifier: MIT */
/*
 * The events into which every input is converted. Readers do not depend on the code that receives
 * events, and that code does not depend on formats.
 *
 *     perf.data ───┐
 *     perf script ─┼─ reader ──▶ struct event ──▶ event_sink ──▶ process/ (sideband), profile/ (samples)
 *     folded ... ──┘
 *
 * The first pass sends the metadata and the sideband: attrs, COMM, MMAP, FORK and so on. The second
 * pass sends the samples; it may use several threads, each with its own sink.
 *
 * Pointers in an event belong to the reader and are valid only during the call of on_event. Numbers
 * are in host byte order. Texts consist of the bytes of the input, unchanged.
 */
#ifndef LIBPARSE_EVENT_H
#define LIBPARSE_EVENT_H

#include "base/build_id.h"
#include "base/span.h"
#include "base/strings.h"
#include "libparse/callchain.h"
#include "libparse/tracepoint/field.h"

/* Values for "not recorded", because 0 is a valid thread and a valid CPU. */
#define EVENT_NO_TID UINT32_MAX
#define EVENT_NO_CPU UINT32_MAX

/* ---- Metadata: what the capture records about itself and its machine ---- */

/* The lines of metadata, in the order in which `kiln info` prints them. */
enum fact {
	FACT_FORMAT,
	FACT_INPUT_FORMAT, /* the value of --input-format that selects this format */
	FACT_EVIDENCE,     /* why the format was chosen */
	FACT_BYTE_ORDER,
	FACT_HOST,
	FACT_OS_RELEASE,
	FACT_ARCH,
	FACT_TOOL_VERSION,
	FACT_COMMAND_LINE,
	FACT_CPU,
	FACT_CPU_ID,
	FACT_CPUS_ONLINE,
	FACT_CPUS_AVAILABLE,
	FACT_MEMORY_KIB,
	FACT_SAMPLE_TIME_FIRST,
	FACT_SAMPLE_TIME_LAST,
	FACT_CLOCK,
	FACT_WALL_CLOCK,
	FACT_PMU_MAPPINGS,
	FACT_EVENT_GROUPS,
	FACT_CPU_TOPOLOGY,
	FACT_NUMA_TOPOLOGY,
	FACT_CACHES,
	FACT_COMPRESSION,
	FACT_SNAPSHOTS, /* tables that were printed repeatedly, and the snapshots that are used */
	FACT_CAPTURES,  /* number of captures in a merged profile, and their label keys */
	FACT_FEATURES_MISSING,
	FACT_COUNT,
};

struct event_fact {
	enum fact name;
	struct text value;
};

/* The same moment on two clocks: the capture's clock, and nanoseconds since 1970. */
struct event_clock {
	uint64_t wall_ns, clock_ns;
};

/* The number of records of one type in the input. */
struct event_record_count {
	uint32_t type;
	struct text name; /* .at NULL: an unknown type */
	uint64_t count;
	bool is_used; /* kiln reads records of this type */
};

/* ---- What was measured ---- */

/* The unit of sample periods. */
enum weight_unit {
	UNIT_SAMPLES,
	UNIT_EVENTS,      /* occurrences of the event: cycles, page-faults */
	UNIT_NANOSECONDS, /* CPU time (cpu-clock, task-clock), or off-CPU time */
	UNIT_BYTES,
	UNIT_MILLIONTHS, /* decimal counts in a text capture, multiplied by 10^6 */
};

/* A recorded event, as described by its struct perf_event_attr. */
struct event_attr {
	uint32_t index; /* event_sample.attr */
	struct text name;
	enum weight_unit unit;
	uint64_t sample_type;   /* SAMPLE_HAS_* */
	uint64_t sample_period; /* period in events, or frequency in Hz if is_frequency is set */
	bool is_frequency;
	bool excludes_user, excludes_kernel;
	bool has_callchain;
	bool has_branches;     /* samples have a branch stack (-b, --call-graph lbr) */
	bool has_branch_calls; /* the branch stack is an LBR call stack */
	bool is_dummy;         /* the event only records sideband events */
	bool has_comm_exec;    /* COMM records distinguish exec from prctl */
	bool is_monotonic;     /* times are CLOCK_MONOTONIC */
	bool is_wall_clock;    /* times are CLOCK_REALTIME */
	/* Bit N: samples contain register N of enum perf_event_ARCH_regs. */
	uint64_t user_register_mask;
	/*
	 * How many times the event was opened: once for each CPU; with -t, once for each CPU and
	 * thread. 0 if unknown.
	 */
	uint32_t id_count;
	const struct field *fields; /* tracepoints: layout of the raw data */
	uint32_t field_count;
	struct text print_format; /* tracepoints: the kernel's "print fmt"; may be empty */
};

/* ---- Sideband: processes, threads and what they map ---- */

/* Values of PERF_RECORD_MISC_CPUMODE_MASK. */
enum cpu_mode {
	CPU_MODE_UNKNOWN = 0,
	CPU_MODE_KERNEL = 1,
	CPU_MODE_USER = 2,
	CPU_MODE_HYPERVISOR = 3,
	CPU_MODE_GUEST_KERNEL = 4,
	CPU_MODE_GUEST_USER = 5,
};

struct event_comm {
	uint32_t pid, tid;
	bool is_exec;
	struct text comm;
};

/* A process or thread that started or, with EVENT_EXIT, ended. */
struct event_fork {
	uint32_t pid, parent_pid, tid, parent_tid;
	/*
	 * perf made this event. The child's own MMAP records follow, so the child does not inherit
	 * mappings
	 */
	bool is_synthesized;
};

struct event_mmap {
	uint32_t pid, tid;
	bool is_kernel;
	bool is_guest;
	bool is_executable;
	bool is_private; /* MAP_PRIVATE; false if shared or unknown */
	uint64_t address, length, file_offset;
	struct text path;
	struct build_id build_id;
	uint32_t device_major, device_minor; /* both are 0 if unknown */
	uint64_t inode, inode_generation;    /* 0 if unknown */
};

/* A kernel symbol that was added or removed: a BPF program, a trampoline, a kprobe's page. */
struct event_ksymbol {
	uint64_t address, length;
	bool is_unregister;
	struct text name;
};

struct event_cgroup {
	uint64_t id;
	struct text path; /* relative to the root cgroup, "/" */
};

/* Inode numbers of a process's namespaces; 0 if not recorded. */
struct event_namespaces {
	uint32_t pid, tid;
	uint64_t pid_namespace;
	uint64_t mount_namespace;
};

/* PERF_RECORD_SWITCH: a thread was switched in or out. */
struct event_context_switch {
	uint32_t tid; /* EVENT_NO_TID for the last switch of an exiting thread */
	uint32_t cpu; /* or EVENT_NO_CPU */
	bool is_switch_out;
	bool is_preempted; /* switched out while runnable */
	bool is_exit;      /* not a switch: the thread begins to exit, and is soon switched out */
	bool is_exec; /* not a switch: the thread called exec, and may have got this tid by it */
};

/* Whether this is a switch that names its thread. */
static inline bool context_switch_is_of_thread(const struct event_context_switch *change)
{
	return !change->is_exit && !change->is_exec && change->tid != EVENT_NO_TID;
}

/* A path and the build-id that the capture lists for it. */
struct event_build_id {
	struct text path;
	struct build_id build_id;
	enum cpu_mode cpu_mode;
};

/* Completes callchains that end with CALLCHAIN_USER_DEFERRED and this cookie. */
struct event_deferred_callchain {
	uint64_t cookie;
	uint32_t tid;    /* may be EVENT_NO_TID */
	struct span ips; /* 64-bit entries, as in event_sample.ips */
};

/* ---- Losses: what was not recorded, and what could not be used ---- */

enum loss_kind {
	LOSS_RECORDS,         /* dropped by the kernel: the ring buffer was full */
	LOSS_SAMPLES,         /* dropped by the kernel (PERF_RECORD_LOST_SAMPLES) */
	LOSS_FILTERED,        /* samples dropped on purpose, by a BPF filter */
	LOSS_THROTTLED,       /* how often the kernel throttled sampling */
	LOSS_TRUNCATED_BYTES, /* bytes of the incomplete record at the end */
	LOSS_TRAILING_BYTES,  /* unrelated bytes after the end of the capture */
	LOSS_CORRUPT_RECORDS, /* skipped corrupt records, for example with a wrong size */
	LOSS_UNKNOWN_RECORDS, /* skipped records of an unknown type */
	LOSS_UNKNOWN_IDS,     /* samples whose id does not belong to an event */
	/* ids that several events share; the first of the events gets the samples */
	LOSS_SHARED_IDS,
	LOSS_AUX_TRUNCATED,  /* hardware trace buffers that overflowed */
	LOSS_AUX_TRACES,     /* hardware traces, which kiln does not decode */
	LOSS_MAPS_TRUNCATED, /* processes whose /proc/PID/maps perf did not finish reading */
	/* MMAP records dropped because the history of mappings needs too much memory */
	LOSS_MAPPINGS,
	LOSS_DEFERRED_CALLCHAINS, /* samples whose deferred user callchain is missing */
	/* Samples whose stack dump was not unwound completely, by reason. */
	LOSS_UNWIND_TRUNCATED,    /* the stack is longer than the dump */
	LOSS_UNWIND_FAILED,       /* no unwind information for the next frame */
	LOSS_UNWIND_NO_FILE,      /* the file that contains the unwind information was not found */
	LOSS_UNWIND_NO_REGISTERS, /* no registers, or an unsupported architecture */
	/* From texts. */
	LOSS_SKIPPED_LINES, /* lines that are not part of the format */
	LOSS_LONG_LINES, /* lines and records skipped because they exceed LIMIT_TEXT_RECORD_BYTES */
	LOSS_NEGATIVE_COUNTS, /* skipped lines and values with a negative count */
	LOSS_ROUNDED_COUNTS,  /* counts with more decimals than are kept */
	LOSS_CALLERS,   /* stacks without their outermost callers, of which there were too many */
	LOSS_FULL_MAPS, /* maps of bpftrace with as many keys as fit; others are probably missing */
	LOSS_KIND_COUNT,
};

struct event_loss {
	enum loss_kind kind;
	uint64_t count;
};

/* ---- Samples ---- */

/* Bits of event_sample.present: those of PERF_SAMPLE_*. */
#define SAMPLE_HAS_IP               (1ull << 0)
#define SAMPLE_HAS_TID              (1ull << 1)
#define SAMPLE_HAS_TIME             (1ull << 2)
#define SAMPLE_HAS_ADDRESS          (1ull << 3)
#define SAMPLE_HAS_CALLCHAIN        (1ull << 5)
#define SAMPLE_HAS_CPU              (1ull << 7)
#define SAMPLE_HAS_PERIOD           (1ull << 8)
#define SAMPLE_HAS_RAW              (1ull << 10)
#define SAMPLE_HAS_BRANCHES         (1ull << 11)
#define SAMPLE_HAS_USER_REGISTERS   (1ull << 12)
#define SAMPLE_HAS_USER_STACK       (1ull << 13)
#define SAMPLE_HAS_WEIGHT           (1ull << 14)
#define SAMPLE_HAS_DATA_SOURCE      (1ull << 15)
#define SAMPLE_HAS_PHYSICAL_ADDRESS (1ull << 19)
#define SAMPLE_HAS_CGROUP           (1ull << 21)
#define SAMPLE_HAS_WEIGHT_STRUCT    (1ull << 24)

/* An entry of the branch stack. Fields that the CPU did not record are 0. */
struct event_branch {
	uint64_t from, to;
	uint16_t cycles;     /* cycles since the previous branch */
	uint8_t type;        /* PERF_BR_* */
	uint8_t new_type;    /* PERF_BR_NEW_*, when type is PERF_BR_EXTEND_ABI */
	uint8_t speculation; /* PERF_BR_SPEC_* */
	uint8_t privilege;   /* PERF_BR_PRIV_* */
	/* At most one of these is set. If neither is set, the CPU does not report predictions. */
	bool is_mispredicted, is_predicted;
	bool is_in_transaction, is_abort; /* transactional memory */
};

/* One sample. `present` has a bit for each recorded field; the other fields are 0. */
struct event_sample {
	uint32_t attr; /* event_attr.index */
	uint32_t pid, tid, cpu;
	enum cpu_mode cpu_mode;
	uint16_t misc; /* PERF_RECORD_MISC_* of the record */
	uint64_t present;
	uint64_t ip, address, id, stream_id, period;
	const uint64_t *ips; /* the callchain: libparse/callchain.h */
	uint32_t ip_count;
	uint64_t weight; /* as recorded; with PERF_SAMPLE_WEIGHT_STRUCT, three fields in one word */
	uint64_t data_source, transaction, physical_address, cgroup;
	uint64_t data_page_size, code_page_size;
	const struct event_branch *branches; /* newest first */
	uint32_t branch_count;
	uint64_t branches_hw_index;
	struct span raw, user_registers, user_stack, interrupt_registers;
	uint64_t user_stack_used_bytes;
	const struct event_text_sample *text; /* contents of a sample from a text format */
};

/* The fields of sched_switch, parsed from text. */
struct event_sched_switch {
	uint32_t previous_tid, next_tid;
	struct text previous_comm, next_comm; /* empty if unknown */
	char state;                           /* prev_state, with ps's letters: S, D, R ... */
	bool is_preempted;
};

/* Stands for an unknown duration of a system call. */
#define EVENT_SYSCALL_NO_DURATION UINT64_MAX

/* A system call in a text capture: the call, its entry or exit, or the sum of several calls. */
struct event_syscall {
	enum event_syscall_phase {
		EVENT_SYSCALL_ENTER,
		EVENT_SYSCALL_EXIT, /* the call's result; the duration may be known */
		EVENT_SYSCALL_WHOLE,
		EVENT_SYSCALL_SUM,
	} phase;
	struct text name;
	struct text error;    /* such as ENOENT; .at is NULL if none */
	uint64_t duration_ns; /* total duration of a sum */
	/* Valid only for a sum of several calls. */
	uint64_t call_count, error_count;
	uint64_t longest_ns; /* 0 if not known */
};

/* A row of a log of events: a text for each column (libparse/log/log_heading.h). */
struct event_row {
	const struct text *cells;
	uint32_t count;
};

/* A label of a merged profile, which shows where samples come from: host=web-1, release=42. */
struct event_label {
	struct text key, value;
};

/*
 * A sample from a text format, with names in place of addresses. Frames are unparsed text. Most
 * frames repeat, so input_format.read_frame parses each distinct frame only once.
 */
struct event_text_sample {
	struct text comm;  /* .at is NULL if unknown */
	struct text event; /* name of the event: texts have no event_attr */
	enum weight_unit unit;
	bool is_histogram; /* the innermost frame is a range of values, not a function */
	bool is_table;     /* a row of a table: comm and frames are parts of its key, not a stack */
	/*
	 * The number of samples that were aggregated. event_sample.period is the sum of their
	 * periods.
	 */
	uint64_t sample_count;
	bool has_deviation; /* perf stat -r: the period is the mean of run_count runs */
	double deviation;   /* standard error of the mean period */
	uint32_t run_count; /* 0 if unknown */
	const struct text *frames;
	uint32_t frame_count;
	/* Outermost frames that are garbage (callchain_trimmed_count); 0 if is_outermost_first. */
	uint32_t stray_count;
	bool is_outermost_first;
	bool repeats_head; /* all but weights and frames is known to be as in the previous sample */
	/* Number of outermost frames that the previous sample is known to share. May be 0. */
	uint32_t shared_count;
	const struct event_sched_switch
		*sched_switch;               /* NULL if the sample is not a sched_switch */
	bool is_wakeup;                      /* sched_waking, sched_wakeup or sched_wakeup_new */
	uint32_t woken_tid;                  /* of a wake-up */
	const struct event_syscall *syscall; /* NULL if not a system call */
	const struct event_row *row;         /* NULL if not a row of a log */
	const struct event_label *labels;    /* sorted by key */
	uint32_t label_count;
};

/* ---- Frames of text ---- */

/*
 * Names of the frames that stand for stacks omitted from a flame graph, as written by kiln and
 * other tools.
 */
#define FRAME_NAME_LEFT_OUT   "[left out of this file: too narrow]"
#define FRAME_NAME_TOO_NARROW "[too narrow to be drawn]"

/* A parsed frame. Values that the format lacks are empty texts, or 0. */
struct event_frame {
	struct text name;
	/* as perf script prints the module: a path, [kernel.kallsyms], /tmp/perf-7.map */
	struct text module;
	uint64_t address, offset; /* offset: from the start of the function */
	struct build_id build_id; /* build-id of the module */
	bool is_inlined;
	/* set only if the capture states this independently of the module */
	bool is_kernel, is_jit;
	bool is_group; /* not code, but a process or thread that groups stacks */
	bool is_mark;  /* not code, but a note about the stack, such as [truncated] */
	bool is_exact; /* show the name verbatim; in drop-ins, the name may be empty */
};

typedef void event_frame_callback(void *context, const struct event_frame *frame);

/*
 * Parses the text of one frame. Calls back for the function and for each function inlined into it,
 * the outermost first. reader: the format's state for the capture.
 */
typedef void event_frame_reader(const void *reader, struct text raw, event_frame_callback *callback,
				void *context);

/* Exact sums of a function, as stored in a flame graph that omits some stacks. */
struct event_function_total {
	struct text event;
	struct text frame; /* raw text of the frame; if .at is NULL, all frames called `name` */
	struct text name;
	uint64_t self, total; /* self is valid only if `frame` is set */
};

typedef void event_function_callback(void *context, const struct event_function_total *function);

/* ---- The event ---- */

enum event_kind {
	EVENT_FACT,
	EVENT_CLOCK,
	EVENT_ATTR,
	EVENT_BUILD_ID,
	EVENT_COMM,
	EVENT_FORK,
	EVENT_EXIT,
	EVENT_MMAP,
	EVENT_KSYMBOL,
	EVENT_CGROUP,
	EVENT_NAMESPACES,
	EVENT_DEFERRED_CALLCHAIN,
	EVENT_CONTEXT_SWITCH,
	EVENT_LOSS,
	EVENT_RECORD_COUNT,
	EVENT_SAMPLE,
};

struct event {
	enum event_kind kind;
	bool has_time;
	/* tid from the sample_id trailer, or EVENT_NO_TID; samples have no trailer */
	uint32_t trailer_tid;
	uint32_t trailer_cpu; /* CPU in the sample_id trailer, or EVENT_NO_CPU */
	uint64_t time_ns;     /* time on the capture's clock */
	uint64_t offset;      /* offset of the record in the input, in bytes */
	union {
		struct event_fact fact;
		struct event_clock clock;
		struct event_attr attr;
		struct event_build_id build_id;
		struct event_comm comm;
		struct event_fork fork;
		struct event_fork exit;
		struct event_mmap mmap;
		struct event_ksymbol ksymbol;
		struct event_cgroup cgroup;
		struct event_namespaces namespaces;
		struct event_deferred_callchain deferred_callchain;
		struct event_context_switch context_switch;
		struct event_loss loss;
		struct event_record_count record_count;
		struct event_sample sample;
	};
};

struct event_sink {
	void *context;
	void (*on_event)(void *context, const struct event *event);
	/*
	 * The reader calls this from time to time in the first pass. The callback returns false
	 * to end reading, if the events so far take too much memory. If the callback is NULL, memory
	 * is not limited.
	 */
	bool (*check_memory)(void *context, struct error *err);
	/*
	 * Whether the sink uses samples of this attr; NULL: all. Readers may leave out the others,
	 * unless they share their offset with another sample: such samples are told apart by their
	 * order. The sink must therefore expect samples of any attr.
	 */
	bool (*wants_attr)(void *context, uint32_t attr);
	/* The sink does not use callchains, so readers may leave them out. */
	bool ignores_callchains;
};

static inline void event_send(const struct event_sink *sink, const struct event *event)
{
	sink->on_event(sink->context, event);
}

static inline bool event_sink_wants_attr(const struct event_sink *sink, uint32_t attr)
{
	return !sink->wants_attr || sink->wants_attr(sink->context, attr);
}

static inline bool event_sink_check_memory(const struct event_sink *sink, struct error *err)
{
	return !sink->check_memory || sink->check_memory(sink->context, err);
}

#endif
