/* SPDX-License-Identifier: MIT */
#include "render/svg/name_attributes.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

Test(name_attributes, links_lead_to_places_and_are_no_scripts)
{
	static const struct {
		const char *href;
		bool is_link;
	} rows[] = {
		{ "https://example.org/a.c#L1", true },
		{ "HTTP://example.org", true },
		{ "ftp://example.org", true },
		{ "file:///usr/src/a.c", true },
		{ "mailto:somebody@example.org", true },
		{ "/a.c", true },
		{ "a.c", true },
		{ "#a:b", true },
		{ "?a:b", true },
		{ "./a:b", true },
		{ "javascript:alert(1)", false },
		{ "JavaScript:alert(1)", false },
		{ "java\tscript:alert(1)", false },
		{ "\x01javascript:alert(1)", false },
		{ " https://example.org", false },
		{ "data:text/html,<script>", false },
		{ "vbscript:x", false },
		{ "blob:x", false },
		{ "http", true },
		{ ":x", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(name_attributes_is_link(text_of(rows[i].href)), rows[i].is_link, "%s",
			     rows[i].href);
}

static void expect_attribute(const struct name_attributes *attributes, const char *name,
			     enum name_attribute attribute, const char *expected)
{
	const struct name_attributes_row *row = name_attributes_find(attributes, text_of(name));

	cr_assert(row, "nothing is said of %s", name);
	cr_expect(text_is(row->at[attribute], expected), "%s has %.*s", name,
		  (int)row->at[attribute].length, row->at[attribute].at);
}

Test(name_attributes, what_a_file_says_is_found_by_name)
{
	static const char file[] = "main\thref=https://e.org/?a=b\ttarget=_blank\ttitle=a = b\r\n"
				   "f;g\tid=one\tclass=two\tonclick=x\n"
				   "bad\thref=javascript:x\ttitle=kept\n"
				   "main2\t\n"
				   "twice\ttitle=first\n"
				   "twice\tclass=second";
	struct name_attributes attributes;
	struct error err;

	name_attributes_init(&attributes);
	cr_assert(name_attributes_read(&attributes, text_of(file), &err), "%s", err.text);
	expect_attribute(&attributes, "main", NAME_ATTRIBUTE_HREF, "https://e.org/?a=b");
	expect_attribute(&attributes, "main", NAME_ATTRIBUTE_TARGET, "_blank");
	expect_attribute(&attributes, "main", NAME_ATTRIBUTE_TITLE, "a = b");
	expect_attribute(&attributes, "f;g", NAME_ATTRIBUTE_ID, "one");
	expect_attribute(&attributes, "f;g", NAME_ATTRIBUTE_CLASS, "two");
	expect_attribute(&attributes, "bad", NAME_ATTRIBUTE_HREF, "");
	expect_attribute(&attributes, "bad", NAME_ATTRIBUTE_TITLE, "kept");
	expect_attribute(&attributes, "main2", NAME_ATTRIBUTE_TITLE, "");
	expect_attribute(&attributes, "twice", NAME_ATTRIBUTE_TITLE, "");
	expect_attribute(&attributes, "twice", NAME_ATTRIBUTE_CLASS, "second");
	cr_expect_eq(attributes.refused_count, 2);
	cr_expect_null(name_attributes_find(&attributes, text_of("mai")));
	cr_expect_null(name_attributes_find(&attributes, text_of("nobody")));
	name_attributes_deinit(&attributes);
	assert_no_leaks();
}

Test(name_attributes, a_line_without_a_tab_is_named)
{
	struct name_attributes attributes;
	struct error err;

	name_attributes_init(&attributes);
	cr_assert_not(name_attributes_read(&attributes, text_of("a\tid=1\nb id=2\n"), &err));
	cr_expect_str_eq(err.text, "line 2 does not have the form NAME<tab>ATTRIBUTE=VALUE");
	name_attributes_deinit(&attributes);
}

Test(name_attributes, inferno_takes_lines_without_a_tab_and_quotes)
{
	static const char file[] = "\n\nnobody\nmain\ttitle=\"a b\"\tid=\"\tclass=\"\"\n";
	struct name_attributes attributes;
	struct error err;

	name_attributes_init(&attributes);
	attributes.is_inferno = true;
	cr_assert(name_attributes_read(&attributes, text_of(file), &err), "%s", err.text);
	expect_attribute(&attributes, "main", NAME_ATTRIBUTE_TITLE, "a b");
	expect_attribute(&attributes, "main", NAME_ATTRIBUTE_ID, "\"");
	expect_attribute(&attributes, "main", NAME_ATTRIBUTE_CLASS, "");
	name_attributes_deinit(&attributes);
}
