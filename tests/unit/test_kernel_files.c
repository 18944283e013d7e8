/* SPDX-License-Identifier: MIT */
#include "symbolise/kernel/kernel.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <inttypes.h>

#include "object/module_layout.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/packer.h"
#include "tests/support/scratch.h"
#include "tests/support/symbolise_paths.h"

#define ID_A    "aa00000000000000000000000000000000000001"
#define ID_B    "bb00000000000000000000000000000000000002"
#define RELEASE "6.1.0-18-amd64"
#define KERNEL  0xffffffff81000000ull
#define EXT4    0xffffffffc0001000ull

#define INIT_TEXT 10
#define EXIT_TEXT 11

struct world {
	struct scratch scratch;
	struct modules modules;
	struct locations locations;
	struct strings strings;
	char path_texts[3][512];
	const char *paths[3];
	size_t path_count;
	struct symbolise_options options;
	module_id kernel, ext4;
	location_id in_kernel, in_ext4;
};

static module_id add_module(struct world *world, enum module_kind kind, const char *path,
			    const char *hex)
{
	struct module module = { .kind = kind, .path = strings_intern_text(&world->strings, path) };

	build_id_parse(text_of(hex), &module.build_id);
	if (kind == MODULE_KERNEL) {
		module.reference_symbol = strings_intern_text(&world->strings, "_text");
		module.reference_address = KERNEL;
		module.start = KERNEL;
		module.end = KERNEL + 0x1234;
	} else {
		module.start = EXT4;
		module.end = EXT4 + 0x1000;
	}
	return modules_intern(&world->modules, &module);
}

static void set_up(struct world *world, const char *kernel_id, const char *module_path,
		   const char *id)
{
	*world = (struct world){ .options = { .thread_count = 1, .os_release = RELEASE } };
	scratch_open(&world->scratch);
	modules_init(&world->modules);
	locations_init(&world->locations);
	strings_init(&world->strings);
	for (size_t i = 0; i < ARRAY_SIZE(world->paths); i++)
		world->paths[i] = world->path_texts[i];
	world->kernel = add_module(world, MODULE_KERNEL, "[kernel.kallsyms]", kernel_id);
	world->ext4 = add_module(world, MODULE_KERNEL_MODULE, module_path, id);
	world->in_kernel = locations_intern(&world->locations, world->kernel, KERNEL + 0x18, false);
	world->in_ext4 = locations_intern(&world->locations, world->ext4, EXT4 + 0x18, false);
}

static void tear_down(struct world *world)
{
	modules_deinit(&world->modules);
	locations_deinit(&world->locations);
	strings_deinit(&world->strings);
	scratch_close(&world->scratch);
}

static void offer(struct world *world, const char *name)
{
	snprintf(world->path_texts[world->path_count++], sizeof(world->path_texts[0]), "%s",
		 scratch_path(&world->scratch, name));
}

static void run(struct world *world)
{
	symbolise_paths(&world->modules, &world->locations, &world->strings, &world->options,
			world->paths, world->path_count);
}

static const char *name_of(const struct world *world, location_id id)
{
	const struct location *row = &world->locations.rows.at[id.i];

	return row->is_named ? strings_text(&world->strings, row->name) : "";
}

static const struct elf_writer_section module_sections[] = {
	{ .name = ".init.text",
	  .type = SHT_PROGBITS,
	  .flags = SHF_ALLOC | SHF_EXECINSTR,
	  .bytes = "12345678",
	  .size_bytes = 8 },
	{ .name = ".exit.text",
	  .type = SHT_PROGBITS,
	  .flags = SHF_ALLOC | SHF_EXECINSTR,
	  .bytes = "12345678",
	  .size_bytes = 8 },
};

static const struct elf_writer_symbol module_symbols[] = {
	{ "ext4_read", 0x10, 0x10, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "ext4_init", 0, 8, STT_FUNC, STB_LOCAL, 0, INIT_TEXT },
	{ "ext4_exit", 0, 8, STT_FUNC, STB_LOCAL, 0, EXIT_TEXT },
};

