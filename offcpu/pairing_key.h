/* SPDX-License-Identifier: MIT */
/*
 * The --key of --span: fields that must be equal in begin and end. The thread must be equal too, unless
 * "global" is in the list.
 *
 *     --key id                     same thread and same id
 *     --key global,dev,sector      any thread: another one, or an interrupt, may complete a request
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
	uint32_t tid_level; /* how many fields precede tid */
	bool names_tid;
	bool is_global; /* the thread does not matter */
};

/* Parses "tid,FIELD"; NULL is "tid". */
bool pairing_key_parse(const char *text, struct pairing_key *ret, struct error *err) WARN_UNUSED;

/* Makes a grouping by the fields of a key. */
bool pairing_key_group(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

#endif
