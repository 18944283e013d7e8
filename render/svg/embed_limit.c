/* SPDX-License-Identifier: MIT */
#include "render/svg/embed_limit.h"

#include "base/memory.h"

/* Totals are told apart by their power of two and the bits after its first. */
#define CLASS_BITS  3
#define CLASS_COUNT (64 << CLASS_BITS)

/* How many rows there are, by the class of what. */
struct counts {
	uint64_t of_rows[CLASS_COUNT];      /* their own */
	uint64_t of_parents[CLASS_COUNT];   /* their own, of those that others stand on */
	uint64_t of_narrowest[CLASS_COUNT]; /* of the narrowest on them, of those */
};

static unsigned class_of(uint64_t total)
{
	unsigned power = total ? 63 - (unsigned)__builtin_clzll(total) : 0;
	uint64_t after =
		power >= CLASS_BITS ? total >> (power - CLASS_BITS) : total << (CLASS_BITS - power);

	return power << CLASS_BITS | (unsigned)(after & ((1 << CLASS_BITS) - 1));
}

/* Rounded up, because small totals are fewer than classes. */
static uint64_t least_of_class(unsigned class)
{
	unsigned power = class >> CLASS_BITS;
	uint64_t after = (class & ((1 << CLASS_BITS) - 1)) | 1 << CLASS_BITS;
	unsigned cut = power < CLASS_BITS ? CLASS_BITS - power : 0;

	if (!cut)
		return after << (power - CLASS_BITS);
	return (after + (1u << cut) - 1) >> cut;
}

static void count_rows(const struct profile *profile, struct counts *counts)
{
	const struct stack *stacks = profile->stacks.at;
	size_t count = profile->stacks.count;
	uint16_t *narrowest = memory_alloc(count, sizeof(*narrowest));

	for (size_t i = 0; i < count; i++)
		narrowest[i] = CLASS_COUNT;
	for (size_t i = count; i-- > 0;) {
		unsigned class = class_of(stacks[i].total);

		if (narrowest[i] < CLASS_COUNT) {
			counts->of_parents[class]++;
			counts->of_narrowest[narrowest[i]]++;
		}
		if (!i)
			break;
		counts->of_rows[class]++;
		if (class < narrowest[stacks[i].parent])
			narrowest[stacks[i].parent] = (uint16_t) class;
	}
	memory_free(narrowest);
}

uint64_t embed_limit_least(const struct profile *profile, uint64_t row_count)
{
	struct counts *counts = memory_zalloc(1, sizeof(*counts));
	unsigned found = CLASS_COUNT;
	uint64_t kept = 0;
	uint64_t wide_parents = 0;
	uint64_t whole_parents = 0; /* of which all children are kept */

	count_rows(profile, counts);
	for (unsigned class = CLASS_COUNT; class -- > 0;) {
		kept += counts->of_rows[class];
		wide_parents += counts->of_parents[class];
		whole_parents += counts->of_narrowest[class];
		if (kept + wide_parents - whole_parents <= row_count)
			found = class;
	}
	memory_free(counts);
	return !found ? 0 : found < CLASS_COUNT ? least_of_class(found) : UINT64_MAX;
}
