/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/print_tree.h"

#include "base/scan.h"
#include "libparse/tracepoint/print_value.h"

static void skip_blanks(struct print_parser *parser)
{
	while (parser->at < parser->end &&
	       (*parser->at == ' ' || *parser->at == '\t' || *parser->at == '\n'))
		parser->at++;
}

char print_tree_peek(struct print_parser *parser)
{
	skip_blanks(parser);
	return parser->at < parser->end ? *parser->at : '\0';
}

bool print_tree_skip(struct print_parser *parser, char c)
{
	if (print_tree_peek(parser) != c)
		return false;
	parser->at++;
	return true;
}

static bool skip_word(struct print_parser *parser, const char *word)
{
	size_t length = strlen(word);

	skip_blanks(parser);
	if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, word, length) != 0)
		return false;
	parser->at += length;
	return true;
}

struct text print_tree_read_word(struct print_parser *parser)
{
	const char *begin;

	skip_blanks(parser);
	begin = parser->at;
	while (parser->at < parser->end && is_identifier(*parser->at))
		parser->at++;
	return (struct text){ begin, (uint32_t)(parser->at - begin) };
}

static bool read_one_string(struct print_parser *parser, struct text *ret)
{
	const char *begin;

	if (!print_tree_skip(parser, '"'))
		return false;
	begin = parser->at;
	while (parser->at < parser->end && *parser->at != '"')
		parser->at += *parser->at == '\\' && parser->end - parser->at > 1 ? 2 : 1;
	if (parser->at >= parser->end)
		return false;
	*ret = (struct text){ begin, (uint32_t)(parser->at - begin) };
	parser->at++;
	return true;
}

bool print_tree_read_string(struct print_parser *parser, struct text *ret)
{
	struct print_parser again;
	uint32_t length;
	struct text next;
	char *joined;

	skip_blanks(parser);
	again = *parser;
	if (!read_one_string(parser, ret))
		return false;
	if (print_tree_peek(parser) != '"')
		return true;
	length = ret->length;
	while (print_tree_peek(parser) == '"') {
		if (!read_one_string(parser, &next))
			return false;
		length += next.length;
	}
	joined = arena_alloc(parser->arena, length, 1);
	*ret = (struct text){ joined, length };
	while (again.at < parser->at && read_one_string(&again, &next)) {
		memcpy(joined, next.at, next.length);
		joined += next.length;
	}
	return true;
}

static uint32_t depth_of(const struct print_node *node)
{
	return node ? node->depth : 0;
}

static bool is_unsigned(const struct print_node *node)
{
	switch (node->kind) {
	case PRINT_FIELD:
		return !node->field->is_signed && node->field->size_bytes == 8;
	case PRINT_ELEMENT:
		return !node->field->is_signed && node->field->element_bytes == 8;
	case PRINT_CAST:
		return !node->is_signed && node->size_bytes == 8;
	case PRINT_UNARY:
		return node->operator!= PRINT_NOT && node->a->is_unsigned;
	case PRINT_BINARY:
		return node->a->is_unsigned || node->b->is_unsigned;
	default:
		return false;
	}
}

static bool is_number(const struct print_node *node)
{
	return !node || node->kind == PRINT_NUMBER;
}

/*
 * Copies a node into the arena, or its value if it is a constant expression. Returns NULL if the
 * tree would be too deep to evaluate.
 */
static const struct print_node *make(struct print_parser *parser, const struct print_node *node)
{
	struct print_node *copy;
	uint32_t depth = depth_of(node->a);
	struct span none = { 0 };
	uint64_t number;

	if (depth_of(node->b) > depth)
		depth = depth_of(node->b);
	if (depth_of(node->c) > depth)
		depth = depth_of(node->c);
	if (depth >= LIMIT_PRINT_DEPTH)
		return NULL;
	copy = arena_alloc(parser->arena, sizeof(*copy), _Alignof(struct print_node));
	*copy = *node;
	copy->depth = depth + 1;
	copy->is_unsigned |= is_unsigned(node);
	copy->texts = parser->format->texts;
	if ((node->kind == PRINT_UNARY || node->kind == PRINT_BINARY || node->kind == PRINT_CAST) &&
	    is_number(node->a) && is_number(node->b) && print_value_number(copy, none, &number))
		*copy = (struct print_node){
			.kind = PRINT_NUMBER,
			.number = number,
			.depth = 1,
			.is_unsigned = copy->is_unsigned,
		};
	return copy;
}

static const struct print_node *make_number(struct print_parser *parser, uint64_t number)
{
	return make(parser, &(struct print_node){ .kind = PRINT_NUMBER, .number = number });
}

