/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/jit_dumps.h"

#include <criterion/criterion.h>
#include <sys/utsname.h>

#include "libparse/perf/abi.h"
#include "render/text/folded.h"
#include "session/session.h"
#include "tests/support/jitdump_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"
#include "tests/support/scratch.h"

#define CODE 0x7000

/* A capture of a process with a jitdump, and the directory that is searched for it. */
struct world {
	struct perf_writer capture;
	struct jitdump_writer dump;
	struct scratch scratch;
	bool is_live; /* the dumps are on the captured machine, and not given by the user */
	const char *paths[1];
	struct session session;
};

static void put_map(struct world *world, uint64_t time_ns, uint32_t pid, uint64_t address,
		    const char *path)
{
	perf_writer_mmap(&world->capture, time_ns,
			 &(struct writer_mmap){ .pid = pid,
						.tid = pid,
						.address = address,
						.length = 0x1000,
						.path = path });
}

/*
 * Begins a capture of process pid, up to the mapping of its dump. The dump has inner_pid, the pid
 * in the container.
 */
static void begin_with(struct world *world, uint64_t sample_type, bool is_monotonic, uint32_t pid,
		       uint32_t inner_pid)
{
	struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.config = SOFTWARE_CPU_CLOCK,
		.sample_type = sample_type,
		.sample_period = 1,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL | ATTR_FLAG_COMM_EXEC |
			 (is_monotonic ? ATTR_FLAG_USE_CLOCKID : 0),
		.clockid = 1,
	};
	uint64_t id = 40;

	*world = (struct world){ .capture = { .is_pipe = false } };
	scratch_open(&world->scratch);
	world->paths[0] = world->scratch.path;
	perf_writer_init(&world->capture, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&world->capture, "cpu-clock", &attr, &id, 1);
	perf_writer_comm(&world->capture, 1, pid, pid, "jit", 0);
	put_map(world, 3, pid, CODE, "//anon");
	jitdump_writer_init(&world->dump, false, inner_pid);
}

static void begin(struct world *world, bool is_monotonic, uint32_t pid, uint32_t inner_pid)
{
	begin_with(world, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID, is_monotonic, pid,
		   inner_pid);
}

static void set_up(struct world *world, bool is_monotonic, uint32_t pid, uint32_t inner_pid)
{
	char path[32];

	begin(world, is_monotonic, pid, inner_pid);
	snprintf(path, sizeof(path), "/tmp/jit-%u.dump", inner_pid);
	put_map(world, 2, pid, 0x1000, path);
}

static void tear_down(struct world *world)
{
	session_close(&world->session);
	perf_writer_deinit(&world->capture);
	jitdump_writer_deinit(&world->dump);
	scratch_close(&world->scratch);
}

static void put_load(struct world *world, uint64_t time_ns, uint64_t address, const char *name)
{
	jitdump_writer_load(&world->dump, time_ns,
			    &(struct writer_code){ .address = address, .size_bytes = 0x40 }, name);
}

static void put_sample(struct world *world, uint64_t time_ns, uint32_t pid, uint64_t ip)
{
	perf_writer_sample(&world->capture, &(struct writer_sample){ .misc = CPU_MODE_USER,
								     .ip = ip,
								     .pid = pid,
								     .tid = pid,
								     .time_ns = time_ns });
}

static void save_dump(struct world *world, const char *name)
{
	scratch_write(&world->scratch, name, world->dump.bytes.at, world->dump.bytes.count);
}

static void expect_folded(struct world *world, const char *expected)
{
	struct session_options options = {
		.thread_count = 1,
		.ignores_host = !world->is_live,
		.symbol_paths = world->paths,
		.symbol_path_count = !world->is_live,
	};
	struct memory_file file;
	struct sink folded;
	struct error err;

	perf_writer_finish(&world->capture);
	memory_file_open(&file, world->capture.file.at, world->capture.file.count);
	cr_assert(session_open(&world->session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&world->session, &err), "%s", err.text);
	sink_init_memory(&folded);
	folded_write(&world->session.profile, &folded);
	sink_char(&folded, '\0');
	cr_expect_str_eq(folded.buffer, expected);
	sink_deinit(&folded);
	memory_file_close(&file);
}

static const struct module *module_of_kind(const struct world *world, enum module_kind kind)
{
	const struct modules *modules = world->session.profile.modules;

	for (size_t i = 0; i < modules->rows.count; i++)
		if (modules->rows.at[i].kind == kind)
			return &modules->rows.at[i];
	return NULL;
}

static void expect_module(const struct world *world, enum module_kind kind, enum match_status match,
			  const char *reason)
{
	const struct module *module = module_of_kind(world, kind);

	cr_assert_not_null(module);
	cr_expect_eq(module->match, match);
	cr_expect(strstr(strings_text(world->session.profile.strings, module->reason), reason),
		  "%s", strings_text(world->session.profile.strings, module->reason));
}

