/* SPDX-License-Identifier: MIT */
#include "unwind/unwinder.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "base/sink.h"
#include "tests/support/cfi_writer.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"

/*
 * A program mapped at 0x400000, whose functions are 0x100 bytes each from 0x1000 on:
 *
 *     1000 leaf, no frame      1100 frame of 32 bytes, rbx or x19 saved    1200 by frame pointer
 *     1300 outermost           1400 without CFI                            1500 a signal's return
 */
#define BASE       0x400000
#define CODE(at)   (BASE + 0x1000 + (at))
#define STACK_BASE 0x7ff0
#define WORDS_MAX  128

/*
 * The program is mapped, or its file is missing, or the program is mapped and the file of a vdso
 * after it is missing.
 */
enum {
	MAPPED = 1,
	MISSING,
	MISSING_VDSO
};

#define VDSO 0x8000

struct world {
	const struct machine *machine;
	bool is_big_endian;
	unsigned char *bytes;
	struct elf_file elf;
	struct image image;
	struct unwinder unwinder;
	unsigned char stack[WORDS_MAX * 8];
	uint64_t frames[LIMIT_UNWIND_FRAMES];
	uint64_t registers[33];
	struct unwind_sample sample;
};

struct programs {
	const struct machine *machine;
	uint16_t elf_machine;
	uint8_t word_bytes, return_column;
	uint8_t common[8], framed[16], pointer[16];
	uint8_t common_bytes, framed_bytes, pointer_bytes;
	uint64_t mask;
};

#define PROGRAM(name, ...) \
	.name = { __VA_ARGS__ }, .name##_bytes = sizeof((uint8_t[]){ __VA_ARGS__ })

static const struct programs all_programs[] = {
	{ .machine = &machine_x86_64,
	  .elf_machine = EM_X86_64,
	  .word_bytes = 8,
	  .return_column = 16,
	  PROGRAM(common, 0x0c, 7, 8, 0x90, 1),
	  PROGRAM(framed, 0x0e, 32, 0x83, 2),
	  PROGRAM(pointer, 0x0c, 6, 16, 0x86, 2),
	  .mask = 0xff0fff },
	{ .machine = &machine_i386,
	  .elf_machine = EM_386,
	  .word_bytes = 4,
	  .return_column = 8,
	  PROGRAM(common, 0x0c, 4, 4, 0x88, 1),
	  PROGRAM(framed, 0x0e, 16, 0x83, 2),
	  PROGRAM(pointer, 0x0c, 5, 8, 0x85, 2),
	  .mask = 0xff0fff },
	{ .machine = &machine_aarch64,
	  .elf_machine = EM_AARCH64,
	  .word_bytes = 8,
	  .return_column = 30,
	  PROGRAM(common, 0x0c, 31, 0),
	  PROGRAM(framed, 0x0e, 32, 0x93, 2, 0x9e, 1, 0x2d),
	  PROGRAM(pointer, 0x0c, 29, 16, 0x9d, 2, 0x9e, 1),
	  .mask = 0x1ffffffff },
};

static enum code_kind find_code(void *context, uint32_t space, uint64_t address,
				struct code_location *ret)
{
	struct world *world = context;

	if (address < BASE || address >= BASE + 0x10000)
		return CODE_NONE;
	ret->is_vdso = space == MISSING_VDSO && address >= BASE + VDSO;
	if (space == MISSING || ret->is_vdso)
		return CODE_NO_FILE;
	ret->number = 0;
	ret->image = &world->image;
	return image_address(&world->image, address - BASE, &ret->address) ? CODE_IMAGE
									   : CODE_NO_CFI;
}

static void write_cfi(const struct programs *programs, bool is_big_endian,
		      struct cfi_writer *writer)
{
	static const uint8_t nop[] = { 0 };
	const uint8_t outermost[] = { 0x07, programs->return_column };
	struct writer_common common = {
		.letters = "zR",
		.code_alignment = 1,
		.data_alignment = programs->word_bytes == 8 ? -8 : -4,
		.return_column = programs->return_column,
		.program = programs->common,
		.program_bytes = programs->common_bytes,
	};
	size_t offset;

