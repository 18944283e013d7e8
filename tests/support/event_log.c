/* SPDX-License-Identifier: MIT */
#include "tests/support/event_log.h"

#include <inttypes.h>

static const char *const fact_names[] = {
	[FACT_FORMAT] = "FORMAT",
	[FACT_BYTE_ORDER] = "BYTE_ORDER",
	[FACT_HOST] = "HOST",
	[FACT_OS_RELEASE] = "OS_RELEASE",
	[FACT_ARCH] = "ARCH",
	[FACT_TOOL_VERSION] = "TOOL_VERSION",
	[FACT_COMMAND_LINE] = "COMMAND_LINE",
	[FACT_CPU] = "CPU",
	[FACT_CPU_ID] = "CPU_ID",
	[FACT_CPUS_ONLINE] = "CPUS_ONLINE",
	[FACT_CPUS_AVAILABLE] = "CPUS_AVAILABLE",
	[FACT_MEMORY_KIB] = "MEMORY_KIB",
	[FACT_SAMPLE_TIME_FIRST] = "SAMPLE_TIME_FIRST",
	[FACT_SAMPLE_TIME_LAST] = "SAMPLE_TIME_LAST",
	[FACT_CLOCK] = "CLOCK",
	[FACT_WALL_CLOCK] = "WALL_CLOCK",
	[FACT_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[FACT_EVENT_GROUPS] = "EVENT_GROUPS",
	[FACT_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[FACT_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[FACT_CACHES] = "CACHES",
	[FACT_COMPRESSION] = "COMPRESSION",
	[FACT_SNAPSHOTS] = "SNAPSHOTS",
	[FACT_CAPTURES] = "CAPTURES",
	[FACT_FEATURES_MISSING] = "FEATURES_MISSING",
};

static const char *const unit_names[] = {
	[UNIT_SAMPLES] = "samples",
	[UNIT_EVENTS] = "events",
	[UNIT_NANOSECONDS] = "ns",
	[UNIT_BYTES] = "bytes",
};

static const char *const loss_names[] = {
	[LOSS_RECORDS] = "RECORDS",
	[LOSS_SAMPLES] = "SAMPLES",
	[LOSS_FILTERED] = "FILTERED",
	[LOSS_THROTTLED] = "THROTTLED",
	[LOSS_TRUNCATED_BYTES] = "TRUNCATED_BYTES",
	[LOSS_TRAILING_BYTES] = "FOLLOWING_BYTES",
	[LOSS_CORRUPT_RECORDS] = "DAMAGED_RECORDS",
	[LOSS_UNKNOWN_RECORDS] = "UNKNOWN_RECORDS",
	[LOSS_UNKNOWN_IDS] = "UNKNOWN_IDS",
	[LOSS_SHARED_IDS] = "SHARED_IDS",
	[LOSS_AUX_TRUNCATED] = "AUX_TRUNCATED",
	[LOSS_AUX_TRACES] = "TRACES",
	[LOSS_MAPS_TRUNCATED] = "MAPS_TRUNCATED",
	[LOSS_MAPPINGS] = "MAPPINGS",
	[LOSS_DEFERRED_CALLCHAINS] = "DEFERRED_CHAINS",
	[LOSS_UNWIND_TRUNCATED] = "STACKS_TRUNCATED",
	[LOSS_UNWIND_FAILED] = "STACKS_LOST",
	[LOSS_UNWIND_NO_FILE] = "STACKS_NO_FILE",
	[LOSS_UNWIND_NO_REGISTERS] = "STACKS_NO_REGISTERS",
	[LOSS_SKIPPED_LINES] = "LINES",
	[LOSS_LONG_LINES] = "LONG",
	[LOSS_NEGATIVE_COUNTS] = "NEGATIVE",
	[LOSS_ROUNDED_COUNTS] = "DECIMALS",
	[LOSS_CALLERS] = "CALLERS",
	[LOSS_FULL_MAPS] = "FULL_MAPS",
};

static void write_number(struct sink *line, const char *name, uint64_t value)
{
	if (value)
		sink_printf(line, " %s=%" PRIu64, name, value);
}

static void write_hex(struct sink *line, const char *name, uint64_t value)
{
	if (value)
		sink_printf(line, " %s=0x%" PRIx64, name, value);
}

static void write_text(struct sink *line, const char *name, struct text text)
{
	sink_printf(line, " %s=", name);
	sink_text(line, text);
}

static void write_flag(struct sink *line, const char *name, bool is_set)
{
	if (is_set)
		sink_printf(line, " %s", name);
}

static void write_bytes(struct sink *line, const char *name, const uint8_t *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	if (!count)
		return;
	sink_printf(line, " %s=", name);
	/* Samples have thousands of bytes, so this is faster than sink_printf(). */
	for (size_t i = 0; i < count; i++) {
		sink_char(line, digits[bytes[i] >> 4]);
		sink_char(line, digits[bytes[i] & 15]);
	}
}

static void write_span_bytes(struct sink *line, const char *name, struct span span)
{
	write_bytes(line, name, span.at, span_left(&span));
}

static void write_span_words(struct sink *line, const char *name, struct span span)
{
	uint64_t word;

	if (!span_left(&span))
		return;
	sink_printf(line, " %s=[", name);
	for (bool is_first = true; span_u64(&span, &word); is_first = false)
		sink_printf(line, "%s0x%" PRIx64, is_first ? "" : " ", word);
	sink_char(line, ']');
}

static void write_build_id(struct sink *line, const struct build_id *id)
{
	write_bytes(line, "build_id", id->bytes, id->size_bytes);
}

static void write_attr(struct sink *line, const struct event_attr *attr)
{
	sink_printf(line, "ATTR index=%" PRIu32, attr->index);
	write_text(line, "name", attr->name);
	sink_printf(line, " unit=%s", unit_names[attr->unit]);
	write_hex(line, "sample_type", attr->sample_type);
	write_number(line, attr->is_frequency ? "frequency" : "period", attr->sample_period);
	write_flag(line, "callchain", attr->has_callchain);
	write_flag(line, "branches", attr->has_branches);
	write_flag(line, "branch_calls", attr->has_branch_calls);
	write_flag(line, "dummy", attr->is_dummy);
	write_flag(line, "comm_exec", attr->has_comm_exec);
}

static void write_task(struct sink *line, const struct event_fork *task)
{
	sink_printf(line,
		    " pid=%" PRIu32 " tid=%" PRIu32 " parent_pid=%" PRIu32 " parent_tid=%" PRIu32,
		    task->pid, task->tid, task->parent_pid, task->parent_tid);
	write_flag(line, "synthesized", task->is_synthesized);
}

static void write_mmap(struct sink *line, const struct event_mmap *mmap)
{
	sink_printf(line, " pid=%" PRIu32 " tid=%" PRIu32, mmap->pid, mmap->tid);
	write_flag(line, "kernel", mmap->is_kernel);
	write_flag(line, "guest", mmap->is_guest);
	write_flag(line, "data", !mmap->is_executable);
	write_flag(line, "private", mmap->is_private);
	write_hex(line, "address", mmap->address);
	write_hex(line, "length", mmap->length);
	write_hex(line, "file_offset", mmap->file_offset);
	write_number(line, "major", mmap->device_major);
	write_number(line, "minor", mmap->device_minor);
	write_number(line, "inode", mmap->inode);
	write_number(line, "generation", mmap->inode_generation);
	write_build_id(line, &mmap->build_id);
	write_text(line, "path", mmap->path);
}

static void write_ips(struct sink *line, const struct event_sample *sample)
{
	if (!sample->ips)
		return;
	sink_puts(line, " ips=[");
	for (uint32_t i = 0; i < sample->ip_count; i++)
		sink_printf(line, "%s0x%" PRIx64, i ? " " : "", sample->ips[i]);
	sink_char(line, ']');
}

/* Writes each branch as from>to, and what else is known about it. */
static void write_branches(struct sink *line, const struct event_sample *sample)
{
	if (!sample->branch_count)
		return;
	sink_puts(line, " branches=[");
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		const struct event_branch *branch = &sample->branches[i];

		sink_printf(line, "%s0x%" PRIx64 ">0x%" PRIx64, i ? ", " : "", branch->from,
			    branch->to);
		write_flag(line, "mispredicted", branch->is_mispredicted);
		write_flag(line, "predicted", branch->is_predicted);
		write_flag(line, "in_transaction", branch->is_in_transaction);
		write_flag(line, "abort", branch->is_abort);
		write_number(line, "cycles", branch->cycles);
		write_number(line, "type", branch->type);
		write_number(line, "speculation", branch->speculation);
		write_number(line, "new_type", branch->new_type);
		write_number(line, "privilege", branch->privilege);
	}
	sink_char(line, ']');
}

static void write_sample(struct sink *line, const struct event_sample *sample)
{
	sink_printf(line, " attr=%" PRIu32 " mode=%d", sample->attr, (int)sample->cpu_mode);
	write_number(line, "pid", sample->pid);
	write_number(line, "tid", sample->tid);
	if (sample->cpu != UINT32_MAX)
		write_number(line, "cpu", sample->cpu);
	write_hex(line, "ip", sample->ip);
	write_hex(line, "address", sample->address);
	write_number(line, "id", sample->id);
	write_number(line, "stream", sample->stream_id);
	write_number(line, "period", sample->period);
	write_ips(line, sample);
	write_span_bytes(line, "raw", sample->raw);
	write_branches(line, sample);
	write_hex(line, "hw_index", sample->branches_hw_index);
	write_span_words(line, "user_registers", sample->user_registers);
	write_span_bytes(line, "user_stack", sample->user_stack);
	write_number(line, "user_stack_used", sample->user_stack_used_bytes);
	write_hex(line, "weight", sample->weight);
	write_hex(line, "data_source", sample->data_source);
	write_hex(line, "transaction", sample->transaction);
	write_span_words(line, "interrupt_registers", sample->interrupt_registers);
	write_hex(line, "physical_address", sample->physical_address);
	write_number(line, "cgroup", sample->cgroup);
	write_number(line, "data_page_size", sample->data_page_size);
	write_number(line, "code_page_size", sample->code_page_size);
}

static void write_head(struct sink *line, const char *name, const struct event *event)
{
	sink_puts(line, name);
	if (event->has_time)
		sink_printf(line, " time=%" PRIu64, event->time_ns);
}

static void write_state(struct sink *line, const struct event *event)
{
	switch (event->kind) {
	case EVENT_COMM:
		write_head(line, "COMM", event);
		sink_printf(line, " pid=%" PRIu32 " tid=%" PRIu32, event->comm.pid,
			    event->comm.tid);
		write_flag(line, "exec", event->comm.is_exec);
		write_text(line, "comm", event->comm.comm);
		return;
	case EVENT_FORK:
		write_head(line, "FORK", event);
		write_task(line, &event->fork);
		return;
	case EVENT_EXIT:
		write_head(line, "EXIT", event);
		write_task(line, &event->exit);
		return;
	case EVENT_MMAP:
		write_head(line, "MMAP", event);
		write_mmap(line, &event->mmap);
		return;
	case EVENT_KSYMBOL:
		write_head(line, "KSYMBOL", event);
		write_hex(line, "address", event->ksymbol.address);
		write_hex(line, "length", event->ksymbol.length);
		write_flag(line, "unregister", event->ksymbol.is_unregister);
		write_text(line, "name", event->ksymbol.name);
		return;
	case EVENT_CGROUP:
		write_head(line, "CGROUP", event);
		write_number(line, "id", event->cgroup.id);
		write_text(line, "path", event->cgroup.path);
		return;
	case EVENT_NAMESPACES:
		write_head(line, "NAMESPACES", event);
		write_number(line, "pid", event->namespaces.pid);
		write_number(line, "tid", event->namespaces.tid);
		write_number(line, "pid_namespace", event->namespaces.pid_namespace);
		return;
	case EVENT_DEFERRED_CALLCHAIN:
		write_head(line, "DEFERRED_CHAIN", event);
		write_number(line, "tid", event->deferred_callchain.tid);
		write_hex(line, "cookie", event->deferred_callchain.cookie);
		write_span_words(line, "ips", event->deferred_callchain.ips);
		return;
	case EVENT_CONTEXT_SWITCH:
		write_head(line, "SWITCH", event);
		write_number(line, "tid", event->context_switch.tid);
		write_flag(line, "leaving", event->context_switch.is_switch_out);
		write_flag(line, "preempted", event->context_switch.is_preempted);
		return;
	case EVENT_LOSS:
		write_head(line, "LOSS", event);
		sink_printf(line, " %s %" PRIu64, loss_names[event->loss.kind], event->loss.count);
		return;
	default:
		sink_printf(line, "UNKNOWN kind %d", (int)event->kind);
	}
}

static void take(void *context, const struct event *event)
{
	struct event_log *log = context;
	struct sink *line = &log->lines;

	if ((size_t)event->kind < ARRAY_SIZE(log->counts))
		log->counts[event->kind]++;
	switch (event->kind) {
	case EVENT_FACT:
		sink_printf(line, "FACT %s: ", fact_names[event->fact.name]);
		sink_text(line, event->fact.value);
		break;
	case EVENT_CLOCK:
		sink_printf(line, "CLOCK wall=%" PRIu64 " clock=%" PRIu64, event->clock.wall_ns,
			    event->clock.clock_ns);
		break;
	case EVENT_ATTR:
		write_attr(line, &event->attr);
		break;
	case EVENT_BUILD_ID:
		sink_printf(line, "BUILD_ID mode=%d", (int)event->build_id.cpu_mode);
		write_build_id(line, &event->build_id.build_id);
		write_text(line, "path", event->build_id.path);
		break;
	case EVENT_RECORD_COUNT:
		sink_printf(line, "RECORDS type=%" PRIu32 " count=%" PRIu64,
			    event->record_count.type, event->record_count.count);
		write_flag(line, "used", event->record_count.is_used);
		break;
	case EVENT_SAMPLE:
		write_head(line, "SAMPLE", event);
		write_sample(line, &event->sample);
		break;
	default:
		if (event->kind == EVENT_LOSS)
			log->losses[event->loss.kind] += event->loss.count;
		write_state(line, event);
	}
	if (log->with_offsets)
		sink_printf(line, " @%" PRIu64, event->offset);
	sink_char(line, '\n');
}

void event_log_init(struct event_log *log)
{
	*log = (struct event_log){ 0 };
	sink_init_memory(&log->lines);
}

void event_log_deinit(struct event_log *log)
{
	sink_deinit(&log->lines);
}

struct event_sink event_log_sink(struct event_log *log)
{
	return (struct event_sink){ .context = log, .on_event = take };
}

const char *event_log_text(struct event_log *log)
{
	*sink_room(&log->lines, 1) = '\0';
	return sink_memory(&log->lines).at;
}

void event_log_clear(struct event_log *log)
{
	log->lines.used = 0;
	memset(log->counts, 0, sizeof(log->counts));
	memset(log->losses, 0, sizeof(log->losses));
}
