/* SPDX-License-Identifier: MIT */
#include "render/report/report.h"

#include <criterion/criterion.h>
#include <jansson.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

/* Recursion that is direct (f;f), indirect (g;f;g), and through another module. */
static void make(struct profile_maker *maker)
{
	profile_maker_init(maker);
	profile_maker_module(maker, MODULE_FILE, "/bin/app");
	profile_maker_module(maker, MODULE_FILE, "/lib/lib.so");
	profile_maker_stack(maker, "app;main|1;f|1;f|1;f|1", 10);
	profile_maker_stack(maker, "app;main|1;f|1;g|2;f|1", 20);
	profile_maker_stack(maker, "app;main|1;g|2;f|1;g|2", 40);
	profile_maker_stack(maker, "app;main|1", 5);
	profile_maker_stack(maker, "bash;main|1;|2", 20);
	profile_maker_stack(maker, "bash;stray", 5);
	profile_maker_build(maker, NULL);
}

static const struct grouping by_symbol = { .by = { GROUP_SYMBOL }, .count = 1 };
static const struct grouping by_dso = { .by = { GROUP_DSO }, .count = 1 };
static const struct grouping by_comm = { .by = { GROUP_COMM }, .count = 1 };

static const struct grouping by_several = {
	.by = { GROUP_COMM, GROUP_DSO, GROUP_SYMBOL },
	.count = 3,
};
static const struct grouping by_symbol_comm = { .by = { GROUP_SYMBOL, GROUP_COMM }, .count = 2 };

static void expect_report(const struct profile_maker *maker, const struct report_options *options,
			  const char *expected)
{
	struct sink sink;

	sink_init_memory(&sink);
	report_write(&maker->profile, options, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s\nwanted:\n%s", sink.buffer, expected);
	sink_deinit(&sink);
}

Test(report, self_and_total)
{
	static const struct {
		struct report_options options;
		const char *expected;
	} rows[] = {
		{ { .columns = &by_symbol },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  symbol\n"
		  "  40.00%   60.00%  g  (/lib/lib.so)\n"
		  "  30.00%   70.00%  f  (/bin/app)\n"
		  "  20.00%   20.00%  [lib.so]  (/lib/lib.so)\n"
		  "   5.00%   95.00%  main  (/bin/app)\n"
		  "   5.00%    5.00%  stray\n" },
		{ { .columns = &by_symbol, .limit = 2 },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  symbol\n"
		  "  40.00%   60.00%  g  (/lib/lib.so)\n"
		  "  30.00%   70.00%  f  (/bin/app)\n" },
		{ { .columns = &by_dso },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  dso\n"
		  "  60.00%   80.00%  /lib/lib.so\n"
		  "  35.00%   95.00%  /bin/app\n"
		  "   5.00%    5.00%  stray\n" },
		{ { .columns = &by_comm },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  comm\n"
		  "  75.00%   75.00%  app\n"
		  "  25.00%   25.00%  bash\n" },
		{ { .columns = &by_symbol, .limit = 2, .order = REPORT_TOTAL_FIRST },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  symbol\n"
		  "   5.00%   95.00%  main  (/bin/app)\n"
		  "  30.00%   70.00%  f  (/bin/app)\n" },
		{ { .columns = &by_symbol, .least_percent = 20 },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  symbol\n"
		  "  40.00%   60.00%  g  (/lib/lib.so)\n"
		  "  30.00%   70.00%  f  (/bin/app)\n"
		  "  20.00%   20.00%  [lib.so]  (/lib/lib.so)\n" },
		{ { .columns = &by_dso, .order = REPORT_TOTAL_FIRST, .least_percent = 80.001 },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  dso\n"
		  "  35.00%   95.00%  /bin/app\n" },
		/* Columns are padded; a function has its file only if there is no DSO column. */
		{ { .columns = &by_several },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  comm  dso          symbol\n"
		  "  40.00%   60.00%  app   /lib/lib.so  g\n"
		  "  30.00%   70.00%  app   /bin/app     f\n"
		  "  20.00%   20.00%  bash  /lib/lib.so  [lib.so]\n"
		  "   5.00%   75.00%  app   /bin/app     main\n"
		  "   5.00%    5.00%  bash  stray        stray\n"
		  "   0.00%   20.00%  bash  /bin/app     main\n" },
		{ { .columns = &by_symbol_comm, .limit = 3 },
		  "# event cycles, 6 samples, total 100 events\n"
		  "#   self    total  symbol                   comm\n"
		  "  40.00%   60.00%  g  (/lib/lib.so)         app\n"
		  "  30.00%   70.00%  f  (/bin/app)            app\n"
		  "  20.00%   20.00%  [lib.so]  (/lib/lib.so)  bash\n" },
	};
	struct profile_maker maker;

	make(&maker);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_report(&maker, &rows[i].options, rows[i].expected);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

/* The output names the unit of its numbers. */
Test(report, says_what_samples_are_weighed_by)
{
	static const struct {
		struct weighing weighing;
		const char *total, *weighed_by, *unit;
	} rows[] = {
		{ { WEIGHING_PERIOD, { NULL, 0 } }, "total 7 events\n", "period", "events" },
		{ { WEIGHING_SAMPLES, { NULL, 0 } }, "total 1 sample\n", "samples", "samples" },
		{ { WEIGHING_COST, { NULL, 0 } },
		  "total 7 events of weight\n",
		  "weight",
		  "events" },
		{ { WEIGHING_FIELD, { "bytes", 5 } },
		  "total 7 bytes of bytes\n",
		  "bytes",
		  "bytes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		static const struct field field = { .name = { "bytes", 5 }, .size_bytes = 8 };
		const struct view view = { .weighing = rows[i].weighing,
					   .grouping = GROUPING_BY_COMM };
		struct profile_maker maker;
		struct sink sink;
		char expected[100];

		profile_maker_init(&maker);
		vec_push(&maker.profile.fields, field);
		maker.profile.events.at[0].field_count = 1;
		maker.profile.events.at[0].sample_type = SAMPLE_HAS_WEIGHT;
		profile_maker_stack(&maker, "app;f", 7);
		profile_maker_build(&maker, &view);
		sink_init_memory(&sink);
		report_write(&maker.profile,
			     &(struct report_options){ .columns = &by_symbol, .limit = 1 }, &sink);
		sink_char(&sink, '\0');
		cr_expect_not_null(strstr(sink.buffer, rows[i].total), "%s", sink.buffer);
		sink.used = 0;
		report_write(&maker.profile,
			     &(struct report_options){ .columns = &by_symbol,
						       .format = TABLE_FORMAT_JSON,
						       .limit = 1 },
			     &sink);
		sink_char(&sink, '\0');
		snprintf(expected, sizeof(expected), "\"weighed_by\": \"%s\",\n  \"unit\": \"%s\"",
			 rows[i].weighed_by, rows[i].unit);
		cr_expect_not_null(strstr(sink.buffer, expected), "%s", sink.buffer);
		sink_deinit(&sink);
		profile_maker_deinit(&maker);
	}
}

/* Stacks without a frame are counted if the columns are the keys by which stacks are grouped. */
Test(report, stacks_without_frames)
{
	static const struct grouping by_comm_symbol = {
		.by = { GROUP_COMM, GROUP_SYMBOL },
		.count = 2,
	};
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app", 30);
	profile_maker_stack(&maker, "app;main", 10);
	profile_maker_stack(&maker, "bash", 60);
	profile_maker_build(&maker, NULL);
	expect_report(&maker, &(struct report_options){ .columns = &by_comm_symbol },
		      "# event cycles, 3 samples, total 100 events\n"
		      "#   self    total  comm  symbol\n"
		      "  60.00%   60.00%  bash  [none]\n"
		      "  30.00%   30.00%  app   [none]\n"
		      "  10.00%   10.00%  app   main\n");
	profile_maker_deinit(&maker);
}

Test(report, nothing_to_report)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	expect_report(&maker, &(struct report_options){ .columns = &by_symbol },
		      "# event cycles, 0 samples, total 0 events\n"
		      "#   self    total  symbol\n");
	profile_maker_deinit(&maker);
}

/* A name from a capture must not steer the terminal. */
Test(report, names_are_escaped)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/bin/\x1b]0;a\x07");
	profile_maker_stack(&maker, "app;\x1b[31mred|1", 1);
	profile_maker_build(&maker, NULL);
	expect_report(&maker, &(struct report_options){ .columns = &by_symbol },
		      "# event cycles, 1 sample, total 1 event\n"
		      "#   self    total  symbol\n"
		      " 100.00%  100.00%  ?[31mred  (/bin/\\x1b]0;a\\x07)\n");
	profile_maker_deinit(&maker);
}

