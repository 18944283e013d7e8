/* SPDX-License-Identifier: MIT */
/* Checks with random pairs of profiles that all outputs agree about each function. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>

#include "base/attributes.h"
#include "diff/diff_cost.h"
#include "render/svg/diff_colour.h"
#include "render/diff/headline_text.h"
#include "render/diff/diff_output.h"
#include "render/svg/diff_svg.h"
#include "render/escape.h"
#include "tests/support/diff_maker.h"
#include "tests/support/random.h"
#include "tools/diff/diff_gate.h"

#define PAIRS         1000
#define FUNCTIONS_MAX 8

/* A dozen stacks of at most three functions each. */
static const char *const stacks[] = {
	"app;a",   "app;a;b", "app;a;b;c", "app;a;c", "app;d",    "app;d;b",
	"app;d;e", "app;f",   "app;f;f",   "app;g;a", "pool;g;h", "pool;h",
};

struct drawn {
	char texts[ARRAY_SIZE(stacks)][40];
	const char *lines[ARRAY_SIZE(stacks) + 1];
};

/* Draws few or many samples of each stack; one stack in three differs between the sides. */
static void draw(struct drawn *drawn, const uint32_t *means, struct random *random)
{
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		uint32_t samples = means[i] / 2 + random_below(random, means[i] + 1);

		if (!samples)
			continue;
		snprintf(drawn->texts[i], sizeof(drawn->texts[i]), "%s %u", stacks[i], samples);
		drawn->lines[count++] = drawn->texts[i];
	}
	if (!count)
		drawn->lines[count++] = "app;a 1";
	drawn->lines[count] = NULL;
}

static void compare(struct diff *diff, struct random *random)
{
	static const enum diff_normalisation ways[] = { DIFF_BY_TOTAL, DIFF_BY_TOTAL,
							DIFF_BY_NOTHING, DIFF_BY_OPERATIONS };
	struct diff_options options = diff_maker_defaults;
	uint32_t scale = 1u << random_below(random, 8);
	uint32_t means[DIFF_SIDES][ARRAY_SIZE(stacks)];
	bool has_times;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		means[DIFF_BEFORE][i] = random_below(random, 4) * scale / 2;
		means[DIFF_AFTER][i] = random_below(random, 3) ? means[DIFF_BEFORE][i]
							       : random_below(random, 8) * scale;
	}
	options.run_count = 2 + random_below(random, 4);
	options.normalising = (struct diff_normalising){
		.by = ways[random_below(random, ARRAY_SIZE(ways))],
		.operations = { 1 + random_below(random, 1000), 1 + random_below(random, 1000) },
	};
	has_times = random_below(random, 2);
	diff_init(diff, &options);
	for (uint32_t run = 0; run < options.run_count; run++) {
		enum diff_side side = run < options.run_count / 2 ? DIFF_BEFORE : DIFF_AFTER;
		struct drawn drawn;

		draw(&drawn, means[side], random);
		diff_maker_add(diff, drawn.lines, side);
		if (has_times)
			diff->runs.at[run].time_ns = 1 + random_below(random, 1000000000);
	}
	cr_assert(compare_finish(diff, &err));
}

static enum diff_verdict verdict_of(const char *name)
{
	for (int i = 0; i < DIFF_VERDICT_COUNT; i++)
		if (strcmp(diff_verdict_name((enum diff_verdict)i), name) == 0)
			return (enum diff_verdict)i;
	return DIFF_VERDICT_COUNT;
}

static double bound(const json_t *measure, const char *unit, size_t end)
{
	const json_t *interval = json_object_get(json_object_get(measure, "interval"), unit);
	const json_t *value = json_array_get(interval, end);

	return json_is_null(value) ? INFINITY : json_number_value(value);
}

