/* SPDX-License-Identifier: MIT */
#include "object/elf_slim.h"

#include <gelf.h>

#include "base/arena.h"

/* No reduced vmlinux is this large. */
#define SLIM_BYTES_MAX  ((uint64_t)1 << 30)
#define TABLE_ALIGNMENT 8u

struct slim_section {
	GElf_Shdr header;
	const void *bytes; /* NULL if the file has none */
};

struct slim {
	const struct elf_slim_plan *plan;
	const struct elf_file *elf;
	VEC(struct slim_section) sections;
	VEC(GElf_Phdr) segments;
	struct sink names;        /* section names */
	struct sink rows[2];      /* rows of the reduced symbol tables */
	struct sink row_names[2]; /* their strings */
	struct arena arena;       /* owns the reduced relocations */
	uint64_t headers_offset;  /* offset of the section headers */
	uint64_t copied_bytes;    /* names and relocations copied so far */
};

static void slim_init(struct slim *slim, const struct elf_slim_plan *plan)
{
	*slim = (struct slim){ .plan = plan, .elf = plan->elf };
	arena_init(&slim->arena);
	sink_init_memory(&slim->names);
	for (size_t i = 0; i < ARRAY_SIZE(slim->rows); i++) {
		sink_init_memory(&slim->rows[i]);
		sink_init_memory(&slim->row_names[i]);
	}
}

static void slim_deinit(struct slim *slim)
{
	arena_deinit(&slim->arena);
	vec_free(&slim->sections);
	vec_free(&slim->segments);
	sink_deinit(&slim->names);
	for (size_t i = 0; i < ARRAY_SIZE(slim->rows); i++) {
		sink_deinit(&slim->rows[i]);
		sink_deinit(&slim->row_names[i]);
	}
}

/*
 * Limits the size of copied names and relocations to the size of the file. In a hostile file, many
 * headers and symbols may share one name or section. Returns false once the limit is exceeded.
 */
static bool may_copy(struct slim *slim, uint64_t size_bytes)
{
	slim->copied_bytes += size_bytes;
	return slim->copied_bytes <= slim->elf->size_bytes;
}

static uint32_t add_name(struct slim *slim, struct text name)
{
	uint32_t at = (uint32_t)slim->names.used;

	if (!name.length || !may_copy(slim, name.length))
		return 0;
	sink_text(&slim->names, name);
	sink_char(&slim->names, '\0');
	return at;
}

/* Appends a header in the file's class and byte order. */
static void put(const struct elf_file *elf, struct sink *sink, Elf_Type type, void *narrow,
		void *wide, size_t narrow_bytes, size_t wide_bytes)
{
	unsigned char out[sizeof(Elf64_Shdr)];
	unsigned encoding = elf->is_swapped == HOST_IS_BIG_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	Elf_Data from = {
		.d_buf = elf->is_64_bit ? wide : narrow,
		.d_type = type,
		.d_version = EV_CURRENT,
		.d_size = elf->is_64_bit ? wide_bytes : narrow_bytes,
	};
	Elf_Data to = { .d_buf = out, .d_version = EV_CURRENT, .d_size = sizeof(out) };

	if (elf->is_64_bit)
		elf64_xlatetof(&to, &from, encoding);
	else
		elf32_xlatetof(&to, &from, encoding);
	sink_bytes(sink, out, from.d_size);
}

static void put_section(const struct elf_file *elf, struct sink *sink, GElf_Shdr *header)
{
	Elf32_Shdr narrow = {
		.sh_name = header->sh_name,
		.sh_type = header->sh_type,
		.sh_flags = (Elf32_Word)header->sh_flags,
		.sh_addr = (Elf32_Addr)header->sh_addr,
		.sh_offset = (Elf32_Off)header->sh_offset,
		.sh_size = (Elf32_Word)header->sh_size,
		.sh_link = header->sh_link,
		.sh_info = header->sh_info,
		.sh_addralign = (Elf32_Word)header->sh_addralign,
		.sh_entsize = (Elf32_Word)header->sh_entsize,
	};

	put(elf, sink, ELF_T_SHDR, &narrow, header, sizeof(narrow), sizeof(*header));
}

