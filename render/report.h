/* SPDX-License-Identifier: MIT */
/*
 * A profile as a table: self (samples that ended there) and total (samples that passed through,
 * counted once however often they did) for each symbol, dso, comm or source line.
 */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include "base/sink.h"
#include "profile/profile.h"

enum report_key {
	REPORT_BY_SYMBOL,
	REPORT_BY_DSO,
	REPORT_BY_COMM,
	REPORT_BY_SRCLINE,
	REPORT_KEY_COUNT,
};

/* What users call them; NULL at the end. */
extern const char *const report_key_names[REPORT_KEY_COUNT + 1];

struct report_options {
	enum report_key key;
	bool is_json;
	uint64_t limit; /* rows at most; 0: all */
};

/* Writes the table, largest self first (by symbol and dso) or largest total first (by comm). */
void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink);

#endif
