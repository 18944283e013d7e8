/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/go_names.h"

#include <elf.h>

#include "base/strings.h"

/*
 * Maximum number of candidate addresses for Go's function table in one file. A file has only one
 * such table.
 */
#define LIMIT_GO_TABLES 16u

/* Versions of the table, by the last byte of the magic number. */
enum form {
	FORM_1_2 = 0xfb,
	FORM_1_16 = 0xfa,
	FORM_1_18 = 0xf0,
	FORM_1_20 = 0xf1,
};

#define MAGIC_MASK  0xffffff00u
#define START_BYTES 8u /* magic number, two zeros, minimum instruction size, pointer size */

struct go_table {
	const struct elf_file *elf;
	struct span bytes; /* the bytes from the header to the end of the section or segment */
	uint64_t address;  /* address of the header */
	enum form form;
	unsigned pointer_bytes;
	uint64_t function_count;
	uint64_t text_start; /* base of the offsets in starts; 0 in versions before 1.18 */
	uint64_t code_begin, code_end;
	struct span names, starts; /* the array of starts, followed by the function descriptions */
	unsigned start_bytes;      /* size of a number in `starts` */
	unsigned name_skip; /* number of bytes in a description before the offset of the name */
};

/* Reads the word at offset. Returns false if the word is out of bounds. */
static bool word_at(struct span bytes, uint64_t offset, unsigned word_bytes, uint64_t *ret)
{
	uint32_t half;

	if (!span_skip(&bytes, offset))
		return false;
	if (word_bytes == sizeof(*ret))
		return span_u64(&bytes, ret);
	if (!span_u32(&bytes, &half))
		return false;
	*ret = half;
	return true;
}

/* Reads the pointer-sized header word with this index, after the first START_BYTES. */
static bool header_word(const struct go_table *go, unsigned index, uint64_t *ret)
{
	return word_at(go->bytes, START_BYTES + (uint64_t)index * go->pointer_bytes,
		       go->pointer_bytes, ret);
}

/* Gets the part of the table whose offset is in the header word with this index. */
static bool header_part(const struct go_table *go, unsigned index, struct span *ret)
{
	uint64_t offset;

	*ret = go->bytes;
	return header_word(go, index, &offset) && span_skip(ret, offset);
}

static bool read_form(struct go_table *go)
{
	struct span bytes = go->bytes;
	uint32_t magic;
	uint8_t zeros[2], quantum, pointer_bytes;

	if (!span_u32(&bytes, &magic) || (magic & MAGIC_MASK) != MAGIC_MASK ||
	    !span_u8(&bytes, &zeros[0]) || !span_u8(&bytes, &zeros[1]) ||
	    !span_u8(&bytes, &quantum) || !span_u8(&bytes, &pointer_bytes))
		return false;
	go->form = (enum form)(magic & ~MAGIC_MASK);
	go->pointer_bytes = pointer_bytes;
	return zeros[0] == 0 && zeros[1] == 0 && (quantum == 1 || quantum == 2 || quantum == 4) &&
	       pointer_bytes == (go->elf->is_64_bit ? 8 : 4);
}

static bool read_parts(struct go_table *go)
{
	switch (go->form) {
	case FORM_1_2:
		go->names = go->starts = go->bytes;
		go->start_bytes = go->name_skip = go->pointer_bytes;
		return span_skip(&go->starts, START_BYTES + go->pointer_bytes);
	case FORM_1_16:
		go->start_bytes = go->name_skip = go->pointer_bytes;
		return header_part(go, 2, &go->names) && header_part(go, 6, &go->starts);
	case FORM_1_18:
	case FORM_1_20:
		go->start_bytes = go->name_skip = sizeof(uint32_t);
		return header_word(go, 2, &go->text_start) && header_part(go, 3, &go->names) &&
		       header_part(go, 7, &go->starts);
	}
	return false;
}

/*
 * Finds a pointer that the loader fills in, as in position-independent programs. The linker may
 * leave 0 in the file. The relocations then contain the pointer.
 */
static bool find_relocated(const struct elf_file *elf, uint64_t address, uint64_t *ret)
{
	unsigned word_bytes = elf->is_64_bit ? 8 : 4;
	uint64_t bytes_left = elf->size_bytes;

	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];
		struct span rows;
		uint64_t place;

		if (!section->is_loaded || section->type != SHT_RELA)
			continue;
		if (!elf_section_spend(section, &bytes_left))
			break;
		rows = elf_section_bytes(elf, section);
		while (word_at(rows, 0, word_bytes, &place)) {
			if (place == address)
				return word_at(rows, 2ull * word_bytes, word_bytes, ret);
			if (!span_skip(&rows, 3ull * word_bytes))
				break;
		}
	}
	return false;
}

/* Whether [first, last] is code in one segment. */
static bool is_in_one_code(const struct elf_file *elf, uint64_t first, uint64_t last)
{
	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct elf_segment *segment = &elf->segments.at[i];

		if (segment->is_executable && first >= segment->address && last >= first &&
		    last - segment->address < segment->file_bytes)
			return true;
	}
	return false;
}

/* Gets the start of a function and the offset of its description. For index function_count, gets
 * the end of the last function. */
static bool read_start(const struct go_table *go, uint64_t index, uint64_t *start_ret,
		       uint64_t *offset_ret)
{
	uint64_t at = index * go->start_bytes * 2;
	uint64_t start;

	if (!word_at(go->starts, at, go->start_bytes, &start) ||
	    __builtin_add_overflow(go->text_start, start, start_ret))
		return false;
	*offset_ret = 0;
	return index == go->function_count ||
	       word_at(go->starts, at + go->start_bytes, go->start_bytes, offset_ret);
}