/* Intervals contain the change, or 0 if there is none. */
static void check_measure(const json_t *measure, int pair)
{
	static const char *const units[] = { "points", "percent" };
	enum diff_verdict verdict =
		verdict_of(json_string_value(json_object_get(measure, "verdict")));

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		double low = bound(measure, units[i], 0);
		double high = bound(measure, units[i], 1);
		const json_t *change = json_object_get(measure, units[i]);
		double observed = json_is_null(change) ? INFINITY : json_number_value(change);

		cr_expect_leq(low, observed + 1e-4 * fabs(observed) + 1e-9, "pair %d: %g, %g", pair,
			      low, observed);
		cr_expect(isinf(high) || high >= observed - 1e-4 * fabs(observed) - 1e-9,
			  "pair %d: %g %g", pair, observed, high);
		if (verdict == DIFF_SHIFTED) {
			cr_expect(low > 0 || high < 0, "pair %d: [%g, %g]", pair, low, high);
			continue;
		}
		cr_expect_eq(low > 0, verdict == DIFF_MORE, "pair %d: [%g, %g]", pair, low, high);
		cr_expect_eq(high < 0, verdict == DIFF_LESS, "pair %d: [%g, %g]", pair, low, high);
	}
	if (verdict == DIFF_UNCHANGED) {
		cr_expect_geq(bound(measure, "points", 0), -0.5 - 1e-6);
		cr_expect_leq(bound(measure, "points", 1), 0.5 + 1e-6);
	}
}

static json_t *check_json(const struct diff *diff, int pair)
{
	struct sink sink;
	json_t *json;

	sink_init_memory(&sink);
	diff_json_write(diff, 0, &sink);
	json = json_loadb(sink.buffer, sink.used, JSON_REJECT_DUPLICATES, NULL);
	cr_assert(json);
	sink_deinit(&sink);
	cr_assert_eq(json_array_size(json_object_get(json, "functions")), diff->functions.count);
	for (size_t i = 0; i < diff->functions.count; i++) {
		const json_t *row = json_array_get(json_object_get(json, "functions"), i);

		check_measure(json_object_get(row, "self"), pair);
		check_measure(json_object_get(row, "total"), pair);
	}
	return json;
}

/* Copies into line the first line that contains the mark. A mark can contain a line end. */
static bool find_line(const struct sink *sink, const char *mark, char line[400])
{
	const char *found = memmem(sink->buffer, sink->used, mark, strlen(mark));
	const char *begin = found;
	const char *end;

	if (!found)
		return false;
	end = memchr(found + 1, '\n', (size_t)(sink->buffer + sink->used - found - 1));
	while (begin > sink->buffer && begin[-1] != '\n')
		begin--;
	snprintf(line, 400, "%.*s", (int)(end - begin), begin);
	return true;
}

static void check_texts(const struct diff *diff, const json_t *json, int pair)
{
	struct sink table;
	struct sink markdown;
	char line[400];

	sink_init_memory(&table);
	sink_init_memory(&markdown);
	diff_table_write(diff, 0, &table);
	diff_markdown_write(diff, 0, &markdown);
	for (size_t i = 0; i < diff->functions.count; i++) {
		const json_t *row = json_array_get(json_object_get(json, "functions"), i);
		const char *name = json_string_value(json_object_get(row, "name"));
		const char *verdict = json_string_value(json_object_get(row, "verdict"));
		bool has_changed = json_is_true(json_object_get(row, "significant"));
		char mark[40];

		snprintf(mark, sizeof(mark), " %s\n", name);
		cr_assert(find_line(&table, mark, line), "pair %d: %s", pair, mark);
		snprintf(mark, sizeof(mark), "] %-10s ", verdict);
		cr_expect(strstr(line, mark), "pair %d: %s", pair, line);
		cr_expect_eq(strchr(line, '*') != NULL, has_changed, "pair %d: %s", pair, line);
		cr_expect_eq(diff_verdict_is_change(verdict_of(verdict)), has_changed);
		snprintf(mark, sizeof(mark), "| `%s` |", name);
		cr_expect_eq(find_line(&markdown, mark, line), has_changed, "pair %d: %s", pair,
			     name);
		snprintf(mark, sizeof(mark), "| %s (p", verdict);
		cr_expect(!has_changed || strstr(line, mark), "pair %d: %s", pair, line);
	}
	sink_deinit(&table);
	sink_deinit(&markdown);
}

/* The colour of every coloured frame agrees with the direction of its function. */
static void check_rows(const struct diff *diff, int pair)
{
	for (size_t row = 1; row < diff->profile.stacks.count; row++) {
		const struct diff_row *own = &diff->rows[row];
		const struct diff_function *function = NULL;
		uint8_t colour = diff_colour_index(diff, &own->total, &own->total);

		for (size_t i = 0; i < diff->functions.count && !function; i++)
			if (diff->functions.at[i].frame == diff->profile.stacks.at[row].frame.i)
				function = &diff->functions.at[i];
		for (size_t i = 0; i < diff->groups.count && !function; i++)
			if (diff->groups.at[i].frame == diff->profile.stacks.at[row].frame.i)
				function = &diff->groups.at[i];
		cr_assert(function);
		if (colour != DIFF_COLOUR_SAME)
			cr_expect_eq(function->total.verdict,
				     colour > DIFF_COLOUR_SAME ? DIFF_MORE : DIFF_LESS,
				     "pair %d, row %zu", pair, row);
		if (diff_verdict_is_change(own->self.verdict))
			cr_expect_eq(function->self.verdict, own->self.verdict, "pair %d, row %zu",
				     pair, row);
	}
}

