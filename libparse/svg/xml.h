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
	uint64_t end; /* end of the outermost element, set by xml_read; 0 if there is none */
};

/*
 * If reading stopped early, returns false, with the reason in err. Data from earlier callbacks
 * remains valid.
 */
bool xml_read(const struct input *input, struct xml_extent *extent,
	      const struct xml_callbacks *callbacks, struct error *err) WARN_UNUSED;

/* Returns the value of an attribute. .at is NULL if the attribute is missing. */
struct text xml_find(const struct xml_attribute *attributes, size_t count, const char *prefix,
		     const char *name);

#endif
