/* SPDX-License-Identifier: MIT */
/*
 * The first neck: whatever was read, it is told as these few events. A reader of a format fills
 * a struct event and hands it to the sink; all pointers in it are the reader's and valid only
 * during that call. Numbers are in this machine's byte order, text is bytes as they were found.
 *
 *     perf.data ─┐
 *     text ──────┼─ reader ──▶ struct event ──▶ event_sink.take (profile/ingest)
 *     folded ────┘
 *
 * State (everything but samples) is told in one pass, samples in another, perhaps by several
 * threads at once, each with its own sink.
 */
#ifndef LIBPARSE_EVENT_H
#define LIBPARSE_EVENT_H

#include "base/build_id.h"
#include "base/span.h"
#include "base/strings.h"
#include "libparse/tracepoint/field.h"

/* One line of what a capture says of itself. The order is the order `info` shows. */
enum fact {
	FACT_FORMAT,
	FACT_INPUT_FORMAT, /* its name for --input-format */
	FACT_EVIDENCE,     /* what spoke for that format */
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
	FACT_PRINTINGS, /* tables that were printed several times, and what was made of that */
	FACT_FEATURES_MISSING,
	FACT_COUNT,
};

enum weight_unit {
	UNIT_SAMPLES,
	UNIT_EVENTS,      /* cycles, page faults: a plain count of the thing named */
	UNIT_NANOSECONDS, /* cpu-clock, task-clock, time off the CPU */
	UNIT_BYTES,
	UNIT_MILLIONTHS, /* of a count that is written with a decimal point */
};

/* Where the processor was; the values are those of PERF_RECORD_MISC_CPUMODE_MASK. */
enum cpu_mode {
	CPU_MODE_UNKNOWN = 0,
	CPU_MODE_KERNEL = 1,
	CPU_MODE_USER = 2,
	CPU_MODE_HYPERVISOR = 3,
	CPU_MODE_GUEST_KERNEL = 4,
	CPU_MODE_GUEST_USER = 5,
	/* Of no sample: the function is one of the kernel's that something points to. */
	CPU_MODE_KERNEL_POINTER = 8,
	/* Of no code: the entry is an enum interval_mark, or nanoseconds. */
	CPU_MODE_MARK = 9,
	CPU_MODE_LENGTH = 10,
	/* Of other code: the entry is a link of offcpu/wakers.h. */
	CPU_MODE_WAKER = 11,
};

/* What is measured: perf calls it an event, its description an attr. */
struct event_attr {
	uint32_t index; /* samples name their attr by it */
	struct text name;
	enum weight_unit unit;
	uint64_t sample_type;
	uint64_t sample_period; /* or frequency, in Hz */
	bool is_frequency;
	bool excludes_user, excludes_kernel; /* code that was not sampled */
	bool has_callchain;
	bool has_branches;     /* its samples hold the branches last taken */
	bool has_branch_calls; /* of these, only calls that have not returned: a call chain */
	bool is_dummy;         /* carries state only, never samples */
	bool has_comm_exec;    /* its COMM records tell execs apart */
	bool is_monotonic;     /* its times are those of CLOCK_MONOTONIC */
	bool is_wall_clock;    /* its times are nanoseconds since 1970 */
	uint64_t
		user_register_mask; /* which registers its samples hold: a bit each, perf's numbers */
	uint32_t
		source_count; /* processors, times threads that were chosen, it was recorded on; 0: not known */
	const struct field *fields; /* in the raw data of its samples */
	uint32_t field_count;
	struct text print_format; /* how its kernel would print them; empty: not known */
};

struct event_comm {
	uint32_t pid, tid;
	bool is_exec;
	struct text comm;
};

struct event_fork {
	uint32_t pid, parent_pid, tid, parent_tid;
	bool is_synthesized; /* the child's mappings follow, none are inherited */
};

