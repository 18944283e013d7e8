/* SPDX-License-Identifier: MIT */
/*
 * Call frame information, and a stack that is unwound with it:
 *
 *     | machine and order | size of the section, 2 bytes | section | 33 registers | stack ... |
 *
 * For any input: unwinding ends, all frames but two take a part of the stack, and unwinding again
 * finds the same frames.
 */
#include <stdint.h>

#include "unwind/unwinder.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define SECTION_ADDRESS 0x10000
#define CODE_BYTES      0x10000
#define VDSO_ADDRESS    0xf000
#define REGISTER_COUNT  33

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

/*
 * All low addresses are in the only image, except for the last few, which are in a vdso that is not
 * available.
 */
static enum code_kind find_code(void *context, uint32_t space, uint64_t address,
				struct code_location *ret)
{
	(void)space;
	if (address >= CODE_BYTES)
		return CODE_NONE;
	ret->is_vdso = address >= VDSO_ADDRESS;
	if (ret->is_vdso)
		return CODE_NO_FILE;
	ret->image = context;
	ret->address = address;
	return CODE_IMAGE;
}

static void walk(struct image *image, const struct unwind_sample *sample,
		 struct unwind_frames *frames)
{
	struct code code = { .context = image, .find = find_code };
	static uint64_t again[LIMIT_UNWIND_FRAMES];
	struct unwind_frames repeated = { .at = again };
	struct unwinder unwinder;
	enum unwind_end end;

	unwinder_init(&unwinder, &code, false);
	end = unwinder_walk(&unwinder, sample, frames);
	require(unwinder_walk(&unwinder, sample, &repeated) == end);
	require(repeated.count == frames->count);
	require(memcmp(again, frames->at, frames->count * sizeof(*again)) == 0);
	unwinder_deinit(&unwinder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct machine *const machines[] = { &machine_x86_64, &machine_i386,
							  &machine_aarch64, &machine_x86_64 };
	static uint64_t room[LIMIT_UNWIND_FRAMES];
	struct unwind_frames frames = { .at = room };
	struct unwind_sample sample = { .register_mask = ((uint64_t)1 << REGISTER_COUNT) - 1 };
	struct span span, section;
	struct image image = { .cfi_count = 1 };
	uint16_t section_bytes;
	uint8_t choice;

	span = span_of(bytes, size, 0, false);
	if (!span_u8(&span, &choice) || !span_u16(&span, &section_bytes) ||
	    !span_sub(&span, section_bytes, &section) ||
	    !span_sub(&span, (uint64_t)REGISTER_COUNT * 8, &sample.register_words))
		return 0;
	section = span_of(section.at, span_left(&section), SECTION_ADDRESS, choice & 8);
	sample.machine = machines[choice % 4];
	sample.stack = span_of(span.at, span_left(&span), 0, choice & 8);
	sample.register_words.swapped = choice & 8;
	sample.is_whole = choice & 16;
	image.elf_machine = sample.machine->elf_machine;
	/* The bytes of the stack serve as the table, too: any bytes do. */
	if (choice & 32)
		cfi_init_with_table(
			&image.cfi[0], section,
			span_of(span.at, span_left(&span), SECTION_ADDRESS / 2, choice & 8),
			sample.machine->word_bytes);
	else
		cfi_init(&image.cfi[0], section, choice & 4 ? CFI_DEBUG_FRAME : CFI_EH_FRAME,
			 sample.machine->word_bytes);
	walk(&image, &sample, &frames);
	require(frames.count <= span_left(&sample.stack) + 2);
	cfi_deinit(&image.cfi[0]);
	return 0;
}
