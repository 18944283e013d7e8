/* SPDX-License-Identifier: MIT */
#include "compat/difffolded.h"

#include "base/scan.h"
#include "cli/output.h"
#include "compat/dropin.h"
#include "compat/input_lines.h"

/* Numbers below this fit into 64 bits. */
#define WHOLE_END 0x1p64

/*
 * Longer numbers are treated as too large. 17 significant digits are enough to identify a double.
 */
#define NUMBER_BYTES 64

static const struct difffolded_sum zero = { 0, 0, false };

void difffolded_init(struct difffolded *diff)
{
	*diff = (struct difffolded){ 0 };
	strings_init(&diff->stacks);
}

void difffolded_deinit(struct difffolded *diff)
{
	strings_deinit(&diff->stacks);
	vec_free(&diff->rows);
}

static double as_real(const struct difffolded_sum *sum)
{
	return sum->is_real ? sum->real : (double)sum->whole;
}

static void add(struct difffolded_sum *sum, const struct difffolded_sum *more)
{
	uint64_t whole;

	if (!sum->is_real && !more->is_real &&
	    !__builtin_add_overflow(sum->whole, more->whole, &whole)) {
		sum->whole = whole;
		return;
	}
	*sum = (struct difffolded_sum){ 0, as_real(sum) + as_real(more), true };
}

static struct difffolded_sum parse_number(const char *at, uint32_t length)
{
	char digits[NUMBER_BYTES];
	struct difffolded_sum sum = zero;

	if (text_to_u64((struct text){ at, length }, &sum.whole))
		return sum;
	if (length >= sizeof(digits))
		return (struct difffolded_sum){ 0, (double)UINT64_MAX, true };
	memcpy(digits, at, length);
	digits[length] = '\0';
	return (struct difffolded_sum){ 0, strtod(digits, NULL), true };
}

/* Removes the number at the end of a line, and one blank before it. */
static bool take_number(struct text *line, struct difffolded_sum *ret)
{
	uint32_t begin = line->length;

	while (begin && is_digit(line->at[begin - 1]))
		begin--;
	if (begin && line->at[begin - 1] == '.') {
		uint32_t point = --begin;

		while (begin && is_digit(line->at[begin - 1]))
			begin--;
		if (begin == point)
			return false;
	}
	if (begin == line->length || !begin || !strchr(" \t\r\f\v", line->at[begin - 1]))
		return false;
	*ret = parse_number(line->at + begin, line->length - begin);
	line->length = begin - 1;
	return true;
}

/* Returns the length of the hexadecimal number that begins here, or 0. */
static uint32_t hex_at(struct text stack, uint32_t at)
{
	uint32_t end = at + 2;

	if (!text_has_prefix((struct text){ stack.at + at, stack.length - at }, "0x"))
		return 0;
	while (end < stack.length && is_hex_digit(stack.at[end]))
		end++;
	return end > at + 2 ? end - at : 0;
}

/* Writes the stack with 0x... in place of each hexadecimal number. */
static void strip_hex(struct text stack, struct sink *sink)
{
	for (uint32_t i = 0; i < stack.length;) {
		uint32_t length = hex_at(stack, i);

		if (length) {
			sink_puts(sink, "0x...");
			i += length;
		} else {
			sink_char(sink, stack.at[i++]);
		}
	}
}

static void add_line(struct difffolded *diff, struct text line, int side,
		     const struct difffolded_options *options, struct sink *scratch)
{
	struct difffolded_sum count;
	str_id id;

	if (options->cuts_decimals)
		while (line.length && strchr(" \t\r", line.at[line.length - 1]))
			line.length--;
	if (options->cuts_decimals && (!line.length || text_has_prefix(line, "# ")))
		return;
	if (!take_number(&line, &count)) {
		diff->skipped_count++;
		return;
	}
	if (count.is_real && options->cuts_decimals && count.real < WHOLE_END)
		count = (struct difffolded_sum){ .whole = (uint64_t)count.real };
	scratch->used = 0;
	if (options->strips_hex) {
		strip_hex(line, scratch);
		line = sink_memory(scratch);
	}
	id = strings_intern(&diff->stacks, line.at, line.length);
	diff->has_empty |= id.i == STR_EMPTY.i;
	while (diff->rows.count <= id.i)
		vec_push(&diff->rows, (struct difffolded_row){ { zero, zero } });
	add(&diff->rows.at[id.i].side[side], &count);
	add(&diff->total[side], &count);
}

