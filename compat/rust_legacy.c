/* SPDX-License-Identifier: MIT */
#include "compat/rust_legacy.h"

#define HASH_DIGITS 16u

static const struct {
	const char *escape;
	char meant;
} escapes[] = {
	{ "$SP$", '@' },   { "$BP$", '*' },  { "$RF$", '&' },  { "$LT$", '<' },  { "$GT$", '>' },
	{ "$LP$", '(' },   { "$RP$", ')' },  { "$C$", ',' },   { "$u7e$", '~' }, { "$u20$", ' ' },
	{ "$u27$", '\'' }, { "$u3d$", '=' }, { "$u5b$", '[' }, { "$u5d$", ']' }, { "$u7b$", '{' },
	{ "$u7d$", '}' },  { "$u3b$", ';' }, { "$u2b$", '+' }, { "$u21$", '!' }, { "$u22$", '"' },
};

static void drop(struct text *text, size_t length)
{
	text->at += length;
	text->length -= (uint32_t)length;
}

static bool drop_hash(struct text *name)
{
	const char *hash;

	if (name->length <= HASH_DIGITS)
		return false;
	hash = name->at + name->length - HASH_DIGITS;
	for (uint32_t i = 0; i < HASH_DIGITS; i++)
		if (!hash[i] || !strchr("0123456789abcdefABCDEF", hash[i]))
			return false;
	if (hash[-1] != 'h')
		return false;
	name->length -= HASH_DIGITS + 1;
	if (text_has_suffix(*name, "::"))
		name->length -= 2;
	return true;
}

static bool take_escape(struct text *rest, struct sink *sink)
{
	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++)
		if (text_has_prefix(*rest, escapes[i].escape)) {
			sink_char(sink, escapes[i].meant);
			drop(rest, strlen(escapes[i].escape));
			return true;
		}
	return false;
}

bool rust_legacy_write(struct text name, struct sink *sink)
{
	if (!drop_hash(&name))
		return false;
	if (text_has_prefix(name, "_$"))
		drop(&name, 1);
	while (name.length) {
		if (text_has_prefix(name, "..")) {
			sink_puts(sink, "::");
			drop(&name, 2);
		} else if (name.at[0] != '$') {
			sink_char(sink, name.at[0]);
			drop(&name, 1);
		} else if (!take_escape(&name, sink)) {
			/* What begins so and is none ends what is understood. */
			sink_text(sink, name);
			break;
		}
	}
	return true;
}
