/* SPDX-License-Identifier: MIT */
#include "render/svg/embed_columns.h"

#include "base/hash.h"
#include "base/memory.h"
#include "libparse/svg/frame_code.h"

#define ROOT UINT32_MAX

void embed_columns_init(struct embed_columns *columns)
{
	*columns = (struct embed_columns){ .frame_count = 0 };
	for (size_t i = 0; i < EMBED_COLUMN_COUNT; i++)
		sink_init_memory(&columns->lists[i]);
	idtable_init(&columns->callee_ids);
}

void embed_columns_deinit(struct embed_columns *columns)
{
	for (size_t i = 0; i < EMBED_COLUMN_COUNT; i++)
		sink_deinit(&columns->lists[i]);
	vec_free(&columns->path);
	vec_free(&columns->counts);
	vec_free(&columns->callees);
	idtable_deinit(&columns->callee_ids);
}

static void add_number(struct embed_columns *columns, enum embed_column column, uint64_t number)
{
	struct sink *list = &columns->lists[column];

	if (list->used)
		sink_char(list, ',');
	sink_u64(list, number);
}

static const struct embed_callee *find_callee(const struct embed_columns *columns, uint64_t hash,
					      uint32_t caller, uint32_t frame)
{
	struct idtable_probe probe = idtable_find(&columns->callee_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&columns->callee_ids, &probe)) != IDTABLE_NONE) {
		const struct embed_callee *callee = &columns->callees.at[id];

		if (callee->caller == caller && callee->frame == frame)
			return callee;
	}
	return NULL;
}

static void add_frame(struct embed_columns *columns, uint32_t caller, uint32_t frame)
{
	uint64_t hash = hash_pair(caller, frame);
	bool is_new = frame == columns->frame_count;
	const struct embed_callee *callee =
		is_new ? NULL : find_callee(columns, hash, caller, frame);
	uint32_t slot = caller == ROOT ? 0 : caller + 1;

	if (callee) {
		add_number(columns, EMBED_FRAME, (uint64_t)callee->place + FRAME_CODE_CALLEE);
		return;
	}
	while (columns->counts.count <= slot)
		vec_push(&columns->counts, 0);
	idtable_add(&columns->callee_ids, hash, (uint32_t)columns->callees.count);
	vec_push(&columns->callees,
		 (struct embed_callee){ caller, frame, columns->counts.at[slot]++ });
	if (is_new) {
		columns->frame_count++;
		add_number(columns, EMBED_FRAME, FRAME_CODE_NEW);
		return;
	}
	add_number(columns, EMBED_FRAME, FRAME_CODE_KNOWN);
	add_number(columns, EMBED_KNOWN, frame);
}

void embed_columns_add(struct embed_columns *columns, uint32_t depth, uint32_t frame, uint64_t self)
{
	size_t last_depth = columns->path.count;

	columns->path.count = depth - 1;
	add_number(columns, EMBED_UP, last_depth - columns->path.count);
	add_frame(columns, depth > 1 ? columns->path.at[depth - 2] : ROOT, frame);
	add_number(columns, EMBED_SELF, self);
	vec_push(&columns->path, frame);
}

void embed_columns_add_sides(struct embed_columns *columns, uint64_t before, uint32_t colour,
			     uint32_t confidence)
{
	add_number(columns, EMBED_BEFORE, before);
	add_number(columns, EMBED_COLOUR, colour);
	add_number(columns, EMBED_CONFIDENCE, confidence);
}

void embed_columns_write(const struct embed_columns *columns, struct sink *sink)
{
	static const char *const names[] = {
		[EMBED_UP] = "up",
		[EMBED_FRAME] = "frame",
		[EMBED_KNOWN] = "known",
		[EMBED_SELF] = "self",
		[EMBED_BEFORE] = "before",
		[EMBED_COLOUR] = "colour",
		[EMBED_CONFIDENCE] = "confidence",
	};
	bool has_sides = columns->lists[EMBED_BEFORE].used > 0;

	for (size_t i = 0; i < (has_sides ? EMBED_COLUMN_COUNT : EMBED_BEFORE); i++) {
		sink_puts(sink, i ? ",\n\"" : "{\"");
		sink_puts(sink, names[i]);
		sink_puts(sink, "\":[");
		sink_text(sink, sink_memory(&columns->lists[i]));
		sink_char(sink, ']');
	}
	sink_char(sink, '}');
}
