/* SPDX-License-Identifier: MIT */
/*
 * Numbers as people read them: 1,234,567; 12.3 s; 45.67 %. All from integers, so that the same
 * profile gives the same digits everywhere.
 */
#ifndef RENDER_NUMBER_H
#define RENDER_NUMBER_H

#include "base/sink.h"
#include "profile/profile.h"

/* 1,234,567 */
void number_grouped(struct sink *sink, uint64_t value);

/* What has a decimal point, with the places it needs: 3.75; 1,234.5; 8. */
void number_decimal(struct sink *sink, uint64_t millionths);

/* A weight for programs: 1234, or 3.75 of what is kept in millionths. */
void number_plain(struct sink *sink, uint64_t value, enum weight_unit unit);

/* Nanoseconds with three digits that matter: 0 ns, 789 ns, 45.6 µs, 1.23 ms, 12.3 s, 1,234 s. */
void number_duration(struct sink *sink, uint64_t time_ns);

/* A weight in its unit: "1,234 samples", "12.3 s", "1,234 cycles" is up to who knows the event. */
void number_weight(struct sink *sink, uint64_t value, enum weight_unit unit);

/* "samples", "events", "nanoseconds", "bytes", "millionths": what weights are kept in. */
const char *number_unit_name(enum weight_unit unit);

/* The same for readers of a number: what is kept in millionths is written as a "count" with a decimal point. */
const char *number_shown_unit(enum weight_unit unit);

/* 100 * part / whole, rounded to hundredths: "45.67%"; of nothing it is "0.00%". */
void number_percent(struct sink *sink, uint64_t part, uint64_t whole);

/* The same, right-aligned in width columns. */
void number_percent_padded(struct sink *sink, uint64_t part, uint64_t whole, unsigned width);

#endif
