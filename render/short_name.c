/* SPDX-License-Identifier: MIT */
#include "render/short_name.h"

#include <string.h>

#include "render/escape.h"

#define ELLIPSIS "…"
/*
 * Contents of brackets shorter than this, such as "int" and "T, U", are not replaced by an
 * ellipsis.
 */
#define CONTENT_MIN 5
#define NONE        UINT32_MAX

/* By level: the nesting depth down to which template arguments are kept. */
static const unsigned kept_depth[SHORT_NAME_LEVELS] = {
	[SHORT_NAME_FULL] = UINT32_MAX, [SHORT_NAME_PARAMETERS] = UINT32_MAX,
	[SHORT_NAME_DEEP] = 2,          [SHORT_NAME_NESTED] = 1,
	[SHORT_NAME_ALL] = 0,
};

struct name {
	struct text text;
	uint32_t *close; /* by byte: position of the closing bracket for an opening one; or NONE */
	const struct short_name_word *words; /* to keep, in order */
	uint32_t word_count;
};

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool begins_with(struct text name, uint32_t at, const char *what)
{
	size_t length = strlen(what);

	return name.length - at >= length && memcmp(name.at + at, what, length) == 0;
}

/*
 * The length of "operator<<", "operator()" and the like at a position; 0 if there is no operator
 * with brackets.
 */
static uint32_t operator_length(struct text name, uint32_t at)
{
	static const char *const symbols[] = { "<<=", "<=>", ">>=", "->*", "<<", "<=",
					       ">>",  ">=",  "->",  "()",  "<",  ">" };
	uint32_t word = (uint32_t)strlen("operator");

	if (name.at[at] != 'o' || !begins_with(name, at, "operator") ||
	    (at && is_word(name.at[at - 1])))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (begins_with(name, at + word, symbols[i]))
			return word + (uint32_t)strlen(symbols[i]);
	return 0;
}

/* Whether this is "->" or "=>", which do not close a bracket. */
static bool is_arrow(struct text name, uint32_t at)
{
	return at && (name.at[at - 1] == '-' || name.at[at - 1] == '=');
}

/*
 * Closes the innermost open bracket of a kind. Any "<" within it that is still open was a less-than
 * sign.
 */
static void close_bracket(struct name *name, uint32_t *open, uint32_t *count, char kind,
			  uint32_t at)
{
	uint32_t left = *count;

	while (left && name->text.at[open[left - 1]] == '<' && kind != '<')
		left--;
	if (!left || name->text.at[open[left - 1]] != kind)
		return;
	name->close[open[left - 1]] = at;
	*count = left - 1;
}

static void match_brackets(struct name *name)
{
	struct text text = name->text;
	uint32_t *open = memory_alloc(text.length + 1, sizeof(*open));
	uint32_t count = 0;

	for (uint32_t at = 0; at < text.length; at++) {
		uint32_t symbol = operator_length(text, at);
		char c = text.at[at];

		name->close[at] = NONE;
		for (uint32_t i = 1; i < symbol; i++)
			name->close[at + i] = NONE;
		at += symbol ? symbol - 1 : 0;
		if (symbol)
			continue;
		if (c == '<' || c == '(' || c == '{')
			open[count++] = at;
		else if (c == '>' && !is_arrow(text, at))
			close_bracket(name, open, &count, '<', at);
		else if (c == ')' || c == '}')
			close_bracket(name, open, &count, c == ')' ? '(' : '{', at);
	}
	memory_free(open);
}

/*
 * Whether a Rust type begins here, not an argument list: "<T as Trait>::f", "<impl Trait for
 * T>::f", "<[T]>::f".
 */
static bool is_type(const struct name *name, uint32_t at)
{
	if (!at || begins_with(name->text, at, "<impl "))
		return true;
	for (uint32_t i = at + 1; i < name->close[at]; i++) {
		if (name->close[i] != NONE)
			i = name->close[i];
		else if (name->text.at[i] == ' ' && begins_with(name->text, i, " as "))
			return true;
	}
	return false;
}

/*
 * Whether brackets here are part of the name: "(anonymous namespace)", or a Go receiver, as in
 * "main.(*Server).handle".
 */
