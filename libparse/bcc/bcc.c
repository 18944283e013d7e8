/* SPDX-License-Identifier: MIT */
#include "libparse/bcc/bcc.h"

#include "libparse/banner.h"
#include "libparse/bcc/bcc_block.h"
#include "libparse/bcc/bcc_frame.h"
#include "libparse/bpftrace/snapshots.h"
#include "libparse/script/perf_script_frame.h"

/* The number of bytes of a report that are read to find out which tool wrote it. */
#define HEAD_BYTES ((size_t)64 << 10)

/* Addresses of processes and kernels are longer than words that consist of hex digits. */
#define ADDRESS_DIGITS_MIN 8

struct bcc_reader {
	struct bcc_measure measure;
	bool has_leaks;
	struct snapshots snapshots; /* for memleak */
	char *head;
	size_t head_bytes;
};

struct bcc_report_parser {
	const struct event_sink *sink;
	const struct bcc_reader *reader;
	struct snapshots *snapshots; /* filled by the first pass; NULL in the second */
	struct bcc_block block;
	struct text_skips skips;
	bool drops_block; /* the block is too long: ignore its lines up to an empty one */
};

/* "[12:00:01] Top 10 stacks with outstanding allocations:". */
static bool is_leak_header(struct text line)
{
	return line.length && line.at[0] == '[' &&
	       memmem(line.at, line.length, "outstanding allocations", 23);
}

bool bcc_is_report_line(struct text line)
{
	struct text trimmed = text_trim(line);

	return is_leak_header(line) || bcc_block_begins_leak(line, NULL, NULL) ||
	       (text_is_indented(line) &&
		(text_has_prefix(trimmed, "target: ") || text_has_prefix(trimmed, "waker: ")));
}

/* Headings and warnings that the tools print. */
static bool is_expected(struct text line)
{
	static const char *const beginnings[] = {
		"WARNING: ",
		"missed kernel stack",
		"missed user stack",
	};

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text_has_prefix(line, beginnings[i]))
			return true;
	return banner_is(line) || is_leak_header(line);
}

/* Reads the block whose first line is `line`; its other lines follow at *at. */
static enum bcc_result read_block(struct bcc_report_parser *parser, struct text line,
				  const struct text_window *window, const char **at)
{
	const char *next = *at;

	bcc_block_reset(&parser->block, text_offset(window, line.at), window->end);
	do {
		if (text_is_blank(line) || is_leak_header(line) ||
		    bcc_block_begins_leak(line, NULL, NULL))
			return BCC_NOT_READ;
		if (!text_is_indented(line)) {
			/* A line from standard error. More frames follow this line. */
			text_skip(&parser->skips, text_offset(window, line.at));
		} else {
			enum bcc_line what = bcc_block_add_line(&parser->block, line);

			if (what != BCC_LINE_ADDED) {
				*at = next;
				return what == BCC_LINE_ENDS ? BCC_READ : BCC_NOT_READ;
			}
		}
		*at = next;
	} while (banner_next_line(&next, window->end, window->is_last, &line));
	return window->is_last ? BCC_NOT_READ : BCC_TRUNCATED;
}

/*
 * Reads a block from memleak, which begins with its number, and ends before the first line that is
 * not a frame.
 */
static enum bcc_result read_leak(struct bcc_report_parser *parser, struct text line,
				 const struct text_window *window, const char **at)
{
	const char *next = *at;
	bool is_ended = window->is_last;
	uint64_t bytes, count;

	bcc_block_reset(&parser->block, text_offset(window, line.at), window->end);
	if (!bcc_block_begins_leak(line, &bytes, &count))
		return BCC_NOT_READ;
	while (banner_next_line(&next, window->end, window->is_last, &line)) {
		if (!text_is_indented(line) || text_is_blank(line) ||
		    bcc_block_begins_leak(line, NULL, NULL)) {
			is_ended = true;
			break;
		}
		if (!text_has_prefix(text_trim(line), "addr = "))
			bcc_block_add_frame(&parser->block, line);
		*at = next;
	}
	parser->block.value = bytes;
	parser->block.count = count;
	return is_ended ? BCC_READ : BCC_TRUNCATED;
}

static void end_block(struct bcc_report_parser *parser, uint64_t offset)
{
	const struct bcc_reader *reader = parser->reader;

	if (parser->snapshots)
		return;
	if (reader->has_leaks && !snapshots_keeps(&reader->snapshots, offset))
		return;
	if (!bcc_block_send(&parser->block, &reader->measure, parser->sink))
		text_skip(&parser->skips, offset);
}

static void read_other(struct bcc_report_parser *parser, struct text line, uint64_t offset)
{
	if (parser->snapshots && is_leak_header(line))
		snapshots_begin(parser->snapshots, text_of("memleak"), offset);
	if (!is_expected(line))
		text_skip(&parser->skips, offset);
}