static unsigned char *write_module(const char *hex, size_t *size_ret)
{
	struct build_id id = { .size_bytes = 0 };
	struct elf_writer writer = {
		.type = ET_REL,
		.has_no_segments = true,
		.text_offset = 0x200,
		.text_bytes = 0x80,
		.symbols = module_symbols,
		.symbol_count = ARRAY_SIZE(module_symbols),
		.more = module_sections,
		.more_count = ARRAY_SIZE(module_sections),
	};

	build_id_parse(text_of(hex), &id);
	writer.build_id = *hex ? id.bytes : NULL;
	writer.build_id_bytes = id.size_bytes;
	return elf_writer_write(&writer, size_ret);
}

Test(kernel_files, module_layout)
{
	size_t size;
	unsigned char *bytes = write_module("", &size);
	struct elf_file elf;
	struct error err;

	cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
	cr_expect_eq(module_layout_bytes(&elf), 0x88);
	elf.sections.at[EXIT_TEXT].alignment = 0x40;
	cr_expect_eq(module_layout_bytes(&elf), 0x88);
	elf.sections.at[EXIT_TEXT].alignment = 0x100;
	cr_expect_eq(module_layout_bytes(&elf), 0x108);
	module_layout_place(&elf);
	cr_expect_eq(elf.sections.at[ELF_WRITER_TEXT].address, 0);
	cr_expect(elf.sections.at[ELF_WRITER_TEXT].is_loaded);
	cr_expect_not(elf.sections.at[ELF_WRITER_DATA].is_loaded);
	cr_expect_not(elf.sections.at[INIT_TEXT].is_loaded);
	cr_expect_eq(elf.sections.at[EXIT_TEXT].address, 0x100);
	elf.sections.at[EXIT_TEXT].is_loaded = true;
	elf.sections.at[EXIT_TEXT].size_bytes = UINT64_MAX;
	cr_expect_eq(module_layout_bytes(&elf), UINT64_MAX);
	module_layout_place(&elf);
	cr_expect_not(elf.sections.at[EXIT_TEXT].is_loaded);
	elf_close(&elf);
	memory_free(bytes);
	assert_no_leaks();
}

static const struct {
	const char *what, *file;
	enum codec packing;
	const char *file_id, *captured, *captured_id;
	enum match_status match;
	bool is_named;
} module_rows[] = {
	{ "by build-id", "anything", CODEC_NONE, ID_A, "[ext4]", ID_A, MATCH_VERIFIED, true },
	{ "by name, of another build-id", "ext4.ko", CODEC_NONE, ID_B, "[ext4]", ID_A,
	  MATCH_MISMATCHED, false },
	{ "by path", "lib/modules/" RELEASE "/kernel/ext4.ko", CODEC_NONE, "",
	  "/lib/modules/" RELEASE "/kernel/ext4.ko", "", MATCH_UNVERIFIED, true },
	{ "by name and release", "x/" RELEASE "/ext4.ko", CODEC_NONE, "", "[ext4]", "",
	  MATCH_UNVERIFIED, true },
	{ "by name, of any release", "x/ext4.ko", CODEC_NONE, "", "[ext4]", "", MATCH_MISMATCHED,
	  false },
#ifdef HAVE_LZMA
	{ "compressed, by path", "lib/modules/" RELEASE "/kernel/ext4.ko.xz", CODEC_XZ, ID_A,
	  "/lib/modules/" RELEASE "/kernel/ext4.ko.xz", ID_A, MATCH_VERIFIED, true },
	{ "of perf's cache", "ext4.ko.xz/" ID_A "/elf", CODEC_XZ, ID_A, "[ext4]", ID_A,
	  MATCH_VERIFIED, true },
	{ "of perf's cache, and not what the directory says", "ext4.ko.xz/" ID_A "/elf", CODEC_XZ,
	  ID_B, "[ext4]", ID_A, MATCH_MISMATCHED, false },
#endif
#ifdef HAVE_ZLIB
	{ "compressed, by name", "ext4.ko.gz", CODEC_GZIP, ID_A, "[ext4]", ID_A, MATCH_VERIFIED,
	  true },
#endif
#ifdef HAVE_ZSTD
	{ "compressed in another way than captured", "lib/modules/x/ext4.ko.zst", CODEC_ZSTD, ID_A,
	  "/lib/modules/" RELEASE "/kernel/ext4.ko.xz", ID_A, MATCH_VERIFIED, true },
	{ "compressed, of another build-id", "ext4.ko.zst", CODEC_ZSTD, ID_B, "[ext4]", ID_A,
	  MATCH_MISMATCHED, false },
#endif
};

