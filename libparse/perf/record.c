/* SPDX-License-Identifier: MIT */
#include "libparse/perf/record.h"

#include "libparse/perf/abi.h"

#define WORD_BYTES 8
/* Offset of the tid in the first word of a trailer, if it has one: pid, tid. */
#define TRAILER_TID_OFFSET 4
#define TIME_NONE          UINT64_MAX

/*
 * struct mmap2_event has device, inode and generation in these 24 bytes, or a build-id if misc bit
 * 14 is set. The build-id follows its size and padding (4 bytes).
 */
#define MMAP2_IDENTITY_BYTES 24
#define BUILD_ID_FIELD_BYTES 4

/* The type of a mapping in the flags of mmap. Only PA-RISC has a different mask. */
#define MAP_TYPE_MASK    0x0fu
#define MAP_TYPE_PRIVATE 0x02u

static bool decode_mmap_range(struct span *payload, struct event_mmap *ret)
{
	return span_u32(payload, &ret->pid) && span_u32(payload, &ret->tid) &&
	       span_u64(payload, &ret->address) && span_u64(payload, &ret->length) &&
	       span_u64(payload, &ret->file_offset);
}

static void set_mmap_mode(const struct record *record, struct event_mmap *ret)
{
	unsigned mode = record->misc & MISC_CPUMODE_MASK;

	ret->is_guest = mode == CPU_MODE_GUEST_KERNEL || mode == CPU_MODE_GUEST_USER;
	ret->is_kernel = mode == CPU_MODE_KERNEL || mode == CPU_MODE_GUEST_KERNEL;
	ret->is_executable = !(record->misc & MISC_MMAP_DATA);
}

static bool decode_mmap(const struct perf_reader *reader, const struct record *record,
			struct span payload, struct event *event)
{
	struct event_mmap *mmap = &event->mmap;

	(void)reader;
	*mmap = (struct event_mmap){ 0 };
	event->kind = EVENT_MMAP;
	set_mmap_mode(record, mmap);
	return decode_mmap_range(&payload, mmap) && span_cstring(&payload, &mmap->path);
}

static bool decode_build_id(struct span identity, struct build_id *ret)
{
	uint8_t size_bytes;

	if (!span_u8(&identity, &size_bytes) || !span_skip(&identity, BUILD_ID_FIELD_BYTES - 1))
		return false;
	ret->size_bytes = size_bytes < BUILD_ID_BYTES_MAX ? size_bytes : BUILD_ID_BYTES_MAX;
	memcpy(ret->bytes, identity.at, ret->size_bytes);
	return true;
}

/*
 * Linux 3.16 added protection and flags (4 bytes each) before the path of MMAP2. Kernels of RHEL
 * and CentOS 7 (3.10.0) still write the old form, and perf may synthesize the new form in the same
 * capture, so each record is tested. A protection is a small number (at most a file mode of 16
 * bits, from perf inject --jit); the first bytes of a path, read as a number, are larger. For a
 * path of two characters, this number is also small, but flags would then be 0, which mmap rejects.
 */
static bool has_protection(struct span payload)
{
	unsigned char first;
	uint32_t protection;
	uint32_t flags;

	if (span_left(&payload) < sizeof(protection) + sizeof(flags))
		return true;
	first = *payload.at;
	protection = span_load_u32(payload.at, payload.swapped);
	flags = span_load_u32(payload.at + sizeof(protection), payload.swapped);
	if (protection > UINT16_MAX)
		return first < ' ' || first > '~';
	return flags || (first != '/' && first != '[');
}

static bool decode_mmap2(const struct perf_reader *reader, const struct record *record,
			 struct span payload, struct event *event)
{
	struct event_mmap *mmap = &event->mmap;
	uint32_t protection;
	uint32_t flags = 0;
	struct span identity;

	(void)reader;
	*mmap = (struct event_mmap){ 0 };
	event->kind = EVENT_MMAP;
	set_mmap_mode(record, mmap);
	if (!decode_mmap_range(&payload, mmap) ||
	    !span_sub(&payload, MMAP2_IDENTITY_BYTES, &identity))
		return false;
	if ((record->misc & MISC_MMAP_BUILD_ID || has_protection(payload)) &&
	    (!span_u32(&payload, &protection) || !span_u32(&payload, &flags)))
		return false;
	mmap->is_private = (flags & MAP_TYPE_MASK) == MAP_TYPE_PRIVATE;
	if (record->misc & MISC_MMAP_BUILD_ID) {
		if (!decode_build_id(identity, &mmap->build_id))
			return false;
	} else if (!span_u32(&identity, &mmap->device_major) ||
		   !span_u32(&identity, &mmap->device_minor) ||
		   !span_u64(&identity, &mmap->inode) ||
		   !span_u64(&identity, &mmap->inode_generation)) {
		return false;
	}
	return span_cstring(&payload, &mmap->path);
}

