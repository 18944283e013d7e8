/* SPDX-License-Identifier: MIT */
#include "profile/selection/selection.h"

#include <criterion/criterion.h>

#include "tests/support/profile_maker.h"

Test(selection, numbers)
{
	static const struct {
		const char *text;
		bool is_good;
		uint64_t inside, outside;
	} rows[] = {
		{ "3", true, 3, 4 },
		{ "0-3,7", true, 7, 4 },
		{ "0-3,7", true, 2, 8 },
		{ "4294967295", true, 4294967295u, 0 },
		{ "", false, 0, 0 },
		{ "x", false, 0, 0 },
		{ "-1", false, 0, 0 },
		{ "3-1", false, 0, 0 },
		{ "1,", false, 0, 0 },
		{ "1;2", false, 0, 0 },
		{ "99999999999999999999", false, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		selection_ranges ranges = { 0 };
		struct error err = { .code = ERROR_NONE };

		cr_expect_eq(selection_parse_numbers("cpu", rows[i].text, &ranges, &err),
			     rows[i].is_good, "\"%s\"", rows[i].text);
		if (rows[i].is_good) {
			cr_expect(selection_has_number(&ranges, rows[i].inside), "%s",
				  rows[i].text);
			cr_expect_not(selection_has_number(&ranges, rows[i].outside), "%s",
				      rows[i].text);
		} else {
			cr_expect_eq(err.code, ERROR_USAGE);
		}
		vec_free(&ranges);
	}
}

static bool takes(const struct selection *selection, uint32_t pid, uint32_t tid, uint32_t cpu,
		  uint64_t time_ns, const char *comm)
{
	struct event event = { .kind = EVENT_SAMPLE, .has_time = true, .time_ns = time_ns };

	event.sample.present = SAMPLE_HAS_TID | SAMPLE_HAS_CPU;
	event.sample.pid = pid;
	event.sample.tid = tid;
	event.sample.cpu = cpu;
	return selection_includes(
		selection, &(struct selection_subject){ &event, text_of(comm), text_of("make") });
}

Test(selection, samples)
{
	struct selection selection = { 0 };
	struct error err;

	cr_expect(takes(&selection, 0, 0, 0, 0, ""));
	cr_expect(takes(NULL, 1, 2, 3, 4, "a"));
	selection.no_idle = true;
	cr_expect_not(takes(&selection, 0, 0, 0, 0, "swapper"));
	cr_assert(name_patterns_parse("comm", "make,cc1", &selection.comms, &err));
	cr_expect(takes(&selection, 7, 8, 0, 0, "cc1"));
	cr_expect_not(takes(&selection, 7, 8, 0, 0, "cc1plus"));
	cr_assert(selection_parse_numbers("tid", "8", &selection.tids, &err));
	cr_expect_not(takes(&selection, 7, 9, 0, 0, "cc1"));
	cr_assert(selection_parse_numbers("cpu", "0-1", &selection.cpus, &err));
	cr_expect_not(takes(&selection, 7, 8, 2, 0, "cc1"));
	cr_assert(name_patterns_parse("process", "m?ke", &selection.processes, &err));
	cr_expect(takes(&selection, 7, 8, 1, 0, "cc1"));
	selection.processes.at[0].text = text_of("ld");
	selection.processes.at[0].kind = NAME_LITERAL;
	cr_expect_not(takes(&selection, 7, 8, 1, 0, "cc1"));
	selection.processes.count = 0;
	vec_push(&selection.times_ns, (struct selection_range){ 1000000000, 2000000000 });
	cr_expect_not(takes(&selection, 7, 8, 1, 0, "cc1"));
	cr_expect(takes(&selection, 7, 8, 1, 2000000000, "cc1"));
	selection_deinit(&selection);
}

Test(selection, labels)
{
	static const struct event_label labels[] = { { { "host", 4 }, { "web-1", 5 } },
						     { { "release", 7 }, { "42", 2 } } };
	static const struct {
		const char *key, *values;
		bool selects_rest, is_taken;
	} rows[] = {
		{ "host", "web-*", false, true },    { "host", "web-2", false, false },
		{ "host", "web-1", true, false },    { "host", "web-2", true, true },
		{ "release", "41,42", false, true }, { "zone", "a", false, false },
		{ "zone", "a", true, true },
	};
	struct event_text_sample text = { .labels = labels, .label_count = 2 };
	struct event event = { .kind = EVENT_SAMPLE, .sample.text = &text };
	struct selection_subject subject = { .event = &event };
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection = { 0 };

		cr_assert(selection_add_label(&selection, text_of("host"), "web-1", false, &err));
		cr_assert(selection_add_label(&selection, text_of(rows[i].key), rows[i].values,
					      rows[i].selects_rest, &err));
		cr_expect_eq(selection_includes(&selection, &subject), rows[i].is_taken, "row %zu",
			     i);
		selection_deinit(&selection);
	}
}

