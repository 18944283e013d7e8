/* SPDX-License-Identifier: MIT */
/*
 * Builds perf.data captures in memory, of either byte order, as files or as pipes. Of
 * libparse/perf it uses the numbers of abi.h and struct perf_attr, but no code, so that reader and
 * writer do not share errors.
 *
 *     struct perf_writer writer;
 *     perf_writer_init(&writer, PERF_WRITER_BIG_ENDIAN);
 *     perf_writer_event(&writer, "cycles", &attr, ids, 2);
 *     perf_writer_comm(&writer, 100, 7, 7, "server", 0);
 *     perf_writer_mmap(&writer, 110, &(struct writer_mmap){ .pid = 7, .path = "/bin/server" });
 *     perf_writer_sample(&writer, &(struct writer_sample){ .pid = 7, .tid = 7, .time_ns = 120 });
 *     perf_writer_feature_string(&writer, FEATURE_HOSTNAME, "db7");
 *     perf_writer_finish(&writer);           now writer.file.at, writer.file.count are the capture
 *     perf_writer_patch_u64(&writer, 48, 0); and may be corrupted
 *     perf_writer_deinit(&writer);
 */
#ifndef TESTS_SUPPORT_PERF_WRITER_H
#define TESTS_SUPPORT_PERF_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "libparse/perf/attr.h"

/* Offsets of header fields, to corrupt them. */
#define PERF_WRITER_HEADER_SIZE  8
#define PERF_WRITER_ATTR_ENTRY   16
#define PERF_WRITER_ATTRS_OFFSET 24
#define PERF_WRITER_ATTRS_SIZE   32
#define PERF_WRITER_DATA_OFFSET  40
#define PERF_WRITER_DATA_SIZE    48
#define PERF_WRITER_FEATURE_BITS 72
#define PERF_WRITER_HEADER_BYTES 104

#define PERF_WRITER_EVENTS_MAX 64

enum perf_writer_order {
	PERF_WRITER_LITTLE_ENDIAN,
	PERF_WRITER_BIG_ENDIAN,
};

typedef VEC(unsigned char) perf_writer_bytes;

struct perf_writer_event {
	const char *name;
	struct perf_attr attr;
	uint64_t ids[16];
	uint32_t id_count;
	size_t ids_offset; /* in the file, once finished */
};

struct perf_writer_section {
	unsigned feature;
	size_t begin, end; /* in feature_bytes */
};

struct perf_writer {
	bool is_big_endian;
	/* To be set before perf_writer_finish. */
	bool is_pipe;
	uint32_t attr_bytes; /* of every attr on disk; 0: 136 */
	/* Fields in the trailers of the next records, in addition to pid, tid and time. */
	uint32_t event, cpu;
	uint64_t stream_id;

	struct perf_writer_event events[PERF_WRITER_EVENTS_MAX];
	uint32_t event_count;
	perf_writer_bytes data;
	perf_writer_bytes feature_bytes;
	VEC(struct perf_writer_section) sections;
	perf_writer_bytes *out; /* what the put functions append to */
	size_t record_begin;

	/* The result of perf_writer_finish, and the offsets of its parts. */
	perf_writer_bytes file;
	size_t attrs_offset, data_offset, features_offset;
};

/*
 * Pointers are borrowed until perf_writer_sample returns. Fields that the attr does not request are
 * not used.
 */
struct writer_sample {
	uint32_t event;
	uint16_t misc;
	uint64_t id; /* 0: the first id of the event */
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns, address, stream_id;
	uint32_t cpu;
	uint64_t period;
	const uint64_t *read_words; /* all words of the READ field */
	size_t read_count;
	const uint64_t *ips;
	size_t ip_count;
	const void *raw;
	uint32_t raw_bytes;
	const uint64_t *branches; /* each: from, to, flags in little-endian layout */
	size_t branch_count;
	uint64_t branches_hw_index;
	const uint64_t *branch_counters; /* one a branch */
	uint64_t user_abi;               /* 0: no registers follow */
	const uint64_t *user_registers;
	const void *user_stack;
	uint64_t user_stack_bytes, user_stack_used_bytes;
	uint64_t weight, data_source, transaction;
	uint64_t interrupt_abi;
	const uint64_t *interrupt_registers;
	uint64_t physical_address, cgroup, data_page_size, code_page_size;
	const void *aux;
	uint64_t aux_bytes;
};

struct writer_mmap {
	uint32_t pid, tid;
	uint16_t misc; /* 0: user mode */
	uint64_t address, length, file_offset;
	const char *path;
	/* MMAP2 only */
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	const uint8_t *build_id; /* replaces the four fields above if not NULL */
	uint8_t build_id_bytes;
	uint32_t protection, flags;
	bool has_no_protection; /* and no flags, as in RHEL 7 kernels */
};

