/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/elf_names.h"

#include <elf.h>

#include "base/idmap.h"

#define STUB_BYTES 16

/* Larger entries are not stubs: those of SPARC V9 have 32 bytes. */
#define STUB_BYTES_MAX 64

/* GOT slots, and the dynamic symbols whose addresses the loader writes there. */
struct slots {
	const struct elf_file *elf;
	struct elf_symbols symbols;
	struct idmap by_address; /* maps addresses of slots to indexes of dynamic symbols */
};

static bool read_word(const struct elf_file *elf, struct span *span, uint64_t *ret)
{
	uint32_t half;

	if (elf->is_64_bit)
		return span_u64(span, ret);
	if (!span_u32(span, &half))
		return false;
	*ret = half;
	return true;
}

static void take_relocations(struct slots *slots, const struct elf_section *section)
{
	const struct elf_file *elf = slots->elf;
	struct span rows = elf_section_bytes(elf, section);
	bool has_addends = section->type == SHT_RELA;
	uint64_t address, info, addend;

	while (read_word(elf, &rows, &address) && read_word(elf, &rows, &info) &&
	       (!has_addends || read_word(elf, &rows, &addend))) {
		uint64_t symbol = elf->is_64_bit ? ELF64_R_SYM(info) : ELF32_R_SYM((uint32_t)info);

		if (symbol && symbol < slots->symbols.count)
			idmap_add(&slots->by_address, address, (uint32_t)symbol);
	}
}

static bool slots_init(struct slots *slots, const struct elf_file *elf)
{
	uint64_t bytes_left = elf->size_bytes;

	*slots = (struct slots){ .elf = elf };
	idmap_init(&slots->by_address);
	if (!elf_symbols_open(elf, ELF_SYMBOLS_DYNAMIC, &slots->symbols))
		return false;
	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];

		if (!section->is_loaded || (section->type != SHT_RELA && section->type != SHT_REL))
			continue;
		if (!elf_section_spend(section, &bytes_left))
			break;
		take_relocations(slots, section);
	}
	idmap_sort(&slots->by_address);
	return slots->by_address.rows.count > 0;
}

/*
 * Decodes the stub in code, at address, and gets the GOT slot through which it jumps. Returns false
 * if the code is not a stub.
 */
typedef bool stub_decoder(const struct elf_file *elf, struct span code, uint64_t address,
			  uint64_t *slot_ret);

/* ff 25: jmp *disp(%rip), or jmp *address on i386. ff a3: jmp *disp(%ebx), relative to the GOT. */
static bool decode_x86(const struct elf_file *elf, struct span code, uint64_t address,
		       uint64_t *slot_ret)
{
	size_t size_bytes = span_left(&code);

	for (size_t i = 0; i + 6 <= size_bytes; i++) {
		const struct elf_section *got;
		uint32_t operand;

		if (code.at[i] != 0xff || (code.at[i + 1] != 0x25 && code.at[i + 1] != 0xa3))
			continue;
		operand = span_load_u32(code.at + i + 2, code.swapped);
		if (code.at[i + 1] == 0xa3) {
			got = elf_find_section(elf, ".got.plt");
			if (elf->machine != EM_386 || !got)
				return false;
			*slot_ret = (uint32_t)(got->address + operand);
		} else if (elf->machine == EM_386) {
			*slot_ret = operand;
		} else {
			*slot_ret = address + i + 6 + (uint64_t)(int64_t)(int32_t)operand;
		}
		return true;
	}
	return false;
}

/* adrp x16, page; ldr x17, [x16, #offset] */
static bool decode_aarch64(const struct elf_file *elf, struct span code, uint64_t address,
			   uint64_t *slot_ret)
{
	size_t size_bytes = span_left(&code);

	(void)elf;
	for (size_t i = 0; i + 8 <= size_bytes; i += 4) {
		/* Code is little-endian even if data is big-endian. */
		bool swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
		uint32_t adrp = span_load_u32(code.at + i, swapped);
		uint32_t ldr = span_load_u32(code.at + i + 4, swapped);
		int64_t pages;

		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		/* A signed page number of 21 bits, in two fields. */
		pages = (int64_t)((uint64_t)(adrp >> 5 & 0x7ffff) << 45 | (uint64_t)(adrp >> 29 & 3)
										  << 43) >>
			43;
		*slot_ret = ((address + i) & ~(uint64_t)0xfff) + ((uint64_t)pages << 12) +
			    (ldr >> 10 & 0xfff) * 8;
		return true;
	}
	return false;
}

struct plt_machine {
	uint16_t number; /* EM_* */
	stub_decoder *decode;
	/* Alignment of stubs, and bytes to decode for each; 0 means the size of a stub. */
	uint8_t step_bytes, window_bytes;
};

/* On aarch64, the first stub is larger, so later stubs are not at multiples of the stub size. */
static const struct plt_machine machines[] = {
	{ EM_X86_64, decode_x86, 0, 0 },
	{ EM_386, decode_x86, 0, 0 },
	{ EM_AARCH64, decode_aarch64, 4, 8 },
};

static const struct plt_machine *machine_of(const struct elf_file *elf)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].number == elf->machine)
			return &machines[i];
	return NULL;
}

