/* SPDX-License-Identifier: MIT */
#include "render/text/histogram_text.h"

#include <inttypes.h>
#include <math.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"

#define BAR_WIDTH   40
#define VALUE_WIDTH 11
#define LINEAR_BINS 20

const struct histogram_quantile_name histogram_quantiles[HISTOGRAM_QUANTILES] = {
	{ "p50", 0.5 },
	{ "p90", 0.9 },
	{ "p99", 0.99 },
	{ "p999", 0.999 },
};

void histogram_value(const struct histogram_set *set, double value, struct sink *sink)
{
	double value_ns = value * set->unit_ns;

	if (isinf(value))
		sink_puts(sink, value < 0 ? "-∞" : "∞");
	else if (set->unit_ns > 0 && value_ns >= 0 && value_ns < 0x1p63)
		number_duration(sink, (uint64_t)(value_ns + 0.5));
	else
		sink_printf(sink, "%.6g", value);
}

double histogram_largest(const struct histogram *histogram)
{
	double largest = 0;

	for (size_t i = 0; i < histogram->buckets.count; i++) {
		const struct histogram_bucket *bucket = &histogram->buckets.at[i];

		if (!isinf(bucket->high) && bucket->high > largest)
			largest = bucket->high;
		if (bucket->low > largest)
			largest = bucket->low;
	}
	return largest;
}

void histogram_bins(const struct histogram_set *set, const struct histogram *histogram,
		    bool is_linear, double largest, struct histogram *ret)
{
	double width = largest > 0 ? largest * (1 + 1e-9) / LINEAR_BINS : 1;

	*ret = (struct histogram){ .count = 0 };
	for (size_t i = 0; i < histogram->buckets.count; i++) {
		const struct histogram_bucket *bucket = &histogram->buckets.at[i];
		double middle = (bucket->low + bucket->high) / 2;
		double low = is_linear     ? floor(middle / width) * width
			     : middle >= 1 ? exp2(floor(log2(middle)))
					   : 0;

		if (!set->are_durations)
			histogram_add(ret, bucket->low, bucket->high, bucket->count);
		else
			histogram_add(ret, low,
				      is_linear     ? low + width
				      : middle >= 1 ? 2 * low
						    : 1,
				      bucket->count);
	}
	(void)!histogram_finish(ret);
}

static void write_padded(struct sink *sink, struct sink *scratch, unsigned width)
{
	struct text text = sink_memory(scratch);
	size_t characters = 0;

	for (uint32_t i = 0; i < text.length; i++)
		characters += ((unsigned char)text.at[i] & 0xc0) != 0x80;
	for (; characters < width; characters++)
		sink_char(sink, ' ');
	sink_text(sink, text);
	scratch->used = 0;
}

static void write_value(const struct histogram_set *set, double value, struct sink *scratch,
			struct sink *sink)
{
	histogram_value(set, value, scratch);
	write_padded(sink, scratch, VALUE_WIDTH);
}

static void write_name(struct text name, struct sink *sink)
{
	if (!name.length || text_has_prefix(name, "["))
		sink_puts(sink, name.length ? "(all);" : "(all)");
	escape_terminal(sink, name);
}

/* ---- One set ---- */

static void write_bars(const struct histogram_set *set, const struct histogram *bins,
		       struct sink *scratch, struct sink *sink)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < bins->buckets.count; i++)
		if (bins->buckets.at[i].count > largest)
			largest = bins->buckets.at[i].count;
	sink_printf(sink, "%*s %*s %*s\n", VALUE_WIDTH, "from", VALUE_WIDTH, "to", VALUE_WIDTH,
		    "count");
	for (size_t i = 0; i < bins->buckets.count; i++) {
		const struct histogram_bucket *bin = &bins->buckets.at[i];
		unsigned length =
			(unsigned)((double)bin->count / (double)largest * BAR_WIDTH + 0.5);

		write_value(set, bin->low, scratch, sink);
		sink_char(sink, ' ');
		write_value(set, bin->high, scratch, sink);
		sink_char(sink, ' ');
		number_grouped(scratch, bin->count);
		write_padded(sink, scratch, VALUE_WIDTH);
		sink_puts(sink, " |");
		for (unsigned k = 0; k < BAR_WIDTH; k++)
			sink_char(sink, k < length ? '@' : ' ');
		sink_puts(sink, "|\n");
	}
}

/* Writes the bounds of a quantile, unless their texts are equal. */
static void write_bounds(const struct histogram_set *set, const struct quantile *quantile,
			 struct sink *sink)
{
	struct sink low;
	struct sink high;

