/* SPDX-License-Identifier: MIT */
/*
 * Reads histograms printed by BCC's tools and libbpf-tools: biolatency, runqlat, funclatency and
 * others. Each row becomes a frame with the row's count, below the histogram's section, if any:
 *
 *     disk = vda
 *          usecs               : count     distribution
 *              2 -> 3          : 12       |****        |        disk = vda;2 -> 3  12   (event usecs)
 *
 * Histograms printed at intervals are added up, because each covers only its interval.
 */
#include "libparse/bcc/bcc.h"

#include "base/hash.h"
#include "libparse/banner.h"
#include "libparse/bcc/bcc_frame.h"
#include "libparse/bcc/bcc_intervals.h"

/*
 * Reads "     query latency (ms)  : count     distribution" and returns the text before the colon.
 */
static bool is_headline(struct text line, struct text *ret)
{
	const char *colon = line.length ? memrchr(line.at, ':', line.length) : NULL;
	struct text rest;
	struct text word;

	if (!colon)
		return false;
	rest = (struct text){ colon + 1, line.length - (uint32_t)(colon + 1 - line.at) };
	*ret = text_trim((struct text){ line.at, (uint32_t)(colon - line.at) });
	return ret->length && colon[-1] == ' ' && text_next_word(&rest, &word) &&
	       text_is(word, "count") && text_next_word(&rest, &word) &&
	       text_is(word, "distribution");
}

/* " 2 -> 3 : 12 |**** |". The label includes the byte before it. */
static bool is_row(struct text line, struct text *label_ret, uint64_t *count_ret)
{
	const char *colon = line.length ? memchr(line.at, ':', line.length) : NULL;
	struct text label;
	struct text rest;
	struct text word;

	/* A row normally begins with a blank, but not if its number has ten digits. */
	if (!colon || (line.at[0] != ' ' && (line.at[0] < '0' || line.at[0] > '9')))
		return false;
	label = text_trim((struct text){ line.at, (uint32_t)(colon - line.at) });
	rest = (struct text){ colon + 1, line.length - (uint32_t)(colon + 1 - line.at) };
	*label_ret = (struct text){ label.at - 1, label.length + 1 };
	return label.length && text_next_word(&rest, &word) && text_to_u64(word, count_ret) &&
	       text_next_word(&rest, &word) && word.at[0] == '|';
}

/* Other lines that the tools print, and the summary after a histogram. */
static bool is_expected(struct text line)
{
	return banner_is(line) || text_has_prefix(line, "avg = ");
}

/*
 * Drops the mean from "Remote Address = 10.0.0.1 [AVG 170]" (tcprtt), because it differs in each
 * interval.
 */
static struct text drop_mean(struct text section)
{
	const char *at = memmem(section.at, section.length, " [AVG ", 6);

	return at && section.at[section.length - 1] == ']'
		       ? (struct text){ section.at, (uint32_t)(at - section.at) }
		       : section;
}

static void send_row(const struct bcc_parser *parser, struct text event, struct text section,
		     struct text label, uint64_t count, uint64_t offset)
{
	struct event_text_sample text = {
		.comm = section.length ? section : event,
		.event = event,
		.unit = UNIT_SAMPLES,
		.is_histogram = true,
		.sample_count = count,
		.frames = &label,
		.frame_count = 1,
	};
	struct event sample = { .kind = EVENT_SAMPLE, .offset = offset };

	sample.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = count,
		.text = &text,
	};
	if (count)
		event_send(parser->sink, &sample);
}

enum next_row {
	ROW_FOUND,
	ROW_NONE,
	ROW_CUT, /* the row may continue beyond the window */
};

/* Reads the next row at *at; skips empty lines. */
static enum next_row next_row(const struct text_window *window, const char **at,
			      struct text *label_ret, uint64_t *count_ret)
{
	const char *next = *at;
	struct text line;

	while (banner_next_line(&next, window->end, window->is_last, &line)) {
		if (text_is_blank(line))
			continue;
		if (!is_row(line, label_ret, count_ret))
			return ROW_NONE;
		*at = next;
		return ROW_FOUND;
	}
	return window->is_last ? ROW_NONE : ROW_CUT;
}

