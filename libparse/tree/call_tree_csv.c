/* SPDX-License-Identifier: MIT */
/*
 * Reads call trees in CSV files: a row for each function, after the row of its caller. The heading
 * names the columns.
 *
 * Intel VTune indents the first column by the depth (vtune -report top-down -call-stack-mode all
 * -column "CPU Time:Self,Module" -format csv -csv-delimiter comma):
 *
 *     Function Stack,CPU Time:Self,Module
 *     Total,0.0,[Unknown]
 *      main,0.010,sort
 *       "std::swap<int, int>",1.5,sort
 *
 * In files of Visual Studio (VSPerfReport /Summary:CallTree), numbers can have commas:
 *
 *     Level,Function Name,Number of Calls,Elapsed Exclusive Time %,Module Name,
 *     0,"Sort.exe",0,0.00,"",
 *     1,"Sort.Program.Main(string[])",1,2.50,"Sort.exe",
 *     2,"System.Array.Sort(int32[])","1,024",97.50,"mscorlib.dll",
 */
#include "base/scan.h"
#include "libparse/table_row.h"
#include "libparse/text.h"
#include "libparse/tree/tree_path.h"
#include "libparse/tree/trees.h"

/*
 * Maximum number of columns that are read from the CSV file of a call tree; further columns are
 * ignored.
 */
#define LIMIT_CELLS 64u

/* The number of weight columns of a dialect. */
#define VALUES_MAX 3

/* A weight column. */
struct tree_value {
	const char *column, *event;
	enum weight_unit unit;
	unsigned decimals; /* decimals to add to the number in the file */
};

struct tree_dialect {
	/* names of columns; if `depth` is NULL, indentation shows the depth */
	const char *function, *module, *depth;
	/* the columns that the file has are read, in this order */
	struct tree_value values[VALUES_MAX];
};

static const struct tree_dialect vtune = {
	.function = "Function Stack",
	.module = "Module",
	.values = { { "CPU Time:Self", "cpu-time", UNIT_NANOSECONDS, 9 } },
};

static const struct tree_dialect visual_studio = {
	.function = "Function Name",
	.module = "Module Name",
	.depth = "Level",
	.values = { { "Exclusive Samples", "samples", UNIT_SAMPLES, 0 },
		    { "Elapsed Exclusive Time %", "%time", UNIT_MILLIONTHS, 6 },
		    { "Number of Calls", "calls", UNIT_SAMPLES, 0 } },
};

/* The positions of the columns in a file, or LIMIT_CELLS for a missing column. */
struct tree_heading {
	const struct tree_dialect *dialect;
	uint32_t function, module, depth;
	const struct tree_value *values[VALUES_MAX + 1]; /* NULL-terminated */
	uint32_t value_columns[VALUES_MAX];
};

struct tree_row {
	uint64_t depth, value;
	struct text function, module;
	bool is_quoted; /* the function */
};

struct csv_parser {
	const struct event_sink *sink;
	const struct tree_dialect *dialect;
	struct tree_heading heading; /* dialect is NULL until the heading has been read */
	uint32_t value;              /* index of the value to send */
	struct text_skips skips;
	struct tree_path path; /* texts: "MODULE\tFUNCTION" */
	struct sink scratch;
};

static uint32_t split(struct text line, struct text cells[LIMIT_CELLS])
{
	uint32_t count = 0;

	while (count < LIMIT_CELLS && line.at && table_next_cell(&line, ',', &cells[count]))
		count++;
	return count;
}

static uint32_t find_column(const struct text *cells, uint32_t count, const char *name)
{
	uint32_t i = 0;

	while (i < count && !text_is(cells[i], name))
		i++;
	return i < count ? i : LIMIT_CELLS;
}

static bool parse_heading(const struct tree_dialect *dialect, struct text line,
			  struct tree_heading *ret)
{
	struct text cells[LIMIT_CELLS];
	uint32_t count = split(line, cells);
	uint32_t value_count = 0;

	*ret = (struct tree_heading){
		.dialect = dialect,
		.function = find_column(cells, count, dialect->function),
		.module = find_column(cells, count, dialect->module),
		.depth = dialect->depth ? find_column(cells, count, dialect->depth) : 0,
	};
	for (size_t i = 0; i < ARRAY_SIZE(dialect->values) && dialect->values[i].column; i++) {
		uint32_t column = find_column(cells, count, dialect->values[i].column);

		if (column == LIMIT_CELLS || value_count == VALUES_MAX)
			continue;
		ret->value_columns[value_count] = column;
		ret->values[value_count++] = &dialect->values[i];
	}
	return value_count && ret->depth < LIMIT_CELLS &&
	       (dialect->depth ? ret->function < LIMIT_CELLS : ret->function == 0);
}