	sink_init_memory(&low);
	sink_init_memory(&high);
	histogram_value(set, quantile->low, &low);
	histogram_value(set, quantile->high, &high);
	if (!text_equal(sink_memory(&low), sink_memory(&high))) {
		sink_puts(sink, ", between ");
		sink_text(sink, sink_memory(&low));
		sink_puts(sink, " and ");
		sink_text(sink, sink_memory(&high));
	}
	sink_deinit(&low);
	sink_deinit(&high);
}

static void write_quantile(const struct histogram_set *set, const struct histogram *histogram,
			   const struct histogram_quantile_name *name, struct sink *sink)
{
	struct quantile quantile = histogram_quantile(histogram, name->share);
	struct quantile range = histogram_interval(histogram, name->share, HISTOGRAM_CONFIDENCE);

	sink_printf(sink, "  %-5s %s", name->name,
		    isinf(quantile.high)  ? "≥ "
		    : isinf(quantile.low) ? "< "
					  : "");
	histogram_value(set, quantile.value, sink);
	if (!isinf(quantile.low) && !isinf(quantile.high))
		write_bounds(set, &quantile, sink);
	sink_printf(sink, "; %g%% confidence: ", HISTOGRAM_CONFIDENCE * 100);
	histogram_value(set, range.low, sink);
	sink_puts(sink, " to ");
	histogram_value(set, range.high, sink);
	sink_char(sink, '\n');
}

static uint64_t count_of(const struct histogram_set *set)
{
	uint64_t count = 0;

	for (size_t i = 0; i < set->all_count; i++)
		count = saturate_add(count, set->rows.at[i].histogram.count);
	return count;
}

size_t histogram_row_count(const struct histogram_set *set, uint64_t limit)
{
	size_t all_count = set->all_count;
	size_t count = set->rows.count;

	if (count == 2 * all_count)
		return all_count;
	return limit && count > all_count + limit ? all_count + (size_t)limit : count;
}

static void write_text(const struct histogram_set *set,
		       const struct histogram_text_options *options, struct sink *sink)
{
	struct sink scratch;

	sink_init_memory(&scratch);
	sink_puts(sink, "# ");
	escape_terminal(sink, set->what);
	sink_puts(sink, ": ");
	number_grouped(sink, count_of(set));
	sink_puts(sink, count_of(set) == 1 ? " value" : " values");
	sink_puts(sink, set->unit_ns > 0 || set->are_durations ? "\n" : " of unknown unit\n");
	for (size_t i = 0; i < histogram_row_count(set, options->limit); i++) {
		const struct named_histogram *row = &set->rows.at[i];
		struct histogram bins;

		sink_char(sink, '\n');
		write_name(row->name, sink);
		sink_puts(sink, ": ");
		number_grouped(sink, row->histogram.count);
		sink_puts(sink, ", mean ");
		histogram_value(set, histogram_mean(&row->histogram), sink);
		sink_char(sink, '\n');
		histogram_bins(set, &row->histogram, options->is_linear,
			       histogram_largest(&row->histogram), &bins);
		write_bars(set, &bins, &scratch, sink);
		histogram_deinit(&bins);
		for (size_t k = 0; k < HISTOGRAM_QUANTILES; k++)
			write_quantile(set, &row->histogram, &histogram_quantiles[k], sink);
	}
	sink_deinit(&scratch);
}

static void write_json_histogram(const struct histogram_set *set, const struct named_histogram *row,
				 const struct histogram_text_options *options, struct json *json)
{
	struct histogram bins;

	json_open_object(json, NULL);
	json_text(json, "name", row->name);
	json_u64(json, "count", row->histogram.count);
	json_number(json, "mean", histogram_mean(&row->histogram));
	json_open_array(json, "buckets");
	histogram_bins(set, &row->histogram, options->is_linear, histogram_largest(&row->histogram),
		       &bins);
	for (size_t i = 0; i < bins.buckets.count; i++) {
		json_open_object(json, NULL);
		json_number(json, "low", bins.buckets.at[i].low);
		json_number(json, "high", bins.buckets.at[i].high);
		json_u64(json, "count", bins.buckets.at[i].count);
		json_close_object(json);
	}
	json_close_array(json);
	histogram_deinit(&bins);
	for (size_t i = 0; i < HISTOGRAM_QUANTILES; i++) {
		double share = histogram_quantiles[i].share;
		struct quantile quantile = histogram_quantile(&row->histogram, share);
		struct quantile range =
			histogram_interval(&row->histogram, share, HISTOGRAM_CONFIDENCE);

		json_open_object(json, histogram_quantiles[i].name);
		json_number(json, "value", quantile.value);
		json_range(json, "between", quantile.low, quantile.high);
		json_range(json, "confidence", range.low, range.high);
		json_close_object(json);
	}
	json_close_object(json);
}