static void read_rows(struct bcc_parser *parser, struct text event, struct text section,
		      uint64_t offset, const struct text_window *window, const char **at)
{
	bool is_kept = !parser->snapshots && snapshots_keeps(parser->decided, offset);
	struct text label;
	uint64_t count;

	while (next_row(window, at, &label, &count) == ROW_FOUND)
		if (parser->snapshots)
			snapshots_add(parser->snapshots,
				      &(struct snapshot_entry){
					      .key = hash_bytes(label.at, label.length, 0),
					      .value = count,
					      .only_grows = true,
				      });
		else if (is_kept)
			send_row(parser, event, section, label, count, offset);
}

static void find_snapshot(struct bcc_parser *parser, struct text event, struct text section,
			  uint64_t offset)
{
	struct sink name;

	sink_init_memory(&name);
	sink_text(&name, event);
	sink_puts(&name, section.length ? " of " : "");
	sink_text(&name, section);
	snapshots_begin(parser->snapshots, sink_memory(&name), offset);
	sink_deinit(&name);
}

/* Whether all rows after a headline are in the window. */
static bool are_whole(const char *next, const struct text_window *window)
{
	struct text ignored;
	uint64_t count;
	enum next_row row;

	do
		row = next_row(window, &next, &ignored, &count);
	while (row == ROW_FOUND);
	return row == ROW_NONE;
}

/* Removes the quotes from "disk = b'vda'". The result may be stored in `copy`. */
static struct text drop_quotes(struct text section, struct sink *copy)
{
	const char *equals = memmem(section.at, section.length, " = b", 4);
	struct text value = equals ? text_from(section, (size_t)(equals + 3 - section.at))
				   : (struct text){ "", 0 };
	struct text unquoted = bcc_unquoted(value);

	if (unquoted.length == value.length)
		return section;
	sink_text(copy, text_between(section.at, value.at));
	sink_text(copy, unquoted);
	return sink_memory(copy);
}

/* Reads the histogram at window->at, which begins with its section or its heading. */
static bool read_histogram(struct bcc_parser *parser, struct text_window *window,
			   struct text section, struct text event, const char *next)
{
	uint64_t offset = text_offset(window, window->at);
	struct sink copy;

	if (!are_whole(next, window))
		return false;
	sink_init_memory(&copy);
	section = drop_quotes(drop_mean(section), &copy);
	if (parser->snapshots)
		find_snapshot(parser, event, section, offset);
	read_rows(parser, event, section, offset, window, &next);
	sink_deinit(&copy);
	window->at = next;
	return true;
}

static void read_lines(void *context, struct text_window *window)
{
	struct bcc_parser *parser = context;
	const char *next = window->at;
	struct text event;
	struct text line;

	while (window->at < window->stop &&
	       banner_next_line(&next, window->end, window->is_last, &line)) {
		const char *behind = next;
		struct text second;
		bool has_second;

		if (is_headline(line, &event)) {
			if (!read_histogram(parser, window, (struct text){ "", 0 }, event, next))
				return;
			next = window->at;
			continue;
		}
		has_second = banner_next_line(&behind, window->end, window->is_last, &second);
		if (!has_second && !window->is_last)
			return;
		if (has_second && !text_is_indented(line) && line.length && !is_expected(line) &&
		    is_headline(second, &event)) {
			if (!read_histogram(parser, window, line, event, behind))
				return;
			next = window->at;
			continue;
		}
		parser->is_of_argdist |= text_has_prefix(line, "[") && banner_is_time(line);
		if (!is_expected(line))
			text_skip(&parser->skips, text_offset(window, line.at));
		window->at = next;
	}
	/* See banner_next_line. */
	window->at = next;
}

static bool is_any_headline(struct text line)
{
	struct text event;

	return is_headline(banner_drop_interrupt(line), &event);
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_any_headline, "the heading of a histogram");
}

static bool open_bcc_histogram(struct capture *capture, struct error *err)
{
	return bcc_intervals_open(capture, read_lines, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return bcc_intervals_read_samples(capture, slice, read_lines, sink, err);
}

/* A label is not code, so the frame has only a name. */
static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	(void)reader;
	callback(context,
		 &(struct event_frame){
			 .name = { raw.at + (raw.length > 0), raw.length - (raw.length > 0) },
			 .module = { "", 0 },
			 .is_exact = raw.length > 1,
		 });
}

const struct input_format bcc_histogram_format = {
	.name = "bcc-histogram",
	.summary = "histograms printed by BCC tools",
	.title = "histograms of BCC",
	.probe = probe,
	.ends_in = "\n",
	.open = open_bcc_histogram,
	.close = bcc_intervals_close,
	.read_state = bcc_intervals_read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
};
