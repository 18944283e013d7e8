/* SPDX-License-Identifier: MIT */
/*
 * Implements the format: merges the records of all CPUs by time. A stack belongs to the record
 * before it on the same CPU:
 *
 *     CPU 0   sched_switch, kernel_stack             sched_waking
 *     CPU 1               function     sched_switch
 *             ──────────────────────────────────────────────────▶ time
 *
 * When the file is opened, the records are written to a temporary file, as lines like those of
 * trace-cmd report. libparse/ftrace/ftrace.c reads these lines, so each sample can be read
 * independently, and binary and text captures give the same results.
 */
#include "libparse/tracedat/tracedat.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/scan.h"
#include "libparse/ftrace/ftrace.h"
#include "libparse/text.h"
#include "libparse/tracedat/kernel_symbols.h"
#include "libparse/tracedat/ring_buffer.h"
#include "libparse/tracedat/trace_events.h"

/*
 * Maximum number of bytes of text for each byte of a trace.dat file. Captures with stacks need 3
 * bytes, and compressed captures 40.
 */
#define LIMIT_TRACE_DAT_RATIO 256u
/* Bytes of text that are written for any trace.dat file, because so few do no harm. */
#define LIMIT_TRACE_DAT_FREE_BYTES (256u << 20)

/* Text is written to the spool in pieces of about this size. */
#define PIECE_BYTES ((size_t)256 << 10)

#define NS_PER_SECOND 1000000000u

struct trace_loss {
	uint64_t count, offset; /* offset: of the first */
};

struct trace_reader {
	struct trace_dat dat;
	bool has_times; /* times are nanoseconds */
	struct trace_loss lost, corrupt, unknown;
};

/* The conversion of all records. */
struct pass {
	struct trace_reader *reader;
	struct sink text; /* lines that are not in the spool yet */
	struct input spool;
	uint64_t bytes_left; /* that may still be written */
	VEC(struct cpu_stream) streams;
	VEC(size_t) heap; /* streams with a record; the earliest record is first */
	uint64_t budget_left;
	VEC(struct text) frames;
	struct arena arena; /* for the current sample */
	/* Thread names from events, because the kernel does not record the names of all threads. */
	struct idmap comm_of_tid; /* values: ids in strings */
	struct strings strings;
};

static void note_loss(struct trace_loss *loss, uint64_t count, uint64_t offset)
{
	if (!loss->count)
		loss->offset = offset;
	loss->count = saturate_add(loss->count, count);
}

static bool is_earlier(const struct pass *pass, size_t a, size_t b)
{
	const struct cpu_stream *first = &pass->streams.at[a];
	const struct cpu_stream *second = &pass->streams.at[b];

	if (first->record.time != second->record.time)
		return first->record.time < second->record.time;
	return a < b;
}

/* Moves the stream at `at` down until no stream below it is earlier. */
static void sift_down(struct pass *pass, size_t at)
{
	size_t *heap = pass->heap.at;

	for (;;) {
		size_t least = at;
		size_t moved = heap[at];

		for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
			if (child < pass->heap.count && is_earlier(pass, heap[child], heap[least]))
				least = child;
		if (least == at)
			return;
		heap[at] = heap[least];
		heap[least] = moved;
		at = least;
	}
}

static bool open_streams(struct pass *pass, const struct capture *capture, struct error *err)
{
	const struct trace_dat *dat = &pass->reader->dat;

	for (size_t i = 0; i < dat->cpus.count; i++) {
		vec_push(&pass->streams, (struct cpu_stream){ .budget_left = &pass->budget_left });
		if (!cpu_stream_open(&pass->streams.at[i], &capture->input, dat, &dat->cpus.at[i],
				     &pass->budget_left, err))
			return false;
		if (pass->streams.at[i].has_record)
			vec_push(&pass->heap, i);
	}
	for (size_t i = pass->heap.count / 2; i-- > 0;)
		sift_down(pass, i);
	return true;
}

static struct text name_of(struct pass *pass, uint64_t address)
{
	struct text name = kernel_symbols_find(&pass->reader->dat.symbols, address);

	if (name.at)
		return name;
	return text_of(arena_format(&pass->arena, "%" PRIx64, address));
}

static struct text comm_of(const struct pass *pass, uint32_t tid)
{
	struct text comm = trace_dat_find_comm(&pass->reader->dat, tid);
	uint32_t id;

	if (!tid)
		return text_of("<idle>");
	if (comm.at)
		return comm;
	id = idmap_find(&pass->comm_of_tid, tid);
	return id == IDMAP_NONE ? text_of("<...>") : strings_get(&pass->strings, (str_id){ id });
}

