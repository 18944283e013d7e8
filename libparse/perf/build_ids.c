/* SPDX-License-Identifier: MIT */
#include "libparse/perf/build_ids.h"

#include "libparse/perf/abi.h"

/* Maximum number of build-ids in a capture, which has one for each mapped file. */
#define LIMIT_BUILD_IDS (1u << 20)

#define HEADER_BYTES 8
#define PID_BYTES    4
/* The bytes of the build-id, one byte for its size, and three unused bytes. */
#define ID_FIELD_BYTES 24
/* The rest of "[kernel.kallsyms]", if its first four bytes are read as the end of the id. */
#define SHIFTED_KERNEL_NAME "nel.kallsyms]"

struct build_id_entry {
	uint16_t misc;
	uint64_t offset;
	struct span payload;
};

static bool next_entry(struct span *section, struct build_id_entry *ret)
{
	struct span ahead = *section;
	uint32_t type;
	uint16_t size_bytes;

	ret->offset = span_offset(section);
	if (!span_u32(&ahead, &type) || !span_u16(&ahead, &ret->misc) ||
	    !span_u16(&ahead, &size_bytes) || size_bytes < HEADER_BYTES ||
	    !span_sub(&ahead, size_bytes - HEADER_BYTES, &ret->payload))
		return false;
	*section = ahead;
	return true;
}

/* A long file name may fill its field without a NUL. */
static struct text read_name(struct span span)
{
	size_t length = strnlen((const char *)span.at, span_left(&span));

	return (struct text){ (const char *)span.at, (uint32_t)length };
}

static bool is_jitted(struct text path)
{
	const char *slash = path.length ? memrchr(path.at, '/', path.length) : NULL;
	const char *name = slash ? slash + 1 : path.at;
	size_t left = (size_t)(path.at + path.length - name);

	return left >= 7 && memcmp(name, "jitted-", 7) == 0;
}

/*
 * Before perf 5.12, entries had no size: an id of 16 bytes (md5) is followed by zeros. However, old
 * versions of perf inject --jit wrote ids of 20 bytes that end in zeros.
 */
static uint8_t guess_size(const uint8_t *bytes, struct text path)
{
	static const uint8_t zeros[BUILD_ID_BYTES_MAX];
	uint8_t size_bytes = BUILD_ID_BYTES_MAX;

	if (is_jitted(path) && memcmp(bytes, zeros, sizeof(zeros)) != 0)
		return size_bytes;
	while (size_bytes && memcmp(bytes + size_bytes - 4, zeros, 4) == 0)
		size_bytes -= 4;
	return size_bytes;
}

static bool read_payload(uint16_t misc, struct span payload, bool has_pid,
			 struct event_build_id *ret)
{
	struct span id;

	*ret = (struct event_build_id){ .cpu_mode = misc & MISC_CPUMODE_MASK };
	if ((has_pid && !span_skip(&payload, PID_BYTES)) ||
	    !span_sub(&payload, ID_FIELD_BYTES, &id))
		return false;
	ret->path = read_name(payload);
	memcpy(ret->build_id.bytes, id.at, BUILD_ID_BYTES_MAX);
	if (misc & MISC_BUILD_ID_SIZE) {
		uint8_t stated = id.at[BUILD_ID_BYTES_MAX];

		ret->build_id.size_bytes =
			stated < BUILD_ID_BYTES_MAX ? stated : BUILD_ID_BYTES_MAX;
	} else {
		ret->build_id.size_bytes = guess_size(ret->build_id.bytes, ret->path);
	}
	/* Clear the bytes after the id, so that equal ids have equal bytes. */
	memset(ret->build_id.bytes + ret->build_id.size_bytes, 0,
	       (size_t)(BUILD_ID_BYTES_MAX - ret->build_id.size_bytes));
	return true;
}

bool perf_build_id_read(uint16_t misc, struct span payload, struct event_build_id *ret)
{
	return read_payload(misc, payload, true, ret);
}

/*
 * The first versions of perf did not write a pid. The kernel's entry shows whether entries have a
 * pid; without such an entry, they are assumed to have one.
 */
static bool has_pids(struct span section)
{
	struct build_id_entry entry;
	struct event_build_id read;

	for (uint32_t i = 0; i < LIMIT_BUILD_IDS && next_entry(&section, &entry); i++) {
		if (read_payload(entry.misc, entry.payload, true, &read) &&
		    read.path.length >= strlen(SHIFTED_KERNEL_NAME) &&
		    memcmp(read.path.at, SHIFTED_KERNEL_NAME, strlen(SHIFTED_KERNEL_NAME)) == 0)
			return false;
	}
	return true;
}

bool perf_build_ids_read(struct span section, const struct event_sink *sink)
{
	bool with_pid = has_pids(section);
	struct build_id_entry entry;

	for (uint32_t i = 0; i < LIMIT_BUILD_IDS && span_left(&section); i++) {
		struct event event = { .kind = EVENT_BUILD_ID };

		if (!next_entry(&section, &entry) ||
		    !read_payload(entry.misc, entry.payload, with_pid, &event.build_id))
			return false;
		event.offset = entry.offset;
		if (event.build_id.build_id.size_bytes && event.build_id.path.length)
			event_send(sink, &event);
	}
	return !span_left(&section);
}
