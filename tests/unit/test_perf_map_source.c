/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <unistd.h>

#include "base/attributes.h"
#include "libparse/perf/abi.h"
#include "object/host_process.h"
#include "render/text/folded.h"
#include "session/session.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"
#include "tests/support/scratch.h"

#define CODE   0x7000
#define INSIDE 0xf0000152u
#define HOST   0xeffffffcu

static void put_process(struct perf_writer *writer, uint32_t pid, uint64_t pid_namespace)
{
	if (pid_namespace)
		perf_writer_namespaces(writer, 1, pid, pid_namespace);
	perf_writer_comm(writer, 2, pid, pid, "jit", 0);
	perf_writer_mmap(writer, 3,
			 &(struct writer_mmap){ .pid = pid,
						.tid = pid,
						.address = CODE,
						.length = 0x1000,
						.path = "//anon" });
	perf_writer_sample(writer, &(struct writer_sample){ .misc = CPU_MODE_USER,
							    .ip = CODE + 1,
							    .pid = pid,
							    .tid = pid,
							    .time_ns = 10 });
}

static const struct {
	uint64_t namespaces[2]; /* of process 4242 and 5000; 0: no process 5000 */
	const char *dump;       /* that process 4242 mapped; NULL: none */
	const char *map;        /* the only map file */
	bool is_explicit;       /* the user names the file, not its directory */
	const char *folded, *reason;
	bool has_perf; /* perf itself is on the machine, without a sample */
} rows[] = {
	/* Pid namespaces are unknown, or equal */
	{ { 0, 0 }, NULL, "perf-4242.map", false, "jit;f 1\n", "matched by PID", false },
	{ { 0, 0 },
	  NULL,
	  "perf-7.map",
	  false,
	  "jit;[perf-4242.map] 1\n",
	  "no perf-4242.map was found",
	  false },
	{ { 0, 0 },
	  NULL,
	  "perf-7.map",
	  true,
	  "jit;[perf-4242.map] 1\n",
	  "no perf-4242.map was found; the process has too few sampled addresses",
	  false },
	{ { HOST, 0 }, NULL, "perf-4242.map", false, "jit;f 1\n", "matched by PID", false },
	{ { HOST, INSIDE },
	  NULL,
	  "perf-4242.map",
	  false,
	  "jit;[perf-5000.map] 1\njit;f 1\n",
	  "matched by PID",
	  false },
	{ { INSIDE, INSIDE },
	  NULL,
	  "perf-4242.map",
	  false,
	  "jit;[perf-5000.map] 1\njit;f 1\n",
	  "matched by PID",
	  false },
	/* In a container, the file called 4242 belongs to another process */
	{ { INSIDE, HOST },
	  NULL,
	  "perf-4242.map",
	  false,
	  "jit;[perf-4242.map] 1\njit;[perf-5000.map] 1\n",
	  "process 4242 is in a container",
	  false },
	{ { INSIDE, HOST },
	  NULL,
	  "perf-4242.map",
	  true,
	  "jit;[perf-4242.map] 1\njit;[perf-5000.map] 1\n",
	  "process 4242 is in a container",
	  false },
	{ { INSIDE, HOST },
	  NULL,
	  "perf-7.map",
	  false,
	  "jit;[perf-4242.map] 1\njit;[perf-5000.map] 1\n",
	  "process 4242 is in a container",
	  false },
	/* The only process, and the only file, which the user named */
	{ { INSIDE, 0 }, NULL, "perf-7.map", true, "jit;f 1\n", "given by --symbols", true },
	{ { INSIDE, 0 },
	  NULL,
	  "perf-7.map",
	  false,
	  "jit;[perf-4242.map] 1\n",
	  "process 4242 is in a container",
	  true },
	/* Its jitdump is named after its pid in the container */
	{ { INSIDE, HOST },
	  "/tmp/jit-7.dump",
	  "perf-7.map",
	  false,
	  "jit;[perf-5000.map] 1\njit;f 1\n",
	  "matched by the PID in its container",
	  false },
	{ { 0, 0 },
	  "/tmp/jit-7.dump",
	  "perf-7.map",
	  false,
	  "jit;f 1\n",
	  "matched by the PID in its container",
	  false },
	{ { 0, 0 },
	  "/tmp/jit-7.dump",
	  "perf-4242.map",
	  false,
	  "jit;[perf-4242.map] 1\n",
	  "no jit-7.dump was found, and no perf-7.map",
	  false },
};

