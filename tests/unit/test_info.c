/* SPDX-License-Identifier: MIT */
#include "render/text/info.h"

#include <criterion/criterion.h>
#include <jansson.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

static void set_fact(struct profile *profile, enum fact fact, const char *value)
{
	profile->facts[fact] =
		strings_get(profile->strings, strings_intern_text(profile->strings, value));
}

static struct module *add_file(struct profile_maker *maker, const char *path, uint32_t places,
			       uint32_t named, enum match_status match)
{
	struct module *module =
		modules_get(maker->profile.modules, profile_maker_module(maker, MODULE_FILE, path));

	module->location_count = places;
	module->named_count = named;
	module->match = match;
	return module;
}

static void make(struct profile_maker *maker)
{
	struct profile *profile = &maker->profile;
	struct module *module;

	profile_maker_init(maker);
	profile->events.at[0].sample_period = 4000;
	profile->events.at[0].is_frequency = true;
	profile_maker_stack(maker, "app;main", 1234567);
	profile_maker_event(maker, "task-clock", UNIT_NANOSECONDS);
	profile->events.at[1].sample_period = 1000000;
	profile->events.at[1].has_callchain = false;
	for (unsigned i = 0; i < 3; i++) {
		struct profile_event *event;

		profile_maker_event(maker, "branchy", UNIT_EVENTS);
		event = &profile->events.at[2 + i];
		event->has_callchain = false;
		event->has_branches = true;
		event->has_branch_calls = i == 2;
		event->branches = (struct branch_counts){ 1200, i ? 0 : 1099, i ? 0 : 100, 1 };
	}
	set_fact(profile, FACT_HOST, "db7");
	set_fact(profile, FACT_COMMAND_LINE, "perf record -- ./a\x1b[2J \"b\"");
	profile->losses[LOSS_RECORDS] = 1700;
	profile->losses[LOSS_UNKNOWN_IDS] = 1;
	profile->partial_reason = "cut off (at byte 77)";
	profile->first_time_ns = 5;
	profile->last_time_ns = 1500005;
	add_file(maker, "/bin/few", 1, 0, MATCH_MISSING)->reason =
		strings_intern_text(profile->strings, "no such file");
	module = add_file(maker, "/bin/many", 20, 19, MATCH_VERIFIED);
	module->build_id =
		(struct build_id){ .bytes = { 0xab, 0x01, 2, 3, 4, 5, 6, 0xff }, .size_bytes = 8 };
	module->symbol_file = strings_intern_text(profile->strings, "/sym/many.debug");
	add_file(maker, "/bin/few too", 1, 1, MATCH_UNVERIFIED);
	add_file(maker, "/bin/untouched", 0, 0, MATCH_NOT_NEEDED);
	profile_maker_build(maker, NULL);
}

Test(info, text)
{
	/* The output has these blocks in this order, with other lines between them. */
	static const char *const blocks[] = {
		"host             db7\n"
		"command line     perf record -- ./a\\x1b[2J \"b\"\n"
		"time span        1.50 ms\n"
		"samples          1\n",

		"\nevents\n"
		"  cycles: 1 sample, 1,234,567 events, 4000 Hz, callchains\n"
		"  task-clock: 0 samples, every 1000000\n"
		"  branchy: 0 samples\n"
		"    1,200 branches, 100 mispredicted (8.34%), 1 abort\n"
		"  branchy: 0 samples\n"
		"    1,200 branches, 1 abort\n"
		"  branchy: 0 samples, callchains from branch records\n",

		"\nlosses\n  cut off (at byte 77)\n  1,700 records lost while recording\n  1 "
		"sample with an unknown event id\n\n",

		"files\n"
		"   share    addrs   named  match        path\n"
		"   0.00%       20      19  verified     /bin/many\n"
		"                                        build-id ab010203040506ff\n"
		"                                        symbols from /sym/many.debug\n"
		"   0.00%        1       0  missing      /bin/few\n"
		"                                        no such file\n"
		"   0.00%        1       1  unverified   /bin/few too\n",
	};
	struct profile_maker maker;
	struct sink sink;
	const char *at;

	make(&maker);
	sink_init_memory(&sink);
	info_write_text(&maker.profile, NULL, false, &sink);
	sink_char(&sink, '\0');
	at = sink.buffer;
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		const char *found = strstr(at, blocks[i]);

		cr_assert_not_null(found, "%s\nis not followed by:\n%s", at, blocks[i]);
		at = found + strlen(blocks[i]);
	}
	cr_expect_str_eq(at, "", "nothing is behind the files");
	cr_expect_null(strstr(sink.buffer, "untouched"));
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

