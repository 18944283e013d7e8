/* SPDX-License-Identifier: MIT */
/*
 * Lines of the output of `perf report --stdio`, as tools/perf/ui/stdio/hist.c of Linux prints them.
 * Each level of a call graph is 11 columns wide. This parser does not use the lines between
 * siblings, because perf draws wrong lines below the 32nd level.
 *
 *     |                                   base: the column of the first |
 *     ---main                             level 0, whose functions follow at base + 3
 *        work
 *        |
 *        |--60.00%--step                  level 1
 *        |          |
 *        |           --20.00%--read       level 2
 *         --40.00%--rest
 */
#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/scan.h"
#include "libparse/perf_report/listing.h"
#include "libparse/perf_report/listing_row.h"

#define LEVEL_COLUMNS 11u
#define TAB_COLUMNS   8u

struct listing_parser {
	struct listing *listing;
	struct text margin; /* the text before each line, such as "> " */
	bool has_margin;
	bool has_entry;      /* a row was read, so call graphs can follow */
	bool is_after_row;   /* the preceding line is a row, or a line of -g folded */
	bool is_after_head;  /* the preceding line is a heading */
	bool has_base;       /* `base` is known for the current graph */
	bool is_after_blank; /* the preceding line is blank */
	uint32_t base;       /* the column of the graph's first level */
	uint32_t node;       /* the node that gets the next frame, or LISTING_NO_NODE */
	VEC(uint32_t) path;  /* the last node of each level; [0] can be LISTING_NO_NODE */
};

void listing_init(struct listing *listing)
{
	*listing = (struct listing){ .lost_count = 0 };
	strings_init(&listing->names);
}

void listing_deinit(struct listing *listing)
{
	strings_deinit(&listing->names);
	vec_free(&listing->functions);
	memory_free((char *)listing->text.at);
	vec_free(&listing->sections);
	vec_free(&listing->entries);
	vec_free(&listing->nodes);
	vec_free(&listing->frames);
}

static struct listing_section *current_section(struct listing *listing)
{
	if (!listing->sections.count)
		vec_push(&listing->sections, (struct listing_section){ .event_count = 0 });
	return &listing->sections.at[listing->sections.count - 1];
}

static void begin_section(struct listing_parser *parser)
{
	struct listing *listing = parser->listing;

	vec_push(&listing->sections,
		 (struct listing_section){ .entry_first = (uint32_t)listing->entries.count });
	parser->has_entry = false;
}

/* ---- Comments ---- */

/* Returns the largest number that perf abbreviates so: "1K" is 1000 to 1999. */
static uint64_t most_samples(uint64_t number, struct text rest)
{
	static const char units[] = "KMG";
	const char *unit = rest.length ? memchr(units, rest.at[0], sizeof(units) - 1) : NULL;
	uint64_t most = saturate_add(number, 1);

	if (!unit)
		return UINT64_MAX;
	for (ptrdiff_t i = unit - units; i >= 0; i--)
		most = saturate_multiply(most, 1000);
	return most - 1;
}

/* "180  of event 'cycles:u'", "1K of event 'cycles'" */
static bool parse_samples(struct text line, struct listing_section *section)
{
	const char *begin, *end;
	struct text rest = line;

	if (!scan_prefix(&rest, "Samples: ") || !scan_u64(&rest, &section->sample_count))
		return false;
	section->has_sample_count = true;
	section->is_sample_count_exact = rest.length && is_blank(rest.at[0]);
	if (!section->is_sample_count_exact)
		section->sample_count = most_samples(section->sample_count, rest);
	begin = rest.length ? memchr(rest.at, '\'', rest.length) : NULL;
	end = begin ? memrchr(rest.at, '\'', rest.length) : NULL;
	if (end && end > begin)
		section->event = text_between(begin + 1, end);
	return text_contains(rest, " of event");
}

static void parse_fact(struct listing *listing, struct text line)
{
	static const struct {
		const char *name;
		enum fact fact;
	} rows[] = {
		{ "hostname", FACT_HOST },
		{ "os release", FACT_OS_RELEASE },
		{ "perf version", FACT_TOOL_VERSION },
		{ "arch", FACT_ARCH },
		{ "cpudesc", FACT_CPU },
		{ "cmdline", FACT_COMMAND_LINE },
	};
	const char *colon = memmem(line.at, line.length, " : ", 3);

	for (size_t i = 0; colon && i < ARRAY_SIZE(rows); i++)
		if (text_is(text_trim(text_between(line.at, colon)), rows[i].name))
			listing->facts[rows[i].fact] =
				text_trim(text_between(colon + 3, line.at + line.length));
}

