/* SPDX-License-Identifier: MIT */
/*
 * Joins different spellings of one function, which come from different symbol tables, demanglers
 * and tools. If each side has names with the same key, the names that only one side has are joined
 * with one of the other names:
 *
 *     name                                                              key
 *     __memcpy_avx512_unaligned_erms, __memmove_evex_unaligned_erms     memmove
 *     __libc_malloc, __GI___libc_malloc                                 malloc
 *     (anonymous namespace)::f, _GLOBAL__N_1::f                         {anonymous}::f
 *     mix<long int>, mix<long>                                          mix<long>
 *     std::vector<int, std::allocator<int> >, std::vector<int>          std::vector<int>
 *     run(int)::{lambda(int)#}, run(int)::<lambda(int)>                 run(int)::{lambda}
 *     f[abi:cxx11], std::__1::f, std::__cxx11::f                        f, std::f
 */
#include "diff/align/diff_align.h"

/* Replacements in a key; the first match is used. */
struct spelling {
	const char *from, *to;
	bool is_word; /* matches whole words only */
};

static const struct spelling spellings[] = {
	{ "(anonymous namespace)", "{anonymous}", false },
	{ "<anonymous namespace>", "{anonymous}", false },
	{ "`anonymous namespace'", "{anonymous}", false },
	{ "_GLOBAL__N_1", "{anonymous}", true },
	{ "std::__cxx11::", "std::", false },
	{ "std::__1::", "std::", false },
	{ "std::__debug::", "std::", false },
	{ "[abi:cxx11]", "", false },
	{ "long long unsigned int", "unsigned long long", true },
	{ "long unsigned int", "unsigned long", true },
	{ "short unsigned int", "unsigned short", true },
	{ "long long int", "long long", true },
	{ "long int", "long", true },
	{ "short int", "short", true },
	{ "std::basic_string<char>", "std::string", true },
	{ "{{closure}}", "{closure}", false },
	{ "{closure#}", "{closure}", false },
	{ "[go.shape", "[...", false },
};

/* Template arguments that are nearly always the default, and that only some tools print. */
static const char *const default_arguments[] = {
	"std::allocator<", "std::char_traits<", "std::less<",
	"std::hash<",      "std::equal_to<",    "std::default_delete<",
};

static bool is_word_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

/* A name whose key is being written. */
struct alias_reader {
	struct sink *sink;
	struct text name;
	/* a bracket is not closed; searching again for each bracket would be quadratic */
	bool is_unbalanced;
};

/*
 * Returns the position after the bracket that closes the bracket at this byte; 0 if there is none.
 */
static uint32_t find_end(struct alias_reader *reading, uint32_t at, char open, char close)
{
	struct text name = reading->name;
	uint32_t depth = 0;

	for (; !reading->is_unbalanced && at < name.length; at++) {
		/*
		 * Skip the > at the end of operator->, or of the -> before a lambda's return type.
		 */
		if (name.at[at] == close && close == '>' && at && name.at[at - 1] == '-')
			continue;
		depth += name.at[at] == open;
		if (name.at[at] == close && --depth == 0)
			return at + 1;
	}
	reading->is_unbalanced = true;
	return 0;
}

static const struct spelling *spelling_at(struct text name, uint32_t at)
{
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		const struct spelling *spelling = &spellings[i];
		uint32_t end = at + (uint32_t)strlen(spelling->from);

		if (!text_has_prefix(text_from(name, at), spelling->from))
			continue;
		if (!spelling->is_word || ((!at || !is_word_char(name.at[at - 1])) &&
					   (end == name.length || !is_word_char(name.at[end]))))
			return spelling;
	}
	return NULL;
}

/* Returns the length of a comma and the default argument that follows it, or 0. */
static uint32_t default_at(struct alias_reader *reading, uint32_t at)
{
	struct text name = reading->name;
	uint32_t begin = at + 1;

	if (name.at[at] != ',')
		return 0;
	while (begin < name.length && name.at[begin] == ' ')
		begin++;
	for (size_t i = 0; i < ARRAY_SIZE(default_arguments); i++) {
		uint32_t end;

		if (!text_has_prefix(text_from(name, begin), default_arguments[i]))
			continue;
		end = find_end(reading, begin + (uint32_t)strlen(default_arguments[i]) - 1, '<',
			       '>');
		return end ? end - at : 0;
	}
	return 0;
}