static bool decode_comm(const struct perf_reader *reader, const struct record *record,
			struct span payload, struct event *event)
{
	struct event_comm *comm = &event->comm;

	(void)reader;
	event->kind = EVENT_COMM;
	comm->is_exec = record->misc & MISC_COMM_EXEC;
	return span_u32(&payload, &comm->pid) && span_u32(&payload, &comm->tid) &&
	       span_cstring(&payload, &comm->comm);
}

static bool decode_task(struct span payload, struct event *event, struct event_fork *task)
{
	uint64_t time_ns;

	if (!span_u32(&payload, &task->pid) || !span_u32(&payload, &task->parent_pid) ||
	    !span_u32(&payload, &task->tid) || !span_u32(&payload, &task->parent_tid) ||
	    !span_u64(&payload, &time_ns))
		return false;
	/* Kernels before 2.6.38 do not write a trailer, so use the record's own time. */
	if (!event->has_time && time_ns && time_ns != TIME_NONE) {
		event->has_time = true;
		event->time_ns = time_ns;
	}
	return true;
}

static bool decode_fork(const struct perf_reader *reader, const struct record *record,
			struct span payload, struct event *event)
{
	(void)reader;
	event->kind = EVENT_FORK;
	event->fork.is_synthesized = record->misc & MISC_FORK_EXEC;
	return decode_task(payload, event, &event->fork);
}

static bool decode_exit(const struct perf_reader *reader, const struct record *record,
			struct span payload, struct event *event)
{
	(void)reader;
	(void)record;
	event->kind = EVENT_EXIT;
	event->exit.is_synthesized = false;
	return decode_task(payload, event, &event->exit);
}

static bool decode_ksymbol(const struct perf_reader *reader, const struct record *record,
			   struct span payload, struct event *event)
{
	struct event_ksymbol *ksymbol = &event->ksymbol;
	uint32_t length;
	uint16_t type;
	uint16_t flags;

	(void)reader;
	(void)record;
	event->kind = EVENT_KSYMBOL;
	if (!span_u64(&payload, &ksymbol->address) || !span_u32(&payload, &length) ||
	    !span_u16(&payload, &type) || !span_u16(&payload, &flags) ||
	    !span_cstring(&payload, &ksymbol->name))
		return false;
	ksymbol->length = length;
	ksymbol->is_unregister = flags & KSYMBOL_FLAG_UNREGISTER;
	return true;
}

static bool decode_deferred_callchain(const struct perf_reader *reader, const struct record *record,
				      struct span payload, struct event *event)
{
	struct event_deferred_callchain *chain = &event->deferred_callchain;
	uint64_t count;

	(void)reader;
	(void)record;
	event->kind = EVENT_DEFERRED_CALLCHAIN;
	chain->tid = event->trailer_tid;
	return span_u64(&payload, &chain->cookie) && span_u64(&payload, &count) &&
	       count <= span_left(&payload) / WORD_BYTES &&
	       span_sub(&payload, count * WORD_BYTES, &chain->ips);
}

static bool decode_cgroup(const struct perf_reader *reader, const struct record *record,
			  struct span payload, struct event *event)
{
	(void)reader;
	(void)record;
	event->kind = EVENT_CGROUP;
	return span_u64(&payload, &event->cgroup.id) && span_cstring(&payload, &event->cgroup.path);
}

static bool decode_namespaces(const struct perf_reader *reader, const struct record *record,
			      struct span payload, struct event *event)
{
	struct event_namespaces *namespaces = &event->namespaces;
	uint64_t count;