static bool is_part(const struct name *name, uint32_t at)
{
	return begins_with(name->text, at, "(anonymous namespace)") ||
	       (at && name->text.at[at - 1] == '.');
}

static bool is_elided(const struct name *name, uint32_t at, enum short_name_level level,
		      unsigned depth)
{
	if (name->close[at] - at - 1 < CONTENT_MIN)
		return false;
	if (name->text.at[at] == '(')
		return level >= SHORT_NAME_PARAMETERS && !is_part(name, at);
	return name->text.at[at] == '<' && depth >= kept_depth[level] && !is_type(name, at);
}

/* Writes the text between two brackets. */
static void write_inside(const struct name *name, uint32_t open, struct sink *sink)
{
	uint32_t close = name->close[open];
	uint32_t at = open + 1;

	for (uint32_t i = 0; i < name->word_count; i++) {
		const struct short_name_word *word = &name->words[i];

		if (word->begin < at || word->end > close)
			continue;
		sink_puts(sink, word->begin > at ? ELLIPSIS : "");
		sink_bytes(sink, name->text.at + word->begin, word->end - word->begin);
		at = word->end;
	}
	sink_puts(sink, at < close ? ELLIPSIS : "");
}

static void write_elided(const struct name *name, enum short_name_level level, struct sink *sink)
{
	struct text text = name->text;
	/* where the enclosing template arguments close, innermost last */
	uint32_t *ends = memory_alloc(text.length + 1, sizeof(*ends));
	uint32_t depth = 0;

	for (uint32_t at = 0; at < text.length; at++) {
		if (depth && ends[depth - 1] == at)
			depth--;
		sink_char(sink, text.at[at]);
		if (name->close[at] == NONE)
			continue;
		if (is_elided(name, at, level, depth)) {
			write_inside(name, at, sink);
			at = name->close[at];
			sink_char(sink, text.at[at]);
		} else if (text.at[at] == '<' && !is_type(name, at)) {
			ends[depth++] = name->close[at];
		}
	}
	memory_free(ends);
}

static size_t character_count(struct text text)
{
	size_t count = 0;

	for (uint32_t i = 0; i < text.length; i++)
		count += ((unsigned char)text.at[i] & 0xc0) != 0x80;
	return count;
}

/* Shortens the middle of a name that is too long even at full level. */
static void write_bounded(struct text text, struct sink *sink)
{
	struct text begin = escape_first_characters(text, FULL_NAME_CHARACTERS / 2);
	uint32_t at = text.length;

	if (character_count(text) <= FULL_NAME_CHARACTERS) {
		sink_text(sink, text);
		return;
	}
	for (int left = FULL_NAME_CHARACTERS / 2 - 1; left && at > begin.length; left--)
		do
			at--;
		while (at > begin.length && ((unsigned char)text.at[at] & 0xc0) == 0x80);
	sink_text(sink, begin);
	sink_puts(sink, ELLIPSIS);
	sink_bytes(sink, text.at + at, text.length - at);
}

static void write_at(struct name *name, enum short_name_level level, struct sink *sink)
{
	struct sink elided;

	if (level == SHORT_NAME_FULL) {
		write_bounded(name->text, sink);
		return;
	}
	name->close = memory_alloc(name->text.length + 1, sizeof(*name->close));
	match_brackets(name);
	sink_init_memory(&elided);
	write_elided(name, level, &elided);
	write_bounded(sink_memory(&elided), sink);
	sink_deinit(&elided);
	memory_free(name->close);
}

void short_name_write(struct text name, enum short_name_level level, struct sink *sink)
{
	write_at(&(struct name){ .text = name }, level, sink);
}

void short_names_init(struct short_names *names)
{
	*names = (struct short_names){ 0 };
	strings_init(&names->strings);
}

void short_names_deinit(struct short_names *names)
{
	strings_deinit(&names->strings);
	vec_free(&names->at);
}

void short_names_add(struct short_names *names, struct text name)
{
	str_id id = strings_intern(&names->strings, name.at, name.length);

	vec_push(&names->at, (struct short_name){ .full = id, .shown = id });
}