static void open_json(const struct histogram_set *set, struct json *json, struct sink *sink)
{
	json_init(json, sink);
	json_open_object(json, NULL);
	json_text(json, "of", set->what);
	if (set->unit_ns > 0)
		json_number(json, "unit_ns", set->unit_ns);
	json_number(json, "confidence", HISTOGRAM_CONFIDENCE);
	json_open_array(json, "histograms");
}

static void close_json(struct json *json)
{
	json_close_object(json);
	json_finish(json);
}

void histogram_text_write(const struct histogram_set *set,
			  const struct histogram_text_options *options, struct sink *sink)
{
	struct json json;

	if (!options->is_json) {
		write_text(set, options, sink);
		return;
	}
	open_json(set, &json, sink);
	for (size_t i = 0; i < histogram_row_count(set, options->limit); i++)
		write_json_histogram(set, &set->rows.at[i], options, &json);
	json_close_array(&json);
	close_json(&json);
}

/* ---- Comparisons ---- */

static void write_change(double change, struct sink *sink)
{
	if (isnan(change))
		sink_puts(sink, "?");
	else if (isinf(change))
		sink_puts(sink, "+∞");
	else
		sink_printf(sink, "%+.1f%%", change * 100);
}

static void write_shift(const struct histogram_set *set, const char *name,
			const struct quantile_shift *shift, struct sink *scratch, struct sink *sink)
{
	sink_printf(sink, "  %-5s", name);
	write_value(set, shift->before.value, scratch, sink);
	write_value(set, shift->after.value, scratch, sink);
	write_change(shift->change, scratch);
	write_padded(sink, scratch, VALUE_WIDTH);
	sink_puts(sink, "  ");
	write_change(shift->low, sink);
	sink_puts(sink, " to ");
	write_change(shift->high, sink);
	if (shift->low > 0)
		sink_puts(sink, "  higher");
	else if (shift->high < 0)
		sink_puts(sink, "  lower");
	sink_char(sink, '\n');
}

static double share_of(const struct histogram *bins, double low)
{
	size_t i = vec_count_first(&bins->buckets, bucket, bucket->low < low);

	if (i == bins->buckets.count || bins->buckets.at[i].low != low)
		return 0;
	return (double)bins->buckets.at[i].count / (double)bins->count;
}

static double largest_share(const struct histogram *a, const struct histogram *b)
{
	double largest = 0;

	for (size_t i = 0; i < a->buckets.count; i++)
		largest = fmax(largest, (double)a->buckets.at[i].count / (double)a->count);
	for (size_t i = 0; i < b->buckets.count; i++)
		largest = fmax(largest, (double)b->buckets.at[i].count / (double)b->count);
	return largest;
}

/*
 * Writes bars for the shares of both sides: "=" is the common part, "-" is only before, and "+" is
 * only after.
 */
static void write_overlay(const struct histogram_set *set, const struct histogram *before,
			  const struct histogram *after, struct sink *scratch, struct sink *sink)
{
	double scale = BAR_WIDTH / largest_share(before, after);
	struct histogram both = { .count = 0 };

	for (size_t i = 0; i < before->buckets.count; i++)
		histogram_add(&both, before->buckets.at[i].low, before->buckets.at[i].high, 1);
	for (size_t i = 0; i < after->buckets.count; i++)
		histogram_add(&both, after->buckets.at[i].low, after->buckets.at[i].high, 1);
	(void)!histogram_finish(&both);
	sink_printf(sink, "%*s %*s  before   after\n", VALUE_WIDTH, "from", VALUE_WIDTH, "to");
	for (size_t i = 0; i < both.buckets.count; i++) {
		const struct histogram_bucket *bin = &both.buckets.at[i];
		double was = share_of(before, bin->low);
		double is = share_of(after, bin->low);

		write_value(set, bin->low, scratch, sink);
		sink_char(sink, ' ');
		write_value(set, bin->high, scratch, sink);
		sink_printf(sink, " %6.2f%% %6.2f%% |", was * 100, is * 100);
		for (unsigned k = 0; k < BAR_WIDTH; k++) {
			bool has_was = k + 0.5 < was * scale;
			bool has_is = k + 0.5 < is * scale;

			sink_char(sink, has_was && has_is ? '='
					: has_was         ? '-'
					: has_is          ? '+'
							  : ' ');
		}
		sink_puts(sink, "|\n");
	}
	histogram_deinit(&both);
}

