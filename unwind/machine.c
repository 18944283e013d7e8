/* SPDX-License-Identifier: MIT */
#include "unwind/machine.h"

#define ABI_32 1
#define ABI_64 2

/* Link register and pc of aarch64. No sample of x86 has both bits. */
#define AARCH64_ONLY_BITS (MACHINE_REGISTER_BIT(30) | MACHINE_REGISTER_BIT(32))
/* Stack pointer and pc of x86. */
#define X86_BITS (MACHINE_REGISTER_BIT(7) | MACHINE_REGISTER_BIT(8))

const struct machine *machine_find(struct text arch, uint64_t abi, uint64_t mask)
{
	bool is_aarch64 = arch.at ? text_is(arch, "aarch64") || text_is(arch, "arm64")
				  : (mask & AARCH64_ONLY_BITS) == AARCH64_ONLY_BITS;
	bool is_x86 = arch.at ? text_is(arch, "x86_64") || (arch.length == 4 && arch.at[0] == 'i' &&
							    text_has_suffix(arch, "86"))
			      : !is_aarch64 && (mask & X86_BITS) == X86_BITS;

	if (is_x86 && abi == ABI_64)
		return &machine_x86_64;
	if (is_x86 && abi == ABI_32)
		return &machine_i386;
	return is_aarch64 && abi == ABI_64 ? &machine_aarch64 : NULL;
}

static uint8_t index_of(uint64_t mask, unsigned bit)
{
	if (!(mask & MACHINE_REGISTER_BIT(bit)))
		return REGISTER_ABSENT;
	return (uint8_t)__builtin_popcountll(mask & (MACHINE_REGISTER_BIT(bit) - 1));
}

void register_layout_init(struct register_layout *layout, const struct machine *machine,
			  uint64_t mask)
{
	*layout = (struct register_layout){
		.machine = machine,
		.mask = mask,
		.pc_index = index_of(mask, machine->perf_pc_bit),
	};
	for (unsigned i = 0; i < machine->register_count; i++)
		layout->index[i] = index_of(mask, machine->perf_bit[i]);
}

static bool read_word(const struct register_layout *layout, const struct span *words, uint8_t index,
		      uint64_t *ret)
{
	if (index >= span_left(words) / sizeof(uint64_t))
		return false;
	*ret = span_load_u64(words->at + index * sizeof(uint64_t), words->swapped);
	if (layout->machine->word_bytes == 4)
		*ret = (uint32_t)*ret;
	return true;
}

bool registers_read(const struct register_layout *layout, struct span words, struct registers *ret)
{
	const struct machine *machine = layout->machine;
	uint64_t unknown = machine->word_bytes == 8 ? UINT64_MAX : UINT32_MAX;

	ret->known = 0;
	for (unsigned i = 0; i < machine->register_count; i++) {
		uint64_t bit = MACHINE_REGISTER_BIT(i);

		ret->value[i] = 0;
		if (read_word(layout, &words, layout->index[i], &ret->value[i]) &&
		    (!(machine->maybe_missing & bit) || ret->value[i] != unknown))
			ret->known |= bit;
	}
	return read_word(layout, &words, layout->pc_index, &ret->pc) &&
	       ret->known & MACHINE_REGISTER_BIT(machine->stack_pointer);
}