struct line_reader {
	struct difffolded *diff;
	const struct difffolded_options *options;
	int side;
	struct sink scratch;
};

static void read_line(void *context, struct text line)
{
	struct line_reader *reader = context;

	add_line(reader->diff, line, reader->side, reader->options, &reader->scratch);
}

bool difffolded_read(struct difffolded *diff, const char *path, int side,
		     const struct difffolded_options *options, struct error *err)
{
	struct line_reader reader = { .diff = diff, .options = options, .side = side };
	struct input_lines lines;
	bool good;

	sink_init_memory(&reader.scratch);
	input_lines_init(&lines, read_line, &reader);
	good = input_lines_read(&lines, path, err);
	diff->skipped_count += lines.skipped_count;
	input_lines_deinit(&lines);
	sink_deinit(&reader.scratch);
	return good;
}

static bool is_same(const struct difffolded_sum *a, const struct difffolded_sum *b)
{
	return a->is_real || b->is_real ? as_real(a) == as_real(b) : a->whole == b->whole;
}

bool difffolded_normalise(struct difffolded *diff)
{
	const struct difffolded_sum *from = &diff->total[0];
	const struct difffolded_sum *to = &diff->total[1];

	if (is_same(from, to))
		return true;
	if (as_real(from) == 0)
		return false;
	for (size_t i = 0; i < diff->rows.count; i++) {
		struct difffolded_sum *sum = &diff->rows.at[i].side[0];
		double scaled = as_real(sum) * as_real(to) / as_real(from);

		if (scaled < WHOLE_END)
			*sum = (struct difffolded_sum){ .whole = (uint64_t)scaled };
		else
			*sum = (struct difffolded_sum){ 0, scaled, true };
	}
	return true;
}

struct difffolded_settings {
	struct difffolded_options options;
	bool is_normalised;
	bool wants_help, wants_version, is_quiet, is_verbose;
};

#define AT(member) offsetof(struct difffolded_settings, member)

static const struct option perl_options[] = {
	{ .short_name = 'h', .name = "help", .kind = OPTION_FLAG, .offset = AT(wants_help) },
	{ .short_name = 'n', .name = "n", .kind = OPTION_FLAG, .offset = AT(is_normalised) },
	{ .short_name = 's', .name = "s", .kind = OPTION_FLAG, .offset = AT(options.strips_hex) },
	{ .name = NULL },
};

static const struct option inferno_options[] = {
	{ .short_name = 'n',
	  .name = "normalize",
	  .kind = OPTION_FLAG,
	  .offset = AT(is_normalised),
	  .help = "scale the counts of PATH1 so that both files have the same total" },
	{ .short_name = 's',
	  .name = "strip-hex",
	  .kind = OPTION_FLAG,
	  .offset = AT(options.strips_hex),
	  .help = "replace hexadecimal numbers such as 0x45ef2173 with 0x..." },
	{ .short_name = 'q',
	  .name = "quiet",
	  .kind = OPTION_FLAG,
	  .offset = AT(is_quiet),
	  .help = "suppress warnings" },
	{ .short_name = 'v',
	  .name = "verbose",
	  .kind = OPTION_FLAG,
	  .offset = AT(is_verbose),
	  .help = "ignored" },
	{ .short_name = 'h',
	  .name = "help",
	  .kind = OPTION_FLAG,
	  .offset = AT(wants_help),
	  .help = "print this help" },
	{ .short_name = 'V',
	  .name = "version",
	  .kind = OPTION_FLAG,
	  .offset = AT(wants_version),
	  .help = "print the version" },
	{ .name = NULL },
};

static const struct option_group perl_group = { "Options", perl_options };
static const struct option_group *const perl_groups[] = { &perl_group, NULL };
static const struct option_group inferno_group = { "Options", inferno_options };
static const struct option_group *const inferno_groups[] = { &inferno_group, NULL };

static void write_sum(const struct difffolded_sum *sum, struct sink *sink)
{
	sink_char(sink, ' ');
	if (sum->is_real)
		sink_printf(sink, "%.15g", sum->real);
	else
		sink_u64(sink, sum->whole);
}

