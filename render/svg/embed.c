/* SPDX-License-Identifier: MIT */
#include "render/svg/embed.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "profile/missing.h"
#include "profile/tree/function_sums.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/svg/embed_columns.h"
#include "render/svg/embed_counts.h"
#include "render/svg/embed_rows.h"
#include "render/svg/svg_header.h"

/*
 * The estimated compressed size of a row, in a profile and in a comparison; and the maximum number
 * of corrections of the estimate.
 */
#define ROW_BYTES       3
#define ROW_SIDES_BYTES 8
#define GUESSES_MAX     6
#define NS_PER_SECOND   ((uint64_t)1000000000)
/* The minimum size of a function in the table. Its colour and name alone need this much. */
#define FUNCTION_BYTES 3
/* The function table may use three quarters of the limit, so that some rows still fit. */
#define TABLE_ROOM(limit) ((limit) - (limit) / 4)

/*
 * The function sums of the whole tree: [0] is the profile, or the after side; [1] is the before
 * side.
 */
struct embed_sums {
	struct function_sums of[2];
	uint32_t count;
};

struct embedding {
	const struct profile *profile;
	const struct embed_options *options;
	const struct embed_sides *sides;
	const struct embed_sums *sums; /* if NULL, no function table is written */
	struct numbering names, modules, frames;
	struct embed_rows rows;
};

static struct frame frame_at(const struct embedding *embedding, uint32_t index)
{
	const struct profile *profile = embedding->profile;

	if (index < profile->frames.count)
		return profile->frames.at[index];
	return (struct frame){
		.name = { (uint32_t)profile->strings->rows.count },
		.kind = FRAME_MARK,
		.is_named = true,
	};
}

static struct text name_at(const struct embedding *embedding, uint32_t index)
{
	const struct strings *strings = embedding->profile->strings;

	return index == strings->rows.count ? text_of(FRAME_NAME_LEFT_OUT)
					    : strings_get(strings, (str_id){ index });
}

static uint32_t colour_of(const struct embedding *embedding, const struct frame *frame)
{
	struct frame known = *frame;

	if (frame->name.i == embedding->profile->strings->rows.count)
		known.name = STR_EMPTY;
	return colour_rgb(
		palette_colour(embedding->options->colouring, embedding->profile, &known));
}

static void write_frames(struct embedding *embedding, struct sink *sink)
{
	for (uint32_t i = 0; i < embedding->frames.order.count; i++) {
		struct frame frame = frame_at(embedding, embedding->frames.order.at[i]);
		const uint32_t numbers[] = {
			numbering_of(&embedding->names, frame.name.i),
			numbering_of(&embedding->modules, frame.module.i),
			(uint32_t)frame.kind,
			colour_of(embedding, &frame),
		};

		for (size_t k = 0; k < ARRAY_SIZE(numbers); k++) {
			if (i || k)
				sink_char(sink, ',');
			sink_u64(sink, numbers[k]);
		}
	}
}

static void write_string(struct sink *sink, const char *before, struct text text)
{
	sink_puts(sink, before);
	sink_char(sink, '"');
	escape_json(sink, text);
	sink_char(sink, '"');
}

static void write_path(const struct embedding *embedding, const char *before, str_id id,
		       struct sink *sink)
{
	struct text path = strings_get(embedding->profile->strings, id);
	bool is_cut = !embedding->options->shows_homes && escape_cut_home(&path);

	sink_puts(sink, before);
	sink_puts(sink, is_cut ? "\"~" : "\"");
	escape_json(sink, path);
	sink_char(sink, '"');
}

static void write_lists(struct embedding *embedding, struct sink *sink)
{
	const struct profile *profile = embedding->profile;

	sink_puts(sink, ",\n\"names\":[");
	for (uint32_t i = 0; i < embedding->names.order.count; i++)
		write_string(sink, i ? "," : "", name_at(embedding, embedding->names.order.at[i]));
	sink_puts(sink, "],\n\"modules\":[");
	for (uint32_t i = 0; i < embedding->modules.order.count; i++) {
		module_id module = { embedding->modules.order.at[i] };

		write_path(embedding, i ? "," : "", modules_get(profile->modules, module)->path,
			   sink);
	}
	sink_char(sink, ']');
}

/* Writes the source line of each frame's function. Writes nothing if no line is known. */
static void write_sources(const struct embedding *embedding, struct sink *sink)
{
	bool is_known = false;

	for (uint32_t i = 0; i < embedding->frames.order.count && !is_known; i++)
		is_known = frame_at(embedding, embedding->frames.order.at[i]).source.i;
	if (!is_known)
		return;
	sink_puts(sink, ",\n\"sources\":[");
	for (uint32_t i = 0; i < embedding->frames.order.count; i++)
		write_path(embedding, i ? "," : "",
			   frame_at(embedding, embedding->frames.order.at[i]).source, sink);
	sink_char(sink, ']');
}