	(void)reader;
	(void)record;
	event->kind = EVENT_NAMESPACES;
	if (!span_u32(&payload, &namespaces->pid) || !span_u32(&payload, &namespaces->tid) ||
	    !span_u64(&payload, &count) || count > span_left(&payload) / NAMESPACE_BYTES)
		return false;
	for (uint64_t i = 0; i < count && i <= NAMESPACE_MOUNT; i++) {
		uint64_t device, inode;

		if (!span_u64(&payload, &device) || !span_u64(&payload, &inode))
			return false;
		if (i == NAMESPACE_PID)
			namespaces->pid_namespace = inode;
		else if (i == NAMESPACE_MOUNT)
			namespaces->mount_namespace = inode;
	}
	return true;
}

/*
 * Both types of switch records have the thread only in the trailer. The next or previous thread has
 * its own field.
 */
static bool decode_switch(const struct perf_reader *reader, const struct record *record,
			  struct span payload, struct event *event)
{
	(void)reader;
	(void)payload;
	event->kind = EVENT_CONTEXT_SWITCH;
	event->context_switch = (struct event_context_switch){
		.tid = event->trailer_tid,
		.cpu = event->trailer_cpu,
		.is_switch_out = record->misc & MISC_SWITCH_OUT,
		.is_preempted = record->misc & MISC_SWITCH_OUT_PREEMPT,
	};
	return true;
}

static void set_loss(struct event *event, enum loss_kind kind, uint64_t count)
{
	event->kind = EVENT_LOSS;
	event->loss = (struct event_loss){ .kind = kind, .count = count };
}

static bool decode_lost(const struct perf_reader *reader, const struct record *record,
			struct span payload, struct event *event)
{
	uint64_t id;
	uint64_t count;

	(void)reader;
	(void)record;
	if (!span_u64(&payload, &id) || !span_u64(&payload, &count))
		return false;
	set_loss(event, LOSS_RECORDS, count);
	return true;
}

static bool decode_lost_samples(const struct perf_reader *reader, const struct record *record,
				struct span payload, struct event *event)
{
	uint64_t count;

	(void)reader;
	if (!span_u64(&payload, &count))
		return false;
	set_loss(event, record->misc & MISC_LOST_SAMPLES_BPF ? LOSS_FILTERED : LOSS_SAMPLES, count);
	return true;
}

static bool decode_throttle(const struct perf_reader *reader, const struct record *record,
			    struct span payload, struct event *event)
{
	(void)reader;
	(void)record;
	(void)payload;
	set_loss(event, LOSS_THROTTLED, 1);
	return true;
}

static bool decode_aux(const struct perf_reader *reader, const struct record *record,
		       struct span payload, struct event *event)
{
	uint64_t offset;
	uint64_t size_bytes;
	uint64_t flags;

	(void)reader;
	(void)record;
	if (!span_u64(&payload, &offset) || !span_u64(&payload, &size_bytes) ||
	    !span_u64(&payload, &flags))
		return false;
	set_loss(event, LOSS_AUX_TRUNCATED, flags & AUX_FLAG_TRUNCATED ? 1 : 0);
	return true;
}

static bool decode_auxtrace(const struct perf_reader *reader, const struct record *record,
			    struct span payload, struct event *event)
{
	(void)reader;
	(void)record;
	(void)payload;
	set_loss(event, LOSS_AUX_TRACES, 1);
	return true;
}

