/* SPDX-License-Identifier: MIT */
#include "base/strings.h"
#include "symbolise/symbolise.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"
#include "tests/support/xz_pack.h"

#define ID_A         "aa00000000000000000000000000000000000001"
#define ID_B         "bb00000000000000000000000000000000000002"
#define TEXT_OFFSET  0x600
#define TEXT_ADDRESS 0x401000
/* A location's address is an offset into the file. */
#define AT(value) ((value)-TEXT_ADDRESS + TEXT_OFFSET)

static const struct elf_writer_symbol symbols[] = {
	{ "first", 0x401000, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "_ZN3net4pollEv.part.0", 0x401020, 0x20, STT_FUNC, STB_LOCAL, 0, ELF_WRITER_TEXT },
};

static const struct elf_writer_symbol dynamic_symbols[] = {
	{ "exported", 0x401040, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};

struct world {
	struct scratch scratch;
	struct modules modules;
	struct locations locations;
	struct strings strings;
	const char *paths[2];
	size_t path_count;
	struct symbolise_options options;
};

static void set_up(struct world *world)
{
	*world = (struct world){
		.options = { .demangle = true, .fold_suffixes = true, .thread_count = 1 },
	};
	scratch_open(&world->scratch);
	modules_init(&world->modules);
	locations_init(&world->locations);
	strings_init(&world->strings);
	world->paths[0] = world->scratch.path;
	world->path_count = 1;
}

static void tear_down(struct world *world)
{
	modules_deinit(&world->modules);
	locations_deinit(&world->locations);
	strings_deinit(&world->strings);
	scratch_close(&world->scratch);
}

static void write_elf(struct world *world, const char *name, struct elf_writer *writer,
		      const char *hex)
{
	struct build_id id = { .size_bytes = 0 };
	size_t size;
	unsigned char *bytes;

	if (*hex)
		cr_assert(build_id_parse(text_of(hex), &id));
	writer->text_offset = TEXT_OFFSET;
	writer->text_address = TEXT_ADDRESS;
	writer->text_bytes = 0x100;
	writer->build_id = *hex ? id.bytes : NULL;
	writer->build_id_bytes = id.size_bytes;
	bytes = elf_writer_write(writer, &size);
	scratch_write(&world->scratch, name, bytes, size);
	memory_free(bytes);
}

static struct elf_writer whole(void)
{
	return (struct elf_writer){ .symbols = symbols, .symbol_count = ARRAY_SIZE(symbols) };
}

static module_id add_module(struct world *world, enum module_kind kind, const char *path,
			    const char *hex)
{
	struct module module = { .kind = kind, .path = strings_intern_text(&world->strings, path) };

	build_id_parse(text_of(hex), &module.build_id);
	return modules_intern(&world->modules, &module);
}

static location_id add(struct world *world, module_id module, uint64_t address, bool is_return)
{
	return locations_intern(&world->locations, module, address, is_return);
}

static void run(struct world *world)
{
	symbolise_paths(&world->modules, &world->locations, &world->strings, &world->options,
			world->paths, world->path_count);
}

/* The name of a location; "": none. */
static const char *name_of(const struct world *world, location_id id)
{
	const struct location *row = &world->locations.rows.at[id.i];

	return row->is_named ? strings_text(&world->strings, row->name) : "";
}

static const struct module *get(const struct world *world, module_id id)
{
	return modules_get(&world->modules, id);
}

static void expect_reason(const struct world *world, module_id id, const char *part)
{
	const char *reason = strings_text(&world->strings, get(world, id)->reason);

	cr_expect(strstr(reason, part), "\"%s\" is not in \"%s\"", part, reason);
}

Test(symbolise, a_verified_file)
{
	static const struct {
		uint64_t value;
		bool is_return;
		const char *name, *perfs;
		uint64_t start;
	} rows[] = {
		{ 0x401000, false, "first", "first", 0x401000 },
		{ 0x401010, true, "first", "first", 0x401000 },
		/* A call that does not return may be the last thing in a function. */
		{ 0x401020, true, "first", "net::poll", 0x401000 },
		{ 0x401020, false, "net::poll", "net::poll", 0x401020 },
		{ 0x40103f, false, "net::poll", "net::poll", 0x401020 },
		{ 0x401040, false, "", "", 0 },
		{ 0x401040, true, "net::poll", "", 0x401020 },
		{ 0x4010ff, false, "", "", 0 },
		{ 0x409000, false, "", "", 0 },
	};

	for (int is_perf = 0; is_perf < 2; is_perf++) {
		struct world world;
		struct elf_writer writer = whole();
		location_id ids[ARRAY_SIZE(rows)];
		uint32_t named_count = 0;
		module_id module;

		set_up(&world);
		world.options.perf_names = is_perf;
		write_elf(&world, "anywhere/renamed", &writer, ID_A);
		module = add_module(&world, MODULE_FILE, "/usr/bin/app", ID_A);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			ids[i] = add(&world, module, AT(rows[i].value), rows[i].is_return);
		run(&world);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			const char *expected = is_perf ? rows[i].perfs : rows[i].name;

#ifndef HAVE_LIBIBERTY
			if (strcmp(expected, "net::poll") == 0)
				expected = is_perf ? "_ZN3net4pollEv.part.0" : "_ZN3net4pollEv";
#endif
			cr_expect_str_eq(name_of(&world, ids[i]), expected, "row %zu, perf %d: %s",
					 i, is_perf, name_of(&world, ids[i]));
			named_count += *expected != '\0';
			if (*expected && !is_perf)
				cr_expect_eq(world.locations.rows.at[ids[i].i].symbol_start,
					     AT(rows[i].start), "row %zu", i);
		}
		cr_expect_eq(get(&world, module)->match, MATCH_VERIFIED);
		cr_expect_eq(get(&world, module)->location_count, ARRAY_SIZE(rows));
		cr_expect_eq(get(&world, module)->named_count, named_count);
		cr_expect_str_eq(strings_text(&world.strings, get(&world, module)->symbol_file),
				 scratch_path(&world.scratch, "anywhere/renamed"));
		cr_expect_str_eq(strings_text(&world.strings, get(&world, module)->reason), "");
		tear_down(&world);
	}
	assert_no_leaks();
}

