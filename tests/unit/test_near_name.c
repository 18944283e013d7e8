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

/* Of equally near names, the first one; a text longer than any name matches nothing. */
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

Test(nearest, names)
{
	static const struct {
		const char *wanted;
		const char *offered[6];
		const char *nearest[NEAREST_MAX];
	} rows[] = {
		{ "worker9",
		  { "main", "worker-2", "logger", "worker-1" },
		  { "worker-1", "worker-2", "logger" } },
		{ "WORKER", { "main", "worker" }, { "worker", "main" } },
		/* A name that contains the text is near, however long it is. */
		{ "parse", { "pause", "json_parse_value" }, { "json_parse_value", "pause" } },
		{ "a", { "b", "b", "b", "c" }, { "b", "c" } },
		{ "", { "x" }, { "x" } },
		{ "x", { NULL }, { NULL } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct nearest nearest = { .count = 0 };
		size_t count = 0;

		for (size_t k = 0; k < 6 && rows[i].offered[k]; k++)
			nearest_offer(&nearest, text_of(rows[i].offered[k]),
				      nearest_distance(text_of(rows[i].wanted),
						       text_of(rows[i].offered[k])));
		while (count < NEAREST_MAX && rows[i].nearest[count])
			count++;
		cr_assert_eq(nearest.count, count, "%s", rows[i].wanted);
		for (size_t k = 0; k < count; k++)
			cr_expect(text_is(nearest.at[k].name, rows[i].nearest[k]),
				  "%s: number %zu is %.*s", rows[i].wanted, k,
				  (int)nearest.at[k].name.length, nearest.at[k].name.at);
	}
}

Test(edit_distance, letters_that_differ)
{
	static const struct {
		const char *a, *b;
		uint32_t distance;
	} rows[] = {
		{ "flame", "flame", 0 },    { "flmae", "flame", 1 }, /* swapped */
		{ "flam", "flame", 1 },     { "fflame", "flame", 1 }, { "flume", "flame", 1 },
		{ "Flame", "fLAME", 0 },    { "", "flame", 5 },       { "fold", "flame", 4 },
		{ "kitten", "sitting", 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text a = text_of(rows[i].a);
		struct text b = text_of(rows[i].b);

		cr_expect_eq(edit_distance(a, b), rows[i].distance, "%s, %s: %u", rows[i].a,
			     rows[i].b, edit_distance(a, b));
		cr_expect_eq(edit_distance(b, a), rows[i].distance, "%s, %s", rows[i].b, rows[i].a);
	}
}

/* Bytes after the compared ones do not count. */
Test(edit_distance, long_names)
{
	char a[EDIT_DISTANCE_BYTES_MAX + 10];
	char b[EDIT_DISTANCE_BYTES_MAX + 100];

	memset(a, 'a', sizeof(a));
	memset(b, 'a', sizeof(b));
	b[EDIT_DISTANCE_BYTES_MAX] = 'b';
	cr_expect_eq(edit_distance((struct text){ a, sizeof(a) }, (struct text){ b, sizeof(b) }),
		     0);
	b[EDIT_DISTANCE_BYTES_MAX - 1] = 'b';
	cr_expect_eq(edit_distance((struct text){ a, sizeof(a) }, (struct text){ b, sizeof(b) }),
		     1);
}
