/* SPDX-License-Identifier: MIT */
/* The server behind dwarf/helper.h: its protocol, and how it fails. */
#include "dwarf/helper_process.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbolise/symbolise.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/inline_request.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#ifdef HAVE_LIBDW

/* main() with next() inlined into it at 0x1010. */
static unsigned char *make_inlined(size_t *size_ret)
{
	struct dwarf_writer writer;
	uint32_t next;

	dwarf_writer_init(&writer);
	next = dwarf_writer_abstract(&writer, "next", NULL);
	dwarf_writer_function(&writer, "main", 0x1000, 0x1100);
	dwarf_writer_inlined(&writer, next, 0x1010, 0x1080, 7);
	dwarf_writer_end(&writer);
	dwarf_writer_end(&writer);
	return dwarf_writer_finish(&writer, size_ret);
}

/* Starts a server to which the test sends bytes that kiln would not send. */
static pid_t start_server(int *socket_ret)
{
	int pair[2];
	pid_t pid;

	cr_assert(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	pid = fork();
	if (pid == 0)
		worker_serve(pair[1], symbolise_service_kinds, NULL);
	cr_assert(pid > 0);
	close(pair[1]);
	*socket_ret = pair[0];
	return pid;
}

static void expect_exit(pid_t server)
{
	int status = -1;

	cr_assert(waitpid(server, &status, 0) == server);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
}

/*
 * A message shorter than a job ends the server. A longer message is truncated to a job without
 * descriptors.
 */
Test(helper_process, messages_of_a_wrong_size, .timeout = 60)
{
	static const char bytes[sizeof(struct service_message) + 1];
	static const size_t sizes[] = { 1, sizeof(bytes) };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		int socket;
		pid_t server = start_server(&socket);

		cr_assert(send(socket, bytes, sizes[i], MSG_NOSIGNAL) == (ssize_t)sizes[i]);
		/* The server drops the truncated job, and exits when its socket is closed. */
		if (sizes[i] > sizeof(struct service_message))
			close(socket);
		expect_exit(server);
		if (sizes[i] < sizeof(struct service_message))
			close(socket);
	}
}

/* A job with fewer descriptors than it announces is dropped: its answer socket is closed. */
Test(helper_process, jobs_without_descriptors, .timeout = 60)
{
	struct service helper;
	struct helper_job head = { .archive_count = 1 };
	uint64_t address = 0x1020;
	struct inline_table table;
	size_t size_bytes;
	unsigned char *file = make_inlined(&size_bytes);

	service_start(&helper, symbolise_service_kinds, NULL);
	for (int i = 0; i < 3; i++, head.archive_count = UINT8_MAX) {
		struct service_message job = { .head_bytes = sizeof(head) };

		memcpy(job.head, &head, sizeof(head));
		cr_assert(send(helper.socket, &job, sizeof(job), MSG_NOSIGNAL) == sizeof(job));
	}
	cr_expect(inline_request_addresses(&helper, file, size_bytes, &address, 1, &table));
	cr_expect_str_eq(inline_names_at(&table, address), "next<main");
	inline_table_deinit(&table);
	service_stop(&helper);
	memory_free(file);
	assert_no_leaks();
}

/* A truncated request is answered with the trailer only, and the reader exits. */
Test(helper_process, truncated_requests, .timeout = 60)
{
	static const struct helper_request_header header = { .address_count = 2,
							     .places_bytes = 5 };
	static const size_t sizes[] = { 0, sizeof(header) - 1, sizeof(header), sizeof(header) + 9,
					sizeof(header) + 20 };
	unsigned char request[sizeof(header) + 20] = { 0 };
	struct dwarf_files files = { .shared_fd = -1 };
	struct service helper;
	struct memory_file memory;
	size_t size_bytes;
	unsigned char *file = make_inlined(&size_bytes);

	memcpy(request, &header, sizeof(header));
	memory_file_open(&memory, file, size_bytes);
	files.fd = memory.fd;
	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct dwarf_reading reading;
		struct service_trailer trailer = { .status = -1 };
		char more;
		struct error err;

		cr_assert(dwarf_helper_begin(&helper, &files, &reading, &err), "%s", err.text);
		cr_assert(send(reading.call.socket, request, sizes[i], MSG_NOSIGNAL) ==
			  (ssize_t)sizes[i]);
		shutdown(reading.call.socket, SHUT_WR);
		cr_expect(recv(reading.call.socket, &trailer, sizeof(trailer), MSG_WAITALL) ==
				  sizeof(trailer),
			  "%zu bytes", sizes[i]);
		cr_expect_eq(trailer.status, 0, "%zu bytes", sizes[i]);
		cr_expect(recv(reading.call.socket, &more, 1, 0) <= 0, "%zu bytes", sizes[i]);
		dwarf_reading_cancel(&reading);
	}
	service_stop(&helper);
	memory_file_close(&memory);
	memory_free(file);
	assert_no_leaks();
}