	cfi_writer_init(writer, CFI_EH_FRAME, programs->word_bytes, is_big_endian, 0x9000);
	offset = cfi_writer_common(writer, &common);
	cfi_writer_function(writer, offset, 0x1000, 0x100, nop, sizeof(nop));
	cfi_writer_function(writer, offset, 0x1100, 0x100, programs->framed,
			    programs->framed_bytes);
	cfi_writer_function(writer, offset, 0x1200, 0x100, programs->pointer,
			    programs->pointer_bytes);
	cfi_writer_function(writer, offset, 0x1300, 0x100, outermost, sizeof(outermost));
	common.letters = "zRS";
	offset = cfi_writer_common(writer, &common);
	cfi_writer_function(writer, offset, 0x1500, 0x100, programs->framed,
			    programs->framed_bytes);
}

static void begin(struct world *world, const struct programs *programs, bool is_big_endian)
{
	struct code code = { .context = world, .find = find_code };
	struct elf_writer_section section = {
		.name = ".eh_frame", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .address = 0x9000
	};
	struct elf_writer file = {
		.is_32_bit = programs->word_bytes == 4,
		.is_big_endian = is_big_endian,
		.machine = programs->elf_machine,
		.text_address = 0x1000,
		.text_offset = 0x1000,
		.text_bytes = 0x1000,
		.more = &section,
		.more_count = 1,
	};
	struct cfi_writer cfi;
	struct error err;
	size_t size;

	*world = (struct world){ .machine = programs->machine, .is_big_endian = is_big_endian };
	write_cfi(programs, is_big_endian, &cfi);
	section.bytes = cfi.bytes.at;
	section.size_bytes = cfi.bytes.count;
	world->bytes = elf_writer_write(&file, &size);
	cr_assert(elf_open_memory(&world->elf, world->bytes, size, &err), "%s", err.text);
	image_init(&world->image, &world->elf, NULL);
	elf_close(&world->elf);
	memory_free(world->bytes);
	cfi_writer_deinit(&cfi);
	unwinder_init(&world->unwinder, &code, false);
	world->sample = (struct unwind_sample){
		.machine = programs->machine,
		.space = MAPPED,
		.register_mask = programs->mask,
	};
}

static void end(struct world *world)
{
	unwinder_deinit(&world->unwinder);
	image_deinit(&world->image);
}

static bool is_swapped(const struct world *world)
{
	return world->is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* A word of the stack, counted from the stack pointer. */
static void set_word(struct world *world, unsigned index, uint64_t value)
{
	uint32_t narrow = (uint32_t)value;

	if (is_swapped(world)) {
		value = __builtin_bswap64(value);
		narrow = __builtin_bswap32(narrow);
	}
	if (world->machine->word_bytes == 8)
		memcpy(world->stack + 8 * (size_t)index, &value, 8);
	else
		memcpy(world->stack + 4 * (size_t)index, &narrow, 4);
}

/* A register by its bit in perf's mask. */
static void set_register(struct world *world, unsigned bit, uint64_t value)
{
	uint64_t below = world->sample.register_mask & (((uint64_t)1 << bit) - 1);

	world->registers[__builtin_popcountll(below)] =
		is_swapped(world) ? __builtin_bswap64(value) : value;
}

static void start_at(struct world *world, uint64_t pc, uint64_t frame_pointer)
{
	set_register(world, world->machine->perf_pc_bit, pc);
	set_register(world, world->machine->perf_bit[world->machine->stack_pointer], STACK_BASE);
	set_register(world, world->machine->perf_bit[world->machine->frame_pointer], frame_pointer);
}

/*
 * Unwinds the sample, of whose stack word_count words were copied, and compares: "1000 10ff
 * complete".
 */
static void expect_walk(struct world *world, size_t word_count, const char *expected,
			const char *what)
{
	static const char *const ends[] = {
		[UNWIND_COMPLETE] = "complete",
		[UNWIND_TRUNCATED] = "truncated",
		[UNWIND_LOST] = "lost",
		[UNWIND_NO_FILE] = "no file",
		[UNWIND_NO_REGISTERS] = "no registers",
	};
	struct unwind_frames frames = { .at = world->frames };
	enum unwind_end found;
	struct sink sink;

	world->sample.register_words =
		span_of(world->registers, sizeof(world->registers), 0, is_swapped(world));
	world->sample.stack = span_of(world->stack, word_count * world->machine->word_bytes, 0,
				      is_swapped(world));
	found = unwinder_walk(&world->unwinder, &world->sample, &frames);
	sink_init_memory(&sink);
	for (uint32_t i = 0; i < frames.count; i++)
		sink_printf(&sink, "%llx ", (unsigned long long)(frames.at[i] - BASE));
	sink_puts(&sink, ends[found]);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s, %s: %s, not %s", world->machine->name, what,
			 sink.buffer, expected);
	sink_deinit(&sink);
}