struct event_mmap {
	uint32_t pid, tid;
	bool is_kernel;
	bool is_guest;
	bool is_executable;
	bool is_private; /* known to be no memory that is shared with another mapping */
	uint64_t address, length, file_offset;
	struct text path;
	struct build_id build_id;
	uint32_t device_major, device_minor; /* 0, 0: unknown */
	uint64_t inode, inode_generation;
};

struct event_ksymbol {
	uint64_t address, length;
	bool is_unregister;
	struct text name;
};

struct event_cgroup {
	uint64_t id;
	struct text path; /* below the root of all: "/" */
};

struct event_namespaces {
	uint32_t pid, tid;
	uint64_t pid_namespace; /* its inode; 0: the record does not say */
	uint64_t mount_namespace;
};

/* A thread left a processor, or came to one. */
struct event_change {
	uint32_t tid;
	bool is_leaving;
	bool is_preempted; /* it could have gone on */
	bool is_ending;    /* it will not come again */
};

struct event_build_id {
	struct text path;
	struct build_id build_id;
	enum cpu_mode cpu_mode;
};

enum loss_kind {
	LOSS_RECORDS,             /* dropped by the kernel: the buffer was full */
	LOSS_SAMPLES,             /* dropped before they became records */
	LOSS_FILTERED,            /* left out on purpose, by a BPF filter */
	LOSS_THROTTLED,           /* times the kernel throttled sampling */
	LOSS_TRUNCATED_BYTES,     /* of the input, at its end */
	LOSS_FOLLOWING_BYTES,     /* of something else, behind the end of the capture */
	LOSS_DAMAGED_RECORDS,     /* skipped: their content contradicts their size */
	LOSS_UNKNOWN_RECORDS,     /* of a type we do not know */
	LOSS_UNKNOWN_IDS,         /* samples of no event of this capture */
	LOSS_SHARED_IDS,          /* ids that several events claim: the first gets their samples */
	LOSS_AUX_TRUNCATED,       /* hardware trace buffers that overflowed */
	LOSS_TRACES,              /* runs of hardware trace, which nothing here decodes */
	LOSS_MAPS_TRUNCATED,      /* processes whose mappings were cut by a time-out */
	LOSS_DEFERRED_CALLCHAINS, /* samples whose user call chain was to follow and never did */
	/* Of samples with a copy of their stack, how many could not be followed to its end. */
	LOSS_STACKS_TRUNCATED,    /* the copy ends before the stack does */
	LOSS_STACKS_LOST,         /* nothing tells how the next frame looks */
	LOSS_STACKS_NO_FILE,      /* what would tell is in a file that was not found */
	LOSS_STACKS_NO_REGISTERS, /* there were none, or of a processor that is not known */
	LOSS_LINES,               /* of text, skipped: they are nothing the format has */
	LOSS_NEGATIVE,            /* lines skipped: their counts are below 0 */
	LOSS_DECIMALS,            /* counts rounded: they have more decimal places than are kept */
	LOSS_KIND_COUNT,
};

struct event_loss {
	enum loss_kind kind;
	uint64_t count;
};

/* Bits of event_sample.present; those of PERF_SAMPLE_*. */
#define FIELD_IP               (1ull << 0)
#define FIELD_TID              (1ull << 1)
#define FIELD_TIME             (1ull << 2)
#define FIELD_ADDRESS          (1ull << 3)
#define FIELD_CALLCHAIN        (1ull << 5)
#define FIELD_CPU              (1ull << 7)
#define FIELD_PERIOD           (1ull << 8)
#define FIELD_RAW              (1ull << 10)
#define FIELD_BRANCHES         (1ull << 11)
#define FIELD_USER_REGISTERS   (1ull << 12)
#define FIELD_USER_STACK       (1ull << 13)
#define FIELD_WEIGHT           (1ull << 14)
#define FIELD_DATA_SOURCE      (1ull << 15)
#define FIELD_PHYSICAL_ADDRESS (1ull << 19)
#define FIELD_CGROUP           (1ull << 21)
#define FIELD_WEIGHT_STRUCT    (1ull << 24)

