/* SPDX-License-Identifier: MIT */
/*
 * Names as options give them: a name itself, a shell pattern, or a regular expression between slashes.
 *
 *     worker-1        that name alone
 *     worker-*        names of that shape: * any text, ? any byte, [a-z] one of these, [!a-z] another
 *     /^worker-[0-9]/ names in which the POSIX extended regular expression is found
 *     [vdso]          that name alone: names in brackets are common, and of one letter they are not
 *
 * A name that equals the text as it stands fits too, whatever it has in it: operator[], foo(char*).
 */
#ifndef BASE_NAME_PATTERN_H
#define BASE_NAME_PATTERN_H

#include "base/error.h"
#include "base/strings.h"

/* The part of a name that a regular expression is matched against. With back-references, the
 * time grows much faster than the name. */
#define LIMIT_PATTERN_NAME_BYTES LIMIT_SYMBOL_BYTES

enum name_pattern_kind {
	NAME_LITERAL,
	NAME_GLOB,
	NAME_REGEX,
};

struct name_pattern {
	enum name_pattern_kind kind;
	struct text text;    /* borrowed from who parsed it, as it was given */
	struct regex *regex; /* owned */
};

typedef VEC(struct name_pattern) name_patterns;

/* The pattern that text is. option is named in the error, which says why a regular expression is none. */
bool name_pattern_parse(const char *option, struct text text, struct name_pattern *ret,
			struct error *err) WARN_UNUSED;
void name_pattern_deinit(struct name_pattern *pattern);

/* The pattern that fits this name alone, whatever is in it; has nothing to be freed. */
struct name_pattern name_pattern_literal(struct text name);

/* Whether it is fits for one name alone. */
bool name_pattern_is_literal(struct text text);

bool name_pattern_fits(const struct name_pattern *pattern, struct text name);

/* Parses "a,b-*,/c[,d]/" and adds what it finds: commas inside of brackets separate nothing. */
bool name_patterns_parse(const char *option, const char *list, name_patterns *ret,
			 struct error *err) WARN_UNUSED;
void name_patterns_deinit(name_patterns *patterns);

/* Whether any of them fits; false when there are none. */
bool name_patterns_fit(const name_patterns *patterns, struct text name);

#endif