static void add_symbol(struct symbol_table *table, struct text name, uint64_t start, uint64_t end)
{
	symbol_table_add(table, &(struct symbol){
					.start = start,
					.end = end,
					.limit = end,
					.name = name,
					.binding = SYMBOL_LOCAL,
					.is_stub = true,
				});
}

static void add_stub(const struct slots *slots, uint64_t slot, uint64_t start, uint64_t end,
		     struct symbol_table *table)
{
	uint32_t index = idmap_find(&slots->by_address, slot);
	struct elf_symbol symbol;

	if (index != IDMAP_NONE && elf_symbols_get(&slots->symbols, index, &symbol) &&
	    symbol.name.length)
		add_symbol(table, symbol.name, start, end);
}

static void add_stubs(const struct slots *slots, const struct plt_machine *machine,
		      const struct elf_section *section, struct symbol_table *table)
{
	struct span code = elf_section_bytes(slots->elf, section);
	/* lld does not set sh_entsize. .plt.got has shorter stubs. */
	uint64_t stub_bytes = section->entry_bytes ? section->entry_bytes : STUB_BYTES;
	uint64_t step_bytes = machine->step_bytes ? machine->step_bytes : stub_bytes;
	uint64_t window_bytes = machine->window_bytes ? machine->window_bytes : stub_bytes;
	uint64_t address = section->address;
	struct span ahead = code;
	struct span window;
	uint64_t slot;

	while (span_sub(&ahead, window_bytes, &window)) {
		if (machine->decode(slots->elf, window, address, &slot))
			add_stub(slots, slot, address, address + stub_bytes, table);
		address += step_bytes;
		if (!span_skip(&code, step_bytes))
			break;
		ahead = code;
	}
}

static bool has_stubs(const struct elf_section *section)
{
	return section->is_executable && text_has_prefix(section->name, ".plt");
}

static void add_all(const struct slots *slots, const struct plt_machine *machine,
		    struct symbol_table *table)
{
	const struct elf_file *elf = slots->elf;
	uint64_t bytes_left = elf->size_bytes;

	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];

		if (!has_stubs(section))
			continue;
		if (!elf_section_spend(section, &bytes_left))
			return;
		add_stubs(slots, machine, section, table);
	}
}

void plt_names_add(const struct elf_file *elf, struct symbol_table *table)
{
	const struct plt_machine *machine = machine_of(elf);
	struct slots slots;

	if (!machine)
		return;
	if (slots_init(&slots, elf))
		add_all(&slots, machine, table);
	idmap_deinit(&slots.by_address);
}

/* How perf 6.1 divides .plt. On other machines, the header is as large as a stub. */
static const struct perf_plt {
	uint16_t number; /* EM_* */
	uint8_t header_bytes, stub_bytes;
} perf_plts[] = {
	{ EM_ARM, 20, 12 },
	{ EM_AARCH64, 32, 16 },
};

static struct perf_plt perf_plt_of(const struct elf_file *elf, const struct elf_section *plt)
{
	for (size_t i = 0; i < ARRAY_SIZE(perf_plts); i++)
		if (perf_plts[i].number == elf->machine)
			return perf_plts[i];
	if (plt->entry_bytes > STUB_BYTES_MAX)
		return (struct perf_plt){ 0 };
	return (struct perf_plt){ elf->machine, (uint8_t)plt->entry_bytes,
				  (uint8_t)plt->entry_bytes };
}

/* Gets the name of the next relocation's symbol, which is empty if the relocation has none. */
static bool next_name(const struct elf_symbols *symbols, const struct elf_section *section,
		      struct span *rows, struct text *ret)
{
	const struct elf_file *elf = symbols->elf;
	uint64_t address, info, addend, index;
	struct elf_symbol symbol;

	if (!read_word(elf, rows, &address) || !read_word(elf, rows, &info) ||
	    (section->type == SHT_RELA && !read_word(elf, rows, &addend)))
		return false;
	index = elf->is_64_bit ? ELF64_R_SYM(info) : ELF32_R_SYM((uint32_t)info);
	*ret = index && index < symbols->count && elf_symbols_get(symbols, (uint32_t)index, &symbol)
		       ? symbol.name
		       : text_of("");
	return true;
}

void plt_names_add_as_perf(const struct elf_file *elf, struct symbol_table *table)
{
	const struct elf_section *relocations = elf_find_section(elf, ".rela.plt");
	const struct elf_section *plt = elf_find_section(elf, ".plt");
	struct elf_symbols symbols;
	struct perf_plt layout;
	struct text name;
	struct span rows;
	uint64_t at;

	if (!relocations)
		relocations = elf_find_section(elf, ".rel.plt");
	if (!relocations || !plt || !elf_symbols_open(elf, ELF_SYMBOLS_DYNAMIC, &symbols))
		return;
	layout = perf_plt_of(elf, plt);
	rows = elf_section_bytes(elf, relocations);
	at = layout.header_bytes;
	while (layout.stub_bytes && at + layout.stub_bytes <= plt->size_bytes &&
	       next_name(&symbols, relocations, &rows, &name)) {
		uint64_t start = plt->address + at;

		at += layout.stub_bytes;
		add_symbol(table, name, start, plt->address + at);
	}
}