/* Entries of a call chain from here on are no addresses; these, PERF_CONTEXT_* of linux/perf_event.h,
 * say where those that follow ran. */
#define CALLCHAIN_MARKER_FIRST ((uint64_t)-4095)
#define CALLCHAIN_HYPERVISOR   ((uint64_t)-32)
#define CALLCHAIN_KERNEL       ((uint64_t)-128)
#define CALLCHAIN_USER         ((uint64_t)-512)
/* One entry is behind it, a cookie: the user part follows later, see event_deferred_callchain. */
#define CALLCHAIN_USER_DEFERRED ((uint64_t)-640)
#define CALLCHAIN_GUEST         ((uint64_t)-2048)
#define CALLCHAIN_GUEST_KERNEL  ((uint64_t)-2176)
#define CALLCHAIN_GUEST_USER    ((uint64_t)-2560)
/* What stands for a number from CALLCHAIN_MARKER_FIRST on that is none of them. */
#define CALLCHAIN_STRAY CALLCHAIN_MARKER_FIRST

/* An entry as a capture has it, made safe: a walk that went astray reads any number, and some are markers
 * of those who read the chain. */
static inline uint64_t callchain_entry(uint64_t recorded)
{
	if (recorded < CALLCHAIN_MARKER_FIRST || recorded == CALLCHAIN_HYPERVISOR ||
	    recorded == CALLCHAIN_KERNEL || recorded == CALLCHAIN_USER ||
	    recorded == CALLCHAIN_USER_DEFERRED || recorded == CALLCHAIN_GUEST ||
	    recorded == CALLCHAIN_GUEST_KERNEL || recorded == CALLCHAIN_GUEST_USER)
		return recorded;
	return CALLCHAIN_STRAY;
}

/* One branch the processor took. Where it knows nothing of something, that is 0. */
struct event_branch {
	uint64_t from, to;
	uint16_t cycles;      /* since the branch before */
	uint8_t type;         /* PERF_BR_* of linux/perf_event.h */
	uint8_t new_type;     /* PERF_BR_NEW_*, where type is PERF_BR_EXTEND_ABI */
	uint8_t speculation;  /* PERF_BR_SPEC_* */
	uint8_t privilege;    /* PERF_BR_PRIV_* */
	bool is_mispredicted; /* neither this nor the next: it was not recorded */
	bool is_predicted;
	bool is_in_transaction, is_abort; /* of a memory transaction */
};

/* Of no thread in particular: the record does not say. */
#define DEFERRED_ANY_TID UINT32_MAX

/* The user part of the call chains that end in CALLCHAIN_USER_DEFERRED and this cookie. */
struct event_deferred_callchain {
	uint64_t cookie;
	uint32_t tid;
	struct span ips; /* 64 bits each, innermost first, CHAIN_* markers included */
};

/* Who left a processor, about to be what, and who came. */
struct event_switch {
	uint32_t previous_tid, next_tid;
	char state; /* the letter of ps */
	bool is_preempted;
};

/*
 * A sample as a text has it: everything is a name already. Of the frames it holds the raw texts, most
 * of which were met before: input_format.read_frame is asked once what each distinct one says.
 */
struct event_text {
	struct text comm;  /* at NULL: it is not told */
	struct text event; /* of which the sample is; there is no event_attr */
	enum weight_unit unit;
	bool is_histogram; /* it is how often something was as large as the innermost frame says */
	bool is_table; /* it is a row of a table: comm and frames are the parts of its key, and no stack */
	uint64_t sample_count; /* that it stands for; its period is what they count together */
	bool has_deviation; /* its period is a mean of several runs of a program, and its spread is known */
	double deviation;   /* the standard error of that mean */
	uint32_t run_count; /* 0: not known how many */
	const struct text *frames;
	uint32_t frame_count;
	bool is_outermost_first; /* else the innermost is */
	/* Of frames, from the outermost on, those of the sample that was told before this one; of formats
	 * that do not tell it: 0. */
	uint32_t shared_count;
	const struct event_switch *switched; /* between threads; NULL: the sample is of none */
};

