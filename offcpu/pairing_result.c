/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing.h"

#include "base/arithmetic.h"

bool pairing_lacks_most(const struct pairing_counts *counts)
{
	return counts->without_begin + counts->without_end + counts->ends_supposed > counts->paired;
}

void pairing_result_init(struct pairing_result *result)
{
	*result = (struct pairing_result){ 0 };
	wakers_init(&result->wakers);
	critical_paths_init(&result->critical);
}

void pairing_result_deinit(struct pairing_result *result)
{
	vec_free(&result->intervals);
	wakers_deinit(&result->wakers);
	critical_paths_deinit(&result->critical);
}

void pairing_counts_add(struct pairing_counts *counts, const struct pairing_counts *more)
{
	counts->paired += more->paired;
	counts->intervals += more->intervals;
	counts->total_ns = saturate_add(counts->total_ns, more->total_ns);
	counts->open_at_start += more->open_at_start;
	counts->open_left_out += more->open_left_out;
	counts->open_counted += more->open_counted;
	counts->without_begin += more->without_begin;
	counts->without_end += more->without_end;
	counts->ends_supposed += more->ends_supposed;
	counts->supposed_ns = saturate_add(counts->supposed_ns, more->supposed_ns);
	counts->over_losses += more->over_losses;
	counts->without_stack += more->without_stack;
}
