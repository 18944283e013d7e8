/* SPDX-License-Identifier: MIT */
#include "libparse/perf/branches.h"

/* The flags, from their first field on. */
struct flags {
	uint64_t word;
	unsigned next; /* bits in front of the next field */
	bool is_big_endian;
};

static unsigned take(struct flags *flags, unsigned bits)
{
	unsigned shift = flags->is_big_endian ? 64 - flags->next - bits : flags->next;

	flags->next += bits;
	return (unsigned)(flags->word >> shift & ((1u << bits) - 1));
}

void branches_read(struct span entries, size_t count, struct event_branch *ret)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned char *entry = entries.at + i * BRANCH_ENTRY_BYTES;
		struct event_branch *branch = &ret[i];
		struct flags flags = {
			.word = span_load_u64(entry + 16, entries.swapped),
			.is_big_endian = span_is_big_endian(&entries),
		};

		branch->from = span_load_u64(entry, entries.swapped);
		branch->to = span_load_u64(entry + 8, entries.swapped);
		branch->is_mispredicted = take(&flags, 1);
		branch->is_predicted = take(&flags, 1);
		branch->is_in_transaction = take(&flags, 1);
		branch->is_abort = take(&flags, 1);
		branch->cycles = (uint16_t)take(&flags, 16);
		branch->type = (uint8_t)take(&flags, 4);
		branch->speculation = (uint8_t)take(&flags, 2);
		branch->new_type = (uint8_t)take(&flags, 4);
		branch->privilege = (uint8_t)take(&flags, 3);
	}
}
