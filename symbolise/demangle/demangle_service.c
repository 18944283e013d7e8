/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/demangle_service.h"

#include "base/vec.h"

/*
 * Maximum memory of a process that demangles names. libiberty needs far less than 1 MB for a name.
 */
#define LIMIT_DEMANGLE_MEMORY_BYTES ((uint64_t)512 << 20)
/* Maximum CPU time of a process that demangles names. At most 4096 names take milliseconds. */
#define LIMIT_DEMANGLE_CPU_SECONDS 10u
/*
 * Maximum wall-clock time of a process that demangles names. The process may have to wait for a
 * CPU.
 */
#define LIMIT_DEMANGLE_WALL_SECONDS 60u

/* Precedes each name in the request. */
struct request_header {
	uint16_t size_bytes;
	uint16_t hashes; /* enum demangle_hashes */
};

static void put_text(byte_list *answer, const char *text, size_t length)
{
	uint32_t size_bytes = (uint32_t)length;

	vec_reserve(answer, answer->count + sizeof(size_bytes) + length);
	memcpy(answer->at + answer->count, &size_bytes, sizeof(size_bytes));
	if (length)
		memcpy(answer->at + answer->count + sizeof(size_bytes), text, length);
	answer->count += sizeof(size_bytes) + length;
}

struct demangle_job {
	uint32_t count;      /* names */
	uint32_t size_bytes; /* size of all requests */
};

/* Runs in the worker. */
static void demangle_names(const struct service_job *job)
{
	byte_list answer = { .at = NULL };
	struct demangle_job head;
	struct span requests;
	unsigned char *bytes;

	memcpy(&head, job->head, sizeof(head));
	bytes = memory_alloc(head.size_bytes, 1);
	if (!worker_read(job, bytes, head.size_bytes))
		return;
	requests = span_of(bytes, head.size_bytes, 0, false);
	for (uint32_t i = 0; i < head.count; i++) {
		char shown[DEMANGLED_BYTES_MAX];
		uint16_t size_bytes, hashes;
		struct span name;
		size_t length;

		if (!span_u16(&requests, &size_bytes) || !span_u16(&requests, &hashes) ||
		    !span_sub(&requests, size_bytes, &name))
			return;
		if (!demangle((struct text){ (const char *)name.at, size_bytes },
			      (enum demangle_hashes)hashes, shown, sizeof(shown), &length))
			length = 0;
		put_text(&answer, shown, length);
	}
	worker_answer(job, answer.at, answer.count);
}

const struct service_kind demangle_service_kind = {
	.what = "demangling names",
	.run = demangle_names,
	.memory_bytes = LIMIT_DEMANGLE_MEMORY_BYTES,
	.cpu_seconds = LIMIT_DEMANGLE_CPU_SECONDS,
};

static byte_list pack_requests(const struct demangle_request *requests, size_t count)
{
	byte_list bytes = { .at = NULL };

	for (size_t i = 0; i < count; i++) {
		struct request_header header = {
			.size_bytes = (uint16_t)requests[i].name.length,
			.hashes = (uint16_t)requests[i].hashes,
		};

		vec_reserve(&bytes, bytes.count + sizeof(header) + header.size_bytes);
		memcpy(bytes.at + bytes.count, &header, sizeof(header));
		memcpy(bytes.at + bytes.count + sizeof(header), requests[i].name.at,
		       header.size_bytes);
		bytes.count += sizeof(header) + header.size_bytes;
	}
	return bytes;
}

bool demangle_read_answer(struct span answer, struct demangle_request *requests, size_t count,
			  struct arena *arena)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t length;
		struct span text;

		if (!span_u32(&answer, &length) || length > DEMANGLED_BYTES_MAX ||
		    !span_sub(&answer, length, &text)) {
			for (size_t k = 0; k < i; k++)
				requests[k].shown = (struct text){ .at = NULL };
			return false;
		}
		if (length)
			requests[i].shown =
				(struct text){ arena_text(arena, (const char *)text.at, length),
					       length };
	}
	return true;
}

bool demangle_in_worker(const struct service *service, struct demangle_request *requests,
			size_t count, struct arena *arena, struct error *err)
{
	byte_list bytes = pack_requests(requests, count);
	const struct demangle_job head = { (uint32_t)count, (uint32_t)bytes.count };
	const struct service_job job = { .head = &head, .head_bytes = sizeof(head) };
	byte_list answer = { .at = NULL };
	struct service_call call;
	bool good = service_begin(service, &demangle_service_kind, &job, &call, err);

	if (!good) {
		vec_free(&bytes);
		return false;
	}
	service_set_deadline(&call, LIMIT_DEMANGLE_WALL_SECONDS);
	/* If the worker has ended, the worker's status shows why. */
	(void)service_send(&call, bytes.at, bytes.count);
	vec_free(&bytes);
	good = service_receive(&call, NULL, count * (sizeof(uint32_t) + DEMANGLED_BYTES_MAX),
			       &answer, err);
	if (good && !demangle_read_answer(span_of(answer.at, answer.count, 0, false), requests,
					  count, arena))
		good = error_set(err, ERROR_CORRUPT, "the process for %s returned corrupt data",
				 demangle_service_kind.what);
	vec_free(&answer);
	return good;
}
