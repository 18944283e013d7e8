/* SPDX-License-Identifier: MIT */
#include "profile/tree/resolved.h"

#include "base/hash.h"

/* The members that distinguish keys. */
#define KEY_BYTES offsetof(struct stack_key, first_offset)

uint64_t stack_key_hash(const struct stack_key *key)
{
	return hash_bytes(key, KEY_BYTES, 0);
}

bool stack_key_equal(const struct stack_key *a, const struct stack_key *b)
{
	return memcmp(a, b, KEY_BYTES) == 0;
}

void resolved_init(struct resolved *resolved)
{
	*resolved = (struct resolved){ 0 };
	places_init(&resolved->places);
	idtable_init(&resolved->key_ids);
	callers_init(&resolved->callers);
}

void resolved_deinit(struct resolved *resolved)
{
	places_deinit(&resolved->places);
	callers_deinit(&resolved->callers);
	vec_free(&resolved->keys);
	idtable_deinit(&resolved->key_ids);
	vec_free(&resolved->stacks);
	vec_free(&resolved->text_locations);
}

void resolved_clear(struct resolved *resolved)
{
	resolved_deinit(resolved);
	resolved_init(resolved);
}

size_t resolved_size_bytes(const struct resolved *resolved)
{
	return callers_size_bytes(&resolved->callers) +
	       resolved->stacks.count * sizeof(*resolved->stacks.at);
}

static uint32_t look_up_key(struct resolved *resolved, const struct stack_key *wanted)
{
	uint64_t hash = stack_key_hash(wanted);
	struct idtable_probe probe = idtable_find(&resolved->key_ids, hash);
	uint32_t row;

	while ((row = idtable_next(&resolved->key_ids, &probe)) != IDTABLE_NONE)
		if (stack_key_equal(&resolved->keys.at[row], wanted))
			return row;
	row = (uint32_t)resolved->keys.count;
	vec_push(&resolved->keys, *wanted);
	idtable_add(&resolved->key_ids, hash, row);
	return row;
}

uint32_t resolved_key(struct resolved *resolved, const struct stack_key *wanted)
{
	struct stack_key *key;

	if (!resolved->keys.count ||
	    !stack_key_equal(&resolved->keys.at[resolved->last_key], wanted))
		resolved->last_key = look_up_key(resolved, wanted);
	key = &resolved->keys.at[resolved->last_key];
	if (wanted->first_offset < key->first_offset)
		key->first_offset = wanted->first_offset;
	return resolved->last_key;
}

void resolved_renumber(struct resolved *resolved, const location_id *locations)
{
	location_id *of_callers = resolved->callers.locations.at;

	for (size_t i = 1; i < resolved->callers.locations.count; i++)
		of_callers[i] = locations[of_callers[i].i];
	for (size_t i = 0; i < resolved->stacks.count; i++) {
		location_id *leaf = &resolved->stacks.at[i].leaf;

		if (leaf->i != LOCATION_NONE.i)
			*leaf = locations[leaf->i];
	}
}

location_id resolved_innermost(const struct resolved *resolved, const struct resolved_stack *stack)
{
	return stack->leaf.i != LOCATION_NONE.i ? stack->leaf
						: resolved->callers.locations.at[stack->callers];
}