/* Whether the comma at `at` separates thousands, because exactly three digits follow. */
static bool is_separator(struct text cell, uint32_t at)
{
	struct text rest = text_from(cell, at + 1);

	return at && scan_digits_length(rest) == 3;
}

/* Reads "2,893,824" or "1.5". Refuses "1,5", whose comma could be a decimal comma. */
static bool parse_number(struct text cell, unsigned decimals, uint64_t *ret)
{
	char digits[64];
	struct text rest = { digits, 0 };

	for (uint32_t i = 0; i < cell.length; i++) {
		if (cell.at[i] == ',' && is_separator(cell, i))
			continue;
		if (rest.length == sizeof(digits))
			return false;
		digits[rest.length++] = cell.at[i];
	}
	return scan_decimal(&rest, decimals, ret) && !rest.length;
}

/* Appends a name. In quotes, a quote is doubled. */
static void put_name(struct sink *sink, const struct tree_row *row)
{
	struct text name = row->function;

	for (uint32_t i = 0; i < name.length; i++) {
		sink_char(sink, name.at[i]);
		if (row->is_quoted && name.at[i] == '"' && i + 1 < name.length &&
		    name.at[i + 1] == '"')
			i++;
	}
}

/*
 * Returns false if the line is not a row. Even then, sets the depth of the line, or 0 if it is
 * unknown, so that no function gets the wrong caller.
 */
static bool parse_row(const struct tree_heading *heading, uint32_t value, struct text line,
		      struct tree_row *ret)
{
	struct text cells[LIMIT_CELLS];
	uint32_t indent = 0;
	const char *end;
	uint32_t count;

	*ret = (struct tree_row){ .depth = 0 };
	while (!heading->dialect->depth && indent < line.length && line.at[indent] == ' ')
		indent++;
	ret->depth = indent;
	count = split(text_from(line, indent), cells);
	if (heading->dialect->depth &&
	    (heading->depth >= count || !text_to_u64(cells[heading->depth], &ret->depth)))
		return false;
	if (heading->function >= count || heading->value_columns[value] >= count ||
	    !cells[heading->function].length)
		return false;
	ret->function = cells[heading->function];
	end = ret->function.at + ret->function.length;
	ret->is_quoted = end < line.at + line.length && *end == '"';
	ret->module = heading->module < count ? cells[heading->module] : text_of("");
	return parse_number(cells[heading->value_columns[value]], heading->values[value]->decimals,
			    &ret->value);
}

/*
 * The root is VTune's row Total or a process, not a function. A file without a root has been
 * edited, and all its rows are functions.
 */
static size_t function_first(const struct csv_parser *parser)
{
	struct text root = tree_path_text(&parser->path, 0);
	const char *tab = memchr(root.at, '\t', root.length);

	return parser->dialect->depth ||
	       (tab && text_is(text_between(tab + 1, root.at + root.length), "Total"));
}

static void send(struct csv_parser *parser, uint64_t value)
{
	const struct tree_value *kind = parser->heading.values[parser->value];
	struct tree_path *path = &parser->path;
	size_t first = function_first(parser);
	size_t shared_count = path->shared_count > first ? path->shared_count - first : 0;
	struct text root = tree_path_text(path, 0);
	struct text comm = text_of("[program]");
	struct event_text_sample text;
	struct event event = { .kind = EVENT_SAMPLE };

	if (parser->dialect->depth)
		comm = text_from(root, (uint32_t)((const char *)memchr(root.at, '\t', root.length) +
						  1 - root.at));
	text = (struct event_text_sample){
		.comm = comm,
		.event = text_of(kind->event),
		.unit = kind->unit,
		.sample_count = kind->unit == UNIT_SAMPLES ? value : 1,
		.frames = tree_path_frames(path, first),
		.frame_count = (uint32_t)(path->nodes.count - first),
		.is_outermost_first = true,
		.shared_count = (uint32_t)shared_count,
	};
	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_CALLCHAIN | SAMPLE_HAS_PERIOD,
		.period = value,
		.text = &text,
	};
	event_send(parser->sink, &event);
}

/*
 * A row without a parent is skipped, and so are the rows below it, because their parent is missing.
 */