/* Readers answer in any order. A cancelled reader gets no request. */
Test(helper_process, readers_that_wait)
{
	static const uint64_t address = 0x1020;
	static const size_t order[] = { 2, 0 };
	struct dwarf_request request = { .addresses = &address,
					 .address_count = 1,
					 .places = { "", 0 } };
	struct dwarf_reading readings[3];
	struct service helper;
	struct memory_file memory;
	struct error err;
	size_t size_bytes;
	unsigned char *file = make_inlined(&size_bytes);

	service_start(&helper, symbolise_service_kinds, NULL);
	memory_file_open(&memory, file, size_bytes);
	for (size_t i = 0; i < ARRAY_SIZE(readings); i++) {
		struct dwarf_files files = { .fd = memory.fd, .shared_fd = -1 };

		cr_assert(dwarf_helper_begin(&helper, &files, &readings[i], &err));
	}
	/* The readers already have the file open. */
	memory_file_close(&memory);
	dwarf_reading_cancel(&readings[1]);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		struct dwarf_reading *reading = &readings[order[i]];
		struct inline_table table;

		inline_table_init(&table);
		dwarf_reading_send(reading, &request);
		cr_expect(dwarf_reading_receive(reading, NULL, &table, NULL, &err), "%s", err.text);
		cr_expect_str_eq(inline_names_at(&table, address), "next<main");
		inline_table_deinit(&table);
	}
	service_stop(&helper);
	memory_free(file);
	assert_no_leaks();
}

Test(helper_process, files_that_are_not_elf)
{
	uint64_t address = 0x1000;
	struct service helper;
	struct inline_table table;

	service_start(&helper, symbolise_service_kinds, NULL);
	cr_expect(!inline_request_addresses(&helper, "", 0, &address, 1, &table));
	inline_table_deinit(&table);
	cr_expect(
		!inline_request_addresses(&helper, "\177ELF and no more", 16, &address, 1, &table));
	inline_table_deinit(&table);
	service_stop(&helper);
	assert_no_leaks();
}

/* The error of a file arrives even if the request is larger than the socket's buffer. */
Test(helper_process, long_request)
{
	static const uint64_t addresses[100000];
	struct dwarf_request request = { .addresses = addresses, .places = { "", 0 } };
	struct dwarf_files files = { .shared_fd = -1 };
	struct dwarf_reading reading;
	struct service helper;
	struct inline_table table;
	struct memory_file memory;
	struct error err;

	memory_file_open(&memory, "", 0);
	files.fd = memory.fd;
	service_start(&helper, symbolise_service_kinds, NULL);
	request.address_count = ARRAY_SIZE(addresses);
	inline_table_init(&table);
	cr_assert(dwarf_helper_begin(&helper, &files, &reading, &err));
	dwarf_reading_send(&reading, &request);
	cr_expect(!dwarf_reading_receive(&reading, NULL, &table, NULL, &err));
	cr_expect_eq(err.code, ERROR_CORRUPT, "%s", err.text);
	inline_table_deinit(&table);
	memory_file_close(&memory);
	service_stop(&helper);
	assert_no_leaks();
}

static void limit_descriptors(const struct service *helper, rlim_t count)
{
	struct rlimit limit;

	cr_assert(prlimit(helper->pid, RLIMIT_NOFILE, NULL, &limit) == 0);
	limit.rlim_cur = count < limit.rlim_max ? count : limit.rlim_max;
	cr_assert(prlimit(helper->pid, RLIMIT_NOFILE, &limit, NULL) == 0);
}

/* A job whose descriptors the server cannot receive fails; later jobs do not. */
Test(helper_process, too_few_descriptors)
{
	static const struct {
		rlim_t descriptors;
		bool is_read;
	} rows[] = {
		{ 1024, true },
		/* The server itself has four descriptors: the standard three and its socket. */
		{ 4, false },
		{ 5, false },
		{ 1024, true },
	};
	uint64_t address = 0x1020;
	struct service helper;
	size_t size_bytes;
	unsigned char *file = make_inlined(&size_bytes);

	service_start(&helper, symbolise_service_kinds, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct inline_table table;

		limit_descriptors(&helper, rows[i].descriptors);
		cr_expect_eq(
			inline_request_addresses(&helper, file, size_bytes, &address, 1, &table),
			rows[i].is_read, "%zu", i);
		inline_table_deinit(&table);
	}
	service_stop(&helper);
	memory_free(file);
	assert_no_leaks();
}

