/* SPDX-License-Identifier: MIT */
#include "base/near_name.h"

#include <criterion/criterion.h>

/* The nearest of a few commands and options. */
static const char *nearest(const char *wanted)
{
	static const char *const names[] = { "flame",  "fold", "title",        "time",
					     "report", "comm", "no-host-files" };
	struct near_name near = near_name_of(text_of(wanted));

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		near_name_offer(&near, text_of(names[i]));
	return near.found.at ? near.found.at : "";
}

Test(near_name, few_letters_may_differ)
{
	static const struct {
		const char *wanted, *found;
	} rows[] = {
		{ "flmae", "flame" },
		{ "flume", "flame" },
		{ "tilte", "title" },
		{ "titel", "title" },
		{ "repotr", "report" },
		{ "reprot", "report" },
		{ "no-hots-fiels", "no-host-files" },
		{ "nohostfiles", "no-host-files" },
		{ "fld", "fold" },
		{ "", "" },
		{ "fo", "" },
		{ "xyz", "" },
		{ "tmi", "" },
		{ "framing", "" },
		{ "comm", "comm" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_str_eq(nearest(rows[i].wanted), rows[i].found, "%s: %s", rows[i].wanted,
				 nearest(rows[i].wanted));
}

/* Of equals the first; what is longer than any name resembles nothing. */
Test(near_name, bounds)
{
	struct near_name near = near_name_of(text_of("dsa"));
	char wanted[200];

	near_name_offer(&near, text_of("dso"));
	near_name_offer(&near, text_of("dsc"));
	cr_expect_str_eq(near.found.at, "dso");
	memset(wanted, 'a', sizeof(wanted) - 1);
	wanted[sizeof(wanted) - 1] = '\0';
	near = near_name_of(text_of(wanted));
	near_name_offer(&near, text_of(wanted));
	cr_expect_null(near.found.at);
}
