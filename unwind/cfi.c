/* SPDX-License-Identifier: MIT */
#include "unwind/cfi.h"

#include "base/leb128.h"

/* Maximum number of functions in a section of call frame information. Chromium has a million. */
#define LIMIT_CFI_FUNCTIONS (1u << 23)
/* Maximum number of letters in the augmentation string of a CIE. Seven letters are defined. */
#define LIMIT_CFI_AUGMENTATION_BYTES 16u
/*
 * Maximum size of the instructions of a CIE, in bytes. The instructions run once for each function.
 * Compilers need about 10 bytes.
 */
#define LIMIT_CFI_CIE_BYTES 256u

#define LENGTH_OF_64_BIT UINT32_MAX

/* DW_EH_PE_*: the low nibble is the format, and the high nibble is the base of a relative value. */
enum {
	POINTER_FORM = 0x0f,
	POINTER_WORD = 0x00,
	POINTER_ULEB128 = 0x01,
	POINTER_U16 = 0x02,
	POINTER_U32 = 0x03,
	POINTER_U64 = 0x04,
	POINTER_SLEB128 = 0x09,
	POINTER_S16 = 0x0a,
	POINTER_S32 = 0x0b,
	POINTER_S64 = 0x0c,
	POINTER_RELATION = 0xf0,
	POINTER_ABSOLUTE = 0x00,
	POINTER_PC_RELATIVE = 0x10,
	POINTER_OMITTED = 0xff,
};

/* A CIE or an FDE. */
struct cfi_entry {
	uint64_t offset; /* offset in the section */
	bool is_cie;
	uint64_t cie_offset; /* for FDEs: the offset of the CIE, which has not been checked */
	struct span rest;    /* the bytes after the id */
};

static uint64_t narrow(const struct cfi *cfi, uint64_t address)
{
	return cfi->word_bytes == 4 ? (uint32_t)address : address;
}

static uint64_t section_offset(const struct cfi *cfi, const struct span *span)
{
	return span_offset(span) - cfi->section.base;
}

static bool read_word(struct span *span, unsigned word_bytes, uint64_t *ret)
{
	uint32_t narrow_value;

	if (word_bytes == 8)
		return span_u64(span, ret);
	if (!span_u32(span, &narrow_value))
		return false;
	*ret = narrow_value;
	return true;
}

static bool read_form(const struct cfi *cfi, uint8_t encoding, struct span *span, uint64_t *ret)
{
	uint16_t half;
	uint32_t word;

	switch (encoding & POINTER_FORM) {
	case POINTER_WORD:
		return read_word(span, cfi->word_bytes, ret);
	case POINTER_ULEB128:
		return leb128_unsigned(span, ret);
	case POINTER_SLEB128:
		return leb128_read(span, true, ret);
	case POINTER_U16:
	case POINTER_S16:
		if (!span_u16(span, &half))
			return false;
		*ret = (encoding & POINTER_FORM) == POINTER_U16 ? half : (uint64_t)(int16_t)half;
		return true;
	case POINTER_U32:
	case POINTER_S32:
		if (!span_u32(span, &word))
			return false;
		*ret = (encoding & POINTER_FORM) == POINTER_U32 ? word : (uint64_t)(int32_t)word;
		return true;
	case POINTER_U64:
	case POINTER_S64:
		return span_u64(span, ret);
	default:
		return false;
	}
}

/* Compilers write only absolute and pc-relative code addresses, so others are refused. */
static bool read_pointer(const struct cfi *cfi, uint8_t encoding, struct span *span, uint64_t *ret)
{
	uint64_t own_address = span_offset(span);

	if (!read_form(cfi, encoding, span, ret))
		return false;
	switch (encoding & POINTER_RELATION) {
	case POINTER_ABSOLUTE:
		break;
	case POINTER_PC_RELATIVE:
		*ret += own_address;
		break;
	default:
		return false;
	}
	*ret = narrow(cfi, *ret);
	return true;
}