static void learn_comms(struct pass *pass, const struct trace_event *event, struct span raw)
{
	struct text comm;
	uint32_t tid;

	for (unsigned i = 0; i < 2; i++) {
		if (!trace_event_read_comm(event, raw, i, &tid, &comm) || !tid ||
		    pass->comm_of_tid.rows.count >= LIMIT_TRACE_DAT_COMMS ||
		    trace_dat_find_comm(&pass->reader->dat, tid).at ||
		    idmap_find(&pass->comm_of_tid, tid) != IDMAP_NONE)
			continue;
		idmap_add(&pass->comm_of_tid, tid,
			  strings_intern(&pass->strings, comm.at, comm.length).i);
		idmap_sort(&pass->comm_of_tid);
	}
}

/* Reads the addresses of a stack, which may end in one with all bits set. */
static void read_stack(struct pass *pass, const struct trace_event *event, struct span raw)
{
	unsigned long_bytes = pass->reader->dat.long_bytes;
	uint32_t offset = trace_event_stack_offset(event);
	struct span word;

	if (!offset || !span_skip(&raw, offset))
		return;
	while (span_sub(&raw, long_bytes, &word)) {
		uint64_t address;

		if (!field_load(word.at, long_bytes, raw.swapped, true, &address) ||
		    address == UINT64_MAX)
			return;
		if (long_bytes == 4)
			address = (uint32_t)address;
		vec_push(&pass->frames, name_of(pass, address));
	}
}

static bool is_counter(struct text clock)
{
	return text_is(clock, "counter") || text_has_prefix(clock, "x86-tsc") ||
	       text_has_prefix(clock, "ppc-tb");
}

/* Converts the time of a record to nanoseconds. */
static uint64_t time_ns(const struct trace_dat *dat, uint64_t time)
{
	if (dat->has_cycles)
		time = ratio_of(time, dat->cycles_multiplier, (uint64_t)1 << dat->cycles_shift)
			       .quotient;
	return time + dat->time_offset_ns;
}

static bool read_record_tid(const struct pass *pass, struct span raw, uint32_t *ret)
{
	uint64_t value;

	if (!field_number(&pass->reader->dat.events.tid, &raw, &value))
		return false;
	*ret = (uint32_t)value;
	return true;
}

/* The data that must be read from a record before the stream moves on. */
struct moment {
	const struct trace_event *event;
	uint32_t tid, cpu;
	uint64_t time, offset;
	bool has_switch;
	struct event_sched_switch sched_switch;
	bool has_wakeup;
	uint32_t woken_tid;
	bool is_function;
	uint64_t function, caller;
};

/*
 * Comms may contain any bytes, but a line must remain a line, and "[1]" must not be mistaken for
 * the CPU.
 */
static void write_comm(struct sink *sink, struct text comm)
{
	for (uint32_t i = 0; i < comm.length; i++) {
		bool is_misleading =
			(unsigned char)comm.at[i] < ' ' ||
			(comm.at[i] == '[' && i + 1 < comm.length && is_digit(comm.at[i + 1]));

		sink_char(sink, is_misleading ? '?' : comm.at[i]);
	}
}

/* Writes "comm-tid [cpu] time: ", and the name of the event. */
static void write_start(struct pass *pass, const struct moment *moment, struct text event)
{
	const struct trace_reader *reader = pass->reader;
	uint64_t time = time_ns(&reader->dat, moment->time);
	struct sink *sink = &pass->text;

	write_comm(sink, comm_of(pass, moment->tid));
	sink_printf(sink, "-%" PRIu32 " [%03" PRIu32 "] ", moment->tid, moment->cpu);
	if (reader->has_times)
		sink_printf(sink, "%" PRIu64 ".%09" PRIu64 ": ", time / NS_PER_SECOND,
			    time % NS_PER_SECOND);
	else
		sink_printf(sink, "%" PRIu64 ": ", moment->time);
	sink_text(sink, event);
	sink_char(sink, ':');
}

static void write_record(struct pass *pass, const struct moment *moment)
{
	const struct event_sched_switch *sched_switch = &moment->sched_switch;
	struct sink *sink = &pass->text;

	write_start(pass, moment, moment->event->name);
	if (moment->has_switch)
		sink_printf(sink,
			    " prev_comm= prev_pid=%" PRIu32 " prev_prio=0 prev_state=%c%s ==> "
			    "next_comm= next_pid=%" PRIu32 " next_prio=0",
			    sched_switch->previous_tid, sched_switch->state,
			    sched_switch->is_preempted ? "+" : "", sched_switch->next_tid);
	if (moment->has_wakeup)
		sink_printf(sink, " comm= pid=%" PRIu32 " prio=0 target_cpu=000",
			    moment->woken_tid);
	if (moment->is_function) {
		sink_char(sink, ' ');
		sink_text(sink, name_of(pass, moment->function));
		sink_puts(sink, " <-- ");
		sink_text(sink, name_of(pass, moment->caller));
	}
	sink_char(sink, '\n');
	if (!pass->frames.count)
		return;
	write_start(pass, moment, text_of("kernel_stack"));
	sink_puts(sink, " <stack trace>\n");
	for (size_t i = 0; i < pass->frames.count; i++) {
		sink_puts(sink, "=> ");
		sink_text(sink, pass->frames.at[i]);
		sink_char(sink, '\n');
	}
}