/* A gate of 0 % is exceeded by functions that grew, and by no others. */
static void check_gates(const struct diff *diff, int pair)
{
	bool has_any = false;

	for (size_t i = 0; i < diff->functions.count; i++) {
		const struct diff_function *function = &diff->functions.at[i];
		struct settings settings = { .is_quiet = true };
		struct text name =
			profile_frame_name(&diff->profile, (frame_id){ function->frame });
		char limits[2][40];

		snprintf(limits[0], sizeof(limits[0]), "=%.*s>0pp", (int)name.length, name.at);
		snprintf(limits[1], sizeof(limits[1]), "=%.*s>0%%", (int)name.length, name.at);
		for (size_t k = 0; k < ARRAY_SIZE(limits); k++) {
			vec_push(&settings.diff.limits, limits[k]);
			cr_expect_eq(diff_gates_check(&settings, diff) == EXIT_REGRESSED,
				     function->total.verdict == DIFF_MORE, "pair %d: %s", pair,
				     limits[k]);
			settings.diff.limits.count = 0;
		}
		vec_free(&settings.diff.limits);
		has_any |=
			function->total.verdict == DIFF_MORE || function->self.verdict == DIFF_MORE;
	}
	if (diff->functions.count) {
		struct settings settings = { .is_quiet = true };

		vec_push(&settings.diff.limits, "any>0pp");
		cr_expect_eq(diff_gates_check(&settings, diff) == EXIT_REGRESSED, has_any,
			     "pair %d: any", pair);
		vec_free(&settings.diff.limits);
	}
}

static double total_bound(const json_t *total, size_t end)
{
	return json_number_value(json_array_get(json_object_get(total, "interval"), end));
}

/* The headline, the JSON output and gates have the same total. */
static void check_total(const struct diff *diff, const json_t *json, int pair)
{
	const json_t *headline = json_object_get(json, "headline");
	const json_t *total = json_object_get(headline, "total");
	const json_t *other = json_object_get(json, "total");
	const char *text = json_string_value(json_object_get(headline, "text"));
	struct settings settings = { .is_quiet = true };
	char percent[40];
	enum diff_verdict verdict;

	cr_assert_eq(total != NULL, diff_has_costs(diff), "pair %d", pair);
	if (!total) {
		cr_expect(strstr(text, "shares only"), "pair %d: %s", pair, text);
		return;
	}
	verdict = verdict_of(json_string_value(json_object_get(total, "verdict")));
	cr_expect_str_eq(json_string_value(json_object_get(other, "verdict")),
			 diff_verdict_name(verdict));
	for (size_t end = 0; end < 2; end++)
		cr_expect_eq(total_bound(total, end), total_bound(other, end));
	vec_push(&settings.diff.limits, "total>0%");
	cr_expect_eq(diff_gates_check(&settings, diff) == EXIT_REGRESSED, verdict == DIFF_MORE,
		     "pair %d: %s", pair, text);
	vec_free(&settings.diff.limits);
	snprintf(percent, sizeof(percent), " %+.1f%% [", diff->overall_percent);
	cr_expect_eq(strstr(text, percent) == NULL, verdict == DIFF_UNCHANGED, "pair %d: %s", pair,
		     text);
	cr_expect_eq(total_bound(total, 0) > 0, verdict == DIFF_MORE, "pair %d: %s", pair, text);
	cr_expect_eq(total_bound(total, 1) < 0, verdict == DIFF_LESS, "pair %d: %s", pair, text);
}