static void put_segment(const struct elf_file *elf, struct sink *sink, GElf_Phdr *header)
{
	Elf32_Phdr narrow = {
		.p_type = header->p_type,
		.p_offset = (Elf32_Off)header->p_offset,
		.p_vaddr = (Elf32_Addr)header->p_vaddr,
		.p_paddr = (Elf32_Addr)header->p_paddr,
		.p_filesz = (Elf32_Word)header->p_filesz,
		.p_memsz = (Elf32_Word)header->p_memsz,
		.p_flags = header->p_flags,
		.p_align = (Elf32_Word)header->p_align,
	};

	put(elf, sink, ELF_T_PHDR, &narrow, header, sizeof(narrow), sizeof(*header));
}

static void put_file_header(struct slim *slim, struct sink *sink)
{
	const struct elf_file *elf = slim->elf;
	uint16_t section_count = (uint16_t)slim->sections.count;
	bool is_64_bit = elf->is_64_bit;
	size_t own_bytes = is_64_bit ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	GElf_Ehdr wide;
	Elf32_Ehdr narrow;

	gelf_getehdr(elf->handle, &wide);
	wide.e_phnum = (uint16_t)slim->segments.count;
	wide.e_phoff = wide.e_phnum ? own_bytes : 0;
	wide.e_shoff = slim->headers_offset;
	wide.e_shnum = section_count;
	wide.e_shstrndx = (uint16_t)(section_count - 1);
	wide.e_ehsize = (uint16_t)own_bytes;
	wide.e_phentsize = (uint16_t)(is_64_bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	wide.e_shentsize = (uint16_t)(is_64_bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	narrow = (Elf32_Ehdr){
		.e_type = wide.e_type,
		.e_machine = wide.e_machine,
		.e_version = wide.e_version,
		.e_entry = (Elf32_Addr)wide.e_entry,
		.e_phoff = (Elf32_Off)wide.e_phoff,
		.e_shoff = (Elf32_Off)wide.e_shoff,
		.e_flags = wide.e_flags,
		.e_ehsize = wide.e_ehsize,
		.e_phentsize = wide.e_phentsize,
		.e_phnum = wide.e_phnum,
		.e_shentsize = wide.e_shentsize,
		.e_shnum = wide.e_shnum,
		.e_shstrndx = wide.e_shstrndx,
	};
	memcpy(narrow.e_ident, wide.e_ident, sizeof(narrow.e_ident));
	put(elf, sink, ELF_T_EHDR, &narrow, &wide, sizeof(narrow), sizeof(wide));
}

static bool list_segments(struct slim *slim)
{
	size_t count = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(slim->elf->handle, &count) != 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(slim->elf->handle, (int)i, &header))
			return false;
		if (header.p_type == PT_LOAD)
			vec_push(&slim->segments, header);
	}
	return slim->segments.count < PN_XNUM;
}

/* Keeps the first row, which every table has, and the rows that the plan requests. */
static void reduce_rows(struct slim *slim, enum elf_symbol_table which,
			const struct elf_symbols *symbols)
{
	const bool *keeps = slim->plan->keeps_symbol[which];
	size_t row_bytes = slim->elf->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct sink *names = &slim->row_names[which];

	sink_char(names, '\0');
	for (uint32_t i = 0; i < symbols->count; i++) {
		const unsigned char *row = symbols->rows.at + i * row_bytes;
		struct elf_symbol symbol;
		uint32_t name = 0;

		if ((i && !keeps[i]) || !elf_symbols_get(symbols, i, &symbol))
			continue;
		if (symbol.name.length && may_copy(slim, symbol.name.length)) {
			name = (uint32_t)names->used;
			sink_text(names, symbol.name);
			sink_char(names, '\0');
		}
		/* In both classes, a row begins with the offset of its name. */
		name = span_load_u32(&name, symbols->rows.swapped);
		sink_bytes(&slim->rows[which], &name, sizeof(name));
		sink_bytes(&slim->rows[which], row + sizeof(name), row_bytes - sizeof(name));
	}
}

