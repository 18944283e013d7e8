/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#ifdef HAVE_LIBDW

#include "dwarf/abbreviations.h"
#include "tests/support/leaks.h"

#define BYTES(text) text, sizeof(text) - 1

/* Attributes. In the tables below, forms are given by their numbers. */
#define SIBLING "\x01"
#define NAME    "\x03"
#define ENDS    "\0\0"

static const struct entry_sizes sizes = { .version = 5, .address_bytes = 8, .offset_bytes = 4 };

static struct span span_of_row(const char *bytes, size_t size_bytes)
{
	return span_of(bytes, size_bytes, 0, !HOST_IS_BIG_ENDIAN);
}

/*
 * The form of the only attribute of abbreviation 1, a value, and how many of its bytes are skipped.
 */
static const struct {
	const char *form;
	const char *value;
	size_t value_bytes, skipped_bytes;
	bool is_good;
} values[] = {
	{ "\x01", BYTES("12345678"), 8, true },  /* addr */
	{ "\x03", BYTES("\0\2ab"), 4, true },    /* block2 */
	{ "\x03", BYTES("\0\3ab"), 0, false },   /* truncated by a byte */
	{ "\x04", BYTES("\0\0\0\1a"), 5, true }, /* block4 */
	{ "\x05", BYTES("ab"), 2, true },        /* data2 */
	{ "\x06", BYTES("abcd"), 4, true },      /* data4 */
	{ "\x07", BYTES("abcdefgh"), 8, true },  /* data8 */
	{ "\x07", BYTES("abcdefg"), 0, false },
	{ "\x08", BYTES("text\0"), 5, true }, /* string */
	{ "\x08", BYTES("text"), 0, false },
	{ "\x09", BYTES("\2ab"), 3, true },              /* block */
	{ "\x0a", BYTES("\2ab"), 3, true },              /* block1 */
	{ "\x0b", BYTES("a"), 1, true },                 /* data1 */
	{ "\x0d", BYTES("\x80\x7f"), 2, true },          /* sdata */
	{ "\x0e", BYTES("abcd"), 4, true },              /* strp */
	{ "\x10", BYTES("abcd"), 4, true },              /* ref_addr */
	{ "\x15", BYTES("\x80\x80\1"), 3, true },        /* ref_udata */
	{ "\x16", BYTES("\x0b\1"), 2, true },            /* indirect, of data1 */
	{ "\x16", BYTES("\x16\x0b\1"), 0, false },       /* indirect, of indirect */
	{ "\x17", BYTES("abcd"), 4, true },              /* sec_offset */
	{ "\x18", BYTES("\1a"), 2, true },               /* exprloc */
	{ "\x19", BYTES(""), 0, true },                  /* flag_present */
	{ "\x1e", BYTES("0123456789abcdef"), 16, true }, /* data16 */
	{ "\x20", BYTES("abcdefgh"), 8, true },          /* ref_sig8 */
	{ "\x21\x7f", BYTES(""), 0, true },     /* implicit_const: the table has the value */
	{ "\x27", BYTES("abc"), 3, true },      /* strx3 */
	{ "\x7e", BYTES("abcd"), 0, false },    /* none */
	{ "\xa0\x3e", BYTES("abcd"), 4, true }, /* GNU_ref_alt */
};

Test(abbreviations, values)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct span value = span_of_row(values[i].value, values[i].value_bytes);
		struct abbreviations table;
		char bytes[32];
		uint64_t sibling;
		bool good;
		int length = snprintf(bytes, sizeof(bytes), "\1\x2e%c" NAME "%s%c%c%c", 1,
				      values[i].form, 0, 0, 0);

		abbreviations_init(&table);
		cr_assert(abbreviations_read(&table, span_of_row(bytes, (size_t)length), &sizes),
			  "row %zu", i);
		good = abbreviations_skip(&table, abbreviations_find(&table, 1), &value, &sibling);
		cr_expect_eq(good, values[i].is_good, "row %zu", i);
		cr_expect(!good || (size_t)(value.at - value.begin) == values[i].skipped_bytes,
			  "row %zu", i);
		abbreviations_deinit(&table);
	}
	assert_no_leaks();
}

static const struct {
	const char *what;
	const char *bytes;
	size_t size_bytes;
	bool is_good;
} tables[] = {
	{ "none", BYTES("\0"), true },
	{ "codes that are no row of numbers", BYTES("\5\x2e\1" ENDS "\x80\x80\4\x34\0" ENDS "\0"),
	  true },
	{ "a code twice", BYTES("\5\x2e\1" ENDS "\5\x34\0" ENDS "\0"), true },
	{ "no end", BYTES("\5\x2e\1" ENDS), false },
	{ "forms that do not end", BYTES("\5\x2e\1\1\x13"), false },
	{ "cut in its middle", BYTES("\5\x2e"), false },
	{ "a tag of 64 bits", BYTES("\5\xff\xff\xff\xff\xff\xff\1\1" ENDS "\0"), false },
};

