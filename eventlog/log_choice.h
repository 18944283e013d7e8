/* SPDX-License-Identifier: MIT */
/*
 * Chooses the columns of a log that a table shows. Options name these columns. Without options,
 * time, latency and comm columns are recognised:
 *
 *     TIME(s)  COMM  PID  DISK  T  SECTOR  BYTES  LAT(ms)
 *     time     by                                 value
 */
#ifndef EVENTLOG_LOG_CHOICE_H
#define EVENTLOG_LOG_CHOICE_H

#include "base/error.h"
#include "libparse/log/log_heading.h"

#define LOG_KEYS_MAX 8u

/* Columns, as given on the command line; NULL if not given. */
struct log_choice_options {
	const char *value, *by, *time;
};

struct log_choice {
	bool has_value, has_time;
	uint32_t value, time; /* columns */
	uint32_t keys[LOG_KEYS_MAX];
	uint32_t key_count;
};

/*
 * Fails if a given column does not exist, or if no column of values or keys is given or recognised.
 */
bool log_choice_make(const struct log_heading *heading, const struct log_choice_options *options,
		     struct log_choice *ret, struct error *err) WARN_UNUSED;

#endif
