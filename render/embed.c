/* SPDX-License-Identifier: MIT */
#include "render/embed.h"

#include "base/deflate.h"
#include "base/saturate.h"
#include "render/embed_limit.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/private_path.h"
#include "render/svg_header.h"

/* What a row comes to when it is packed, about, of one profile and of two; and how often a better
 * guess is made. */
#define ROW_BYTES       3
#define ROW_SIDES_BYTES 8
#define GUESSES_MAX     6

#define NONE UINT32_MAX

/* A list whose rows get numbers in the order they are first asked for. */
struct numbering {
	uint32_t *number; /* by what is numbered */
	VEC(uint32_t) order;
};

struct embedding {
	const struct profile *profile;
	const struct embed_options *options;
	const struct embed_sides *sides;
	uint64_t least; /* rows that weigh less are left out */
	uint64_t *left; /* by row that is kept: what of it was left out; with sides that of after */
	uint64_t *left_before;
	struct numbering names, modules, frames;
	struct sink rows;
};

static void numbering_init(struct numbering *numbering, size_t count)
{
	*numbering = (struct numbering){ .number = memory_alloc(count, sizeof(uint32_t)) };
	memset(numbering->number, 0xff, count * sizeof(uint32_t));
}

static void numbering_deinit(struct numbering *numbering)
{
	memory_free(numbering->number);
	vec_free(&numbering->order);
}

static uint32_t number_of(struct numbering *numbering, uint32_t index)
{
	if (numbering->number[index] == NONE) {
		numbering->number[index] = (uint32_t)numbering->order.count;
		vec_push(&numbering->order, index);
	}
	return numbering->number[index];
}

static void write_number(struct sink *sink, uint64_t value)
{
	if (sink->used)
		sink_char(sink, ',');
	sink_u64(sink, value);
}

/* Levels between the row before, at depth before, and the one a row at depth stands on. */
static void write_row(struct embedding *embedding, uint32_t *before, uint32_t depth, uint32_t frame,
		      uint64_t self)
{
	write_number(&embedding->rows, *before + 1 - depth);
	write_number(&embedding->rows, frame);
	write_number(&embedding->rows, self);
	*before = depth;
}

/* The frame of what was left out comes behind all others. */
#define FRAME_LEFT_OUT(profile) ((uint32_t)(profile)->frames.count)

static bool is_kept(const struct embedding *embedding, uint32_t row)
{
	return embedding->profile->stacks.at[row].total >= embedding->least;
}

/* What of each row was left out, counted where the kept part of its stack ends. */
static void count_left(struct embedding *embedding)
{
	const struct profile *profile = embedding->profile;

	for (uint32_t i = 1; i < profile->stacks.count;) {
		const struct stack *stack = &profile->stacks.at[i];
		const struct embed_sides *sides = embedding->sides;
		uint64_t *left = &embedding->left[stack->parent];

		if (is_kept(embedding, i)) {
			i++;
			continue;
		}
		*left = saturate_add(*left, sides ? sides->total[1][i] : stack->total);
		if (sides) {
			uint64_t *left_before = &embedding->left_before[stack->parent];

			*left_before = saturate_add(*left_before, sides->total[0][i]);
		}
		i = stack->end;
	}
}

/* What rows have only where there are two sides. */
static void write_sides(struct embedding *embedding, uint64_t before, uint32_t colour,
			uint32_t confidence)
{
	write_number(&embedding->rows, before);
	write_number(&embedding->rows, colour);
	write_number(&embedding->rows, confidence);
}

static void write_left(struct embedding *embedding, uint32_t *before, uint32_t row)
{
	const struct profile *profile = embedding->profile;
	uint32_t frame = FRAME_LEFT_OUT(profile);

	if (!embedding->left[row] && !(embedding->sides && embedding->left_before[row]))
		return;
	write_row(embedding, before, profile->stacks.at[row].depth + 1,
		  number_of(&embedding->frames, frame), embedding->left[row]);
	if (embedding->sides)
		write_sides(embedding, embedding->left_before[row], embedding->sides->colour_left,
			    0);
}

static void write_rows(struct embedding *embedding)
{
	const struct profile *profile = embedding->profile;
	const struct embed_sides *sides = embedding->sides;
	uint32_t before = 0;

	write_left(embedding, &before, 0);
	for (uint32_t i = 1; i < profile->stacks.count;) {
		const struct stack *stack = &profile->stacks.at[i];

		if (!is_kept(embedding, i)) {
			i = stack->end;
			continue;
		}
		write_row(embedding, &before, stack->depth,
			  number_of(&embedding->frames, stack->frame.i),
			  sides ? sides->self[1][i] : stack->self);
		if (sides)
			write_sides(embedding, sides->self[0][i], sides->colour[i],
				    sides->confidence[i]);
		write_left(embedding, &before, i);
		i++;
	}
}

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

	return index == strings->rows.count ? text_of("[left out of this file: too narrow]")
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

		sink_printf(sink, "%s%u,%u,%d,%u", i ? "," : "",
			    number_of(&embedding->names, frame.name.i),
			    number_of(&embedding->modules, frame.module.i), (int)frame.kind,
			    colour_of(embedding, &frame));
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
	bool is_cut = !embedding->options->shows_homes && private_path_cut(&path);

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

