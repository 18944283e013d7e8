/* SPDX-License-Identifier: MIT */
#include "session/syscall_reader.h"

#include "base/arithmetic.h"
#include "libparse/calls/call_line.h"
#include "libparse/ftrace/ftrace.h"
#include "libparse/text.h"
#include "process/process_history.h"
#include "syscalls/syscall_names.h"
#include "syscalls/syscall_plan.h"
#include "syscalls/syscall_records.h"

/* The names of numbers below this are cached in a table. */
#define NAMED_NUMBERS 1024u
/* x32 programs set this bit in system call numbers. */
#define X32_BIT 0x40000000u
/* 32-bit programs do not map files above this address. */
#define END_32_BIT (1ull << 32)
/*
 * Maximum number of mappings above the highest file that are checked: stacks and anonymous memory.
 */
#define HIGH_MAPPINGS_MAX 64

/* The system call numbers that a thread uses, until its mappings change. */
struct thread_abi {
	uint64_t from_ns, until_ns;
	enum syscall_abi abi;
};

struct syscall_reader {
	struct session *session;
	struct syscall_stats *stats;
	const name_patterns *patterns; /* names of the calls that count; empty: all */
	struct syscall_plan plan;
	struct syscall_records records;
	struct selection selection;                     /* of threads, CPUs and times */
	enum syscall_abi abi;                           /* of the machine */
	VEC(struct thread_abi) thread_abis;             /* by thread of stats */
	str_id names[SYSCALL_ABI_COUNT][NAMED_NUMBERS]; /* STR_EMPTY: not looked up yet */
	VEC(signed char) is_wanted; /* by name: 1 if wanted, -1 if not, 0 if not checked yet */
};

/*
 * Whether the process runs a 32-bit program, whose highest mapped file ends below 4 GiB. Mappings
 * above that file, such as the stack that exec created, are skipped.
 */
static bool is_32_bit(const struct session *session, space_id space)
{
	uint64_t below = UINT64_MAX;

	for (int i = 0; i < HIGH_MAPPINGS_MAX; i++) {
		const struct mapping *mapping =
			address_spaces_find_below(&session->state.history.spaces, space, below);
		enum module_kind kind;

		if (!mapping)
			return false;
		kind = session->profile.modules->rows.at[mapping->module.i].kind;
		if (kind == MODULE_FILE || kind == MODULE_VDSO)
			return mapping->end <= END_32_BIT;
		if (!mapping->start)
			return false;
		below = mapping->start - 1;
	}
	return false;
}

static enum syscall_abi find_abi(const struct syscall_reader *reader, uint32_t tid,
				 uint64_t time_ns, struct thread_abi *ret)
{
	const struct process_history *history = &reader->session->state.history;
	struct process_moment moment =
		process_history_find(history, process_history_pid(history, tid), tid, time_ns);

	*ret = (struct thread_abi){
		.from_ns = moment.from_ns,
		.until_ns = moment.until_ns,
		.abi = is_32_bit(reader->session, moment.space) ? SYSCALL_ABI_I386
								: SYSCALL_ABI_X86_64,
	};
	return ret->abi;
}

/*
 * Returns which system call numbers a thread uses at this time. 32-bit programs on x86-64 use the
 * system call numbers of i386. Only their mappings show that they are 32-bit.
 */
static enum syscall_abi abi_of(struct syscall_reader *reader, uint32_t tid, uint64_t time_ns)
{
	uint32_t index;
	const struct thread_abi *abi;

	if (reader->abi != SYSCALL_ABI_X86_64)
		return reader->abi;
	index = syscall_stats_thread(reader->stats, tid);
	while (reader->thread_abis.count <= index)
		vec_push(&reader->thread_abis, (struct thread_abi){ 0 });
	abi = &reader->thread_abis.at[index];
	return time_ns >= abi->from_ns && time_ns < abi->until_ns
		       ? abi->abi
		       : find_abi(reader, tid, time_ns, &reader->thread_abis.at[index]);
}

static str_id intern_number(struct syscall_reader *reader, enum syscall_abi abi, uint32_t number)
{
	bool is_x32 = abi == SYSCALL_ABI_X86_64 && number & X32_BIT && number != SYSCALL_NO_NUMBER;
	struct text name = syscall_name(abi, is_x32 ? number & ~X32_BIT : number);
	char buffer[32];

	if (!name.at) {
		snprintf(buffer, sizeof(buffer), "[%s %d]", is_x32 ? "x32" : "syscall",
			 (int32_t)(is_x32 ? number & ~X32_BIT : number));
		name = text_of(buffer);
	}
	return strings_intern(reader->session->profile.strings, name.at, name.length);
}