static void read_lines(void *context, struct text_window *window)
{
	struct bcc_report_parser *parser = context;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       banner_next_line(&next, window->end, window->is_last, &line)) {
		uint64_t offset = text_offset(window, line.at);
		struct text_skips skips = parser->skips;
		bool is_leak = bcc_block_begins_leak(line, NULL, NULL);
		enum bcc_result result = BCC_READ;

		parser->drops_block &= !text_is_blank(line) && !is_leak_header(line);
		if (parser->drops_block) {
			window->at = next;
			continue;
		}
		if (is_leak)
			result = read_leak(parser, line, window, &next);
		else if (text_is_indented(line) && !text_is_blank(line))
			result = read_block(parser, line, window, &next);
		else
			read_other(parser, line, offset);
		if (result == BCC_TRUNCATED) {
			parser->skips = skips;
			parser->drops_block = text_give_up(window, &parser->skips);
			return;
		}
		if (result == BCC_NOT_READ)
			text_skip(&parser->skips, offset);
		else if (is_leak || (text_is_indented(line) && !text_is_blank(line)))
			end_block(parser, offset);
		window->at = next;
	}
	/* See banner_next_line. */
	window->at = next;
}

/* A block begins after an empty line, or with a heading or count line of memleak. */
static const char *find_block(const char *from, const char *end)
{
	const char *at = from;
	const char *next = from;
	bool is_behind_empty = false;
	struct text line;

	while (banner_next_line(&next, end, false, &line)) {
		if (is_behind_empty || is_leak_header(line) ||
		    bcc_block_begins_leak(line, NULL, NULL))
			return at;
		is_behind_empty = text_is_blank(line);
		at = next;
	}
	return NULL;
}

static uint32_t indent_of(struct text line)
{
	return (uint32_t)(text_trim(line).at - line.at);
}

/*
 * Whether a block without a thread, from its first line up to `next`, can be from stackcount, which
 * indents the count more than the functions, and prints an empty line after it. Indented blocks of
 * programs and documents can also end in a number. `perf script -F comm,ip` prints addresses without
 * names, the last of which can look like a count.
 */
static bool is_from_stackcount(struct text first, const char *next, const char *end)
{
	const char *newline = next[-1] == '\n' ? next - 1 : next;
	const char *before = memrchr(first.at, '\n', (size_t)(newline - first.at));
	struct text line;

	return before && !perf_script_is_bare_address(first) &&
	       indent_of(text_between(before + 1, newline)) > indent_of(first) &&
	       (!banner_next_line(&next, end, true, &line) || text_is_blank(line));
}

/* Whether a blank may follow this word: a number, an address, or "LazyCompile:*f", which V8 prints. */
static bool is_beside_blank(struct text word)
{
	const char *colon = memchr(word.at, ':', word.length);
	uint32_t digits = 0;

	while (digits < word.length && is_hex_digit(word.at[digits]))
		digits++;
	return is_digit(word.at[0]) || word.at[0] == '#' ||
	       (colon && colon + 1 < word.at + word.length) ||
	       (digits == word.length && digits >= ADDRESS_DIGITS_MIN);
}

/*
 * Whether the lines of a block without a thread are functions. Words of prose are separated by
 * blanks, which a function has only next to an address, a bracket or an operator.
 */
static bool has_functions(const struct bcc_block *block)
{
	for (size_t i = 0; i < block->lines.count; i++) {
		struct text line = block->lines.at[i];
		struct text rest = line;
		struct text word;

		if (!text_next_word(&rest, &word) || !text_trim(rest).length)
			continue;
		if (!is_beside_blank(word) && !memmem(line.at, line.length, "operator", 8) &&
		    !memchr(line.at, '<', line.length) && !memchr(line.at, '(', line.length) &&
		    !memchr(line.at, '[', line.length))
			return false;
	}
	return true;
}

/* "Tracing 1 functions for "submit_bio"... ", which stackcount prints first. */
static bool is_stackcount_header(struct text line)
{
	return text_has_prefix(line, "Tracing ") &&
	       memmem(line.at, line.length, " functions for ", 15);
}

/* Whether a complete block begins here. */
static bool has_block(const char *next, const char *end, bool *has_schedule_ret)
{
	struct text_window window = {
		.begin = next,
		.at = next,
		.end = end,
		.stop = end,
		.is_last = true,
	};
	struct bcc_report_parser parser = { .snapshots = NULL };
	uint64_t block_count = 0;
	bool was_indented = false;
	bool has_header = false;
	struct text line;

	*has_schedule_ret = true;
	while (banner_next_line(&next, end, false, &line)) {
		bool begins = !was_indented && text_is_indented(line) && !text_is_blank(line);

		was_indented = text_is_indented(line);
		has_header |= is_stackcount_header(line);
		parser.skips.count = 0;
		if (!begins || read_block(&parser, line, &window, &next) != BCC_READ ||
		    (!parser.block.comm.at &&
		     (parser.skips.count || (parser.block.lines.count < 2 && !has_header) ||
		      !has_functions(&parser.block) || !is_from_stackcount(line, next, end))))
			continue;
		block_count++;
		*has_schedule_ret &= bcc_block_has(&parser.block, "schedule");
	}
	bcc_block_deinit(&parser.block);
	*has_schedule_ret &= block_count > 0;
	return block_count > 0;
}