/* Where the function of each frame is declared, if that is known of any. */
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

static void write_json(struct embedding *embedding, struct sink *sink)
{
	const struct profile *profile = embedding->profile;
	struct sink frames;

	sink_init_memory(&frames);
	write_rows(embedding);
	write_frames(embedding, &frames);
	write_string(sink, "{\"version\":1,\"event\":",
		     strings_get(profile->strings, profile->event_name));
	write_string(sink, ",\"unit\":", text_of(number_unit_name(profile->unit)));
	write_string(sink, ",\"of\":", svg_header_unit(profile));
	sink_printf(sink, ",\"samples\":%llu", (unsigned long long)profile->view_sample_count);
	if (embedding->sides)
		sink_printf(sink, ",\n%s", embedding->sides->words);
	if (profile->factor != 0)
		sink_printf(sink, ",\"factor\":%.17g", profile->factor);
	write_lists(embedding, sink);
	write_sources(embedding, sink);
	write_links(embedding, sink);
	sink_puts(sink, ",\n\"frames\":[");
	sink_text(sink, sink_memory(&frames));
	sink_printf(sink, "],\n\"self\":%llu,\"rows\":[",
		    (unsigned long long)(embedding->sides ? embedding->sides->self[1][0]
							  : profile->stacks.at[0].self));
	sink_text(sink, sink_memory(&embedding->rows));
	sink_puts(sink, "]}\n");
	sink_deinit(&frames);
}

static void write_element(const struct embed_options *options, struct text json, struct sink *sink)
{
	struct sink packed;
	bool is_packed;

	sink_init_memory(&packed);
	is_packed = !options->is_plain && deflate_write(&packed, json);
	sink_printf(sink, "<metadata id=\"profile\" class=\"%s\">",
		    is_packed ? "deflate" : "plain");
	if (is_packed)
		base64_write(sink, sink_memory(&packed));
	else
		escape_xml(sink, json);
	sink_puts(sink, "</metadata>\n");
	sink_deinit(&packed);
}

/* Writes the profile, as far as it weighs least or more; what that comes to is in sink. */
static void try_least(const struct profile *profile, const struct embed_options *options,
		      uint64_t least, struct sink *sink)
{
	struct embedding embedding = {
		.profile = profile,
		.options = options,
		.sides = options->sides,
		.least = least,
		.left = memory_zalloc(profile->stacks.count, sizeof(uint64_t)),
		.left_before = options->sides
				       ? memory_zalloc(profile->stacks.count, sizeof(uint64_t))
				       : NULL,
	};
	struct sink json;

	numbering_init(&embedding.names, profile->strings->rows.count + 1);
	numbering_init(&embedding.modules, profile->modules->rows.count);
	numbering_init(&embedding.frames, profile->frames.count + 1);
	sink_init_memory(&embedding.rows);
	sink_init_memory(&json);
	count_left(&embedding);
	write_json(&embedding, &json);
	write_element(options, sink_memory(&json), sink);
	sink_deinit(&json);
	sink_deinit(&embedding.rows);
	numbering_deinit(&embedding.names);
	numbering_deinit(&embedding.modules);
	numbering_deinit(&embedding.frames);
	memory_free(embedding.left);
	memory_free(embedding.left_before);
}

void embed_write(const struct profile *profile, const struct embed_options *options,
		 struct sink *sink)
{
	uint64_t row_count = options->limit_bytes / (options->sides ? ROW_SIDES_BYTES : ROW_BYTES);
	struct sink element;

	if (!profile->stacks.count || !profile->stacks.at[0].total)
		return;
	sink_init_memory(&element);
	for (int i = 0; i < GUESSES_MAX && row_count; i++) {
		element.used = 0;
		try_least(profile, options, embed_limit_least(profile, row_count), &element);
		if (element.used <= options->limit_bytes) {
			sink_text(sink, sink_memory(&element));
			break;
		}
		/* As many fewer as it is too long, and a few more, for it is the wide that stay. */
		if (row_count > profile->stacks.count)
			row_count = profile->stacks.count;
		row_count = (uint64_t)((double)row_count * (double)options->limit_bytes /
				       (double)element.used * 0.8);
	}
	sink_deinit(&element);
}
