/* SPDX-License-Identifier: MIT */
#include "cli/svg_output.h"

#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/text_file.h"
#include "render/diff/delta_rows.h"
#include "render/escape.h"
#include "render/svg/name_attributes.h"
#include "render/text/summary.h"

#define PALETTE_MAP "palette.map"

/*
 * Whether the word is --view or its value. Compares addresses, not texts, because the same text may
 * be an input or the value of a different option, and because options may be abbreviated.
 */
static bool is_of_view(const struct settings *settings, char *const *word)
{
	const char *equals = strchr(word[0], '=');

	for (size_t i = 0; i < settings->page_views.count; i++) {
		const char *view = settings->page_views.at[i];

		if (view == word[0] || view == word[1] || (equals && view == equals + 1))
			return true;
	}
	return false;
}

void svg_output_write_command(const struct settings *settings, struct sink *sink)
{
	struct sink word;

	sink_init_memory(&word);
	sink_puts(sink, "kiln");
	for (char *const *at = settings->command_line + 1; *at; at++) {
		if (is_of_view(settings, at))
			continue;
		word.used = 0;
		if (settings->svg.shows_host)
			sink_puts(&word, *at);
		else
			escape_command_word(&word, text_of(*at));
		sink_char(sink, ' ');
		escape_shell(sink, sink_memory(&word));
	}
	sink_char(sink, '\0');
	sink_deinit(&word);
}

bool svg_output_check(const struct settings *settings, struct error *err)
{
	bool has_file = settings->output && strcmp(settings->output, "-") != 0;

	if (settings->wants_summary && !has_file)
		return error_set(err, ERROR_USAGE,
				 "--summary requires -o FILE, because the summary is printed on "
				 "standard output");
	return output_check_terminal(settings->output, "SVG", err);
}

bool svg_output_print_summary(const struct profile *profile, struct error *err)
{
	struct output output;

	if (!output_open(&output, NULL, err))
		return false;
	summary_write(profile, &output.sink);
	return output_commit(&output, err);
}

const char *svg_output_map_path(const struct flame_settings *flame)
{
	return *flame->palette_map ? flame->palette_map : PALETTE_MAP;
}

static bool read_attributes(const char *path, struct name_attributes *attributes, struct error *err)
{
	struct sink file;
	bool good;

	sink_init_memory(&file);
	good = text_file_read(path, &file, err) &&
	       (name_attributes_read(attributes, sink_memory(&file), err) ||
		error_prefix(err, "%s", path));
	sink_deinit(&file);
	return good;
}

/* A missing file means an empty map; the file is written with the SVG. */
static bool read_map(const char *path, struct palette_map *map, struct error *err)
{
	struct sink file;
	bool good = true;

	if (access(path, F_OK) != 0)
		return true;
	sink_init_memory(&file);
	good = text_file_read(path, &file, err) &&
	       (palette_map_read(map, sink_memory(&file), err) || error_prefix(err, "%s", path));
	sink_deinit(&file);
	return good;
}

static bool write_map(const char *path, const struct palette_map *map, struct error *err)
{
	struct output output;

	if (!output_open(&output, path, err))
		return false;
	palette_map_write(map, &output.sink);
	return output_commit(&output, err);
}

static void draw(const struct settings *settings, const struct svg_options *svg,
		 const struct profile *profile, struct sink *sink)
{
	struct svg_options options = *svg;
	const struct flame_settings *flame = &settings->flame;
	bool has_widths = flame->shows_widths && !profile->deltas.count;
	struct delta *unknown =
		has_widths ? memory_zalloc(profile->stacks.count, sizeof(*unknown)) : NULL;
	struct svg_weights weights;
	struct delta_rows rows = {
		.profile = profile,
		.weights = &weights,
		.colouring = &options.colouring,
		.deltas = has_widths ? unknown : profile->deltas.at,
		.largest = profile->largest_delta,
		.scale = flame->shows_widths ? DELTA_SCALE_WIDTH
					     : (enum delta_scale)flame->delta_scale,
		.is_negated = flame->is_negated,
	};
	bool has_rows = rows.deltas != NULL;
	struct sink command;

	svg_weights_init(&weights, profile, svg);
	if (weights.is_total_ignored)
		command_warn(settings, "--total is less than the profile total and is ignored");
	sink_init_memory(&command);
	svg_output_write_command(settings, &command);
	options.command = sink_memory(&command).at;
	options.thread_count = (unsigned)settings->thread_count;
	if (has_rows) {
		delta_rows_init(&rows);
		options.overrides = &rows.rows;
		if (!options.title && !options.theme.is_classic && !flame->shows_widths)
			options.title = "Differential Flame Graph";
	}
	svg_write(profile, &options, sink);
	if (has_rows)
		delta_rows_deinit(&rows);
	memory_free(unknown);
	sink_deinit(&command);
}

bool svg_output_write(const struct settings *settings, const struct profile *profile,
		      struct sink *sink, struct error *err)
{
	const struct flame_settings *flame = &settings->flame;
	struct svg_options options = settings->svg;
	struct name_attributes attributes;
	struct palette_map map;
	bool good;

	name_attributes_init(&attributes);
	attributes.is_inferno = settings->svg.colouring.is_inferno;
	palette_map_init(&map);
	good = (!flame->attributes || read_attributes(flame->attributes, &attributes, err)) &&
	       (!flame->palette_map || read_map(svg_output_map_path(flame), &map, err));
	if (good) {
		if (attributes.refused_count)
			command_warn(settings,
				     "%s: %llu %s ignored; kiln supports href, target, id, "
				     "class and title, and links that are relative or have the "
				     "scheme http, https, ftp, file or mailto",
				     flame->attributes,
				     (unsigned long long)attributes.refused_count,
				     attributes.refused_count == 1 ? "attribute was"
								   : "attributes were");
		options.attributes = flame->attributes ? &attributes : NULL;
		options.colouring.map = flame->palette_map ? &map : NULL;
		draw(settings, &options, profile, sink);
	}
	good = good && (!flame->palette_map || write_map(svg_output_map_path(flame), &map, err));
	palette_map_deinit(&map);
	name_attributes_deinit(&attributes);
	return good;
}
