/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <criterion/criterion.h>
#include <stddef.h>

#include "tests/support/leaks.h"

struct values {
	bool all, brief, colour;
	const char *output, *title;
	text_list paths;
	uint64_t threads;
	double width;
	uint64_t limit_bytes;
	uint64_t reserve_bytes; /* 1 unless it is set */
	int by;
};

static const char *const choices[] = { "symbol", "dso", "comm", NULL };

#define AT(field) offsetof(struct values, field)

static const struct option first_options[] = {
	{ .short_name = 'a', .name = "all", .kind = OPTION_FLAG, .offset = AT(all), .help = "h" },
	{ .short_name = 'b',
	  .name = "brief",
	  .kind = OPTION_FLAG,
	  .offset = AT(brief),
	  .help = "h" },
	{ .name = "colour", .kind = OPTION_FLAG, .offset = AT(colour), .help = "h" },
	{ .short_name = 'o',
	  .name = "output",
	  .kind = OPTION_TEXT,
	  .offset = AT(output),
	  .argument = "FILE",
	  .help = "h" },
	{ 0 },
};

static const struct option second_options[] = {
	{ .name = "title",
	  .kind = OPTION_TEXT,
	  .offset = AT(title),
	  .argument = "TEXT",
	  .help = "h" },
	{ .short_name = 's',
	  .name = "symbols",
	  .kind = OPTION_LIST,
	  .offset = AT(paths),
	  .argument = "PATH",
	  .help = "h" },
	{ .short_name = 'j',
	  .name = "threads",
	  .kind = OPTION_NUMBER,
	  .offset = AT(threads),
	  .argument = "N",
	  .help = "h",
	  .minimum = 1,
	  .maximum = 256 },
	{ .name = "width",
	  .kind = OPTION_REAL,
	  .offset = AT(width),
	  .argument = "PIXELS",
	  .help = "h" },
	{ .name = "limit",
	  .kind = OPTION_SIZE,
	  .offset = AT(limit_bytes),
	  .argument = "SIZE",
	  .help = "h" },
	{ .name = "reserve",
	  .kind = OPTION_SIZE,
	  .offset = AT(reserve_bytes),
	  .argument = "SIZE",
	  .help = "h",
	  .maximum = 9216,
	  .accepts_zero = true },
	{ .name = "by",
	  .kind = OPTION_CHOICE,
	  .offset = AT(by),
	  .argument = "KEY",
	  .help = "h",
	  .choices = choices },
	{ .short_name = 'm',
	  .name = "maybe",
	  .kind = OPTION_MAYBE,
	  .offset = AT(title),
	  .argument = "TEXT",
	  .help = "h" },
	{ .name = "by-size", .kind = OPTION_FLAG, .offset = AT(all), .help = "h" },
	/* Other programs' names of these options, which --help does not show. */
	{ .short_name = 'i', .name = "input", .kind = OPTION_LIST, .offset = AT(paths) },
	{ .name = "outputs", .kind = OPTION_TEXT, .offset = AT(output), .argument = "FILE" },
	{ .name = "dso", .kind = OPTION_CONSTANT, .offset = AT(by), .minimum = 1 },
	{ .name = "comm", .kind = OPTION_CONSTANT, .offset = AT(by), .minimum = 2 },
	{ .short_name = 'G', .name = "gtk", .kind = OPTION_FOREIGN, .answer = "perf; use --all" },
	{ 0 },
};

static const struct option_group first = { "First", first_options };
static const struct option_group second = { "Second", second_options };
static const struct option_group *const groups[] = { &first, &second, NULL };

#define ARGUMENTS_MAX 7

static int count_of(const char *const *arguments)
{
	int count = 0;

	while (count < ARGUMENTS_MAX && arguments[count])
		count++;
	return count;
}

static void write_list(FILE *to, const char *name, const text_list *list)
{
	if (list->count)
		fprintf(to, " %s=", name);
	for (size_t i = 0; i < list->count; i++)
		fprintf(to, "%s%s", i ? "," : "", list->at[i]);
}

/* Writes the values that are not the defaults, such as " all output=x inputs=a,b". */
static void write_values(const struct values *values, const text_list *inputs, char *buffer,
			 size_t size)
{
	FILE *to = fmemopen(buffer, size, "w");

	fputs(values->all ? " all" : "", to);
	fputs(values->brief ? " brief" : "", to);
	fputs(values->colour ? " colour" : "", to);
	if (values->output)
		fprintf(to, " output=%s", values->output);
	if (values->title)
		fprintf(to, " title=%s", values->title);
	write_list(to, "symbols", &values->paths);
	if (values->threads)
		fprintf(to, " threads=%llu", (unsigned long long)values->threads);
	if (values->width > 0)
		fprintf(to, " width=%g", values->width);
	if (values->limit_bytes)
		fprintf(to, " limit=%llu", (unsigned long long)values->limit_bytes);
	if (values->reserve_bytes != 1)
		fprintf(to, " reserve=%llu", (unsigned long long)values->reserve_bytes);
	if (values->by >= 0)
		fprintf(to, " by=%d", values->by);
	write_list(to, "inputs", inputs);
	fclose(to);
}