/*
 * The leaf's return address: on the stack, or in the link register. Returns the number of words
 * that it takes.
 */
static unsigned return_from_leaf(struct world *world, uint64_t address)
{
	if (world->machine->has_link_register) {
		set_register(world, 30, address);
		return 0;
	}
	set_word(world, 0, address);
	return 1;
}

Test(unwinder, walks_to_the_outermost_frame)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(all_programs); i++) {
		struct world world;
		unsigned at;

		begin(&world, &all_programs[i / 2], i % 2);
		start_at(&world, CODE(0), 0);
		at = return_from_leaf(&world, CODE(0x110));
		/* Frames of four words: two of the function, a saved register, the return address. */
		set_word(&world, at + 3, CODE(0x120));
		set_word(&world, at + 7, CODE(0x308));
		expect_walk(&world, at + 8, "1000 110f 111f 1307 complete", "all of it");
		expect_walk(&world, at + 7, "1000 110f 111f truncated", "cut in a frame");
		world.sample.frame_max = 2;
		expect_walk(&world, at + 7, "1000 110f complete", "no more is wanted");
		world.sample.frame_max = 0;
		world.sample.is_whole = true;
		expect_walk(&world, at + 7, "1000 110f 111f lost", "the stack has no more");
		world.sample.is_whole = false;
		expect_walk(&world, 0, at ? "1000 truncated" : "1000 110f truncated", "no copy");
		set_word(&world, at + 7, 0);
		expect_walk(&world, at + 8, "1000 110f 111f complete", "nothing called it");
		set_word(&world, at + 7, 0x10);
		expect_walk(&world, at + 8, "1000 110f 111f ffffffffffc0000f lost", "to no code");
		world.sample.space = MISSING;
		expect_walk(&world, at + 8, "1000 no file", "a file is missing");
		world.sample.machine = NULL;
		expect_walk(&world, at + 8, "no registers", "another processor");
		end(&world);
	}
	assert_no_leaks();
}

Test(unwinder, saved_registers_are_those_of_the_caller)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(all_programs); i++) {
		struct world world;
		unsigned word_bytes, at;

		begin(&world, &all_programs[i / 2], i % 2);
		word_bytes = world.machine->word_bytes;
		/* A frame found by the frame pointer, which the leaf has not changed; nine words
		 * are in between. */
		start_at(&world, CODE(0), STACK_BASE + 10 * word_bytes);
		at = return_from_leaf(&world, CODE(0x210));
		set_word(&world, 10, STACK_BASE + 20 * word_bytes);
		set_word(&world, 11, CODE(0x220));
		set_word(&world, 20, 0);
		set_word(&world, 21, CODE(0x310));
		expect_walk(&world, 22, "1000 120f 121f 130f complete", "frame pointers");
		/* A frame pointer that leads down is not followed. */
		set_word(&world, 10, STACK_BASE + at);
		expect_walk(&world, 22, "1000 120f 121f lost", "back down");
		set_word(&world, 10, UINT64_MAX);
		expect_walk(&world, 22, "1000 120f 121f lost", "anywhere");
		end(&world);
	}
	assert_no_leaks();
}