/* The way in which a reader ended decides which error is reported. */
Test(helper_process, ends_of_a_reader)
{
	static const struct {
		int32_t status;
		enum error_code code;
		const char *text;
	} rows[] = {
		{ SIGXCPU, ERROR_LIMIT,
		  "reading its debug information needs more CPU time than the limit of 30 s" },
		{ SIGALRM, ERROR_LIMIT, "reading its debug information took too long" },
		{ SIGKILL, ERROR_IO,
		  "reading its debug information: the process was killed by another program or the kernel (Killed)" },
		{ SIGTERM, ERROR_IO,
		  "reading its debug information: the process was killed by another program or the kernel "
		  "(Terminated)" },
		{ SIGSEGV, ERROR_CORRUPT,
		  "reading its debug information crashed (Segmentation fault)" },
		{ 1 << 8, ERROR_LIMIT, "reading its debug information needs too much memory" },
		{ WORKER_UNLOCKED << 8, ERROR_IO,
		  "reading its debug information: the kernel refused to sandbox the process" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct service_trailer trailer = { .status = rows[i].status };
		struct dwarf_request question = { .places = { "", 0 } };
		struct dwarf_reading reading;
		struct inline_table table;
		struct error err;
		int pair[2];

		cr_assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
		reading.call = (struct service_call){ .kind = symbolise_service_kinds[0],
						      .socket = pair[0] };
		inline_table_init(&table);
		dwarf_reading_send(&reading, &question);
		cr_assert(send(pair[1], &trailer, sizeof(trailer), MSG_NOSIGNAL) ==
			  sizeof(trailer));
		close(pair[1]);
		cr_expect(!dwarf_reading_receive(&reading, NULL, &table, NULL, &err), "row %zu", i);
		cr_expect_str_eq(err.text, rows[i].text);
		cr_expect_eq(err.code, rows[i].code, "row %zu", i);
		inline_table_deinit(&table);
	}
}

/* Answers of a worker that an attacker controls. */
Test(helper_process, hostile_answers)
{
#define CORRUPT "the process that reads debug information returned corrupt data"
	static const struct {
		const char *bytes;
		size_t size_bytes;
		const char *text;
	} rows[] = {
		{ "\1cannot read it", 15, "cannot read it" },
		{ "", 0, CORRUPT },
		{ "\1", 1, CORRUPT },
		{ "\2cannot read it", 15, CORRUPT },
		{ "\0\xff\xff\xff\xff", 5, CORRUPT },
		{ NULL, 4096, CORRUPT },
	};
	static const char long_text[4096] = "\1";

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct service_header header = { .frame = SERVICE_ANSWER,
						 .size_bytes = rows[i].size_bytes };
		struct service_trailer trailer = { .status = 0 };
		struct dwarf_reading reading;
		struct inline_table table;
		struct error err = { .text = "" };
		int pair[2];

		cr_assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
		reading.call = (struct service_call){ .kind = symbolise_service_kinds[0],
						      .socket = pair[0] };
		service_set_deadline(&reading.call, 60);
		cr_assert(send(pair[1], &header, sizeof(header), 0) == sizeof(header));
		cr_assert(send(pair[1], rows[i].bytes ? rows[i].bytes : long_text,
			       rows[i].size_bytes, 0) == (ssize_t)rows[i].size_bytes);
		cr_assert(send(pair[1], &trailer, sizeof(trailer), 0) == sizeof(trailer));
		close(pair[1]);
		inline_table_init(&table);
		cr_expect(!dwarf_reading_receive(&reading, NULL, &table, NULL, &err), "row %zu", i);
		cr_expect_str_eq(err.text, rows[i].text, "row %zu", i);
		inline_table_deinit(&table);
	}
}

/* A job for a dead server fails, and the server is reaped. */
Test(helper_process, helper_that_died)
{
	uint64_t address = 0x1000;
	struct service helper;
	struct inline_table table;
	size_t size_bytes;
	unsigned char *file = make_inlined(&size_bytes);

	service_start(&helper, symbolise_service_kinds, NULL);
	cr_assert(helper.socket >= 0);
	kill(helper.pid, SIGKILL);
	cr_expect(!inline_request_addresses(&helper, file, size_bytes, &address, 1, &table));
	inline_table_deinit(&table);
	service_stop(&helper);
	cr_expect(waitpid(-1, NULL, WNOHANG) < 0);
	memory_free(file);
}

#endif
