/* SPDX-License-Identifier: MIT */
/*
 * What a probe finds in the first bytes of an input: how sure it is that the input is of its format, and why, in
 * words that `kiln info` prints.
 */
#ifndef LIBPARSE_EVIDENCE_H
#define LIBPARSE_EVIDENCE_H

#include "base/attributes.h"
#include "base/span.h"

enum confidence {
	CONFIDENCE_NONE,    /* nothing speaks for the format */
	CONFIDENCE_PERHAPS, /* it is, if it is of no other format */
	CONFIDENCE_LIKELY,  /* it has lines that no other format has */
	CONFIDENCE_CERTAIN, /* it begins with bytes that only this format begins with */
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

/* "line 12 is WHAT", for the line that begins at `line` in head. */
struct evidence evidence_at(enum confidence confidence, struct span head, const char *line,
			    const char *what);

#endif