/*
 * Sets the display text of a name for its current shortening level. Returns the length in
 * characters.
 */
static size_t set_shown(struct short_names *names, struct short_name *name)
{
	struct name parsed = {
		.text = strings_get(&names->strings, name->full),
		.words = name->words,
		.word_count = name->word_count,
	};
	struct text text;
	struct sink sink;
	size_t count;

	sink_init_memory(&sink);
	write_at(&parsed, name->level, &sink);
	text = sink_memory(&sink);
	name->shown = strings_intern(&names->strings, text.at, text.length);
	count = character_count(text);
	sink_deinit(&sink);
	return count;
}

static void choose_level(struct short_names *names, struct short_name *name)
{
	if (character_count(strings_get(&names->strings, name->full)) <= SHORT_NAME_CHARACTERS)
		return;
	do
		name->level++;
	while (set_shown(names, name) > SHORT_NAME_CHARACTERS && name->level < SHORT_NAME_ALL);
}

/* Names with the same display text. */
struct alike {
	str_id first;  /* the first of them; empty: none */
	uint32_t same; /* length of their common prefix in bytes */
	bool are_different;
};

static uint32_t same_bytes(struct text a, struct text b)
{
	uint32_t at = 0;

	while (at < a.length && at < b.length && a.at[at] == b.at[at])
		at++;
	return at;
}

/* Groups names by display text. The caller frees the result. */
static struct alike *find_alike(const struct short_names *names)
{
	struct alike *alike = memory_zalloc(names->strings.rows.count, sizeof(*alike));

	for (size_t i = 0; i < names->at.count; i++) {
		const struct short_name *name = &names->at.at[i];
		struct text full = strings_get(&names->strings, name->full);
		struct alike *known = &alike[name->shown.i];
		uint32_t same;

		if (!known->first.i) {
			*known = (struct alike){ .first = name->full, .same = full.length };
			continue;
		}
		same = same_bytes(strings_get(&names->strings, known->first), full);
		known->same = same < known->same ? same : known->same;
		known->are_different |= known->first.i != name->full.i;
	}
	return alike;
}

static bool is_of_word(char c)
{
	return is_word(c) || c == ':' || c == '*' || c == '&';
}

/*
 * Keeps the word at a byte, or the next one. Returns false if the word is already kept, or if no
 * further word fits.
 */
static bool keep_word(struct short_name *name, struct text text, uint32_t at)
{
	struct short_name_word word = { at, at };
	uint32_t count = name->word_count;

	while (word.begin && is_of_word(text.at[word.begin - 1]))
		word.begin--;
	while (word.end < text.length && is_of_word(text.at[word.end]))
		word.end++;
	if (count == SHORT_NAME_WORDS || word.begin == word.end ||
	    (count && word.begin < name->words[count - 1].end))
		return false;
	name->words[name->word_count++] = word;
	return true;
}

/*
 * Shows more of the names that have the same display text. Returns false if there are no such
 * names, or if no more can be shown.
 */
static bool show_more(struct short_names *names)
{
	struct alike *alike = find_alike(names);
	bool has_more = false;

	for (size_t i = 0; i < names->at.count; i++) {
		struct short_name *name = &names->at.at[i];
		const struct alike *known = &alike[name->shown.i];

		if (!known->are_different || name->level == SHORT_NAME_FULL)
			continue;
		if (!keep_word(name, strings_get(&names->strings, name->full), known->same))
			name->level--;
		set_shown(names, name);
		has_more = true;
	}
	memory_free(alike);
	return has_more;
}

void short_names_finish(struct short_names *names)
{
	for (size_t i = 0; i < names->at.count; i++)
		choose_level(names, &names->at.at[i]);
	/* Each round keeps one more word or lowers a level, and both are limited, so this loop
	 * ends. */
	while (show_more(names))
		;
}

struct text short_names_get(const struct short_names *names, size_t index)
{
	return strings_get(&names->strings, names->at.at[index].shown);
}

bool short_names_is_short(const struct short_names *names, size_t index)
{
	return names->at.at[index].shown.i != names->at.at[index].full.i;
}
