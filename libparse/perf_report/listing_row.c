/* SPDX-License-Identifier: MIT */
#include "libparse/perf_report/listing_row.h"

#include "libparse/perf_report/listing.h"

static bool is_number(enum listing_column column)
{
	return column <= LISTING_COLUMN_NUMBER;
}

static enum listing_column column_of(struct text name)
{
	static const struct {
		const char *name;
		enum listing_column column;
	} rows[] = {
		{ "Overhead", LISTING_COLUMN_OVERHEAD },
		{ "Children", LISTING_COLUMN_CHILDREN },
		{ "Self", LISTING_COLUMN_SELF },
		{ "Samples", LISTING_COLUMN_SAMPLES },
		{ "Period", LISTING_COLUMN_PERIOD },
		{ "sys", LISTING_COLUMN_NUMBER },
		{ "usr", LISTING_COLUMN_NUMBER },
		{ "guest sys", LISTING_COLUMN_NUMBER },
		{ "guest usr", LISTING_COLUMN_NUMBER },
		{ "Command", LISTING_COLUMN_COMM },
		{ "Pid:Command", LISTING_COLUMN_PID_COMM },
		{ "Tid:Command", LISTING_COLUMN_TID_COMM },
		{ "Shared Object", LISTING_COLUMN_OBJECT },
		{ "Symbol", LISTING_COLUMN_SYMBOL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (text_is(name, rows[i].name))
			return rows[i].column;
	return LISTING_COLUMN_TEXT;
}

/* The next cell of a line, which ends before two blanks or a tab. False: there is none. */
static bool next_cell(struct text *rest, struct text *ret)
{
	uint32_t length = 0;

	*rest = text_trim(*rest);
	while (length < rest->length && rest->at[length] != '\t' &&
	       !(length + 1 < rest->length && is_blank(rest->at[length]) &&
		 is_blank(rest->at[length + 1])))
		length++;
	*ret = (struct text){ rest->at, length };
	*rest = text_from(*rest, length);
	return length > 0;
}

bool listing_heading_parse(struct text line, struct listing_heading *ret)
{
	struct text cell;

	*ret = (struct listing_heading){ .count = 0 };
	while (ret->count < LIMIT_LISTING_COLUMNS && next_cell(&line, &cell))
		ret->columns[ret->count++] = column_of(cell);
	return ret->count > 1 && (ret->columns[0] == LISTING_COLUMN_OVERHEAD ||
				  (ret->columns[0] == LISTING_COLUMN_CHILDREN &&
				   ret->columns[1] == LISTING_COLUMN_SELF));
}

bool listing_heading_is_symbol_first(const struct listing_heading *heading)
{
	uint32_t i = 0;

	while (i < heading->count && is_number(heading->columns[i]))
		i++;
	return i < heading->count && heading->columns[i] == LISTING_COLUMN_SYMBOL;
}

bool listing_value_scan(struct text *rest, struct listing_value *ret)
{
	struct text left = *rest;

	if (scan_decimal(&left, 2, &ret->number) && scan_char(&left, '%')) {
		ret->kind = LISTING_VALUE_PERCENT;
		*rest = left;
		return ret->number <= LISTING_WHOLE;
	}
	ret->kind = LISTING_VALUE_NUMBER;
	return scan_u64(rest, &ret->number);
}

bool listing_row_is(struct text line)
{
	struct listing_value value;

	line = text_trim(line);
	return listing_value_scan(&line, &value) && value.kind == LISTING_VALUE_PERCENT &&
	       line.length > 2 && is_blank(line.at[0]) &&
	       (line.at[0] == '\t' || is_blank(line.at[1]));
}

/* Whether the cell is a symbol with its mark: "[.] main", "[k] schedule". */
static bool is_marked(struct text cell)
{
	return cell.length > 4 && cell.at[0] == '[' && cell.at[2] == ']' && cell.at[3] == ' ';
}

/* "712:bash" */
static bool parse_id_comm(struct text cell, uint32_t *id_ret, struct text *ret)
{
	if (!scan_u32(&cell, id_ret) || *id_ret == EVENT_NO_TID || !scan_char(&cell, ':'))
		return false;
	*ret = text_trim(cell);
	return true;
}

/* With -v, the address and the kind of the file precede the mark: "0x1176 B [.] main". */
static struct text skip_address(struct text cell)
{
	struct text rest = cell, ignored;

	if (text_has_prefix(cell, "0x") && text_next_word(&rest, &ignored) &&
	    text_next_word(&rest, &ignored) && is_marked(text_trim(rest)))
		return text_trim(rest);
	return cell;
}

static void set_symbol(struct listing_row *row, struct text cell)
{
	cell = skip_address(cell);
	if (is_marked(cell)) {
		row->is_kernel = cell.at[1] == 'k';
		cell = text_trim(text_from(cell, 4));
	}
	row->symbol = cell;
}

/* False: the cell cannot be in the column, as with --group, which prints several percentages. */
static bool set_text(struct listing_row *row, enum listing_column column, struct text cell)
{
	struct listing_value value;
	struct text rest = cell;

	if (listing_value_scan(&rest, &value) && value.kind == LISTING_VALUE_PERCENT &&
	    !rest.length)
		return false;
	if (column == LISTING_COLUMN_COMM)
		row->comm = cell;
	else if (column == LISTING_COLUMN_PID_COMM)
		return row->has_pid = parse_id_comm(cell, &row->pid, &row->comm);
	else if (column == LISTING_COLUMN_TID_COMM)
		return row->has_tid = parse_id_comm(cell, &row->tid, &row->comm);
	else if (column == LISTING_COLUMN_OBJECT)
		row->object = cell;
	else if (column == LISTING_COLUMN_SYMBOL)
		set_symbol(row, cell);
	return true;
}

static bool set_number(struct listing_row *row, enum listing_column column, struct text word)
{
	struct listing_value value;
	bool is_percent;

	if (!listing_value_scan(&word, &value) || word.length)
		return false;
	is_percent = column != LISTING_COLUMN_SAMPLES && column != LISTING_COLUMN_PERIOD &&
		     column != LISTING_COLUMN_NUMBER;
	if (column == LISTING_COLUMN_CHILDREN)
		row->children = value;
	else if (column == LISTING_COLUMN_SAMPLES)
		row->samples = value;
	else if (column == LISTING_COLUMN_PERIOD)
		row->period = value;
	else if (column != LISTING_COLUMN_NUMBER)
		row->overhead = value;
	return column == LISTING_COLUMN_NUMBER ||
	       is_percent == (value.kind == LISTING_VALUE_PERCENT);
}

/* One percentage, or those of Children and Self; then numbers whose meaning is unknown, and texts. */
static void guess_heading(struct text line, struct listing_heading *ret)
{
	struct listing_value value;
	struct text cell;

	*ret = (struct listing_heading){ .count = 0 };
	while (ret->count + 1 < LIMIT_LISTING_COLUMNS && next_cell(&line, &cell)) {
		enum listing_column column = LISTING_COLUMN_TEXT;

		if (is_marked(cell))
			column = LISTING_COLUMN_SYMBOL;
		else if (listing_value_scan(&cell, &value) && !cell.length)
			column = value.kind == LISTING_VALUE_NUMBER ? LISTING_COLUMN_NUMBER
				 : ret->count                       ? LISTING_COLUMN_SELF
								    : LISTING_COLUMN_OVERHEAD;
		ret->columns[ret->count++] = column;
		if (column == LISTING_COLUMN_SYMBOL)
			break;
	}
	if (ret->count > 1 && ret->columns[1] == LISTING_COLUMN_SELF)
		ret->columns[0] = LISTING_COLUMN_CHILDREN;
	/* By default, the command comes before the DSO and the symbol. */
	for (uint32_t i = 0; i + 2 < ret->count; i++)
		if (ret->columns[i] == LISTING_COLUMN_TEXT &&
		    ret->columns[i + 1] == LISTING_COLUMN_TEXT) {
			ret->columns[i] = LISTING_COLUMN_COMM;
			ret->columns[i + 1] = LISTING_COLUMN_OBJECT;
			break;
		}
}

bool listing_row_parse(const struct listing_heading *heading, struct text line,
		       struct listing_row *ret)
{
	struct listing_heading guessed;
	struct text cell;

	*ret = (struct listing_row){ .has_pid = false };
	if (!heading->count) {
		guess_heading(line, &guessed);
		heading = &guessed;
	}
	line = text_trim(line);
	for (uint32_t i = 0; i < heading->count; i++) {
		enum listing_column column = heading->columns[i];
		bool good;

		if (is_number(column)) {
			good = text_next_word(&line, &cell) && set_number(ret, column, cell);
		} else if (i + 1 == heading->count) {
			cell = text_trim(line);
			line.length = 0;
			good = cell.length && set_text(ret, column, cell);
		} else {
			good = next_cell(&line, &cell) && set_text(ret, column, cell);
		}
		if (!good)
			return false;
	}
	return true;
}