/* Rejects reports with headings for other columns. */
static void refuse_heading(struct listing *listing, struct text line, uint64_t offset)
{
	if (!scan_prefix(&line, "Overhead") && !scan_prefix(&line, "Children"))
		return;
	if (line.length && !is_blank(line.at[0]) && !is_alphanumeric(line.at[0]))
		listing_refuse(listing, offset, "with another separator (-t) between its columns");
	else if (text_contains(line, " / "))
		listing_refuse(listing, offset, "--hierarchy, whose rows do not name all columns");
}

static void refuse_symbol_first(struct listing *listing, const struct listing_heading *heading,
				uint64_t offset)
{
	if (listing_heading_is_symbol_first(heading))
		listing_refuse(listing, offset,
			       "with a symbol as its first text column (-s sym, or columns that "
			       "all rows share), so that perf may have omitted functions");
}

static void refuse_shortened(struct listing *listing, const struct listing_heading *heading,
			     uint64_t offset)
{
	for (uint32_t i = 0; i < heading->count; i++)
		if (heading->columns[i] == LISTING_COLUMN_SHORTENED)
			listing_refuse(listing, offset, "-w, which shortens names");
}

/* Reads the line of dots below a heading. */
static void read_dots(struct listing_parser *parser, struct text line, uint64_t offset)
{
	struct listing *listing = parser->listing;

	if (!parser->is_after_head ||
	    !listing_heading_place(&current_section(listing)->heading, line))
		listing_refuse(listing, offset, "with a heading that does not name its columns");
}

/* line: the comment without the #. */
static void read_comment(struct listing_parser *parser, struct text line, uint64_t offset)
{
	struct listing *listing = parser->listing;
	struct listing_section *section, begun = { .event_count = 0 };
	struct listing_heading heading;
	bool is_after_head = parser->is_after_head;
	uint64_t number;

	if (listing_heading_is_dots(line) && (is_after_head || !parser->has_entry)) {
		read_dots(parser, line, offset);
		return;
	}
	line = text_trim(line);
	parser->is_after_head = false;
	if (parse_samples(line, &begun)) {
		begin_section(parser);
		begun.entry_first = (uint32_t)listing->entries.count;
		*current_section(listing) = begun;
		return;
	}
	section = current_section(listing);
	if (listing_heading_parse(line, &heading)) {
		if (listing->entries.count > section->entry_first || section->heading.count) {
			begin_section(parser);
			section = current_section(listing);
		}
		section->heading = heading;
		parser->has_entry = false;
		parser->is_after_head = true;
		refuse_heading(listing, line, offset);
		refuse_symbol_first(listing, &heading, offset);
		refuse_shortened(listing, &heading, offset);
	} else if (scan_prefix(&line, "Event count (approx.): ")) {
		section->has_event_count = scan_u64(&line, &section->event_count);
	} else if (scan_prefix(&line, "Total Lost Samples: ") && scan_u64(&line, &number)) {
		listing->lost_count += number < UINT32_MAX ? number : UINT32_MAX;
	} else if (line.length) {
		refuse_heading(listing, line, offset);
		parse_fact(listing, line);
	}
}

/* ---- Rows and call graphs ---- */

static void read_row(struct listing_parser *parser, struct text line, uint64_t offset)
{
	struct listing *listing = parser->listing;
	struct listing_entry entry = { .offset = offset };

	parser->has_base = false;
	parser->node = LISTING_NO_NODE;
	parser->path.count = 0;
	vec_push(&parser->path, LISTING_NO_NODE);
	parser->has_entry = listing_row_parse(&current_section(listing)->heading, line, &entry.row);
	if (!parser->has_entry) {
		listing_refuse(listing, offset,
			       "with a row whose cells do not match the columns, as --group prints "
			       "it");
		return;
	}
	refuse_symbol_first(listing, &current_section(listing)->heading, offset);
	parser->is_after_row = true;
	entry.node_first = (uint32_t)listing->nodes.count;
	vec_push(&listing->entries, entry);
	current_section(listing)->entry_count++;
}

