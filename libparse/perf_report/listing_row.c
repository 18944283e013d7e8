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
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].column > LISTING_COLUMN_NUMBER &&
		    strncmp(rows[i].name, name.at, name.length) == 0)
			return LISTING_COLUMN_SHORTENED;
	return text_contains(name, "Symbol") ? LISTING_COLUMN_OTHER_SYMBOL : LISTING_COLUMN_TEXT;
}

/*
 * Reads the next cell of a line. A cell ends before two blanks or a tab. Returns false if there is
 * no further cell.
 */
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

	bool is_known = false;

	*ret = (struct listing_heading){ .count = 0 };
	while (ret->count < LIMIT_LISTING_COLUMNS && next_cell(&line, &cell)) {
		ret->columns[ret->count] = column_of(cell);
		is_known |= ret->count && ret->columns[ret->count] != LISTING_COLUMN_TEXT;
		ret->count++;
	}
	return is_known && !text_trim(line).length &&
	       (ret->columns[0] == LISTING_COLUMN_OVERHEAD ||
		(ret->columns[0] == LISTING_COLUMN_CHILDREN &&
		 ret->columns[1] == LISTING_COLUMN_SELF));
}

bool listing_heading_is_symbol_first(const struct listing_heading *heading)
{
	uint32_t i = 0;

	while (i < heading->count && is_number(heading->columns[i]))
		i++;
	return i < heading->count && (heading->columns[i] == LISTING_COLUMN_SYMBOL ||
				      heading->columns[i] == LISTING_COLUMN_OTHER_SYMBOL);
}

bool listing_heading_is_dots(struct text line)
{
	line = text_trim(line);
	if (!text_has_prefix(line, "...."))
		return false;
	for (uint32_t i = 0; i < line.length; i++)
		if (line.at[i] != '.' && line.at[i] != ' ')
			return false;
	return true;
}

bool listing_heading_place(struct listing_heading *heading, struct text line)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < line.length; i++) {
		if (line.at[i] != '.' || (i && line.at[i - 1] == '.'))
			continue;
		if (count == heading->count)
			return false;
		/* Add one for the # before the line. */
		heading->begins[count++] = i + 1;
	}
	heading->has_positions = true;
	return count == heading->count;
}

bool listing_value_scan(struct text *rest, struct listing_value *ret)
{
	struct text left = *rest;

	if (scan_decimal(&left, 2, &ret->number) && scan_char(&left, '%')) {
		if (left.at - rest->at < 5 || left.at[-4] != '.')
			return false;
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

/*
 * Returns false if the column cannot contain the cell. With --group, for example, a cell has
 * several percentages.
 */
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

/*
 * Gives the two texts before the symbol their usual meaning. Returns false if there are more texts.
 */
static bool name_texts(struct listing_heading *heading)
{
	uint32_t first = 0, end = heading->count - 1;

	while (first < end && is_number(heading->columns[first]))
		first++;
	if (end - first == 2) {
		heading->columns[first] = LISTING_COLUMN_COMM;
		heading->columns[first + 1] = LISTING_COLUMN_OBJECT;
	}
	return end - first <= 2;
}

/*
 * Guesses one percentage, or the two of Children and Self. Numbers with an unknown meaning and
 * texts follow.
 */
static bool guess_heading(struct text line, struct listing_heading *ret)
{
	struct listing_value value;
	struct text cell;

	*ret = (struct listing_heading){ .is_guessed = true };
	while (ret->count < LIMIT_LISTING_COLUMNS && next_cell(&line, &cell)) {
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
	return ret->count && ret->columns[ret->count - 1] == LISTING_COLUMN_SYMBOL &&
	       name_texts(ret);
}

static bool is_same_heading(const struct listing_heading *one, const struct listing_heading *other)
{
	for (uint32_t i = 0; i < one->count && one->count == other->count; i++)
		if (one->columns[i] != other->columns[i])
			return false;
	return one->count == other->count;
}

/* Whether the cell contains several cells, separated by two blanks or by the mark of a symbol. */
static bool has_other_cell(struct text cell)
{
	cell = skip_address(cell);
	for (uint32_t i = 1; i + 1 < cell.length; i++)
		if ((is_blank(cell.at[i]) && is_blank(cell.at[i + 1])) ||
		    (is_blank(cell.at[i]) && is_marked(text_from(cell, i + 1))))
			return true;
	return false;
}

/* Returns the cell between the positions of two columns. Two blanks must separate the cells. */
static bool placed_cell(const struct listing_heading *heading, uint32_t column, struct text line,
			struct text *ret)
{
	uint32_t begin = heading->begins[column], end = line.length;

	if (column + 1 < heading->count && heading->begins[column + 1] < end) {
		end = heading->begins[column + 1];
		if (!is_blank(line.at[end - 1]) || (end > 1 && !is_blank(line.at[end - 2])))
			return false;
	}
	if (begin >= end || memchr(line.at, '\t', end))
		return false;
	*ret = text_trim(text_between(line.at + begin, line.at + end));
	return ret->length > 0 || heading->columns[column] == LISTING_COLUMN_TEXT;
}

static bool separated_cell(bool is_last, enum listing_column column, struct text *line,
			   struct text *ret)
{
	*line = text_trim(*line);
	if (is_number(column))
		return text_next_word(line, ret);
	if (!is_last)
		return next_cell(line, ret);
	*ret = *line;
	*line = text_from(*line, line->length);
	return ret->length > 0 && !has_other_cell(*ret);
}

bool listing_row_parse(struct listing_heading *heading, struct text line, struct listing_row *ret)
{
	struct listing_heading guessed;
	struct text cell;

	*ret = (struct listing_row){ .has_pid = false };
	if (!heading->count || heading->is_guessed) {
		if (!guess_heading(line, &guessed) ||
		    (heading->count && !is_same_heading(heading, &guessed)))
			return false;
		*heading = guessed;
	}
	for (uint32_t i = 0; i < heading->count; i++) {
		enum listing_column column = heading->columns[i];
		bool is_last = i + 1 == heading->count;

		if (!(heading->has_positions ? placed_cell(heading, i, line, &cell)
					     : separated_cell(is_last, column, &line, &cell)))
			return false;
		if (!(is_number(column) ? set_number(ret, column, cell)
					: set_text(ret, column, cell)))
			return false;
		if (column == LISTING_COLUMN_SYMBOL && has_other_cell(cell))
			return false;
	}
	return true;
}
