/* SPDX-License-Identifier: MIT */
#include "render/text/spike_table.h"

#include <inttypes.h>
#include <math.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"

#define WINDOWS_DEFAULT 5

static uint64_t bin_begin_ns(const struct profile *profile, size_t bin)
{
	return saturate_add(profile->first_bin_ns, saturate_multiply(bin, profile->bin_ns));
}

static void write_window(struct sink *sink, const struct profile *profile,
			 const struct spike *spike)
{
	number_seconds(sink, bin_begin_ns(profile, spike->begin));
	sink_char(sink, ',');
	/* The end of --time is inclusive. */
	number_seconds(sink, bin_begin_ns(profile, spike->end) - 1);
}

static void write_p_value(struct sink *sink, double p_value)
{
	if (p_value < 1e-99)
		sink_puts(sink, "< 1e-99");
	else
		sink_printf(sink, "%.0e", p_value);
}

/* The path of a frame's DSO; empty if the frame has no DSO. */
static struct text dso_of(const struct profile *profile, const struct frame *frame)
{
	const struct module *module = modules_get(profile->modules, frame->module);

	return strings_get(profile->strings, module->path);
}

static void write_function_name(struct sink *sink, const struct profile *profile, uint32_t frame)
{
	const struct frame *row = &profile->frames.at[frame];
	struct text module = dso_of(profile, row);

	escape_terminal(sink, strings_get(profile->strings, row->name));
	if (row->is_named && module.length) {
		sink_puts(sink, "  (");
		escape_terminal(sink, module);
		sink_char(sink, ')');
	}
}

static void write_group_title(struct sink *sink, const struct profile *profile,
			      const struct spike_group *group)
{
	size_t count = group->members.count;

	if (group->frame != UINT32_MAX)
		write_function_name(sink, profile, group->frame);
	else
		sink_puts(sink, group->kind == SPIKE_FEWER ? "fewer samples than usual"
							   : "more samples than usual");
	sink_puts(sink, ": ");
	number_grouped(sink, count);
	sink_puts(sink, count == 1 ? " window" : " windows");
	if (group->is_periodic) {
		sink_puts(sink, ", every ");
		number_duration(sink, (uint64_t)(group->period * (double)profile->bin_ns));
		sink_puts(sink, " ± ");
		number_duration(sink, (uint64_t)(group->deviation * (double)profile->bin_ns));
	}
	sink_puts(sink, ", ");
	number_duration(sink, group->width * profile->bin_ns);
	sink_puts(sink, " wide\n");
}

/* Writes the functions of the group's most significant spike. */
static void write_functions(struct sink *sink, const struct profile *profile,
			    const struct spike *spike)
{
	if (spike->kind == SPIKE_FEWER)
		return;
	sink_puts(sink, "   total   self  elsewhere  function\n");
	for (size_t i = 0; i < spike->function_count; i++) {
		const struct spike_function *function = &spike->functions[i];
		double all = spike->samples ? (double)spike->samples : 1;

		sink_printf(sink, "  %5.1f%% %5.1f%%     %5.1f%%  ",
			    100 * (double)function->total / all, 100 * (double)function->self / all,
			    100 * function->rest_total);
		write_function_name(sink, profile, function->frame);
		sink_char(sink, '\n');
	}
}

/*
 * The index of the most significant spike of a group. Spikes are in order of significance, but
 * members are in time order.
 */
static size_t best_member(const struct spike_group *group)
{
	size_t best = group->members.at[0];

	for (size_t i = 1; i < group->members.count; i++)
		if (group->members.at[i] < best)
			best = group->members.at[i];
	return best;
}

static void write_windows(struct sink *sink, const struct profile *profile,
			  const struct spikes *spikes, const struct spike_group *group,
			  uint64_t limit)
{
	sink_puts(sink, "  samples  usual        p  --time\n");
	for (size_t i = 0; i < group->members.count && i < limit; i++) {
		const struct spike *spike = &spikes->at.at[group->members.at[i]];
		struct sink p_value;

		sink_init_memory(&p_value);
		write_p_value(&p_value, spike->p_value);
		sink_printf(sink, "  %7" PRIu64 "  %5.0f  %7.*s  ", spike->samples,
			    spike->expected_samples, (int)sink_memory(&p_value).length,
			    sink_memory(&p_value).at);
		write_window(sink, profile, spike);
		sink_char(sink, '\n');
		sink_deinit(&p_value);
	}
	if (group->members.count > limit) {
		sink_puts(sink, "  ... and ");
		number_grouped(sink, group->members.count - limit);
		sink_puts(sink, " more; --json lists all\n");
	}
}

/* Writes a command that shows a window of the same samples. */
static void write_command(struct sink *sink, const struct profile *profile,
			  const struct spike *spike, const struct spike_table_options *options,
			  const char *const words[3])
{
	sink_printf(sink, "  kiln %s ", words[0]);
	escape_shell(sink, text_of(options->input_name));
	for (size_t i = 0; i < options->selection_count; i++) {
		const struct spike_selection *selection = &options->selection[i];

		if (!selection->value)
			continue;
		sink_printf(sink, " --%s ", selection->option);
		escape_shell(sink, text_of(selection->value));
	}
	sink_printf(sink, " --%s ", words[1]);
	write_window(sink, profile, spike);
	sink_printf(sink, " -o %s\n", words[2]);
}

static void write_commands(struct sink *sink, const struct profile *profile,
			   const struct spike *spike, const struct spike_table_options *options)
{
	write_command(sink, profile, spike, options,
		      (const char *const[]){ "flame", "time", "spike.svg" });
	write_command(sink, profile, spike, options,
		      (const char *const[]){ "diff", "window-vs-rest", "spike-diff.svg" });
}

