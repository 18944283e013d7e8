/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <elf.h>

#include "libparse/perf/abi.h"
#include "render/text/folded.h"
#include "session/session.h"
#include "tests/support/cfi_writer.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"
#include "tests/support/scratch.h"

#define ID           "aa00000000000000000000000000000000000001"
#define OTHER_ID     "bb00000000000000000000000000000000000002"
#define BASE         0x400000
#define CODE(at)     (BASE + 0x1000 + (at))
#define STACK_BASE   0x7ff0
#define KSYMBOL_BASE ((uint64_t)0xffffffffc0000000)
#define REGISTERS    33
#define LR           30
#define SP           31
#define PC           32

static const enum perf_writer_order orders[] = { PERF_WRITER_LITTLE_ENDIAN,
						 PERF_WRITER_BIG_ENDIAN };

static const struct elf_writer_symbol symbols[] = {
	{ "leaf", 0x1000, 0x100, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "framed", 0x1100, 0x100, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "outermost", 0x1200, 0x100, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};

static const struct perf_attr attr = {
	.type = TYPE_SOFTWARE,
	.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN | SAMPLE_REGS_USER |
		       SAMPLE_STACK_USER,
	.sample_period = 1,
	.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	.sample_regs_user = 0x1ffffffff,
	.sample_stack_user = 64,
};

/*
 * Writes an aarch64 program: a leaf, a function with a frame of 32 bytes, and an outermost
 * function.
 */
static void write_program(const struct scratch *scratch, bool is_big_endian)
{
	static const uint8_t beginning[] = { 0x0c, SP, 0 };
	static const uint8_t framed[] = { 0x0e, 32, 0x9e, 1 };
	static const uint8_t outermost[] = { 0x07, LR };
	static const struct writer_common common = {
		.letters = "zR",
		.code_alignment = 4,
		.data_alignment = -8,
		.return_column = LR,
		.program = beginning,
		.program_bytes = sizeof(beginning),
	};
	struct elf_writer_section section = {
		.name = ".eh_frame", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .address = 0x9000
	};
	struct build_id id;
	struct elf_writer file = {
		.is_big_endian = is_big_endian,
		.machine = EM_AARCH64,
		.text_address = 0x1000,
		.text_offset = 0x1000,
		.text_bytes = 0x1000,
		.symbols = symbols,
		.symbol_count = ARRAY_SIZE(symbols),
		.more = &section,
		.more_count = 1,
	};
	struct cfi_writer cfi;
	unsigned char *bytes;
	size_t offset, size;

	cfi_writer_init(&cfi, CFI_EH_FRAME, 8, is_big_endian, section.address);
	offset = cfi_writer_common(&cfi, &common);
	cfi_writer_function(&cfi, offset, 0x1000, 0x100, beginning, 0);
	cfi_writer_function(&cfi, offset, 0x1100, 0x100, framed, sizeof(framed));
	cfi_writer_function(&cfi, offset, 0x1200, 0x100, outermost, sizeof(outermost));
	section.bytes = cfi.bytes.at;
	section.size_bytes = cfi.bytes.count;
	cr_assert(build_id_parse(text_of(ID), &id));
	file.build_id = id.bytes;
	file.build_id_bytes = id.size_bytes;
	bytes = elf_writer_write(&file, &size);
	scratch_write(scratch, "program", bytes, size);
	memory_free(bytes);
	cfi_writer_deinit(&cfi);
}

static void begin(struct perf_writer *writer, enum perf_writer_order order, const char *hex)
{
	struct writer_mmap mmap = {
		.pid = 7, .tid = 7, .address = BASE, .length = 0x4000, .path = "/bin/program"
	};
	struct build_id id;

	cr_assert(build_id_parse(text_of(hex), &id));
	mmap.build_id = id.bytes;
	mmap.build_id_bytes = id.size_bytes;
	perf_writer_init(writer, order);
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	perf_writer_comm(writer, 1, 7, 7, "app", 0);
	perf_writer_mmap2(writer, 1, &mmap);
	perf_writer_ksymbol(writer, 1, KSYMBOL_BASE, 0x1000, 0, "kernel");
}

struct row {
	const char *what;
	size_t stack_bytes, used_bytes;
	bool has_kernel, lacks_registers, uses_perf_names;
	const char *expected;
	enum loss_kind loss; /* LOSS_KIND_COUNT: none */
};

static const struct row rows[] = {
	{ "all of it", 64, 64, false, false, false, "app;outermost;framed;leaf 1\n",
	  LOSS_KIND_COUNT },
	{ "below the kernel", 64, 64, true, false, false, "app;outermost;framed;leaf;kernel 1\n",
	  LOSS_KIND_COUNT },
	{ "the copy ends before", 24, 24, false, false, false, "app;[truncated];framed;leaf 1\n",
	  LOSS_UNWIND_TRUNCATED },
	{ "the kernel could copy no more", 64, 24, false, false, false, "app;framed;leaf 1\n",
	  LOSS_UNWIND_FAILED },
	{ "more was used than there is", 32, 1000, false, false, false,
	  "app;outermost;framed;leaf 1\n", LOSS_KIND_COUNT },
	{ "no copy", 0, 0, false, false, false, "app;[truncated];framed;leaf 1\n",
	  LOSS_UNWIND_TRUNCATED },
	{ "a thread of the kernel", 0, 0, true, true, false, "app;kernel 1\n",
	  LOSS_UNWIND_NO_REGISTERS },
	{ "an empty copy, during execve", 64, 0, true, false, false, "app;framed;leaf;kernel 1\n",
	  LOSS_UNWIND_FAILED },
	{ "all of it, with perf's names", 64, 64, true, false, true,
	  "app;outermost;framed;leaf;kernel 1\n", LOSS_KIND_COUNT },
	{ "no copy, with perf's names", 0, 0, true, false, true, "app;kernel 1\n",
	  LOSS_KIND_COUNT },
	{ "an empty copy, with perf's names", 64, 0, true, false, true, "app;kernel 1\n",
	  LOSS_KIND_COUNT },
};

static void add_sample(struct perf_writer *writer, const struct row *row)
{
	static const uint64_t kernel_chain[] = { CALLCHAIN_KERNEL, KSYMBOL_BASE + 8 };
	uint64_t registers[REGISTERS] = { 0 };
	uint64_t stack[8] = { 0 };
	struct writer_sample sample = {
		.pid = 7,
		.tid = 7,
		.time_ns = 10,
		.ip = CODE(0x10),
		.misc = row->has_kernel ? CPU_MODE_KERNEL : CPU_MODE_USER,
		.ips = kernel_chain,
		.ip_count = row->has_kernel ? ARRAY_SIZE(kernel_chain) : 0,
		.user_abi = row->lacks_registers ? 0 : 2,
		.user_registers = registers,
		.user_stack = stack,
		.user_stack_bytes = row->stack_bytes,
		.user_stack_used_bytes = row->used_bytes,
	};
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	registers[PC] = CODE(0x10);
	registers[SP] = STACK_BASE;
	registers[LR] = CODE(0x110);
	stack[3] = CODE(0x210);
	/* The writer takes a stack dump as bytes, so words are swapped here. */
	if (writer->is_big_endian == is_little)
		stack[3] = __builtin_bswap64(stack[3]);
	perf_writer_sample(writer, &sample);
}

/* Folds the capture and compares; of the unwinding losses, only this one must have occurred. */
static void expect(struct perf_writer *writer, const struct scratch *scratch, const struct row *row)
{
	const char *paths[] = { scratch->path };
	const struct view view = { .grouping = GROUPING_BY_COMM,
				   .naming.uses_perf_names = row->uses_perf_names };
	bool is_unwound = row->used_bytes || !row->uses_perf_names;
	struct session_options options = { .view = &view,
					   .thread_count = 1,
					   .ignores_host = true,
					   .symbol_paths = paths,
					   .symbol_path_count = 1 };
	struct memory_file file;
	struct session session;
	struct sink folded;
	struct error err;

	perf_writer_feature_string(writer, FEATURE_ARCH, "aarch64");
	perf_writer_finish(writer);
	memory_file_open(&file, writer->file.at, writer->file.count);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	sink_init_memory(&folded);
	folded_write(&session.profile, &folded);
	sink_char(&folded, '\0');
	cr_expect_str_eq(folded.buffer, row->expected, "%s: %s, not %s", row->what, folded.buffer,
			 row->expected);
	cr_expect_eq(session.profile.unwound_count, is_unwound, "%s", row->what);
	for (int i = LOSS_UNWIND_TRUNCATED; i <= LOSS_UNWIND_NO_REGISTERS; i++)
		cr_expect_eq(session.profile.losses[i], i == (int)row->loss, "%s: loss %d",
			     row->what, i);
	sink_deinit(&folded);
	session_close(&session);
	memory_file_close(&file);
	perf_writer_deinit(writer);
}

Test(session_unwinding, stacks)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i / 2];
		struct perf_writer writer;
		struct scratch scratch;

		scratch_open(&scratch);
		write_program(&scratch, i % 2);
		begin(&writer, orders[i % 2], ID);
		add_sample(&writer, row);
		expect(&writer, &scratch, row);
		scratch_close(&scratch);
	}
	assert_no_leaks();
}

/* Another build of the program is not used to unwind this one. */
Test(session_unwinding, no_wrong_file)
{
	struct row row = rows[0];
	struct perf_writer writer;
	struct scratch scratch;

	row.what = "another build";
	row.expected = "app;[program] 1\n";
	row.loss = LOSS_UNWIND_NO_FILE;
	scratch_open(&scratch);
	write_program(&scratch, false);
	begin(&writer, PERF_WRITER_LITTLE_ENDIAN, OTHER_ID);
	add_sample(&writer, &row);
	expect(&writer, &scratch, &row);
	scratch_close(&scratch);
	assert_no_leaks();
}