/* Parses the table at the start of bytes. Returns false if there is no valid table. */
static bool open_table(struct go_table *go, const struct elf_file *elf, struct span bytes,
		       uint64_t address)
{
	uint64_t ignored;

	*go = (struct go_table){ .elf = elf, .bytes = bytes, .address = address };
	if (!read_form(go) || !header_word(go, 0, &go->function_count) || !go->function_count ||
	    !read_parts(go) ||
	    go->function_count > span_left(&go->starts) / (2 * (uint64_t)go->start_bytes))
		return false;
	if (go->form != FORM_1_2 && go->form != FORM_1_16 && !go->text_start &&
	    !find_relocated(elf, address + START_BYTES + 2ull * go->pointer_bytes, &go->text_start))
		return false;
	return read_start(go, 0, &go->code_begin, &ignored) &&
	       read_start(go, go->function_count, &go->code_end, &ignored) && go->code_end &&
	       is_in_one_code(elf, go->code_begin, go->code_end - 1);
}

/*
 * Reads the name of the function described at offset. Returns false if the description or the name
 * is out of bounds.
 */
static bool read_name(const struct go_table *go, uint64_t offset, struct text *ret)
{
	/*
	 * In Go 1.2 tables, description offsets are relative to the header. In later tables,
	 * description offsets are relative to the starts.
	 */
	struct span bytes = go->form == FORM_1_2 ? go->bytes : go->starts;
	struct span name = go->names;
	uint64_t name_offset;
	size_t most;
	const char *nul;

	if (__builtin_add_overflow(offset, go->name_skip, &offset) ||
	    !word_at(bytes, offset, sizeof(uint32_t), &name_offset) ||
	    !span_skip(&name, name_offset))
		return false;
	most = span_left(&name) < LIMIT_SYMBOL_BYTES ? span_left(&name) : LIMIT_SYMBOL_BYTES;
	nul = most ? memchr(name.at, '\0', most) : NULL;
	if (!nul)
		return false;
	*ret = (struct text){ (const char *)name.at, (uint32_t)(nul - (const char *)name.at) };
	return ret->length > 0;
}

static void add_functions(const struct go_table *go, struct symbol_table *table)
{
	uint64_t start, offset, next, next_offset;

	if (!read_start(go, 0, &start, &offset))
		return;
	for (uint64_t i = 0; i < go->function_count; i++) {
		struct symbol symbol = { .start = start, .binding = SYMBOL_LOCAL };

		if (!read_start(go, i + 1, &next, &next_offset))
			return;
		symbol.end = symbol.limit = next;
		if (start < next && start >= go->code_begin && start < go->code_end &&
		    read_name(go, offset, &symbol.name))
			symbol_table_add(table, &symbol);
		start = next;
		offset = next_offset;
	}
}

/* Tries every address with the bytes of a header. */
static bool search(struct go_table *go, const struct elf_file *elf, struct span bytes,
		   uint64_t address)
{
	static const unsigned char little[] = { 0xff, 0xff, 0xff, 0, 0 };
	static const unsigned char big[] = { 0xff, 0xff, 0xff };
	bool is_big = span_is_big_endian(&bytes);
	struct span rest = bytes;
	unsigned seen_count = 0;

	while (seen_count < LIMIT_GO_TABLES) {
		const unsigned char *found =
			span_left(&rest) ? memmem(rest.at, span_left(&rest), is_big ? big : little,
						  is_big ? sizeof(big) : sizeof(little))
					 : NULL;
		struct span place = bytes;
		uint64_t offset;

		if (!found)
			return false;
		rest.at = found + 1;
		offset = (uint64_t)(found - bytes.at) - (is_big ? 0 : 1);
		if ((address + offset) % 4 || !span_skip(&place, offset))
			continue;
		*go = (struct go_table){ .elf = elf, .bytes = place };
		if (!read_form(go))
			continue;
		seen_count++;
		if (open_table(go, elf, place, address + offset))
			return true;
	}
	return false;
}

static bool is_go_section(struct text name)
{
	return text_is(name, ".go.buildinfo") || text_is(name, ".note.go.buildid");
}

static bool has_table_name(struct text name)
{
	return text_is(name, ".gopclntab") || text_is(name, ".data.rel.ro.gopclntab");
}

static bool find_in_sections(struct go_table *go, const struct elf_file *elf, bool *is_go_ret)
{
	unsigned seen_count = 0;

	*is_go_ret = false;
	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];

		*is_go_ret |= is_go_section(section->name);
		if (has_table_name(section->name) && seen_count++ < LIMIT_GO_TABLES &&
		    open_table(go, elf, elf_section_bytes(elf, section), section->address))
			return true;
	}
	return false;
}

/* Search data sections only in Go programs and in files without section names. */
static bool find(struct go_table *go, const struct elf_file *elf)
{
	bool is_go;

	if (find_in_sections(go, elf, &is_go))
		return true;
	if (!is_go && elf->sections.count > 1)
		return false;
	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct elf_segment *segment = &elf->segments.at[i];

		if (search(go, elf, elf_segment_bytes(elf, segment), segment->address))
			return true;
	}
	return false;
}

bool go_names_are_in(const struct elf_file *elf)
{
	struct go_table go;

	return find(&go, elf);
}

bool go_names_add(const struct elf_file *elf, struct symbol_table *table)
{
	struct go_table go;

	if (!find(&go, elf))
		return false;
	add_functions(&go, table);
	return true;
}