static str_id name_number(struct syscall_reader *reader, enum syscall_abi abi, uint32_t number)
{
	if (number >= NAMED_NUMBERS)
		return intern_number(reader, abi, number);
	if (!reader->names[abi][number].i)
		reader->names[abi][number] = intern_number(reader, abi, number);
	return reader->names[abi][number];
}

static bool is_wanted(struct syscall_reader *reader, str_id name)
{
	signed char *wanted;

	if (!reader->patterns || !reader->patterns->count)
		return true;
	while (reader->is_wanted.count <= name.i)
		vec_push(&reader->is_wanted, 0);
	wanted = &reader->is_wanted.at[name.i];
	if (!*wanted)
		*wanted = name_patterns_fit(reader->patterns,
					    strings_get(reader->session->profile.strings, name))
				  ? 1
				  : -1;
	return *wanted > 0;
}

static void drop_sums(struct syscall_reader *reader)
{
	struct syscall_records *records = &reader->records;
	size_t count = 0;

	for (size_t i = 0; i < records->sums.count; i++)
		if (is_wanted(reader, (str_id){ records->sums.at[i].name }))
			records->sums.at[count++] = records->sums.at[i];
	records->sums.count = count;
}

/* Names the calls, and drops those that are not wanted. */
static void name_records(struct syscall_reader *reader)
{
	struct syscall_records *records = &reader->records;
	size_t count = 0;

	for (size_t i = 0; i < records->rows.count; i++) {
		struct syscall_record record = records->rows.at[i];
		enum syscall_abi abi = reader->stats->is_text
					       ? SYSCALL_ABI_UNKNOWN
					       : abi_of(reader, record.tid, record.time_ns);

		/*
		 * Records from texts already have names. Names from events are kernel functions,
		 * such as newfstat.
		 */
		if (!record.name || (abi != SYSCALL_ABI_UNKNOWN && record.number < NAMED_NUMBERS))
			record.name = name_number(reader, abi, record.number).i;
		if (is_wanted(reader, (str_id){ record.name }))
			records->rows.at[count++] = record;
	}
	records->rows.count = count;
}

static str_id comm_of(struct session *session, uint32_t tid)
{
	char buffer[COMM_BYTES];
	struct text comm = process_history_last_comm(&session->state.history,
						     session->profile.strings, tid, buffer);

	return strings_intern(session->profile.strings, comm.at, comm.length);
}

/* Copies the thread names that a text capture contains. */
static void take_comms(struct syscall_reader *reader)
{
	const struct syscall_records *records = &reader->records;

	for (size_t i = 0; i < records->comms.count; i++) {
		uint32_t index = syscall_stats_thread(reader->stats, records->comms.at[i].tid);
		struct syscall_thread *thread = &reader->stats->threads.at[index];

		thread->comm = thread->process = (str_id){ records->comms.at[i].comm };
	}
}

static void name_threads(struct syscall_reader *reader)
{
	struct session *session = reader->session;

	for (size_t i = 0; i < reader->records.rows.count; i++)
		(void)syscall_stats_thread(reader->stats, reader->records.rows.at[i].tid);
	for (size_t i = 0; i < reader->records.sums.count; i++)
		(void)syscall_stats_thread(reader->stats, reader->records.sums.at[i].tid);
	for (size_t i = 0; i < reader->stats->threads.count; i++) {
		struct syscall_thread *thread = &reader->stats->threads.at[i];
		uint32_t pid = process_history_pid(&session->state.history, thread->tid);

		if (pid != PROCESS_HISTORY_NONE)
			thread->pid = pid;
		thread->comm = comm_of(session, thread->tid);
		thread->process = comm_of(session, thread->pid);
		if (thread->is_unknown)
			thread->comm = thread->process =
				strings_intern_text(session->profile.strings, "[unknown]");
	}
	take_comms(reader);
	for (size_t i = 0; i < reader->stats->threads.count; i++) {
		struct syscall_thread *thread = &reader->stats->threads.at[i];

		thread->is_selected = selection_includes_thread(
			&reader->selection, thread->pid, thread->tid,
			strings_get(session->profile.strings, thread->comm),
			strings_get(session->profile.strings, thread->process));
	}
}

static void prepare(struct syscall_reader *reader)
{
	struct session *session = reader->session;
	struct strings *strings = session->profile.strings;
	struct syscall_stats *stats = reader->stats;

	reader->abi = syscall_abi_of(session->profile.facts[FACT_ARCH]);
	reader->selection = session->view.selection;
	time_windows_init(&session->lane_windows, &session->view.selection);
	stats->windows = &session->lane_windows;
	stats->cpus = &session->view.selection.cpus;
	stats->exit_name = strings_intern_text(strings, "exit");
	stats->exit_group_name = strings_intern_text(strings, "exit_group");
}