Test(info, an_empty_profile)
{
	struct profile_maker maker;
	struct sink sink;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	sink_init_memory(&sink);
	info_write_text(&maker.profile, NULL, false, &sink);
	sink_char(&sink, '\0');
	cr_expect_not_null(strstr(sink.buffer, "samples          0\n"), "%s", sink.buffer);
	cr_expect_not_null(strstr(sink.buffer, "losses          none\n"), "%s", sink.buffer);
	cr_expect_null(strstr(sink.buffer, "time span"));
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
}

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	cr_assert_not_null(text, "%s", key);
	return text;
}

Test(info, json)
{
	struct profile_maker maker;
	struct sink sink;
	json_error_t json_error;
	const json_t *row;
	json_t *root;

	make(&maker);
	sink_init_memory(&sink);
	info_write_json(&maker.profile, NULL, &sink);
	root = json_loadb(sink.buffer, sink.used, 0, &json_error);
	cr_assert_not_null(root, "%s", json_error.text);
	row = json_object_get(root, "capture");
	cr_expect_str_eq(text_at(row, "host"), "db7");
	cr_expect_str_eq(text_at(row, "command_line"), "perf record -- ./a\x1b[2J \"b\"");
	cr_expect_null(json_object_get(row, "arch"));
	cr_expect_eq(json_integer_value(json_object_get(root, "last_time_ns")), 1500005);
	cr_assert_eq(json_array_size(json_object_get(root, "events")), 5);
	row = json_array_get(json_object_get(root, "events"), 4);
	cr_expect(json_is_true(json_object_get(row, "callchains_by_branches")));
	cr_expect_null(json_object_get(row, "branches"));
	row = json_object_get(json_array_get(json_object_get(root, "events"), 2), "branches");
	cr_expect_eq(json_integer_value(json_object_get(row, "count")), 1200);
	cr_expect_eq(json_integer_value(json_object_get(row, "predicted")), 1099);
	cr_expect_eq(json_integer_value(json_object_get(row, "mispredicted")), 100);
	cr_expect_eq(json_integer_value(json_object_get(row, "aborts")), 1);
	row = json_array_get(json_object_get(root, "events"), 0);
	cr_expect_eq(json_integer_value(json_object_get(row, "frequency_hz")), 4000);
	cr_expect_eq(json_integer_value(json_object_get(row, "period_sum")), 1234567);
	row = json_object_get(root, "losses");
	cr_expect_eq(json_integer_value(json_object_get(row, "records_lost")), 1700);
	cr_expect_eq(json_object_size(row), LOSS_KIND_COUNT);
	cr_expect(json_is_true(json_object_get(root, "partial")));
	cr_expect_str_eq(text_at(root, "partial_reason"), "cut off (at byte 77)");
	cr_assert_eq(json_array_size(json_object_get(root, "files")), 3);
	row = json_array_get(json_object_get(root, "files"), 0);
	cr_expect_str_eq(text_at(row, "path"), "/bin/many");
	cr_expect_str_eq(text_at(row, "build_id"), "ab010203040506ff");
	cr_expect_str_eq(text_at(row, "match_status"), "verified");
	cr_expect_eq(json_integer_value(json_object_get(row, "named")), 19);
	json_decref(root);
	sink_deinit(&sink);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}