static struct listing_entry *current_entry(struct listing_parser *parser)
{
	return &parser->listing->entries.at[parser->listing->entries.count - 1];
}

static void add_node(struct listing_parser *parser, uint32_t parent, struct listing_value value)
{
	struct listing *listing = parser->listing;

	parser->node = (uint32_t)listing->nodes.count;
	vec_push(&listing->nodes, (struct listing_node){
					  .parent = parent,
					  .frame_first = (uint32_t)listing->frames.count,
					  .value = value,
				  });
	current_entry(parser)->node_count++;
}

static void add_frame(struct listing_parser *parser, struct text name)
{
	struct listing *listing = parser->listing;

	vec_push(&listing->frames,
		 (struct listing_frame){ (uint32_t)(name.at - listing->text.at), name.length });
	listing->nodes.at[parser->node].frame_count++;
}

/* The columns of a line of a graph. */
struct listing_columns {
	uint32_t line, rest; /* columns of the first | and of the text after the last | */
	bool has_line;
};

/* Skips blanks and |. */
static struct text skip_lines(struct text line, struct listing_columns *ret)
{
	*ret = (struct listing_columns){ .line = 0 };
	while (line.length && (is_blank(line.at[0]) || line.at[0] == '|')) {
		if (line.at[0] == '|' && !ret->has_line) {
			ret->line = ret->rest;
			ret->has_line = true;
		}
		ret->rest = line.at[0] == '\t' ? (ret->rest / TAB_COLUMNS + 1) * TAB_COLUMNS
					       : ret->rest + 1;
		line = text_from(line, 1);
	}
	return text_trim(line);
}

/* Parses "97.78%--main". perf of Linux 3.18 prints a blank before the name. */
static bool parse_branch(struct text rest, struct listing_value *value_ret, struct text *name_ret)
{
	if (!scan_prefix(&rest, "--") || !listing_value_scan(&rest, value_ret) ||
	    !scan_prefix(&rest, "--"))
		return false;
	*name_ret = text_trim(rest);
	return name_ret->length > 0;
}

static bool read_branch(struct listing_parser *parser, uint32_t column, struct listing_value value,
			struct text name)
{
	uint32_t level;

	if (!parser->has_base)
		parser->base = column - 1;
	parser->has_base = true;
	parser->node = LISTING_NO_NODE;
	if (column <= parser->base || (column - 1 - parser->base) % LEVEL_COLUMNS)
		return false;
	level = (column - 1 - parser->base) / LEVEL_COLUMNS + 1;
	if (level > parser->path.count)
		return false;
	parser->path.count = level;
	if (text_is(name, "[...]")) {
		parser->listing->has_rest = true;
		return true;
	}
	add_node(parser, parser->path.at[level - 1], value);
	add_frame(parser, name);
	vec_push(&parser->path, parser->node);
	return true;
}

static bool read_top(struct listing_parser *parser, uint32_t column, struct text name)
{
	if (current_entry(parser)->node_count || !name.length)
		return false;
	parser->base = column + 3;
	parser->has_base = true;
	add_node(parser, LISTING_NO_NODE, (struct listing_value){ .kind = LISTING_VALUE_NONE });
	add_frame(parser, name);
	parser->path.at[0] = parser->node;
	return true;
}

/* Reads a function of the current node. */
static bool read_name(struct listing_parser *parser, uint32_t column, struct text name)
{
	uint32_t level = (uint32_t)parser->path.count - 1;
	uint32_t wanted = parser->base + LEVEL_COLUMNS * level;

	if (parser->node == LISTING_NO_NODE || !parser->has_base ||
	    (column != wanted && !(level == 0 && column == wanted + 1)))
		return false;
	add_frame(parser, name);
	return true;
}

/* Returns false if the line is not part of a graph. */
static bool read_graph(struct listing_parser *parser, struct text line)
{
	struct listing_value value;
	struct listing_columns columns;
	struct text name, rest;

	rest = skip_lines(line, &columns);
	if (!rest.length) {
		if (!parser->has_base && columns.has_line)
			parser->base = columns.line;
		parser->has_base |= columns.has_line;
		return true;
	}
	if (parse_branch(rest, &value, &name))
		return read_branch(parser, columns.rest, value, name);
	if (scan_prefix(&rest, "---"))
		return read_top(parser, columns.rest, text_trim(rest));
	return read_name(parser, columns.rest, rest);
}

