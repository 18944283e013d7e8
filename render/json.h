/* SPDX-License-Identifier: MIT */
/*
 * JSON, written as it goes: commas, indentation and escaping are looked after, so that a writer
 * reads as what it writes. Keys are ours, values may be any bytes.
 */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "base/sink.h"
#include "profile/profile.h"

struct json {
	struct sink *sink;
	unsigned depth;
	bool has_element; /* in the innermost object or array */
};

/* Begins a document, whose value is opened next; json_finish ends it with a line end. */
void json_init(struct json *json, struct sink *sink);
void json_finish(struct json *json);

/* key is NULL for elements of an array and for the document's own value. */
void json_open_object(struct json *json, const char *key);
void json_close_object(struct json *json);
void json_open_array(struct json *json, const char *key);
void json_close_array(struct json *json);
void json_text(struct json *json, const char *key, struct text value);
void json_u64(struct json *json, const char *key, uint64_t value);
/* A weight; what is kept in millionths is written with a decimal point, and its unit is "count". */
void json_weight(struct json *json, const char *key, uint64_t value, enum weight_unit unit);
void json_unit(struct json *json, enum weight_unit unit);
/* Six digits that matter; null for what is not finite. */
void json_number(struct json *json, const char *key, double value);
/* The two ends of an interval: [low, high]. */
void json_range(struct json *json, const char *key, double low, double high);
void json_bool(struct json *json, const char *key, bool value);

#endif