Test(abbreviations, tables)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct abbreviations table;
		bool good;

		abbreviations_init(&table);
		good = abbreviations_read(
			&table, span_of_row(tables[i].bytes, tables[i].size_bytes), &sizes);
		cr_expect_eq(good, tables[i].is_good, "%s", tables[i].what);
		cr_expect(!abbreviations_find(&table, 0) && !abbreviations_find(&table, 4), "%s",
			  tables[i].what);
		if (good && table.rows.count) {
			const struct abbreviation *row = abbreviations_find(&table, 5);

			cr_expect(row && row->tag == 0x2e && row->has_children, "%s",
				  tables[i].what);
		}
		if (table.rows.count == 2)
			cr_expect(abbreviations_find(&table, 0x10000)->tag == 0x34);
		abbreviations_deinit(&table);
	}
	assert_no_leaks();
}

/* The sibling's offset has a form of any size. Truncated and unusual references are none. */
Test(abbreviations, siblings)
{
	static const struct {
		const char *form; /* NULL: no sibling */
		const char *value;
		size_t value_bytes;
		uint64_t sibling;
		bool is_good;
	} rows[] = {
		{ "\x11", BYTES("\x12x"), 0x12, true },                    /* ref1 */
		{ "\x12", BYTES("\1\2x"), 0x102, true },                   /* ref2 */
		{ "\x13", BYTES("\0\0\1\2x"), 0x102, true },               /* ref4 */
		{ "\x14", BYTES("\0\0\0\1\0\0\0\2x"), 0x100000002, true }, /* ref8 */
		{ "\x15", BYTES("\x82\2x"), 0x102, true },                 /* ref_udata */
		{ "\x06", BYTES("\0\0\1\2x"), 0, true },                   /* data4 */
		{ NULL, BYTES("x"), 0, true },
		{ "\x11", BYTES(""), 0, false },
		{ "\x12", BYTES("\1"), 0, false },
		{ "\x13", BYTES("\0\0\1"), 0, false },
		{ "\x14", BYTES("\0\0\0\1\0\0\0"), 0, false },
		{ "\x15", BYTES("\x82"), 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct span value = span_of_row(rows[i].value, rows[i].value_bytes);
		struct abbreviations table;
		uint64_t sibling;
		char bytes[32];
		bool good;
		int length = rows[i].form ? snprintf(bytes, sizeof(bytes),
						     "\1\x2e\1" SIBLING "%s" NAME "\x0b%c%c%c",
						     rows[i].form, 0, 0, 0)
					  : snprintf(bytes, sizeof(bytes),
						     "\1\x2e\1" NAME "\x0b%c%c%c", 0, 0, 0);

		abbreviations_init(&table);
		cr_assert(abbreviations_read(&table, span_of_row(bytes, (size_t)length), &sizes),
			  "row %zu", i);
		good = abbreviations_skip(&table, abbreviations_find(&table, 1), &value, &sibling);
		cr_expect_eq(good, rows[i].is_good, "row %zu", i);
		if (good)
			cr_expect_eq(sibling, rows[i].sibling, "row %zu: %#llx", i,
				     (unsigned long long)sibling);
		abbreviations_deinit(&table);
	}
	assert_no_leaks();
}

/* Values of fixed size are skipped together, between those of other sizes and the sibling. */
Test(abbreviations, values_together)
{
	static const char table_bytes[] = "\1\x2e\1" NAME "\x0b" NAME "\x0e" NAME "\x08" NAME
					  "\x05" SIBLING "\x13" NAME "\x01" NAME "\x0b" ENDS;
	/* data1, strp, string, data2, ref4, addr, data1 */
	static const char entry[] = "1aaaaab\0cc\0\0\1\2ddddddddef";
	struct span span = span_of_row(table_bytes, sizeof(table_bytes));
	struct abbreviations table;
	uint64_t sibling;

	abbreviations_init(&table);
	cr_assert(abbreviations_read(&table, span, &sizes));
	cr_expect_eq(abbreviations_find(&table, 1)->attribute_count, 7);
	for (size_t size_bytes = 0; size_bytes < sizeof(entry); size_bytes++) {
		struct span value = span_of_row(entry, size_bytes);
		bool is_good =
			abbreviations_skip(&table, abbreviations_find(&table, 1), &value, &sibling);

		cr_expect_eq(is_good, size_bytes >= 23, "%zu bytes", size_bytes);
		if (is_good)
			cr_expect(value.at - value.begin == 23 && sibling == 0x102);
	}
	abbreviations_deinit(&table);
	assert_no_leaks();
}

#else

Test(abbreviations, libdw_is_needed)
{
	cr_skip_test("kiln was built without libdw");
}

#endif