static bool write_piece(struct pass *pass, struct error *err)
{
	struct text piece = sink_memory(&pass->text);

	if (piece.length > pass->bytes_left)
		return error_set(
			err, ERROR_LIMIT,
			"expands to more than %u times its size, which no real capture does",
			LIMIT_TRACE_DAT_RATIO);
	pass->bytes_left -= piece.length;
	pass->text.used = 0;
	return input_append_spool(&pass->spool, piece.at, piece.length, err);
}

/* Reads the stack of a record, if it is in the stream's current record. */
static void find_stack(struct pass *pass, const struct cpu_stream *stream,
		       const struct moment *moment)
{
	const struct trace_reader *reader = pass->reader;
	struct span raw = stream->record.data;
	const struct trace_event *event;
	uint32_t tid;

	if (!stream->has_record || stream->follows_gap)
		return;
	event = trace_events_find(&reader->dat.events, &reader->dat.tracepoints, raw);
	if (event && event->kind == TRACE_EVENT_KERNEL_STACK && read_record_tid(pass, raw, &tid) &&
	    tid == moment->tid)
		read_stack(pass, event, raw);
}

static bool refuse_calls(const struct moment *moment, struct error *err)
{
	return error_set_at(err, ERROR_UNSUPPORTED, moment->offset,
			    "contains calls recorded by the function_graph tracer; run `trace-cmd "
			    "report` on it, and use the output as the input");
}

/* Reads the earliest record of all streams, and its stack. */
static bool read_record(struct pass *pass, struct cpu_stream *stream, struct error *err)
{
	struct trace_reader *reader = pass->reader;
	struct span raw = stream->record.data;
	struct moment moment = {
		.event = trace_events_find(&reader->dat.events, &reader->dat.tracepoints, raw),
		.cpu = stream->left.cpu,
		.time = stream->record.time,
		.offset = span_offset(&raw),
	};

	pass->frames.count = 0;
	arena_clear(&pass->arena);
	if (!moment.event || !read_record_tid(pass, raw, &moment.tid)) {
		note_loss(moment.event ? &reader->corrupt : &reader->unknown, 1, moment.offset);
		return cpu_stream_next(stream, err);
	}
	if (moment.event->kind == TRACE_EVENT_KERNEL_STACK ||
	    moment.event->kind == TRACE_EVENT_USER_STACK)
		return cpu_stream_next(stream, err);
	if (moment.event->kind == TRACE_EVENT_CALL)
		return refuse_calls(&moment, err);
	moment.is_function =
		trace_event_read_function(moment.event, raw, &moment.function, &moment.caller);
	moment.has_switch = trace_event_read_switch(moment.event, raw, &moment.sched_switch);
	moment.has_wakeup = trace_event_read_wakeup(moment.event, raw, &moment.woken_tid);
	if (moment.event->kind == TRACE_EVENT_SWITCH || moment.event->kind == TRACE_EVENT_WAKEUP)
		learn_comms(pass, moment.event, raw);
	if (!cpu_stream_next(stream, err))
		return false;
	find_stack(pass, stream, &moment);
	write_record(pass, &moment);
	return pass->text.used < PIECE_BYTES || write_piece(pass, err);
}

static bool read_records(struct pass *pass, struct error *err)
{
	while (pass->heap.count) {
		struct cpu_stream *stream = &pass->streams.at[pass->heap.at[0]];

		if (!read_record(pass, stream, err))
			return false;
		if (!stream->has_record)
			pass->heap.at[0] = pass->heap.at[--pass->heap.count];
		if (pass->heap.count)
			sift_down(pass, 0);
	}
	return true;
}

static void note_losses(const struct pass *pass)
{
	struct trace_reader *reader = pass->reader;

	for (size_t i = 0; i < pass->streams.count; i++) {
		const struct cpu_stream *stream = &pass->streams.at[i];

		if (stream->lost_count)
			note_loss(&reader->lost, stream->lost_count, stream->lost_offset);
		if (stream->corrupt_count)
			note_loss(&reader->corrupt, stream->corrupt_count, stream->corrupt_offset);
	}
}

