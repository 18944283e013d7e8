/* SPDX-License-Identifier: MIT */
#include "render/report/call_tree_text.h"

#include "render/number.h"

/*
 * Deeper levels are not indented further, because each of their rows would repeat the connectors of
 * all levels.
 */
#define INDENT_BYTES_MAX 800u

struct tree_writer {
	const struct call_tree *tree;
	const struct call_tree_options *options;
	struct table table;
	uint64_t all, least; /* weights: of the profile, and of the lightest frame that is shown */
	uint64_t shown_count, left_out_count;
	bool is_drawn;        /* with connectors, in human-readable output */
	const char *relation; /* of rows to the function of --peek; NULL without --peek */
	VEC(char) indent;     /* in front of the connectors of the current level */
	VEC(struct tree_level {
		uint32_t next;        /* child to write */
		uint32_t parent_row;  /* in machine-readable output */
		size_t indent_length; /* of the parent */
		bool is_branch;       /* the parent has several children that are shown */
	})
	levels;
};

static bool is_for_people(enum table_format format)
{
	return format != TABLE_FORMAT_CSV && format != TABLE_FORMAT_JSON;
}

static void add_columns(struct tree_writer *writer)
{
	enum weight_unit unit = writer->tree->profile->unit;
	const struct table_column columns[] = {
		{ .title = "id", .key = "id", .kind = TABLE_COUNT, .is_for_programs_only = true },
		{ .title = "parent",
		  .key = "parent",
		  .kind = TABLE_COUNT,
		  .is_for_programs_only = true },
		{ .title = "total", .key = "total_percent", .kind = TABLE_SHARE },
		{ .title = "self", .key = "self_percent", .kind = TABLE_SHARE },
		{ .title = "total",
		  .key = "total",
		  .kind = TABLE_WEIGHT,
		  .unit = unit,
		  .is_for_programs_only = true },
		{ .title = "self",
		  .key = "self",
		  .kind = TABLE_WEIGHT,
		  .unit = unit,
		  .is_for_programs_only = true },
		{ .title = "function", .key = "symbol", .kind = TABLE_CODE },
		{ .title = "dso", .key = "dso", .kind = TABLE_TEXT, .is_for_programs_only = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		table_add_column(&writer->table, columns[i]);
	if (writer->relation)
		table_add_column(&writer->table,
				 (struct table_column){ .title = "relation",
							.key = "relation",
							.kind = TABLE_TEXT,
							.is_for_programs_only = true });
}

static void writer_init(struct tree_writer *writer, const struct call_tree *tree,
			const struct call_tree_options *options, const char *heading,
			const char *relation)
{
	const struct profile *profile = tree->profile;
	struct sink sink;

	*writer = (struct tree_writer){
		.tree = tree,
		.options = options,
		.all = profile->stacks.count ? profile->stacks.at[0].total : 0,
		.is_drawn = is_for_people(options->format),
		.relation = relation,
	};
	writer->least = (uint64_t)(options->least_percent / 100 * (double)writer->all);
	table_init(&writer->table);
	writer->table.title = "Calls";
	sink_init_memory(&sink);
	sink_printf(&sink, "%s; event ", heading);
	sink_text(&sink, strings_get(profile->strings, profile->event_name));
	sink_puts(&sink, ", total ");
	number_weight(&sink, writer->all, profile->unit);
	table_set_heading(&writer->table, table_copy(&writer->table, sink_memory(&sink)));
	sink_deinit(&sink);
	table_add_fact_text(&writer->table, "event",
			    strings_get(profile->strings, profile->event_name));
	table_add_fact_text(&writer->table, "unit", text_of(number_shown_unit(profile->unit)));
	table_add_fact_weight(&writer->table, "total", writer->all, profile->unit);
	add_columns(writer);
}

static struct text dso_of(const struct profile *profile, module_id module)
{
	return strings_get(profile->strings, modules_get(profile->modules, module)->path);
}

/* Writes the columns before the name. */
static void add_weights(struct tree_writer *writer, uint32_t parent_row,
			const struct call_node *node)
{
	struct table *table = &writer->table;

	table_add_number(table, writer->shown_count++);
	if (parent_row == CALL_NODE_NONE)
		table_add_empty(table);
	else
		table_add_number(table, parent_row);
	table_add_share(table, node->total, writer->all);
	table_add_share(table, node->self, writer->all);
	table_add_number(table, node->total);
	table_add_number(table, node->self);
}

static void add_name(struct tree_writer *writer, struct text name, struct text dso)
{
	table_add_text(&writer->table, name);
	table_add_text(&writer->table, dso);
	if (writer->relation)
		table_add_text(&writer->table, text_of(writer->relation));
}

static void add_node(struct tree_writer *writer, uint32_t parent_row, const struct call_node *node,
		     const char *connector)
{
	const struct profile *profile = writer->tree->profile;
	struct text name = profile_frame_name(profile, node->frame);
	struct text dso = dso_of(profile, node->module);
	struct sink sink;

	add_weights(writer, parent_row, node);
	if (!writer->is_drawn) {
		add_name(writer, name, dso);
		return;
	}
	sink_init_memory(&sink);
	sink_bytes(&sink, writer->indent.at, writer->indent.count);
	sink_puts(&sink, connector);
	sink_text(&sink, name);
	add_name(writer, table_copy(&writer->table, sink_memory(&sink)), dso);
	sink_deinit(&sink);
}

/* Adds a row for the siblings that are left out. */
static void add_rest(struct tree_writer *writer, uint32_t parent_row, uint32_t first,
		     const char *connector)
{
	const struct call_node *nodes = writer->tree->nodes.at;
	uint64_t count = 0, total = 0;
	struct sink sink;

	for (uint32_t i = first; i != CALL_NODE_NONE; i = nodes[i].next) {
		total += nodes[i].total;
		count++;
	}
	writer->left_out_count += count;
	if (!writer->is_drawn)
		return;
	add_weights(writer, parent_row, &(struct call_node){ .total = total });
	writer->table.cells.at[writer->table.cells.count - 3].state = TABLE_CELL_EMPTY;
	sink_init_memory(&sink);
	sink_bytes(&sink, writer->indent.at, writer->indent.count);
	sink_printf(&sink, "%s", connector);
	number_grouped(&sink, count);
	sink_puts(&sink, " more");
	add_name(writer, table_copy(&writer->table, sink_memory(&sink)), text_of(""));
	sink_deinit(&sink);
}

static bool is_shown(const struct tree_writer *writer, uint32_t node)
{
	const struct call_tree_options *options = writer->options;

	return node != CALL_NODE_NONE && writer->tree->nodes.at[node].total &&
	       writer->tree->nodes.at[node].total >= writer->least &&
	       (!options->limit || writer->shown_count < options->limit);
}

/*
 * Begins the children of a node whose row has been written. bar: the text before their connectors.
 */
static void descend(struct tree_writer *writer, uint32_t node, uint32_t row, const char *bar)
{
	const struct call_node *nodes = writer->tree->nodes.at;
	uint32_t first = nodes[node].first_child;
	size_t indent_length = writer->indent.count;

	if (first == CALL_NODE_NONE)
		return;
	for (const char *at = bar; *at && indent_length < INDENT_BYTES_MAX; at++)
		vec_push(&writer->indent, *at);
	vec_push(&writer->levels, (struct tree_level){
					  .next = first,
					  .parent_row = row,
					  .indent_length = indent_length,
					  .is_branch = nodes[first].next != CALL_NODE_NONE,
				  });
}

/* Writes the next child of the innermost level. */
static void step(struct tree_writer *writer)
{
	struct tree_level *level = &writer->levels.at[writer->levels.count - 1];
	const struct call_node *nodes = writer->tree->nodes.at;
	uint32_t node = level->next;
	bool is_outermost = writer->levels.count == 1;
	bool draws = level->is_branch && !is_outermost;
	bool is_last;

	if (!is_shown(writer, node)) {
		if (node != CALL_NODE_NONE)
			add_rest(writer, level->parent_row, node, draws ? "└ " : "");
		writer->indent.count = level->indent_length;
		writer->levels.count--;
		return;
	}
	is_last = nodes[node].next == CALL_NODE_NONE;
	level->next = nodes[node].next;
	add_node(writer, level->parent_row, &nodes[node], !draws ? "" : is_last ? "└ " : "├ ");
	descend(writer, node, (uint32_t)writer->shown_count - 1,
		!draws    ? ""
		: is_last ? "  "
			  : "│ ");
}

static void finish(struct tree_writer *writer, struct sink *sink)
{
	if (writer->left_out_count && !writer->is_drawn)
		table_add_fact_number(&writer->table, "left_out", writer->left_out_count);
	/* Markdown would remove the blanks that show the levels. */
	if (writer->options->format == TABLE_FORMAT_MARKDOWN) {
		sink_puts(sink, "```\n");
		table_write(&writer->table, TABLE_FORMAT_TEXT, sink);
		sink_puts(sink, "```\n");
	} else {
		table_write(&writer->table, writer->options->format, sink);
	}
	table_deinit(&writer->table);
	vec_free(&writer->indent);
	vec_free(&writer->levels);
}

void call_tree_write(const struct call_tree *tree, const struct call_tree_options *options,
		     struct sink *sink)
{
	static const char *const headings[] = {
		[CALL_TREE_WHOLE] = "calls",
		[CALL_TREE_CALLEES] = "callees",
		[CALL_TREE_CALLERS] = "callers; self is the self weight of the called function",
	};
	struct tree_writer writer;

	writer_init(&writer, tree, options,
		    tree->profile->is_reversed
			    ? "callers of each leaf; self is the weight of stacks that begin here"
			    : headings[options->kind],
		    NULL);
	descend(&writer, 0, CALL_NODE_NONE, "");
	while (writer.levels.count)
		step(&writer);
	finish(&writer, sink);
}

/* Returns the node of a function in the other tree, which has the same functions. */
static uint32_t find_function(const struct call_tree *tree, frame_id frame)
{
	const struct call_node *nodes = tree->nodes.at;
	uint32_t node = nodes[0].first_child;

	while (node != CALL_NODE_NONE && nodes[node].frame.i != frame.i)
		node = nodes[node].next;
	return node;
}

/* Writes the children of a function in one of the trees. */
static void add_neighbours(struct tree_writer *writer, const struct call_tree *tree,
			   uint32_t function, uint32_t row, const char *relation)
{
	const struct call_node *nodes = tree->nodes.at;
	const char *connector = strcmp(relation, "caller") == 0 ? "┌ " : "└ ";
	uint32_t next;

	if (function == CALL_NODE_NONE)
		return;
	writer->tree = tree;
	writer->relation = relation;
	for (next = nodes[function].first_child; is_shown(writer, next); next = nodes[next].next)
		add_node(writer, row, &nodes[next], connector);
	if (next != CALL_NODE_NONE)
		add_rest(writer, row, next, connector);
}

void call_tree_write_peek(const struct call_tree *callers, const struct call_tree *callees,
			  const struct call_tree_options *options, struct sink *sink)
{
	const struct call_node *nodes = callees->nodes.at;
	struct tree_writer writer;

	writer_init(&writer, callees, options,
		    "callers (above) and callees (below) of each function; the self of a caller "
		    "is the self weight of the called function",
		    "function");
	for (uint32_t next = nodes[0].first_child; is_shown(&writer, next);
	     next = nodes[next].next) {
		uint32_t row = (uint32_t)writer.shown_count;

		/*
		 * In CSV and JSON, the function is identified by its row number; in text, it is
		 * between its callers and callees.
		 */
		if (!writer.is_drawn)
			add_node(&writer, CALL_NODE_NONE, &nodes[next], "");
		add_neighbours(&writer, callers, find_function(callers, nodes[next].frame), row,
			       "caller");
		writer.tree = callees;
		writer.relation = "function";
		if (writer.is_drawn)
			add_node(&writer, CALL_NODE_NONE, &nodes[next], "");
		add_neighbours(&writer, callees, next, row, "callee");
		writer.relation = "function";
	}
	finish(&writer, sink);
}