/* Names of frames that stand for stacks a flame graph does not show: kiln had no room for them, or they were too
 * narrow for the tool that drew it. */
#define FRAME_NAME_LEFT_OUT   "[left out of this file: too narrow]"
#define FRAME_NAME_TOO_NARROW "[too narrow to be drawn]"

/* What the raw text of one frame says. Where it says nothing of something, that is empty. */
struct event_frame {
	struct text name;
	struct text
		module; /* as perf script prints it: a path, [kernel.kallsyms], /tmp/perf-7.map */
	uint64_t address, offset; /* the latter in the function */
	bool is_inlined;
	bool is_kernel, is_jit; /* said by something else than the module */
	bool is_group, is_mark; /* no code: what stacks stand on, and what is said of them */
	bool is_exact; /* the name is to be shown as it is; of all but the drop-ins it is not empty then */
};

typedef void event_frame_taker(void *context, const struct event_frame *frame);

/* Tells the frames that a raw text holds, the outermost first; mostly it is one. reader is what the
 * format keeps of the capture; what is told is valid during the call. */
typedef void event_frame_reader(const void *reader, struct text raw, event_frame_taker *take,
				void *context);

/* What functions come to in all, in an input that lacks some of their stacks. */
struct event_function {
	struct text event; /* of which, as samples have it */
	struct text frame; /* the raw text; at NULL: it is all frames of this name together */
	struct text name;
	uint64_t self, total; /* of several together self is not told */
};

typedef void event_function_taker(void *context, const struct event_function *function);

struct event_sample {
	uint32_t attr; /* index of an event_attr */
	uint32_t pid, tid, cpu;
	enum cpu_mode cpu_mode;
	uint16_t misc;
	uint64_t present;
	uint64_t ip, address, id, stream_id, period;
	/* Innermost first, CHAIN_* markers included. */
	const uint64_t *ips;
	uint32_t ip_count;
	uint64_t weight; /* the whole word; PERF_SAMPLE_WEIGHT_STRUCT has three parts in it */
	uint64_t data_source, transaction, physical_address, cgroup;
	uint64_t data_page_size, code_page_size;
	const struct event_branch *branches; /* newest first */
	uint32_t branch_count;
	uint64_t branches_hw_index;
	struct span raw, user_registers, user_stack, interrupt_registers;
	uint64_t user_stack_used_bytes;
	const struct event_text *text; /* NULL: all of the above was recorded as numbers */
};

/* How many records of one type an input holds, and whether anything is made of them. */
struct event_records {
	uint32_t type;
	struct text name; /* at NULL: of no type that is known */
	uint64_t count;
	bool is_used;
};

/* A moment on the clock of the capture and on that of the wall, in nanoseconds since 1970. */
struct event_clock {
	uint64_t wall_ns, clock_ns;
};

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
	EVENT_SWITCH,
	EVENT_LOSS,
	EVENT_RECORDS,
	EVENT_SAMPLE,
};

/* The record does not say where it was. */
#define EVENT_NO_CPU UINT32_MAX

struct event {
	enum event_kind kind;
	bool has_time;
	uint32_t trailer_tid; /* DEFERRED_ANY_TID: it has none; not of samples */
	uint32_t trailer_cpu; /* EVENT_NO_CPU: it has none; likewise */
	uint64_t time_ns;
	uint64_t offset; /* of its first byte in the input */
	union {
		struct {
			enum fact name;
			struct text value;
		} fact;
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
		struct event_change change;
		struct event_loss loss;
		struct event_records records;
		struct event_sample sample;
	};
};

struct event_sink {
	void *context;
	void (*take)(void *context, const struct event *event);
};

static inline void event_send(const struct event_sink *sink, const struct event *event)
{
	sink->take(sink->context, event);
}

#endif
