/* SPDX-License-Identifier: MIT */
#include "profile/tree/callers.h"

void callers_init(struct callers *callers)
{
	*callers = (struct callers){ 0 };
	vec_push(&callers->locations, LOCATION_NONE);
	vec_push(&callers->has_parent, (struct bit_rank_word){ 0 });
}

void callers_deinit(struct callers *callers)
{
	vec_free(&callers->locations);
	vec_free(&callers->has_parent);
	vec_free(&callers->parents);
}

size_t callers_size_bytes(const struct callers *callers)
{
	return callers->locations.count * sizeof(*callers->locations.at) +
	       callers->has_parent.count * sizeof(*callers->has_parent.at) +
	       callers->parents.count * sizeof(*callers->parents.at);
}

uint32_t callers_add(struct callers *callers, uint32_t parent, location_id location)
{
	uint32_t node = (uint32_t)callers->locations.count;

	vec_push(&callers->locations, location);
	if (node % BIT_RANK_WORD_BITS == 0)
		vec_push(&callers->has_parent,
			 (struct bit_rank_word){ .before = (uint32_t)callers->parents.count });
	if (parent != node - 1) {
		bit_rank_set(callers->has_parent.at, node);
		vec_push(&callers->parents, parent);
	}
	return node;
}

void known_callers_init(struct known_callers *known, size_t count)
{
	*known = (struct known_callers){
		.nodes = memory_alloc_large(count * sizeof(*known->nodes)),
		.children = memory_alloc_large(count * sizeof(*known->children)),
		.count = count,
	};
	known_callers_forget(known);
}

void known_callers_deinit(struct known_callers *known)
{
	memory_free(known->nodes);
	memory_free(known->children);
}

void known_callers_forget(struct known_callers *known)
{
	memset(known->nodes, 0xff, known->count * sizeof(*known->nodes));
	memset(known->children, 0, known->count * sizeof(*known->children));
}

uint32_t known_callers_add(struct known_callers *known, struct callers *callers, uint32_t parent,
			   location_id location)
{
	uint32_t node = callers_add(callers, parent, location);

	*known_child_of(known, parent, location) = (struct known_child){ parent, location, node };
	return node;
}