/* Writes all records as text to the spool. */
static bool convert(struct pass *pass, const struct capture *capture, struct error *err)
{
	bool good;

	arena_init(&pass->arena);
	idmap_init(&pass->comm_of_tid);
	strings_init(&pass->strings);
	sink_init_memory(&pass->text);
	good = input_create_spool(&pass->spool, capture->input.space, err) &&
	       open_streams(pass, capture, err) && read_records(pass, err) &&
	       write_piece(pass, err);
	if (good)
		note_losses(pass);
	for (size_t i = 0; i < pass->streams.count; i++)
		cpu_stream_close(&pass->streams.at[i]);
	vec_free(&pass->streams);
	vec_free(&pass->heap);
	vec_free(&pass->frames);
	sink_deinit(&pass->text);
	strings_deinit(&pass->strings);
	idmap_deinit(&pass->comm_of_tid);
	arena_deinit(&pass->arena);
	return good;
}

/* Replaces the input with its text, but keeps the name and the time of the file. */
static bool replace(struct trace_reader *reader, struct capture *capture, struct error *err)
{
	struct input old = capture->input;
	struct pass pass = {
		.reader = reader,
		.spool = { .fd = -1 },
		.budget_left = LIMIT_TRACE_DAT_BLOCKS_BYTES,
		.bytes_left = LIMIT_TRACE_DAT_FREE_BYTES,
	};

	if (old.size_bytes < UINT64_MAX / LIMIT_TRACE_DAT_RATIO / 2)
		pass.bytes_left += old.size_bytes * LIMIT_TRACE_DAT_RATIO;
	if (!convert(&pass, capture, err)) {
		input_close(&pass.spool);
		return false;
	}
	capture->input = pass.spool;
	capture->input.name = old.name;
	capture->input.written_time_ns = old.written_time_ns;
	old.name = pass.spool.name;
	input_close(&old);
	return text_cut(capture, NULL, err);
}

static bool open_trace_dat(struct capture *capture, struct error *err)
{
	struct trace_reader *reader = memory_zalloc(1, sizeof(*reader));

	capture->reader = reader;
	if (!trace_dat_init(&reader->dat, capture, err))
		return false;
	reader->has_times = reader->dat.has_cycles || !is_counter(reader->dat.clock);
	return replace(reader, capture, err);
}

static void close_trace_dat(struct capture *capture)
{
	struct trace_reader *reader = capture->reader;

	trace_dat_deinit(&reader->dat);
	memory_free(reader);
}

/* Sends the words of "Linux HOST RELEASE ARCH". */
static void report_machine(const struct trace_dat *dat, const struct event_sink *sink)
{
	static const enum fact facts[] = { FACT_HOST, FACT_OS_RELEASE, FACT_ARCH };
	struct text rest = dat->uname;
	struct text word;

	if (!rest.at || !text_next_word(&rest, &word))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(facts) && text_next_word(&rest, &word); i++)
		text_report_fact(sink, facts[i], word);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct trace_reader *reader = capture->reader;
	const struct trace_dat *dat = &reader->dat;
	struct text rest = dat->tool_version;
	struct text tool;
	char version[64];
	int length;

	(void)err;
	text_report_fact(sink, FACT_BYTE_ORDER,
			 text_of(dat->is_big_endian ? "big-endian" : "little-endian"));
	report_machine(dat, sink);
	if (rest.length && text_next_word(&rest, &tool)) {
		length = snprintf(version, sizeof(version), "trace-cmd %.*s",
				  tool.length < 32 ? (int)tool.length : 32, tool.at);
		text_report_fact(sink, FACT_TOOL_VERSION,
				 (struct text){ version, (uint32_t)length });
	}
	if (dat->clock.length)
		text_report_fact(sink, FACT_CLOCK, dat->clock);
	text_report_loss(sink, LOSS_RECORDS, reader->lost.count, reader->lost.offset);
	text_report_loss(sink, LOSS_CORRUPT_RECORDS, reader->corrupt.count, reader->corrupt.offset);
	text_report_loss(sink, LOSS_UNKNOWN_RECORDS, reader->unknown.count, reader->unknown.offset);
	return true;
}

static struct evidence probe(struct span head)
{
	if (span_left(&head) < TRACING_MAGIC_BYTES ||
	    memcmp(head.at, TRACING_MAGIC, TRACING_MAGIC_BYTES) != 0)
		return evidence_none();
	return evidence_of(CONFIDENCE_CERTAIN, "it begins like a trace.dat file from trace-cmd");
}

const struct input_format trace_dat_format = {
	.name = "trace-dat",
	.summary = "trace.dat of trace-cmd",
	.title = "trace.dat of trace-cmd",
	.probe = probe,
	.open = open_trace_dat,
	.close = close_trace_dat,
	.read_state = read_state,
	.read_samples = ftrace_read_samples,
	.read_frame = ftrace_read_frame,
};
