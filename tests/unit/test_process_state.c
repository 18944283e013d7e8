/* SPDX-License-Identifier: MIT */
#include "process/process_state.h"

#include <criterion/criterion.h>

#include "profile/profile.h"
#include "tests/support/leaks.h"

struct fixture {
	struct profile profile;
	struct process_state state;
};

static void begin(struct fixture *fixture)
{
	profile_init(&fixture->profile);
	process_state_init(&fixture->state, fixture->profile.strings, fixture->profile.modules);
}

static void end(struct fixture *fixture)
{
	process_state_deinit(&fixture->state);
	profile_deinit(&fixture->profile);
}

static void take_mmap(struct fixture *fixture, uint64_t time_ns, const struct event_mmap *mmap)
{
	struct event event = { .kind = EVENT_MMAP, .has_time = time_ns, .time_ns = time_ns };

	event.mmap = *mmap;
	process_state_on_event(&fixture->state, &event);
}

static void take_user_mmap(struct fixture *fixture, uint64_t time_ns, uint32_t pid,
			   uint64_t address, const char *path)
{
	take_mmap(fixture, time_ns,
		  &(struct event_mmap){
			  .pid = pid,
			  .tid = pid,
			  .is_executable = true,
			  .address = address,
			  .length = 0x1000,
			  .file_offset = 0x500,
			  .path = text_of(path),
		  });
}

static void take_comm(struct fixture *fixture, uint64_t time_ns, uint32_t pid, const char *comm,
		      bool is_exec)
{
	struct event event = { .kind = EVENT_COMM, .has_time = time_ns, .time_ns = time_ns };

	event.comm = (struct event_comm){ pid, pid, is_exec, text_of(comm) };
	process_state_on_event(&fixture->state, &event);
}

static void take_fork(struct fixture *fixture, uint64_t time_ns, uint32_t pid, uint32_t parent_pid)
{
	struct event event = { .kind = EVENT_FORK, .has_time = true, .time_ns = time_ns };

	event.fork = (struct event_fork){ pid, parent_pid, pid, parent_pid, false };
	process_state_on_event(&fixture->state, &event);
}

static void take_ksymbol(struct fixture *fixture, uint64_t time_ns, uint64_t address,
			 uint64_t length, bool is_unregister)
{
	struct event event = { .kind = EVENT_KSYMBOL, .has_time = true, .time_ns = time_ns };

	event.ksymbol =
		(struct event_ksymbol){ address, length, is_unregister, text_of("bpf_prog_1") };
	process_state_on_event(&fixture->state, &event);
}

static void take_build_id(struct fixture *fixture, enum cpu_mode mode, uint8_t first,
			  const char *path)
{
	struct event event = { .kind = EVENT_BUILD_ID };

	event.build_id = (struct event_build_id){
		.path = text_of(path),
		.build_id = { .bytes = { first, 2, 3, 4, 5, 6, 7, 8 }, .size_bytes = 8 },
		.cpu_mode = mode,
	};
	process_state_on_event(&fixture->state, &event);
}

static const struct mapping *mapping_at(const struct fixture *fixture, space_id space,
					uint64_t address)
{
	return address_spaces_find(&fixture->state.history.spaces, space, address);
}

/* The path mapped by a process at an address; "": none. */
static const char *path_at(const struct fixture *fixture, uint32_t pid, uint64_t time_ns,
			   uint64_t address)
{
	struct process_moment moment =
		process_history_find(&fixture->state.history, pid, pid, time_ns);
	const struct mapping *mapping = mapping_at(fixture, moment.space, address);

	if (!mapping)
		return "";
	return strings_text(fixture->profile.strings,
			    modules_get(fixture->profile.modules, mapping->module)->path);
}

static const char *comm_at(const struct fixture *fixture, uint32_t pid, uint64_t time_ns)
{
	uint32_t comm = process_history_find(&fixture->state.history, pid, pid, time_ns).comm;

	return comm == PROCESS_HISTORY_NONE
		       ? ""
		       : strings_text(fixture->profile.strings, (str_id){ comm });
}

