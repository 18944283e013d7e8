/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/abbreviations.h"

#include <dwarf.h>

#include "base/hash.h"
#include "base/leb128.h"

void abbreviations_init(struct abbreviations *abbreviations)
{
	*abbreviations = (struct abbreviations){ .rows = { .at = NULL } };
	idtable_init(&abbreviations->by_code);
}

void abbreviations_deinit(struct abbreviations *abbreviations)
{
	vec_free(&abbreviations->rows);
	vec_free(&abbreviations->values);
	idtable_deinit(&abbreviations->by_code);
}

/*
 * Reads the next attribute and its form; both are 0 at the end of a row. Returns false if the
 * attribute or its form is corrupt.
 */
static bool read_attribute(struct span *span, struct abbreviation_value *ret)
{
	uint64_t attribute;
	uint64_t form;
	int64_t constant;

	if (!leb128_unsigned(span, &attribute) || !leb128_unsigned(span, &form) ||
	    attribute > UINT32_MAX || form > UINT32_MAX ||
	    (form == DW_FORM_implicit_const && !leb128_signed(span, &constant)))
		return false;
	*ret = (struct abbreviation_value){ .attribute = (uint32_t)attribute,
					    .form = (uint32_t)form };
	return true;
}

/* The size is not fixed. */
#define SIZE_VARIES UINT32_MAX

/* The size of a value, or SIZE_VARIES. */
static uint32_t size_of(uint64_t form, const struct entry_sizes *sizes)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return sizes->address_bytes;
	case DW_FORM_ref_addr:
		return sizes->version <= 2 ? sizes->address_bytes : sizes->offset_bytes;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return sizes->offset_bytes;
	default:
		return SIZE_VARIES;
	}
}

/*
 * Adds an attribute to a row. A value of fixed size is skipped with its neighbours, except the
 * sibling's offset, which is read.
 */
static void add_attribute(struct abbreviations *abbreviations, struct abbreviation *row,
			  const struct abbreviation_value *value)
{
	uint32_t size_bytes = size_of(value->form, &abbreviations->sizes);
	uint32_t sum_bytes;

	row->attribute_count++;
	if (value->attribute != DW_AT_sibling && size_bytes != SIZE_VARIES &&
	    !__builtin_add_overflow(row->fixed_bytes, size_bytes, &sum_bytes)) {
		row->fixed_bytes = sum_bytes;
		return;
	}
	vec_push(&abbreviations->values,
		 (struct abbreviation_value){ row->fixed_bytes, value->attribute, value->form });
	row->value_count++;
	row->fixed_bytes = 0;
}

/* Adds the attributes of a row. Returns false if the list of attributes does not end. */
static bool read_attributes(struct abbreviations *abbreviations, struct abbreviation *row,
			    struct span *span)
{
	struct abbreviation_value value;

	row->value_first = (uint32_t)abbreviations->values.count;
	while (read_attribute(span, &value)) {
		if (!value.attribute && !value.form)
			return true;
		add_attribute(abbreviations, row, &value);
	}
	return false;
}

size_t abbreviations_measure(struct span span, uint64_t code)
{
	const unsigned char *begin = span.at;
	struct abbreviation_value value;
	uint64_t here = 0;
	uint64_t tag;

	while (here != code && leb128_unsigned(&span, &here) && here &&
	       leb128_unsigned(&span, &tag) && span_skip(&span, 1))
		do
			if (!read_attribute(&span, &value))
				return (size_t)(span.at - begin);
		while (value.attribute || value.form);
	return (size_t)(span.at - begin);
}

/* Reads all rows. Returns false if a row is corrupt or the table does not end. */
static bool read_rows(struct abbreviations *abbreviations, struct span *rest)
{
	uint64_t code;
	uint64_t tag;
	uint8_t has_children;

	while (leb128_unsigned(rest, &code)) {
		struct abbreviation row = { .code = code };

		if (!code)
			return true;
		if (!leb128_unsigned(rest, &tag) || tag > UINT32_MAX ||
		    !span_u8(rest, &has_children) || !read_attributes(abbreviations, &row, rest))
			return false;
		row.tag = (uint32_t)tag;
		row.has_children = has_children;
		/* If several rows have the same code, the first takes precedence. */
		if (abbreviations_find(abbreviations, code))
			continue;
		idtable_add(&abbreviations->by_code, hash_u64(code),
			    (uint32_t)abbreviations->rows.count);
		vec_push(&abbreviations->rows, row);
	}
	return false;
}