static struct evidence probe(struct span head)
{
	const char *begin = (const char *)head.begin;
	const char *end = (const char *)head.end;
	const char *next = begin;
	struct text line;
	bool ignored;

	while (banner_next_line(&next, end, true, &line))
		if (bcc_is_report_line(line))
			return evidence_at(
				CONFIDENCE_LIKELY, head, line.at,
				"a heading printed by memleak, wakeuptime or offwaketime");
	if (has_block(begin, end, &ignored))
		return evidence_of(CONFIDENCE_LIKELY, "the count after an indented stack");
	return evidence_none();
}

/* stackcount prints `Tracing 1 functions for "t:sched:sched_switch"... `. */
static struct text traced_functions(struct text line)
{
	const char *begin = memchr(line.at, '"', line.length);
	const char *end = begin ? memrchr(line.at, '"', line.length) : NULL;

	return begin && end > begin + 1 ? bcc_unquoted(text_between(begin + 1, end))
					: text_of("samples");
}

/* Finds out what is counted, from the tool's heading or, if there is none, from its blocks. */
static void look_at_head(struct bcc_reader *reader)
{
	const char *end = reader->head + reader->head_bytes;
	const char *next = reader->head;
	struct bcc_measure *measure = &reader->measure;
	bool are_waits;
	bool has_header = false;
	struct text line;

	*measure = (struct bcc_measure){ text_of("samples"), UNIT_SAMPLES, 1, false };
	while (banner_next_line(&next, end, true, &line)) {
		if (is_leak_header(line) || bcc_block_begins_leak(line, NULL, NULL)) {
			*measure = (struct bcc_measure){ text_of("memleak"), UNIT_BYTES, 1, false };
			return;
		}
		has_header |=
			text_has_prefix(line, "Sampling at ") || text_has_prefix(line, "Tracing ");
		if (text_has_prefix(line, "Tracing off-CPU time"))
			*measure = (struct bcc_measure){ text_of("off-CPU time"), UNIT_NANOSECONDS,
							 1000, true };
		else if (text_has_prefix(line, "Tracing blocked time"))
			*measure = (struct bcc_measure){ text_of("blocked time"), UNIT_NANOSECONDS,
							 1000, false };
		else if (is_stackcount_header(line))
			measure->event = traced_functions(line);
	}
	/*
	 * libbpf-tools do not print a heading. If schedule() is in every stack, the threads were
	 * blocked.
	 */
	if (!has_header && has_block(reader->head, end, &are_waits) && are_waits)
		*measure = (struct bcc_measure){ text_of("off-CPU time"), UNIT_NANOSECONDS, 1000,
						 false };
}

/*
 * At each interval, memleak prints all memory that has not been freed yet, so the last snapshot is
 * used by default.
 */
static bool find_snapshots(struct capture *capture, struct bcc_reader *reader, struct error *err)
{
	static const struct snapshot_choice last = { .kind = SNAPSHOTS_LAST };
	const struct snapshot_choice *choice = capture->format_options;
	struct bcc_report_parser parser = { .reader = reader, .snapshots = &reader->snapshots };
	struct slice whole = { .end = capture->input.size_bytes };
	struct text_skips skips = { 0 };
	bool good = text_read(capture, whole, read_lines, &parser, &skips, err);

	bcc_block_deinit(&parser.block);
	if (!choice || choice->kind == SNAPSHOTS_AUTO)
		choice = &last;
	/*
	 * Decide by the content, because the heading may be missing, and some tools never print
	 * one.
	 */
	reader->has_leaks = reader->snapshots.rows.count > 0;
	return good && snapshots_finish(&reader->snapshots, choice, err);
}

static bool open_bcc(struct capture *capture, struct error *err)
{
	struct bcc_reader *reader = memory_zalloc(1, sizeof(*reader));

	capture->reader = reader;
	snapshots_init(&reader->snapshots);
	reader->head = memory_alloc(HEAD_BYTES, 1);
	if (!input_read(&capture->input, 0, reader->head, HEAD_BYTES, &reader->head_bytes, err))
		return false;
	look_at_head(reader);
	return (reader->measure.unit != UNIT_BYTES || find_snapshots(capture, reader, err)) &&
	       text_cut(capture, find_block, err);
}

static void close_bcc(struct capture *capture)
{
	struct bcc_reader *reader = capture->reader;

	snapshots_deinit(&reader->snapshots);
	memory_free(reader->head);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct bcc_reader *reader = capture->reader;

	(void)err;
	snapshots_report(&reader->snapshots, sink);
	return true;
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct bcc_report_parser parser = { .sink = sink, .reader = capture->reader };
	bool good = text_read(capture, slice, read_lines, &parser, &parser.skips, err);

	text_report_skips(&parser.skips, sink);
	bcc_block_deinit(&parser.block);
	return good;
}

const struct input_format bcc_format = {
	.name = "bcc",
	.summary = "stacks printed by BCC tools, in long form",
	.title = "stacks of BCC",
	.probe = probe,
	.ends_in = "\n",
	.open = open_bcc,
	.close = close_bcc,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = bcc_read_frame,
	.has_exact_comms = true,
	.sum_name = "off-CPU time",
};
