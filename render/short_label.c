/* SPDX-License-Identifier: MIT */
#include "render/short_label.h"

#include <string.h>

#include "base/scan.h"
#include "render/short_name.h"

#define ELLIPSIS "…"
/*
 * A name whose arguments and scopes can be left out. Longer names only lose their end, because
 * finding their arguments and scopes would take too long.
 */
#define LIMIT_LABEL_BYTES 8192u
/* A label with fewer cells has no space for ellipses at both ends. */
#define TWO_ELLIPSES_MIN 8

/* Characters of two cells: the blocks of Unicode 15 whose width is mostly W or F. */
static const struct {
	uint32_t first, last;
} wide[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },   { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },
	{ 0x1f300, 0x1f64f }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

/*
 * Compiler and file suffixes. If such a word follows a dot, the words before the dot are not a
 * scope.
 */
static const char *const suffixes[] = {
	"c",    "cc",   "cold", "constprop", "cpp", "cs", "dll",  "exe", "go",       "h",   "hpp",
	"isra", "jar",  "java", "js",        "jsx", "ko", "llvm", "lua", "lto_priv", "map", "mjs",
	"out",  "part", "php",  "pl",        "py",  "rb", "rs",   "so",  "ts",       "tsx",
};

/* Reads a character. A byte that cannot begin a character counts as one. */
static uint32_t next_character(struct text text, uint32_t *at)
{
	unsigned char first = (unsigned char)text.at[*at];
	uint32_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
	uint32_t value = more ? first & (0x3fu >> more) : first;

	for ((*at)++; more && *at < text.length; more--, (*at)++) {
		if (((unsigned char)text.at[*at] & 0xc0) != 0x80)
			break;
		value = value << 6 | ((unsigned char)text.at[*at] & 0x3f);
	}
	return value;
}

static size_t cells_of(uint32_t character)
{
	for (size_t i = 0; i < ARRAY_SIZE(wide); i++)
		if (character >= wide[i].first && character <= wide[i].last)
			return 2;
	return 1;
}

size_t short_label_cells(struct text text)
{
	size_t cells = 0;

	for (uint32_t at = 0; at < text.length;)
		cells += cells_of(next_character(text, &at));
	return cells;
}

/* Returns the longest beginning of a text with at most this many cells. */
static struct text first_cells(struct text text, size_t cells)
{
	uint32_t end = 0;