/* Returns the length of {lambda(int)#}, <lambda(int)> or {lambda}, or 0. */
static uint32_t lambda_at(struct alias_reader *reading, uint32_t at)
{
	struct text rest = text_from(reading->name, at);
	uint32_t end;

	if (text_has_prefix(rest, "{lambda"))
		end = find_end(reading, at, '{', '}');
	else if (text_has_prefix(rest, "<lambda("))
		end = find_end(reading, at, '<', '>');
	else
		return 0;
	return end ? end - at : 0;
}

static bool is_blank_needed(struct text name, uint32_t at)
{
	return at && at + 1 < name.length && is_word_char(name.at[at - 1]) &&
	       is_word_char(name.at[at + 1]);
}

/* Writes the key of the next part of the name; returns the length of that part. */
static uint32_t write_at(struct alias_reader *reading, uint32_t at)
{
	struct sink *sink = reading->sink;
	struct text name = reading->name;
	const struct spelling *spelling = spelling_at(name, at);
	uint32_t length;

	if (spelling) {
		sink_puts(sink, spelling->to);
		return (uint32_t)strlen(spelling->from);
	}
	if ((length = lambda_at(reading, at))) {
		sink_puts(sink, "{lambda}");
		return length;
	}
	if ((length = default_at(reading, at)))
		return length;
	if (name.at[at] != ' ' || is_blank_needed(name, at))
		sink_char(sink, name.at[at]);
	return 1;
}

/* Suffixes of the C library's variants of a function for different CPUs. */
static const char *const variants[] = {
	"_sse2",    "_sse2_bsf",  "_sse3",      "_ssse3",  "_sse4",     "_sse4_1", "_sse4_2",
	"_sse42",   "_avx",       "_avx2",      "_avx512", "_avx512bw", "_evex",   "_evex512",
	"_erms",    "_unaligned", "_movbe",     "_rtm",    "_bmi2",     "_back",   "_no_vzeroupper",
	"_generic", "_fma",       "_fma4",      "_bmi",    "_sve",      "_neon",   "_simd",
	"_falkor",  "_thunderx",  "_thunderx2", "_a64fx",  "_mops",     "_asimd",  "_aligned",
};

/*
 * Converts __strlen_avx2_rtm to strlen. A name without leading underscores may belong to the
 * program itself, and is not changed.
 */
static struct text without_variant(struct text name)
{
	struct text rest = name;
	bool has_variant = false;

	if (!text_has_prefix(name, "__"))
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++) {
		if (!text_has_suffix(rest, variants[i]) ||
		    rest.length <= strlen(variants[i]) + strlen("__"))
			continue;
		rest.length -= (uint32_t)strlen(variants[i]);
		has_variant = true;
		i = SIZE_MAX; /* check all suffixes again */
	}
	return has_variant ? text_from(rest, strlen("__")) : name;
}

/* Converts internal names of the C library and the vDSO to public ones. */
static struct text without_internal(struct text name)
{
	static const char *const prefixes[] = { "__GI_", "__libc_", "__vdso_", "__kernel_" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(name, prefixes[i]) && name.length > strlen(prefixes[i]))
			name = text_from(name, (uint32_t)strlen(prefixes[i]));
	return name;
}

/*
 * Two names for the same code: two symbols at the same address, or two functions of which one
 * continues in the other. Tools print either name.
 */
static const struct twin {
	const char *name, *other;
} twins[] = {
	{ "memcpy", "memmove" },
	{ "cfree", "free" },
	{ "_dl_start_user", "_start" },
};

void diff_alias_write(struct sink *sink, struct text name)
{
	size_t before = sink->used;
	struct alias_reader reading = { .sink = sink };

	name = without_variant(without_internal(name));
	for (size_t i = 0; i < ARRAY_SIZE(twins); i++)
		if (text_is(name, twins[i].name))
			name = text_of(twins[i].other);
	reading.name = name;
	for (uint32_t at = 0; at < name.length;)
		at += write_at(&reading, at);
	if (sink->used == before)
		sink_text(sink, name);
}

/*
 * Returns the length of an operator's name with characters that could be mistaken for brackets,
 * such as operator<, operator<<= or operator(); or 0.
 */