static void write_links(struct embedding *embedding, struct sink *sink)
{
	const char *separator = ",\n\"links\":{";

	if (!embedding->options->attributes)
		return;
	for (uint32_t i = 0; i < embedding->names.order.count; i++) {
		struct text name = name_at(embedding, embedding->names.order.at[i]);
		const struct name_attributes_row *row =
			name_attributes_find(embedding->options->attributes, name);

		if (!row || !row->at[NAME_ATTRIBUTE_HREF].length)
			continue;
		write_string(sink, separator, name);
		write_string(sink, ":[", row->at[NAME_ATTRIBUTE_HREF]);
		write_string(sink, ",", row->at[NAME_ATTRIBUTE_TARGET]);
		sink_char(sink, ']');
		separator = ",";
	}
	if (*separator == ',' && separator[1] == '\0')
		sink_char(sink, '}');
}

/* Numbers all functions, including those whose rows are left out. */
static void number_functions(struct embedding *embedding)
{
	for (uint32_t i = 0; i < embedding->profile->frames.count; i++)
		for (uint32_t k = 0; k < embedding->sums->count; k++)
			if (embedding->sums->of[k].of_frame[i].total)
				numbering_of(&embedding->frames, i);
}

static void write_functions(const struct embedding *embedding, struct sink *sink)
{
	uint32_t mark = missing_left_out_frame(embedding->profile);

	sink_puts(sink, ",\n\"functions\":[");
	for (uint32_t i = 0; i < embedding->frames.order.count; i++) {
		uint32_t frame = embedding->frames.order.at[i];

		for (uint32_t k = 0; k < embedding->sums->count; k++) {
			struct function_sum sum = { 0 };

			if (frame != mark)
				sum = embedding->sums->of[k].of_frame[frame];
			sink_printf(sink, "%s%" PRIu64 ",%" PRIu64, i || k ? "," : "", sum.self,
				    sum.total);
		}
	}
	sink_char(sink, ']');
}

/*
 * Writes the totals of names that several functions share. A sample may count for several of these
 * functions, so their totals do not add up.
 */
static void write_names(struct embedding *embedding, struct sink *sink)
{
	const struct embed_sums *sums = embedding->sums;
	bool is_first = true;

	sink_puts(sink, ",\n\"together\":[");
	for (uint32_t i = 0; i < embedding->names.order.count; i++) {
		uint32_t name = embedding->names.order.at[i];

		if (name >= embedding->profile->strings->rows.count ||
		    sums->of[0].frame_count_of_name[name] < 2)
			continue;
		sink_printf(sink, "%s%" PRIu32, is_first ? "" : ",", i);
		for (uint32_t k = 0; k < sums->count; k++)
			sink_printf(sink, ",%" PRIu64, sums->of[k].total_of_name[name]);
		is_first = false;
	}
	sink_char(sink, ']');
}

static void write_rows(struct embedding *embedding, struct sink *sink)
{
	const struct profile *profile = embedding->profile;

	sink_printf(sink, "],\n\"self\":%" PRIu64,
		    embedding->sides ? embedding->sides->self[1][0]
				     : embedding->options->weights->root_self);
	if (profile->lanes.count)
		sink_printf(sink, ",\"clock\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
			    profile->lanes.first_ns / NS_PER_SECOND,
			    profile->lanes.first_ns % NS_PER_SECOND, profile->lanes.duration_ns);
	if (profile->begins.count) {
		sink_puts(sink, ",\"gaps\":[");
		sink_text(sink, sink_memory(&embedding->rows.gaps));
		sink_char(sink, ']');
	}
	sink_puts(sink, ",\n\"rows\":");
	embed_columns_write(&embedding->rows.columns, sink);
	sink_puts(sink, "}\n");
}

static void write_json(struct embedding *embedding, struct sink *sink)
{
	const struct profile *profile = embedding->profile;
	const struct svg_weights *weights = embedding->options->weights;
	struct sink frames;

	sink_init_memory(&frames);
	embed_rows_write(&embedding->rows);
	if (embedding->sums)
		number_functions(embedding);
	write_frames(embedding, &frames);
	write_string(sink, "{\"version\":2,\"event\":",
		     strings_get(profile->strings, profile->event_name));
	write_string(sink, ",\"unit\":", text_of(number_unit_name(weights->unit)));
	write_string(sink, ",\"of\":", svg_weights_unit(weights));
	sink_printf(sink, ",\"samples\":%" PRIu64,
		    profile->lacks_sample_counts ? 0 : profile->view_sample_count);
	if (embedding->sides)
		sink_printf(sink, ",\n%s", embedding->sides->words);
	if (weights->factor != 0)
		sink_printf(sink, ",\"factor\":%.17g", weights->factor);
	write_lists(embedding, sink);
	write_sources(embedding, sink);
	write_links(embedding, sink);
	if (embedding->sums) {
		write_functions(embedding, sink);
		write_names(embedding, sink);
	}
	sink_puts(sink, ",\n\"frames\":[");
	sink_text(sink, sink_memory(&frames));
	write_rows(embedding, sink);
	sink_deinit(&frames);
}