/*
 * The folded stacks of a capture, and part of the reason that is given for process pid's JIT code.
 */
struct expected {
	size_t row; /* of the table, for messages */
	uint32_t pid;
	const char *folded, *reason;
};

static void expect_capture(const struct perf_writer *writer, const struct session_options *options,
			   const struct expected *expected)
{
	struct memory_file file;
	struct session session;
	struct sink sink;
	struct error err;

	memory_file_open(&file, writer->file.at, writer->file.count);
	cr_assert(session_open(&session, file.path, options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	sink_init_memory(&sink);
	folded_write(&session.profile, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected->folded, "row %zu: %s", expected->row, sink.buffer);
	sink.used = 0;
	for (size_t i = 0; i < session.profile.modules->rows.count; i++) {
		const struct module *module = &session.profile.modules->rows.at[i];

		if (module->kind == MODULE_ANONYMOUS && module->pid == expected->pid)
			sink_text(&sink, strings_get(session.profile.strings, module->reason));
	}
	sink_char(&sink, '\0');
	cr_expect(strstr(sink.buffer, expected->reason), "row %zu: %s", expected->row, sink.buffer);
	sink_deinit(&sink);
	session_close(&session);
	memory_file_close(&file);
}

static void expect_row(size_t row, struct scratch *scratch)
{
	static const char map[] = "7000 10 f\n";
	static const struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	const char *path;
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.symbol_paths = &path,
		.symbol_path_count = 1,
	};
	struct perf_writer writer;
	uint64_t id = 40;

	scratch_write(scratch, rows[row].map, map, sizeof(map) - 1);
	path = rows[row].is_explicit ? scratch_path(scratch, rows[row].map) : scratch->path;
	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "cpu-clock", &attr, &id, 1);
	if (rows[row].dump)
		perf_writer_mmap(&writer, 2,
				 &(struct writer_mmap){ .pid = 4242,
							.address = 0x1000,
							.length = 0x1000,
							.path = rows[row].dump });
	if (rows[row].has_perf)
		perf_writer_namespaces(&writer, 1, 99, HOST);
	put_process(&writer, 4242, rows[row].namespaces[0]);
	if (rows[row].namespaces[1])
		put_process(&writer, 5000, rows[row].namespaces[1]);
	perf_writer_finish(&writer);
	expect_capture(&writer, &options,
		       &(struct expected){ row, 4242, rows[row].folded, rows[row].reason });
	perf_writer_deinit(&writer);
}

Test(perf_map_source, whose_map_it_is)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct scratch scratch;

		scratch_open(&scratch);
		expect_row(i, &scratch);
		scratch_close(&scratch);
	}
	assert_no_leaks();
}

Test(perf_map_source, processes_of_this_machine)
{
	struct host_process process;

	if (access("/proc/self/stat", R_OK) != 0)
		cr_skip_test("there is no /proc");
	cr_assert(host_process_find((uint32_t)getpid(), 0, &process));
	cr_expect_eq(process.own_pid, (uint32_t)getpid());
	cr_expect_eq(process.owner, geteuid());
	/* No process starts before the machine, and no pid is this large. */
	cr_expect_not(host_process_find((uint32_t)getpid(), 1, &process));
	cr_expect_not(host_process_find(0, 0, &process));
	cr_expect_not(host_process_find(UINT32_MAX, 0, &process));
}

/* Processes of two containers, told apart by sampled addresses; each has a page of code. */
struct contained_process {
	uint32_t pid;
	uint64_t pid_namespace, code;
	unsigned address_count;
};