static uint32_t operator_at(struct text name, uint32_t at)
{
	uint32_t end = at + (uint32_t)strlen("operator");

	if (!text_has_prefix(text_from(name, at), "operator") ||
	    (at && is_word_char(name.at[at - 1])))
		return 0;
	if (text_has_prefix(text_from(name, end), "()"))
		return end + 2 - at;
	while (end < name.length && strchr("<>=-", name.at[end]))
		end++;
	return end - at;
}

bool diff_alias_write_bare(struct sink *sink, struct text name)
{
	size_t before = sink->used;
	struct alias_reader reading = { .sink = sink, .name = name };
	bool had_any = false;

	for (uint32_t at = 0; at < name.length;) {
		uint32_t kept = operator_at(name, at);
		uint32_t end = 0;

		if (!kept && name.at[at] == '<')
			end = find_end(&reading, at, '<', '>');
		if (!kept && name.at[at] == '(' &&
		    !text_has_prefix(text_from(name, at), "(anonymous namespace)"))
			end = find_end(&reading, at, '(', ')');
		if (end && at) {
			had_any = true;
			at = end;
			continue;
		}
		kept = kept ? kept : 1;
		sink_bytes(sink, name.at + at, kept);
		at += kept;
	}
	if (sink->used == before)
		sink_text(sink, name);
	return had_any;
}

struct keyed {
	str_id key;
	uint32_t frame;
};

typedef VEC(struct keyed) keyed_list;

struct aliases {
	const struct diff_graph *graph;
	struct diff_aligned *aligned;
	uint32_t *to;
	struct strings keys;
	struct sink scratch;
	bool *is_joined; /* by frame: whether a different frame was joined with it */
	bool is_changed;
};

static bool is_on(const struct aliases *aliases, uint32_t frame, enum diff_side side)
{
	return aliases->graph->total[side][frame] != 0;
}

/* Makes frame `from`, which only one side has, part of frame `into`. */
static void join(struct aliases *aliases, uint32_t from, uint32_t into)
{
	const struct frame *frames = aliases->graph->tree->profile->frames.at;
	enum diff_side side = is_on(aliases, from, DIFF_AFTER) ? DIFF_AFTER : DIFF_BEFORE;
	struct diff_pair pair = { .kind = DIFF_PAIR_ALIAS, .shown = frames[into].name, .score = 1 };

	aliases->to[from] = into;
	aliases->is_joined[into] = true;
	aliases->is_changed = true;
	pair.names[side] = frames[from].name;
	pair.names[!side] = frames[into].name;
	vec_push(&aliases->aligned->pairs, pair);
}

static int compare(const void *a, const void *b)
{
	const struct keyed *left = a;
	const struct keyed *right = b;

	if (left->key.i != right->key.i)
		return left->key.i < right->key.i ? -1 : 1;
	return left->frame < right->frame ? -1 : left->frame > right->frame;
}

static str_id intern_key(struct aliases *aliases)
{
	struct text key = sink_memory(&aliases->scratch);

	return strings_intern(&aliases->keys, key.at, key.length);
}

/*
 * Returns the frame that gives the joined frame its name: a frame that both sides have or, if there
 * is none, the heaviest frame of the AFTER side.
 */
static uint32_t choose_shown(const struct aliases *aliases, const struct keyed *rows, size_t count)
{
	const struct diff_graph *graph = aliases->graph;
	uint32_t best = rows[0].frame;

	for (size_t i = 1; i < count; i++) {
		uint32_t frame = rows[i].frame;
		bool is_both =
			is_on(aliases, frame, DIFF_BEFORE) && is_on(aliases, frame, DIFF_AFTER);
		bool was_both =
			is_on(aliases, best, DIFF_BEFORE) && is_on(aliases, best, DIFF_AFTER);

		if (is_both != was_both
			    ? is_both
			    : graph->total[DIFF_AFTER][frame] > graph->total[DIFF_AFTER][best])
			best = frame;
	}
	return best;
}

/* Joins frames with the same key if each side has at least one of them. */
static void join_class(struct aliases *aliases, const struct keyed *rows, size_t count)
{
	bool is_there[DIFF_SIDES] = { false };
	uint32_t shown = choose_shown(aliases, rows, count);

	for (size_t i = 0; i < count; i++)
		for (int side = 0; side < DIFF_SIDES; side++)
			is_there[side] |= is_on(aliases, rows[i].frame, (enum diff_side)side);
	if (!is_there[DIFF_BEFORE] || !is_there[DIFF_AFTER])
		return;
	for (size_t i = 0; i < count; i++) {
		uint32_t frame = rows[i].frame;

		if (frame != shown &&
		    (!is_on(aliases, frame, DIFF_BEFORE) || !is_on(aliases, frame, DIFF_AFTER)))
			join(aliases, frame, shown);
	}
}