/* The buffers of CPUs are written one after the other, so times jump back. */
Test(process_state, events_come_out_of_order)
{
	struct fixture fixture;

	begin(&fixture);
	take_user_mmap(&fixture, 40, 8, 0x1000, "/bin/child");
	take_comm(&fixture, 35, 8, "child", true);
	take_fork(&fixture, 30, 8, 7);
	take_user_mmap(&fixture, 20, 7, 0x1000, "/bin/parent");
	take_comm(&fixture, 10, 7, "parent", false);
	process_state_finish(&fixture.state);

	cr_expect_str_eq(path_at(&fixture, 8, 30, 0x1000), "/bin/parent");
	cr_expect_str_eq(comm_at(&fixture, 8, 30), "parent");
	cr_expect_str_eq(path_at(&fixture, 8, 35, 0x1000), "");
	cr_expect_str_eq(comm_at(&fixture, 8, 35), "child");
	cr_expect_str_eq(path_at(&fixture, 8, 40, 0x1000), "/bin/child");
	cr_expect_str_eq(path_at(&fixture, 7, 40, 0x1000), "/bin/parent");
	end(&fixture);
	assert_no_leaks();
}

/*
 * Events with equal times, and events without a time, keep the order of the file. Events without a
 * time come first.
 */
Test(process_state, ties_keep_the_order_of_the_file)
{
	struct fixture fixture;

	begin(&fixture);
	take_comm(&fixture, 10, 7, "first", true);
	take_user_mmap(&fixture, 10, 7, 0x1000, "/bin/first");
	take_comm(&fixture, 10, 7, "second", true);
	take_user_mmap(&fixture, 10, 7, 0x2000, "/bin/second");
	take_user_mmap(&fixture, 0, 7, 0x3000, "/bin/synthesized");
	take_comm(&fixture, 0, 7, "synthesized", false);
	process_state_finish(&fixture.state);

	cr_expect_str_eq(path_at(&fixture, 7, 9, 0x3000), "/bin/synthesized");
	cr_expect_str_eq(comm_at(&fixture, 7, 0), "synthesized");
	cr_expect_str_eq(comm_at(&fixture, 7, 10), "second");
	cr_expect_str_eq(path_at(&fixture, 7, 10, 0x1000), "");
	cr_expect_str_eq(path_at(&fixture, 7, 10, 0x2000), "/bin/second");
	cr_expect_str_eq(path_at(&fixture, 7, 10, 0x3000), "");
	end(&fixture);
}

struct build_id_row {
	const char *what;
	struct {
		enum cpu_mode mode;
		uint8_t first;
		const char *path;
	} table[3];
	const char *path;
	bool is_kernel;
	uint8_t own;      /* the first byte of the mapping's own id; 0: it has none */
	uint8_t expected; /* 0: none */
};

static const struct build_id_row build_id_rows[] = {
	{ "of its path", { { CPU_MODE_USER, 1, "/bin/app" } }, "/bin/app", false, 0, 1 },
	{ "of another path", { { CPU_MODE_USER, 1, "/bin/app2" } }, "/bin/app", false, 0, 0 },
	{ "its own stands", { { CPU_MODE_USER, 1, "/bin/app" } }, "/bin/app", false, 9, 9 },
	{ "said twice",
	  { { CPU_MODE_USER, 1, "/bin/app" }, { CPU_MODE_USER, 1, "/bin/app" } },
	  "/bin/app",
	  false,
	  0,
	  1 },
	{ "two ids for one path",
	  { { CPU_MODE_USER, 1, "/bin/app" }, { CPU_MODE_USER, 2, "/bin/app" } },
	  "/bin/app",
	  false,
	  0,
	  0 },
	{ "two ids, one of them again",
	  { { CPU_MODE_USER, 1, "/bin/app" },
	    { CPU_MODE_USER, 2, "/bin/app" },
	    { CPU_MODE_USER, 1, "/bin/app" } },
	  "/bin/app",
	  false,
	  0,
	  0 },
	{ "of the vdso of other programs",
	  { { CPU_MODE_USER, 1, "[vdso]" } },
	  "[vdso]",
	  false,
	  0,
	  0 },
	{ "of a guest", { { CPU_MODE_GUEST_USER, 1, "/bin/app" } }, "/bin/app", false, 0, 0 },
	{ "of the kernel, whatever it is called",
	  { { CPU_MODE_KERNEL, 3, "/boot/vmlinux" } },
	  "[kernel.kallsyms]_text",
	  true,
	  0,
	  3 },
	{ "of the kernel and not a process",
	  { { CPU_MODE_USER, 3, "[kernel.kallsyms]" } },
	  "[kernel.kallsyms]_text",
	  true,
	  0,
	  0 },
	{ "of a kernel module",
	  { { CPU_MODE_KERNEL, 4, "[ext4]" }, { CPU_MODE_KERNEL, 5, "[kernel.kallsyms]" } },
	  "[ext4]",
	  true,
	  0,
	  4 },
	{ "of the kernel beside its modules",
	  { { CPU_MODE_KERNEL, 4, "/lib/modules/6/ext4.ko" },
	    { CPU_MODE_KERNEL, 5, "[kernel.kallsyms]" } },
	  "[kernel.kallsyms]_stext",
	  true,
	  0,
	  5 },
};

