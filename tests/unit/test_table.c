/* SPDX-License-Identifier: MIT */
#include "render/table/table.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

/* A row with each kind of value, and a row with names that would break a format. */
static void make(struct table *table)
{
	static const struct table_column columns[] = {
		{ .title = "name", .key = "name", .kind = TABLE_TEXT },
		{ .title = "pid", .key = "pid", .kind = TABLE_ID },
		{ .title = "count", .key = "count", .kind = TABLE_COUNT },
		{ .title = "share", .key = "share_percent", .kind = TABLE_SHARE },
		{ .title = "size", .key = "size", .kind = TABLE_WEIGHT, .unit = UNIT_BYTES },
		{ .title = "wait", .key = "wait_ns", .kind = TABLE_DURATION },
		{ .title = "ratio", .key = "ratio", .kind = TABLE_REAL, .decimals = 2 },
		{ .title = "id", .key = "id", .kind = TABLE_COUNT, .is_for_programs_only = true },
	};

	table_init(table);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		table_add_column(table, columns[i]);
	table_set_heading(table, text_of("all_of_it"));
	table_add_fact_number(table, "samples", 7);
	table_add_note(table, text_of("1 task was lost"));
	table_add_text(table, text_of("parse"));
	table_add_text(table, text_of("12"));
	table_add_number(table, 1234567);
	table_add_share(table, 1, 8);
	table_add_number(table, 4096);
	table_add_number(table, 1230000);
	table_add_real(table, 2.0 / 3);
	table_add_number(table, 0);
	table_add_text(table, text_of("=1|\"<b>,\x1b"));
	table_add_text(table, text_of("-"));
	table_add_empty(table);
	table_add_share(table, 0, 0);
	table_add_number(table, 0);
	table_add_number(table, 0);
	table_add_empty(table);
	table_add_number(table, 1);
}

static void expect(enum table_format format, const char *expected)
{
	struct table table;
	struct sink sink;

	make(&table);
	cr_expect_eq(table_row_count(&table), 2);
	sink_init_memory(&sink);
	table_write(&table, format, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s\nwanted:\n%s", sink.buffer, expected);
	sink_deinit(&sink);
	table_deinit(&table);
	assert_no_leaks();
}

Test(table, text)
{
	expect(TABLE_FORMAT_TEXT,
	       "# all_of_it\n"
	       "#name          pid      count    share         size     wait    ratio\n"
	       " parse         12   1,234,567   12.50%  4,096 bytes  1.23 ms     0.67\n"
	       " =1|\"<b>,\\x1b  -                 0.00%      0 bytes     0 ns  \n"
	       "# 1 task was lost\n");
}

Test(table, markdown)
{
	expect(TABLE_FORMAT_MARKDOWN,
	       "all\\_of\\_it\n\n"
	       "| name | pid | count | share | size | wait | ratio |\n"
	       "|---|---|---:|---:|---:|---:|---:|\n"
	       "| `parse` | `12` | 1,234,567 | 12.50% | 4,096 bytes | 1.23 ms | 0.67 |\n"
	       "| `=1\\|\"<b>,\\x1b` | `-` |  | 0.00% | 0 bytes | 0 ns |  |\n"
	       "\n1 task was lost\n");
}

Test(table, csv)
{
	expect(TABLE_FORMAT_CSV, "name,pid,count,share_percent,size,wait_ns,ratio,id\n"
				 "parse,12,1234567,12.5000,4096,1230000,0.666667,0\n"
				 "\"'=1|\"\"<b>,\\x1b\",'-,,0.0000,0,0,,1\n");
}

Test(table, json)
{
	expect(TABLE_FORMAT_JSON, "{\n"
				  "  \"samples\": 7,\n"
				  "  \"rows\": [\n"
				  "    {\n"
				  "      \"name\": \"parse\",\n"
				  "      \"pid\": 12,\n"
				  "      \"count\": 1234567,\n"
				  "      \"share_percent\": 12.5,\n"
				  "      \"size\": 4096,\n"
				  "      \"wait_ns\": 1230000,\n"
				  "      \"ratio\": 0.666667,\n"
				  "      \"id\": 0\n"
				  "    },\n"
				  "    {\n"
				  "      \"name\": \"=1|\\\"<b>,\\u001b\",\n"
				  "      \"pid\": \"-\",\n"
				  "      \"share_percent\": 0,\n"
				  "      \"size\": 0,\n"
				  "      \"wait_ns\": 0,\n"
				  "      \"id\": 1\n"
				  "    }\n"
				  "  ],\n"
				  "  \"notes\": [\n"
				  "    \"1 task was lost\"\n"
				  "  ]\n"
				  "}\n");
}

static bool contains(enum table_format format, const char *what)
{
	struct table table;
	struct sink sink;
	bool does;

	make(&table);
	sink_init_memory(&sink);
	table_write(&table, format, &sink);
	sink_char(&sink, '\0');
	does = strstr(sink.buffer, what) != NULL;
	sink_deinit(&sink);
	table_deinit(&table);
	return does;
}

/* A name is text, and the page allows no script. */
Test(table, html)
{
	cr_expect(contains(TABLE_FORMAT_HTML,
			   "<td class=\"short\">=1|&quot;&lt;b&gt;,\xef\xbf\xbd</td>"));
	cr_expect(contains(TABLE_FORMAT_HTML, "default-src &#39;none&#39;; style-src"));
	cr_expect(contains(TABLE_FORMAT_HTML, "<td class=\"number\">1,234,567</td>"));
	cr_expect_not(contains(TABLE_FORMAT_HTML, "<b>"));
}

/* Adds a row for the sum of all rows. CSV leaves it out. */
Test(table, totals)
{
	static const struct {
		enum table_format format;
		const char *part;
	} parts[] = {
		{ TABLE_FORMAT_TEXT,
		  " (all)              1,234,567                                 \n"
		  "# 1 task was lost\n" },
		{ TABLE_FORMAT_MARKDOWN, "|\n| `(all)` |  | 1,234,567 |  |  |  |  |\n\n1 task" },
		{ TABLE_FORMAT_HTML, "</tbody>\n<tfoot>\n<tr><td class=\"short\">(all)</td>" },
		{ TABLE_FORMAT_JSON,
		  "  \"all\": {\n    \"name\": \"(all)\",\n    \"count\": 1234567\n  },\n"
		  "  \"rows\": [\n" },
		{ TABLE_FORMAT_CSV, "0.0000,0,0,,1\n" },
	};
	struct table table;
	struct sink sink;

	make(&table);
	table_add_text(&table, text_of("(all)"));
	table_add_empty(&table);
	table_add_number(&table, 1234567);
	table_end_totals(&table);
	cr_expect_eq(table_row_count(&table), 2);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		sink_init_memory(&sink);
		table_write(&table, parts[i].format, &sink);
		sink_char(&sink, '\0');
		cr_expect(strstr(sink.buffer, parts[i].part), "%s\nwanted:\n%s", sink.buffer,
			  parts[i].part);
		cr_expect_eq(strstr(sink.buffer, "(all)") != NULL,
			     parts[i].format != TABLE_FORMAT_CSV);
		sink_deinit(&sink);
	}
	table_deinit(&table);
	assert_no_leaks();
}