static void set_bytes(struct slim_section *section, struct text bytes)
{
	section->bytes = bytes.at;
	section->header.sh_size = bytes.length;
	section->header.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
}

/* Whether a different table uses this string section. */
static bool is_shared(const struct elf_file *elf, uint32_t strings)
{
	unsigned count = 0;

	for (size_t i = 1; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];

		count += section->link == strings &&
			 (section->type == SHT_SYMTAB || section->type == SHT_DYNSYM);
	}
	return count != 1;
}

/* Replaces the table and its strings with the reduced ones. */
static bool reduce_symbols(struct slim *slim, enum elf_symbol_table which)
{
	uint32_t type = which == ELF_SYMBOLS_STATIC ? SHT_SYMTAB : SHT_DYNSYM;
	struct elf_symbols symbols;
	struct slim_section *rows = NULL;

	if (!slim->plan->keeps_symbol[which] || !elf_symbols_open(slim->elf, which, &symbols))
		return true;
	for (size_t i = 1; i < slim->sections.count && !rows; i++)
		if (slim->elf->sections.at[i].type == type)
			rows = &slim->sections.at[i];
	if (!rows || span_left(&symbols.section_indexes) ||
	    is_shared(slim->elf, rows->header.sh_link))
		return false;
	reduce_rows(slim, which, &symbols);
	rows->header.sh_type = type;
	set_bytes(rows, sink_memory(&slim->rows[which]));
	/* sh_info, the number of local symbols, may be wrong in the file. */
	rows->header.sh_info = 1;
	slim->sections.at[rows->header.sh_link].header.sh_type = SHT_STRTAB;
	set_bytes(&slim->sections.at[rows->header.sh_link], sink_memory(&slim->row_names[which]));
	return true;
}

static bool names_symbol(const struct elf_file *elf, const unsigned char *row)
{
	if (elf->is_64_bit)
		return ELF64_R_SYM(span_load_u64(row + offsetof(Elf64_Rel, r_info),
						 elf->is_swapped)) != 0;
	return ELF32_R_SYM(span_load_u32(row + offsetof(Elf32_Rel, r_info), elf->is_swapped)) != 0;
}

/* In position-independent programs, nearly all relocations are relative, without a symbol. */
static struct span reduce_relocations(struct slim *slim, const GElf_Shdr *header, struct span bytes)
{
	bool is_64_bit = slim->elf->is_64_bit;
	size_t row_bytes = header->sh_type == SHT_RELA
				   ? (is_64_bit ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela))
				   : (is_64_bit ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel));
	size_t kept_bytes = 0;
	unsigned char *kept;
	struct span row;

	if (!may_copy(slim, span_left(&bytes)))
		return span_of("", 0, 0, bytes.swapped);
	kept = arena_alloc(&slim->arena, span_left(&bytes) + 1, 1);
	while (span_sub(&bytes, row_bytes, &row)) {
		if (!names_symbol(slim->elf, row.at))
			continue;
		memcpy(kept + kept_bytes, row.at, row_bytes);
		kept_bytes += row_bytes;
	}
	return span_of(kept, kept_bytes, 0, bytes.swapped);
}

static struct slim_section take_section(struct slim *slim, const struct elf_section *section)
{
	struct slim_section row = { .bytes = NULL };
	struct span bytes;

	gelf_getshdr(elf_getscn(slim->elf->handle, section->index), &row.header);
	if (!slim->plan->keeps_section[section->index]) {
		bool is_loaded = row.header.sh_flags & SHF_ALLOC;

		if (!is_loaded)
			return (struct slim_section){ .bytes = NULL };
		row.header.sh_type = SHT_NOBITS;
	} else if (row.header.sh_type != SHT_NOBITS) {
		bool is_relocation =
			row.header.sh_type == SHT_REL || row.header.sh_type == SHT_RELA;

		bytes = elf_section_bytes(slim->elf, section);
		/* perf counts the relocations of .plt, including those without a symbol. */
		if (is_relocation && !slim->plan->keeps_all_relocations &&
		    !text_has_suffix(section->name, ".plt"))
			bytes = reduce_relocations(slim, &row.header, bytes);
		row.bytes = bytes.at;
		row.header.sh_size = span_left(&bytes);
	}
	row.header.sh_name = add_name(slim, section->name);
	return row;
}