/* Puts one code after another at the same address. */
static void put_history(struct world *world)
{
	put_load(world, 100, CODE, "first");
	put_load(world, 200, CODE, "second");
	jitdump_writer_move(
		&world->dump, 300,
		&(struct writer_code){ .from = CODE, .address = CODE + 0x100, .size_bytes = 0x40 });
	put_load(world, 400, CODE + 0x20, "third");
	save_dump(world, "jit-7.dump");
	put_sample(world, 50, 7, CODE + 1);
	put_sample(world, 150, 7, CODE + 1);
	put_sample(world, 250, 7, CODE + 0x3f);
	put_sample(world, 350, 7, CODE + 1);
	put_sample(world, 360, 7, CODE + 0x101);
	put_sample(world, 450, 7, CODE + 0x21);
}

Test(jit_dumps, an_address_is_what_was_there_at_the_time)
{
	struct world world;

	set_up(&world, true, 7, 7);
	put_history(&world);
	expect_folded(&world, "jit;[perf-7.map] 2\njit;first 1\njit;second 2\njit;third 1\n");
	expect_module(&world, MODULE_JITDUMP, MATCH_UNVERIFIED, "matched by PID");
	tear_down(&world);
	assert_no_leaks();
}

Test(jit_dumps, without_a_common_clock_the_last_counts)
{
	struct world world;

	set_up(&world, false, 7, 7);
	put_history(&world);
	expect_folded(&world, "jit;[perf-7.map] 3\njit;second 1\njit;third 2\n");
	expect_module(&world, MODULE_JITDUMP, MATCH_UNVERIFIED, "perf record -k mono");
	tear_down(&world);
	set_up(&world, true, 7, 7);
	jitdump_writer_patch_u64(&world.dump, JITDUMP_WRITER_FLAGS_OFFSET, 1);
	put_history(&world);
	expect_folded(&world, "jit;[perf-7.map] 3\njit;second 1\njit;third 2\n");
	tear_down(&world);
	assert_no_leaks();
}

/* perf record --per-thread -k mono: the code is there from the mapping of the dump on. */
Test(jit_dumps, without_times)
{
	struct world world;

	begin_with(&world, SAMPLE_IP | SAMPLE_TID | SAMPLE_ID, true, 7, 7);
	perf_writer_comm(&world.capture, 2, 7, 7, "app", MISC_COMM_EXEC);
	put_sample(&world, 3, 7, CODE);
	put_map(&world, 4, 7, 0x1000, "/tmp/jit-7.dump");
	put_load(&world, 100, CODE, "f");
	save_dump(&world, "jit-7.dump");
	put_sample(&world, 120, 7, CODE);
	expect_folded(&world, "app;[perf-7.map] 1\napp;f 1\n");
	tear_down(&world);
	assert_no_leaks();
}

/* A process in a container has another pid there, and its jitdump is named after that pid. */
Test(jit_dumps, of_a_container)
{
	struct world world;

	set_up(&world, true, 4242, 7);
	put_load(&world, 100, CODE, "f");
	jitdump_writer_load(
		&world.dump, 100,
		&(struct writer_code){ .pid = 8, .address = CODE + 0x40, .size_bytes = 0x40 },
		"of nobody that the capture knows");
	save_dump(&world, "rootfs/tmp/jit-7.dump");
	put_sample(&world, 150, 4242, CODE);
	put_sample(&world, 150, 4242, CODE + 0x40);
	put_map(&world, 4, 7, CODE, "//anon");
	put_sample(&world, 150, 7, CODE);
	expect_folded(&world, ":7;[perf-7.map] 1\njit;[perf-4242.map] 1\njit;f 1\n");
	tear_down(&world);
	assert_no_leaks();
}

/* A child has the code of its parent, and continues the same dump. */
Test(jit_dumps, of_a_child)
{
	struct world world;

	set_up(&world, true, 7, 7);
	put_load(&world, 100, CODE, "before");
	perf_writer_fork(&world.capture, 200, 9, 7, 9, 7, 0);
	put_load(&world, 300, CODE, "of the parent");
	jitdump_writer_load(
		&world.dump, 400,
		&(struct writer_code){ .pid = 9, .address = CODE + 0x40, .size_bytes = 0x40 },
		"of the child");
	save_dump(&world, "jit-7.dump");
	put_sample(&world, 350, 7, CODE);
	put_sample(&world, 350, 9, CODE);
	put_sample(&world, 450, 9, CODE + 0x40);
	put_sample(&world, 450, 7, CODE + 0x40);
	expect_folded(&world, "jit;[perf-7.map] 1\njit;before 1\njit;of the child 1\n"
			      "jit;of the parent 1\n");
	tear_down(&world);
	assert_no_leaks();
}

/*
 * Memory that is made executable again keeps its code. A file mapped in its place removes the code,
 * and so does a new program.
 */