Test(unwinder, guesses_by_frame_pointer_where_nothing_is_known)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(all_programs); i++) {
		struct world world;
		unsigned word_bytes;

		begin(&world, &all_programs[i / 2], i % 2);
		word_bytes = world.machine->word_bytes;
		start_at(&world, CODE(0x400), STACK_BASE + 4 * word_bytes);
		set_word(&world, 4, STACK_BASE + 8 * word_bytes);
		set_word(&world, 5, CODE(0x410));
		set_word(&world, 8, 0);
		set_word(&world, 9, CODE(0x420));
		expect_walk(&world, 10, "1400 140f 141f complete", "to the end of the chain");
		set_word(&world, 9, CODE(0x310));
		expect_walk(&world, 10, "1400 140f 130f complete", "to a function that is known");
		set_word(&world, 9, 0x44);
		expect_walk(&world, 10, "1400 140f lost", "not to what is no code");
		expect_walk(&world, 8, "1400 140f truncated", "cut");
		world.sample.space = MISSING;
		set_word(&world, 9, CODE(0x310));
		expect_walk(&world, 10, "1400 140f 130f no file", "without its file");
		end(&world);
	}
	assert_no_leaks();
}

/* The address that a signal interrupted is not a return address, nor is the trampoline of its handler. */
Test(unwinder, signal_frames)
{
	for (size_t i = 0; i < 4; i++) {
		struct world world;
		unsigned at;

		begin(&world, &all_programs[i / 2], i % 2);
		start_at(&world, CODE(0), 0);
		at = return_from_leaf(&world, CODE(0x501));
		set_word(&world, at + 3, CODE(0x300));
		expect_walk(&world, at + 4, "1000 1501 1300 complete", "exact addresses");
		world.unwinder.is_as_perf = true;
		expect_walk(&world, at + 4, "1000 1500 1300 complete", "as perf has it");
		end(&world);
	}
	assert_no_leaks();
}

/* The kernel's frame of a signal has all registers, at an offset of the kernel's choice. */
Test(unwinder, returns_from_signals_through_the_vdso)
{
	for (size_t i = 0; i < 2; i++) {
		struct world world;

		begin(&world, &all_programs[2], i);
		world.sample.space = MISSING_VDSO;
		start_at(&world, CODE(0x110), 0);
		set_word(&world, 3, BASE + VDSO + 4);
		/* The handler's frame is followed by 39 words of siginfo and more, then by x0 to
		 * x30, sp and pc. */
		set_word(&world, 4 + 39 + 30, CODE(0x310));
		set_word(&world, 4 + 39 + 31, STACK_BASE + 100 * 8);
		set_word(&world, 4 + 39 + 32, CODE(0));
		expect_walk(&world, WORDS_MAX, "1110 8004 1000 130f complete",
			    "interrupted in a leaf");
		expect_walk(&world, 60, "1110 8004 truncated", "cut");
		set_word(&world, 4 + 39 + 31, STACK_BASE);
		expect_walk(&world, WORDS_MAX, "1110 8004 lost", "back down");
		start_at(&world, BASE + VDSO, 0);
		expect_walk(&world, WORDS_MAX, "8000 lost", "in the vdso itself");
		end(&world);
	}
	assert_no_leaks();
}

/*
 * 32-bit programs have two kinds of signal frame. Their vdso also makes system calls, and pushes
 * three registers for these.
 */
Test(unwinder, leaves_the_vdso_of_i386)
{
	/* Word offsets of the handler's arguments and of ebp, esp, eip, and esp again. */
	static const struct {
		unsigned info, context, ebp, esp, eip, esp_again, word_count;
		const char *expected, *what;
	} rows[] = {
		{ 0, 0, 7, 8, 15, 18, 128, "1110 8004 1200 130f complete", "plain" },
		{ 3, 35, 46, 47, 54, 57, 128, "1110 8004 1200 130f complete", "informed" },
		{ 0, 0, 7, 8, 15, 19, 128, "1110 8004 lost", "neither" },
		{ 3, 36, 46, 47, 54, 57, 128, "1110 8004 lost", "informed wrongly" },
		{ 3, 35, 46, 47, 54, 57, 50, "1110 8004 truncated", "cut" },
	};
	const uint64_t at = STACK_BASE + 4 * 4;
	struct world world;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&world, &all_programs[1], i % 2);
		world.sample.space = MISSING_VDSO;
		start_at(&world, CODE(0x110), 0);
		set_word(&world, 3, BASE + VDSO + 4);
		set_word(&world, 4 + 1, at + 4 * rows[i].info);
		set_word(&world, 4 + 2, at + 4 * rows[i].context);
		set_word(&world, 4 + rows[i].ebp, STACK_BASE + 4 * 100);
		set_word(&world, 4 + rows[i].esp, STACK_BASE + 4 * 80);
		set_word(&world, 4 + rows[i].eip, CODE(0x200));
		set_word(&world, 4 + rows[i].esp_again, STACK_BASE + 4 * 80);
		set_word(&world, 101, CODE(0x310));
		expect_walk(&world, rows[i].word_count, rows[i].expected, rows[i].what);
		set_word(&world, 4 + rows[i].esp, STACK_BASE + 4 * 1000);
		set_word(&world, 4 + rows[i].esp_again, STACK_BASE + 4 * 1000);
		world.sample.is_whole = i < 2;
		if (i < 2)
			expect_walk(&world, 128, "1110 8004 1200 truncated", "another stack");
		start_at(&world, BASE + VDSO, 0);
		set_register(&world, 2, 9);
		set_word(&world, 1, 0);
		set_word(&world, 2, 9);
		set_word(&world, 3, CODE(0x110));
		set_word(&world, 7, CODE(0x310));
		expect_walk(&world, WORDS_MAX, "8000 110f 130f complete", "a system call");
		set_register(&world, 3, 7);
		expect_walk(&world, WORDS_MAX, "8000 lost", "another edx");
		end(&world);
	}
}