static void add_section(struct slim *slim, const char *name, uint32_t type, const void *bytes,
			size_t size_bytes)
{
	struct slim_section row = {
		.header = {
			.sh_name = add_name(slim, text_of(name)),
			.sh_type = type,
			.sh_size = size_bytes,
			.sh_addralign = TABLE_ALIGNMENT,
		},
		.bytes = bytes,
	};

	vec_push(&slim->sections, row);
}

static void add_names_section(struct slim *slim)
{
	static const char name[] = ".shstrtab";

	add_section(slim, name, SHT_STRTAB, "", 0);
	set_bytes(&slim->sections.at[slim->sections.count - 1], sink_memory(&slim->names));
}

static bool list_sections(struct slim *slim)
{
	const struct elf_file *elf = slim->elf;

	/* The slim file has two more sections, and their numbers must fit the header. */
	if (elf->sections.count < 2 || elf->sections.count + 2 >= SHN_LORESERVE)
		return false;
	sink_char(&slim->names, '\0');
	vec_push(&slim->sections, (struct slim_section){ .bytes = NULL });
	for (size_t i = 1; i < elf->sections.count; i++)
		vec_push(&slim->sections, take_section(slim, &elf->sections.at[i]));
	if (!reduce_symbols(slim, ELF_SYMBOLS_STATIC) || !reduce_symbols(slim, ELF_SYMBOLS_DYNAMIC))
		return false;
	add_section(slim, ELF_SLIM_SECTION, SHT_PROGBITS, slim->plan->table,
		    slim->plan->table_bytes);
	add_names_section(slim);
	return may_copy(slim, 0);
}

static uint64_t round_up(uint64_t offset)
{
	return (offset + TABLE_ALIGNMENT - 1) & ~(uint64_t)(TABLE_ALIGNMENT - 1);
}

/* Assigns offsets to sections with bytes. Sections without bytes keep their offsets. */
static bool lay_out(struct slim *slim)
{
	bool is_64_bit = slim->elf->is_64_bit;
	uint64_t at = is_64_bit ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);

	at += slim->segments.count * (is_64_bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	for (size_t i = 1; i < slim->sections.count; i++) {
		GElf_Shdr *header = &slim->sections.at[i].header;

		if (!slim->sections.at[i].bytes)
			continue;
		at = round_up(at);
		header->sh_offset = at;
		at += header->sh_size;
		if (at > SLIM_BYTES_MAX)
			return false;
	}
	slim->headers_offset = round_up(at);
	return true;
}

static void pad_to(struct sink *sink, size_t begin, uint64_t offset)
{
	while (sink->used - begin < offset)
		sink_char(sink, '\0');
}

static void write_out(struct slim *slim, struct sink *sink)
{
	size_t begin = sink->used;

	put_file_header(slim, sink);
	for (size_t i = 0; i < slim->segments.count; i++)
		put_segment(slim->elf, sink, &slim->segments.at[i]);
	for (size_t i = 1; i < slim->sections.count; i++) {
		const struct slim_section *section = &slim->sections.at[i];

		if (!section->bytes)
			continue;
		pad_to(sink, begin, section->header.sh_offset);
		sink_bytes(sink, section->bytes, section->header.sh_size);
	}
	pad_to(sink, begin, slim->headers_offset);
	for (size_t i = 0; i < slim->sections.count; i++)
		put_section(slim->elf, sink, &slim->sections.at[i].header);
}

bool elf_slim_write(const struct elf_slim_plan *plan, struct sink *sink)
{
	struct slim slim;
	bool good;

	slim_init(&slim, plan);
	good = list_segments(&slim) && list_sections(&slim) && lay_out(&slim);
	if (good)
		write_out(&slim, sink);
	slim_deinit(&slim);
	return good;
}