/* Sets the time span of the calls; texts may lack times. */
static void set_times(struct syscall_reader *reader)
{
	struct syscall_stats *stats = reader->stats;
	uint64_t first_ns = UINT64_MAX;
	uint64_t last_ns = 0;

	for (size_t i = 0; i < reader->records.rows.count; i++) {
		const struct syscall_record *record = &reader->records.rows.at[i];
		bool has_end = record->duration_ns != SYSCALL_NO_DURATION;
		uint64_t end_ns = has_end ? saturate_add(record->time_ns, record->duration_ns)
					  : record->time_ns;

		if (!record->has_time)
			continue;
		first_ns = record->time_ns < first_ns ? record->time_ns : first_ns;
		last_ns = end_ns > last_ns ? end_ns : last_ns;
	}
	if (first_ns > last_ns)
		return;
	stats->first_ns = time_windows_nearest(stats->windows, first_ns);
	stats->last_ns = time_windows_nearest(stats->windows, last_ns);
}

static void take_losses(struct syscall_reader *reader)
{
	struct session *session = reader->session;
	const struct syscall_records *records = &reader->records;

	saturate_add_all(session->profile.losses, records->losses, LOSS_KIND_COUNT);
	if (records->first_skipped_offset != UINT64_MAX)
		session->profile.first_skipped_line =
			text_line_number(&session->capture.input, records->first_skipped_offset);
}

static bool build(struct syscall_reader *reader, struct error *err)
{
	struct session *session = reader->session;
	struct syscall_stats *stats = reader->stats;
	const struct syscall_records *records = &reader->records;

	session->has_visited = true;
	session->visited_count = session->profile.sample_count =
		records->rows.count + records->sums.count;
	stats->has_enters = reader->plan.has_enters;
	stats->has_exits = reader->plan.has_exits;
	set_times(reader);
	take_losses(reader);
	name_records(reader);
	drop_sums(reader);
	name_threads(reader);
	for (size_t i = 0; i < records->rows.count; i++)
		syscall_stats_add(stats, &records->rows.at[i]);
	for (size_t i = 0; i < records->sums.count; i++)
		syscall_stats_add_sum(stats, &records->sums.at[i]);
	syscall_stats_finish(stats);
	return stats->rows.count || stats->doubts.open_count ||
	       error_set(err, ERROR_NO_MATCH,
			 "no system call was selected, or none returned in the selected time");
}

/* Sums do not distinguish calls that failed from other calls. */
static bool check_sums(const struct syscall_reader *reader, struct error *err)
{
	const struct syscall_keys *keys = &reader->stats->keys;

	for (uint32_t i = 0; i < keys->count; i++)
		if (keys->at[i] == SYSCALL_KEY_ERROR && reader->records.sums.count)
			return error_set(err, ERROR_USAGE,
					 "--by error requires individual calls, but the input is a "
					 "summary; record without -c or -s");
	return true;
}

/* Only some text formats contain system calls; reading these does not require a plan. */
static bool make_plan(struct syscall_reader *reader, struct error *err)
{
	const struct session *session = reader->session;
	const struct input_format *format = session->capture.format;

	reader->stats->is_text = session_is_text(session);
	if (!reader->stats->is_text)
		return syscall_plan_make(&session->profile, session->options.syscalls->is_forced,
					 &reader->plan, err);
	reader->plan.has_enters = reader->plan.has_exits = true;
	reader->stats->may_be_cpu_time = format == &strace_summary_format;
	return format->only_command || format == &trace_summary_format ||
	       error_set(err, ERROR_USAGE,
			 "has no system calls that kiln can list; use perf trace, strace, or perf "
			 "record -e 'raw_syscalls:*' -a");
}

bool session_build_syscalls(struct session *session, struct error *err)
{
	const struct syscall_options *options = session->options.syscalls;
	struct syscall_reader *reader = memory_zalloc(1, sizeof(*reader));
	bool good;

	reader->session = session;
	reader->stats = &session->syscalls;
	reader->patterns = options->patterns;
	syscall_stats_init(&session->syscalls, &options->keys);
	prepare(reader);
	good = make_plan(reader, err) &&
	       syscall_records_read(&session->capture, &reader->plan, session->options.thread_count,
				    session->profile.strings, &reader->records, err) &&
	       check_sums(reader, err) && build(reader, err);
	syscall_plan_free(&reader->plan);
	syscall_records_free(&reader->records);
	vec_free(&reader->thread_abis);
	vec_free(&reader->is_wanted);
	memory_free(reader);
	return good || error_prefix(err, "%s", session->capture.input.name);
}
