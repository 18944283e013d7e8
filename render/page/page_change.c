/* SPDX-License-Identifier: MIT */
#include "render/page/page_parts.h"

#include <math.h>

#include "diff/compare.h"
#include "profile/distribution.h"
#include "render/diff/captures_text.h"
#include "render/diff/diff_text.h"
#include "render/diff/headline_text.h"

/*
 * The number of first functions that have verdicts in a variant. Functions that changed also have
 * verdicts.
 */
#define FUNCTIONS_MAX 2000u

static const double confidences[] = { 0.9, 0.95, 0.99, 0.999 };

static const char *const normalisation_names[] = {
	[DIFF_BY_DEFAULT] = "total", [DIFF_BY_TOTAL] = "total",     [DIFF_BY_TIME] = "time",
	[DIFF_BY_CPU] = "cpu",       [DIFF_BY_SAMPLES] = "samples", [DIFF_BY_OPERATIONS] = "ops",
	[DIFF_BY_NOTHING] = "none",  [DIFF_BY_FACTOR] = "factor",
};

enum change_column {
	CHANGE_P,
	CHANGE_LOW,
	CHANGE_HIGH,
	CHANGE_SELF_LEAST,
	CHANGE_TOTAL_LEAST,
	CHANGE_TEXTS,
};

static const char *const text_names[] = {
	[CHANGE_P] = "change.p",
	[CHANGE_LOW] = "change.low",
	[CHANGE_HIGH] = "change.high",
	[CHANGE_SELF_LEAST] = "change.self_least",
	[CHANGE_TOTAL_LEAST] = "change.total_least",
};

/* The values of all variants, one after the other. */
struct change_values {
	VEC(uint32_t) frames, verdicts;
	VEC(double) values[CHANGE_TEXTS];
};

/*
 * Returns the number of standard deviations by which a row of the function must change to count as
 * changed, or 0 if the function did not change.
 */
static double least_of(const struct diff *diff, const struct diff_measure *measure,
		       const struct diff_estimate *estimate)
{
	const struct overdispersion *over = &estimate->overdispersion;

	if (!diff_verdict_is_change(measure->verdict))
		return 0;
	return distribution_student_quantile(1 - diff->options.confidence, over->freedom) *
	       sqrt(over->factor);
}

static uint32_t verdicts_of(const struct diff_function *function)
{
	uint32_t value = function->is_judged_by_self;

	value = value * DIFF_VERDICT_COUNT + (uint32_t)function->total.verdict;
	value = value * DIFF_VERDICT_COUNT + (uint32_t)function->self.verdict;
	return value * DIFF_VERDICT_COUNT + (uint32_t)function->verdict;
}

static void add_function(const struct diff *diff, const struct diff_function *function,
			 struct change_values *to)
{
	const struct diff_interval *points = &diff_judged_estimate(function)->points;
	const double values[] = {
		[CHANGE_P] = diff->is_graded ? diff_p_value(function) : NAN,
		[CHANGE_LOW] = diff->is_graded ? points->low : NAN,
		[CHANGE_HIGH] = diff->is_graded ? points->high : NAN,
		[CHANGE_SELF_LEAST] = least_of(diff, &function->self, &function->self_estimate),
		[CHANGE_TOTAL_LEAST] = least_of(diff, &function->total, &function->total_estimate),
	};

	vec_push(&to->frames, function->frame);
	vec_push(&to->verdicts, verdicts_of(function));
	for (size_t i = 0; i < CHANGE_TEXTS; i++)
		vec_push(&to->values[i], values[i]);
}

static void add_functions(const struct diff *diff, const diff_functions *functions,
			  struct change_values *to)
{
	for (size_t i = 0; i < functions->count; i++) {
		const struct diff_function *function = &functions->at[i];

		if (i < FUNCTIONS_MAX || diff_verdict_is_change(function->self.verdict) ||
		    diff_verdict_is_change(function->total.verdict))
			add_function(diff, function, to);
	}
}

static void add_variant(struct page_change *change, const struct diff *diff,
			struct change_values *values)
{
	struct page_variant variant = {
		.by = diff->options.normalising.by,
		.confidence = diff->options.confidence,
		.scale = (double)diff->exposure[DIFF_AFTER] / (double)diff->exposure[DIFF_BEFORE],
		.has_shares = diff_has_shares(diff),
	};
	size_t first = values->frames.count;

	add_functions(diff, &diff->functions, values);
	add_functions(diff, &diff->groups, values);
	variant.count = values->frames.count - first;
	sink_init_memory(&variant.headline);
	sink_init_memory(&variant.terms);
	headline_text_write(diff, sink_text, &variant.headline);
	diff_text_terms(diff, &variant.terms);
	vec_push(&change->variants, variant);
}

static void add_impossible(struct page_change *change, enum diff_normalisation by,
			   const struct error *reason)
{
	struct page_impossible impossible = {
		.by = by,
		.reason = memory_duplicate(reason->text, strlen(reason->text)),
	};

	vec_push(&change->impossible, impossible);
}

/* Lists the confidences that users can choose, including the requested one, in ascending order. */
static size_t list_confidences(double requested, double ret[ARRAY_SIZE(confidences) + 1])
{
	size_t count = 0;
	bool has_requested = false;

	for (size_t i = 0; i < ARRAY_SIZE(confidences); i++) {
		if (!has_requested && requested <= confidences[i]) {
			has_requested = true;
			if (requested < confidences[i])
				ret[count++] = requested;
		}
		ret[count++] = confidences[i];
	}
	if (!has_requested)
		ret[count++] = requested;
	return count;
}