static const struct print_node *read_number(struct print_parser *parser)
{
	struct print_node node = { .kind = PRINT_NUMBER };
	struct text word = print_tree_read_word(parser);
	bool suffix_u = false;
	bool suffix_l = false;
	unsigned base = 10;
	uint64_t number = 0;
	uint32_t i = 0;

	if (word.length > 1 && word.at[0] == '0') {
		base = word.at[1] == 'x' || word.at[1] == 'X' ? 16 : 8;
		i = base == 16 ? 2 : 1;
	}
	for (; i < word.length; i++) {
		int digit = hex_value(word.at[i]);

		if (digit < 0 || (unsigned)digit >= base)
			break;
		number = number * base + (unsigned)digit;
	}
	node.number = number;
	for (; i < word.length; i++) {
		char c = word.at[i] | ('a' ^ 'A');

		if (c != 'u' && c != 'l')
			return NULL;
		suffix_u |= c == 'u';
		suffix_l |= c == 'l';
	}
	node.is_unsigned = suffix_u && suffix_l;
	return make(parser, &node);
}

static const struct print_node *read_character(struct print_parser *parser)
{
	char c;

	parser->at++;
	if (parser->end - parser->at < 2 || parser->at[0] == '\\' || parser->at[1] != '\'')
		return NULL;
	c = parser->at[0];
	parser->at += 2;
	return make_number(parser, (unsigned char)c);
}

/* Reads the text after REC->: a field, or an element of a field. */
static const struct print_node *read_field(struct print_parser *parser)
{
	struct print_node node = { .kind = PRINT_FIELD,
				   .field = trace_format_find(parser->format,
							      print_tree_read_word(parser)) };

	if (!node.field)
		return NULL;
	if (!print_tree_skip(parser, '['))
		return make(parser, &node);
	node.kind = PRINT_ELEMENT;
	node.a = print_tree_read(parser);
	if (!node.a || !print_tree_skip(parser, ']'))
		return NULL;
	return make(parser, &node);
}

static const struct print_node *read_function(struct print_parser *parser, struct text name)
{
	struct print_node node = { 0 };

	if (!print_tree_skip(parser, '(') || !print_functions_read(parser, name, &node) ||
	    !print_tree_skip(parser, ')'))
		return NULL;
	return make(parser, &node);
}

struct type {
	uint32_t size_bytes; /* 0 if not truncated */
	bool is_signed;
};

/*
 * Returns the size and signedness of a C or kernel type. For other types, the size is 0, and values
 * are not truncated.
 */
static struct type type_of(struct text words)
{
	static const struct {
		const char *part;
		uint32_t size_bytes;
	} parts[] = {
		{ "long", 8 },   { "64", 8 }, { "short", 2 }, { "16", 2 },
		{ "char", 1 },   { "u8", 1 }, { "s8", 1 },    { "int8_t", 1 },
		{ "size_t", 8 }, { "32", 4 }, { "int", 4 },
	};
	struct type type = { 0 };

	if (!words.length)
		return type;
	for (size_t i = 0; i < ARRAY_SIZE(parts) && !type.size_bytes; i++)
		if (memmem(words.at, words.length, parts[i].part, strlen(parts[i].part)))
			type.size_bytes = parts[i].size_bytes;
	if (memmem(words.at, words.length, "unsigned", 8))
		type.size_bytes = type.size_bytes ? type.size_bytes : 4;
	else
		type.is_signed = !memchr(words.at, 'u', words.length);
	return type;
}

/*
 * Reads a type and its closing bracket, after the opening bracket. If there is no type, consumes
 * nothing.
 */
static bool read_type(struct print_parser *parser, struct type *ret)
{
	const char *begin = parser->at;
	bool is_pointer = false;
	struct text words;

	for (;;) {
		char c = print_tree_peek(parser);

		if (is_digit(c))
			break;
		if (c == '*') {
			is_pointer = true;
			parser->at++;
			continue;
		}
		if (!is_identifier(c))
			break;
		if (skip_word(parser, "REC->")) {
			parser->at = begin;
			return false;
		}
		print_tree_read_word(parser);
	}
	words = (struct text){ begin, (uint32_t)(parser->at - begin) };
	if (!words.length || !print_tree_skip(parser, ')')) {
		parser->at = begin;
		return false;
	}
	*ret = is_pointer || memmem(words.at, words.length, "struct", 6) ? (struct type){ 0 }
									 : type_of(words);
	return true;
}

static const struct print_node *read_unary(struct print_parser *parser);

/* Reads a cast or an expression, after the opening bracket. */
static const struct print_node *read_brackets(struct print_parser *parser)
{
	struct print_node cast = { .kind = PRINT_CAST };
	const struct print_node *inside;
	struct type type;

	if (read_type(parser, &type)) {
		cast.a = read_unary(parser);
		cast.size_bytes = type.size_bytes;
		cast.is_signed = type.is_signed;
		return !cast.a ? NULL : type.size_bytes ? make(parser, &cast) : cast.a;
	}
	inside = print_tree_read(parser);
	return inside && print_tree_skip(parser, ')') ? inside : NULL;
}

