/* SPDX-License-Identifier: MIT */
#include "render/export/export.h"
#include "render/json.h"

/* d3-flame-graph: { "name": ..., "value": total, "children": [...] } */
void export_write_d3(const struct profile *profile, const struct export_options *options,
		     struct sink *sink)
{
	VEC(uint32_t) open = { 0 }; /* ends of the rows whose objects are open */
	struct json json;

	(void)options;
	json_init(&json, sink);
	for (uint32_t i = 0; i < profile->stacks.count; i++) {
		const struct stack *row = &profile->stacks.at[i];

		for (; open.count && open.at[open.count - 1] <= i; open.count--) {
			json_close_array(&json);
			json_close_object(&json);
		}
		json_open_object(&json, NULL);
		json_text(&json, "name",
			  i ? profile_frame_name(profile, row->frame) : text_of("all"));
		json_weight(&json, "value", row->total, profile->unit);
		json_open_array(&json, "children");
		vec_push(&open, row->end);
	}
	for (; open.count; open.count--) {
		json_close_array(&json);
		json_close_object(&json);
	}
	json_finish(&json);
	vec_free(&open);
}
