/* SPDX-License-Identifier: MIT */
/*
 * The capture in an archive that has no perf.data: the file that is most surely of a format of
 * libparse/formats.c, by its first bytes. Notes and scripts may lie beside it.
 */
#ifndef LIBPARSE_ARCHIVED_TEXT_H
#define LIBPARSE_ARCHIVED_TEXT_H

#include "base/error.h"
#include "base/input.h"
#include "base/sink.h"
#include "libparse/evidence.h"

struct archived_text {
	enum confidence confidence; /* of the best so far; CONFIDENCE_NONE: there is none */
	uint64_t count;             /* of files that are equally good */
	struct sink names;          /* of these, parted by commas */
	struct input spool;         /* the first of them */
};

void archived_text_init(struct archived_text *text);
void archived_text_deinit(struct archived_text *text);

/* Shows the next file. *ret: where its bytes are to be appended; NULL: it is not wanted. */
bool archived_text_take(struct archived_text *text, struct text name, struct span head,
			struct input **ret, struct error *err) WARN_UNUSED;

/* Appends a name to those that an error lists, parted by commas. */
void archived_text_list(struct sink *names, struct text name);

#endif