Test(process_state, the_build_id_table_is_for_mappings_without_one)
{
	for (size_t i = 0; i < ARRAY_SIZE(build_id_rows); i++) {
		const struct build_id_row *row = &build_id_rows[i];
		struct event_mmap mmap = {
			.pid = 7,
			.is_kernel = row->is_kernel,
			.address = 0x1000,
			.length = 0x1000,
			.path = text_of(row->path),
		};
		const struct module *module;
		struct fixture fixture;

		if (row->own) {
			mmap.build_id.bytes[0] = row->own;
			mmap.build_id.size_bytes = 20;
		}
		begin(&fixture);
		for (size_t k = 0; k < 3 && row->table[k].path; k++)
			take_build_id(&fixture, row->table[k].mode, row->table[k].first,
				      row->table[k].path);
		take_mmap(&fixture, 10, &mmap);
		process_state_finish(&fixture.state);
		cr_assert_eq(fixture.profile.modules->rows.count, 1);
		module = &fixture.profile.modules->rows.at[0];
		cr_expect_eq(module->build_id.size_bytes != 0, row->expected != 0, "%s", row->what);
		if (row->expected)
			cr_expect_eq(module->build_id.bytes[0], row->expected, "%s", row->what);
		if (row->own)
			cr_expect_eq(module->build_id_source, BUILD_ID_BY_KERNEL, "%s", row->what);
		end(&fixture);
	}
	assert_no_leaks();
}