bool abbreviations_read(struct abbreviations *abbreviations, struct span span,
			const struct entry_sizes *sizes)
{
	const unsigned char *begin = span.at;
	bool good;

	abbreviations_deinit(abbreviations);
	abbreviations_init(abbreviations);
	abbreviations->sizes = *sizes;
	good = read_rows(abbreviations, &span);
	abbreviations->size_bytes = (size_t)(span.at - begin);
	return good;
}

const struct abbreviation *abbreviations_find(const struct abbreviations *abbreviations,
					      uint64_t code)
{
	struct idtable_probe probe;
	uint32_t id;

	/* Fast path: in nearly all tables, codes are consecutive from 1. */
	if (code - 1 < abbreviations->rows.count && abbreviations->rows.at[code - 1].code == code)
		return &abbreviations->rows.at[code - 1];
	probe = idtable_find(&abbreviations->by_code, hash_u64(code));
	while ((id = idtable_next(&abbreviations->by_code, &probe)) != IDTABLE_NONE)
		if (abbreviations->rows.at[id].code == code)
			return &abbreviations->rows.at[id];
	return NULL;
}

static bool skip_block(struct span *span, unsigned length_bytes)
{
	uint64_t length = 0;
	uint32_t word;
	uint16_t half;
	uint8_t byte;

	switch (length_bytes) {
	case 1:
		return span_u8(span, &byte) && span_skip(span, byte);
	case 2:
		return span_u16(span, &half) && span_skip(span, half);
	case 4:
		return span_u32(span, &word) && span_skip(span, word);
	default:
		return leb128_unsigned(span, &length) && span_skip(span, length);
	}
}

static bool skip_text(struct span *span)
{
	struct text text;

	return span_cstring(span, &text);
}

static bool skip_number(struct span *span)
{
	uint64_t number;

	return leb128_unsigned(span, &number);
}

static bool skip_value(struct span *span, uint64_t form, const struct entry_sizes *sizes)
{
	uint32_t size_bytes = size_of(form, sizes);

	if (size_bytes != SIZE_VARIES)
		return span_skip(span, size_bytes);
	switch (form) {
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return skip_number(span);
	case DW_FORM_string:
		return skip_text(span);
	case DW_FORM_block1:
		return skip_block(span, 1);
	case DW_FORM_block2:
		return skip_block(span, 2);
	case DW_FORM_block4:
		return skip_block(span, 4);
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return skip_block(span, 0);
	default:
		return false;
	}
}

/*
 * The target of a reference within the unit, or 0 for forms that compilers do not use for
 * references.
 */
static uint64_t read_reference(struct span span, uint64_t form)
{
	uint64_t number = 0;
	uint32_t word;
	uint16_t half;
	uint8_t byte;

	switch (form) {
	case DW_FORM_ref1:
		return span_u8(&span, &byte) ? byte : 0;
	case DW_FORM_ref2:
		return span_u16(&span, &half) ? half : 0;
	case DW_FORM_ref4:
		return span_u32(&span, &word) ? word : 0;
	case DW_FORM_ref8:
		return span_u64(&span, &number) ? number : 0;
	case DW_FORM_ref_udata:
		return leb128_unsigned(&span, &number) ? number : 0;
	default:
		return 0;
	}
}

bool abbreviations_skip(const struct abbreviations *abbreviations, const struct abbreviation *row,
			struct span *span, uint64_t *sibling_ret)
{
	*sibling_ret = 0;
	for (uint32_t i = 0; i < row->value_count; i++) {
		const struct abbreviation_value *value =
			&abbreviations->values.at[row->value_first + i];
		uint64_t form = value->form;

		if (!span_skip(span, value->fixed_bytes))
			return false;
		if (form == DW_FORM_indirect &&
		    (!leb128_unsigned(span, &form) || form == DW_FORM_implicit_const))
			return false;
		if (value->attribute == DW_AT_sibling)
			*sibling_ret = read_reference(*span, form);
		if (!skip_value(span, form, &abbreviations->sizes))
			return false;
	}
	return span_skip(span, row->fixed_bytes);
}

#endif
