/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/print_tree.h"

/* Skips an argument that cannot be parsed, including its comma. */
static bool skip_value(struct print_parser *parser)
{
	uint32_t open = 0;

	for (; parser->at < parser->end; parser->at++) {
		char c = *parser->at;

		if (c == '"' || c == '{' || c == '}' || (c == ')' && !open))
			return false;
		if (c == ',' && !open)
			return true;
		open += c == '(';
		open -= c == ')';
	}
	return false;
}

/* Reads a name in a list: a string, or a null pointer. */
static bool read_list_name(struct print_parser *parser, struct text *ret)
{
	const struct print_node *none;

	if (print_tree_peek(parser) == '"')
		return print_tree_read_string(parser, ret);
	none = print_tree_read(parser);
	*ret = text_of("(null)");
	return none && none->kind == PRINT_NUMBER && !none->number;
}

/* Reads { VALUE, "NAME" }, ... up to the closing bracket. */
static bool read_names(struct print_parser *parser, const struct print_name **ret)
{
	struct print_name first = { .next = NULL };
	struct print_name *last = &first;

	while (print_tree_skip(parser, ',')) {
		struct print_name name = { .next = NULL };
		const struct print_node *value;
		const char *begin;

		if (!print_tree_skip(parser, '{'))
			return false;
		print_tree_peek(parser);
		begin = parser->at;
		value = print_tree_read(parser);
		name.is_known = value && value->kind == PRINT_NUMBER;
		if (name.is_known) {
			name.value = value->number;
		} else {
			parser->at = begin;
			if (!skip_value(parser))
				return false;
		}
		if (!print_tree_skip(parser, ',') || !read_list_name(parser, &name.name) ||
		    !print_tree_skip(parser, '}'))
			return false;
		last->next = arena_alloc(parser->arena, sizeof(name), _Alignof(struct print_name));
		last = last->next;
		*last = name;
	}
	*ret = first.next;
	return true;
}

static bool read_argument(struct print_parser *parser, const struct print_node **ret)
{
	*ret = print_tree_read(parser);
	return *ret != NULL;
}

static bool read_next_argument(struct print_parser *parser, const struct print_node **ret)
{
	return print_tree_skip(parser, ',') && read_argument(parser, ret);
}

static bool read_flags(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_FLAGS;
	return read_argument(parser, &node->a) && print_tree_skip(parser, ',') &&
	       print_tree_read_string(parser, &node->text) && read_names(parser, &node->names);
}

static bool read_symbol(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_SYMBOL;
	return read_argument(parser, &node->a) && read_names(parser, &node->names);
}

static bool read_hex(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_HEX;
	node->text = text_of(" ");
	return read_argument(parser, &node->a) && read_next_argument(parser, &node->b);
}

static bool read_hex_str(struct print_parser *parser, struct print_node *node)
{
	bool good = read_hex(parser, node);

	node->text = text_of("");
	return good;
}

static bool read_array(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_ARRAY;
	return read_argument(parser, &node->a) && read_next_argument(parser, &node->b) &&
	       read_next_argument(parser, &node->c);
}

static bool read_field_argument(struct print_parser *parser, struct print_node *node)
{
	node->field = trace_format_find(parser->format, print_tree_read_word(parser));
	return node->field != NULL;
}

static bool read_whole_field(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_FIELD;
	return read_field_argument(parser, node);
}

static bool read_length(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_LENGTH;
	return read_field_argument(parser, node);
}

static bool read_mask(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_MASK;
	return read_field_argument(parser, node);
}

static bool read_cpus(struct print_parser *parser, struct print_node *node)
{
	node->kind = PRINT_CPUS;
	return read_field_argument(parser, node);
}

static bool read_expected(struct print_parser *parser, struct print_node *node)
{
	const struct print_node *value = print_tree_read(parser);
	const struct print_node *ignored;

	if (!value || !read_next_argument(parser, &ignored))
		return false;
	*node = *value;
	return true;
}

static const struct {
	const char *name;
	bool (*read)(struct print_parser *parser, struct print_node *node);
} functions[] = {
	{ "__print_flags", read_flags },
	{ "__print_flags_u64", read_flags },
	{ "__print_symbolic", read_symbol },
	{ "__print_symbolic_u64", read_symbol },
	{ "__print_hex", read_hex },
	{ "__print_hex_str", read_hex_str },
	{ "__print_array", read_array },
	{ "__get_str", read_whole_field },
	{ "__get_rel_str", read_whole_field },
	{ "__get_dynamic_array", read_whole_field },
	{ "__get_rel_dynamic_array", read_whole_field },
	{ "__get_sockaddr", read_whole_field },
	{ "__get_rel_sockaddr", read_whole_field },
	{ "__get_dynamic_array_len", read_length },
	{ "__get_rel_dynamic_array_len", read_length },
	{ "__get_bitmask", read_mask },
	{ "__get_rel_bitmask", read_mask },
	{ "__get_cpumask", read_cpus },
	{ "__get_rel_cpumask", read_cpus },
	{ "__builtin_expect", read_expected },
};

bool print_functions_read(struct print_parser *parser, struct text name, struct print_node *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (text_is(name, functions[i].name))
			return functions[i].read(parser, ret);
	return false;
}