/* Samples of most texts have neither a thread nor a CPU; zero means that they are unknown. */
Test(selection, what_samples_do_not_say_is_no_number)
{
	struct event event = { .kind = EVENT_SAMPLE };
	struct selection_subject subject = { .event = &event };
	selection_ranges all = { 0 };

	vec_push(&all, (struct selection_range){ 0, UINT64_MAX });
	cr_expect(selection_includes(&(struct selection){ .no_idle = true }, &subject));
	cr_expect_not(selection_includes(&(struct selection){ .cpus = all }, &subject));
	cr_expect_not(selection_includes(&(struct selection){ .pids = all }, &subject));
	cr_expect_not(selection_includes(&(struct selection){ .tids = all }, &subject));
	cr_expect_not(selection_includes(&(struct selection){ .times_ns = all }, &subject));
	vec_free(&all);
}

Test(selection, modes)
{
	struct selection selection = { .user_only = true };

	cr_expect(selection_includes_mode(&selection, CPU_MODE_USER));
	cr_expect_not(selection_includes_mode(&selection, CPU_MODE_KERNEL));
	cr_expect(selection_includes_mode(&selection, CPU_MODE_UNKNOWN));
	selection = (struct selection){ .kernel_only = true };
	cr_expect_not(selection_includes_mode(&selection, CPU_MODE_USER));
	cr_expect(selection_includes_mode(&selection, CPU_MODE_KERNEL));
}

Test(selection, leaves)
{
	static const struct {
		const char *dsos, *symbols;
		bool user_only;
		unsigned taken; /* a bit each: f and g of /lib/libc.so.6, f of /bin/app, no frame */
	} rows[] = {
		{ NULL, NULL, false, 15 },  { NULL, NULL, true, 7 },
		{ "app", NULL, false, 4 },  { "libc.so.6,/bin/app", NULL, false, 7 },
		{ "/bin", NULL, false, 0 }, { NULL, "f", false, 5 },
		{ "app", "g", false, 0 },   { "/lib/libc.so.6", "g,h", false, 2 },
		{ "lib*", NULL, false, 3 }, { NULL, "/^[gh]$/", false, 2 },
	};
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/lib/libc.so.6");
	profile_maker_module(&maker, MODULE_FILE, "/bin/app");
	profile_maker_stack(&maker, "x;f|1;g|1;f|2", 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection = { .user_only = rows[i].user_only };
		struct error err;

		if (rows[i].dsos)
			cr_assert(name_patterns_parse("dso", rows[i].dsos, &selection.dsos, &err));
		if (rows[i].symbols)
			cr_assert(name_patterns_parse("symbol", rows[i].symbols, &selection.symbols,
						      &err));
		for (uint32_t k = 0; k < 4; k++) {
			location_id leaf = k < 3 ? (location_id){ k } : LOCATION_NONE;

			cr_expect_eq(selection_includes_leaf(&selection, &maker.profile,
							     &maker.locations, leaf),
				     rows[i].taken >> k & 1, "row %zu, place %u", i, k);
		}
		selection_deinit(&selection);
	}
	cr_expect(selection_includes_leaf(NULL, &maker.profile, &maker.locations, LOCATION_NONE));
	profile_maker_deinit(&maker);
}