/* In the order of type numbers. */
static const struct record_type record_types[] = {
	{ RECORD_MMAP, "MMAP", 32, true, decode_mmap },
	{ RECORD_LOST, "LOST", 16, true, decode_lost },
	{ RECORD_COMM, "COMM", 8, true, decode_comm },
	{ RECORD_EXIT, "EXIT", 24, true, decode_exit },
	{ RECORD_THROTTLE, "THROTTLE", 24, true, decode_throttle },
	{ RECORD_UNTHROTTLE, "UNTHROTTLE", 24, false, NULL },
	{ RECORD_FORK, "FORK", 24, true, decode_fork },
	{ RECORD_READ, "READ", 8, false, NULL },
	{ RECORD_SAMPLE, "SAMPLE", 0, true, NULL },
	{ RECORD_MMAP2, "MMAP2", 64, true, decode_mmap2 },
	{ RECORD_AUX, "AUX", 24, true, decode_aux },
	{ RECORD_ITRACE_START, "ITRACE_START", 8, false, NULL },
	{ RECORD_LOST_SAMPLES, "LOST_SAMPLES", 8, true, decode_lost_samples },
	{ RECORD_SWITCH, "SWITCH", 0, true, decode_switch },
	{ RECORD_SWITCH_CPU_WIDE, "SWITCH_CPU_WIDE", 8, true, decode_switch },
	{ RECORD_NAMESPACES, "NAMESPACES", 16, true, decode_namespaces },
	{ RECORD_KSYMBOL, "KSYMBOL", 16, true, decode_ksymbol },
	{ RECORD_BPF_EVENT, "BPF_EVENT", 8, false, NULL },
	{ RECORD_CGROUP, "CGROUP", 9, true, decode_cgroup },
	{ RECORD_TEXT_POKE, "TEXT_POKE", 12, false, NULL },
	{ RECORD_AUX_OUTPUT_HW_ID, "AUX_OUTPUT_HW_ID", 8, false, NULL },
	{ RECORD_CALLCHAIN_DEFERRED, "CALLCHAIN_DEFERRED", 16, true, decode_deferred_callchain },
	{ RECORD_HEADER_ATTR, "ATTR", 64, true, NULL },
	{ RECORD_HEADER_EVENT_TYPE, "EVENT_TYPE", 8, true, NULL },
	{ RECORD_HEADER_TRACING_DATA, "TRACING_DATA", 4, true, NULL },
	{ RECORD_HEADER_BUILD_ID, "BUILD_ID", 28, true, NULL },
	{ RECORD_FINISHED_ROUND, "FINISHED_ROUND", 0, false, NULL },
	{ RECORD_ID_INDEX, "ID_INDEX", 8, false, NULL },
	{ RECORD_AUXTRACE_INFO, "AUXTRACE_INFO", 8, false, NULL },
	{ RECORD_AUXTRACE, "AUXTRACE", 40, false, decode_auxtrace },
	{ RECORD_AUXTRACE_ERROR, "AUXTRACE_ERROR", 32, false, NULL },
	{ RECORD_THREAD_MAP, "THREAD_MAP", 8, false, NULL },
	{ RECORD_CPU_MAP, "CPU_MAP", 2, false, NULL },
	{ RECORD_STAT_CONFIG, "STAT_CONFIG", 8, false, NULL },
	{ RECORD_STAT, "STAT", 16, false, NULL },
	{ RECORD_STAT_ROUND, "STAT_ROUND", 8, false, NULL },
	{ RECORD_EVENT_UPDATE, "EVENT_UPDATE", 16, true, NULL },
	{ RECORD_TIME_CONV, "TIME_CONV", 24, false, NULL },
	{ RECORD_HEADER_FEATURE, "FEATURE", 8, true, NULL },
	{ RECORD_COMPRESSED, "COMPRESSED", 0, true, NULL },
	{ RECORD_FINISHED_INIT, "FINISHED_INIT", 0, false, NULL },
	{ RECORD_COMPRESSED2, "COMPRESSED2", 8, true, NULL },
	{ RECORD_BPF_METADATA, "BPF_METADATA", 264, false, NULL },
	{ RECORD_SCHEDSTAT_CPU, "SCHEDSTAT_CPU", 8, false, NULL },
	{ RECORD_SCHEDSTAT_DOMAIN, "SCHEDSTAT_DOMAIN", 8, false, NULL },
};

const struct record_type *record_type_find(uint32_t type)
{
	size_t low = 0;
	size_t high = ARRAY_SIZE(record_types);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (record_types[middle].type < type)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ARRAY_SIZE(record_types) && record_types[low].type == type ? &record_types[low]
										: NULL;
}

/*
 * Removes the trailer (pid, time, id, cpu of the record) from the end of the payload, and reads the
 * time from it. The trailer is located from the end of the payload, because newer kernels add
 * fields before it.
 */
static void read_trailer(const struct perf_reader *reader, struct span *payload,
			 struct event *event)
{
	const struct sample_plan *plan = &reader->events.at[0].plan;
	const unsigned char *trailer;
	uint32_t index;