static void read_row(struct csv_parser *parser, struct text line, uint64_t offset)
{
	struct tree_path *path = &parser->path;
	struct tree_row row;
	bool is_row = parse_row(&parser->heading, parser->value, line, &row);

	while (path->nodes.count > row.depth)
		tree_path_pop(path);
	if (!is_row || row.depth > path->nodes.count ||
	    (!row.depth && row.function.length > LIMIT_TREE_ROOT_BYTES)) {
		text_skip(&parser->skips, offset);
		return;
	}
	parser->scratch.used = 0;
	sink_text(&parser->scratch, row.module);
	sink_char(&parser->scratch, '\t');
	put_name(&parser->scratch, &row);
	tree_path_push(path, sink_memory(&parser->scratch), 0);
	if (row.value)
		send(parser, row.value);
}

static void read_records(void *context, struct text_window *window)
{
	struct csv_parser *parser = context;
	struct text line;

	while (text_next_line(&window->at, window->end, window->is_last, &line)) {
		struct tree_heading heading;

		if (parse_heading(parser->dialect, line, &heading)) {
			parser->heading = heading;
			while (parser->path.nodes.count)
				tree_path_pop(&parser->path);
		} else if (parser->heading.dialect && !text_is_blank(line) &&
			   parser->heading.values[parser->value]) {
			read_row(parser, line, text_offset(window, line.at));
		}
	}
}

/* Reads the whole input, because a row depends on all rows above it. */
static bool read_value(const struct capture *capture, const struct tree_dialect *dialect,
		       uint32_t value, const struct event_sink *sink, struct text_skips *skips,
		       struct error *err)
{
	struct csv_parser parser = { .sink = sink, .dialect = dialect, .value = value };
	bool good;

	sink_init_memory(&parser.scratch);
	good = text_read(capture, capture->slices.at[0], read_records, &parser, &parser.skips, err);
	*skips = parser.skips;
	tree_path_deinit(&parser.path);
	sink_deinit(&parser.scratch);
	return good;
}

static bool csv_open(struct capture *capture, struct error *err)
{
	return text_cut(capture, NULL, err);
}

/* Sends all weights of one event before those of the next, so that consecutive samples share frames. */
static bool read_values(const struct capture *capture, const struct tree_dialect *dialect,
			const struct event_sink *sink, struct error *err)
{
	struct text_skips skips[VALUES_MAX];

	for (uint32_t i = 0; i < VALUES_MAX; i++)
		if (!read_value(capture, dialect, i, sink, &skips[i], err))
			return false;
	/* The same row can be invalid in one column and valid in another. */
	for (uint32_t i = 1; i < VALUES_MAX; i++)
		if (skips[i].count > skips[0].count)
			skips[0] = skips[i];
	text_report_skips(&skips[0], sink);
	return true;
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	const char *tab = memchr(raw.at, '\t', raw.length);
	struct event_frame frame = { .name = raw, .module = { "", 0 }, .is_exact = raw.length > 0 };

	(void)reader;
	if (tab) {
		frame.module = text_between(raw.at, tab);
		frame.name = text_between(tab + 1, raw.at + raw.length);
	}
	callback(context, &frame);
}

static bool is_of_vtune(struct text line)
{
	struct tree_heading ignored;

	return parse_heading(&vtune, line, &ignored);
}

static bool is_of_visual_studio(struct text line)
{
	struct tree_heading ignored;

	return parse_heading(&visual_studio, line, &ignored);
}

static struct evidence probe_vtune(struct span head)
{
	return text_probe(head, is_of_vtune, "the heading of a call tree of VTune");
}

static struct evidence probe_visual_studio(struct span head)
{
	return text_probe(head, is_of_visual_studio, "the heading of a call tree of Visual Studio");
}

static bool read_vtune(const struct capture *capture, struct slice slice,
		       const struct event_sink *sink, struct error *err)
{
	(void)slice;
	return read_values(capture, &vtune, sink, err);
}

static bool read_visual_studio(const struct capture *capture, struct slice slice,
			       const struct event_sink *sink, struct error *err)
{
	(void)slice;
	return read_values(capture, &visual_studio, sink, err);
}

const struct input_format vtune_format = {
	.name = "vtune",
	.summary = "call trees of Intel VTune (CSV)",
	.title = "call tree of VTune",
	.probe = probe_vtune,
	.ends_in = "\n",
	.open = csv_open,
	.read_samples = read_vtune,
	.read_frame = read_frame,
	.has_shared_frames = true,
};

const struct input_format visual_studio_format = {
	.name = "visual-studio",
	.summary = "call trees of Visual Studio (CSV)",
	.title = "call tree of Visual Studio",
	.probe = probe_visual_studio,
	.ends_in = "\n",
	.open = csv_open,
	.read_samples = read_visual_studio,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