/* ---- Stacks ---- */

static bool read_flat(struct listing_parser *parser, struct text line)
{
	struct listing_value value;
	struct text rest = text_trim(line);
	struct text name = rest;

	if (listing_value_scan(&rest, &value) && !rest.length &&
	    (parser->is_after_blank || parser->node == LISTING_NO_NODE)) {
		add_node(parser, LISTING_NO_NODE, value);
		return true;
	}
	if (parser->node == LISTING_NO_NODE || parser->is_after_blank)
		return false;
	add_frame(parser, name);
	return true;
}

/* "90.91% compute;main" */
static bool parse_folded(struct text line, struct listing_value *value_ret, struct text *stack_ret)
{
	if (!listing_value_scan(&line, value_ret) || !scan_char(&line, ' ') || !line.length ||
	    is_blank(line.at[0]))
		return false;
	*stack_ret = text_trim(line);
	return true;
}

static bool read_folded(struct listing_parser *parser, struct text line, bool is_after_row,
			uint64_t offset)
{
	struct listing_value value;
	struct text stack;

	if (!is_after_row || !parse_folded(line, &value, &stack))
		return false;
	parser->is_after_row = true;
	add_node(parser, LISTING_NO_NODE, value);
	while (stack.length) {
		const char *end = memchr(stack.at, ';', stack.length);
		struct text name = end ? text_between(stack.at, end) : stack;

		/* Names of Java classes contain ";": "Lorg/Main;::run". */
		if (text_has_prefix(name, "::"))
			listing_refuse(parser->listing, offset,
				       "-g folded, with names that contain semicolons");
		if (name.length)
			add_frame(parser, name);
		stack = text_from(stack, name.length + (end != NULL));
	}
	parser->node = LISTING_NO_NODE;
	return true;
}

/* The first line below a row shows how its call graph is printed. */
static enum listing_style style_of(struct text line)
{
	struct listing_value value;
	struct text rest = text_trim(line);

	if (rest.length && (rest.at[0] == '|' || text_has_prefix(rest, "--")))
		return LISTING_STYLE_GRAPH;
	if (listing_value_scan(&rest, &value) && !rest.length)
		return LISTING_STYLE_FLAT;
	return parse_folded(line, &value, &rest) ? LISTING_STYLE_FOLDED : LISTING_STYLE_NONE;
}

static bool read_stacks(struct listing_parser *parser, struct text line, bool is_after_row,
			uint64_t offset)
{
	struct listing_entry *entry = current_entry(parser);
	struct listing_section *section = current_section(parser->listing);

	if (entry->style == LISTING_STYLE_NONE) {
		enum listing_style style = style_of(line);

		if (style == LISTING_STYLE_FOLDED && !is_after_row)
			style = LISTING_STYLE_NONE;
		if (section->style == LISTING_STYLE_NONE)
			section->style = style;
		if (style != section->style)
			return false;
		entry->style = style;
	}
	switch (entry->style) {
	case LISTING_STYLE_GRAPH:
		return read_graph(parser, line);
	case LISTING_STYLE_FLAT:
		return read_flat(parser, line);
	case LISTING_STYLE_FOLDED:
		return read_folded(parser, line, is_after_row, offset);
	default:
		return false;
	}
}

/* Whether a line begins like a line of a call graph. */
static bool is_graph(struct text line)
{
	struct listing_columns columns;
	struct listing_value value;
	struct text name;

	line = skip_lines(line, &columns);
	return columns.has_line || text_has_prefix(line, "---") ||
	       parse_branch(line, &value, &name);
}

/*
 * Reads a line that is neither a row nor part of a graph. Text after a report begins after a blank
 * line, without leading blanks, and is skipped. Any other such line is part of a call graph that a
 * mail program or a person changed.
 */
static void read_other(struct listing_parser *parser, struct text line, uint64_t offset)
{
	struct listing *listing = parser->listing;

	if (parser->has_entry && (!parser->is_after_blank || is_blank(line.at[0])))
		listing_refuse(listing, offset,
			       "with a line that is not a part of its call graphs");
	else if (listing->entries.count && is_graph(line))
		listing_refuse(listing, offset, "with a call graph that has no row");
	parser->has_entry = false;
	text_skip(&listing->skips, offset);
}

/* ---- All lines ---- */

