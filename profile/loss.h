/* SPDX-License-Identifier: MIT */
/*
 * What an answer leaves out, and how to say it: of the samples (struct profile's losses) and of the
 * names (struct loss_of_names). The words are the same in kiln info, on stderr and in the picture.
 */
#ifndef PROFILE_LOSS_H
#define PROFILE_LOSS_H

#include "profile/profile.h"

struct loss_text {
	const char *key;  /* in JSON */
	const char *text; /* behind a number that is not 1: "records lost while recording" */
	bool is_warning;  /* worth a line without being asked for */
};

const struct loss_text *loss_text_of(enum loss_kind kind);

/* What to say behind the count. */
const char *loss_words(enum loss_kind kind, uint64_t count);

/* How many of the stacks that were followed were so to their end. */
uint64_t loss_complete_stacks(const struct profile *profile);

/* Files that frames lie in and that did not name them, or not surely. */
enum name_loss {
	NAMES_MISSING,    /* not found */
	NAMES_REFUSED,    /* found, but another build, or changed since */
	NAMES_DAMAGED,    /* found, and unreadable */
	NAMES_UNVERIFIED, /* used, with nothing to prove that they are the captured ones */
	NAMES_NO_INLINES, /* their debug information could not be read, or not all of it */
	NAME_LOSS_COUNT,
};

struct loss_of_names {
	uint32_t counts[NAME_LOSS_COUNT];
	bool has_any;
};

struct loss_of_names loss_of_names(const struct profile *profile);

/* What to say behind the count: "file not found", "files not found". */
const char *loss_of_names_text(enum name_loss kind, uint32_t count);

#endif