/* The signature of signed return addresses is removed; it is above the address bits of stack and code. */
Test(unwinder, strips_signatures)
{
	struct registers start = { .pc = CODE(0) };
	static const struct {
		uint64_t sp, address, expected;
	} rows[] = {
		{ 0xfffff0000000, 0x0012000000401000, 0x401000 },
		{ 0x7ff0000000, 0xff80000000401000 & ~((uint64_t)1 << 55), 0x401000 },
		{ 0x000f0000000ff000, 0x00100000aaaaaaaa, 0xaaaaaaaa },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		start.value[31] = rows[i].sp;
		cr_expect_eq(machine_aarch64.strip(rows[i].address, &start), rows[i].expected,
			     "row %zu", i);
	}
}

/* Every frame is higher than the one before, so unwinding ends, and no stack is longer than its dump. */
Test(unwinder, ends_whatever_the_stack_holds)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_programs); i++) {
		struct world world;
		struct unwind_frames frames;
		unsigned word_bytes;

		begin(&world, &all_programs[i], false);
		word_bytes = world.machine->word_bytes;
		frames.at = world.frames;
		for (uint64_t pc = CODE(0); pc < CODE(0x600); pc += 0x80) {
			for (unsigned k = 0; k < WORDS_MAX; k++)
				set_word(&world, k, k % 2 ? pc : STACK_BASE + k % 7 * word_bytes);
			start_at(&world, pc, STACK_BASE + 2 * word_bytes);
			set_register(&world, 30, pc);
			world.sample.register_words = span_of(
				world.registers, sizeof(world.registers), 0, is_swapped(&world));
			world.sample.stack =
				span_of(world.stack, WORDS_MAX * word_bytes, 0, is_swapped(&world));
			unwinder_walk(&world.unwinder, &world.sample, &frames);
			cr_expect_leq(frames.count, WORDS_MAX + 2u);
		}
		end(&world);
	}
	assert_no_leaks();
}

Test(unwinder, machines)
{
	static const struct {
		const char *arch;
		uint64_t abi, mask;
		const struct machine *expected;
	} rows[] = {
		{ "x86_64", 2, 0xff0fff, &machine_x86_64 },
		{ "x86_64", 1, 0xff0fff, &machine_i386 },
		{ "i686", 1, 0xfff, &machine_i386 },
		{ "aarch64", 2, 0x1ffffffff, &machine_aarch64 },
		{ "aarch64", 1, 0x1ffffffff, NULL },
		{ "s390x", 2, 0xffff, NULL },
		{ "x86_64", 0, 0xff0fff, NULL },
		{ NULL, 2, 0xff0fff, &machine_x86_64 },
		{ NULL, 2, 0x1ffffffff, &machine_aarch64 },
		{ NULL, 2, 0, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text arch = rows[i].arch ? text_of(rows[i].arch) : (struct text){ 0 };

		cr_expect_eq(machine_find(arch, rows[i].abi, rows[i].mask), rows[i].expected,
			     "row %zu", i);
	}
}