/*
 * Reads an entry and advances past it. Returns false at the end of the section. A length of 0 ends
 * the entries of one object file.
 */
static bool next_entry(const struct cfi *cfi, struct span *span, struct cfi_entry *ret)
{
	unsigned id_bytes = 4;
	uint32_t short_length;
	uint64_t length, id, id_offset;

	do {
		ret->offset = section_offset(cfi, span);
		if (!span_u32(span, &short_length))
			return false;
	} while (!short_length);
	length = short_length;
	if (short_length == LENGTH_OF_64_BIT) {
		if (!span_u64(span, &length))
			return false;
		id_bytes = cfi->kind == CFI_DEBUG_FRAME ? 8 : 4;
	}
	if (!span_sub(span, length, &ret->rest))
		return false;
	id_offset = section_offset(cfi, &ret->rest);
	if (!read_word(&ret->rest, id_bytes, &id))
		return false;
	if (cfi->kind == CFI_EH_FRAME) {
		ret->is_cie = id == 0;
		ret->cie_offset = id_offset - id;
	} else {
		ret->is_cie = id == (id_bytes == 8 ? UINT64_MAX : UINT32_MAX);
		ret->cie_offset = id;
	}
	return true;
}

/*
 * Reads the augmentation data. Letters after an unknown letter are ignored, because the data has a
 * length and can be skipped.
 */
static bool read_augmentation(const struct cfi *cfi, struct text letters, struct span *span,
			      struct cfi_cie *ret)
{
	struct span data;
	uint64_t length, ignored;
	uint8_t encoding;

	if (letters.length == 0)
		return true;
	if (letters.at[0] != 'z' || !leb128_unsigned(span, &length) ||
	    !span_sub(span, length, &data))
		return false;
	ret->has_augmentation = true;
	for (uint32_t i = 1; i < letters.length; i++) {
		switch (letters.at[i]) {
		case 'R':
			if (!span_u8(&data, &ret->pointer_encoding))
				return false;
			break;
		case 'P':
			if (!span_u8(&data, &encoding) ||
			    !read_form(cfi, encoding, &data, &ignored))
				return false;
			break;
		case 'L':
			if (!span_u8(&data, &encoding))
				return false;
			break;
		case 'S':
			ret->is_signal = true;
			break;
		case 'B': /* aarch64: return addresses are signed with the B key */
		case 'G': /* aarch64: the stack has memory tags */
			break;
		default:
			return true;
		}
	}
	return true;
}

/* The length is limited, because many FDEs may refer to one CIE. */
static bool read_letters(struct span *span, struct text *ret)
{
	struct span head = *span;

	if (span_left(&head) > LIMIT_CFI_AUGMENTATION_BYTES)
		head.end = head.at + LIMIT_CFI_AUGMENTATION_BYTES;
	return span_cstring(&head, ret) && span_skip(span, ret->length + 1u);
}

static bool read_cie(const struct cfi *cfi, uint64_t offset, struct cfi_cie *ret)
{
	struct span span = cfi->section;
	struct cfi_entry entry;
	struct text letters;
	uint8_t version, byte;

	if (!span_skip(&span, offset) || !next_entry(cfi, &span, &entry) || !entry.is_cie)
		return false;
	span = entry.rest;
	*ret = (struct cfi_cie){ .pointer_encoding = POINTER_ABSOLUTE };
	if (!span_u8(&span, &version) || (version != 1 && version != 3 && version != 4) ||
	    !read_letters(&span, &letters))
		return false;
	/*
	 * Version 4 has two more bytes: the size of an address, and the size of a segment selector.
	 * The second must be 0.
	 */
	if (version == 4 && (!span_u8(&span, &byte) || byte != cfi->word_bytes ||
			     !span_u8(&span, &byte) || byte != 0))
		return false;
	if (!leb128_unsigned(&span, &ret->code_alignment) ||
	    !leb128_signed(&span, &ret->data_alignment))
		return false;
	if (version > 1) {
		if (!leb128_unsigned(&span, &ret->return_column))
			return false;
	} else {
		if (!span_u8(&span, &byte))
			return false;
		ret->return_column = byte;
	}
	if (!read_augmentation(cfi, letters, &span, ret))
		return false;
	ret->program = span_of(span.at, span_left(&span), span_offset(&span), span.swapped);
	return span_left(&span) <= LIMIT_CFI_CIE_BYTES;
}