/*
 * Joins f<int> with f if one side has only f<int>, and the other side only f. If a side has f with
 * different arguments, f<int> and f stay separate.
 */
static void join_bare(struct aliases *aliases, const struct keyed *rows, size_t count)
{
	uint32_t frames[DIFF_SIDES];
	bool is_bare[DIFF_SIDES];

	if (count != 2)
		return;
	for (int side = 0; side < DIFF_SIDES; side++) {
		size_t at = is_on(aliases, rows[0].frame, (enum diff_side)side) ? 0 : 1;

		frames[side] = rows[at].frame;
		is_bare[side] = text_equal(diff_graph_name(aliases->graph, frames[side]),
					   strings_get(&aliases->keys, rows[at].key));
	}
	if (frames[DIFF_BEFORE] != frames[DIFF_AFTER] &&
	    is_bare[DIFF_BEFORE] != is_bare[DIFF_AFTER])
		join(aliases, frames[DIFF_BEFORE], frames[DIFF_AFTER]);
}

static void join_classes(struct aliases *aliases, keyed_list *list,
			 void (*join_rows)(struct aliases *, const struct keyed *, size_t))
{
	if (list->count)
		qsort(list->at, list->count, sizeof(*list->at), compare);
	for (size_t i = 0, end; i < list->count; i = end) {
		for (end = i + 1; end < list->count && list->at[end].key.i == list->at[i].key.i;)
			end++;
		if (end - i > 1)
			join_rows(aliases, list->at + i, end - i);
	}
	list->count = 0;
}

static bool is_function(const struct aliases *aliases, uint32_t frame)
{
	const struct frame *row = &aliases->graph->tree->profile->frames.at[frame];

	return row->kind != FRAME_GROUP && row->kind != FRAME_MARK &&
	       (is_on(aliases, frame, DIFF_BEFORE) || is_on(aliases, frame, DIFF_AFTER));
}

static void join_spellings(struct aliases *aliases)
{
	keyed_list list = { 0 };

	for (uint32_t i = 0; i < aliases->graph->frame_count; i++) {
		if (!is_function(aliases, i))
			continue;
		aliases->scratch.used = 0;
		diff_alias_write(&aliases->scratch, diff_graph_name(aliases->graph, i));
		vec_push(&list, (struct keyed){ intern_key(aliases), i });
	}
	join_classes(aliases, &list, join_class);
	vec_free(&list);
}

static void join_arguments(struct aliases *aliases)
{
	keyed_list list = { 0 };

	for (uint32_t i = 0; i < aliases->graph->frame_count; i++) {
		if (!is_function(aliases, i) || aliases->to[i] != i || aliases->is_joined[i])
			continue;
		aliases->scratch.used = 0;
		diff_alias_write_bare(&aliases->scratch, diff_graph_name(aliases->graph, i));
		vec_push(&list, (struct keyed){ intern_key(aliases), i });
	}
	join_classes(aliases, &list, join_bare);
	vec_free(&list);
}

/* Whether any frame exists on this side only. */
static bool has_only(const struct diff_graph *graph, enum diff_side side)
{
	for (uint32_t i = 0; i < graph->frame_count; i++)
		if (diff_graph_is_only(graph, i, side))
			return true;
	return false;
}

bool diff_aliases_map(const struct diff_graph *graph, const struct diff_alignment *alignment,
		      struct diff_aligned *aligned, uint32_t *to)
{
	struct aliases aliases = { .graph = graph, .aligned = aligned, .to = to };

	if (!alignment->mends || alignment->naming < DIFF_NAMING_ALIGNED ||
	    alignment->key != DIFF_KEY_FUNCTION ||
	    (!has_only(graph, DIFF_BEFORE) && !has_only(graph, DIFF_AFTER)))
		return false;
	aliases.is_joined = memory_zalloc(graph->frame_count, sizeof(*aliases.is_joined));
	strings_init(&aliases.keys);
	sink_init_memory(&aliases.scratch);
	join_spellings(&aliases);
	join_arguments(&aliases);
	sink_deinit(&aliases.scratch);
	strings_deinit(&aliases.keys);
	memory_free(aliases.is_joined);
	return aliases.is_changed;
}
