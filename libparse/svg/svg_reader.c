/* SPDX-License-Identifier: MIT */
#include "libparse/svg/svg_reader.h"

#include "libparse/svg/svg_rectangles.h"
#include "libparse/svg/xml.h"
#include "libparse/text.h"

/* Maximum size of an SVG. No browser can show an SVG of this size. */
#define LIMIT_SVG_BYTES ((uint64_t)1 << 30)
/*
 * Maximum number of frames of a flame graph. Browsers can show fewer. Each frame takes 56 bytes of
 * memory.
 */
#define LIMIT_SVG_BOXES (1u << 25)

struct svg_reader {
	struct spooled stacks; /* first: see spooled_read_samples */
	const char *maker;
	struct text_skips skips; /* lines before and after the SVG */
};

/* State while the elements are read. */
struct svg_scan {
	struct spooled *stacks;
	struct svg_rectangles rectangles;
	struct sink title, content;
	uint32_t depth;
	uint32_t group_depth;  /* depth of the innermost open group */
	uint32_t frames_depth; /* depth of <g id="frames">; 0 if not seen yet */
	bool is_past_frames;
	bool has_title, has_content, is_compressed, is_of_inferno;
	bool is_in_title, is_in_content;
};

/* Discards earlier rectangles, because those before <g id="frames"> are buttons. */
static void open_frames(struct svg_scan *scan, const struct xml_attribute *attributes, size_t count)
{
	scan->rectangles.rectangles.count = 0;
	scan->frames_depth = scan->depth;
	scan->rectangles.is_of_kiln = xml_find(attributes, count, "", "data-levels").at != NULL;
	scan->is_of_inferno = xml_find(attributes, count, "", "total_samples").at != NULL;
}

static void open_element(void *context, struct text name, const struct xml_attribute *attributes,
			 size_t count)
{
	struct svg_scan *scan = context;
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
		   scan->rectangles.rectangles.count < LIMIT_SVG_BOXES) {
		svg_rectangles_add(&scan->rectangles, scan->stacks, sink_memory(&scan->title),
				   attributes, count);
		scan->has_title = false;
	} else if (id.at && text_is(id, "profile") && text_is(name, "metadata") &&
		   !scan->has_content) {
		struct text compression = xml_find(attributes, count, "", "class");

		scan->is_compressed = compression.at && text_is(compression, "deflate");
		scan->has_content = scan->is_in_content = true;
	}
}

static void add_text(void *context, struct text text)
{
	struct svg_scan *scan = context;

	if (scan->is_in_title)
		sink_text(&scan->title, text);
	else if (scan->is_in_content)
		sink_text(&scan->content, text);
}

static void close_element(void *context, struct text name)
{
	struct svg_scan *scan = context;

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

/* Converts the rectangles to rows. Returns false if there are no rectangles. */
static bool finish_rectangles(struct capture *capture, struct svg_scan *scan, struct error *err)
{
	uint64_t orphan_count;

	if (!scan->rectangles.rectangles.count)
		return error_set(
			err, ERROR_FORMAT,
			"is an SVG, but not a flame graph drawn by kiln, flamegraph.pl or inferno; "
			"use the capture that it was made from");
	svg_rectangles_finish(&scan->rectangles, scan->stacks, &orphan_count);
	capture->lacks_narrow = true;
	if (orphan_count) {
		error_set(err, ERROR_CORRUPT, "%llu %s skipped", (unsigned long long)orphan_count,
			  orphan_count == 1 ? "frame has no parent and was"
					    : "frames have no parent and were");
		note_damage(capture, err);
	}
	return true;
}

/*
 * Reads the embedded profile. Returns false if there is no profile, or if the profile is corrupt.
 */
static bool finish_profile(struct capture *capture, struct svg_scan *scan)
{
	struct spooled stacks;
	struct error err;

	if (!scan->has_content)
		return false;
	spooled_init(&stacks, &capture->input);
	if (svg_profile_read(&stacks, sink_memory(&scan->content), scan->is_compressed, &err)) {
		spooled_deinit(scan->stacks);
		*scan->stacks = stacks;
		return true;
	}
	spooled_deinit(&stacks);
	error_prefix(&err, "only the visible frames were read");
	note_damage(capture, &err);
	return false;
}

/*
 * Finds the start of an SVG: a line that begins with "<?xml ", "<!DOCTYPE " or "<svg ". The first
 * line only has to begin with "<". "<svg" must be in this line or a later one. Returns NULL if
 * there is no SVG.
 */
static const char *find_svg(const char *at, const char *end)
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
		begin = find_svg(head, head + got);
	return begin ? (uint64_t)(begin - head) : 0;
}

