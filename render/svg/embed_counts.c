/* SPDX-License-Identifier: MIT */
#include "render/svg/embed_counts.h"

#include "base/memory.h"

static unsigned class_of(uint64_t total)
{
	unsigned power = total ? 63 - (unsigned)__builtin_clzll(total) : 0;
	uint64_t after = power >= EMBED_COUNTS_BITS ? total >> (power - EMBED_COUNTS_BITS)
						    : total << (EMBED_COUNTS_BITS - power);

	return power << EMBED_COUNTS_BITS | (unsigned)(after & ((1 << EMBED_COUNTS_BITS) - 1));
}

/* Rounds up, because there are more classes for small totals than small totals. */
static uint64_t least_of_class(unsigned class)
{
	unsigned power = class >> EMBED_COUNTS_BITS;
	uint64_t after = (class & ((1 << EMBED_COUNTS_BITS) - 1)) | 1 << EMBED_COUNTS_BITS;
	unsigned cut = power < EMBED_COUNTS_BITS ? EMBED_COUNTS_BITS - power : 0;

	if (!cut)
		return after << (power - EMBED_COUNTS_BITS);
	return (after + (1u << cut) - 1) >> cut;
}

void embed_counts_make(const struct profile *profile, struct embed_counts *ret)
{
	const struct stack *stacks = profile->stacks.at;
	size_t count = profile->stacks.count;
	uint16_t *narrowest = memory_alloc(count, sizeof(*narrowest));

	*ret = (struct embed_counts){ 0 };
	for (size_t i = 0; i < count; i++)
		narrowest[i] = EMBED_COUNTS_CLASSES;
	for (size_t i = count; i-- > 0;) {
		unsigned class = class_of(stacks[i].total);

		if (narrowest[i] < EMBED_COUNTS_CLASSES) {
			ret->of_parents[class]++;
			ret->of_narrowest[narrowest[i]]++;
		}
		if (!i)
			break;
		ret->of_rows[class]++;
		if (class < narrowest[stacks[i].parent])
			narrowest[stacks[i].parent] = (uint16_t) class;
	}
	memory_free(narrowest);
}

uint64_t embed_counts_minimum(const struct embed_counts *counts, uint64_t row_count)
{
	unsigned found = EMBED_COUNTS_CLASSES;
	uint64_t kept = 0;
	uint64_t wide_parents = 0;
	uint64_t whole_parents = 0; /* all their children are kept */

	for (unsigned class = EMBED_COUNTS_CLASSES; class -- > 0;) {
		kept += counts->of_rows[class];
		wide_parents += counts->of_parents[class];
		whole_parents += counts->of_narrowest[class];
		if (kept + wide_parents - whole_parents <= row_count)
			found = class;
	}
	return !found ? 0 : found < EMBED_COUNTS_CLASSES ? least_of_class(found) : UINT64_MAX;
}
