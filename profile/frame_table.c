/* SPDX-License-Identifier: MIT */
#include "profile/frame_table.h"

#include "base/hash.h"
#include "base/key_sort.h"
#include "profile/bucket.h"

void frame_table_init(struct frame_table *table)
{
	*table = (struct frame_table){ 0 };
	idtable_init(&table->ids);
}

void frame_table_deinit(struct frame_table *table)
{
	vec_free(&table->rows);
	idtable_deinit(&table->ids);
}

void frame_table_finish(struct frame_table *table, struct profile *profile)
{
	vec_free(&profile->frames);
	profile->frames.at = table->rows.at;
	profile->frames.count = table->rows.count;
	profile->frames.capacity = table->rows.capacity;
	idtable_deinit(&table->ids);
	frame_table_init(table);
}

uint32_t frame_table_intern(struct frame_table *table, const struct frame *frame)
{
	uint64_t hash = hash_pair((uint64_t)frame->source.i << 32 | frame->name.i,
				  (uint64_t)frame->module.i << 16 | (uint64_t)frame->activity << 8 |
					  (uint64_t)frame->kind << 1 | frame->is_named);
	struct idtable_probe probe = idtable_find(&table->ids, hash);
	uint32_t id;

	while ((id = idtable_next(&table->ids, &probe)) != IDTABLE_NONE) {
		const struct frame *row = &table->rows.at[id];

		if (row->name.i == frame->name.i && row->module.i == frame->module.i &&
		    row->kind == frame->kind && row->activity == frame->activity &&
		    row->is_named == frame->is_named && row->source.i == frame->source.i)
			return id;
	}
	id = (uint32_t)table->rows.count;
	vec_push(&table->rows, *frame);
	idtable_add(&table->ids, hash, id);
	return id;
}

/* The larger the number, the more is said about the names of a module. */
static int problems_of(const struct module *module)
{
	return 4 * (module->match == MATCH_UNVERIFIED) + 2 * (module->inline_reason.i != 0) +
	       (module->reason.i != 0);
}

/* Of two builds of a DSO, the result is the one with more problems, in any order of merging. */
static module_id merge_modules(const struct modules *modules, module_id a, module_id b)
{
	const struct module *own = modules_get(modules, a);
	const struct module *other = modules_get(modules, b);
	int more;

	if (!module_is_build_of(own, other))
		return (module_id){ 0 };
	more = problems_of(own) - problems_of(other);
	return more > 0 || (more == 0 && a.i < b.i) ? a : b;
}

void frame_merge(struct frame *frame, const struct frame *other, const struct modules *modules)
{
	if (frame->module.i != other->module.i)
		frame->module = merge_modules(modules, frame->module, other->module);
	if (other->kind < frame->kind)
		frame->kind = other->kind;
	if (frame->activity != other->activity)
		frame->activity = FRAME_SEVERAL;
	frame->is_named |= other->is_named;
	if (frame->source.i != other->source.i)
		frame->source = STR_EMPTY;
}

#define ANNOTATION_LENGTH 4

bool frame_name_fits(struct text name, const name_patterns *patterns)
{
	struct text behind;

	if (name_patterns_fit(patterns, name))
		return true;
	if (name.length < ANNOTATION_LENGTH)
		return false;
	name.length -= ANNOTATION_LENGTH;
	behind = (struct text){ name.at + name.length, ANNOTATION_LENGTH };
	return text_has_prefix(behind, "_[") && text_has_suffix(behind, "]") &&
	       name_patterns_fit(patterns, name);
}

/* Compares two names as if each were followed by ";", as it is in a folded line. */
static int compare_texts(struct text a, struct text b)
{
	uint32_t shorter = a.length < b.length ? a.length : b.length;
	int order = memcmp(a.at, b.at, shorter);

	if (order || a.length == b.length)
		return order;
	if (a.length == shorter)
		return (unsigned char)b.at[shorter] >= ';' ? -1 : 1;
	return (unsigned char)a.at[shorter] >= ';' ? 1 : -1;
}

int frame_name_compare(struct text a, struct text b)
{
	int order = bucket_order(&a, &b);

	return order ? order : compare_texts(a, b);
}

struct ranked_frame {
	struct text name;
	struct text path; /* FRAME_RANK_MODULE: the module's, so that all captures have one order */
	uint32_t key;     /* distinguishes frames with the same name */
	uint32_t frame;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked_frame *left = a;
	const struct ranked_frame *right = b;
	int order = frame_name_compare(left->name, right->name);

	if (!order && left->key != right->key)
		order = text_compare(left->path, right->path);
	return order ? order : (left->key > right->key) - (left->key < right->key);
}

/*
 * The first bytes of a name, as a number. If the numbers of two names differ, the names have the
 * same order. Few names begin with the same bytes.
 */
static uint64_t beginning_of(struct text name)
{
	struct text other = { "", 0 };
	uint64_t beginning = 0;

	(void)bucket_order(&name, &other);
	for (uint32_t i = 0; i < sizeof(beginning); i++) {
		unsigned char byte = i < name.length ? (unsigned char)name.at[i] : 0;

		beginning = beginning << 8 | (i == name.length ? ';' : byte);
	}
	return beginning;
}

static struct ranked_frame ranked_of(const struct strings *strings, const struct modules *modules,
				     const struct frame *frames, uint32_t frame,
				     enum frame_rank_key key)
{
	str_id path = key == FRAME_RANK_MODULE ? modules_get(modules, frames[frame].module)->path
					       : STR_EMPTY;

	return (struct ranked_frame){
		.name = strings_get(strings, frames[frame].name),
		.path = strings_get(strings, path),
		.key = key == FRAME_RANK_NAME     ? 0
		       : key == FRAME_RANK_MODULE ? frames[frame].module.i
						  : frame,
		.frame = frame,
	};
}

uint32_t *frame_ranks(const struct strings *strings, const struct modules *modules,
		      const struct frame *frames, size_t count, enum frame_rank_key key)
{
	struct key_row *beginnings = memory_alloc(count, sizeof(*beginnings));
	struct ranked_frame *order = memory_alloc(count, sizeof(*order));
	uint32_t *ranks = memory_alloc(count, sizeof(*ranks));
	uint32_t rank = 0;
	size_t end;

	for (uint32_t i = 0; i < count; i++)
		beginnings[i] =
			(struct key_row){ beginning_of(strings_get(strings, frames[i].name)), i };
	key_sort(beginnings, count);
	for (size_t i = 0; i < count; i = end) {
		for (end = i; end < count && beginnings[end].key == beginnings[i].key; end++)
			order[end] = ranked_of(strings, modules, frames, beginnings[end].row, key);
		qsort(order + i, end - i, sizeof(*order), compare_ranked);
		for (size_t k = i; k < end; k++) {
			rank += k > i && compare_ranked(&order[k - 1], &order[k]) != 0;
			ranks[order[k].frame] = rank;
		}
		rank++;
	}
	memory_free(order);
	memory_free(beginnings);
	return ranks;
}
