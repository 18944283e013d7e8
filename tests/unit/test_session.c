/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <criterion/criterion.h>
#include <sys/utsname.h>

#include "libparse/perf/abi.h"
#include "object/host_kernel.h"
#include "render/text/folded.h"
#include "render/text/info.h"
#include "render/report/report.h"
#include "session/visit.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"
#include "tests/support/random.h"

#define KSYMBOL_BASE ((uint64_t)0xffffffffc0000000)

static const struct perf_attr sample_attr = {
	.type = TYPE_SOFTWARE,
	.config = SOFTWARE_CPU_CLOCK,
	.sample_type =
		SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_PERIOD | SAMPLE_CALLCHAIN,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
};

static void begin_capture(struct perf_writer *writer)
{
	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	for (uint64_t i = 0; i < 2; i++) {
		struct perf_attr attr = sample_attr;
		uint64_t id = 40 + i;

		attr.config = i ? SOFTWARE_TASK_CLOCK : SOFTWARE_CPU_CLOCK;
		perf_writer_event(writer, i ? "task-clock" : "cpu-clock", &attr, &id, 1);
	}
}

static void put_map(struct perf_writer *writer, uint64_t time_ns, uint32_t pid, uint64_t address,
		    const char *path)
{
	perf_writer_mmap(writer, time_ns,
			 &(struct writer_mmap){ .pid = pid,
						.tid = pid,
						.address = address,
						.length = 0x1000,
						.path = path });
}

static void put_sample(struct perf_writer *writer, uint32_t event, uint64_t time_ns, uint32_t pid,
		       uint64_t period, const uint64_t *ips, size_t ip_count)
{
	perf_writer_sample(writer, &(struct writer_sample){ .event = event,
							    .misc = CPU_MODE_USER,
							    .ip = ip_count > 1 ? ips[1] : 0x7777,
							    .pid = pid,
							    .tid = pid,
							    .time_ns = time_ns,
							    .period = period,
							    .ips = ips,
							    .ip_count = ip_count });
}

static void open_session(struct session *session, const struct memory_file *file,
			 const struct session_options *options)
{
	struct error err;

	cr_assert(session_open(session, file->path, options, &err), "%s", err.text);
}

/* The colour class of each row of an SVG. */
static void write_kinds(const struct profile *profile, struct sink *sink)
{
	for (size_t i = 1; i < profile->stacks.count; i++) {
		const struct frame *frame = &profile->frames.at[profile->stacks.at[i].frame.i];

		sink_printf(sink, "%d %d %u\n", frame->kind, frame->is_named, frame->module.i);
	}
}

/* Opens the capture, builds its profile, and writes it in all forms. */
static void write_profile(const struct memory_file *file, const struct session_options *options,
			  struct sink *folded, struct sink *rest)
{
	static const struct grouping columns[] = {
		{ .by = { GROUP_SYMBOL }, .count = 1 },
		{ .by = { GROUP_DSO }, .count = 1 },
		{ .by = { GROUP_COMM }, .count = 1 },
		{ .by = { GROUP_SYMBOL, GROUP_COMM, GROUP_DSO }, .count = 3 },
	};
	struct session session;
	struct error err;

	open_session(&session, file, options);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	folded_write(&session.profile, folded);
	for (size_t i = 0; rest && i < ARRAY_SIZE(columns); i++)
		report_write(&session.profile, &(struct report_options){ .columns = &columns[i] },
			     rest);
	if (rest) {
		info_write_json(&session.profile, NULL, rest);
		write_kinds(&session.profile, rest);
	}
	session_close(&session);
}

/*
 * Puts a random change: processes fork, exec, map and exit. Kernel frames have names of their own,
 * others those of files.
 */