static const struct print_node *read_sizeof(struct print_parser *parser)
{
	struct type type;

	if (!print_tree_skip(parser, '(') || !read_type(parser, &type) || !type.size_bytes)
		return NULL;
	return make_number(parser, type.size_bytes);
}

static const struct print_node *read_primary(struct print_parser *parser)
{
	struct print_node node = { .kind = PRINT_STRING };
	struct text word;
	char c = print_tree_peek(parser);

	if (skip_word(parser, "(REC)->") || skip_word(parser, "REC->"))
		return read_field(parser);
	if (c == '(') {
		parser->at++;
		return read_brackets(parser);
	}
	if (c == '"')
		return print_tree_read_string(parser, &node.text) ? make(parser, &node) : NULL;
	if (c == '\'')
		return read_character(parser);
	if (is_digit(c))
		return read_number(parser);
	word = print_tree_read_word(parser);
	if (text_is(word, "sizeof"))
		return read_sizeof(parser);
	/* The address of page number 0 is unknown, so use 0. Pages are then printed by number. */
	if (text_is(word, "vmemmap_base"))
		return make_number(parser, 0);
	return word.length ? read_function(parser, word) : NULL;
}

static const struct print_node *read_unary(struct print_parser *parser)
{
	struct print_node node = { .kind = PRINT_UNARY };
	const struct print_node *ret;
	char c = print_tree_peek(parser);

	if (parser->depth >= LIMIT_PRINT_DEPTH)
		return NULL;
	parser->depth++;
	if (c == '!' || c == '~' || c == '-' || c == '&') {
		parser->at++;
		node.operator= c == '!' ? PRINT_NOT : c == '~' ? PRINT_COMPLEMENT : PRINT_NEGATE;
		node.a = read_unary(parser);
		ret = c == '&' || !node.a ? node.a : make(parser, &node);
	} else {
		ret = read_primary(parser);
	}
	parser->depth--;
	return ret;
}

/* If an operator is a prefix of another operator, the longer one comes first. */
static const struct {
	const char *text;
	unsigned precedence;
	enum print_operator operator;
} operators[] = {
	{ "<<", 8, PRINT_SHIFT_LEFT }, { ">>", 8, PRINT_SHIFT_RIGHT },
	{ "<=", 7, PRINT_LESS_EQUAL }, { ">=", 7, PRINT_GREATER_EQUAL },
	{ "==", 6, PRINT_EQUAL },      { "!=", 6, PRINT_NOT_EQUAL },
	{ "&&", 2, PRINT_AND },        { "||", 1, PRINT_OR },
	{ "*", 10, PRINT_MULTIPLY },   { "/", 10, PRINT_DIVIDE },
	{ "%", 10, PRINT_REMAINDER },  { "+", 9, PRINT_ADD },
	{ "-", 9, PRINT_SUBTRACT },    { "<", 7, PRINT_LESS },
	{ ">", 7, PRINT_GREATER },     { "&", 5, PRINT_BIT_AND },
	{ "^", 4, PRINT_BIT_XOR },     { "|", 3, PRINT_BIT_OR },
};

static bool take_operator(struct print_parser *parser, unsigned precedence_min,
			  unsigned *precedence_ret, enum print_operator *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		const char *before;

		skip_blanks(parser);
		before = parser->at;
		if (!skip_word(parser, operators[i].text))
			continue;
		if (operators[i].precedence < precedence_min) {
			parser->at = before;
			return false;
		}
		*precedence_ret = operators[i].precedence;
		*ret = operators[i].operator;
		return true;
	}
	return false;
}

static const struct print_node *read_binary(struct print_parser *parser, unsigned precedence_min)
{
	const struct print_node *left = read_unary(parser);
	enum print_operator operator;
	unsigned precedence;

	while (left && take_operator(parser, precedence_min, &precedence, &operator)) {
		struct print_node node = { .kind = PRINT_BINARY, .operator= operator, .a = left };

		node.b = read_binary(parser, precedence + 1);
		left = node.b ? make(parser, &node) : NULL;
	}
	return left;
}

const struct print_node *print_tree_read(struct print_parser *parser)
{
	struct print_node node = { .kind = PRINT_CHOICE };
	const struct print_node *ret = NULL;

	if (parser->depth >= LIMIT_PRINT_DEPTH)
		return NULL;
	parser->depth++;
	node.a = read_binary(parser, 1);
	if (!node.a || !print_tree_skip(parser, '?')) {
		ret = node.a;
	} else {
		node.b = print_tree_read(parser);
		node.c = node.b && print_tree_skip(parser, ':') ? print_tree_read(parser) : NULL;
		ret = node.c ? make(parser, &node) : NULL;
	}
	parser->depth--;
	return ret;
}
