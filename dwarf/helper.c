/* SPDX-License-Identifier: MIT */
#include "dwarf/helper.h"

#include "dwarf/helper_process.h"

#ifndef HAVE_LIBDW

static void do_nothing(const struct service_job *job)
{
	(void)job;
}

const struct service_kind dwarf_service_kind = { .run = do_nothing };

bool dwarf_helper_is_built_in(void)
{
	return false;
}

bool dwarf_helper_begin(const struct service *service, const struct dwarf_files *files,
			struct dwarf_reading *ret, struct error *err)
{
	(void)service;
	(void)files;
	(void)ret;
	return error_set(err, ERROR_UNSUPPORTED, "kiln was built without libdw");
}

void dwarf_reading_send(struct dwarf_reading *reading, const struct dwarf_request *request)
{
	(void)reading;
	(void)request;
}

bool dwarf_reading_receive(struct dwarf_reading *reading, const struct dwarf_opener *opener,
			   struct inline_table *table, byte_list *split_files, struct error *err)
{
	(void)reading;
	(void)opener;
	(void)table;
	(void)split_files;
	return error_set(err, ERROR_UNSUPPORTED, "kiln was built without libdw");
}

void dwarf_reading_cancel(struct dwarf_reading *reading)
{
	(void)reading;
}

#else

/*
 * Maximum memory of a process that reads debug information, not counting the file itself. There are
 * at most two such processes for each thread. A large C++ program needs hundreds of MB.
 */
#define LIMIT_DWARF_MEMORY_BYTES ((uint64_t)4 << 30)
/*
 * Maximum CPU time of a process that reads debug information. A large C++ program needs a few
 * seconds.
 */
#define LIMIT_DWARF_CPU_SECONDS  30u

const struct service_kind dwarf_service_kind = {
	.what = "reading its debug information",
	.run = helper_process_run,
	.memory_bytes = LIMIT_DWARF_MEMORY_BYTES,
	.cpu_seconds = LIMIT_DWARF_CPU_SECONDS,
};

bool dwarf_helper_is_built_in(void)
{
	return true;
}

bool dwarf_helper_begin(const struct service *service, const struct dwarf_files *files,
			struct dwarf_reading *ret, struct error *err)
{
	struct helper_job head = {
		.archive_count = (uint8_t)files->archive_count,
		.wants_lines = files->wants_lines,
	};
	int list[HELPER_FILES_MAX];
	struct service_job job = {
		.head = &head,
		.head_bytes = sizeof(head),
		.files = list,
	};

	list[job.file_count++] = files->fd;
	for (size_t i = 0; i < files->archive_count; i++)
		list[job.file_count++] = files->archive_fds[i];
	if (files->shared_fd >= 0)
		list[job.file_count++] = files->shared_fd;
	return service_begin(service, &dwarf_service_kind, &job, &ret->call, err);
}

void dwarf_reading_send(struct dwarf_reading *reading, const struct dwarf_request *request)
{
	const struct service_call *call = &reading->call;
	struct helper_request_header header = {
		.address_count = request->address_count,
		.places_bytes = request->places.length,
		.reserve_steps = request->reserve_steps,
	};

	service_set_deadline(&reading->call, LIMIT_DWARF_WALL_SECONDS + 5);
	/* Ignore errors, because a reader that ended early may still have sent an answer. */
	(void)(service_send(call, &header, sizeof(header)) &&
	       service_send(call, request->addresses,
			    request->address_count * sizeof(*request->addresses)) &&
	       service_send(call, request->places.at, request->places.length));
}

/* A question consists of the place and the path of a file that the reader needs, each NUL-terminated. */
static int open_asked(void *context, struct span question)
{
	const struct dwarf_opener *opener = context;
	const char *offer = (const char *)question.at;
	size_t size_bytes = span_left(&question);
	size_t offer_bytes = strnlen(offer, size_bytes) + 1;

	if (offer_bytes >= size_bytes || offer[size_bytes - 1])
		return -1;
	return opener->open(opener->context, offer, offer + offer_bytes);
}

static bool fail_corrupt(struct error *err)
{
	return error_set(err, ERROR_CORRUPT,
			 "the process that reads debug information returned corrupt data");
}

static bool read_table(struct span answer, struct dwarf_reading *reading,
		       struct inline_table *table, byte_list *split_files, struct error *err)
{
	struct span files;
	uint32_t size_bytes;

	if (!span_u64(&answer, &reading->drawn_steps) || !span_u32(&answer, &size_bytes) ||
	    !span_sub(&answer, size_bytes, &files) || (size_bytes && files.at[size_bytes - 1]))
		return fail_corrupt(err);
	if (!inline_table_read(table, answer, err))
		return false;
	for (; split_files && span_left(&files); files.at++)
		vec_push(split_files, *files.at);
	return true;
}

/* The worker may be hostile: its answer may have any kind, and the reason may be missing. */
static bool read_answer(const byte_list *bytes, struct dwarf_reading *reading,
			struct inline_table *table, byte_list *split_files, struct error *err)
{
	struct span answer = span_of(bytes->at, bytes->count, 0, false);
	uint8_t kind;

	if (!span_u8(&answer, &kind))
		return fail_corrupt(err);
	if (kind == HELPER_ANSWER_TABLE)
		return read_table(answer, reading, table, split_files, err);
	if (kind != HELPER_ANSWER_ERROR || !span_left(&answer) ||
	    span_left(&answer) >= sizeof(err->text))
		return fail_corrupt(err);
	return error_set(err, ERROR_CORRUPT, "%.*s", (int)span_left(&answer),
			 (const char *)answer.at);
}

bool dwarf_reading_receive(struct dwarf_reading *reading, const struct dwarf_opener *opener,
			   struct inline_table *table, byte_list *split_files, struct error *err)
{
	struct service_replies replies = { open_asked, (void *)(uintptr_t)opener };
	byte_list bytes = { .at = NULL };
	bool good = service_receive(&reading->call, opener ? &replies : NULL,
				    LIMIT_INLINE_TABLE_BYTES, &bytes, err) &&
		    read_answer(&bytes, reading, table, split_files, err);

	vec_free(&bytes);
	return good;
}

void dwarf_reading_cancel(struct dwarf_reading *reading)
{
	service_cancel(&reading->call);
}

#endif