Test(jit_dumps, what_takes_code_away)
{
	struct world world;

	set_up(&world, true, 7, 7);
	put_load(&world, 100, CODE, "f");
	save_dump(&world, "jit-7.dump");
	put_map(&world, 110, 7, CODE, "[anon:JIT]");
	put_sample(&world, 120, 7, CODE);
	put_sample(&world, 120, 7, CODE + 0x50);
	put_map(&world, 130, 7, CODE, "/lib/a.so");
	put_sample(&world, 140, 7, CODE);
	put_map(&world, 150, 7, CODE, "//anon");
	put_sample(&world, 160, 7, CODE);
	expect_folded(&world, "jit;[a.so] 1\njit;[perf-7.map] 2\njit;f 1\n");
	tear_down(&world);
	assert_no_leaks();
}

Test(jit_dumps, missing)
{
	struct world world;

	set_up(&world, true, 7, 7);
	put_load(&world, 100, CODE, "f");
	/* The name is no proof: the file contains the pid of another process. */
	jitdump_writer_patch_u32(&world.dump, JITDUMP_WRITER_PID_OFFSET, 8);
	save_dump(&world, "jit-7.dump");
	put_sample(&world, 120, 7, CODE);
	expect_folded(&world, "jit;[perf-7.map] 1\n");
	expect_module(&world, MODULE_ANONYMOUS, MATCH_MISSING,
		      "no jit-7.dump was found, and no perf-7.map");
	tear_down(&world);
	assert_no_leaks();
}

/*
 * The captured path of a dump must lead to the file itself, not to a link, which anyone can put in
 * its place.
 */
Test(jit_dumps, a_live_dump_is_no_link)
{
	static const struct {
		const char *dump, *link; /* NULL: none */
		const char *folded;
	} rows[] = {
		{ "jit-7.dump", NULL, "jit;f 1\n" },
		{ "other.dump", "jit-7.dump", "jit;[perf-7.map] 1\n" },
	};
	struct utsname host;

	cr_assert_eq(uname(&host), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world world;

		begin(&world, true, 7, 7);
		world.is_live = true;
		put_load(&world, 100, CODE, "f");
		save_dump(&world, rows[i].dump);
		if (rows[i].link)
			scratch_link(&world.scratch, rows[i].link, rows[i].dump);
		put_map(&world, 2, 7, 0x1000, scratch_path(&world.scratch, "jit-7.dump"));
		put_sample(&world, 120, 7, CODE);
		perf_writer_feature_string(&world.capture, FEATURE_HOSTNAME, host.nodename);
		perf_writer_feature_string(&world.capture, FEATURE_OSRELEASE, host.release);
		perf_writer_feature_event_desc(&world.capture);
		expect_folded(&world, rows[i].folded);
		if (rows[i].link)
			expect_module(&world, MODULE_ANONYMOUS, MATCH_MISMATCHED,
				      "jit-7.dump is a symbolic link");
		tear_down(&world);
	}
	assert_no_leaks();
}

Test(jit_dumps, damaged)
{
	struct world world;

	set_up(&world, true, 7, 7);
	jitdump_writer_patch_u32(&world.dump, JITDUMP_WRITER_VERSION_OFFSET, 3);
	save_dump(&world, "jit-7.dump");
	put_sample(&world, 120, 7, CODE);
	expect_folded(&world, "jit;[perf-7.map] 1\n");
	expect_module(&world, MODULE_ANONYMOUS, MATCH_CORRUPT,
		      "jit-7.dump is a jitdump of unsupported version 3, and no perf-7.map");
	tear_down(&world);
	set_up(&world, true, 7, 7);
	put_load(&world, 100, CODE, "f");
	put_load(&world, 100, CODE + 0x40, "g");
	world.dump.bytes.count -= 1;
	save_dump(&world, "jit-7.dump");
	put_sample(&world, 120, 7, CODE);
	put_sample(&world, 120, 7, CODE + 0x40);
	expect_folded(&world, "jit;[perf-7.map] 1\njit;f 1\n");
	expect_module(&world, MODULE_JITDUMP, MATCH_UNVERIFIED, "truncated within a record");
	tear_down(&world);
	assert_no_leaks();
}

/*
 * Of two dumps that differ, either may belong to the process, so none is used, unless one is at the
 * captured path.
 */
Test(jit_dumps, several_of_one_number)
{
	struct world world;

	for (int lies_there = 0; lies_there < 2; lies_there++) {
		set_up(&world, true, 7, 7);
		put_load(&world, 100, CODE, "f");
		save_dump(&world, "a/jit-7.dump");
		save_dump(&world, "b/jit-7.dump");
		jitdump_writer_patch_u64(&world.dump, 24, 1234);
		world.dump.bytes.at[JITDUMP_WRITER_HEADER_BYTES + 56] = 'g';
		save_dump(&world, lies_there ? "root/tmp/jit-7.dump" : "c/jit-7.dump");
		put_sample(&world, 120, 7, CODE);
		expect_folded(&world, lies_there ? "jit;g 1\n" : "jit;[perf-7.map] 1\n");
		if (!lies_there)
			expect_module(&world, MODULE_ANONYMOUS, MATCH_MISMATCHED,
				      "either may belong to this process");
		tear_down(&world);
	}
	assert_no_leaks();
}