static void skip_lines(void *context, struct text_window *window)
{
	struct text line;

	while (text_next_line(&window->at, window->end, window->is_last, &line))
		if (text_trim(line).length)
			text_skip(context, text_offset(window, line.at));
}

/* Counts the lines before and after the SVG as skipped. */
static bool skip_around(struct capture *capture, struct svg_reader *reader,
			const struct xml_extent *extent, struct error *err)
{
	const struct slice around[] = {
		{ .begin = 0, .end = extent->begin },
		{ .begin = extent->end ? extent->end : capture->input.size_bytes,
		  .end = capture->input.size_bytes },
	};

	/* A single byte before or after the SVG is only a newline. */
	for (size_t i = 0; i < ARRAY_SIZE(around); i++)
		if (around[i].end > around[i].begin + 1 &&
		    !text_read(capture, around[i], skip_lines, &reader->skips, &reader->skips, err))
			return false;
	if (reader->skips.count || reader->skips.long_count)
		capture->first_skipped_line =
			text_line_number(&capture->input, reader->skips.first_offset);
	return true;
}

static bool read_svg(struct capture *capture, struct svg_reader *reader, struct error *err)
{
	struct svg_scan scan = { .stacks = &reader->stacks };
	struct xml_callbacks callbacks = { &scan, open_element, add_text, close_element };
	struct xml_extent extent = { .begin = find_begin(capture) };
	struct error damage;
	bool good;

	sink_init_memory(&scan.title);
	sink_init_memory(&scan.content);
	if (!xml_read(&capture->input, &extent, &callbacks, &damage))
		note_damage(capture, &damage);
	good = finish_profile(capture, &scan) || finish_rectangles(capture, &scan, err);
	capture->lacks_sample_counts = !reader->stacks.samples.after;
	if (!good && capture->is_partial)
		*err = capture->damage;
	reader->maker = scan.rectangles.is_of_kiln ? "flame graph of kiln"
			: scan.is_of_inferno       ? "flame graph of inferno"
						   : "flame graph of flamegraph.pl";
	svg_rectangles_deinit(&scan.rectangles);
	sink_deinit(&scan.title);
	sink_deinit(&scan.content);
	return good && skip_around(capture, reader, &extent, err);
}

static bool svg_open(struct capture *capture, struct error *err)
{
	struct svg_reader *reader = memory_zalloc(1, sizeof(*reader));
	uint64_t size_bytes = capture->input.size_bytes;

	capture->reader = reader;
	spooled_init(&reader->stacks, &capture->input);
	if (size_bytes > LIMIT_SVG_BYTES)
		return error_set(err, ERROR_LIMIT, "is an SVG larger than the limit of %llu bytes",
				 (unsigned long long)LIMIT_SVG_BYTES);
	return read_svg(capture, reader, err) && spooled_replace(&reader->stacks, capture, err);
}

static void svg_close(struct capture *capture)
{
	struct svg_reader *reader = capture->reader;

	spooled_deinit(&reader->stacks);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct svg_reader *reader = capture->reader;

	(void)err;
	text_report_fact(sink, FACT_FORMAT, text_of(reader->maker));
	text_report_skips(&reader->skips, sink);
	return true;
}

static struct evidence probe(struct span head)
{
	const char *begin = (const char *)head.begin;
	const char *svg = find_svg(begin, (const char *)head.end);

	return svg ? evidence_at(CONFIDENCE_LIKELY, head, svg, "the beginning of an SVG")
		   : evidence_none();
}

const struct input_format svg_format = {
	.name = "svg",
	.summary = "flame graphs drawn by kiln, flamegraph.pl or inferno",
	.probe = probe,
	.open = svg_open,
	.close = svg_close,
	.read_state = read_state,
	.read_samples = spooled_read_samples,
	.read_frame = spooled_read_frame,
	.read_functions = spooled_read_functions,
	.has_exact_comms = true,
};
