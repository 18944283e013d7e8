/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "libparse/perf/abi.h"
#include "tests/support/perf_writer.h"

#define RECORD_SIZE_OFFSET 6
#define MODE_USER          2

void perf_writer_record_begin(struct perf_writer *writer, uint32_t type, uint16_t misc)
{
	writer->record_begin = writer->data.count;
	perf_writer_put_u32(writer, type);
	perf_writer_put_u16(writer, misc);
	perf_writer_put_u16(writer, 0);
}

size_t perf_writer_record_end(struct perf_writer *writer)
{
	size_t size_bytes = writer->data.count - writer->record_begin;
	unsigned char *at = writer->data.at + writer->record_begin + RECORD_SIZE_OFFSET;

	assert(size_bytes < LIMIT_RECORD_BYTES);
	at[writer->is_big_endian ? 0 : 1] = (unsigned char)(size_bytes >> 8);
	at[writer->is_big_endian ? 1 : 0] = (unsigned char)size_bytes;
	return writer->record_begin;
}

static uint64_t first_id(const struct perf_writer *writer, uint32_t event)
{
	return writer->events[event].id_count ? writer->events[event].ids[0] : 0;
}

void perf_writer_put_trailer(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			     uint32_t tid)
{
	const struct perf_attr *attr = &writer->events[writer->event].attr;
	uint64_t type = attr->sample_type;

	if (!(attr->flags & ATTR_FLAG_SAMPLE_ID_ALL))
		return;
	if (type & SAMPLE_TID) {
		perf_writer_put_u32(writer, pid);
		perf_writer_put_u32(writer, tid);
	}
	if (type & SAMPLE_TIME)
		perf_writer_put_u64(writer, time_ns);
	if (type & SAMPLE_ID)
		perf_writer_put_u64(writer, first_id(writer, writer->event));
	if (type & SAMPLE_STREAM_ID)
		perf_writer_put_u64(writer, writer->stream_id);
	if (type & SAMPLE_CPU) {
		perf_writer_put_u32(writer, writer->cpu);
		perf_writer_put_u32(writer, 0);
	}
	if (type & SAMPLE_IDENTIFIER)
		perf_writer_put_u64(writer, first_id(writer, writer->event));
}

static size_t end_with_trailer(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			       uint32_t tid)
{
	perf_writer_put_trailer(writer, time_ns, pid, tid);
	return perf_writer_record_end(writer);
}

static void begin_mmap(struct perf_writer *writer, uint32_t type, uint16_t misc,
		       const struct writer_mmap *mmap)
{
	uint16_t with_mode = mmap->misc | misc;

	perf_writer_record_begin(writer, type,
				 with_mode & MISC_CPUMODE_MASK ? with_mode : with_mode | MODE_USER);
	perf_writer_put_u32(writer, mmap->pid);
	perf_writer_put_u32(writer, mmap->tid);
	perf_writer_put_u64(writer, mmap->address);
	perf_writer_put_u64(writer, mmap->length);
	perf_writer_put_u64(writer, mmap->file_offset);
}

size_t perf_writer_mmap(struct perf_writer *writer, uint64_t time_ns,
			const struct writer_mmap *mmap)
{
	begin_mmap(writer, RECORD_MMAP, 0, mmap);
	perf_writer_put_name(writer, mmap->path);
	return end_with_trailer(writer, time_ns, mmap->pid, mmap->tid);
}

size_t perf_writer_mmap2(struct perf_writer *writer, uint64_t time_ns,
			 const struct writer_mmap *mmap)
{
	begin_mmap(writer, RECORD_MMAP2, mmap->build_id ? MISC_MMAP_BUILD_ID : 0, mmap);
	if (mmap->build_id) {
		perf_writer_put_u8(writer, mmap->build_id_bytes);
		perf_writer_put_zeros(writer, 3);
		perf_writer_put_bytes(writer, mmap->build_id, mmap->build_id_bytes);
		perf_writer_put_zeros(writer, 20u - mmap->build_id_bytes);
	} else {
		perf_writer_put_u32(writer, mmap->device_major);
		perf_writer_put_u32(writer, mmap->device_minor);
		perf_writer_put_u64(writer, mmap->inode);
		perf_writer_put_u64(writer, mmap->inode_generation);
	}
	if (!mmap->has_no_protection) {
		perf_writer_put_u32(writer, mmap->protection);
		perf_writer_put_u32(writer, mmap->flags);
	}
	perf_writer_put_name(writer, mmap->path);
	return end_with_trailer(writer, time_ns, mmap->pid, mmap->tid);
}

