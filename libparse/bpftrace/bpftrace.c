/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/bpftrace.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "libparse/banner.h"
#include "libparse/bpftrace/bpftrace_frame.h"

/*
 * How many keys a map holds by default (max_map_keys, from bpftrace 0.9.1 to 0.24). Further keys are
 * dropped; many versions do not say so.
 */
#define DEFAULT_MAP_KEYS 4096

static uint64_t key_hash(const struct bpftrace_entry *entry)
{
	return hash_bytes(entry->key.at, entry->key.length, 0);
}

void bpftrace_add_to_snapshot(struct bpftrace_parser *parser)
{
	const struct bpftrace_entry *entry = &parser->entry;
	uint64_t factor;

	snapshots_add(parser->snapshots, &(struct snapshot_entry){
						 .key = key_hash(entry),
						 .value = bpftrace_entry_sum(entry),
						 .has_stack = bpftrace_entry_has_stack(entry),
						 .unit = bpftrace_entry_unit(entry, &factor),
					 });
}

void bpftrace_add_lost(struct bpftrace_parser *parser, uint64_t count, uint64_t offset)
{
	if (!parser->lost_count)
		parser->lost_offset = offset;
	parser->lost_count = saturate_add(parser->lost_count, count);
}

static void deinit(struct bpftrace_parser *parser)
{
	bpftrace_entry_deinit(&parser->entry);
	sink_deinit(&parser->key);
	vec_free(&parser->buffer);
}

bool bpftrace_open(struct capture *capture, text_record_callback *callback, text_finder *find,
		   struct error *err)
{
	struct snapshots *snapshots = memory_zalloc(1, sizeof(*snapshots));
	struct bpftrace_parser parser = { .snapshots = snapshots };
	struct slice whole = { .end = capture->input.size_bytes };
	struct text_skips skips = { 0 };
	bool good;

	capture->reader = snapshots;
	snapshots_init(snapshots);
	sink_init_memory(&parser.key);
	good = text_read(capture, whole, callback, &parser, &skips, err);
	if (parser.is_cut)
		capture_note_cut(capture);
	deinit(&parser);
	return good && snapshots_finish(snapshots, capture->format_options, err) &&
	       text_cut(capture, find, err);
}

void bpftrace_close(struct capture *capture)
{
	snapshots_deinit(capture->reader);
	memory_free(capture->reader);
}

/* Reports the maps as events, those with stacks first. */
static void send_maps(const struct snapshots *snapshots, const struct event_sink *sink)
{
	for (int of_stacks = 1; of_stacks >= 0; of_stacks--)
		for (size_t i = 1; i < snapshots->tables.count; i++) {
			const struct snapshot_table *table = &snapshots->tables.at[i];
			struct event event = { .kind = EVENT_ATTR };

			event.attr.name = strings_get(&snapshots->names, table->name);
			event.attr.unit = table->unit;
			if (table->has_stacks == of_stacks)
				event_send(sink, &event);
		}
}

bool bpftrace_read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	(void)err;
	send_maps(capture->reader, sink);
	snapshots_report(capture->reader, sink);
	text_report_loss(sink, LOSS_FULL_MAPS,
			 snapshots_count_tables(capture->reader, DEFAULT_MAP_KEYS), 0);
	return true;
}

bool bpftrace_read(const struct capture *capture, struct slice slice,
		   text_record_callback *callback, const struct event_sink *sink, struct error *err)
{
	struct bpftrace_parser parser = { .sink = sink, .decided = capture->reader };
	bool good;

	sink_init_memory(&parser.key);
	good = text_read(capture, slice, callback, &parser, &parser.skips, err);
	text_report_skips(&parser.skips, sink);
	text_report_loss(sink, LOSS_RECORDS, parser.lost_count, parser.lost_offset);
	deinit(&parser);
	return good;
}

/* "Lost 12 events", which bpftrace prints to standard error. */
static bool is_lost(struct text line, uint64_t *count_ret)
{
	struct text rest = line;
	struct text word;

	return text_next_word(&rest, &word) && text_is(word, "Lost") &&
	       text_next_word(&rest, &word) && text_to_u64(word, count_ret) &&
	       text_has_prefix(text_trim(rest), "event");
}

/*
 * Lines that bpftrace programs print around maps: a time followed by any text, or a title such as
 * "Latency by process:".
 */
static bool is_expected(struct text line)
{
	return banner_is(line) || banner_begins_with_time(line) ||
	       (is_upper(line.at[0]) && text_has_suffix(line, ":"));
}

static void read_other(struct bpftrace_parser *parser, struct text line, uint64_t offset)
{
	uint64_t lost;

	if (line.length)
		parser->is_parted = true;
	else
		parser->is_behind_empty = true;
	if (is_lost(line, &lost)) {
		bpftrace_add_lost(parser, lost, offset);
	} else if (!is_expected(line)) {
		text_skip(&parser->skips, offset);
	}
}