static bool read_fde(const struct cfi *cfi, const struct cfi_entry *entry,
		     const struct cfi_cie *cie, struct cfi_fde *ret)
{
	struct span span = entry->rest;
	uint64_t size_bytes, length;

	ret->cie = *cie;
	if (!read_pointer(cfi, cie->pointer_encoding, &span, &ret->begin) ||
	    !read_form(cfi, cie->pointer_encoding, &span, &size_bytes))
		return false;
	if (cie->has_augmentation &&
	    (!leb128_unsigned(&span, &length) || !span_skip(&span, length)))
		return false;
	ret->program = span_of(span.at, span_left(&span), span_offset(&span), span.swapped);
	return size_bytes && size_bytes <= UINT32_MAX &&
	       !__builtin_add_overflow(ret->begin, size_bytes, &ret->end);
}

static int compare_rows(const void *a, const void *b)
{
	const struct cfi_index_entry *left = a;
	const struct cfi_index_entry *right = b;

	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

static void make_index(struct cfi *cfi)
{
	struct span span = cfi->section;
	struct cfi_cie cie = { 0 };
	uint64_t cie_offset = UINT64_MAX;
	bool is_sorted = true;
	bool is_good = false;
	struct cfi_entry entry;

	while (cfi->index.count < LIMIT_CFI_FUNCTIONS && next_entry(cfi, &span, &entry)) {
		struct cfi_index_entry row = { .offset = entry.offset };
		struct cfi_fde function;

		if (entry.is_cie)
			continue;
		if (entry.cie_offset != cie_offset) {
			cie_offset = entry.cie_offset;
			is_good = read_cie(cfi, cie_offset, &cie);
		}
		if (!is_good || !read_fde(cfi, &entry, &cie, &function))
			continue;
		row.begin = function.begin;
		is_sorted &=
			!cfi->index.count || cfi->index.at[cfi->index.count - 1].begin <= row.begin;
		vec_push(&cfi->index, row);
	}
	if (!is_sorted)
		qsort(cfi->index.at, cfi->index.count, sizeof(*cfi->index.at), compare_rows);
}

void cfi_init(struct cfi *cfi, struct span section, enum cfi_kind kind, uint8_t word_bytes)
{
	*cfi = (struct cfi){ .section = section, .kind = kind, .word_bytes = word_bytes };
	make_index(cfi);
}

/*
 * .eh_frame_hdr: the encodings that linkers use. Values have four bytes. Values in rows are
 * relative to the table.
 */
enum {
	TABLE_VERSION = 1,
	COUNT_U32 = 0x03,
	ROWS_RELATIVE_S32 = 0x3b,
	SECTION_BYTES = 4,
};

static bool is_of_four_bytes(uint8_t encoding)
{
	return (encoding & 0x0f) == 0x03 || (encoding & 0x0f) == 0x0b;
}

/*
 * Fills the index from .eh_frame_hdr, the table that linkers sort by function:
 *
 *     version, encodings | address of .eh_frame | count | (start of function, address of FDE) ...
 *
 * Returns false if the table is corrupt, has a different encoding, or lists two functions with the
 * same start.
 */
static bool read_table(struct cfi *cfi, struct span table)
{
	uint64_t own_address = span_offset(&table);
	uint64_t section_bytes = span_left(&cfi->section);
	uint64_t address_max = cfi->word_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	uint8_t version, of_section, of_count, of_rows;
	uint32_t count, begin, entry;

	if (!span_u8(&table, &version) || !span_u8(&table, &of_section) ||
	    !span_u8(&table, &of_count) || !span_u8(&table, &of_rows) || version != TABLE_VERSION ||
	    !is_of_four_bytes(of_section) || of_count != COUNT_U32 ||
	    of_rows != ROWS_RELATIVE_S32 || !span_skip(&table, SECTION_BYTES) ||
	    !span_u32(&table, &count) || count > LIMIT_CFI_FUNCTIONS ||
	    count > span_left(&table) / (sizeof(begin) + sizeof(entry)))
		return false;
	vec_reserve(&cfi->index, count);
	for (uint32_t i = 0; i < count; i++) {
		struct cfi_index_entry row;

		if (!span_u32(&table, &begin) || !span_u32(&table, &entry))
			return false;
		row.begin = (own_address + (uint64_t)(int32_t)begin) & address_max;
		row.offset = own_address + (uint64_t)(int32_t)entry - cfi->section.base;
		if (row.offset >= section_bytes || (i && row.begin <= cfi->index.at[i - 1].begin))
			return false;
		vec_push(&cfi->index, row);
	}
	return true;
}

/* The set of offsets of FDEs. Offsets are multiples of four bytes, and each has a bit. */
struct offset_set {
	VEC(uint64_t) words;
};

static uint64_t *word_of(const struct offset_set *set, uint64_t offset)
{
	return &set->words.at[offset / 4 / 64];
}

static uint64_t bit_of(uint64_t offset)
{
	return (uint64_t)1 << (offset / 4 % 64);
}

/*
 * Lists all FDEs, even corrupt ones, because a linker puts all FDEs into its table. Returns the
 * number of FDEs, or SIZE_MAX if an offset is not a multiple of four.
 */
static size_t list_functions(const struct cfi *cfi, struct offset_set *set)
{
	struct span span = cfi->section;
	struct cfi_entry entry;
	size_t count = 0;

	for (uint64_t i = 0; i <= span_left(&span) / 4 / 64; i++)
		vec_push(&set->words, 0);
	while (count < LIMIT_CFI_FUNCTIONS && next_entry(cfi, &span, &entry)) {
		if (entry.offset % 4)
			return SIZE_MAX;
		if (!entry.is_cie)
			*word_of(set, entry.offset) |= bit_of(entry.offset);
		count += !entry.is_cie;
	}
	return count;
}

/*
 * Whether the index lists each FDE exactly once. If many rows referred to the same FDE, or to parts
 * of one, its program would run for each row.
 */
static bool is_complete(const struct cfi *cfi)
{
	struct offset_set set = { .words = { .at = NULL } };
	bool good = cfi->index.count == list_functions(cfi, &set);

	for (size_t i = 0; good && i < cfi->index.count; i++) {
		uint64_t offset = cfi->index.at[i].offset;

		good = offset % 4 == 0 && *word_of(&set, offset) & bit_of(offset);
		if (good)
			*word_of(&set, offset) &= ~bit_of(offset);
	}
	vec_free(&set.words);
	return good;
}

void cfi_init_with_table(struct cfi *cfi, struct span section, struct span table,
			 uint8_t word_bytes)
{
	*cfi = (struct cfi){ .section = section, .kind = CFI_EH_FRAME, .word_bytes = word_bytes };
	if (read_table(cfi, table) && is_complete(cfi))
		return;
	cfi->index.count = 0;
	make_index(cfi);
}

void cfi_deinit(struct cfi *cfi)
{
	vec_free(&cfi->index);
}

bool cfi_find(const struct cfi *cfi, uint64_t address, size_t *entry_ret)
{
	size_t low = vec_count_first(&cfi->index, entry, entry->begin <= address);
	*entry_ret = low - 1;
	return low > 0;
}

bool cfi_read(const struct cfi *cfi, size_t number, struct cfi_fde *ret)
{
	struct span span = cfi->section;
	struct cfi_cie cie;
	struct cfi_entry entry;

	return span_skip(&span, cfi->index.at[number].offset) && next_entry(cfi, &span, &entry) &&
	       !entry.is_cie && read_cie(cfi, entry.cie_offset, &cie) &&
	       read_fde(cfi, &entry, &cie, ret);
}
