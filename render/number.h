/* SPDX-License-Identifier: MIT */
/*
 * Formats numbers in human-readable form: 1,234,567; 12.3 s; 45.67%. Uses integer arithmetic, so
 * the texts are the same on every machine.
 */
#ifndef RENDER_NUMBER_H
#define RENDER_NUMBER_H

#include "base/sink.h"
#include "profile/profile.h"

/* 1,234,567 */
void number_grouped(struct sink *sink, uint64_t value);

/* A decimal fraction without trailing zeros: 3.75; 1,234.5; 8. */
void number_decimal(struct sink *sink, uint64_t millionths);

/* Writes a weight in machine-readable form: 1234, or 3.75 if it is stored in millionths. */
void number_plain(struct sink *sink, uint64_t value, enum weight_unit unit);

/* A duration with three significant digits: 0 ns, 789 ns, 45.6 µs, 1.23 ms, 12.3 s, 1,234 s. */
void number_duration(struct sink *sink, uint64_t time_ns);

/*
 * A time on the capture's clock in seconds, as --time accepts it: with three to nine decimals,
 * without trailing zeros after the third.
 */
void number_seconds(struct sink *sink, uint64_t time_ns);

/*
 * A weight with its unit: "1,234 samples", "1 sample", "12.3 s". The unit of events is "events",
 * regardless of their name: "1,234 events".
 */
void number_weight(struct sink *sink, uint64_t value, enum weight_unit unit);

/*
 * The unit in which weights are stored: "samples", "events", "nanoseconds", "bytes", "millionths".
 */
const char *number_unit_name(enum weight_unit unit);

/*
 * The unit in which weights are written. Like number_unit_name, but "count" instead of
 * "millionths".
 */
const char *number_shown_unit(enum weight_unit unit);

/* 100 * part / whole with two decimals: "45.67%". "0.00%" if whole is 0. */
void number_percent(struct sink *sink, uint64_t part, uint64_t whole);

/* Like number_percent, right-aligned in width columns. */
void number_percent_padded(struct sink *sink, uint64_t part, uint64_t whole, unsigned width);

#endif