Test(kernel_files, modules)
{
	for (size_t i = 0; i < ARRAY_SIZE(module_rows); i++) {
		struct world world;
		size_t size;
		unsigned char *bytes = write_module(module_rows[i].file_id, &size);
		const struct module *module;

		if (module_rows[i].packing != CODEC_NONE) {
			unsigned char *packed = pack(module_rows[i].packing, bytes, size, &size);

			memory_free(bytes);
			bytes = packed;
		}
		set_up(&world, ID_A, module_rows[i].captured, module_rows[i].captured_id);
		scratch_write(&world.scratch, module_rows[i].file, bytes, size);
		memory_free(bytes);
		offer(&world, "");
		run(&world);
		module = modules_get(&world.modules, world.ext4);
		cr_expect_eq(module->match, module_rows[i].match, "%s: %d: %s", module_rows[i].what,
			     module->match, strings_text(&world.strings, module->reason));
		cr_expect_str_eq(name_of(&world, world.in_ext4),
				 module_rows[i].is_named ? "ext4_read" : "", "%s",
				 module_rows[i].what);
		cr_expect_str_eq(name_of(&world, world.in_kernel), "");
		tear_down(&world);
	}
	assert_no_leaks();
}

/* Files that have the name of the module, or even its build-id, but cannot name its addresses. */
Test(kernel_files, unsuitable_modules)
{
	static const struct {
		uint16_t type;
		uint64_t text_bytes;
		size_t first_symbol;
		const char *id;
		enum match_status match;
		const char *reason;
	} rows[] = {
		{ ET_DYN, 0x80, 0, ID_A, MATCH_MISMATCHED, "is not a kernel module" },
		{ ET_REL, 0x1000, 0, "", MATCH_MISMATCHED, "contains more code than was loaded" },
		{ ET_REL, 0xff8, 0, "", MATCH_UNVERIFIED,
		  "has the same name and kernel release, but the capture has no build-id" },
		{ ET_REL, 0x80, 1, ID_A, MATCH_NO_SYMBOLS, "has no symbols at these addresses" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct build_id id = { .size_bytes = 0 };
		struct elf_writer writer = { .type = rows[i].type,
					     .has_no_segments = true,
					     .text_offset = 0x200,
					     .text_bytes = rows[i].text_bytes,
					     .symbols = module_symbols + rows[i].first_symbol,
					     .symbol_count = ARRAY_SIZE(module_symbols) -
							     rows[i].first_symbol,
					     .more = module_sections,
					     .more_count = ARRAY_SIZE(module_sections) };
		const struct module *module;
		struct world world;
		unsigned char *bytes;
		size_t size;

		build_id_parse(text_of(rows[i].id), &id);
		writer.build_id = *rows[i].id ? id.bytes : NULL;
		writer.build_id_bytes = id.size_bytes;
		bytes = elf_writer_write(&writer, &size);
		set_up(&world, ID_B, "[ext4]", rows[i].id);
		scratch_write(&world.scratch, "x/" RELEASE "/ext4.ko", bytes, size);
		memory_free(bytes);
		offer(&world, "");
		run(&world);
		module = modules_get(&world.modules, world.ext4);
		cr_expect_eq(module->match, rows[i].match, "row %zu: %d", i, module->match);
		cr_expect(strstr(strings_text(&world.strings, module->reason), rows[i].reason),
			  "row %zu: %s", i, strings_text(&world.strings, module->reason));
		cr_expect_str_eq(name_of(&world, world.in_ext4),
				 rows[i].match == MATCH_UNVERIFIED ? "ext4_read" : "", "row %zu",
				 i);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* A file name with "-" and one with "_" are names of the same module. */
Test(kernel_files, spelling_of_modules)
{
	static const char *const files[] = { "nf-conntrack.ko", "nf_conntrack.ko.xz", "nf.ko",
					     "nf_conntrack_ftp.ko" };
	struct file_index index;
	struct scratch scratch;
	struct index_matches run;
	size_t size;
	unsigned char *bytes = write_module(ID_A, &size);

	scratch_open(&scratch);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		scratch_write(&scratch, files[i], bytes, size);
	file_index_init(&index);
	cr_assert(file_index_add(&index, scratch.path));
	file_index_finish(&index);
	run = file_index_find_module(&index, text_of("nf_conntrack"));
	cr_assert_eq(run.count, 2);
	cr_expect(text_has_suffix(run.at[0]->path, "/nf-conntrack.ko"));
	cr_expect(text_has_suffix(run.at[1]->path, "/nf_conntrack.ko.xz"));
	cr_expect_eq(file_index_find_module(&index, text_of("ext4")).count, 0);
	file_index_deinit(&index);
	scratch_close(&scratch);
	memory_free(bytes);
	assert_no_leaks();
}

static const struct {
	const char *what, *file;
	const char *file_id, *captured_id;
	uint64_t text_end; /* 0: not in the image */
	bool is_explicit;
	enum match_status match;
	bool is_named;
} image_rows[] = {
	{ "by build-id", "x", ID_A, ID_A, 0, false, MATCH_VERIFIED, true },
	{ "of another build-id", "boot/vmlinux-" RELEASE, ID_B, ID_A, 0, false, MATCH_MISMATCHED,
	  false },
	{ "named by the user, of another build-id", "vmlinux", ID_B, ID_A, 0, true,
	  MATCH_MISMATCHED, false },
	{ "in a debug root", "usr/lib/debug/boot/vmlinux-" RELEASE, "", "", 0, false,
	  MATCH_UNVERIFIED, true },
	{ "in another debug root", "usr/lib/debug/lib/modules/" RELEASE "/vmlinux", "", "", 0,
	  false, MATCH_UNVERIFIED, true },
	{ "where it was built", "lib/modules/" RELEASE "/build/vmlinux", "", "", 0, false,
	  MATCH_UNVERIFIED, true },
	{ "of the same size", "boot/vmlinux-" RELEASE, "", "", 0x1234, false, MATCH_UNVERIFIED,
	  true },
	{ "of another size", "boot/vmlinux-" RELEASE, "", "", 0x1235, false, MATCH_MISMATCHED,
	  false },
	{ "of another release", "boot/vmlinux-6.1.0-17-amd64", "", "", 0, false, MATCH_MISSING,
	  false },
	{ "named by the user", "vmlinux", "", "", 0, true, MATCH_UNVERIFIED, true },
	{ "without a build-id", "boot/vmlinux-" RELEASE, "", ID_A, 0, false, MATCH_MISMATCHED,
	  false },
};

Test(kernel_files, images)
{
	for (size_t i = 0; i < ARRAY_SIZE(image_rows); i++) {
		struct elf_writer_symbol symbols[] = {
			{ "_text", 0x1000000, 0, STT_NOTYPE, STB_GLOBAL, 0, ELF_WRITER_TEXT },
			{ "schedule", 0x1000010, 0x10, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
			{ "_etext", 0x1000000 + image_rows[i].text_end, 0, STT_NOTYPE, STB_GLOBAL,
			  0, ELF_WRITER_TEXT },
		};
		struct build_id id = { .size_bytes = 0 };
		struct elf_writer writer = { .type = ET_EXEC,
					     .text_address = 0x1000000,
					     .text_offset = 0x200,
					     .text_bytes = 0x2000,
					     .symbols = symbols,
					     .symbol_count = image_rows[i].text_end ? 3 : 2 };
		const struct module *module;
		struct world world;
		unsigned char *bytes;
		size_t size;

		build_id_parse(text_of(image_rows[i].file_id), &id);
		writer.build_id = id.size_bytes ? id.bytes : NULL;
		writer.build_id_bytes = id.size_bytes;
		bytes = elf_writer_write(&writer, &size);
		set_up(&world, image_rows[i].captured_id, "[ext4]", "");
		scratch_write(&world.scratch, image_rows[i].file, bytes, size);
		memory_free(bytes);
		offer(&world, image_rows[i].is_explicit ? image_rows[i].file : "");
		run(&world);
		module = modules_get(&world.modules, world.kernel);
		cr_expect_eq(module->match, image_rows[i].match, "%s: %d: %s", image_rows[i].what,
			     module->match, strings_text(&world.strings, module->reason));
		cr_expect_str_eq(name_of(&world, world.in_kernel),
				 image_rows[i].is_named ? "schedule" : "", "%s",
				 image_rows[i].what);
		tear_down(&world);
	}
	assert_no_leaks();
}

static const char right[] = "ffffffff81000000 T _text\n"
			    "ffffffff81000010 T schedule\n"
			    "ffffffff81001234 T _etext\n";
static const char moved[] = "ffffffff91000000 T _text\n"
			    "ffffffff91000010 T schedule\n"
			    "ffffffff91001234 T _etext\n";
static const char larger[] = "ffffffff81000000 T _text\n"
			     "ffffffff81000010 T wrong\n"
			     "ffffffff81001238 T _etext\n";
static const char other[] = "ffffffff81000000 T _text\n"
			    "ffffffff81000010 T other\n";

/* Lists without a build-id. */
static const struct {
	const char *what, *first, *second;
	bool is_explicit[2];
	enum match_status match;
	const char *name;
} list_rows[] = {
	{ "one", right, NULL, { true }, MATCH_UNVERIFIED, "schedule" },
	{ "one, of another boot", moved, NULL, { true }, MATCH_UNVERIFIED, "schedule" },
	{ "one, of a kernel of another size", larger, NULL, { true }, MATCH_MISMATCHED, "" },
	{ "one, of a kernel of unknown size", other, NULL, { true }, MATCH_UNVERIFIED, "other" },
	{ "one, not named", right, NULL, { false }, MATCH_UNVERIFIED, "schedule" },
	{ "two of one content", right, right, { true, true }, MATCH_UNVERIFIED, "schedule" },
	{ "two that differ", right, other, { true, true }, MATCH_MISMATCHED, "" },
	{ "two, of which one can be right",
	  right,
	  larger,
	  { true, true },
	  MATCH_UNVERIFIED,
	  "schedule" },
	{ "two, of which the other can be right",
	  larger,
	  right,
	  { true, true },
	  MATCH_UNVERIFIED,
	  "schedule" },
	{ "two, of which one is named", right, other, { false, true }, MATCH_UNVERIFIED, "other" },
	{ "two, of which none is named", right, other, { false, false }, MATCH_MISMATCHED, "" },
};

Test(kernel_files, lists)
{
	for (size_t i = 0; i < ARRAY_SIZE(list_rows); i++) {
		static const char *const names[][2] = { { "d0/kallsyms", "d0" },
							{ "d1/kallsyms", "d1" } };
		const char *texts[] = { list_rows[i].first, list_rows[i].second };
		const struct module *module;
		struct world world;

		set_up(&world, ID_A, "[ext4]", "");
		for (size_t k = 0; k < ARRAY_SIZE(texts) && texts[k]; k++) {
			scratch_write(&world.scratch, names[k][0], texts[k], strlen(texts[k]));
			offer(&world, names[k][list_rows[i].is_explicit[k] ? 0 : 1]);
		}
		run(&world);
		module = modules_get(&world.modules, world.kernel);
		cr_expect_eq(module->match, list_rows[i].match, "%s: %d: %s", list_rows[i].what,
			     module->match, strings_text(&world.strings, module->reason));
		cr_expect_str_eq(name_of(&world, world.in_kernel), list_rows[i].name, "%s",
				 list_rows[i].what);
		/* Equal lists are as good as one. */
		cr_expect_geq(module->searched_count, texts[1] && texts[0] != texts[1] ? 2u : 1u,
			      "%s", list_rows[i].what);
		tear_down(&world);
	}
	assert_no_leaks();
}

/* Modules are named by one list, whatever the order of their addresses. */
Test(kernel_files, later_modules_at_lower_addresses)
{
	location_id ids[16];
	struct world world;
	struct sink list;

	sink_init_memory(&list);
	sink_puts(&list, "ffffffff81000000 T _text\n");
	set_up(&world, ID_A, "[ext4]", "");
	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++) {
		struct module module = *modules_get(&world.modules, world.ext4);
		char path[16];

		snprintf(path, sizeof(path), "[m%u]", i);
		module.path = strings_intern_text(&world.strings, path);
		module.start = EXT4 - 0x1000 * (i + 1);
		module.end = module.start + 0x1000;
		ids[i] = locations_intern(&world.locations, modules_intern(&world.modules, &module),
					  module.start + 0x18, false);
		sink_printf(&list, "%" PRIx64 " t f%u\t%s\n", module.start + 0x10, i, path);
	}
	scratch_write(&world.scratch, "kallsyms", list.buffer, list.used);
	offer(&world, "kallsyms");
	run(&world);
	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		cr_expect_str_eq(name_of(&world, ids[i]), name);
	}
	tear_down(&world);
	sink_deinit(&list);
	assert_no_leaks();
}

/* The size of the list that was collected. */
static void keep_size(void *context, const struct collected_file *file)
{
	uint64_t *size_bytes = context;

	cr_expect_eq(file->kind, COLLECTED_KALLSYMS);
	*size_bytes = file->size_bytes;
}

/* A slim bundle has only the lines around sampled addresses, by the rules of kiln and of perf. */
Test(kernel_files, a_collected_list_is_slim)
{
	for (int uses_perf_names = 0; uses_perf_names < 2; uses_perf_names++) {
		uint64_t size_bytes = 0;
		const struct collector collector = { .context = &size_bytes,
						     .is_slim = true,
						     .accept = keep_size };
		struct world world;
		struct sink list;

		sink_init_memory(&list);
		sink_puts(&list, right);
		for (unsigned i = 0; i < 400; i++)
			sink_printf(&list, "ffffffff8100%04x t unused_%u\n", 0x100 + 8 * i, i);
		set_up(&world, ID_A, "[ext4]", "");
		world.options.collector = &collector;
		world.options.perf_names = uses_perf_names;
		scratch_write(&world.scratch, "kallsyms", list.buffer, list.used);
		offer(&world, "kallsyms");
		run(&world);
		cr_expect_str_eq(name_of(&world, world.in_kernel), "schedule");
		cr_expect(size_bytes > 0 && size_bytes < 300, "%llu",
			  (unsigned long long)size_bytes);
		tear_down(&world);
		sink_deinit(&list);
	}
	assert_no_leaks();
}

/* The vdso is part of the kernel: this machine's vdso is used only for captures of this kernel. */
Test(kernel_files, vdso)
{
	static const struct {
		const char *what;
		bool has_id, is_own, is_as_wide, uses_host, is_named;
	} rows[] = {
		{ "of this kernel", true, true, true, true, true },
		{ "of another kernel", true, false, true, true, false },
		{ "of another machine", true, true, true, false, false },
		{ "of this machine, and nothing else is known", false, false, true, true, true },
		{ "of programs of another width", false, false, false, true, false },
	};
	struct elf_file own;
	struct error err;
	struct build_id id;
	uint64_t offset;
	bool is_64_bit;

	/* Without a vdso on this machine, there is nothing to compare. */
	if (!elf_open_own_vdso(&own, &err))
		return;
	id = own.build_id;
	is_64_bit = own.is_64_bit;
	offset = own.segments.at[0].file_offset + own.segments.at[0].file_bytes / 2;
	elf_close(&own);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module vdso = { .kind = MODULE_VDSO,
				       .is_32_bit = is_64_bit != rows[i].is_as_wide };
		struct world world;
		module_id module;

		set_up(&world, "", "[ext4]", "");
		vdso.path = strings_intern_text(&world.strings, "[vdso]");
		if (rows[i].has_id)
			vdso.build_id = id;
		if (rows[i].has_id && !rows[i].is_own)
			vdso.build_id.bytes[0] ^= 1;
		module = modules_intern(&world.modules, &vdso);
		/* Some of these addresses are in functions. */
		for (uint64_t at = 0; at < offset; at += 16)
			locations_intern(&world.locations, module, at, false);
		world.options.use_host_files = rows[i].uses_host;
		run(&world);
		cr_expect_eq(modules_get(&world.modules, module)->named_count > 0, rows[i].is_named,
			     "%s", rows[i].what);
		tear_down(&world);
	}
	assert_no_leaks();
}