static void put_state(struct perf_writer *writer, struct random *random, uint64_t time_ns)
{
	static const char *const paths[] = { "/lib/a.so", "/lib/b.so", "/usr/lib/a.so", "/bin/app",
					     "/bin/bash", "//anon",    "[vdso]" };
	uint32_t pid = 100 + random_below(random, 20);
	char name[24];

	switch (random_below(random, 8)) {
	case 0:
		perf_writer_fork(writer, time_ns, pid, 100, pid, 100, 0);
		break;
	case 1:
		snprintf(name, sizeof(name), "comm%u", random_below(random, 9));
		perf_writer_comm(writer, time_ns, pid, pid, name,
				 random_below(random, 2) ? MISC_COMM_EXEC : 0);
		break;
	case 2:
		/* Some kernel symbols have names like frames of processes. */
		snprintf(name, sizeof(name), random_below(random, 2) ? "[%c.so]" : "bpf_%c",
			 'a' + random_below(random, 4));
		perf_writer_ksymbol(writer, time_ns,
				    KSYMBOL_BASE + 0x100ull * random_below(random, 16), 0x100,
				    random_below(random, 4) ? 0 : KSYMBOL_FLAG_UNREGISTER, name);
		break;
	default:
		put_map(writer, time_ns, pid, 0x1000 * (1 + random_below(random, 12)),
			paths[random_below(random, ARRAY_SIZE(paths))]);
	}
}

static void put_random_sample(struct perf_writer *writer, struct random *random, uint64_t time_ns)
{
	uint64_t ips[12];
	size_t count = 0;

	if (random_below(random, 2)) {
		ips[count++] = CALLCHAIN_KERNEL;
		ips[count++] = KSYMBOL_BASE + random_below(random, 0x1000);
	}
	ips[count++] = CALLCHAIN_USER;
	for (uint32_t depth = random_below(random, 9); depth > 0; depth--)
		ips[count++] = 0x1000 * (1 + random_below(random, 12)) + random_below(random, 4);
	put_sample(writer, random_below(random, 4) == 0, time_ns, 100 + random_below(random, 22),
		   random_below(random, 1000), ips, count);
}

/*
 * Makes a capture of several slices, so that several threads have work. It is roughly in order of
 * time.
 */
