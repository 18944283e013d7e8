/* SPDX-License-Identifier: MIT */
#include "libparse/svg/svg_reader.h"

#include "base/limits.h"
#include "libparse/svg/svg_rectangles.h"
#include "libparse/svg/svg_profile.h"
#include "libparse/svg/spooled.h"
#include "libparse/text.h"
#include "libparse/svg/xml.h"

struct svg_reader {
	struct spooled stacks; /* first: see spooled_read_samples */
	const char *maker;
	struct text_skips skips; /* lines before and behind the picture */
};

/* What a picture is while its elements go by. */
struct scan {
	struct spooled *stacks;
	struct svg_boxes boxes;
	struct sink title, content;
	uint32_t depth;
	uint32_t group_depth;  /* of the innermost that can have a box in it */
	uint32_t frames_depth; /* of the group that has them all; 0: there is none, or not yet */
	bool is_past_frames;
	bool has_title, has_content, is_packed, is_of_inferno;
	bool is_in_title, is_in_content;
};

/* Boxes before the group that is said to have them are buttons. */
static void open_frames(struct scan *scan, const struct xml_attribute *attributes, size_t count)
{
	scan->boxes.boxes.count = 0;
	scan->frames_depth = scan->depth;
	scan->boxes.is_of_kiln = xml_find(attributes, count, "", "data-levels").at != NULL;
	scan->is_of_inferno = xml_find(attributes, count, "", "total_samples").at != NULL;
}

static void open_element(void *context, struct text name, const struct xml_attribute *attributes,
			 size_t count)
{
	struct scan *scan = context;
	struct text id = xml_find(attributes, count, "", "id");

	scan->depth++;
	if (id.at && text_is(id, "frames") && !scan->frames_depth) {
		open_frames(scan, attributes, count);
	} else if (text_is(name, "g") || text_is(name, "a")) {
		scan->group_depth = scan->depth;
		scan->has_title = false;
	} else if (text_is(name, "title") && scan->depth == scan->group_depth + 1) {
		scan->title.used = 0;
		scan->is_in_title = true;
	} else if (text_is(name, "rect") && scan->has_title && !scan->is_past_frames &&
		   scan->boxes.boxes.count < LIMIT_SVG_BOXES) {
		svg_boxes_add(&scan->boxes, scan->stacks, sink_memory(&scan->title), attributes,
			      count);
		scan->has_title = false;
	} else if (id.at && text_is(id, "profile") && text_is(name, "metadata") &&
		   !scan->has_content) {
		struct text packing = xml_find(attributes, count, "", "class");

		scan->is_packed = packing.at && text_is(packing, "deflate");
		scan->has_content = scan->is_in_content = true;
	}
}

static void take_text(void *context, struct text text)
{
	struct scan *scan = context;

	if (scan->is_in_title)
		sink_text(&scan->title, text);
	else if (scan->is_in_content)
		sink_text(&scan->content, text);
}

static void close_element(void *context, struct text name)
{
	struct scan *scan = context;

	if (scan->is_in_title && text_is(name, "title")) {
		scan->is_in_title = false;
		scan->has_title = true;
	}
	if (scan->is_in_content && text_is(name, "metadata"))
		scan->is_in_content = false;
	if (scan->depth == scan->group_depth) {
		scan->group_depth = 0;
		scan->has_title = false;
	}
	if (scan->depth == scan->frames_depth)
		scan->is_past_frames = true;
	scan->depth--;
}

static void note_damage(struct capture *capture, const struct error *err)
{
	if (capture->is_partial)
		return;
	capture->is_partial = true;
	capture->damage = *err;
}

/* Rows of what the boxes are; false: there are none. */
static bool finish_boxes(struct capture *capture, struct scan *scan, struct error *err)
{
	uint64_t orphan_count;

	if (!scan->boxes.boxes.count)
		return error_set(err, ERROR_FORMAT,
				 "is an SVG, but no flame graph of kiln, flamegraph.pl or inferno; "
				 "give kiln the capture it was made from");
	svg_boxes_finish(&scan->boxes, scan->stacks, &orphan_count);
	capture->lacks_narrow = true;
	if (orphan_count) {
		error_set(err, ERROR_CORRUPT, "%llu of its boxes stand on none, and are left out",
			  (unsigned long long)orphan_count);
		note_damage(capture, err);
	}
	return true;
}

/* Rows of the profile in the picture; false: there is none, or it is damaged. */
static bool finish_profile(struct capture *capture, struct scan *scan)
{
	struct spooled stacks;
	struct error err;

	if (!scan->has_content)
		return false;
	spooled_init(&stacks);
	if (svg_profile_read(&stacks, sink_memory(&scan->content), scan->is_packed, &err)) {
		spooled_deinit(scan->stacks);
		*scan->stacks = stacks;
		return true;
	}
	spooled_deinit(&stacks);
	error_prefix(&err, "only what is drawn was read");
	note_damage(capture, &err);
	return false;
}

