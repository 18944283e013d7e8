/* SPDX-License-Identifier: MIT */
/*
 * XML, read from its beginning to the end of its outermost element, told as three things: an element begins, text, an element
 * ends. All of kiln that knows libxml2.
 *
 * What a document could have done for it is refused: it may declare no entities and no attributes, so
 * there is nothing to expand; nothing is fetched; its bytes are UTF-8 or nearly; elements lie in each
 * other LIMIT_XML_DEPTH deep. What is not well-formed is told as far as it makes sense.
 */
#ifndef LIBPARSE_SVG_XML_H
#define LIBPARSE_SVG_XML_H

#include "base/error.h"
#include "base/input.h"
#include "base/strings.h"

struct xml_attribute {
	struct text prefix; /* "fg" of fg:x; empty: none */
	struct text name, value;
};

/* Texts are valid during a call. */
struct xml_taker {
	void *context;
	void (*open)(void *context, struct text name, const struct xml_attribute *attributes,
		     size_t count);
	void (*text)(void *context, struct text text);
	void (*close)(void *context, struct text name);
};

/* Where the document is in the input: anything may be before and behind it. */
struct xml_extent {
	uint64_t begin;
	uint64_t
		end; /* found out: behind the element that has all others; 0: there is no such end */
};

/* False: reading ended early, of what err says, and what was told before stands. */
bool xml_read(const struct input *input, struct xml_extent *extent, const struct xml_taker *taker,
	      struct error *err) WARN_UNUSED;

/* The value of an attribute; at NULL: there is none. */
struct text xml_find(const struct xml_attribute *attributes, size_t count, const char *prefix,
		     const char *name);

#endif