size_t perf_writer_comm(struct perf_writer *writer, uint64_t time_ns, uint32_t pid, uint32_t tid,
			const char *comm, uint16_t misc)
{
	perf_writer_record_begin(writer, RECORD_COMM, misc);
	perf_writer_put_u32(writer, pid);
	perf_writer_put_u32(writer, tid);
	perf_writer_put_name(writer, comm);
	return end_with_trailer(writer, time_ns, pid, tid);
}

size_t perf_writer_namespaces(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			      uint64_t pid_namespace)
{
	perf_writer_record_begin(writer, RECORD_NAMESPACES, 0);
	perf_writer_put_u32(writer, pid);
	perf_writer_put_u32(writer, pid);
	perf_writer_put_u64(writer, 7);
	for (unsigned i = 0; i < 7; i++) {
		perf_writer_put_u64(writer, 4);
		perf_writer_put_u64(writer, i == NAMESPACE_PID ? pid_namespace : 0xf0000000u + i);
	}
	return end_with_trailer(writer, time_ns, pid, pid);
}

static size_t put_task(struct perf_writer *writer, uint32_t type, uint16_t misc, uint64_t time_ns,
		       uint32_t pid, uint32_t parent_pid, uint32_t tid, uint32_t parent_tid)
{
	perf_writer_record_begin(writer, type, misc);
	perf_writer_put_u32(writer, pid);
	perf_writer_put_u32(writer, parent_pid);
	perf_writer_put_u32(writer, tid);
	perf_writer_put_u32(writer, parent_tid);
	perf_writer_put_u64(writer, time_ns);
	return end_with_trailer(writer, time_ns, parent_pid, parent_tid);
}

size_t perf_writer_fork(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			uint32_t parent_pid, uint32_t tid, uint32_t parent_tid, uint16_t misc)
{
	return put_task(writer, RECORD_FORK, misc, time_ns, pid, parent_pid, tid, parent_tid);
}

size_t perf_writer_exit(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			uint32_t parent_pid, uint32_t tid, uint32_t parent_tid)
{
	return put_task(writer, RECORD_EXIT, 0, time_ns, pid, parent_pid, tid, parent_tid);
}

size_t perf_writer_ksymbol(struct perf_writer *writer, uint64_t time_ns, uint64_t address,
			   uint32_t length, uint16_t flags, const char *name)
{
	perf_writer_record_begin(writer, RECORD_KSYMBOL, 1);
	perf_writer_put_u64(writer, address);
	perf_writer_put_u32(writer, length);
	perf_writer_put_u16(writer, KSYMBOL_TYPE_BPF);
	perf_writer_put_u16(writer, flags);
	perf_writer_put_name(writer, name);
	return end_with_trailer(writer, time_ns, 0, 0);
}

size_t perf_writer_lost(struct perf_writer *writer, uint64_t time_ns, uint64_t id, uint64_t count)
{
	perf_writer_record_begin(writer, RECORD_LOST, 0);
	perf_writer_put_u64(writer, id);
	perf_writer_put_u64(writer, count);
	return end_with_trailer(writer, time_ns, 0, 0);
}

size_t perf_writer_lost_samples(struct perf_writer *writer, uint64_t time_ns, uint64_t count,
				uint16_t misc)
{
	perf_writer_record_begin(writer, RECORD_LOST_SAMPLES, misc);
	perf_writer_put_u64(writer, count);
	return end_with_trailer(writer, time_ns, 0, 0);
}

size_t perf_writer_throttle(struct perf_writer *writer, uint64_t time_ns, uint64_t id)
{
	perf_writer_record_begin(writer, RECORD_THROTTLE, 0);
	perf_writer_put_u64(writer, time_ns);
	perf_writer_put_u64(writer, id);
	perf_writer_put_u64(writer, id);
	return end_with_trailer(writer, time_ns, 0, 0);
}

static void put_words(struct perf_writer *writer, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		perf_writer_put_u64(writer, words[i]);
}

static void put_registers(struct perf_writer *writer, uint64_t abi, const uint64_t *registers,
			  uint64_t mask)
{
	perf_writer_put_u64(writer, abi);
	if (abi)
		put_words(writer, registers, (size_t)__builtin_popcountll(mask));
}

static void put_fixed(struct perf_writer *writer, uint64_t type, uint64_t id,
		      const struct writer_sample *sample)
{
	if (type & SAMPLE_IDENTIFIER)
		perf_writer_put_u64(writer, id);
	if (type & SAMPLE_IP)
		perf_writer_put_u64(writer, sample->ip);
	if (type & SAMPLE_TID) {
		perf_writer_put_u32(writer, sample->pid);
		perf_writer_put_u32(writer, sample->tid);
	}
	if (type & SAMPLE_TIME)
		perf_writer_put_u64(writer, sample->time_ns);
	if (type & SAMPLE_ADDR)
		perf_writer_put_u64(writer, sample->address);
	if (type & SAMPLE_ID)
		perf_writer_put_u64(writer, id);
	if (type & SAMPLE_STREAM_ID)
		perf_writer_put_u64(writer, sample->stream_id);
	if (type & SAMPLE_CPU) {
		perf_writer_put_u32(writer, sample->cpu);
		perf_writer_put_u32(writer, 0);
	}
	if (type & SAMPLE_PERIOD)
		perf_writer_put_u64(writer, sample->period);
}