static void put_contained(struct perf_writer *writer, const struct contained_process *process)
{
	perf_writer_namespaces(writer, 1, process->pid, process->pid_namespace);
	perf_writer_comm(writer, 2, process->pid, process->pid, "jit", 0);
	perf_writer_mmap(writer, 3,
			 &(struct writer_mmap){ .pid = process->pid,
						.tid = process->pid,
						.address = process->code,
						.length = 0x1000,
						.path = "//anon" });
	for (unsigned i = 0; i < process->address_count; i++)
		perf_writer_sample(writer, &(struct writer_sample){ .misc = CPU_MODE_USER,
								    .ip = process->code + i,
								    .pid = process->pid,
								    .tid = process->pid,
								    .time_ns = 10 });
}

#define FIRST  0x700000
#define SECOND 0x900000

static const struct {
	struct contained_process processes[3];
	const char *files[6]; /* pairs of name and content */
	const char *symbols[3];
	const char *folded;
	const char *reason; /* of the first process */
} owners[] = {
	/* Both call themselves 1 */
	{ { { 100, INSIDE, FIRST, 10 }, { 200, INSIDE + 1, SECOND, 10 }, { 1, HOST, 0x1000, 1 } },
	  { "a/tmp/perf-1.map", "700000 10 f\n", "b/tmp/perf-1.map", "900000 10 g\n" },
	  { "container=a", "container=b" },
	  "jit;[perf-1.map] 1\njit;f 10\njit;g 10\n",
	  "matched by addresses: 10 of 10 sampled addresses" },
	/* One of the two maps is missing; the other process gets its names nevertheless */
	{ { { 100, INSIDE, FIRST, 10 }, { 200, INSIDE + 1, SECOND, 10 }, { 9, HOST, 0x1000, 1 } },
	  { "a/tmp/perf-1.map", "900000 10 g\n" },
	  { "container=a" },
	  "jit;[perf-100.map] 10\njit;[perf-9.map] 1\njit;g 10\n",
	  "no given map contains the sampled addresses (" },
	/* The user says that the processes are in containers; the records do not show it */
	{ { { 100, 0, FIRST, 10 }, { 200, 0, SECOND, 10 } },
	  { "a/tmp/perf-1.map", "700000 10 f\n", "b/tmp/perf-1.map", "900000 10 g\n" },
	  { "container=a", "container=b" },
	  "jit;f 10\njit;g 10\n",
	  "matched by addresses" },
	/* A directory that is not given as a container's does not affect other pids */
	{ { { 100, 0, FIRST, 10 }, { 200, 0, SECOND, 10 } },
	  { "a/tmp/perf-1.map", "700000 10 f\n" },
	  { "a" },
	  "jit;[perf-100.map] 10\njit;[perf-200.map] 10\n",
	  "no perf-100.map was found" },
	/* In the container, the captured pid belongs to another process */
	{ { { 100, 0, FIRST, 10 } },
	  { "a/tmp/perf-100.map", "900000 10 g\n" },
	  { "container=a" },
	  "jit;[perf-100.map] 10\n",
	  "no given map contains the sampled addresses" },
	/* Addresses that two processes have in common prove nothing */
	{ { { 100, INSIDE, FIRST, 10 }, { 200, INSIDE + 1, FIRST, 10 }, { 9, HOST, 0x1000, 1 } },
	  { "a/tmp/perf-1.map", "700000 10 f\n" },
	  { "container=a" },
	  "jit;[perf-100.map] 10\njit;[perf-200.map] 10\njit;[perf-9.map] 1\n",
	  "also contains the addresses of process 200; select the right map with --symbols 100=FILE" },
	{ { { 100, INSIDE, FIRST, 10 }, { 9, HOST, 0x1000, 1 } },
	  { "a/tmp/perf-1.map", "700000 10 f\n", "b/tmp/perf-1.map", "700000 9 g\n" },
	  { "container=a", "container=b" },
	  "jit;[perf-100.map] 10\njit;[perf-9.map] 1\n",
	  "differ, and both contain the sampled addresses; select one with --symbols 100=FILE" },
	/* The same map twice is one */
	{ { { 100, INSIDE, FIRST, 10 }, { 9, HOST, 0x1000, 1 } },
	  { "a/tmp/perf-1.map", "700000 10 f\n", "b/tmp/perf-1.map", "700000 10 f\n" },
	  { "container=a", "container=b" },
	  "jit;[perf-9.map] 1\njit;f 10\n",
	  "matched by addresses" },
	/* A map with only most of the addresses is not enough */
	{ { { 100, INSIDE, FIRST, 10 }, { 9, HOST, 0x1000, 1 } },
	  { "a/tmp/perf-1.map", "700000 8 f\n" },
	  { "container=a" },
	  "jit;[perf-100.map] 10\njit;[perf-9.map] 1\n",
	  "no given map contains the sampled addresses" },
	/* A map named by the pid of a process is not used for another process */
	{ { { 100, INSIDE, FIRST, 10 }, { 9, HOST, FIRST, 5 } },
	  { "a/perf-9.map", "700000 10 f\n" },
	  { "a" },
	  "jit;[perf-100.map] 10\njit;f 5\n",
	  "process 100 is in a container" },
	/* A map given for one process: the same addresses of another process do not count */
	{ { { 100, INSIDE, FIRST, 10 }, { 200, INSIDE + 1, FIRST, 10 }, { 9, HOST, 0x1000, 1 } },
	  { "a/perf-1.map", "700000 10 f\n" },
	  { "100=a/perf-1.map" },
	  "jit;[perf-200.map] 10\njit;[perf-9.map] 1\njit;f 10\n",
	  "given by --symbols for this process" },
	{ { { 100, INSIDE, FIRST, 10 }, { 200, INSIDE + 1, FIRST, 10 }, { 9, HOST, 0x1000, 1 } },
	  { "a/tmp/perf-1.map", "700000 10 f\n", "b/tmp/perf-1.map", "700000 10 g\n" },
	  { "100=a", "200=b" },
	  "jit;[perf-9.map] 1\njit;f 10\njit;g 10\n",
	  "matched by addresses" },
	/* A map given for a process takes precedence over one that is named after its pid */
	{ { { 100, 0, FIRST, 1 } },
	  { "a/perf-100.map", "700000 10 f\n", "given", "700000 10 g\n" },
	  { "a", "100=given" },
	  "jit;g 1\n",
	  "given by --symbols for this process" },
};

