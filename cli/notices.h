/* SPDX-License-Identifier: MIT */
/*
 * What a user must know of a command's inputs, collected while they are read and printed at its end: the two
 * lines about most of the profile, and how many more there are; --verbose prints them all.
 */
#ifndef CLI_NOTICES_H
#define CLI_NOTICES_H

#include <stdbool.h>

#include "base/vec.h"

/* Weights: the share of the profile that a notice is about, or one of these. */
#define NOTICE_WRONG   3.0  /* the answer is partial or empty */
#define NOTICE_GUESSED 1.0  /* the answer rests on a guess */
#define NOTICE_UNKNOWN 0.5  /* of a share that is not known */
#define NOTICE_ASIDE   0.01 /* what else there is to see */

struct notice {
	double weight;
	char *text;
};

struct notices {
	VEC(struct notice) rows;
};

void notices_free(struct notices *notices);

/* Keeps a copy of the text; equal ones are one. */
void notices_add(struct notices *notices, double weight, const char *text);

/* Prints them through print, the weightiest first: two, or all of them. */
void notices_print(const struct notices *notices, bool prints_all, void (*print)(const char *text));

#endif