/* Replaces the content of sink with the profile, without rows that weigh less than least. */
static void try_least(const struct profile *profile, const struct embed_options *options,
		      const struct embed_sums *sums, uint64_t least, struct sink *sink)
{
	struct embedding embedding = {
		.profile = profile,
		.options = options,
		.sides = options->sides,
		.sums = sums,
	};
	struct sink json;

	numbering_init(&embedding.names, profile->strings->rows.count + 1);
	numbering_init(&embedding.modules, profile->modules->rows.count);
	numbering_init(&embedding.frames, profile->frames.count + 1);
	embedding.rows = (struct embed_rows){
		.profile = profile,
		.sides = options->sides,
		.least = least,
		.frames = &embedding.frames,
	};
	embed_rows_init(&embedding.rows);
	sink_init_memory(&json);
	sink->used = 0;
	write_json(&embedding, &json);
	embed_element_write(options, sink_memory(&json), sink);
	sink_deinit(&json);
	embed_rows_deinit(&embedding.rows);
	numbering_deinit(&embedding.names);
	numbering_deinit(&embedding.modules);
	numbering_deinit(&embedding.frames);
}

static void sums_init(struct embed_sums *sums, const struct profile *profile,
		      const struct embed_sides *sides)
{
	sums->count = sides ? 2 : 1;
	for (uint32_t i = 0; i < sums->count; i++) {
		/* Index 0 is the BEFORE side in `sides`, but the AFTER side in `sums`. */
		struct function_weights weights = { .self = sides ? sides->self[1 - i] : NULL,
						    .total = sides ? sides->total[1 - i] : NULL };

		function_sums_init(&sums->of[i], profile, sides ? &weights : NULL);
	}
}

static void sums_deinit(struct embed_sums *sums)
{
	for (uint32_t i = 0; i < sums->count; i++)
		function_sums_deinit(&sums->of[i]);
}

static uint64_t count_functions(const struct profile *profile, const struct embed_sums *sums)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < profile->frames.count; i++)
		count += sums->of[0].of_frame[i].total ||
			 (sums->count > 1 && sums->of[1].of_frame[i].total);
	return count;
}

/*
 * Leaves out as few rows as possible. If the function table leaves too little space for rows, it is
 * also omitted.
 */
static void write_part(const struct profile *profile, const struct embed_options *options,
		       const struct embed_sums *sums, const struct embed_counts *counts,
		       struct sink *sink)
{
	uint64_t limit = options->limit_bytes;
	uint64_t row_count = 0;
	uint64_t table_bytes = 0;
	struct sink element;

	sink_init_memory(&element);
	if (sums && count_functions(profile, sums) > TABLE_ROOM(limit) / FUNCTION_BYTES)
		sums = NULL;
	if (sums) {
		try_least(profile, options, sums, UINT64_MAX, &element);
		table_bytes = element.used;
	}
	if (table_bytes > TABLE_ROOM(limit)) {
		sums = NULL;
		table_bytes = 0;
	}
	row_count = (limit - table_bytes) / (options->sides ? ROW_SIDES_BYTES : ROW_BYTES);
	for (int i = 0; i < GUESSES_MAX && row_count; i++) {
		try_least(profile, options, sums, embed_counts_minimum(counts, row_count),
			  &element);
		if (element.used <= limit) {
			sink_text(sink, sink_memory(&element));
			break;
		}
		/*
		 * Reduce by more than the excess, because the rows that stay have larger numbers
		 * and so need more bytes.
		 */
		if (row_count > profile->stacks.count)
			row_count = profile->stacks.count;
		row_count = (uint64_t)((double)row_count * (double)(limit - table_bytes) /
				       (double)(element.used - table_bytes) * 0.8);
	}
	sink_deinit(&element);
}

void embed_write(const struct profile *profile, const struct embed_options *options,
		 struct sink *sink)
{
	bool is_exact = profile->exact.functions.count && !options->sides;
	bool is_whole = missing_left_out_frame(profile) == profile->frames.count;
	struct embed_counts *counts;
	struct embed_sums sums = { 0 };
	struct sink element;

	if (!profile->stacks.count || !options->weights->total || !options->limit_bytes)
		return;
	counts = memory_alloc(1, sizeof(*counts));
	embed_counts_make(profile, counts);
	sink_init_memory(&element);
	if (!is_exact && embed_counts_minimum(counts, options->limit_bytes / ROW_BYTES) == 0)
		try_least(profile, options, NULL, 0, &element);
	if (element.used && element.used <= options->limit_bytes) {
		sink_text(sink, sink_memory(&element));
	} else {
		/* If the tree already lacks stacks, sums over it are not the sums of the
		 * functions. */
		if (is_whole || is_exact)
			sums_init(&sums, profile, options->sides);
		write_part(profile, options, sums.count ? &sums : NULL, counts, sink);
		sums_deinit(&sums);
	}
	sink_deinit(&element);
	memory_free(counts);
}