/* The changes that the headline counts and names are those of the table. */
static void check_parts(const struct diff *diff, const json_t *json, int pair)
{
	const struct diff_headline *headline = &diff->headline;
	const json_t *functions = json_object_get(json, "functions");
	bool has_explained =
		headline->story == DIFF_STORY_EXPLAINED || headline->story == DIFF_STORY_MOVED;
	size_t changed = 0;
	size_t shifted = 0;

	for (size_t i = 0; i < diff->functions.count; i++) {
		const json_t *row = json_array_get(functions, i);

		changed += json_is_true(json_object_get(row, "significant"));
		shifted += diff->functions.at[i].verdict == DIFF_SHIFTED;
	}
	cr_expect_eq(headline->story == DIFF_STORY_NOTHING, !changed, "pair %d", pair);
	cr_expect_leq(headline->count, changed, "pair %d", pair);
	cr_expect_eq(headline->shifted_count, shifted, "pair %d", pair);
	for (size_t i = 0; i < headline->part_count && headline->count; i++) {
		const struct diff_headline_part *part = &headline->parts[i];

		cr_expect(json_is_true(
			json_object_get(json_array_get(functions, part->function), "significant")));
		cr_expect(part->interval.low <= part->points &&
				  part->points <= part->interval.high &&
				  (part->interval.low > 0 || part->interval.high < 0),
			  "pair %d: %g [%g, %g]", pair, part->points, part->interval.low,
			  part->interval.high);
	}
	cr_expect_neq(has_explained, isnan(headline->explained), "pair %d", pair);
	cr_expect(!has_explained || (headline->explained >= 0 && headline->explained <= 100),
		  "pair %d: %g", pair, headline->explained);
}

/* All outputs begin with the headline, which is one sentence. */
static void check_headline(const struct diff *diff, const json_t *json, int pair)
{
	const char *text =
		json_string_value(json_object_get(json_object_get(json, "headline"), "text"));
	struct sink outputs[2];
	struct sink marked;

	check_total(diff, json, pair);
	check_parts(diff, json, pair);
	sink_init_memory(&marked);
	headline_text_write(diff, escape_markdown_code, &marked);
	sink_char(&marked, '\0');
	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++)
		sink_init_memory(&outputs[i]);
	diff_table_write(diff, 0, &outputs[0]);
	diff_markdown_write(diff, 0, &outputs[1]);
	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++)
		sink_char(&outputs[i], '\0');
	cr_expect_eq(strncmp(outputs[0].buffer + 2, text, strlen(text)), 0, "pair %d: %s", pair,
		     outputs[0].buffer);
	cr_expect_eq(strncmp(outputs[1].buffer + 2, marked.buffer, marked.used - 1), 0,
		     "pair %d: %s", pair, outputs[1].buffer);
	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++)
		sink_deinit(&outputs[i]);
	sink_deinit(&marked);
}

/* The static SVG describes each frame with the data of its row. */
static void check_svg(const struct diff *diff, int pair)
{
	struct diff_svg_options options = { .width_by = DIFF_WIDTH_LARGER };
	bool has_colour = false;
	struct sink headline;
	struct sink sink;

	sink_init_memory(&headline);
	svg_options_init(&options.svg);
	sink_init_memory(&sink);
	diff_svg_write(diff, &options, &sink);
	sink_char(&sink, '\0');
	for (size_t row = 1; row < diff->profile.stacks.count; row++)
		has_colour |= diff_verdict_is_change(diff->rows[row].total.verdict);
	headline_text_write(diff, sink_text, &headline);
	sink_char(&headline, '\0');
	cr_expect(strstr(sink.buffer, headline.buffer), "pair %d", pair);
	sink_deinit(&headline);
	cr_expect_eq(strstr(sink.buffer, "&#10;more (p = ") ||
			     strstr(sink.buffer, "&#10;less (p = "),
		     has_colour, "pair %d", pair);
	sink_deinit(&sink);
}

Test(diff_agreement, all_outputs_say_the_same)
{
	struct random random = { .state = 20261122 };
	int changed = 0;

	for (int pair = 0; pair < PAIRS; pair++) {
		struct diff diff;
		json_t *json;

		compare(&diff, &random);
		json = check_json(&diff, pair);
		check_texts(&diff, json, pair);
		check_rows(&diff, pair);
		check_gates(&diff, pair);
		check_headline(&diff, json, pair);
		if (pair % 10 == 0)
			check_svg(&diff, pair);
		for (size_t i = 0; i < diff.functions.count; i++)
			changed += diff_verdict_is_change(diff.functions.at[i].verdict);
		json_decref(json);
		diff_deinit(&diff);
	}
	/* Some functions changed, and some did not. */
	cr_expect_gt(changed, PAIRS / 2);
	cr_expect_lt(changed, PAIRS * FUNCTIONS_MAX / 2);
}