struct row {
	const char *arguments[ARGUMENTS_MAX];
	const char *expected; /* begins with a blank: values; else: the error */
};

static const struct row rows[] = {
	{ { NULL }, "" },
	{ { "--all" }, " all" },
	{ { "--limit", "4096" }, " limit=4096" },
	{ { "--limit", "500M" }, " limit=524288000" },
	{ { "--limit=3g" }, " limit=3221225472" },
	{ { "--limit", "16777215T" }, " limit=18446742974197923840" },
	{ { "--limit", "16777216T" },
	  "--limit requires a size such as 500M or 2G, not \"16777216T\"" },
	{ { "--limit", "M" }, "--limit requires a size such as 500M or 2G, not \"M\"" },
	{ { "--limit", "" }, "--limit requires a size such as 500M or 2G, not \"\"" },
	{ { "--limit", "0" }, "--limit requires a size such as 500M or 2G, not \"0\"" },
	{ { "--limit", "5MB" }, "--limit requires a size such as 500M or 2G, not \"5MB\"" },
	{ { "--reserve", "0" }, " reserve=0" },
	{ { "--reserve", "9K" }, " reserve=9216" },
	{ { "--reserve", "10K" }, "--reserve requires at most 9216 bytes" },
	{ { "-a" }, " all" },
	{ { "-ab" }, " all brief" },
	{ { "--maybe" }, " title=" },
	{ { "--maybe", "x" }, " title= inputs=x" },
	{ { "--maybe=a=b", "x" }, " title=a=b inputs=x" },
	{ { "-ma" }, " all title=" },
	{ { "-ba", "x" }, " all brief inputs=x" },
	{ { "-abo", "x" }, " all brief output=x" },
	{ { "-abox" }, " all brief output=x" },
	{ { "-oab" }, " output=ab" },
	{ { "-o", "-a" }, " output=-a" },
	{ { "-o=x" }, " output==x" },
	{ { "--output", "x" }, " output=x" },
	{ { "--output=x" }, " output=x" },
	{ { "--output=" }, " output=" },
	{ { "--output=a=b" }, " output=a=b" },
	{ { "--output", "--all" }, " output=--all" },
	{ { "--output", "x", "--output", "y" }, " output=y" },
	{ { "-sx", "--symbols", "y", "--symbols=z" }, " symbols=x,y,z" },
	{ { "a", "--all", "b", "-o", "c", "d" }, " all output=c inputs=a,b,d" },
	{ { "-", "a" }, " inputs=-,a" },
	{ { "--all", "--", "--brief", "-x", "--" }, " all inputs=--brief,-x,--" },
	{ { "" }, " inputs=" },
	/* A prefix that only one option has is accepted, and a whole name always. */
	{ { "--out", "x" }, " output=x" },
	{ { "--c" }, " colour" },
	{ { "--th=3" }, " threads=3" },
	{ { "--by", "dso" }, " by=1" },
	{ { "--by-s" }, " all" },
	{ { "--b" }, "--b is ambiguous" },
	{ { "--t=3" }, "--t is ambiguous" },
	{ { "--=3" }, "-- is ambiguous" },
	{ { "--nothing=3" }, "unknown option --nothing" },
	{ { "-x" }, "unknown option -x" },
	{ { "-ax" }, "unknown option -x" },
	{ { "--tilte=3" }, "unknown option --tilte; did you mean --title?" },
	{ { "--outptu", "x" }, "unknown option --outptu; did you mean --output?" },
	/* Options without help: only their whole names are accepted. */
	{ { "--outputs", "x" }, " output=x" },
	{ { "--outpu=x" }, " output=x" },
	{ { "-i", "x", "--input=y" }, " symbols=x,y" },
	{ { "--inp=x" }, "unknown option --inp" },
	{ { "--dso", "x", "--comm" }, " by=2 inputs=x" },
	{ { "--comm", "--dso" }, " by=1" },
	{ { "--dso=1" }, "--dso takes no value" },
	{ { "--gtk" }, "--gtk is an option of perf; use --all" },
	{ { "--gtk=3", "x" }, "--gtk is an option of perf; use --all" },
	{ { "-aG" }, "-G is an option of perf; use --all" },
	{ { "--all=yes" }, "--all takes no value" },
	{ { "--output" }, "--output requires a value: FILE" },
	{ { "a", "-ao" }, "--output requires a value: FILE" },
	{ { "--by=comm" }, " by=2" },
	{ { "--by=com" }, "--by must be one of symbol, dso, comm, not \"com\"" },
	{ { "--by=" }, "--by must be one of symbol, dso, comm, not \"\"" },
	{ { "-j1" }, " threads=1" },
	{ { "-j", "256" }, " threads=256" },
	{ { "--width=0.5" }, " width=0.5" },
	{ { "--width=1200" }, " width=1200" },
};