static void compare_by(struct page_change *change, struct diff *diff, enum diff_normalisation by,
		       double requested, struct change_values *values)
{
	double list[ARRAY_SIZE(confidences) + 1];
	size_t count = diff->is_graded ? list_confidences(requested, list) : 1;
	struct error err;

	if (!diff->is_graded)
		list[0] = requested;
	for (size_t i = 0; i < count; i++) {
		if (!compare_again(diff, by, list[i], &err)) {
			add_impossible(change, by, &err);
			return;
		}
		if (by == diff->kept.normalising.by && !(list[i] < requested) &&
		    !(list[i] > requested))
			change->first = change->variants.count;
		add_variant(change, diff, values);
	}
}

static void write_value(struct page_columns *columns, size_t column, double value)
{
	char text[32];

	if (isnan(value))
		text[0] = '\0';
	else if (isinf(value))
		snprintf(text, sizeof(text), "Infinity");
	else if (column == CHANGE_LOW || column == CHANGE_HIGH)
		snprintf(text, sizeof(text), "%.2f", value);
	else
		snprintf(text, sizeof(text), "%.6g", value);
	page_columns_text(columns, text_of(text));
}

static void write_columns(const struct change_values *values, struct page_columns *columns)
{
	page_columns_begin(columns, "change.frame", false);
	for (size_t i = 0; i < values->frames.count; i++)
		page_columns_number(columns, values->frames.at[i]);
	page_columns_end(columns);
	page_columns_begin(columns, "change.verdicts", false);
	for (size_t i = 0; i < values->verdicts.count; i++)
		page_columns_number(columns, values->verdicts.at[i]);
	page_columns_end(columns);
	for (size_t column = 0; column < CHANGE_TEXTS; column++) {
		page_columns_begin(columns, text_names[column], true);
		for (size_t i = 0; i < values->values[column].count; i++)
			write_value(columns, column, values->values[column].at[i]);
		page_columns_end(columns);
	}
}

void page_change_init(struct page_change *change, struct diff *diff, struct page_columns *columns)
{
	static const enum diff_normalisation offered[] = { DIFF_BY_TOTAL, DIFF_BY_TIME, DIFF_BY_CPU,
							   DIFF_BY_NOTHING };
	enum diff_normalisation by = diff->kept.normalising.by;
	double requested = diff->options.confidence;
	struct change_values values = { 0 };
	bool is_offered = false;
	struct error err;

	*change = (struct page_change){ .diff = diff };
	for (size_t i = 0; i < ARRAY_SIZE(offered); i++) {
		is_offered |= offered[i] == by;
		compare_by(change, diff, offered[i], requested, &values);
	}
	if (!is_offered)
		compare_by(change, diff, by, requested, &values);
	(void)!compare_again(diff, by, requested, &err);
	write_columns(&values, columns);
	vec_free(&values.frames);
	vec_free(&values.verdicts);
	for (size_t i = 0; i < CHANGE_TEXTS; i++)
		vec_free(&values.values[i]);
}

void page_change_deinit(struct page_change *change)
{
	for (size_t i = 0; i < change->variants.count; i++) {
		sink_deinit(&change->variants.at[i].headline);
		sink_deinit(&change->variants.at[i].terms);
	}
	for (size_t i = 0; i < change->impossible.count; i++)
		memory_free(change->impossible.at[i].reason);
	vec_free(&change->variants);
	vec_free(&change->impossible);
}

static void write_side(const struct diff *diff, enum diff_side side, struct json *json)
{
	struct sink text;

	sink_init_memory(&text);
	json_open_object(json, NULL);
	captures_text_label(diff, side, sink_text, &text);
	json_text(json, "label", sink_memory(&text));
	json_u64(json, "total", diff->total[side]);
	json_u64(json, "samples", diff->sample_count[side]);
	json_u64(json, "runs", diff->run_count[side]);
	json_close_object(json);
	sink_deinit(&text);
}

/* Writes doubles exactly, unlike json_number, which writes only six digits. */
static void write_exactly(struct json *json, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.17g", value);
	json_text(json, key, text_of(text));
}

static void write_variants(const struct page_change *change, struct json *json)
{
	json_open_array(json, "variants");
	for (size_t i = 0; i < change->variants.count; i++) {
		const struct page_variant *variant = &change->variants.at[i];

		json_open_object(json, NULL);
		json_text(json, "normalise", text_of(normalisation_names[variant->by]));
		json_number(json, "confidence", variant->confidence);
		write_exactly(json, "scale", variant->scale);
		json_bool(json, "shares", variant->has_shares);
		json_u64(json, "count", variant->count);
		json_text(json, "headline", sink_memory(&variant->headline));
		json_text(json, "terms", sink_memory(&variant->terms));
		json_close_object(json);
	}
	json_close_array(json);
	json_u64(json, "first", change->first);
	json_open_array(json, "impossible");
	for (size_t i = 0; i < change->impossible.count; i++) {
		const struct page_impossible *impossible = &change->impossible.at[i];

		json_open_object(json, NULL);
		json_text(json, "normalise", text_of(normalisation_names[impossible->by]));
		json_text(json, "reason", text_of(impossible->reason));
		json_close_object(json);
	}
	json_close_array(json);
}

void page_change_json(const struct page_change *change, struct json *json)
{
	json_open_object(json, "comparison");
	json_bool(json, "graded", change->diff->is_graded);
	json_open_array(json, "sides");
	for (int side = 0; side < DIFF_SIDES; side++)
		write_side(change->diff, (enum diff_side)side, json);
	json_close_array(json);
	write_variants(change, json);
	json_close_object(json);
}
