/* SPDX-License-Identifier: MIT */
/*
 * Queues warnings while inputs are read, and prints them when the command ends. Only the two
 * warnings that affect the largest share of the profile are printed, followed by the number of the
 * other warnings. --verbose prints all warnings.
 */
#ifndef CLI_NOTICES_H
#define CLI_NOTICES_H

#include <stdbool.h>

#include "base/vec.h"

/* The weight of a warning is the affected share of the profile, or one of these values. */
#define NOTICE_WRONG   3.0  /* the result is partial or empty */
#define NOTICE_GUESSED 1.0  /* the result depends on a guess */
#define NOTICE_UNKNOWN 0.5  /* an unknown share is affected */
#define NOTICE_ASIDE   0.01 /* a hint */

struct notice {
	double weight;
	char *text;
};

struct notices {
	VEC(struct notice) rows;
};

void notices_free(struct notices *notices);

/* Adds a copy of the text, unless an equal text was added before. */
void notices_add(struct notices *notices, double weight, const char *text);

/* Prints the two warnings with the largest weights, or all warnings, the largest weight first. */
void notices_print(const struct notices *notices, bool prints_all, void (*print)(const char *text));

#endif
