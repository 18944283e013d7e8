/* SPDX-License-Identifier: MIT */
#include "cli/gate.h"

#include <criterion/criterion.h>

#include "cli/table_gates.h"
#include "tests/support/leaks.h"

static void expect_gate(const char *text, const char *measure, const char *rows, bool is_below,
			enum gate_unit unit, double limit)
{
	struct error err = { .code = ERROR_NONE };
	struct gate gate;

	cr_assert(gate_parse(text, &gate, &err), "%s: %s", text, err.text);
	cr_expect(text_is(gate.measure, measure), "%s: %.*s", text, (int)gate.measure.length,
		  gate.measure.at);
	cr_expect(rows ? text_is(gate.rows, rows) : !gate.rows.at, "%s: rows", text);
	cr_expect_eq(gate.is_below, is_below, "%s: sign", text);
	cr_expect_eq(gate.unit, unit, "%s: unit", text);
	cr_expect_float_eq(gate.limit, limit, 1e-9, "%s: %g", text, gate.limit);
}

Test(gate, is_parsed)
{
	expect_gate("p99(futex)>5ms", "p99", "futex", false, GATE_DURATION, 5e6);
	expect_gate("IPC<0.5", "IPC", NULL, true, GATE_NUMBER, 0.5);
	expect_gate("self(parse_*)>5%", "self", "parse_*", false, GATE_PERCENT, 5);
	expect_gate("95% from(main)>5%", "95% from", "main", false, GATE_PERCENT, 5);
	/* Comparison signs and parentheses in names are not part of the limit. */
	expect_gate("total(map<int>::at(int))>7", "total", "map<int>::at(int)", false, GATE_NUMBER,
		    7);
	expect_gate("total(operator>)<7", "total", "operator>", true, GATE_NUMBER, 7);
	expect_gate("p99(futex)<-10%", "p99", "futex", true, GATE_PERCENT, -10);
	assert_no_leaks();
}

Test(gate, needs_a_measure_and_a_limit)
{
	static const char *const texts[] = { "",         "p99",        ">5",       "p99>",
					     "p99>-5%",  "p99>5h",     "p99()>5",  "(futex)>5",
					     "p99>5 ms", "p99(/(/)>5", "p99>inf",  "p99<-5",
					     "p99<-5ms", "p99<--5%",   "p99<-100%" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct error err = { .code = ERROR_NONE };
		struct gate gate;

		cr_expect(!gate_parse(texts[i], &gate, &err), "%s", texts[i]);
		cr_expect_eq(err.code, ERROR_USAGE, "%s", texts[i]);
	}
	assert_no_leaks();
}

/* Two rows, the second without a wait, and their sum. */
static void make(struct table *table)
{
	static const struct table_column columns[] = {
		{ .title = "self", .key = "self_percent", .kind = TABLE_SHARE },
		{ .title = "self", .key = "self", .kind = TABLE_WEIGHT, .unit = UNIT_NANOSECONDS },
		{ .title = "size", .key = "size", .kind = TABLE_WEIGHT, .unit = UNIT_MILLIONTHS },
		{ .title = "wait", .key = "wait_ns", .kind = TABLE_DURATION },
		{ .title = "rate%", .key = "miss_percent", .kind = TABLE_REAL, .decimals = 2 },
		{ .title = "at", .key = "at_ns", .kind = TABLE_TIME },
		{ .title = "name", .key = "name", .kind = TABLE_TEXT },
	};

	table_init(table);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		table_add_column(table, columns[i]);
	table_name_row(table, text_of("parse"));
	table_add_share(table, 3, 4);
	table_add_number(table, 3000000);
	table_add_number(table, 2500000);
	table_add_number(table, 7000);
	table_add_real(table, 12.5);
	table_add_number(table, 1);
	table_add_text(table, text_of("parse"));
	table_name_row(table, text_of("scan"));
	table_add_share(table, 1, 4);
	table_add_number(table, 1000000);
	table_add_number(table, 1500000);
	table_add_empty(table);
	table_add_real(table, 2);
	table_add_number(table, 2);
	table_add_text(table, text_of("scan"));
	table_add_share(table, 4, 4);
	table_add_number(table, 4000000);
	table_end_totals(table);
}

Test(gate, of_a_table)
{
	static const struct {
		const char *limit;
		enum exit_code code;
	} rows[] = {
		{ "self(parse)>74%", EXIT_REGRESSED },
		{ "self(parse)>75%", EXIT_DONE },
		{ "self(parse)<75.1%", EXIT_REGRESSED },
		{ "SELF(scan)>25%", EXIT_DONE },
		{ "self(scan)>20%", EXIT_REGRESSED },
		{ "self_percent(*)>70%", EXIT_REGRESSED },
		{ "self_percent(/^s/)>70%", EXIT_DONE },
		/* The unit of the limit chooses the share or the weight. */
		{ "self(parse)>2ms", EXIT_REGRESSED },
		{ "self(scan)>2ms", EXIT_DONE },
		{ "self>3ms", EXIT_REGRESSED },
		{ "self>4ms", EXIT_DONE },
		{ "size(parse)>2.4", EXIT_REGRESSED },
		{ "size(parse)>2.5", EXIT_DONE },
		{ "rate%(parse)>12%", EXIT_REGRESSED },
		{ "wait(*)<1s", EXIT_REGRESSED },
		{ "wait(scan)<1s", EXIT_DONE },
		/* Columns, rows and units that the table does not have. */
		{ "self(parse)>5", EXIT_WRONG_USAGE },
		{ "self(parsee)>5%", EXIT_WRONG_USAGE },
		{ "selff(parse)>5%", EXIT_WRONG_USAGE },
		{ "at(parse)>5s", EXIT_WRONG_USAGE },
		{ "name(parse)>5", EXIT_WRONG_USAGE },
		{ "wait>5s", EXIT_WRONG_USAGE },
	};
	const struct settings settings = { .is_quiet = true };
	struct table table;

	make(&table);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err;
		struct gate gate;

		cr_assert(gate_parse(rows[i].limit, &gate, &err), "%s", rows[i].limit);
		cr_expect_eq(table_gate_check(&settings, &table, &gate), rows[i].code, "%s",
			     rows[i].limit);
	}
	table_deinit(&table);
	assert_no_leaks();
}
