/* SPDX-License-Identifier: MIT */
#include "process/switch_records.h"

#include "base/idmap.h"
#include "base/key_sort.h"
#include "base/vec.h"

/*
 * The exits by time. Each CPU has a buffer of its own, so the first exit in the file may not be the
 * earliest.
 */
struct recorded_exits {
	VEC(struct key_row) rows;  /* the time, and the index of the record */
	struct idmap first_of_tid; /* the index in rows */
};

static void list_exits(const struct recorded_switch *records, size_t count,
		       struct recorded_exits *ret)
{
	*ret = (struct recorded_exits){ .rows = { .at = NULL } };
	idmap_init(&ret->first_of_tid);
	for (uint32_t i = 0; i < count && i < IDMAP_NONE; i++)
		if (records[i].context_switch.is_exit)
			vec_push(&ret->rows, (struct key_row){ records[i].time_ns, i });
	key_sort(ret->rows.at, ret->rows.count);
	for (uint32_t i = 0; i < ret->rows.count; i++)
		idmap_add(&ret->first_of_tid, records[ret->rows.at[i].row].context_switch.tid, i);
	idmap_sort(&ret->first_of_tid);
}

/* Whether a thread with this tid exited at this time or before. */
static bool has_exit(const struct recorded_exits *exits, uint32_t tid, uint64_t time_ns)
{
	uint32_t first = idmap_find(&exits->first_of_tid, tid);

	return first != IDMAP_NONE && exits->rows.at[first].key <= time_ns;
}

size_t switch_records_drop_other_execs(struct recorded_switch *records, size_t count)
{
	struct recorded_exits exits;
	size_t kept = 0;

	list_exits(records, count, &exits);
	for (size_t i = 0; i < count; i++)
		if (!records[i].context_switch.is_exec ||
		    has_exit(&exits, records[i].context_switch.tid, records[i].time_ns))
			records[kept++] = records[i];
	idmap_deinit(&exits.first_of_tid);
	vec_free(&exits.rows);
	return kept;
}
