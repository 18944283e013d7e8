/* SPDX-License-Identifier: MIT */
#include "cli/table_gates.h"

#include <strings.h>

#include "base/name_pattern.h"
#include "render/number.h"

#define NO_COLUMN SIZE_MAX

#define PER_MILLION 1e-6

/*
 * The unit of the limits on a column. Columns with points in time, names or ids cannot have limits.
 */
static bool unit_of(const struct table_column *column, enum gate_unit *ret)
{
	switch (column->kind) {
	case TABLE_COUNT:
		*ret = GATE_NUMBER;
		return true;
	case TABLE_SHARE:
		*ret = GATE_PERCENT;
		return true;
	case TABLE_WEIGHT:
		*ret = column->unit == UNIT_NANOSECONDS ? GATE_DURATION : GATE_NUMBER;
		return true;
	case TABLE_DURATION:
		*ret = GATE_DURATION;
		return true;
	case TABLE_REAL:
		*ret = text_has_suffix(text_of(column->key), "_percent") ? GATE_PERCENT
									 : GATE_NUMBER;
		return true;
	case TABLE_TEXT:
	case TABLE_CODE:
	case TABLE_ID:
	case TABLE_TIME:
		break;
	}
	return false;
}

static bool has_name(const struct table_column *column, struct text name)
{
	return text_is(name, column->key) ||
	       (strlen(column->title) == name.length &&
		strncasecmp(column->title, name.at, name.length) == 0);
}

/* The columns that can have limits: "self, total, samples". */
static void list_columns(const struct table *table, struct sink *sink)
{
	const char *comma = "";

	for (size_t k = 0; k < table->columns.count; k++) {
		const struct table_column *column = &table->columns.at[k];
		enum gate_unit unit;

		if (column->is_for_programs_only || !unit_of(column, &unit))
			continue;
		sink_puts(sink, comma);
		sink_puts(sink, column->title);
		comma = ", ";
	}
}

/*
 * Finds the column of a limit. A share and a weight may have the same heading; the unit then
 * decides.
 */
static size_t find_column(const struct table *table, const struct gate *gate, struct error *err)
{
	static const char *const examples[] = {
		[GATE_NUMBER] = "a number, such as 5",
		[GATE_PERCENT] = "a percentage, such as 5%",
		[GATE_DURATION] = "a time, such as 5ms",
	};
	const char *example = NULL;
	enum gate_unit unit;
	struct sink names;

	if (gate->is_fall) {
		(void)error_set(err, ERROR_USAGE,
				"--fail-if %s: \"<-\" limits how far a percentile may fall, as in "
				"'p99<-10%%'; other columns accept only \">\" and \"<\"",
				gate->asked);
		return NO_COLUMN;
	}
	for (size_t k = 0; k < table->columns.count; k++) {
		if (!has_name(&table->columns.at[k], gate->measure) ||
		    !unit_of(&table->columns.at[k], &unit))
			continue;
		if (unit == gate->unit)
			return k;
		example = example ? example : examples[unit];
	}
	sink_init_memory(&names);
	list_columns(table, &names);
	if (example)
		error_set(err, ERROR_USAGE, "--fail-if %s: the limit must be %s", gate->asked,
			  example);
	else
		error_set(err, ERROR_USAGE,
			  "--fail-if %s: the table has no column \"%.*s\"; limits can be set for "
			  "%.*s",
			  gate->asked, (int)gate->measure.length, gate->measure.at,
			  (int)sink_memory(&names).length, sink_memory(&names).at);
	sink_deinit(&names);
	return NO_COLUMN;
}

static double value_of(const struct table_column *column, const struct table_cell *cell)
{
	if (cell->state == TABLE_CELL_REAL)
		return cell->real;
	if (column->kind == TABLE_SHARE)
		return cell->whole ? 100 * (double)cell->number / (double)cell->whole : 0;
	return column->kind == TABLE_WEIGHT && column->unit == UNIT_MILLIONTHS
		       ? (double)cell->number * PER_MILLION
		       : (double)cell->number;
}

