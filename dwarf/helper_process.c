/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/helper_process.h"

#include <unistd.h>

#include "dwarf/debug_reader.h"
#include "sandbox/worker.h"

/* Finds the files of a job, by their order in the message. Returns false if a file is missing. */
static bool sort_files(const struct service_job *job, struct dwarf_files *ret)
{
	const struct helper_job *head = job->head;
	size_t archive_count;

	if (job->head_bytes != sizeof(*head))
		return false;
	archive_count = head->archive_count;
	*ret = (struct dwarf_files){
		.fd = job->file_count ? job->files[0] : -1,
		.shared_fd =
			job->file_count > 1 + archive_count ? job->files[1 + archive_count] : -1,
		.archive_fds = job->files + 1,
		.archive_count = archive_count,
		.wants_lines = head->wants_lines,
	};
	return job->file_count >= 1 + archive_count;
}

static bool receive_request(const struct service_job *job, struct dwarf_request *request)
{
	struct helper_request_header header;
	uint64_t *addresses;
	char *places;

	if (!worker_read(job, &header, sizeof(header)))
		return false;
	addresses = memory_alloc((size_t)header.address_count, sizeof(*addresses));
	places = memory_alloc((size_t)header.places_bytes + 1, 1);
	if (!worker_read(job, addresses, (size_t)header.address_count * sizeof(*addresses)) ||
	    !worker_read(job, places, (size_t)header.places_bytes))
		return false;
	*request = (struct dwarf_request){
		.addresses = addresses,
		.address_count = (size_t)header.address_count,
		.places = { places, (uint32_t)header.places_bytes },
		.reserve_steps = header.reserve_steps,
	};
	return true;
}

static void append(byte_list *list, const void *bytes, size_t size_bytes)
{
	if (!size_bytes)
		return;
	vec_reserve(list, list->count + size_bytes);
	memcpy(list->at + list->count, bytes, size_bytes);
	list->count += size_bytes;
}

/* Asks kiln to open a file. */
static int ask_for(void *context, const char *offer, const char *path)
{
	byte_list question = { .at = NULL };
	int fd;

	append(&question, offer, strlen(offer) + 1);
	append(&question, path, strlen(path) + 1);
	fd = worker_ask(context, question.at, question.count);
	vec_free(&question);
	return fd;
}

static NORETURN void answer_error(const struct service_job *job, const struct error *err)
{
	byte_list answer = { .at = NULL };

	vec_push(&answer, HELPER_ANSWER_ERROR);
	append(&answer, err->text, strlen(err->text));
	worker_answer(job, answer.at, answer.count);
}

static NORETURN void answer_table(const struct service_job *job, struct dwarf_reader *reader,
				  const struct dwarf_request *request)
{
	const struct dwarf_opener opener = { ask_for, (void *)(uintptr_t)job };
	struct inline_table table;
	byte_list answer = { .at = NULL };
	byte_list split_files = { .at = NULL };
	uint64_t drawn_steps;
	uint32_t size_bytes;

	inline_table_init(&table);
	drawn_steps = dwarf_reader_answer(reader, request, &opener, &table, &split_files);
	size_bytes = (uint32_t)split_files.count;
	vec_push(&answer, HELPER_ANSWER_TABLE);
	append(&answer, &drawn_steps, sizeof(drawn_steps));
	append(&answer, &size_bytes, sizeof(size_bytes));
	append(&answer, split_files.at, split_files.count);
	inline_table_write(&table, &answer);
	worker_answer(job, answer.at, answer.count);
}

/* Waiting for the request has no time limit. */
void helper_process_run(const struct service_job *job)
{
	struct dwarf_files files;
	struct dwarf_request request;
	struct dwarf_reader *reader;
	struct error err = { .text = "" };

	if (!sort_files(job, &files))
		return;
	alarm(LIMIT_DWARF_WALL_SECONDS);
	reader = dwarf_reader_open(&files, &err);
	alarm(0);
	if (!receive_request(job, &request))
		return;
	alarm(LIMIT_DWARF_WALL_SECONDS);
	if (!reader)
		answer_error(job, &err);
	answer_table(job, reader, &request);
}

#endif
