/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_text.h"

#include <stdlib.h>

#include "base/span.h"

static void write_string(struct sink *sink, struct text text)
{
	sink_text(sink, text);
	sink_char(sink, '\0');
}

void merged_group_write(const struct merged_group *group, struct sink *sink)
{
	write_string(sink, group->event);
	sink_char(sink, (char)group->unit);
	sink_char(sink, (char)group->flags);
	for (uint32_t i = 0; i < group->label_count; i++) {
		write_string(sink, group->labels[i].key);
		write_string(sink, group->labels[i].value);
	}
	sink_char(sink, '\0');
	sink_char(sink, group->comm.at != NULL);
	write_string(sink, group->comm.at ? group->comm : text_of(""));
}

void merged_frame_write(const struct merged_frame *frame, struct sink *sink)
{
	write_string(sink, frame->name);
	write_string(sink, frame->module);
	sink_char(sink, (char)frame->kind);
	sink_bytes(sink, frame->build_id.bytes, frame->build_id.size_bytes);
}

/* Keys are unique, sorted, and not empty. */
static bool read_labels(struct span *rest, struct merged_group *group)
{
	struct text key;

	for (;;) {
		if (!span_cstring(rest, &key))
			return false;
		if (!key.length)
			return true;
		if (group->label_count == LIMIT_MERGED_LABELS ||
		    (group->label_count &&
		     merged_text_compare(group->labels[group->label_count - 1].key, key) >= 0))
			return false;
		group->labels[group->label_count].key = key;
		if (!span_cstring(rest, &group->labels[group->label_count++].value))
			return false;
	}
}

bool merged_group_read(struct text text, struct merged_group *ret)
{
	struct span rest = span_of(text.at, text.length, 0, false);
	uint8_t unit;
	uint8_t flags;
	uint8_t has_comm;

	*ret = (struct merged_group){ .label_count = 0 };
	if (!span_cstring(&rest, &ret->event) || !ret->event.length || !span_u8(&rest, &unit) ||
	    unit > UNIT_MILLIONTHS || !span_u8(&rest, &flags) || !read_labels(&rest, ret) ||
	    !span_u8(&rest, &has_comm) || has_comm > 1 || !span_cstring(&rest, &ret->comm))
		return false;
	ret->unit = (enum weight_unit)unit;
	ret->flags = flags;
	if (!has_comm && ret->comm.length)
		return false;
	if (!has_comm)
		ret->comm = (struct text){ NULL, 0 };
	return !span_left(&rest);
}

bool merged_frame_read(struct text text, struct merged_frame *ret)
{
	struct span rest = span_of(text.at, text.length, 0, false);
	uint8_t kind;
	size_t size_bytes;

	*ret = (struct merged_frame){ .kind = MERGED_CODE };
	if (!span_cstring(&rest, &ret->name) || !span_cstring(&rest, &ret->module) ||
	    !span_u8(&rest, &kind) || kind >= MERGED_KIND_COUNT)
		return false;
	size_bytes = span_left(&rest);
	if (size_bytes > BUILD_ID_BYTES_MAX)
		return false;
	ret->kind = (enum merged_kind)kind;
	ret->build_id.size_bytes = (uint8_t)size_bytes;
	if (size_bytes)
		memcpy(ret->build_id.bytes, rest.at, size_bytes);
	return true;
}

int merged_text_compare(struct text a, struct text b)
{
	uint32_t shorter = a.length < b.length ? a.length : b.length;
	int order = shorter ? memcmp(a.at, b.at, shorter) : 0;

	return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_labels(const void *a, const void *b)
{
	return merged_text_compare(((const struct event_label *)a)->key,
				   ((const struct event_label *)b)->key);
}

void merged_labels_sort(struct event_label *labels, uint32_t count)
{
	if (count)
		qsort(labels, count, sizeof(*labels), compare_labels);
}
