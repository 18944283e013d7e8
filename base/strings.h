/* SPDX-License-Identifier: MIT */
/*
 * Interned strings: equal bytes have equal ids, which count up from 0 in order of first use. Id 0
 * is the empty string. Readers of files must not intern NUL bytes. Interning is not thread-safe.
 */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"

/* The maximum length of a path or command name from a capture: PATH_MAX. */
#define LIMIT_NAME_BYTES 4096u
/*
 * The maximum length of a symbol name, before and after demangling. Longer names are truncated with
 * "...".
 */
#define LIMIT_SYMBOL_BYTES 4096u

typedef struct {
	uint32_t i;
} str_id;

#define STR_EMPTY ((str_id){ 0 })

/* Borrowed bytes, followed by a NUL only where documented. */
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

/* Returns the id of these bytes; copies the bytes if they are new. */
str_id strings_intern(struct strings *strings, const char *bytes, size_t length);

/* Returns the id of these bytes, or STR_EMPTY if they were never interned. */
str_id strings_find(const struct strings *strings, struct text text);

/* Like strings_intern, for a NUL-terminated text. */
str_id strings_intern_text(struct strings *strings, const char *text);

/* The bytes with this id, NUL-terminated. The bytes are valid until strings_deinit. */
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

/* The text from index `begin` on. `begin` must not exceed the length of the text. */
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

/* The text after the last slash. */
static inline struct text text_basename(struct text path)
{
	const char *slash = path.length ? memrchr(path.at, '/', path.length) : NULL;

	if (!slash)
		return path;
	return (struct text){ slash + 1, path.length - (uint32_t)(slash + 1 - path.at) };
}

/* Compares by bytes, like strcmp and Perl's cmp. */
int text_compare(struct text a, struct text b);

#endif