	for (uint32_t at = 0; at < text.length; end = at) {
		size_t width = cells_of(next_character(text, &at));

		if (width > cells)
			break;
		cells -= width;
	}
	return (struct text){ text.at, end };
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_suffix(struct text rest)
{
	uint32_t length = 0;

	while (length < rest.length && is_word(rest.at[length]))
		length++;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (text_is((struct text){ rest.at, length }, suffixes[i]))
			return true;
	return false;
}

/* The part of a name that is still shown: `head`, and the name from `begin` on. */
struct shortening {
	struct text name;
	struct sink head;
	uint32_t begin;
	uint32_t word; /* where the current word begins; a path is one word */
};

static void elide(struct shortening *label, uint32_t kept_until, uint32_t end)
{
	static const uint32_t ellipsis = sizeof(ELLIPSIS) - 1;
	struct sink *head = &label->head;

	if (kept_until > label->begin)
		sink_bytes(head, label->name.at + label->begin, kept_until - label->begin);
	if (head->used < ellipsis ||
	    memcmp(sink_memory(head).at + head->used - ellipsis, ELLIPSIS, ellipsis) != 0)
		sink_puts(head, ELLIPSIS);
	label->begin = end;
}

/*
 * Omits the scope or directory that ends at a byte. Returns false if no scope or directory ends
 * there.
 */
static bool elide_scope(struct shortening *label, uint32_t at)
{
	struct text rest = text_from(label->name, at);

	if (text_has_prefix(rest, "::") && rest.length > 2) {
		/* "{{closure}}" and "operator()" alone do not identify a function. */
		rest = text_from(rest, 2);
		if (rest.at[0] == '{' || text_has_prefix(rest, "operator"))
			return false;
		label->head.used = 0;
		elide(label, label->begin, at + 2);
		return true;
	}
	if (rest.length < 2 || (rest.at[0] != '/' && rest.at[0] != '.') ||
	    !(is_word(rest.at[1]) || rest.at[1] == '('))
		return false;
	/* "migration/0", "foo.isra.0" */
	if (is_digit(rest.at[1]) || (rest.at[0] == '.' && (!at || is_suffix(text_from(rest, 1)))))
		return false;
	elide(label, label->word, at + 1);
	return true;
}

static size_t shown_cells(const struct shortening *label)
{
	return short_label_cells(sink_memory(&label->head)) +
	       short_label_cells(text_from(label->name, label->begin));
}

/* Whether a path can begin after this byte. */
static bool is_before_path(struct text rest)
{
	return text_has_prefix(rest, " ") || text_has_prefix(rest, ":/");
}

/* Leaves out scopes and directories until the rest fits. */
static void elide_scopes(struct shortening *label, size_t cells)
{
	uint32_t depth = 0;

	for (uint32_t at = 0; at < label->name.length; at++) {
		char c = label->name.at[at];

		if (strchr("(<{[", c) && c)
			depth++;
		else if (strchr(")>}]", c) && c)
			depth -= depth > 0;
		else if (!depth && is_before_path(text_from(label->name, at)))
			label->word = at + 1;
		else if (!depth && elide_scope(label, at) && shown_cells(label) <= cells)
			return;
	}
}

/*
 * Removes opening brackets and ellipses from the end of a truncated label, because nothing follows
 * them.
 */
static struct text without_bracket(struct text text)
{
	for (;;) {
		if (text.length && strchr("(<{[", text.at[text.length - 1]))
			text.length--;
		else if (text_has_suffix(text, ELLIPSIS) && text.length > sizeof(ELLIPSIS) - 1)
			text.length -= (uint32_t)sizeof(ELLIPSIS) - 1;
		else
			return text;
	}
}

void short_label_cut(struct text text, size_t cells, struct sink *sink)
{
	if (short_label_cells(text) <= cells) {
		sink_text(sink, text);
		return;
	}
	if (cells < TWO_ELLIPSES_MIN && text_has_prefix(text, ELLIPSIS))
		text = text_from(text, sizeof(ELLIPSIS) - 1);
	if (short_label_cells(text) <= cells) {
		sink_text(sink, text);
		return;
	}
	sink_text(sink, without_bracket(first_cells(text, cells ? cells - 1 : 0)));
	sink_puts(sink, cells ? ELLIPSIS : "");
}

static void write_shortened(struct text name, size_t cells, struct sink *sink)
{
	struct sink elided;
	struct shortening label = { 0 };

	sink_init_memory(&elided);
	sink_init_memory(&label.head);
	for (int level = SHORT_NAME_PARAMETERS; level < SHORT_NAME_LEVELS; level++) {
		elided.used = 0;
		short_name_write(name, (enum short_name_level)level, &elided);
		if (short_label_cells(sink_memory(&elided)) <= cells)
			break;
	}
	label.name = sink_memory(&elided);
	if (short_label_cells(label.name) > cells)
		elide_scopes(&label, cells);
	sink_text(&label.head, text_from(label.name, label.begin));
	short_label_cut(sink_memory(&label.head), cells, sink);
	sink_deinit(&label.head);
	sink_deinit(&elided);
}

void short_label_write(struct text name, size_t cells, struct sink *sink)
{
	if (name.length > LIMIT_LABEL_BYTES || short_label_cells(name) <= cells)
		short_label_cut(name, cells, sink);
	else
		write_shortened(name, cells, sink);
}
