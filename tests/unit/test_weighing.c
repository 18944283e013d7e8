/* SPDX-License-Identifier: MIT */
#include "profile/weighing.h"

#include <criterion/criterion.h>

#include "base/memory.h"

Test(weighing, parse)
{
	static const struct {
		const char *text;
		bool is_good;
		enum weighing_kind kind;
	} rows[] = {
		{ "period", true, WEIGHING_PERIOD }, { "samples", true, WEIGHING_SAMPLES },
		{ "weight", true, WEIGHING_COST },   { "bytes_alloc", true, WEIGHING_FIELD },
		{ "", false, WEIGHING_PERIOD },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct weighing weighing;
		struct error err;

		cr_assert_eq(weighing_parse(rows[i].text, &weighing, &err), rows[i].is_good);
		if (rows[i].is_good)
			cr_expect_eq(weighing.kind, rows[i].kind, "%s", rows[i].text);
	}
}

Test(weighing, units)
{
	static const struct {
		const char *text;
		enum weight_unit unit;
	} rows[] = {
		{ "period", UNIT_NANOSECONDS },   { "samples", UNIT_SAMPLES },
		{ "weight", UNIT_EVENTS },        { "bytes_alloc", UNIT_BYTES },
		{ "nr_bytes", UNIT_BYTES },       { "bytes", UNIT_BYTES },
		{ "runtime", UNIT_NANOSECONDS },  { "delay", UNIT_NANOSECONDS },
		{ "delta_ns", UNIT_NANOSECONDS }, { "nr_sector", UNIT_EVENTS },
	};
	struct profile_event event = { .unit = UNIT_NANOSECONDS };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct weighing weighing;
		struct error err;

		cr_assert(weighing_parse(rows[i].text, &weighing, &err));
		cr_expect_eq(weighing_unit(&weighing, &event), rows[i].unit, "%s", rows[i].text);
	}
}

Test(weighing, values)
{
	static const unsigned char bytes[] = { 0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0 };
	static const struct field positive = { .offset = 4, .size_bytes = 1 };
	static const struct field negative = { .size_bytes = 4, .is_signed = true };
	static const struct field large = { .size_bytes = 4 };
	static const struct field outside = { .offset = 6, .size_bytes = 4 };
	static const struct {
		enum weighing_kind kind;
		const struct field *field;
		uint64_t present, weight, expected;
	} rows[] = {
		{ WEIGHING_COST, NULL, SAMPLE_HAS_WEIGHT, 0x500000007, 0x500000007 },
		{ WEIGHING_COST, NULL, SAMPLE_HAS_WEIGHT_STRUCT, 0x500000007, 7 },
		{ WEIGHING_COST, NULL, 0, 0, 0 },
		{ WEIGHING_FIELD, &positive, SAMPLE_HAS_RAW, 0, 5 },
		{ WEIGHING_FIELD, &large, SAMPLE_HAS_RAW, 0, 0xffffffff },
		/* An error code in place of a size, as read() can return it. */
		{ WEIGHING_FIELD, &negative, SAMPLE_HAS_RAW, 0, 0 },
		{ WEIGHING_FIELD, &outside, SAMPLE_HAS_RAW, 0, 0 },
		{ WEIGHING_FIELD, NULL, SAMPLE_HAS_RAW, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_sample sample = {
			.present = rows[i].present,
			.weight = rows[i].weight,
			.raw = span_of(bytes, sizeof(bytes), 0, false),
		};
		struct weighing weighing = { .kind = rows[i].kind };

		cr_expect_eq(weighing_of(&weighing, rows[i].field, &sample), rows[i].expected,
			     "row %zu", i);
	}
}