static void compare_row(const struct histogram_set *set, const struct named_histogram *after,
			const struct histogram *before,
			const struct histogram_text_options *options, struct sink *scratch,
			struct sink *sink)
{
	double largest = fmax(histogram_largest(before), histogram_largest(&after->histogram));
	struct histogram was;
	struct histogram is;

	sink_char(sink, '\n');
	write_name(after->name, sink);
	sink_puts(sink, ": ");
	number_grouped(sink, before->count);
	sink_puts(sink, " before, ");
	number_grouped(sink, after->histogram.count);
	sink_puts(sink, " after\n");
	histogram_bins(set, before, options->is_linear, largest, &was);
	histogram_bins(set, &after->histogram, options->is_linear, largest, &is);
	write_overlay(set, &was, &is, scratch, sink);
	histogram_deinit(&was);
	histogram_deinit(&is);
	sink_printf(sink, "       %*s%*s%*s  %g%% confidence\n", VALUE_WIDTH, "before", VALUE_WIDTH,
		    "after", VALUE_WIDTH, "change", HISTOGRAM_CONFIDENCE * 100);
	for (size_t i = 0; i < HISTOGRAM_QUANTILES; i++) {
		struct quantile_shift shift =
			quantile_shift_of(before, &after->histogram, histogram_quantiles[i].share,
					  HISTOGRAM_CONFIDENCE);

		write_shift(set, histogram_quantiles[i].name, &shift, scratch, sink);
	}
}

static void compare_json_row(const struct named_histogram *after, const struct histogram *before,
			     struct json *json)
{
	json_open_object(json, NULL);
	json_text(json, "name", after->name);
	json_u64(json, "before_count", before->count);
	json_u64(json, "after_count", after->histogram.count);
	for (size_t i = 0; i < HISTOGRAM_QUANTILES; i++) {
		struct quantile_shift shift =
			quantile_shift_of(before, &after->histogram, histogram_quantiles[i].share,
					  HISTOGRAM_CONFIDENCE);

		json_open_object(json, histogram_quantiles[i].name);
		json_number(json, "before", shift.before.value);
		json_number(json, "after", shift.after.value);
		json_number(json, "change", shift.change);
		json_range(json, "confidence", shift.low, shift.high);
		json_close_object(json);
	}
	json_close_object(json);
}

static void write_json_missing(const struct histogram_set *set, const struct histogram_set *other,
			       const char *key, struct json *json)
{
	json_open_array(json, key);
	for (size_t i = 0; i < set->rows.count; i++)
		if (!histogram_set_find(other, set->rows.at[i].name))
			json_text(json, NULL, set->rows.at[i].name);
	json_close_array(json);
}

static void write_missing(const struct histogram_set *set, const struct histogram_set *other,
			  const char *side, struct sink *sink)
{
	for (size_t i = 0; i < set->rows.count; i++)
		if (!histogram_set_find(other, set->rows.at[i].name)) {
			sink_printf(sink, "# only %s: ", side);
			write_name(set->rows.at[i].name, sink);
			sink_printf(sink, " (%" PRIu64 ")\n", set->rows.at[i].histogram.count);
		}
}

void histogram_text_compare(const struct histogram_set *before, const struct histogram_set *after,
			    const struct histogram_text_options *options, struct sink *sink)
{
	struct sink scratch;
	struct json json;

	sink_init_memory(&scratch);
	if (options->is_json) {
		open_json(after, &json, sink);
	} else {
		sink_puts(sink, "# ");
		escape_terminal(sink, after->what);
		sink_puts(sink, ": = both, - only before, + only after\n");
	}
	for (size_t i = 0; i < histogram_row_count(after, options->limit); i++) {
		const struct named_histogram *row = &after->rows.at[i];
		const struct histogram *was = histogram_set_find(before, row->name);

		if (was && options->is_json)
			compare_json_row(row, was, &json);
		else if (was)
			compare_row(after, row, was, options, &scratch, sink);
	}
	if (options->is_json) {
		json_close_array(&json);
		write_json_missing(before, after, "only_before", &json);
		write_json_missing(after, before, "only_after", &json);
		close_json(&json);
	} else {
		write_missing(before, after, "before", sink);
		write_missing(after, before, "after", sink);
	}
	sink_deinit(&scratch);
}