void perf_writer_init(struct perf_writer *writer, enum perf_writer_order order);
void perf_writer_deinit(struct perf_writer *writer);

/* Adds an event; attr.size 0 is filled in. Returns its index. The name goes to EVENT_DESC. */
uint32_t perf_writer_event(struct perf_writer *writer, const char *name,
			   const struct perf_attr *attr, const uint64_t *ids, uint32_t id_count);

/* Records. Each returns its offset from the beginning of the data. */
size_t perf_writer_sample(struct perf_writer *writer, const struct writer_sample *sample);
size_t perf_writer_mmap(struct perf_writer *writer, uint64_t time_ns,
			const struct writer_mmap *mmap);
size_t perf_writer_mmap2(struct perf_writer *writer, uint64_t time_ns,
			 const struct writer_mmap *mmap);
size_t perf_writer_comm(struct perf_writer *writer, uint64_t time_ns, uint32_t pid, uint32_t tid,
			const char *comm, uint16_t misc);
size_t perf_writer_namespaces(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			      uint64_t pid_namespace);
size_t perf_writer_fork(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			uint32_t parent_pid, uint32_t tid, uint32_t parent_tid, uint16_t misc);
size_t perf_writer_exit(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			uint32_t parent_pid, uint32_t tid, uint32_t parent_tid);
size_t perf_writer_ksymbol(struct perf_writer *writer, uint64_t time_ns, uint64_t address,
			   uint32_t length, uint16_t flags, const char *name);
size_t perf_writer_lost(struct perf_writer *writer, uint64_t time_ns, uint64_t id, uint64_t count);
size_t perf_writer_lost_samples(struct perf_writer *writer, uint64_t time_ns, uint64_t count,
				uint16_t misc);
size_t perf_writer_throttle(struct perf_writer *writer, uint64_t time_ns, uint64_t id);

/*
 * Any record: call begin, put its content, call end. The trailer must be put explicitly, if it is
 * needed.
 */
void perf_writer_record_begin(struct perf_writer *writer, uint32_t type, uint16_t misc);
size_t perf_writer_record_end(struct perf_writer *writer);
void perf_writer_put_trailer(struct perf_writer *writer, uint64_t time_ns, uint32_t pid,
			     uint32_t tid);

/*
 * Features: call begin, put the content, call end. Features must be in ascending order of their
 * numbers.
 */
void perf_writer_feature_begin(struct perf_writer *writer, unsigned feature);
void perf_writer_feature_end(struct perf_writer *writer);
void perf_writer_feature(struct perf_writer *writer, unsigned feature, const void *bytes,
			 size_t size_bytes);
void perf_writer_feature_string(struct perf_writer *writer, unsigned feature, const char *text);
void perf_writer_feature_strings(struct perf_writer *writer, unsigned feature,
				 const char *const *texts, uint32_t count);
void perf_writer_feature_event_desc(struct perf_writer *writer);
/* One entry of FEATURE_BUILD_ID, between begin and end. Size 0: as perf before 5.12 wrote it. */
void perf_writer_put_build_id(struct perf_writer *writer, uint16_t misc, const uint8_t *id,
			      uint8_t size_bytes, const char *path);

/* The content of a record or a feature. */
void perf_writer_put_bytes(struct perf_writer *writer, const void *bytes, size_t size_bytes);
void perf_writer_put_zeros(struct perf_writer *writer, size_t count);
void perf_writer_put_u8(struct perf_writer *writer, uint8_t value);
void perf_writer_put_u16(struct perf_writer *writer, uint16_t value);
void perf_writer_put_u32(struct perf_writer *writer, uint32_t value);
void perf_writer_put_u64(struct perf_writer *writer, uint64_t value);
/* Text, NUL, and zeros up to a multiple of 8. */
void perf_writer_put_name(struct perf_writer *writer, const char *text);
/* Length, text, NUL and zeros up to a multiple of 64, as strings in features are. */
void perf_writer_put_string(struct perf_writer *writer, const char *text);

/* Assembles the capture in writer->file. */
void perf_writer_finish(struct perf_writer *writer);

/* Corruption: overwrites bytes at an offset of the finished file. */
void perf_writer_patch_u16(struct perf_writer *writer, size_t offset, uint16_t value);
void perf_writer_patch_u32(struct perf_writer *writer, size_t offset, uint32_t value);
void perf_writer_patch_u64(struct perf_writer *writer, size_t offset, uint64_t value);

#endif
