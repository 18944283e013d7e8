/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON: adds commas and indentation, and escapes values. Keys are string literals; values
 * are arbitrary bytes.
 */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "base/sink.h"
#include "profile/profile.h"

struct json {
	struct sink *sink;
	unsigned depth;
	bool has_element; /* the innermost object or array has an element */
	bool is_compact;  /* without line breaks and indentation; can be changed at any time */
};

/*
 * json_init starts a document, to which the caller then writes a single value. json_finish writes
 * the final newline.
 */
void json_init(struct json *json, struct sink *sink);
void json_finish(struct json *json);

/* key is NULL for elements of an array and for the top-level value. */
void json_open_object(struct json *json, const char *key);
void json_close_object(struct json *json);
void json_open_array(struct json *json, const char *key);
void json_close_array(struct json *json);
void json_text(struct json *json, const char *key, struct text value);
void json_u64(struct json *json, const char *key, uint64_t value);
/* value / 10^decimals, with exactly this many decimals, at most 9: 1234567 with 6 is 1.234567. */
void json_decimal(struct json *json, const char *key, uint64_t value, unsigned decimals);
/* Text that is already JSON, such as null or -1. */
void json_literal(struct json *json, const char *key, const char *literal);
/* A weight. Weights in millionths are written as decimal fractions, and their unit as "count". */
void json_weight(struct json *json, const char *key, uint64_t value, enum weight_unit unit);
void json_unit(struct json *json, enum weight_unit unit);
/* Six significant digits; null if not finite. */
void json_number(struct json *json, const char *key, double value);
/* An interval: [low, high]. */
void json_range(struct json *json, const char *key, double low, double high);
void json_bool(struct json *json, const char *key, bool value);

#endif
