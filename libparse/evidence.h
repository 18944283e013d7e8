/* SPDX-License-Identifier: MIT */
/*
 * The result of a format's probe of the first bytes of an input: a confidence, and the reason,
 * which `kiln info` prints.
 */
#ifndef LIBPARSE_EVIDENCE_H
#define LIBPARSE_EVIDENCE_H

#include "base/attributes.h"
#include "base/span.h"

enum confidence {
	CONFIDENCE_NONE,    /* the input does not have this format */
	CONFIDENCE_PERHAPS, /* this format if no other format matches */
	CONFIDENCE_LIKELY,  /* the input has content that is typical of this format */
	CONFIDENCE_CERTAIN, /* no other format begins like this */
};

#define EVIDENCE_BYTES 120

struct evidence {
	enum confidence confidence;
	char reason[EVIDENCE_BYTES]; /* empty for CONFIDENCE_NONE */
};

static inline struct evidence evidence_none(void)
{
	return (struct evidence){ .confidence = CONFIDENCE_NONE };
}

struct evidence evidence_of(enum confidence confidence, const char *format, ...) PRINTF_LIKE(2, 3);

/* The reason is "line 12 is WHAT", with the number of the line at `line` in head. */
struct evidence evidence_at(enum confidence confidence, struct span head, const char *line,
			    const char *what);

#endif