/* Whether a part of the key is empty. bpftrace prints a stack that it cannot look up so. */
static bool has_empty_part(const struct bpftrace_entry *entry)
{
	struct text key = entry->key;
	bool has_key = entry->map.at[entry->map.length] == '[';

	return has_key && (!key.length || text_has_prefix(key, ", ") ||
			   text_has_suffix(key, ", ") || memmem(key.at, key.length, ", , ", 4));
}

/*
 * Whether an entry begins a snapshot. An entry does if it follows a different map or other lines,
 * or if its key is repeated. An entry also does if its value is smaller than the last value,
 * because the entries of a snapshot are in ascending order. Keys with stacks may repeat within a
 * snapshot, because two processes can have the same stack. Keys with an empty stack may repeat up to
 * the empty line that bpftrace prints after a map.
 */
static bool begins_snapshot(const struct bpftrace_parser *parser, uint64_t value)
{
	const struct bpftrace_entry *entry = &parser->entry;

	return !snapshots_is_of(parser->snapshots, entry->map) || parser->is_parted ||
	       value < parser->last_value ||
	       (!bpftrace_entry_has_stack(entry) &&
		(parser->is_behind_empty || !has_empty_part(entry)) &&
		snapshots_has(parser->snapshots, key_hash(entry)));
}

static void find_snapshot(struct bpftrace_parser *parser)
{
	const struct bpftrace_entry *entry = &parser->entry;
	uint64_t value = bpftrace_entry_sum(entry);

	if (begins_snapshot(parser, value))
		snapshots_begin(parser->snapshots, entry->map, entry->offset);
	bpftrace_add_to_snapshot(parser);
	/* Entries with other kinds of values are not sorted by value. */
	parser->last_value =
		entry->value == BPFTRACE_NUMBER || entry->value == BPFTRACE_ROWS ? value : 0;
	parser->is_parted = false;
	parser->is_behind_empty = false;
}

static void read_entry(struct bpftrace_parser *parser)
{
	if (parser->snapshots)
		find_snapshot(parser);
	else if (snapshots_keeps(parser->decided, parser->entry.offset) &&
		 !bpftrace_entry_send(&parser->entry, parser->sink))
		text_skip(&parser->skips, parser->entry.offset);
}

static void read_lines(void *context, struct text_window *window)
{
	struct bpftrace_parser *parser = context;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       banner_next_line(&next, window->end, window->is_last, &line)) {
		struct text_skips skips = parser->skips;
		enum bpftrace_progress taken;

		if (!bpftrace_text_begins(line)) {
			read_other(parser, line, text_offset(window, line.at));
			window->at = next;
			continue;
		}
		taken = bpftrace_text_read(&parser->entry, line, window, &next, &parser->skips);
		if (taken == BPFTRACE_INCOMPLETE) {
			parser->skips = skips;
			return;
		}
		if (taken == BPFTRACE_COMPLETE)
			read_entry(parser);
		else
			text_skip(&parser->skips, text_offset(window, line.at));
		window->at = next;
	}
	/* See banner_next_line. */
	window->at = next;
}

static const char *find_entry(const char *from, const char *end)
{
	const char *at = from;
	const char *next = from;
	struct text line;

	while (banner_next_line(&next, end, false, &line)) {
		if (bpftrace_text_begins(line))
			return at;
		at = next;
	}
	return NULL;
}

/*
 * Labels of assembly code, and variables of style sheets, also begin with "@name:". In a map, a
 * number or the rows of a histogram follow.
 */
static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct text line;

	while (banner_next_line(&next, end, true, &line)) {
		const char *behind = next;
		struct text following;

		if (!banner_next_line(&behind, end, true, &following))
			following = (struct text){ "", 0 };
		if (bpftrace_text_is_map(line, following))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "an entry of a bpftrace map");
	}
	return evidence_none();
}

static bool open_bpftrace_text(struct capture *capture, struct error *err)
{
	return bpftrace_open(capture, read_lines, find_entry, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return bpftrace_read(capture, slice, read_lines, sink, err);
}

const struct input_format bpftrace_format = {
	.name = "bpftrace",
	.summary = "maps printed by bpftrace, as text",
	.title = "bpftrace maps",
	.probe = probe,
	.ends_in = "\n",
	.open = open_bpftrace_text,
	.close = bpftrace_close,
	.read_state = bpftrace_read_state,
	.read_samples = read_samples,
	.read_frame = bpftrace_read_frame,
	.has_exact_comms = true,
	.sum_name = "off-CPU time",
	.plain_sum_ns = 1,
};
