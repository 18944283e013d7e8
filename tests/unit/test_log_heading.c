/* SPDX-License-Identifier: MIT */
#include "libparse/log/log_heading.h"

#include <criterion/criterion.h>

#include "base/sink.h"

static struct log_heading heading_of(const char *line, const char *row)
{
	struct log_heading heading = { .count = 0 };

	cr_expect(log_heading_parse(text_of(line), text_of(row), &heading), "%s", line);
	return heading;
}

/* Compares the cells, joined with bars. NULL: the line is not a row. */
static void expect_cells(const struct log_heading *heading, const char *line, const char *expected)
{
	struct text cells[LIMIT_LOG_COLUMNS];
	bool good = log_heading_split(heading, text_of(line), cells);
	struct sink sink;

	cr_expect_eq(good, expected != NULL, "%s", line);
	if (!good || !expected)
		return;
	sink_init_memory(&sink);
	for (uint32_t i = 0; i < heading->count; i++) {
		sink_puts(&sink, i ? "|" : "");
		sink_text(&sink, cells[i]);
	}
	cr_expect(text_is(sink_memory(&sink), expected), "%.*s", (int)sink_memory(&sink).length,
		  sink_memory(&sink).at);
	sink_deinit(&sink);
}

Test(log_heading, comms_with_blanks)
{
	struct log_heading heading =
		heading_of("TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)", "0.0 a 1 sda W 4 5 0.7");

	expect_cells(&heading, "0.5 dd 12 sda W 4711 4096 0.74", "0.5|dd|12|sda|W|4711|4096|0.74");
	expect_cells(&heading, "0.5 my 2 dd  12 sda W 4711 4096 0.74",
		     "0.5|my 2 dd|12|sda|W|4711|4096|0.74");
	expect_cells(&heading, "0.5 dd 12 sda W 4711 4096", NULL);
	expect_cells(&heading, "0.5 dd 12 sda W 4711 4096 x", NULL);
	expect_cells(&heading, "Tracing block device I/O... Hit Ctrl-C to end.", NULL);
	expect_cells(&heading, "", NULL);
}

Test(log_heading, last_columns_with_blanks)
{
	struct log_heading heading =
		heading_of("PID    COMM               FD ERR PATH", "1 a 3 0 /etc/passwd");

	expect_cells(&heading, "7 dig 3 0 /etc/my file", "7|dig|3|0|/etc/my file");
	expect_cells(&heading, "7 run dig -1 2 a  b", "7|run dig|-1|2|a  b");
	/* The last column may also be empty. */
	expect_cells(&heading, "7 run dig -1 2", "7|run dig|-1|2|");
	expect_cells(&heading, "7 dig 3", NULL);
	heading = heading_of("TIME      PID    COMMAND", "05:28:25  21176  ls -l");
	expect_cells(&heading, "05:28:25  21176  ls -l", "05:28:25|21176|ls -l");
}

Test(log_heading, separated_values)
{
	struct log_heading heading = heading_of("a,b,c", "1,2,3");

	expect_cells(&heading, "1,,x y", "1||x y");
	expect_cells(&heading, "1,\"a,b\",\"\"", "1|a,b|");
	expect_cells(&heading, "\"say \"\"hi\"\"\",2,3", "say \"\"hi\"\"|2|3");
	expect_cells(&heading, "1,2", NULL);
	expect_cells(&heading, "1,2,3,4", NULL);
	expect_cells(&heading, "1,\"2,3", NULL);
	expect_cells(&heading, "1,\"2\"x,3", NULL);
	heading = heading_of("# when\turl\tsize", "1.5\t/a b\t7");
	expect_cells(&heading, "1.5\t/a b\t7", "1.5|/a b|7");
}

Test(log_heading, units)
{
	static const struct {
		const char *name, *base;
		uint64_t unit_ns;
	} rows[] = {
		{ "LAT(ms)", "LAT", 1000000 },     { "LATms", "LAT", 1000000 },
		{ "latency_us", "latency", 1000 }, { "TIME(s)", "TIME", 1000000000 },
		{ "MS", "MS", 1000000 },           { "delay_ns", "delay", 1 },
		{ "BYTES", "BYTES", 0 },           { "items", "items", 0 },
		{ "PROGRAMS", "PROGRAMS", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct log_heading heading = { .count = 0 };
		char line[64];

		snprintf(line, sizeof(line), "%s,b", rows[i].name);
		cr_expect(log_heading_parse(text_of(line), text_of("1,2"), &heading));
		cr_expect(text_is(heading.columns[0].base, rows[i].base), "%s", line);
		cr_expect_eq(heading.columns[0].unit_ns, rows[i].unit_ns, "%s", line);
	}
}

Test(log_heading, other_lines)
{
	struct log_heading heading;

	cr_expect_not(log_heading_parse(text_of("one two"), text_of("three four"), &heading));
	cr_expect_not(log_heading_parse(text_of("PID"), text_of("12"), &heading));
	cr_expect_not(log_heading_parse(text_of("12 COMM"), text_of("12 13"), &heading));
	cr_expect_not(log_heading_parse(text_of("a;b 10 x"), text_of("a;c 12 1"), &heading));
	cr_expect_not(log_heading_parse(text_of(""), text_of("12"), &heading));
	cr_expect_not(log_heading_parse(text_of(",,"), text_of("1,2,3"), &heading));
}

/* A row with more words than there may be columns: the last column has the rest. */
Test(log_heading, many_words)
{
	struct log_heading heading = heading_of("PID ARGS", "1 a");
	struct text cells[LIMIT_LOG_COLUMNS];
	struct sink line;

	sink_init_memory(&line);
	sink_puts(&line, "7");
	for (int i = 0; i < 500; i++)
		sink_printf(&line, " %d", i);
	cr_expect(log_heading_split(&heading, sink_memory(&line), cells));
	cr_expect_eq(cells[1].length, sink_memory(&line).length - 2);
	sink_deinit(&line);
}