static void write_capture(struct perf_writer *writer, size_t row)
{
	static const struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	uint64_t id = 40;

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "cpu-clock", &attr, &id, 1);
	for (size_t i = 0; i < 3; i++)
		if (owners[row].processes[i].pid)
			put_contained(writer, &owners[row].processes[i]);
	perf_writer_finish(writer);
}

/* Makes PID=PATH or container=PATH from names in the scratch directory. */
static size_t place_symbols(size_t row, const struct scratch *scratch, char texts[3][512],
			    const char *paths[3])
{
	size_t count = 0;

	for (size_t i = 0; i < 3 && owners[row].symbols[i]; i++) {
		const char *given = owners[row].symbols[i];
		const char *name = strchr(given, '=') ? strchr(given, '=') + 1 : given;

		snprintf(texts[i], 512, "%.*s%s", (int)(name - given), given,
			 scratch_path(scratch, name));
		paths[count++] = texts[i];
	}
	return count;
}

static void expect_owner(size_t row, const struct scratch *scratch)
{
	char texts[3][512];
	const char *paths[3];
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = true,
		.symbol_paths = paths,
		.symbol_path_count = place_symbols(row, scratch, texts, paths),
	};
	struct perf_writer writer;

	for (size_t i = 0; i < 6 && owners[row].files[i]; i += 2)
		scratch_write(scratch, owners[row].files[i], owners[row].files[i + 1],
			      strlen(owners[row].files[i + 1]));
	write_capture(&writer, row);
	expect_capture(&writer, &options,
		       &(struct expected){ row, 100, owners[row].folded, owners[row].reason });
	perf_writer_deinit(&writer);
}

Test(perf_map_source, maps_of_containers)
{
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
		struct scratch scratch;

		scratch_open(&scratch);
		expect_owner(i, &scratch);
		scratch_close(&scratch);
	}
	assert_no_leaks();
}