/* One file in the directory, one module in the capture. */
static const struct {
	const char *what, *file, *file_id, *path, *path_id;
	uint64_t value; /* of the one location */
	enum match_status match;
	const char *name, *reason;
} match_rows[] = {
	{ "another build-id below the same path", "usr/bin/app", ID_B, "/usr/bin/app", ID_A,
	  0x401000, MATCH_MISMATCHED, "", "has build-id " ID_B ", but the capture has " ID_A },
	{ "another build-id and the same name", "app", ID_B, "/usr/bin/app", ID_A, 0x401000,
	  MATCH_MISMATCHED, "", "has build-id " ID_B },
	{ "no build-id in the file", "app", "", "/usr/bin/app", ID_A, 0x401000, MATCH_MISMATCHED,
	  "", "has no build-id, but the capture has " ID_A },
	{ "nothing like it", "other", ID_B, "/usr/bin/app", ID_A, 0x401000, MATCH_MISSING, "",
	  "no file with build-id " ID_A },
	{ "nothing like it, nor a build-id", "other", ID_B, "/usr/bin/app", "", 0x401000,
	  MATCH_MISSING, "", "the capture has no build-id" },
	{ "no build-id in the capture", "app", ID_B, "/usr/bin/app", "", 0x401000, MATCH_UNVERIFIED,
	  "first", "has the same name" },
	{ "no build-id, in a sysroot", "usr/bin/app", "", "/usr/bin/app", "", 0x401000,
	  MATCH_UNVERIFIED, "first", "has the same name" },
	{ "deleted since", "usr/bin/app", ID_A, "/usr/bin/app (deleted)", ID_A, 0x401000,
	  MATCH_VERIFIED, "first", "" },
	{ "no build-id, and the code is elsewhere", "app", ID_B, "/usr/bin/app", "", 0x409000,
	  MATCH_MISMATCHED, "", "has no code at the captured addresses" },
	{ "code without a symbol", "app", ID_A, "/usr/bin/app", ID_A, 0x401080, MATCH_NO_SYMBOLS,
	  "", "has no symbols at these addresses" },
};

