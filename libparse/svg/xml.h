/* SPDX-License-Identifier: MIT */
/*
 * A SAX reader with three callbacks: for the start of an element, for text, and for the end of an
 * element. Reading stops after the outermost element. No other module uses libxml2.
 *
 * Documents are not trusted: entity and attribute declarations and network access are disabled.
 * Documents must be UTF-8, with at most LIMIT_XML_DEPTH nested elements. Malformed documents are
 * read as far as possible.
 */
#ifndef LIBPARSE_SVG_XML_H
#define LIBPARSE_SVG_XML_H

#include "base/error.h"
#include "base/input.h"
#include "base/strings.h"

struct xml_attribute {
	struct text prefix; /* "fg" in fg:x; may be empty */
	struct text name, value;
};

/* Texts are valid only during the call. */
struct xml_callbacks {
	void *context;
	void (*open)(void *context, struct text name, const struct xml_attribute *attributes,
		     size_t count);
	void (*text)(void *context, struct text text);
	void (*close)(void *context, struct text name);
};

/*
 * The position of the document in the input, which may contain other text before and after the
 * document.
 */
struct xml_extent {
	uint64_t begin;
	uint64_t end; /* set by xml_read: the end of the outermost element; 0 if none */
};

/* Returns false if reading stopped early, for the reason in err; earlier callbacks remain valid. */
bool xml_read(const struct input *input, struct xml_extent *extent,
	      const struct xml_callbacks *callbacks, struct error *err) WARN_UNUSED;

/* The value of an attribute. .at is NULL if it is missing. */
struct text xml_find(const struct xml_attribute *attributes, size_t count, const char *prefix,
		     const char *name);

#endif
