/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "profile/selection.h"

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

	event.sample.pid = pid;
	event.sample.tid = tid;
	event.sample.cpu = cpu;
	return selection_takes(selection, &event, text_of(comm));
}

Test(selection, samples)
{
	struct selection selection = { 0 };
	struct error err;

	cr_expect(takes(&selection, 0, 0, 0, 0, ""));
	cr_expect(takes(NULL, 1, 2, 3, 4, "a"));
	selection.no_idle = true;
	cr_expect_not(takes(&selection, 0, 0, 0, 0, "swapper"));
	selection_parse_names("make,cc1", &selection.comms);
	cr_expect(takes(&selection, 7, 8, 0, 0, "cc1"));
	cr_expect_not(takes(&selection, 7, 8, 0, 0, "cc1plus"));
	cr_assert(selection_parse_numbers("tid", "8", &selection.tids, &err));
	cr_expect_not(takes(&selection, 7, 9, 0, 0, "cc1"));
	cr_assert(selection_parse_numbers("cpu", "0-1", &selection.cpus, &err));
	cr_expect_not(takes(&selection, 7, 8, 2, 0, "cc1"));
	vec_push(&selection.times_ns, (struct selection_range){ 1000000000, 2000000000 });
	cr_expect_not(takes(&selection, 7, 8, 1, 0, "cc1"));
	cr_expect(takes(&selection, 7, 8, 1, 2000000000, "cc1"));
	selection_deinit(&selection);
}

Test(selection, modes_and_leaves)
{
	struct selection selection = { .user_only = true };

	cr_expect(selection_takes_mode(&selection, CPU_MODE_USER));
	cr_expect_not(selection_takes_mode(&selection, CPU_MODE_KERNEL));
	cr_expect(selection_takes_mode(&selection, CPU_MODE_UNKNOWN));
	cr_expect_not(selection_takes_leaf(&selection, false, text_of(""), text_of("")));
	selection = (struct selection){ .kernel_only = true };
	cr_expect_not(selection_takes_mode(&selection, CPU_MODE_USER));
	cr_expect(selection_takes_mode(&selection, CPU_MODE_KERNEL));
	selection = (struct selection){ 0 };
	cr_expect(selection_takes_leaf(&selection, false, text_of(""), text_of("")));
	selection_parse_names("libc.so.6,/bin/app", &selection.dsos);
	cr_expect(selection_takes_leaf(&selection, true, text_of("/lib/libc.so.6"), text_of("f")));
	cr_expect(selection_takes_leaf(&selection, true, text_of("/bin/app"), text_of("f")));
	cr_expect_not(selection_takes_leaf(&selection, true, text_of("/bin/ap"), text_of("f")));
	selection_parse_names("f", &selection.symbols);
	cr_expect_not(selection_takes_leaf(&selection, true, text_of("/bin/app"), text_of("g")));
	selection_deinit(&selection);
}
