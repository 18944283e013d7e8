/* SPDX-License-Identifier: MIT */
#include "profile/tree/merge_parts.h"

#include "base/arithmetic.h"
#include "profile/time_bins.h"

/* Returns the number of bins if each is `factor` times as wide. */
static uint32_t widen(uint32_t bin_count, uint64_t factor)
{
	return (uint32_t)((bin_count + factor - 1) / factor);
}

static void add_losses(struct profile *profile, const struct loss_spans *spans, uint64_t first_ns)
{
	for (size_t i = 0; i < spans->rows.count; i++) {
		struct loss_span span = spans->rows.at[i];

		span.begin_ns = saturate_subtract(span.begin_ns, first_ns);
		span.end_ns = saturate_subtract(span.end_ns, first_ns);
		vec_push(&profile->loss_spans.rows, span);
	}
}

/*
 * Counts times from the first bin. Has no effect on times that are already relative, because their
 * first bin is at 0.
 */
static void make_relative(struct profile *profile)
{
	struct loss_spans spans = profile->loss_spans;

	profile->loss_spans = (struct loss_spans){ 0 };
	add_losses(profile, &spans, profile->first_bin_ns);
	loss_spans_deinit(&spans);
	profile->first_bin_ns = 0;
	profile->has_relative_bins = true;
}

static void drop_bins(struct profile *profile)
{
	profile->time_bin_count = profile->time_bin_parts = 0;
	profile->first_bin_ns = profile->bin_ns = 0;
	profile->has_relative_bins = false;
	profile->stack_bins.count = 0;
}

void merge_bins(struct profile *profile, const struct profile *from, const uint32_t *of_own,
		const uint32_t *of_other)
{
	uint64_t width_ns = 0;
	uint64_t own_factor, other_factor;
	bool has_bins = profile->bin_ns && from->bin_ns && profile->time_bin_parts == 1 &&
			from->time_bin_parts == 1;

	if (has_bins) {
		own_factor = from->bin_ns / common_divisor(profile->bin_ns, from->bin_ns);
		has_bins = !__builtin_mul_overflow(profile->bin_ns, own_factor, &width_ns);
	}
	if (!has_bins) {
		drop_bins(profile);
		return;
	}
	other_factor = width_ns / from->bin_ns;
	make_relative(profile);
	add_losses(profile, &from->loss_spans, from->first_bin_ns);
	for (size_t i = 0; i < profile->stack_bins.count; i++) {
		struct stack_bin *bin = &profile->stack_bins.at[i];

		bin->row = of_own[bin->row];
		bin->time_bin = (uint32_t)(bin->time_bin / own_factor);
	}
	for (size_t i = 0; i < from->stack_bins.count; i++) {
		struct stack_bin bin = from->stack_bins.at[i];

		bin.row = of_other[bin.row];
		bin.time_bin = (uint32_t)(bin.time_bin / other_factor);
		vec_push(&profile->stack_bins, bin);
	}
	profile->bin_ns = width_ns;
	profile->time_bin_count = widen(profile->time_bin_count, own_factor);
	if (widen(from->time_bin_count, other_factor) > profile->time_bin_count)
		profile->time_bin_count = widen(from->time_bin_count, other_factor);
}