static bool parse(const char *const *arguments, struct values *values, text_list *inputs,
		  struct error *err)
{
	char *copy[ARGUMENTS_MAX];
	int count = count_of(arguments);

	for (int i = 0; i < count; i++)
		copy[i] = (char *)(uintptr_t)arguments[i];
	*values = (struct values){ .by = -1, .reserve_bytes = 1 };
	*inputs = (text_list){ 0 };
	return options_parse(groups, NULL, count, copy, values, inputs, err);
}

static void deinit(struct values *values, text_list *inputs)
{
	vec_free(&values->paths);
	vec_free(inputs);
}

Test(options, command_lines)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct error err = { 0 };
		struct values values;
		text_list inputs;
		char text[300] = "";

		if (parse(row->arguments, &values, &inputs, &err)) {
			write_values(&values, &inputs, text, sizeof(text));
			cr_expect_str_eq(text, row->expected, "row %zu: \"%s\", not \"%s\"", i,
					 text, row->expected);
		} else {
			cr_expect_str_eq(err.text, row->expected, "row %zu: %s, not %s", i,
					 err.text, row->expected);
			cr_expect_eq(err.code, ERROR_USAGE, "row %zu", i);
		}
		deinit(&values, &inputs);
	}
	assert_no_leaks();
}

Test(options, numbers_that_are_none)
{
	static const char *const bad[] = {
		"-j0",
		"-j257",
		"-j-1",
		"-j",
		"-j+5",
		"-j 5",
		"-j5 ",
		"-jx",
		"-j0x10",
		"-j5.0",
		"-j18446744073709551617",
		"-j-18446744073709551615",
		"--threads=",
		"--width=",
		"--width=x",
		"--width=-1",
		"--width=nan",
		"--width=inf",
		"--width=1e10",
		"--width=5px",
		"--width= 5",
		"--width=0x10",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *const arguments[ARGUMENTS_MAX] = { bad[i] };
		bool is_width = strstr(bad[i], "width") != NULL;
		struct error err = { 0 };
		struct values values;
		text_list inputs;

		cr_expect_not(parse(arguments, &values, &inputs, &err), "%s", bad[i]);
		cr_expect_eq(err.code, ERROR_USAGE, "%s", bad[i]);
		cr_expect_not_null(
			strstr(err.text, is_width ? "--width requires" : "--threads requires"),
			"%s: %s", bad[i], err.text);
		deinit(&values, &inputs);
	}
}

/* Every line fits a terminal, every option is there, and no word is lost. */
Test(options, help_is_wrapped)
{
	static const char words[] =
		"one two three four five six seven eight nine ten eleven twelve "
		"thirteen fourteen fifteen sixteen seventeen eighteen";
	static const struct option options[] = {
		{ .short_name = 'o',
		  .name = "output",
		  .kind = OPTION_TEXT,
		  .argument = "FILE",
		  .help = words },
		{ .name = "a-very-long-name-indeed",
		  .kind = OPTION_TEXT,
		  .argument = "SOMETHING",
		  .help = "short" },
		{ .name = "by",
		  .kind = OPTION_CHOICE,
		  .argument = "WHAT",
		  .choices = choices,
		  .help = "rows" },
		{ 0 },
	};
	static const struct option_group group = { "Group", options };
	static const struct option_group *const one_group[] = { &group, NULL };
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	options_print(one_group, to);
	options_print_paragraph(words, to);
	fclose(to);
	cr_expect_str_eq(
		text,
		"\nGroup:\n"
		"  -o, --output FILE         one two three four five six seven eight nine ten\n"
		"                            eleven twelve thirteen fourteen fifteen sixteen\n"
		"                            seventeen eighteen\n"
		"      --a-very-long-name-indeed SOMETHING\n"
		"                            short\n"
		"      --by WHAT             rows: symbol (default), dso, comm\n"
		"one two three four five six seven eight nine ten eleven twelve thirteen fourteen\n"
		"fifteen sixteen seventeen eighteen\n",
		"%s", text);
	free(text);
}