static void write_head(struct sink *sink, const struct profile *profile,
		       const struct spikes *spikes, const struct spike_table_options *options)
{
	sink_puts(sink, "# event ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, ", ");
	number_grouped(sink, profile->view_sample_count);
	sink_puts(sink, profile->view_sample_count == 1 ? " sample in " : " samples in ");
	number_duration(sink, profile->last_time_ns - profile->first_time_ns);
	sink_puts(sink, "; windows of ");
	number_duration(sink, options->narrowest_ns);
	sink_puts(sink, " to ");
	number_duration(sink, options->widest_ns);
	sink_puts(sink, ", ");
	number_grouped(sink, spikes->test_count);
	sink_puts(sink, spikes->test_count == 1 ? " comparison\n" : " comparisons\n");
	if (!spikes->test_count)
		sink_puts(sink,
			  "# nothing was tested: the capture is too short for windows of this "
			  "width\n");
	else if (!spikes->at.count)
		sink_printf(sink, "# no window differs from the rest at %g%% confidence\n",
			    100 * options->confidence);
	if (spikes->is_limited)
		sink_printf(sink, "# only the %u most significant windows are listed\n",
			    LIMIT_SPIKES);
}

static void write_text(const struct profile *profile, const struct spikes *spikes,
		       const struct spike_groups *groups, const struct spike_table_options *options,
		       struct sink *sink)
{
	write_head(sink, profile, spikes, options);
	for (size_t i = 0; i < groups->at.count; i++) {
		const struct spike_group *group = &groups->at.at[i];
		const struct spike *best = &spikes->at.at[best_member(group)];

		sink_printf(sink, "\n%zu. ", i + 1);
		write_group_title(sink, profile, group);
		write_functions(sink, profile, best);
		write_windows(sink, profile, spikes, group,
			      options->limit ? options->limit : WINDOWS_DEFAULT);
		write_commands(sink, profile, best, options);
	}
}

static void json_function(struct json *json, const struct profile *profile, uint32_t frame)
{
	const struct frame *row = &profile->frames.at[frame];

	json_text(json, "symbol", strings_get(profile->strings, row->name));
	json_text(json, "dso", dso_of(profile, row));
}

static void json_spike(struct json *json, const struct profile *profile, const struct spike *spike)
{
	static const char *const kinds[] = {
		[SPIKE_FUNCTION] = "function",
		[SPIKE_MORE] = "more samples",
		[SPIKE_FEWER] = "fewer samples",
	};
	const char *kind = kinds[spike->kind];

	json_open_object(json, NULL);
	json_text(json, "kind", (struct text){ kind, (uint32_t)strlen(kind) });
	json_u64(json, "begin_ns", bin_begin_ns(profile, spike->begin));
	json_u64(json, "end_ns", bin_begin_ns(profile, spike->end));
	json_u64(json, "samples", spike->samples);
	json_number(json, "usual_samples", spike->expected_samples);
	json_number(json, "p_value", spike->p_value);
	json_open_array(json, "functions");
	for (size_t i = 0; i < spike->function_count; i++) {
		const struct spike_function *function = &spike->functions[i];

		json_open_object(json, NULL);
		json_function(json, profile, function->frame);
		json_u64(json, "self", function->self);
		json_u64(json, "total", function->total);
		json_number(json, "self_share_elsewhere", function->rest_self);
		json_number(json, "total_share_elsewhere", function->rest_total);
		json_close_object(json);
	}
	json_close_array(json);
	json_close_object(json);
}

static void json_group(struct json *json, const struct profile *profile,
		       const struct spike_group *group)
{
	json_open_object(json, NULL);
	if (group->frame != UINT32_MAX)
		json_function(json, profile, group->frame);
	json_u64(json, "width_ns", group->width * profile->bin_ns);
	if (group->is_periodic) {
		json_number(json, "period_ns", group->period * (double)profile->bin_ns);
		json_number(json, "period_deviation_ns",
			    group->deviation * (double)profile->bin_ns);
	}
	json_open_array(json, "spikes");
	for (size_t i = 0; i < group->members.count; i++)
		json_u64(json, NULL, group->members.at[i]);
	json_close_array(json);
	json_close_object(json);
}

static void write_json(const struct profile *profile, const struct spikes *spikes,
		       const struct spike_groups *groups, const struct spike_table_options *options,
		       struct sink *sink)
{
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_u64(&json, "samples", profile->view_sample_count);
	json_u64(&json, "narrowest_ns", options->narrowest_ns);
	json_u64(&json, "widest_ns", options->widest_ns);
	json_number(&json, "confidence", options->confidence);
	json_u64(&json, "comparisons", spikes->test_count);
	json_bool(&json, "is_limited", spikes->is_limited);
	json_open_array(&json, "spikes");
	for (size_t i = 0; i < spikes->at.count; i++)
		json_spike(&json, profile, &spikes->at.at[i]);
	json_close_array(&json);
	json_open_array(&json, "groups");
	for (size_t i = 0; i < groups->at.count; i++)
		json_group(&json, profile, &groups->at.at[i]);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

void spike_table_write(const struct profile *profile, const struct spikes *spikes,
		       const struct spike_groups *groups, const struct spike_table_options *options,
		       struct sink *sink)
{
	if (options->is_json)
		write_json(profile, spikes, groups, options, sink);
	else
		write_text(profile, spikes, groups, options, sink);
}