/* The table lists only one of two files with the same path. Only inodes could show which one. */
Test(process_state, a_path_of_two_files_has_no_build_id)
{
	static const struct {
		const char *what;
		struct {
			uint64_t inode, generation;
			uint32_t device;
		} files[2];
		bool has_id;
	} rows[] = {
		{ "one file", { { 4, 1, 8 }, { 4, 1, 8 } }, true },
		{ "two files", { { 4, 1, 8 }, { 5, 1, 8 } }, false },
		{ "two files, both mapped before", { { 4, 0, 8 }, { 5, 0, 8 } }, false },
		{ "one file of an image that is mounted twice",
		  { { 4, 0, 8 }, { 4, 0, 9 } },
		  true },
		{ "as perf and as the kernel see it", { { 4, 0, 8 }, { 5, 1, 9 } }, true },
		{ "one mapped before, and the next release", { { 4, 0, 8 }, { 5, 1, 8 } }, false },
		{ "one file, mapped before and since", { { 4, 0, 8 }, { 4, 1, 8 } }, true },
		{ "an inode that was used again", { { 4, 1, 8 }, { 4, 2, 8 } }, false },
		{ "without inodes", { { 0, 0, 0 }, { 5, 1, 8 } }, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture fixture;

		begin(&fixture);
		take_build_id(&fixture, CPU_MODE_USER, 1, "/lib/libc.so");
		for (uint32_t k = 0; k < 2; k++)
			take_mmap(&fixture, 1 + k,
				  &(struct event_mmap){
					  .pid = 7 + k,
					  .is_executable = true,
					  .address = 0x1000,
					  .length = 0x1000,
					  .path = text_of("/lib/libc.so"),
					  .inode = rows[i].files[k].inode,
					  .inode_generation = rows[i].files[k].generation,
					  .device_minor = rows[i].files[k].device,
				  });
		process_state_finish(&fixture.state);
		for (size_t k = 0; k < fixture.profile.modules->rows.count; k++) {
			const struct module *module = &fixture.profile.modules->rows.at[k];

			cr_expect_eq(module->build_id.size_bytes != 0, rows[i].has_id, "%s",
				     rows[i].what);
			cr_expect_eq(module->has_rivals, !rows[i].has_id, "%s", rows[i].what);
			cr_expect_eq(module->listed_build_id.size_bytes != 0, !rows[i].has_id, "%s",
				     rows[i].what);
			cr_expect(!rows[i].has_id ||
				  module->build_id_source == BUILD_ID_BY_RECORDER);
		}
		end(&fixture);
	}
	assert_no_leaks();
}

static uint32_t space_at(const struct fixture *fixture, uint32_t pid, uint64_t time_ns)
{
	return process_history_find(&fixture->state.history, pid, pid, time_ns).space.i;
}

/* Captures with data mappings have tens of times as many mappings. */
Test(process_state, data_is_known_by_the_code_it_replaces_alone)
{
	const struct event_mmap library = { .pid = 7,
					    .address = 0x3000,
					    .length = 0x2000,
					    .inode = 4,
					    .path = text_of("/lib/libc.so") };
	const struct event_mmap heap = {
		.pid = 7, .address = 0x2000, .length = 0x1000, .path = text_of("//anon")
	};
	struct fixture fixture;

	begin(&fixture);
	take_user_mmap(&fixture, 1, 7, 0x1000, "/bin/app");
	take_mmap(&fixture, 2, &library);
	take_mmap(&fixture, 3, &heap);
	take_user_mmap(&fixture, 4, 7, 0x3000, "/lib/libc.so");
	take_mmap(&fixture, 5, &heap);
	take_mmap(&fixture, 6, &library);
	process_state_finish(&fixture.state);

	cr_expect_eq(fixture.state.mapping_count, 6);
	cr_expect_str_eq(path_at(&fixture, 7, 3, 0x3000), "");
	cr_expect_eq(space_at(&fixture, 7, 1), space_at(&fixture, 7, 3));
	cr_expect_str_eq(path_at(&fixture, 7, 5, 0x3000), "/lib/libc.so");
	cr_expect_eq(space_at(&fixture, 7, 4), space_at(&fixture, 7, 5));
	cr_expect_str_eq(path_at(&fixture, 7, 6, 0x1000), "/bin/app");
	cr_expect_str_eq(path_at(&fixture, 7, 6, 0x3000), "");
	end(&fixture);
	assert_no_leaks();
}

/* JIT code belongs to its process, whatever the name of its mapping. */
Test(process_state, mappings_become_modules)
{
	struct fixture fixture;
	const struct modules *modules;

	begin(&fixture);
	take_user_mmap(&fixture, 1, 7, 0x1000, "//anon");
	take_user_mmap(&fixture, 1, 7, 0x2000, "/memfd:jit (deleted)");
	take_user_mmap(&fixture, 1, 8, 0x1000, "//anon");
	take_user_mmap(&fixture, 1, 7, 0x3000, "/bin/app");
	take_user_mmap(&fixture, 1, 8, 0x3000, "/bin/app");
	take_mmap(&fixture, 1,
		  &(struct event_mmap){ .pid = 8,
					.address = 0x9000,
					.length = 0x1000,
					.inode = 4,
					.path = text_of("/bin/app") });
	for (uint64_t i = 0; i < 3; i++)
		take_mmap(&fixture, 2 + i,
			  &(struct event_mmap){ .pid = 8,
						.is_executable = i > 0,
						.address = 0x10000 * i,
						.length = 0x1000 * (i + 1),
						.file_offset = 0x3000 + i,
						.inode = 4,
						.path = text_of("/bin/app") });
	take_mmap(
		&fixture, 1,
		&(struct event_mmap){ .is_guest = true, .length = 1, .path = text_of("[guest]") });
	process_state_finish(&fixture.state);
	modules = fixture.profile.modules;
	cr_assert_eq(modules->rows.count, 4);
	cr_expect(modules->rows.at[0].kind == MODULE_ANONYMOUS && modules->rows.at[0].pid == 7);
	cr_expect(modules->rows.at[1].kind == MODULE_ANONYMOUS && modules->rows.at[1].pid == 8);
	cr_expect(modules->rows.at[2].kind == MODULE_FILE && modules->rows.at[2].inode == 0);
	cr_expect(modules->rows.at[3].kind == MODULE_FILE && modules->rows.at[3].inode == 4);
	/* The first range that was mapped as executable. */
	cr_expect_eq(modules->rows.at[3].mapped_offset, 0x3001);
	cr_expect_eq(modules->rows.at[3].mapped_bytes, 0x2000);
	end(&fixture);
}

/*
 * Addresses in files are offsets from the beginning of the file; all others are run-time addresses.
 */
Test(process_state, what_addresses_of_a_mapping_mean)
{
	static const struct {
		const char *path;
		bool is_kernel;
		uint64_t address, length, file_offset;
		uint64_t expected_end, expected_offset;
	} rows[] = {
		{ "/bin/app", false, 0x4000, 0x1000, 0x500, 0x5000, 0x500 },
		{ "[vdso]", false, 0x4000, 0x1000, 0, 0x5000, 0 },
		{ "//anon", false, 0x4000, 0x1000, 0x4000, 0x5000, 0x4000 },
		{ "[vsyscall]", false, 0x4000, 0x1000, 0, 0x5000, 0x4000 },
		{ "[ext4]", true, 0xffffffffc0000000, 0x1000, 0, 0xffffffffc0001000,
		  0xffffffffc0000000 },
		{ "[kernel.kallsyms]_text", true, 0xffffffff81000000, 0xffffffff00000000,
		  0xffffffff81000000, UINT64_MAX, 0xffffffff81000000 },
		{ "/bin/app", false, 0x4000, UINT64_MAX, 0, UINT64_MAX, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct process_moment moment;
		const struct mapping *mapping;
		struct fixture fixture;

		begin(&fixture);
		take_mmap(&fixture, 1,
			  &(struct event_mmap){ .pid = 7,
						.is_kernel = rows[i].is_kernel,
						.is_executable = true,
						.address = rows[i].address,
						.length = rows[i].length,
						.file_offset = rows[i].file_offset,
						.path = text_of(rows[i].path) });
		process_state_finish(&fixture.state);
		moment = process_history_find(&fixture.state.history, 7, 7, 1);
		mapping =
			mapping_at(&fixture, rows[i].is_kernel ? moment.kernel_space : moment.space,
				   rows[i].address);
		cr_assert_not_null(mapping, "row %zu", i);
		cr_expect_eq(mapping->end, rows[i].expected_end, "row %zu", i);
		cr_expect_eq(mapping->file_offset, rows[i].expected_offset, "row %zu", i);
		end(&fixture);
	}
}

Test(process_state, kernel_symbols_come_and_go)
{
	static const uint64_t at = 0xffffffffc0000000;
	struct fixture fixture;
	space_id spaces[4];

	begin(&fixture);
	take_ksymbol(&fixture, 30, at, 0x100, true);
	take_ksymbol(&fixture, 20, at, 0x100, false);
	/* Wrong lengths map nothing. */
	take_ksymbol(&fixture, 25, 0x1000, 0, false);
	take_ksymbol(&fixture, 25, at + 0x1000, UINT64_MAX, false);
	process_state_finish(&fixture.state);
	for (uint64_t i = 0; i < 4; i++)
		spaces[i] =
			process_history_find(&fixture.state.history, 1, 1, 10 + 10 * i - (i == 3))
				.kernel_space;
	cr_expect_null(mapping_at(&fixture, spaces[0], at));
	cr_assert_not_null(mapping_at(&fixture, spaces[1], at + 0xff));
	cr_expect_null(mapping_at(&fixture, spaces[1], at + 0x100));
	cr_expect_null(mapping_at(&fixture, spaces[2], at));
	cr_expect_not_null(mapping_at(&fixture, spaces[1], at));
	cr_expect_null(mapping_at(&fixture, spaces[3], at + 0x1000));
	cr_expect_null(mapping_at(&fixture, spaces[3], 0x1000));
	cr_expect_eq(fixture.profile.modules->rows.at[0].kind, MODULE_KSYMBOL);
	end(&fixture);
}

Test(process_state, what_the_profile_is_told)
{
	struct fixture fixture;
	struct event event = { .kind = EVENT_FACT };
	char value[] = "db7";

	begin(&fixture);
	event.fact.name = FACT_HOST;
	event.fact.value = text_of(value);
	process_state_on_event(&fixture.state, &event);
	memset(value, 'x', 3);
	event = (struct event){ .kind = EVENT_LOSS, .loss = { LOSS_RECORDS, 5 } };
	process_state_on_event(&fixture.state, &event);
	process_state_on_event(&fixture.state, &event);
	event = (struct event){ .kind = EVENT_ATTR,
				.attr = { .name = text_of("cycles"),
					  .unit = UNIT_EVENTS,
					  .sample_period = 99,
					  .is_frequency = true,
					  .has_callchain = true } };
	process_state_on_event(&fixture.state, &event);
	/* Not for this pass. */
	event = (struct event){ .kind = EVENT_SAMPLE };
	process_state_on_event(&fixture.state, &event);
	process_state_finish(&fixture.state);
	profile_begin(&fixture.profile, &fixture.state);

	cr_expect(text_is(fixture.state.facts[FACT_HOST], "db7"));
	cr_expect_null(fixture.state.facts[FACT_ARCH].at);
	cr_expect_eq(fixture.state.losses[LOSS_RECORDS], 10);
	cr_assert_eq(fixture.profile.events.count, 1);
	cr_expect_eq(fixture.profile.events.at[0].sample_period, 99);
	cr_expect(fixture.profile.events.at[0].is_frequency);
	cr_expect(fixture.profile.events.at[0].has_callchain);
	cr_expect_eq(fixture.profile.events.at[0].first_time_ns, UINT64_MAX);
	cr_expect_str_eq(strings_text(fixture.profile.strings, fixture.profile.events.at[0].name),
			 "cycles");
	end(&fixture);
	assert_no_leaks();
}

/* perf repeats at the end, without a time, the losses that the kernel reported when they happened. */
Test(process_state, what_is_lost_counts_once)
{
	static const struct {
		enum loss_kind kind;
		uint64_t count, time_ns;
	} events[] = {
		{ LOSS_RECORDS, 60, 100 },
		{ LOSS_RECORDS, 50, 200 },
		/* Lost in a buffer of the CPU, not of the kernel. */
		{ LOSS_SAMPLES, 7, 150 },
		{ LOSS_SAMPLES, 40, 0 },
		{ LOSS_SAMPLES, 65, 0 },
	};
	struct fixture fixture;

	begin(&fixture);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		struct event event = {
			.kind = EVENT_LOSS,
			.has_time = true,
			.time_ns = events[i].time_ns,
			.trailer_cpu = EVENT_NO_CPU,
			.loss = { events[i].kind, events[i].count },
		};

		process_state_on_event(&fixture.state, &event);
	}
	process_state_finish(&fixture.state);
	cr_expect_eq(fixture.state.losses[LOSS_RECORDS], 5);
	cr_expect_eq(fixture.state.losses[LOSS_SAMPLES], 112);
	end(&fixture);
	assert_no_leaks();
}

/* The memory that kiln keeps for a record counts, whatever the type of the record. */
Test(process_state, records_beyond_the_memory_are_refused)
{
	struct fixture fixture;
	struct error err;
	char name[32];

	for (unsigned kind = 0; kind < 3; kind++) {
		uint32_t count = 0;

		begin(&fixture);
		fixture.state.memory_bytes_max = 4 << 20;
		for (; process_state_check_memory(&fixture.state, &err); count++) {
			snprintf(name, sizeof(name), "/lib/%u", count);
			if (kind == 0)
				take_comm(&fixture, 100, count, "a", false);
			else if (kind == 1)
				take_user_mmap(&fixture, 100, 1, 0x1000, name);
			else
				take_build_id(&fixture, CPU_MODE_USER, 7, name);
			cr_assert_lt(count, 100000);
		}
		cr_expect_gt(count, 2000, "%u of kind %u", count, kind);
		cr_expect_not_null(strstr(err.text, "allow more with --memory"));
		end(&fixture);
	}
	assert_no_leaks();
}