static int compare_stacks(const void *a, const void *b)
{
	return text_compare(**(const struct text *const *)a, **(const struct text *const *)b);
}

/*
 * Writes the rows in bytewise order. The Perl script writes them in an order that differs from run
 * to run.
 */
static void write_rows(const struct difffolded *diff, struct sink *sink)
{
	VEC(const struct text *) order = { 0 };

	for (size_t i = diff->has_empty ? 0 : 1; i < diff->rows.count; i++)
		vec_push(&order, &diff->stacks.rows.at[i]);
	if (order.count)
		qsort(order.at, order.count, sizeof(*order.at), compare_stacks);
	for (size_t i = 0; i < order.count; i++) {
		const struct difffolded_row *row =
			&diff->rows.at[order.at[i] - diff->stacks.rows.at];

		sink_text(sink, *order.at[i]);
		write_sum(&row->side[0], sink);
		write_sum(&row->side[1], sink);
		sink_char(sink, '\n');
	}
	vec_free(&order);
}

static bool compare(const struct difffolded_settings *settings, const text_list *inputs,
		    struct error *err)
{
	struct difffolded diff;
	struct output output;
	bool good;

	difffolded_init(&diff);
	good = difffolded_read(&diff, inputs->at[0], 0, &settings->options, err) &&
	       difffolded_read(&diff, inputs->at[1], 1, &settings->options, err);
	if (good && settings->is_normalised && !difffolded_normalise(&diff))
		good = error_set(err, ERROR_FORMAT,
				 "%s: the counts add up to 0 and cannot be scaled", inputs->at[0]);
	if (good && diff.skipped_count && !settings->is_quiet)
		fprintf(stderr, "Ignored %llu lines with invalid format\n",
			(unsigned long long)diff.skipped_count);
	if (good && output_open(&output, NULL, err)) {
		write_rows(&diff, &output.sink);
		if (!settings->is_quiet)
			dropin_warn_empty(&output.sink);
		good = output_commit(&output, err);
	} else {
		good = false;
	}
	difffolded_deinit(&diff);
	return good;
}

/* Returns the exit code; failed_code after an error. */
static int compare_inputs(const struct difffolded_settings *settings, const text_list *inputs,
			  int failed_code)
{
	struct error err;

	if (compare(settings, inputs, &err))
		return EXIT_DONE;
	command_fail(&err);
	return failed_code;
}

static int run_perl(int argc, char **argv)
{
	struct difffolded_settings settings = { .is_normalised = false };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_WRONG_USAGE;
	bool good = options_parse(perl_groups, NULL, argc - 1, argv + 1, &settings, &inputs, &err);

	if (!good)
		command_fail(&err);
	if (good && !settings.wants_help && inputs.count >= 2)
		code = compare_inputs(&settings, &inputs, EXIT_DIED);
	else
		fprintf(stderr,
			"USAGE: %s [-hns] folded1 folded2 | flamegraph.pl > diff2.svg\n"
			"\t-h\tprint this help\n\t-n\tscale the counts of folded1 to the total of "
			"folded2\n\t-s\treplace hexadecimal numbers by 0x...\n",
			argv[0]);
	vec_free(&inputs);
	return code;
}

static int run_inferno(int argc, char **argv)
{
	struct difffolded_settings settings = { .options.cuts_decimals = true };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_DONE;

	if (!options_parse(inferno_groups, NULL, argc - 1, argv + 1, &settings, &inputs, &err)) {
		command_fail(&err);
		code = EXIT_WRONG_USAGE;
	} else if (settings.wants_version) {
		printf("kiln %s as inferno-diff-folded\n", VERSION);
	} else if (settings.wants_help || inputs.count != 2) {
		printf("Usage: %s [OPTIONS] <PATH1> <PATH2>\n", argv[0]);
		options_print(inferno_groups, stdout);
		code = settings.wants_help ? EXIT_DONE : EXIT_WRONG_USAGE;
	} else {
		code = compare_inputs(&settings, &inputs, EXIT_IMPOSSIBLE);
	}
	vec_free(&inputs);
	return code;
}

const struct dropin dropin_difffolded = { "difffolded.pl", run_perl };
const struct dropin dropin_inferno_diff_folded = { "inferno-diff-folded", run_inferno };
