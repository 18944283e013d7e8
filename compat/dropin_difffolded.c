/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "base/sink.h"
#include "compat/folded_pairs.h"
#include "compat/dropin.h"

/* What Perl's die ends with. */
#define EXIT_DIED 255

struct pair_settings {
	struct folded_pairs_options pairs;
	bool is_normalised;
	bool wants_help, wants_version, is_quiet, is_verbose;
};

#define AT(member) offsetof(struct pair_settings, member)

static const struct option perl_options[] = {
	{ .short_name = 'h', .name = "help", .kind = OPTION_FLAG, .offset = AT(wants_help) },
	{ .short_name = 'n', .name = "n", .kind = OPTION_FLAG, .offset = AT(is_normalised) },
	{ .short_name = 's', .name = "s", .kind = OPTION_FLAG, .offset = AT(pairs.strips_hex) },
	{ .name = NULL },
};

static const struct option inferno_options[] = {
	{ .short_name = 'n',
	  .name = "normalize",
	  .kind = OPTION_FLAG,
	  .offset = AT(is_normalised),
	  .help = "scale the counts before to the sum of those after" },
	{ .short_name = 's',
	  .name = "strip-hex",
	  .kind = OPTION_FLAG,
	  .offset = AT(pairs.strips_hex),
	  .help = "write 0x... for every 0x45ef2173" },
	{ .short_name = 'q',
	  .name = "quiet",
	  .kind = OPTION_FLAG,
	  .offset = AT(is_quiet),
	  .help = "no warnings" },
	{ .short_name = 'v',
	  .name = "verbose",
	  .kind = OPTION_FLAG,
	  .offset = AT(is_verbose),
	  .help = "taken and ignored" },
	{ .short_name = 'h',
	  .name = "help",
	  .kind = OPTION_FLAG,
	  .offset = AT(wants_help),
	  .help = "this message" },
	{ .short_name = 'V',
	  .name = "version",
	  .kind = OPTION_FLAG,
	  .offset = AT(wants_version),
	  .help = "the version" },
	{ .name = NULL },
};

static const struct option_group perl_group = { "Options", perl_options };
static const struct option_group *const perl_groups[] = { &perl_group, NULL };
static const struct option_group inferno_group = { "Options", inferno_options };
static const struct option_group *const inferno_groups[] = { &inferno_group, NULL };

static void write_sum(const struct folded_sum *sum, struct sink *sink)
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

/* Sorted by bytes: Perl's own order is another each time. */
static void write_pairs(const struct folded_pairs *pairs, struct sink *sink)
{
	VEC(const struct text *) order = { 0 };

	for (size_t i = pairs->has_empty ? 0 : 1; i < pairs->rows.count; i++)
		vec_push(&order, &pairs->stacks.rows.at[i]);
	if (order.count)
		qsort(order.at, order.count, sizeof(*order.at), compare_stacks);
	for (size_t i = 0; i < order.count; i++) {
		const struct folded_pair *pair =
			&pairs->rows.at[order.at[i] - pairs->stacks.rows.at];

		sink_text(sink, *order.at[i]);
		write_sum(&pair->side[0], sink);
		write_sum(&pair->side[1], sink);
		sink_char(sink, '\n');
	}
	vec_free(&order);
}

static bool compare(const struct pair_settings *settings, const text_list *inputs,
		    struct error *err)
{
	struct folded_pairs pairs;
	struct sink sink;
	bool good;

	folded_pairs_init(&pairs);
	good = folded_pairs_read(&pairs, inputs->at[0], 0, &settings->pairs, err) &&
	       folded_pairs_read(&pairs, inputs->at[1], 1, &settings->pairs, err);
	if (good && settings->is_normalised && !folded_pairs_normalise(&pairs))
		good = error_set(err, ERROR_FORMAT, "%s: counts nothing, so it cannot be scaled",
				 inputs->at[0]);
	if (good && pairs.skipped_count && !settings->is_quiet)
		fprintf(stderr, "Ignored %llu lines with invalid format\n",
			(unsigned long long)pairs.skipped_count);
	sink_init_fd(&sink, STDOUT_FILENO);
	if (good)
		write_pairs(&pairs, &sink);
	if (good && !settings->is_quiet)
		dropin_tell_empty(&sink);
	good = good && sink_flush(&sink, err);
	sink_deinit(&sink);
	folded_pairs_deinit(&pairs);
	return good;
}

/* failed: the exit code of what cannot be done. */
static int compare_inputs(const struct pair_settings *settings, const text_list *inputs, int failed)
{
	struct error err;

	if (compare(settings, inputs, &err))
		return EXIT_DONE;
	command_fail(&err);
	return failed;
}

static int run_perl(int argc, char **argv)
{
	struct pair_settings settings = { .is_normalised = false };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_WRONG_USAGE;

	if (options_parse(perl_groups, argc - 1, argv + 1, &settings, &inputs, &err) &&
	    !settings.wants_help && inputs.count >= 2)
		code = compare_inputs(&settings, &inputs, EXIT_DIED);
	else
		fprintf(stderr,
			"USAGE: %s [-hns] folded1 folded2 | flamegraph.pl > diff2.svg\n"
			"\t-h\tthis message\n\t-n\tscale the counts of folded1 to the sum of "
			"folded2\n\t-s\twrite 0x... for every number in hexadecimal\n",
			argv[0]);
	vec_free(&inputs);
	return code;
}

static int run_inferno(int argc, char **argv)
{
	struct pair_settings settings = { .pairs.cuts_decimals = true };
	text_list inputs = { 0 };
	struct error err;
	int code = EXIT_DONE;

	if (!options_parse(inferno_groups, argc - 1, argv + 1, &settings, &inputs, &err)) {
		command_fail(&err);
		code = EXIT_WRONG_USAGE;
	} else if (settings.wants_version) {
		printf("kiln %s in the place of inferno-diff-folded\n", VERSION);
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