	if (!plan->has_trailer || span_left(payload) < plan->trailer_words * WORD_BYTES)
		return;
	trailer = payload->end - plan->trailer_words * WORD_BYTES;
	if (reader->trailer_id_word != WORD_ABSENT && reader->events.count > 1) {
		/* In all trailers with an id, the id has the same distance from the end. */
		const unsigned char *id = payload->end - reader->trailer_id_word * WORD_BYTES;

		index = perf_reader_find_event(reader, span_load_u64(id, payload->swapped));
		if (index == PERF_EVENT_NONE)
			index = 0;
		plan = &reader->events.at[index].plan;
		if (span_left(payload) < plan->trailer_words * WORD_BYTES)
			return;
		trailer = payload->end - plan->trailer_words * WORD_BYTES;
	}
	payload->end = trailer;
	if (plan->sample_type & SAMPLE_TID)
		event->trailer_tid = span_load_u32(trailer + TRAILER_TID_OFFSET, payload->swapped);
	if (plan->trailer_cpu != WORD_ABSENT)
		event->trailer_cpu =
			span_load_u32(trailer + plan->trailer_cpu * WORD_BYTES, payload->swapped);
	if (plan->trailer_time == WORD_ABSENT)
		return;
	event->time_ns = span_load_u64(trailer + plan->trailer_time * WORD_BYTES, payload->swapped);
	/* Records synthesized by perf have a time of 0 or all ones. */
	event->has_time = event->time_ns && event->time_ns != TIME_NONE;
}

void record_send_loss(const struct event_sink *sink, uint64_t offset, enum loss_kind kind,
		      uint64_t count)
{
	struct event event = { .offset = offset };

	set_loss(&event, kind, count);
	event_send(sink, &event);
}

void record_send(struct perf_reader *reader, const struct record *record,
		 const struct event_sink *sink)
{
	const struct record_type *type = record_type_find(record->type);
	struct span payload = record_payload(record, reader->file.swapped);
	struct event event = { .offset = record->offset,
			       .trailer_tid = EVENT_NO_TID,
			       .trailer_cpu = EVENT_NO_CPU };

	if (!type) {
		record_send_loss(sink, record->offset, LOSS_UNKNOWN_RECORDS, 1);
		return;
	}
	if (!type->decode)
		return;
	if (record->type < RECORD_USER_BEGIN && reader->events.count)
		read_trailer(reader, &payload, &event);
	if (span_left(&payload) < type->payload_bytes_min ||
	    !type->decode(reader, record, payload, &event)) {
		record_send_loss(sink, record->offset, LOSS_CORRUPT_RECORDS, 1);
		return;
	}
	if (record->type == RECORD_MMAP2 && record->misc & MISC_PROC_MAP_PARSE_TIMEOUT)
		record_send_loss(sink, record->offset, LOSS_MAPS_TRUNCATED, 1);
	if (event.kind != EVENT_LOSS || event.loss.count)
		event_send(sink, &event);
}

/*
 * Maximum number of counters for unknown types. A corrupt file can contain any number of such
 * types.
 */
#define UNKNOWN_TYPES_MAX 64

struct record_counts {
	uint64_t known[ARRAY_SIZE(record_types)];
	VEC(struct event_record_count) unknown;
};

struct record_counts *record_counts_create(void)
{
	return memory_zalloc(1, sizeof(struct record_counts));
}

void record_counts_destroy(struct record_counts *counts)
{
	if (counts)
		vec_free(&counts->unknown);
	memory_free(counts);
}

static void add_unknown(struct record_counts *counts, uint32_t type, uint64_t several)
{
	for (size_t i = 0; i < counts->unknown.count; i++) {
		if (counts->unknown.at[i].type != type)
			continue;
		counts->unknown.at[i].count += several;
		return;
	}
	if (counts->unknown.count < UNKNOWN_TYPES_MAX)
		vec_push(&counts->unknown,
			 (struct event_record_count){ .type = type, .count = several });
}

void record_counts_add(struct record_counts *counts, uint32_t type, uint64_t several)
{
	const struct record_type *row = record_type_find(type);

	if (row)
		counts->known[row - record_types] += several;
	else
		add_unknown(counts, type, several);
}

void record_counts_send(const struct record_counts *counts, const struct event_sink *sink)
{
	struct event event = { .kind = EVENT_RECORD_COUNT };

	for (size_t i = 0; i < ARRAY_SIZE(record_types); i++) {
		if (!counts->known[i])
			continue;
		event.record_count = (struct event_record_count){
			.type = record_types[i].type,
			.name = text_of(record_types[i].name),
			.count = counts->known[i],
			.is_used = record_types[i].is_used,
		};
		event_send(sink, &event);
	}
	for (size_t i = 0; i < counts->unknown.count; i++) {
		event.record_count = counts->unknown.at[i];
		event_send(sink, &event);
	}
}
