/* SPDX-License-Identifier: MIT */
/*
 * Interned text: equal bytes have equal ids, ids count up from 0 in the order of first mention.
 * Id 0 is always the empty string. Text may hold any bytes but is never cut at a NUL: a NUL is
 * kept out by whoever reads it from a file. Not safe for concurrent interning.
 */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"

/* A path or command name from a capture: PATH_MAX. */
#define LIMIT_NAME_BYTES 4096u
/* A symbol's name, before and after demangling. Longer names are cut with "...". */
#define LIMIT_SYMBOL_BYTES 4096u

typedef struct {
	uint32_t i;
} str_id;

#define STR_EMPTY ((str_id){ 0 })

/* Borrowed bytes. Where a function says so they are followed by a NUL. */
struct text {
	const char *at;
	uint32_t length;
};

struct strings {
	struct arena arena;
	struct idtable table;
	VEC(struct text) rows;
};

void strings_init(struct strings *strings);
void strings_deinit(struct strings *strings);

/* The id of these bytes, which are copied when new. */
str_id strings_intern(struct strings *strings, const char *bytes, size_t length);

/* The id of these bytes, or STR_EMPTY when they were never interned. */
str_id strings_find(const struct strings *strings, struct text text);

/* As strings_intern, for text that ends in a NUL. */
str_id strings_intern_text(struct strings *strings, const char *text);

/* The bytes of an id, NUL behind them; valid until strings_deinit. */
static inline struct text strings_get(const struct strings *strings, str_id id)
{
	return strings->rows.at[id.i];
}

static inline const char *strings_text(const struct strings *strings, str_id id)
{
	return strings->rows.at[id.i].at;
}

static inline struct text text_of(const char *text)
{
	return (struct text){ .at = text, .length = (uint32_t)strlen(text) };
}

static inline bool text_equal(struct text a, struct text b)
{
	return a.length == b.length && (!a.length || memcmp(a.at, b.at, a.length) == 0);
}

static inline bool text_is(struct text a, const char *b)
{
	return text_equal(a, text_of(b));
}

static inline bool text_has_prefix(struct text text, const char *prefix)
{
	size_t length = strlen(prefix);

	return text.length >= length && memcmp(text.at, prefix, length) == 0;
}

static inline bool text_has_suffix(struct text text, const char *suffix)
{
	size_t length = strlen(suffix);

	return text.length >= length && memcmp(text.at + text.length - length, suffix, length) == 0;
}

/* The text from the byte at index begin, which is at most its length. */
static inline struct text text_from(struct text text, size_t begin)
{
	return (struct text){ text.at + begin, text.length - (uint32_t)begin };
}

static inline struct text text_between(const char *begin, const char *end)
{
	return (struct text){ begin, (uint32_t)(end - begin) };
}

static inline bool text_contains(struct text text, const char *part)
{
	return text.length && memmem(text.at, text.length, part, strlen(part));
}

/* The text behind the last slash. */
static inline struct text text_basename(struct text path)
{
	const char *slash = path.length ? memrchr(path.at, '/', path.length) : NULL;

	if (!slash)
		return path;
	return (struct text){ slash + 1, path.length - (uint32_t)(slash + 1 - path.at) };
}

/* Order of bytes, as strcmp and Perl's cmp have it. */
int text_compare(struct text a, struct text b);

#endif