/*
 * Converts the bit-fields of a branch from little-endian layout: on a big-endian machine they begin
 * at the top.
 */
static uint64_t branch_flags(const struct perf_writer *writer, uint64_t flags)
{
	static const unsigned widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };
	unsigned from_top = 64;
	uint64_t word = 0;

	if (!writer->is_big_endian)
		return flags;
	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		from_top -= widths[i];
		word |= (flags & ((1ull << widths[i]) - 1)) << from_top;
		flags >>= widths[i];
	}
	return word;
}

/* Without branches from the hardware, the kernel writes only the count. */
static void put_branches(struct perf_writer *writer, uint64_t branch_sample_type,
			 const struct writer_sample *sample)
{
	perf_writer_put_u64(writer, sample->branch_count);
	if (!sample->branch_count)
		return;
	if (branch_sample_type & BRANCH_SAMPLE_HW_INDEX)
		perf_writer_put_u64(writer, sample->branches_hw_index);
	for (size_t i = 0; i < sample->branch_count; i++) {
		put_words(writer, sample->branches + 3 * i, 2);
		perf_writer_put_u64(writer, branch_flags(writer, sample->branches[3 * i + 2]));
	}
	if (branch_sample_type & BRANCH_SAMPLE_COUNTERS)
		put_words(writer, sample->branch_counters, sample->branch_count);
}

static void put_stack(struct perf_writer *writer, const struct writer_sample *sample)
{
	perf_writer_put_u64(writer, sample->user_stack_bytes);
	if (!sample->user_stack_bytes)
		return;
	perf_writer_put_bytes(writer, sample->user_stack, sample->user_stack_bytes);
	perf_writer_put_u64(writer, sample->user_stack_used_bytes);
}

static void put_optional(struct perf_writer *writer, bool is_there, uint64_t value)
{
	if (is_there)
		perf_writer_put_u64(writer, value);
}

static void put_variable(struct perf_writer *writer, const struct perf_attr *attr,
			 const struct writer_sample *sample)
{
	uint64_t type = attr->sample_type;

	if (type & SAMPLE_READ)
		put_words(writer, sample->read_words, sample->read_count);
	if (type & SAMPLE_CALLCHAIN) {
		perf_writer_put_u64(writer, sample->ip_count);
		put_words(writer, sample->ips, sample->ip_count);
	}
	if (type & SAMPLE_RAW) {
		perf_writer_put_u32(writer, sample->raw_bytes);
		perf_writer_put_bytes(writer, sample->raw, sample->raw_bytes);
	}
	if (type & SAMPLE_BRANCH_STACK)
		put_branches(writer, attr->branch_sample_type, sample);
	if (type & SAMPLE_REGS_USER)
		put_registers(writer, sample->user_abi, sample->user_registers,
			      attr->sample_regs_user);
	if (type & SAMPLE_STACK_USER)
		put_stack(writer, sample);
	put_optional(writer, type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT), sample->weight);
	put_optional(writer, type & SAMPLE_DATA_SRC, sample->data_source);
	put_optional(writer, type & SAMPLE_TRANSACTION, sample->transaction);
	if (type & SAMPLE_REGS_INTR)
		put_registers(writer, sample->interrupt_abi, sample->interrupt_registers,
			      attr->sample_regs_intr);
	put_optional(writer, type & SAMPLE_PHYS_ADDR, sample->physical_address);
	put_optional(writer, type & SAMPLE_CGROUP, sample->cgroup);
	put_optional(writer, type & SAMPLE_DATA_PAGE_SIZE, sample->data_page_size);
	put_optional(writer, type & SAMPLE_CODE_PAGE_SIZE, sample->code_page_size);
	if (type & SAMPLE_AUX) {
		perf_writer_put_u64(writer, sample->aux_bytes);
		perf_writer_put_bytes(writer, sample->aux, sample->aux_bytes);
	}
}

size_t perf_writer_sample(struct perf_writer *writer, const struct writer_sample *sample)
{
	const struct perf_attr *attr = &writer->events[sample->event].attr;
	uint64_t id = sample->id ? sample->id : first_id(writer, sample->event);

	perf_writer_record_begin(writer, RECORD_SAMPLE, sample->misc ? sample->misc : MODE_USER);
	put_fixed(writer, attr->sample_type, id, sample);
	put_variable(writer, attr, sample);
	return perf_writer_record_end(writer);
}
