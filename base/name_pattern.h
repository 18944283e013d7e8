/* SPDX-License-Identifier: MIT */
/*
 * Names in options: a literal name, a shell pattern, or a regular expression between slashes.
 *
 *     worker-1        that name only
 *     worker-*        shell pattern: * is any text, ? any byte, [a-z] one of these, [!a-z] another
 *     /^worker-[0-9]/ names that the POSIX extended regular expression matches
 *     [vdso]          that name only: names in brackets are common, patterns of one set are not
 *
 * A name that equals the text of the pattern always matches, for example operator[] or foo(char*).
 */
#ifndef BASE_NAME_PATTERN_H
#define BASE_NAME_PATTERN_H

#include "base/error.h"
#include "base/strings.h"

/*
 * The maximum number of bytes of a name that are matched against a regular expression. If the
 * expression has back-references, matching time grows much faster than the name.
 */
#define LIMIT_PATTERN_NAME_BYTES LIMIT_SYMBOL_BYTES

enum name_pattern_kind {
	NAME_LITERAL,
	NAME_GLOB,
	NAME_REGEX,
};

struct name_pattern {
	enum name_pattern_kind kind;
	struct text text;    /* the pattern as the user gave it; borrowed */
	struct regex *regex; /* owned */
};

typedef VEC(struct name_pattern) name_patterns;

/*
 * Parses a pattern. The error contains the option, and the reason why a regular expression is
 * invalid.
 */
bool name_pattern_parse(const char *option, struct text text, struct name_pattern *ret,
			struct error *err) WARN_UNUSED;
void name_pattern_deinit(struct name_pattern *pattern);

/* A pattern that matches only this name. Such a pattern needs no deinit. */
struct name_pattern name_pattern_literal(struct text name);

/* Whether the pattern is a literal name. */
bool name_pattern_is_literal(struct text text);

bool name_pattern_fits(const struct name_pattern *pattern, struct text name);

/*
 * Parses a list such as "a,b-*,/c[,d]/" and adds the patterns. Commas in brackets do not separate.
 */
bool name_patterns_parse(const char *option, const char *list, name_patterns *ret,
			 struct error *err) WARN_UNUSED;
void name_patterns_deinit(name_patterns *patterns);

/* Whether any pattern matches. Returns false if there are no patterns. */
bool name_patterns_fit(const name_patterns *patterns, struct text name);

#endif