/* Returns the quotation marks before a line: "> # Samples". */
static struct text find_margin(struct text line)
{
	uint32_t length = 0;

	while (length < line.length && (line.at[length] == '>' || is_blank(line.at[length])))
		length++;
	return (struct text){ line.at, length };
}

/*
 * The margin is the text before the first #. Before a row, blanks are not margin but part of the
 * row.
 */
static struct text remove_margin(struct listing_parser *parser, struct text line)
{
	struct text own = find_margin(line);

	if (!parser->has_margin && own.length < line.length && line.at[own.length] == '#') {
		parser->margin = own;
		parser->has_margin = true;
	} else if (!parser->has_margin && !parser->margin.length && own.length &&
		   own.at[0] == '>') {
		parser->margin = text_of("> ");
	}
	if (line.length >= parser->margin.length && parser->margin.length &&
	    memcmp(line.at, parser->margin.at, parser->margin.length) == 0)
		return text_from(line, parser->margin.length);
	/* Trailing blanks are often lost, so a short line may be only a margin. */
	return own.length == line.length ? text_of("") : line;
}

static void read_line(struct listing_parser *parser, struct text line)
{
	struct listing *listing = parser->listing;
	uint64_t offset = (uint64_t)(line.at - listing->text.at);

	bool is_after_row = parser->is_after_row;

	line = remove_margin(parser, line);
	parser->is_after_row = false;
	if (!text_is_blank(line)) {
		if (line.at[0] == '#')
			read_comment(parser, text_from(line, 1), offset);
		else if (listing_row_is(line))
			read_row(parser, line, offset);
		else if (!parser->has_entry || !read_stacks(parser, line, is_after_row, offset))
			read_other(parser, line, offset);
	}
	parser->is_after_blank = text_is_blank(line);
	/* Comments may follow the blank line. */
	listing->ends_in_graph = parser->has_entry && !parser->is_after_blank &&
				 (listing->ends_in_graph || line.at[0] != '#');
}

static uint64_t line_number(struct text text, uint64_t offset)
{
	uint64_t number = 1;

	for (uint64_t i = 0; i < offset; i++)
		number += text.at[i] == '\n';
	return number;
}

/* Finds bytes that perf does not print to a file. */
static void find_escapes(struct listing *listing)
{
	const char *begin = listing->text.at;
	const char *escape =
		listing->text.length ? memchr(begin, '\033', listing->text.length) : NULL;
	const char *zero = listing->text.length ? memchr(begin, '\0', listing->text.length) : NULL;

	if (escape)
		listing_refuse(listing, (uint64_t)(escape - begin),
			       "with colours (escape sequences; use --stdio-color never)");
	if (zero)
		listing_refuse(listing, (uint64_t)(zero - begin), "with zero bytes");
}

bool listing_parse(struct listing *listing, struct error *err)
{
	struct listing_parser parser = { .listing = listing, .node = LISTING_NO_NODE };
	const char *next = listing->text.at;
	const char *end = next + listing->text.length;
	struct text line;

	find_escapes(listing);
	while (!listing->refusal && text_next_line(&next, end, true, &line))
		read_line(&parser, line);
	vec_free(&parser.path);
	if (!listing->refusal)
		return true;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is the output of `perf report` %s (line %" PRIu64 "); " LISTING_READABLE,
			 listing->refusal, line_number(listing->text, listing->refused_at));
}

/* Whether a line can only be part of a report. */
static bool is_own_line(struct text line)
{
	struct listing_section ignored = { .event_count = 0 };
	struct listing_heading heading;

	if (!scan_char(&line, '#'))
		return false;
	line = text_trim(line);
	return text_has_prefix(line, "To display the perf.data header info") ||
	       listing_heading_parse(line, &heading) || parse_samples(line, &ignored);
}

struct evidence listing_probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	const char *row = NULL;
	struct text line;

	while (text_next_line(&next, end, true, &line)) {
		struct text rest = text_from(line, find_margin(line).length);

		if (is_own_line(rest))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "part of the output of perf report");
		if (row && is_graph(rest))
			return evidence_at(CONFIDENCE_LIKELY, head, row,
					   "part of the output of perf report");
		if (!text_is_blank(rest))
			row = listing_row_is(rest) && (text_contains(rest, "[.] ") ||
						       text_contains(rest, "[k] "))
				      ? line.at
				      : NULL;
	}
	return evidence_none();
}