static void write_limit(const struct gate *gate, struct sink *sink)
{
	if (gate->unit == GATE_DURATION)
		number_duration(sink, (uint64_t)gate->limit);
	else
		sink_printf(sink, "%.15g%s", gate->limit, gate->unit == GATE_PERCENT ? "%" : "");
}

static void check_row(const struct table *table, size_t row, size_t column,
		      struct gate_findings *findings)
{
	const struct table_column *of = &table->columns.at[column];
	const struct table_cell *cell = table_cell_at(table, row, column);
	const struct gate *gate = findings->gate;
	struct sink *value;

	if (cell->state == TABLE_CELL_EMPTY ||
	    !gate_is_exceeded(gate, value_of(of, cell), gate->limit))
		return;
	value = gate_findings_add(findings, gate->rows.at ? table->row_names.at[row] : text_of(""));
	if (value)
		table_write_plain(of, cell, value);
}

/* Checks each row that the limit names. Fails if there is no such row. */
static bool check_named(const struct table *table, size_t column, struct gate_findings *findings,
			struct error *err)
{
	const struct gate *gate = findings->gate;
	struct name_pattern pattern;
	bool is_found = false;

	if (!name_pattern_parse("fail-if", gate->rows, &pattern, err))
		return false;
	for (size_t i = 0; i < table->row_names.count; i++)
		if (name_pattern_fits(&pattern, table->row_names.at[i])) {
			is_found = true;
			check_row(table, i, column, findings);
		}
	name_pattern_deinit(&pattern);
	if (is_found || !table->row_names.count)
		return is_found || error_set(err, ERROR_USAGE,
					     "--fail-if %s: the table has no rows", gate->asked);
	return error_set(err, ERROR_USAGE,
			 "--fail-if %s: no row has this name; names are like \"%.*s\"", gate->asked,
			 (int)table->row_names.at[0].length, table->row_names.at[0].at);
}

static bool check_totals(const struct table *table, size_t column, struct gate_findings *findings,
			 struct error *err)
{
	const struct gate *gate = findings->gate;
	size_t row = table_row_count(table);

	if (!table->has_totals || table_cell_at(table, row, column)->state == TABLE_CELL_EMPTY)
		return error_set(err, ERROR_USAGE,
				 "--fail-if %s: this limit requires a row name or a pattern, as in "
				 "'%.*s(*)%s'",
				 gate->asked, (int)gate->measure.length, gate->measure.at,
				 gate->measure.at + gate->measure.length);
	check_row(table, row, column, findings);
	return true;
}

enum exit_code table_gate_check(const struct settings *settings, const struct table *table,
				const struct gate *gate)
{
	struct gate_findings findings;
	struct error err = { .code = ERROR_NONE };
	size_t column = find_column(table, gate, &err);
	enum exit_code code = EXIT_DONE;
	struct sink limit;

	gate_findings_init(&findings, gate);
	if (column != NO_COLUMN && (gate->rows.at ? check_named(table, column, &findings, &err)
						  : check_totals(table, column, &findings, &err))) {
		sink_init_memory(&limit);
		write_limit(gate, &limit);
		code = gate_findings_report(&findings, settings, sink_memory(&limit));
		sink_deinit(&limit);
	}
	gate_findings_deinit(&findings);
	return err.code == ERROR_NONE ? code : command_fail(&err);
}

bool table_gates_parse(const struct settings *settings, struct error *err)
{
	struct gate gate;

	for (size_t i = 0; i < settings->diff.limits.count; i++)
		if (!gate_parse(settings->diff.limits.at[i], &gate, err))
			return false;
	return true;
}

enum exit_code table_gates_check(const struct settings *settings, const struct table *table)
{
	enum exit_code worst = EXIT_DONE;

	for (size_t i = 0; i < settings->diff.limits.count; i++) {
		enum exit_code code;
		struct error err;
		struct gate gate;

		code = gate_parse(settings->diff.limits.at[i], &gate, &err)
			       ? table_gate_check(settings, table, &gate)
			       : command_fail(&err);
		worst = code > worst ? code : worst;
	}
	return worst;
}
