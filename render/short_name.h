/* SPDX-License-Identifier: MIT */
/*
 * Shortens the names of C++ and Rust functions by eliding template arguments and parameter lists.
 *
 *     std::vector<std::pair<int, char const*>, std::allocator<...> >::push_back(std::pair<...>&&)
 *     std::vector<…>::push_back(…)
 *
 * Only long names are shortened, and only as far as necessary. Different names stay different:
 * names that would look alike keep the words in which they differ, or are shortened less.
 *
 *     table<std::pair<...>, first>::get      table<…first>::get
 *     table<std::pair<...>, second>::get     table<…second>::get
 */
#ifndef RENDER_SHORT_NAME_H
#define RENDER_SHORT_NAME_H

#include "base/sink.h"
#include "base/strings.h"
#include "base/vec.h"

/* Names with more characters than this are shortened. */
#define SHORT_NAME_CHARACTERS 80
/*
 * The middle of a name with more characters than this is removed, even if the name is not otherwise
 * shortened.
 */
#define FULL_NAME_CHARACTERS 400
/* The maximum number of words that a name keeps to be distinguishable from other names. */
#define SHORT_NAME_WORDS 3

/* The parts that are elided; each level includes the previous one. */
enum short_name_level {
	SHORT_NAME_FULL,
	SHORT_NAME_PARAMETERS,
	SHORT_NAME_DEEP,   /* and template arguments from depth 3 */
	SHORT_NAME_NESTED, /* and from depth 2 */
	SHORT_NAME_ALL,    /* and all template arguments */
	SHORT_NAME_LEVELS,
};

/* Writes the name at a level. Unbalanced brackets are ordinary characters. */
void short_name_write(struct text name, enum short_name_level level, struct sink *sink);

/* A byte range of a name. */
struct short_name_word {
	uint32_t begin, end;
};

/* Names that are shown together. */
struct short_name {
	str_id full, shown;
	enum short_name_level level;
	/* kept, although the text around them is elided */
	struct short_name_word words[SHORT_NAME_WORDS];
	uint32_t word_count;
};

struct short_names {
	struct strings strings;
	VEC(struct short_name) at; /* in the order of addition */
};

void short_names_init(struct short_names *names);
void short_names_deinit(struct short_names *names);
void short_names_add(struct short_names *names, struct text name);

/* Decides how each name is shown. Must be called after the last addition. */
void short_names_finish(struct short_names *names);

/* Returns the display text of a name; valid until short_names_deinit. */
struct text short_names_get(const struct short_names *names, size_t index);

/* Whether the display text is shorter than the name. */
bool short_names_is_short(const struct short_names *names, size_t index);

#endif
