/* SPDX-License-Identifier: MIT */
/*
 * Names of C++ and Rust functions without what makes them long: arguments of templates and lists of parameters.
 *
 *     std::vector<std::pair<int, char const*>, std::allocator<...> >::push_back(std::pair<...>&&)
 *     std::vector<…>::push_back(…)
 *
 * A name is shortened only when it is long, and no further than needed. Names that differ stay different: those that
 * would be shown alike keep the words they differ in, or else more of everything.
 *
 *     table<std::pair<...>, first>::get      table<…first>::get
 *     table<std::pair<...>, second>::get     table<…second>::get
 */
#ifndef RENDER_SHORT_NAME_H
#define RENDER_SHORT_NAME_H

#include "base/sink.h"
#include "base/strings.h"
#include "base/vec.h"

/* Characters; a longer name is shortened. */
#define SHORT_NAME_CHARACTERS 80
/* Characters of a name that is shown in full: a longer one loses its middle. */
#define FULL_NAME_CHARACTERS 400
/* Words of a name that are kept to tell it from others. */
#define SHORT_NAME_WORDS 3

/* How much is elided; each has all of the one before. */
enum short_name_level {
	SHORT_NAME_FULL,
	SHORT_NAME_PARAMETERS,
	SHORT_NAME_DEEP,   /* and template arguments three levels down */
	SHORT_NAME_NESTED, /* and those two levels down */
	SHORT_NAME_ALL,    /* and all template arguments */
	SHORT_NAME_LEVELS,
};

/* Writes the name at a level. Where its brackets do not match they are characters like others. */
void short_name_write(struct text name, enum short_name_level level, struct sink *sink);

/* Bytes of a name. */
struct short_name_word {
	uint32_t begin, end;
};

/* Names that are shown together. */
struct short_name {
	str_id full, shown;
	enum short_name_level level;
	struct short_name_word
		words[SHORT_NAME_WORDS]; /* shown, though what they are in is elided */
	uint32_t word_count;
};

struct short_names {
	struct strings strings;
	VEC(struct short_name) at; /* in the order they were added */
};

void short_names_init(struct short_names *names);
void short_names_deinit(struct short_names *names);
void short_names_add(struct short_names *names, struct text name);

/* After the last: decides how each is shown. */
void short_names_finish(struct short_names *names);

/* What is shown for a name, until short_names_deinit. */
struct text short_names_get(const struct short_names *names, size_t index);

/* Whether that is less than the name. */
bool short_names_is_short(const struct short_names *names, size_t index);

#endif