static uint64_t number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	cr_assert(json_is_integer(value), "%s", key);
	return (uint64_t)json_integer_value(value);
}

Test(report, json_says_the_same)
{
	static const struct {
		const char *symbol, *dso;
		uint64_t self, total;
	} expected[] = {
		{ "g", "/lib/lib.so", 40, 60 },
		{ "f", "/bin/app", 30, 70 },
		{ "[lib.so]", "/lib/lib.so", 20, 20 },
		{ "main", "/bin/app", 5, 95 },
		{ "stray", "", 5, 5 },
	};
	struct report_options options = { .columns = &by_symbol, .format = TABLE_FORMAT_JSON };
	struct profile_maker maker;
	struct sink sink;
	json_error_t json_error;
	json_t *root;

	make(&maker);
	sink_init_memory(&sink);
	report_write(&maker.profile, &options, &sink);
	root = json_loadb(sink.buffer, sink.used, 0, &json_error);
	cr_assert_not_null(root, "%s", json_error.text);
	cr_expect_str_eq(json_string_value(json_object_get(root, "event")), "cycles");
	cr_expect_str_eq(json_string_value(json_object_get(root, "unit")), "events");
	cr_expect_eq(number_of(root, "samples"), 6);
	cr_expect_eq(number_of(root, "total"), 100);
	cr_assert_eq(json_array_size(json_object_get(root, "rows")), ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const json_t *row = json_array_get(json_object_get(root, "rows"), i);

		cr_expect_str_eq(json_string_value(json_object_get(row, "symbol")),
				 expected[i].symbol);
		cr_expect_str_eq(json_string_value(json_object_get(row, "dso")), expected[i].dso);
		cr_expect_eq(number_of(row, "self"), expected[i].self, "row %zu", i);
		cr_expect_eq(number_of(row, "total"), expected[i].total, "row %zu", i);
	}
	json_decref(root);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}
