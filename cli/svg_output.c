/* SPDX-License-Identifier: MIT */
#include "cli/svg_output.h"

#include <unistd.h>

#include "base/saturate.h"
#include "render/diff/delta_rows.h"
#include "render/svg/name_attributes.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/text_file.h"

#define PALETTE_MAP "palette.map"

/* Millionths are counted where numbers have a decimal point. */
#define MILLION 1e6

static const char *map_path(const struct picture_settings *picture)
{
	return *picture->palette_map ? picture->palette_map : PALETTE_MAP;
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

/* A map that is not there yet will be written. */
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

/* Gives the root the weight that the whole width is to stand for. */
static void stretch(struct profile *shown, double total)
{
	struct stack *root;
	size_t size = shown->stacks.count * sizeof(*shown->stacks.at);
	uint64_t wanted = (uint64_t)(total < 1.8e19 ? total : 1.8e19);

	shown->stacks.at = memcpy(memory_alloc(shown->stacks.count, sizeof(*shown->stacks.at)),
				  shown->stacks.at, size);
	root = &shown->stacks.at[0];
	root->self = saturate_add(root->self, wanted - root->total);
	root->total = wanted;
}

/* The profile in the numbers and words it is to be shown in. True: its stacks are its own. */
static bool show_as(const struct settings *settings, struct profile *shown)
{
	const struct picture_settings *picture = &settings->picture;
	bool has_decimals = shown->unit == UNIT_MILLIONTHS;
	double total = picture->total * (has_decimals ? MILLION : 1);

	shown->factor = picture->factor;
	if (picture->count_name) {
		if (has_decimals)
			shown->factor = (picture->factor == 0 ? 1 : picture->factor) / MILLION;
		shown->unit = UNIT_EVENTS;
		shown->weight_name = strings_intern_text(shown->strings, picture->count_name);
	}
	if (total <= 0 || !shown->stacks.count)
		return false;
	if (total < (double)shown->stacks.at[0].total) {
		command_warn(settings, "--total is less than what was counted, and ignored");
		return false;
	}
	stretch(shown, total);
	return true;
}

static void draw(const struct settings *settings, const struct svg_options *svg,
		 const struct profile *profile, struct sink *sink)
{
	struct svg_options options = *svg;
	struct profile shown = *profile;
	bool has_own_stacks = show_as(settings, &shown);
	const struct picture_settings *picture = &settings->picture;
	bool has_widths = picture->shows_widths && !profile->deltas.count;
	struct delta *unknown =
		has_widths ? memory_zalloc(profile->stacks.count, sizeof(*unknown)) : NULL;
	struct delta_rows rows = {
		.profile = &shown,
		.colouring = &options.colouring,
		.deltas = has_widths ? unknown : profile->deltas.at,
		.largest = profile->largest_delta,
		.scale = picture->shows_widths ? DELTA_SCALE_WIDTH
					       : (enum delta_scale)picture->delta_scale,
		.is_negated = picture->is_negated,
	};
	bool has_rows = rows.deltas != NULL;
	struct sink command;

	sink_init_memory(&command);
	command_write_line(settings, &command);
	options.command = sink_memory(&command).at;
	if (has_rows) {
		delta_rows_init(&rows);
		options.overrides = &rows.rows;
		if (!options.title && !options.theme.is_classic && !picture->shows_widths)
			options.title = "Differential Flame Graph";
	}
	svg_write(&shown, &options, sink);
	if (has_rows)
		delta_rows_deinit(&rows);
	memory_free(unknown);
	sink_deinit(&command);
	if (has_own_stacks)
		memory_free(shown.stacks.at);
}

bool command_write_svg(const struct settings *settings, const struct profile *profile,
		       struct sink *sink, struct error *err)
{
	const struct picture_settings *picture = &settings->picture;
	struct svg_options options = settings->svg;
	struct name_attributes attributes;
	struct palette_map map;
	bool good;

	name_attributes_init(&attributes);
	attributes.is_inferno = settings->svg.colouring.is_inferno;
	palette_map_init(&map);
	good = (!picture->attributes || read_attributes(picture->attributes, &attributes, err)) &&
	       (!picture->palette_map || read_map(map_path(picture), &map, err));
	if (good) {
		if (attributes.refused_count)
			command_warn(settings,
				     "%s: %llu attributes are not taken; href, target, "
				     "id, class and title are",
				     picture->attributes,
				     (unsigned long long)attributes.refused_count);
		options.attributes = picture->attributes ? &attributes : NULL;
		options.colouring.map = picture->palette_map ? &map : NULL;
		draw(settings, &options, profile, sink);
	}
	good = good && (!picture->palette_map || write_map(map_path(picture), &map, err));
	palette_map_deinit(&map);
	name_attributes_deinit(&attributes);
	return good;
}
