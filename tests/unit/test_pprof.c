/* SPDX-License-Identifier: MIT */
#include "libparse/pprof/pprof_tables.h"
#include "libparse/pprof/wire.h"

#include <criterion/criterion.h>

#define MESSAGE(bytes) span_of(bytes, sizeof(bytes) - 1, 0, HOST_IS_BIG_ENDIAN)

Test(pprof, fields_of_all_types)
{
	struct span message = MESSAGE("\x08\x96\x01"
				      "\x11\1\0\0\0\0\0\0\x80"
				      "\x1a\3abc"
				      "\x25\2\0\0\0");
	static const struct {
		uint64_t number, value;
		enum wire_type type;
	} rows[] = {
		{ 1, 150, WIRE_VARINT },
		{ 2, 0x8000000000000001, WIRE_FIXED64 },
		{ 3, 0, WIRE_BYTES },
		{ 4, 2, WIRE_FIXED32 },
	};
	struct wire_field field;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cr_assert(wire_next(&message, &field));
		cr_expect_eq(field.number, rows[i].number);
		cr_expect_eq(field.value, rows[i].value);
		cr_expect_eq(field.type, rows[i].type);
		cr_expect_eq(span_left(&field.bytes), rows[i].type == WIRE_BYTES ? 3 : 0);
	}
	cr_expect_not(wire_next(&message, &field));
	cr_expect_eq(span_left(&message), 0);
}

Test(pprof, corrupt_fields_stay)
{
	static const struct {
		const char *bytes;
		size_t size_bytes;
	} rows[] = {
		{ "\x80", 1 },                                        /* a tag without an end */
		{ "\x08", 1 },                                        /* no value */
		{ "\x0a\5ab", 4 },                                    /* longer than the message */
		{ "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 11 }, /* the same, by far */
		{ "\x0b\0", 2 },                                      /* a group */
		{ "\x01\0\0\0\0\0\0\0\0", 9 },                        /* number 0 */
		{ "\x0d\1\2\3", 4 },                                  /* half a word */
		{ "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1",
		  13 }, /* 12 bytes of a varint */
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct span message = span_of(rows[i].bytes, rows[i].size_bytes, 0, false);
		struct wire_field field;

		cr_expect_not(wire_next(&message, &field), "row %zu", i);
		cr_expect_eq(span_left(&message), rows[i].size_bytes, "row %zu", i);
	}
}

Test(pprof, packed_and_single_numbers)
{
	struct span message = MESSAGE("\x0a\4\1\xac\2\3\x08\7");
	static const uint64_t expected[] = { 1, 300, 3, 7 };
	struct wire_field field;
	uint64_t number;
	size_t count = 0;

	while (wire_next(&message, &field))
		while (wire_next_number(&field, &number)) {
			cr_assert_lt(count, ARRAY_SIZE(expected));
			cr_expect_eq(number, expected[count++]);
		}
	cr_expect_eq(count, ARRAY_SIZE(expected));
}

struct seen {
	char text[200];
};

static void see(void *context, const struct event_frame *frame)
{
	struct seen *seen = context;
	size_t used = strlen(seen->text);

	snprintf(seen->text + used, sizeof(seen->text) - used, "%.*s%s@%.*s ",
		 (int)frame->name.length, frame->name.at, frame->is_inlined ? "(inlined)" : "",
		 (int)frame->module.length, frame->module.at);
}

Test(pprof, tables)
{
	struct span message =
		MESSAGE("\x0a\4\x08\1\x10\2"       /* cpu in microseconds */
			"\x0a\4\x08\3\x10\3"       /* samples */
			"\x1a\4\x08\x09\x28\4"     /* mapping 9: /bin/app */
			"\x22\x0c\x08\5\x10\x09"   /* location 5 in mapping 9 */
			"\x22\2\x08\2\x22\2\x08\1" /*    of function 2 in function 1 */
			"\x2a\4\x08\1\x10\5"       /* function 1: outer */
			"\x2a\4\x08\2\x10\6"       /* function 2: inner */
			"\x32\0\x32\3cpu\x32\x0cmicroseconds\x32\7samples"
			"\x32\x08/bin/app\x32\5outer\x32\5inner"
			"\x70\1"); /* the default type: cpu */
	struct pprof_tables tables;
	struct seen seen = { "" };

	pprof_tables_init(&tables);
	cr_expect_eq(pprof_tables_read(&tables, message), 0);
	cr_expect_eq(tables.corrupt_count, 0);
	cr_assert_eq(tables.types.count, 2);
	cr_expect_eq(tables.types.at[0].unit, UNIT_NANOSECONDS);
	cr_expect_eq(tables.types.at[0].factor, 1000);
	cr_expect_eq(tables.types.at[1].unit, UNIT_SAMPLES);
	cr_expect_eq(tables.default_type, 0);
	cr_expect(text_is(pprof_tables_program(&tables), "app"));
	cr_expect_eq(idmap_find(&tables.location_ids, 5), 0);
	cr_expect_eq(idmap_find(&tables.location_ids, 6), IDMAP_NONE);
	pprof_tables_read_frame(&tables, 0, see, &seen);
	cr_expect_str_eq(seen.text, "outer@/bin/app inner(inlined)@/bin/app ");
	pprof_tables_deinit(&tables);
}