static void make_large_capture(struct perf_writer *writer)
{
	struct random random = { 8675309 };
	uint64_t time_ns = 1000;

	begin_capture(writer);
	while (writer->data.count < ((size_t)9 << 20)) {
		uint64_t shuffled_ns = time_ns - random_below(&random, 500);

		if (random_below(&random, 300) == 0)
			put_state(writer, &random, shuffled_ns);
		else
			put_random_sample(writer, &random, shuffled_ns);
		time_ns += random_below(&random, 20);
	}
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

static const struct view by_samples = { .grouping = GROUPING_BY_COMM,
					.weighing.kind = WEIGHING_SAMPLES };
static const struct view of_task_clock = { .grouping = GROUPING_BY_COMM,
					   .event_pattern = "task-clock" };

Test(session, threads_cannot_be_seen_in_the_result)
{
	static const unsigned thread_counts[] = { 1, 2, 3, 7 };
	struct perf_writer writer;
	struct memory_file file;
	struct sink folded[ARRAY_SIZE(thread_counts)];
	struct sink rest[ARRAY_SIZE(thread_counts)];

	make_large_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	for (int uses_perf_names = 0; uses_perf_names < 2; uses_perf_names++) {
		for (size_t i = 0; i < ARRAY_SIZE(thread_counts); i++) {
			const struct view view = {
				.grouping = GROUPING_BY_COMM,
				.naming.uses_perf_names = uses_perf_names,
			};
			struct session_options options = {
				.view = &view,
				.thread_count = thread_counts[i],
				.ignores_host = true,
			};

			sink_init_memory(&folded[i]);
			sink_init_memory(&rest[i]);
			write_profile(&file, &options, &folded[i], &rest[i]);
			cr_expect(text_equal(sink_memory(&folded[i]), sink_memory(&folded[0])),
				  "folded, %u threads, perf names %d", thread_counts[i],
				  uses_perf_names);
			cr_expect(text_equal(sink_memory(&rest[i]), sink_memory(&rest[0])),
				  "tables, %u threads, perf names %d", thread_counts[i],
				  uses_perf_names);
		}
		cr_expect_gt(folded[0].used, 100000);
		for (size_t i = 0; i < ARRAY_SIZE(thread_counts); i++) {
			sink_deinit(&folded[i]);
			sink_deinit(&rest[i]);
		}
	}
	memory_file_close(&file);
	perf_writer_deinit(&writer);
}

/* A process that execs, its child, and an unknown thread; written out of order. */
static void make_small_capture(struct perf_writer *writer)
{
	static const uint64_t leaf_in_lib[] = { CALLCHAIN_USER, 0x3010, 0x1020 };
	static const uint64_t in_kernel[] = { CALLCHAIN_KERNEL, KSYMBOL_BASE + 8, CALLCHAIN_USER,
					      0x1030 };

	begin_capture(writer);
	put_sample(writer, 0, 250, 7, 10, leaf_in_lib, 3);
	put_sample(writer, 0, 150, 7, 20, leaf_in_lib, 3);
	perf_writer_comm(writer, 100, 7, 7, "shell", 0);
	put_map(writer, 101, 7, 0x1000, "/bin/shell");
	put_map(writer, 101, 7, 0x3000, "/lib/old.so");
	perf_writer_ksymbol(writer, 110, KSYMBOL_BASE, 0x100, 0, "bpf_prog_f");
	perf_writer_fork(writer, 160, 8, 7, 8, 7, 0);
	perf_writer_comm(writer, 200, 7, 7, "app", MISC_COMM_EXEC);
	put_map(writer, 201, 7, 0x1000, "/bin/app");
	put_map(writer, 201, 7, 0x3000, "/lib/new.so");
	put_sample(writer, 0, 260, 8, 40, in_kernel, 4);
	put_sample(writer, 1, 270, 8, 5, in_kernel, 4);
	put_sample(writer, 0, 255, 9, 0, NULL, 0);
	put_sample(writer, 0, 250, 7, 1, leaf_in_lib, 2);
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

Test(session, from_records_to_stacks)
{
	static const struct {
		struct session_options options;
		const char *expected;
	} rows[] = {
		{ { .ignores_host = true },
		  ":9;[unknown] 1\n"
		  "app;[app];[new.so] 10\n"
		  "app;[new.so] 1\n"
		  "shell;[shell];[old.so] 20\n"
		  "shell;[shell];bpf_prog_f 40\n" },
		{ { .ignores_host = true, .view = &by_samples },
		  ":9;[unknown] 1\n"
		  "app;[app];[new.so] 1\n"
		  "app;[new.so] 1\n"
		  "shell;[shell];[old.so] 1\n"
		  "shell;[shell];bpf_prog_f 1\n" },
		{ { .ignores_host = true, .view = &of_task_clock },
		  "shell;[shell];bpf_prog_f 5\n" },
	};
	struct perf_writer writer;
	struct memory_file file;

	make_small_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink folded;

		sink_init_memory(&folded);
		write_profile(&file, &rows[i].options, &folded, NULL);
		sink_char(&folded, '\0');
		cr_expect_str_eq(folded.buffer, rows[i].expected, "row %zu:\n%s\nwanted:\n%s", i,
				 folded.buffer, rows[i].expected);
		sink_deinit(&folded);
	}
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

struct visits {
	struct sink lines;
	const struct session *session;
};

static void visit(void *context, const struct visited_sample *visited)
{
	struct visits *visits = context;
	const struct session *session = visits->session;

	sink_printf(&visits->lines, "%llu %.*s", (unsigned long long)visited->time_ns,
		    (int)visited->comm.length, visited->comm.at);
	for (size_t i = 0; i < visited->frame_count; i++) {
		const struct location *row = &session->locations.rows.at[visited->frames[i].i];
		const struct module *module = modules_get(session->profile.modules, row->module);

		sink_printf(&visits->lines, " %s+%llx",
			    strings_text(session->profile.strings, module->path),
			    (unsigned long long)(row->address & 0xffff));
	}
	sink_char(&visits->lines, '\n');
}

/* Samples are in order of time, those of equal times in file order; frames are innermost first. */
Test(session, samples_are_visited_in_order_of_time)
{
	static const char expected[] = "150 shell /lib/old.so+10 /bin/shell+20\n"
				       "250 app /lib/new.so+10 /bin/app+20\n"
				       "250 app /lib/new.so+10\n"
				       "255 :9\n"
				       "260 shell bpf_prog_f+8 /bin/shell+30\n"
				       "270 shell bpf_prog_f+8 /bin/shell+30\n";
	struct session_options options = { .thread_count = 2,
					   .ignores_host = true,
					   .shows_recorded = true };
	struct session session;
	struct visits visits = { .session = &session };
	struct perf_writer writer;
	struct memory_file file;
	struct error err;

	make_small_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.file.count);
	sink_init_memory(&visits.lines);
	open_session(&session, &file, &options);
	cr_assert(session_index_samples(&session, &err), "%s", err.text);
	cr_assert(session_visit_samples(&session, visit, &visits, &err), "%s", err.text);
	sink_char(&visits.lines, '\0');
	cr_expect_str_eq(visits.lines.buffer, expected, "%s\nwanted:\n%s", visits.lines.buffer,
			 expected);
	session_close(&session);
	sink_deinit(&visits.lines);
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/*
 * This machine's files are used only for captures of this machine, with its name, release and
 * kernel.
 */
Test(session, only_this_host_is_the_same)
{
	struct utsname host;
	struct build_id kernel, other;
	const struct {
		const char *what, *name, *release;
		const struct build_id *kernel; /* NULL: not in the capture */
		bool ignores_host, is_same;
	} rows[] = {
		{ "this very kernel", host.nodename, host.release, &kernel, false, true },
		{ "a kernel without a build-id", host.nodename, host.release, NULL, false, true },
		{ "another build", host.nodename, host.release, &other, false, false },
		{ "another name", "elsewhere", host.release, &kernel, false, false },
		{ "another release", host.nodename, "2.6.31", &kernel, false, false },
		{ "unwanted", host.nodename, host.release, &kernel, true, false },
	};

	if (uname(&host) != 0 || !host_kernel_build_id(&kernel))
		cr_skip_test("this system does not tell its kernel's build-id");
	other = kernel;
	other.bytes[0] ^= 1;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct session_options options = { .ignores_host = rows[i].ignores_host };
		struct perf_writer writer;
		struct memory_file file;
		struct session session;

		begin_capture(&writer);
		perf_writer_mmap(&writer, 0,
				 &(struct writer_mmap){ .pid = UINT32_MAX,
							.misc = CPU_MODE_KERNEL,
							.address = KSYMBOL_BASE,
							.length = 0x1000,
							.path = "[kernel.kallsyms]_text" });
		if (rows[i].kernel) {
			perf_writer_feature_begin(&writer, FEATURE_BUILD_ID);
			perf_writer_put_build_id(&writer, CPU_MODE_KERNEL, rows[i].kernel->bytes,
						 rows[i].kernel->size_bytes, "[kernel.kallsyms]");
			perf_writer_feature_end(&writer);
		}
		perf_writer_feature_string(&writer, FEATURE_HOSTNAME, rows[i].name);
		perf_writer_feature_string(&writer, FEATURE_OSRELEASE, rows[i].release);
		perf_writer_feature_event_desc(&writer);
		perf_writer_finish(&writer);
		memory_file_open(&file, writer.file.at, writer.file.count);
		open_session(&session, &file, &options);
		cr_expect_eq(session.is_same_host, rows[i].is_same, "%s", rows[i].what);
		session_close(&session);
		memory_file_close(&file);
		perf_writer_deinit(&writer);
	}
	assert_no_leaks();
}

Test(session, what_cannot_be_opened)
{
	static const char *const contents[] = { "", "PERFILE2", "no capture at all\n" };
	struct session_options options = { .ignores_host = true };

	for (size_t i = 0; i < ARRAY_SIZE(contents); i++) {
		struct memory_file file;
		struct session session;
		struct error err = { 0 };

		memory_file_open(&file, contents[i], strlen(contents[i]));
		cr_expect_not(session_open(&session, file.path, &options, &err), "row %zu", i);
		cr_expect_neq(err.code, ERROR_NONE);
		cr_expect_eq(strncmp(err.text, file.path, strlen(file.path)), 0, "%s", err.text);
		memory_file_close(&file);
	}
	assert_no_leaks();
}

/* Records before the end are kept, and the error has the reason. */
Test(session, a_cut_capture_is_partial)
{
	struct session_options options = { .ignores_host = true };
	struct perf_writer writer;
	struct memory_file file;
	struct session session;
	struct error err;
	struct sink folded;

	make_small_capture(&writer);
	memory_file_open(&file, writer.file.at, writer.data_offset + writer.data.count - 30);
	open_session(&session, &file, &options);
	cr_expect_not_null(session.profile.partial_reason);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	sink_init_memory(&folded);
	folded_write(&session.profile, &folded);
	sink_char(&folded, '\0');
	cr_expect_str_eq(folded.buffer, ":9;[unknown] 1\n"
					"app;[app];[new.so] 10\n"
					"shell;[shell];[old.so] 20\n"
					"shell;[shell];bpf_prog_f 40\n");
	sink_deinit(&folded);
	session_close(&session);
	memory_file_close(&file);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}