Test(symbolise, verdicts)
{
	for (size_t i = 0; i < ARRAY_SIZE(match_rows); i++) {
		struct world world;
		struct elf_writer writer = whole();
		module_id module;
		location_id id;

		set_up(&world);
		write_elf(&world, match_rows[i].file, &writer, match_rows[i].file_id);
		module = add_module(&world, MODULE_FILE, match_rows[i].path, match_rows[i].path_id);
		id = add(&world, module, AT(match_rows[i].value), false);
		run(&world);
		cr_expect_eq(get(&world, module)->match, match_rows[i].match, "%s: %d",
			     match_rows[i].what, get(&world, module)->match);
		cr_expect_str_eq(name_of(&world, id), match_rows[i].name, "%s", match_rows[i].what);
		expect_reason(&world, module, match_rows[i].reason);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* Without a build-id the mapped range decides; that of another file is hardly ever the same. */
Test(symbolise, mappings_that_do_not_fit)
{
	static const struct {
		const char *what;
		uint64_t offset, size_bytes;
		bool is_debug_file;
		enum match_status match;
	} rows[] = {
		{ "unknown", 0, 0, false, MATCH_UNVERIFIED },
		{ "the code's page", 0, 0x1000, false, MATCH_UNVERIFIED },
		{ "more code", 0, 0x3000, false, MATCH_MISMATCHED },
		{ "code elsewhere", 0x1000, 0x1000, false, MATCH_MISMATCHED },
		{ "unknown, by the debug file", 0, 0, true, MATCH_UNVERIFIED },
		{ "the code's page, by the debug file", 0, 0x1000, true, MATCH_UNVERIFIED },
		{ "more code, by the debug file", 0, 0x3000, true, MATCH_NO_SYMBOLS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct elf_writer writer = whole();
		struct module *row;
		struct world world;
		module_id module;

		set_up(&world);
		writer.is_debug_file = rows[i].is_debug_file;
		writer.comment = "GCC";
		write_elf(&world, "app", &writer, ID_A);
		module = add_module(&world, MODULE_FILE, "/usr/bin/app",
				    rows[i].is_debug_file ? ID_A : "");
		row = modules_get(&world.modules, module);
		row->mapped_offset = rows[i].offset;
		row->mapped_bytes = rows[i].size_bytes;
		add(&world, module, rows[i].is_debug_file ? 0 : AT(0x401000), false);
		run(&world);
		cr_expect_eq(row->match, rows[i].match, "%s: %d", rows[i].what, row->match);
		cr_expect_eq(row->named_count, rows[i].match == MATCH_UNVERIFIED, "%s",
			     rows[i].what);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* A time of capture: after the file was made, but before the link to it. */
#define JUST_NOW (-1)

/* False if the file system does not record when files were created. */
static bool link_later(const struct world *world, const char *name, const char *link_name)
{
	char path[300];
	struct statx status;

	snprintf(path, sizeof(path), "%s", scratch_path(&world->scratch, name));
	usleep(1100000);
	cr_assert_eq(link(path, scratch_path(&world->scratch, link_name)), 0);
	cr_assert_eq(statx(AT_FDCWD, path, 0, STATX_BTIME, &status), 0);
	return status.stx_mask & STATX_BTIME;
}

/* The file at the captured path, on the machine of the capture. */
Test(symbolise, live_files)
{
	static const struct {
		const char *what;
		bool uses_host, has_inode;
		uint64_t inode_change;
		uint32_t device_change;
		enum match_status match;
		const char *reason;
		int64_t capture_time_s;
	} rows[] = {
		{ "another host", false, true, 0, 0, MATCH_MISSING, "", 0 },
		{ "the same", true, true, 0, 0, MATCH_SAME_FILE, "", 0 },
		{ "replaced", true, true, 1, 0, MATCH_MISMATCHED, "was replaced", 0 },
		{ "btrfs", true, true, 0, 1, MATCH_UNVERIFIED, "the device differs", 0 },
		{ "nothing known", true, false, 0, 0, MATCH_UNVERIFIED,
		  "neither build-id nor inode", 0 },
		{ "written over", true, true, 0, 0, MATCH_MISMATCHED, "has changed", 1 },
		{ "nothing known, and written since", true, false, 0, 0, MATCH_MISMATCHED,
		  "has changed", 1 },
		/* perf record keeps files by making links to them. */
		{ "linked to", true, true, 0, 0, MATCH_UNVERIFIED, "hard link after", JUST_NOW },
		{ "nothing known, and linked to", true, false, 0, 0, MATCH_MISMATCHED,
		  "has changed", JUST_NOW },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world world;
		struct elf_writer writer = whole();
		struct module module = { .kind = MODULE_FILE };
		struct stat status;
		module_id id;

		set_up(&world);
		world.path_count = 0;
		world.options.use_host_files = rows[i].uses_host;
		world.options.capture_time_s = rows[i].capture_time_s;
		write_elf(&world, "app", &writer, "");
		module.path =
			strings_intern_text(&world.strings, scratch_path(&world.scratch, "app"));
		cr_assert_eq(stat(scratch_path(&world.scratch, "app"), &status), 0);
		if (rows[i].capture_time_s == JUST_NOW) {
			world.options.capture_time_s = status.st_ctim.tv_sec;
			if (!link_later(&world, "app", "kept")) {
				tear_down(&world);
				continue;
			}
		}
		if (rows[i].has_inode) {
			module.inode = status.st_ino + rows[i].inode_change;
			module.device_major = major(status.st_dev) + rows[i].device_change;
			module.device_minor = minor(status.st_dev);
		}
		id = modules_intern(&world.modules, &module);
		add(&world, id, AT(0x401000), false);
		run(&world);
		cr_expect_eq(get(&world, id)->match, rows[i].match, "%s", rows[i].what);
		cr_expect_eq(get(&world, id)->named_count,
			     rows[i].match == MATCH_SAME_FILE || rows[i].match == MATCH_UNVERIFIED,
			     "%s", rows[i].what);
		expect_reason(&world, id, rows[i].reason);
		tear_down(&world);
	}
	assert_no_leaks();
}

Test(symbolise, separate_debug_files)
{
	static const struct {
		const char *what;
		bool has_runtime, has_debug;
		const char *comment;
		enum match_status match;
		const char *first, *exported, *reason;
	} rows[] = {
		{ "stripped", true, false, "GCC", MATCH_VERIFIED, "", "exported", "is stripped" },
		{ "both", true, true, "GCC", MATCH_VERIFIED, "first", "exported", "" },
		{ "the debug file alone", false, true, "GCC", MATCH_UNVERIFIED, "first", "",
		  "usual layout of GNU ld" },
		{ "the debug file alone, of lld", false, true, "Linker: LLD 14.0.6",
		  MATCH_NO_SYMBOLS, "", "", "library itself is required" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world world;
		struct elf_writer runtime = {
			.dynamic_symbols = dynamic_symbols,
			.dynamic_symbol_count = ARRAY_SIZE(dynamic_symbols),
		};
		struct elf_writer debug = whole();
		module_id module;
		location_id first, exported;
		/* Without the runtime file, the debug file's own layout is assumed: .text is at its
		 * address. */
		uint64_t shift = rows[i].has_runtime ? TEXT_OFFSET : 0;

		set_up(&world);
		debug.is_debug_file = true;
		debug.comment = rows[i].comment;
		if (rows[i].has_runtime)
			write_elf(&world, "app", &runtime, ID_A);
		if (rows[i].has_debug)
			write_elf(&world, "debug/aa.debug", &debug, ID_A);
		module = add_module(&world, MODULE_FILE, "/usr/bin/app", ID_A);
		first = add(&world, module, shift, false);
		exported = add(&world, module, shift + 0x40, false);
		run(&world);
		cr_expect_eq(get(&world, module)->match, rows[i].match, "%s", rows[i].what);
		cr_expect_str_eq(name_of(&world, first), rows[i].first, "%s", rows[i].what);
		cr_expect_str_eq(name_of(&world, exported), rows[i].exported, "%s", rows[i].what);
		expect_reason(&world, module, rows[i].reason);
		tear_down(&world);
	}
	assert_no_leaks();
}

#define KERNEL 0xffffffff81000000ull
#define EXT4   0xffffffffc0001000ull

static const char kernel_list[] = "ffffffff81000000 T _text\n"
				  "ffffffff81000100 T schedule\n"
				  "ffffffff81000200 t finish_task_switch.isra.0\n"
				  "ffffffff81000300 D data\n"
				  "ffffffffc0001000 t ext4_read\t[ext4]\n";

static const struct {
	const char *what, *file, *text;
	const char *id;     /* of the captured kernel */
	uint64_t reference; /* where _text ran; 0: not known */
	enum match_status match;
	const char *schedule, *task_switch, *ext4, *reason, *module_reason;
} kernel_rows[] = {
	{ "of the same build and boot", ID_A "/kallsyms", kernel_list, ID_A, KERNEL, MATCH_VERIFIED,
	  "schedule", "finish_task_switch", "ext4_read", "", "" },
	{ "of the same build, moved", ID_A "/kallsyms", kernel_list, ID_A, KERNEL + 0x2000000,
	  MATCH_VERIFIED, "schedule", "finish_task_switch", "", "", "different boot" },
	{ "of the same build, and nobody knows where", ID_A "/kallsyms", kernel_list, ID_A, 0,
	  MATCH_UNVERIFIED, "schedule", "finish_task_switch", "ext4_read",
	  "possibly to a different boot", "" },
	{ "of another build", ID_B "/kallsyms", kernel_list, ID_A, KERNEL, MATCH_MISMATCHED, "", "",
	  "", "belongs to build-id " ID_B, "belongs to build-id " ID_B },
	{ "of an unknown build", "kallsyms.txt", kernel_list, ID_A, KERNEL, MATCH_UNVERIFIED,
	  "schedule", "finish_task_switch", "ext4_read", "no build-id to compare", "" },
	{ "neither build is known", "kallsyms", kernel_list, "", KERNEL, MATCH_UNVERIFIED,
	  "schedule", "finish_task_switch", "ext4_read", "no build-id", "" },
	{ "System.map, before any boot", "System.map-6.1", kernel_list, "", KERNEL + 0x1000000,
	  MATCH_UNVERIFIED, "schedule", "finish_task_switch", "", "", "different boot" },
	{ "System.map of another release", "System.map-5.10", kernel_list, "", KERNEL,
	  MATCH_MISMATCHED, "", "", "", "different kernel release", "different kernel release" },
	{ "without what the capture refers to", ID_A "/kallsyms", kernel_list + 25, ID_A, KERNEL,
	  MATCH_MISMATCHED, "", "", "", "does not contain the symbol",
	  "does not contain the symbol" },
	{ "a module that was reloaded since", ID_A "/kallsyms",
	  "ffffffff81000000 T _text\n"
	  "ffffffff81000100 T schedule\n"
	  "ffffffff81000200 t finish_task_switch.isra.0\n"
	  "ffffffff81000300 D data\n"
	  "ffffffffc0000ff8 t ext4_open\t[ext4]\n"
	  "ffffffffc0001000 t ext4_read\t[ext4]\n",
	  ID_A, KERNEL, MATCH_VERIFIED, "schedule", "finish_task_switch", "", "", "was reloaded" },
	{ "hidden", "kallsyms", "0000000000000000 T _text\n0000000000000000 T schedule\n", "",
	  KERNEL, MATCH_NO_SYMBOLS, "", "", "", "kptr_restrict", "kptr_restrict" },
	{ "no list", "kallsyms", "nonsense\n", "", KERNEL, MATCH_CORRUPT, "", "", "",
	  "is not a list", "" },
	{ "nothing", "README", "hello\n", ID_A, KERNEL, MATCH_MISSING, "", "", "", ID_A, ID_A },
};

#ifdef HAVE_LZMA
/* Names of a stripped file's own functions, which are in a compressed section of the file. */
Test(symbolise, packed_symbols)
{
	static const struct {
		size_t cut_bytes; /* of the compressed data */
		const char *first, *reason;
	} rows[] = { { 0, "first", "" }, { 20, "", "the xz data is truncated" } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct elf_writer inner = whole();
		struct elf_writer_section section = { .name = ".gnu_debugdata",
						      .type = SHT_PROGBITS };
		struct elf_writer runtime = {
			.dynamic_symbols = dynamic_symbols,
			.dynamic_symbol_count = ARRAY_SIZE(dynamic_symbols),
			.more = &section,
			.more_count = 1,
		};
		struct world world;
		location_id first, exported;
		unsigned char *bytes, *packed;
		module_id module;
		size_t size;

		set_up(&world);
		inner.is_debug_file = true;
		inner.text_offset = TEXT_OFFSET;
		inner.text_address = TEXT_ADDRESS;
		inner.text_bytes = 0x100;
		bytes = elf_writer_write(&inner, &size);
		packed = xz_pack(bytes, size, &section.size_bytes);
		section.bytes = packed;
		section.size_bytes -= rows[i].cut_bytes;
		write_elf(&world, "app", &runtime, ID_A);
		module = add_module(&world, MODULE_FILE, "/usr/bin/app", ID_A);
		first = add(&world, module, TEXT_OFFSET, false);
		exported = add(&world, module, TEXT_OFFSET + 0x40, false);
		run(&world);
		cr_expect_str_eq(name_of(&world, first), rows[i].first);
		cr_expect_str_eq(name_of(&world, exported), "exported");
		cr_expect_eq(get(&world, module)->match, MATCH_VERIFIED);
		expect_reason(&world, module, rows[i].reason);
		memory_free(packed);
		memory_free(bytes);
		tear_down(&world);
	}
	assert_no_leaks();
}
#endif

Test(symbolise, kernels)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_rows); i++) {
		struct module kernel = { .kind = MODULE_KERNEL,
					 .reference_address = kernel_rows[i].reference };
		uint64_t base = kernel_rows[i].reference ? kernel_rows[i].reference : KERNEL;
		struct world world;
		module_id kernel_id, ext4_id;
		location_id schedule, task_switch, data, ext4, stray;

		set_up(&world);
		scratch_write(&world.scratch, kernel_rows[i].file, kernel_rows[i].text,
			      strlen(kernel_rows[i].text));
		kernel.path = strings_intern_text(&world.strings, "[kernel.kallsyms]");
		kernel.reference_symbol = strings_intern_text(&world.strings, "_text");
		build_id_parse(text_of(kernel_rows[i].id), &kernel.build_id);
		kernel_id = modules_intern(&world.modules, &kernel);
		ext4_id = add_module(&world, MODULE_KERNEL_MODULE,
				     "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz", ID_B);
		modules_get(&world.modules, ext4_id)->start = EXT4;
		modules_get(&world.modules, ext4_id)->end = EXT4 + 0x1000;
		world.options.os_release = "6.1";
		schedule = add(&world, kernel_id, base + 0x200, true); /* its last byte's call */
		task_switch = add(&world, kernel_id, base + 0x200, false);
		data = add(&world, kernel_id, base + 0x300, false);
		ext4 = add(&world, ext4_id, EXT4 + 8, false);
		stray = add(&world, kernel_id, EXT4 + 8, false); /* a module's, not the kernel's */
		run(&world);
		cr_expect_eq(get(&world, kernel_id)->match, kernel_rows[i].match, "%s: %d",
			     kernel_rows[i].what, get(&world, kernel_id)->match);
		cr_expect_str_eq(name_of(&world, schedule), kernel_rows[i].schedule, "%s",
				 kernel_rows[i].what);
		cr_expect_str_eq(name_of(&world, task_switch), kernel_rows[i].task_switch, "%s",
				 kernel_rows[i].what);
		cr_expect_str_eq(name_of(&world, ext4), kernel_rows[i].ext4, "%s",
				 kernel_rows[i].what);
		cr_expect_str_eq(name_of(&world, data), "", "%s", kernel_rows[i].what);
		cr_expect_str_eq(name_of(&world, stray), "", "%s", kernel_rows[i].what);
		expect_reason(&world, kernel_id, kernel_rows[i].reason);
		expect_reason(&world, ext4_id, kernel_rows[i].module_reason);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* A kernel image has its link address; the capture has the address where it ran. */
Test(symbolise, kernel_image)
{
	static const struct elf_writer_symbol image[] = {
		{ "_text", TEXT_ADDRESS, 0, STT_NOTYPE, STB_GLOBAL, 0, ELF_WRITER_TEXT },
		{ "schedule", TEXT_ADDRESS + 0x10, 0x10, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	};
	struct elf_writer writer = { .symbols = image, .symbol_count = ARRAY_SIZE(image) };
	struct module kernel = { .kind = MODULE_KERNEL, .reference_address = KERNEL };
	struct world world;
	module_id module;
	location_id id;

	set_up(&world);
	write_elf(&world, "boot/vmlinux", &writer, ID_A);
	kernel.path = strings_intern_text(&world.strings, "[kernel.kallsyms]");
	kernel.reference_symbol = strings_intern_text(&world.strings, "_text");
	build_id_parse(text_of(ID_A), &kernel.build_id);
	module = modules_intern(&world.modules, &kernel);
	id = add(&world, module, KERNEL + 0x18, false);
	run(&world);
	cr_expect_str_eq(name_of(&world, id), "schedule");
	cr_expect_eq(world.locations.rows.at[id.i].symbol_start, KERNEL + 0x10);
	cr_expect_eq(get(&world, module)->match, MATCH_VERIFIED);
	tear_down(&world);
	assert_no_leaks();
}

/* Padding in front of a function cannot have called anything. */
Test(symbolise, interrupted_at_the_first_instruction)
{
	static const char list[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000100 t caller\n"
				   "ffffffff81000110 t __pfx_strchr\n"
				   "ffffffff81000120 T strchr\n"
				   "ffffffff81000130 t memset\n";
	struct world world;
	module_id kernel;
	location_id at_padding, at_strchr, at_memset, in_padding;

	set_up(&world);
	scratch_write(&world.scratch, "kallsyms", list, strlen(list));
	kernel = add_module(&world, MODULE_KERNEL, "[kernel.kallsyms]", "");
	at_padding = add(&world, kernel, KERNEL + 0x110, true);
	at_strchr = add(&world, kernel, KERNEL + 0x120, true);
	at_memset = add(&world, kernel, KERNEL + 0x130, true);
	in_padding = add(&world, kernel, KERNEL + 0x11f, false);
	run(&world);
	cr_expect_str_eq(name_of(&world, at_padding), "caller");
	cr_expect_str_eq(name_of(&world, at_strchr), "strchr");
	cr_expect_eq(world.locations.rows.at[at_strchr.i].symbol_start, KERNEL + 0x120);
	cr_expect_str_eq(name_of(&world, at_memset), "strchr");
	cr_expect_str_eq(name_of(&world, in_padding), "__pfx_strchr");
	tear_down(&world);
	assert_no_leaks();
}

/* A name that is longer than any compiler's is truncated, and marked as truncated. */
Test(symbolise, endless_names)
{
	struct world world;
	struct module jit = { .kind = MODULE_ANONYMOUS, .pid = 7 };
	char map[LIMIT_SYMBOL_BYTES + 100];
	module_id module;
	location_id id;
	const char *name;

	set_up(&world);
	memset(map, 'x', sizeof(map));
	memcpy(map, "1000 10 ", 8);
	map[sizeof(map) - 1] = '\n';
	scratch_write(&world.scratch, "perf-7.map", map, sizeof(map));
	module = modules_intern(&world.modules, &jit);
	id = add(&world, module, 0x1000, false);
	run(&world);
	name = name_of(&world, id);
	cr_assert_eq(strlen(name), LIMIT_SYMBOL_BYTES);
	cr_expect_str_eq(name + LIMIT_SYMBOL_BYTES - 4, "x...");
	tear_down(&world);
	assert_no_leaks();
}

Test(symbolise, what_is_no_file)
{
	struct world world;
	struct module bpf = { .kind = MODULE_KSYMBOL, .start = 0xffffffffc0100000 };
	struct module jit = { .kind = MODULE_ANONYMOUS, .pid = 42 };
	struct module other_jit = { .kind = MODULE_ANONYMOUS, .pid = 43 };
	module_id special, untouched, bpf_id, jit_id, other_id;
	location_id in_special, in_bpf, in_jit, in_suffixed, in_other;

	set_up(&world);
	scratch_write(&world.scratch, "tmp/perf-42.map",
		      "7000 10 old\n7000 10 Lnew;run\n8000 10 run@cache.warm\n", 52);
	bpf.path = strings_intern_text(&world.strings, "bpf_prog_6deef7357e7b4530_count");
	jit.path = other_jit.path = strings_intern_text(&world.strings, "//anon");
	special = add_module(&world, MODULE_SPECIAL, "[vsyscall]", "");
	untouched = add_module(&world, MODULE_FILE, "/usr/bin/idle", ID_A);
	bpf_id = modules_intern(&world.modules, &bpf);
	jit_id = modules_intern(&world.modules, &jit);
	other_id = modules_intern(&world.modules, &other_jit);
	in_special = add(&world, special, 0xffffffffff600000, false);
	in_bpf = add(&world, bpf_id, bpf.start + 0x20, true);
	in_jit = add(&world, jit_id, 0x7010, true);
	in_suffixed = add(&world, jit_id, 0x8000, false);
	in_other = add(&world, other_id, 0x7000, false);
	run(&world);
	cr_expect_str_eq(name_of(&world, in_special), "");
	cr_expect_eq(get(&world, special)->match, MATCH_NO_FILE);
	cr_expect_eq(get(&world, untouched)->match, MATCH_NOT_NEEDED);
	cr_expect_eq(get(&world, untouched)->location_count, 0);
	cr_expect_str_eq(name_of(&world, in_bpf), "bpf_prog_6deef7357e7b4530_count");
	cr_expect_eq(world.locations.rows.at[in_bpf.i].symbol_start, bpf.start);
	cr_expect_eq(get(&world, bpf_id)->match, MATCH_NO_FILE);
	cr_expect_str_eq(name_of(&world, in_jit), "Lnew;run");
	/* The suffix stays, since no linker could have appended it. */
	cr_expect_str_eq(name_of(&world, in_suffixed), "run@cache.warm");
	cr_expect_eq(get(&world, jit_id)->match, MATCH_UNVERIFIED);
	cr_expect_str_eq(name_of(&world, in_other), "");
	cr_expect_eq(get(&world, other_id)->match, MATCH_MISSING);
	expect_reason(&world, other_id, "no perf-43.map was found");
	tear_down(&world);
	assert_no_leaks();
}

/* Process ids are reused: of two maps of one id, only one can be right. */
Test(symbolise, maps_that_contradict_each_other)
{
	static const char one[] = "7000 10 one\n";
	static const char two[] = "7000 10 two\n";
	static const struct {
		const char *what, *other;
		const char *explicit_name; /* which the user named; NULL: neither */
		enum match_status match;
		const char *name;
	} rows[] = {
		{ "equal", one, NULL, MATCH_UNVERIFIED, "one" },
		{ "different", two, NULL, MATCH_MISMATCHED, "" },
		{ "different, and the user names one", two, "b/perf-7.map", MATCH_UNVERIFIED,
		  "two" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module jit = { .kind = MODULE_ANONYMOUS, .pid = 7 };
		struct world world;
		char named[512];
		module_id module;
		location_id id;

		set_up(&world);
		scratch_write(&world.scratch, "a/perf-7.map", one, strlen(one));
		scratch_write(&world.scratch, "b/perf-7.map", rows[i].other, strlen(two));
		if (rows[i].explicit_name) {
			snprintf(named, sizeof(named), "%s",
				 scratch_path(&world.scratch, rows[i].explicit_name));
			world.paths[1] = named;
			world.path_count = 2;
		}
		module = modules_intern(&world.modules, &jit);
		id = add(&world, module, 0x7001, false);
		run(&world);
		cr_expect_str_eq(name_of(&world, id), rows[i].name, "%s", rows[i].what);
		cr_expect_eq(get(&world, module)->match, rows[i].match, "%s", rows[i].what);
		if (rows[i].match == MATCH_MISMATCHED)
			expect_reason(&world, module, "b/perf-7.map differ");
		tear_down(&world);
	}
	assert_no_leaks();
}

Test(symbolise, nothing_at_all)
{
	struct world world;

	set_up(&world);
	run(&world);
	/* Only reports that the directory is empty. */
	cr_expect_eq(world.strings.rows.count, 2);
	cr_expect_eq(world.modules.notes.count, 1);
	tear_down(&world);
	assert_no_leaks();
}

/* Ids, names and reasons are the same for any number of threads. */
Test(symbolise, threads_cannot_be_seen)
{
	static const unsigned thread_counts[] = { 1, 2, 7 };
	struct text expected[512];
	size_t expected_count = 0;
	struct strings kept;

	strings_init(&kept);
	for (size_t round = 0; round < ARRAY_SIZE(thread_counts); round++) {
		struct world world;

		set_up(&world);
		world.options.thread_count = thread_counts[round];
		for (unsigned i = 0; i < 20; i++) {
			char name[32];
			struct elf_writer_symbol own = symbols[0];
			struct elf_writer writer = { .symbols = &own, .symbol_count = 1 };
			module_id module;

			snprintf(name, sizeof(name), "function_%u", i % 13);
			own.name = name;
			snprintf(name + 16, 16, "lib%u.so", i);
			write_elf(&world, name + 16, &writer, "");
			module = add_module(&world, MODULE_FILE, name + 16, i % 3 ? "" : ID_A);
			for (unsigned k = 0; k < 0x30; k++)
				add(&world, module, AT(0x401000 + k), k % 2);
		}
		run(&world);
		if (round == 0)
			expected_count = world.strings.rows.count;
		cr_assert_eq(world.strings.rows.count, expected_count);
		cr_assert_leq(expected_count, ARRAY_SIZE(expected));
		/* Reasons contain the directory, which differs each time. */
		for (size_t i = 0; i < expected_count; i++) {
			struct text text = world.strings.rows.at[i];
			const char *directory = strstr(text.at, world.scratch.path);

			if (directory)
				text = text_of(directory + strlen(world.scratch.path));
			if (round == 0)
				expected[i] = strings_get(
					&kept, strings_intern(&kept, text.at, text.length));
			cr_expect(text_equal(text, expected[i]), "%u threads, string %zu: %s",
				  thread_counts[round], i, text.at);
		}
		tear_down(&world);
	}
	strings_deinit(&kept);
	assert_no_leaks();
}
