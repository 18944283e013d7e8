/* SPDX-License-Identifier: MIT */
/*
 * What --key says must agree for an END to belong to a BEGIN: some fields, and the thread unless "global" is
 * among them.
 *
 *     --key id                     of one thread, and with one id
 *     --key global,dev,sector      of whatever thread: another one, or an interrupt, may end it
 */
#ifndef OFFCPU_PAIRING_KEY_H
#define OFFCPU_PAIRING_KEY_H

#include "base/error.h"
#include "base/strings.h"
#include "profile/grouping.h"

#define PAIRING_KEY_FIELDS_MAX 4

struct pairing_key {
	struct text fields[PAIRING_KEY_FIELDS_MAX]; /* borrowed */
	uint32_t field_count;
	uint32_t tid_level; /* how many fields stand before tid */
	bool names_tid;
	bool is_global; /* threads are not told apart */
};

/* Parses "tid,FIELD"; NULL is "tid". */
bool pairing_key_parse(const char *text, struct pairing_key *ret, struct error *err) WARN_UNUSED;

/* Makes stacks stand on the values of a key. */
bool pairing_key_group(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

#endif