/* Where a picture begins: with an element or what is before one, at the beginning or of a line behind it, and it
 * is soon said to be a picture. NULL: nowhere. */
static const char *find_picture(const char *at, const char *end)
{
	static const char *const beginnings[] = { "<?xml ", "<svg ", "<!DOCTYPE " };
	bool is_first = true;
	struct text line;

	if (end - at > 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	while (text_next_line(&at, end, true, &line)) {
		struct text text = text_trim(line);
		bool begins = is_first && text_has_prefix(text, "<");

		for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
			begins |= text_has_prefix(text, beginnings[i]);
		if (begins && memmem(text.at, (size_t)(end - text.at), "<svg", 4))
			return text.at;
		is_first &= !text.length;
	}
	return NULL;
}

static uint64_t find_begin(const struct capture *capture)
{
	char head[FORMAT_HEAD_BYTES];
	struct error ignored;
	const char *begin = NULL;
	size_t got;

	if (input_read(&capture->input, 0, head, sizeof(head), &got, &ignored))
		begin = find_picture(head, head + got);
	return begin ? (uint64_t)(begin - head) : 0;
}

static void skip_lines(void *context, struct text_window *window)
{
	struct text line;

	while (text_next_line(&window->at, window->end, window->is_last, &line))
		if (text_trim(line).length)
			text_skip(context, text_offset(window, line.at));
}

/* Counts the lines before the picture and behind it. */
static bool skip_around(struct capture *capture, struct svg_reader *reader,
			const struct xml_extent *extent, struct error *err)
{
	const struct slice around[] = {
		{ .begin = 0, .end = extent->begin },
		{ .begin = extent->end ? extent->end : capture->input.size_bytes,
		  .end = capture->input.size_bytes },
	};

	/* A slice of one byte is something else, and a line end here. */
	for (size_t i = 0; i < ARRAY_SIZE(around); i++)
		if (around[i].end > around[i].begin + 1 &&
		    !text_read(capture, around[i], skip_lines, &reader->skips, &reader->skips, err))
			return false;
	if (reader->skips.count)
		capture->first_skipped_line =
			text_line_number(&capture->input, reader->skips.first_offset);
	return true;
}

static bool read_picture(struct capture *capture, struct svg_reader *reader, struct error *err)
{
	struct scan scan = { .stacks = &reader->stacks };
	struct xml_taker taker = { &scan, open_element, take_text, close_element };
	struct xml_extent extent = { .begin = find_begin(capture) };
	struct error damage;
	bool good;

	sink_init_memory(&scan.title);
	sink_init_memory(&scan.content);
	if (!xml_read(&capture->input, &extent, &taker, &damage))
		note_damage(capture, &damage);
	good = finish_profile(capture, &scan) || finish_boxes(capture, &scan, err);
	capture->lacks_sample_counts = !reader->stacks.samples.after;
	if (!good && capture->is_partial)
		*err = capture->damage;
	reader->maker = scan.boxes.is_of_kiln ? "flame graph of kiln"
			: scan.is_of_inferno  ? "flame graph of inferno"
					      : "flame graph of flamegraph.pl";
	svg_boxes_deinit(&scan.boxes);
	sink_deinit(&scan.title);
	sink_deinit(&scan.content);
	return good && skip_around(capture, reader, &extent, err);
}

static bool open(struct capture *capture, struct error *err)
{
	struct svg_reader *reader = memory_zalloc(1, sizeof(*reader));
	uint64_t size_bytes = capture->input.size_bytes;

	capture->reader = reader;
	spooled_init(&reader->stacks);
	if (size_bytes > LIMIT_SVG_BYTES)
		return error_set(err, ERROR_LIMIT, "is a picture of more than %llu bytes",
				 (unsigned long long)LIMIT_SVG_BYTES);
	return read_picture(capture, reader, err) && spooled_replace(&reader->stacks, capture, err);
}

static void close(struct capture *capture)
{
	struct svg_reader *reader = capture->reader;

	spooled_deinit(&reader->stacks);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct svg_reader *reader = capture->reader;

	(void)err;
	text_tell_fact(sink, FACT_FORMAT, text_of(reader->maker));
	text_tell_skips(&reader->skips, sink);
	return true;
}

static struct evidence probe(struct span head)
{
	const char *begin = (const char *)head.begin;
	const char *picture = find_picture(begin, (const char *)head.end);

	return picture ? evidence_at(CONFIDENCE_LIKELY, head, picture, "the beginning of an SVG")
		       : evidence_none();
}

const struct input_format svg_format = {
	.name = "svg",
	.summary = "flame graphs that kiln, flamegraph.pl or inferno drew",
	.probe = probe,
	.open = open,
	.close = close,
	.read_state = read_state,
	.read_samples = spooled_read_samples,
	.read_frame = spooled_read_frame,
	.read_functions = spooled_read_functions,
	.has_exact_comms = true,
};
