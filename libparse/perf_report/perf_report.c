/* SPDX-License-Identifier: MIT */
/*
 * Reads the stacks of a report: a sample for each node of a call graph with weight of its own.
 *
 *     50.00%  app  [.] read          -g caller: main;read 20.00%   -g callee: read is the leaf of
 *       ---main                                                    both, and its callers follow
 *          |--20.00%--read                    main;load;read 30.00%
 *           --30.00%--load
 *                     read
 */
#include "libparse/perf_report/perf_report.h"

#include <inttypes.h>

#include "libparse/perf_report/listing.h"
#include "libparse/text.h"

/*
 * Maximum size of the text of `perf report`. Reports of a whole system with all call graphs take a
 * few megabytes.
 */
#define LIMIT_LISTING_BYTES ((uint64_t)256 << 20)

/*
 * Maximum number of frames of all stacks of a report, for each byte of the text. Stacks can share
 * frames, which are in the text only once. Real reports have less than a tenth.
 */
#define LIMIT_LISTING_FRAMES_PER_BYTE 1u
/* Frames that are allowed in any report, in addition to those allowed for its size. */
#define LIMIT_LISTING_FREE_FRAMES (1u << 16)

/* The frame for the functions that perf did not print. */
#define NOT_SHOWN "[not shown]"

/* The comm if the report has none, as with `perf report -s symbol`. */
#define UNKNOWN_COMM "[program]"

/* The stack of the current node. */
struct listing_path {
	const struct listing *listing;
	const struct listing_section *section;
	const struct listing_entry *entry;
	const struct event_sink *sink;
	VEC(uint32_t) nodes;       /* nodes from the root to the current one */
	VEC(struct text) frames;   /* frames as the report prints them */
	VEC(struct text) reversed; /* the outermost function first */
	uint32_t shared_count;     /* frames shared with the previous sample */
};

static void listing_destroy(struct capture *capture)
{
	listing_deinit(capture->reader);
	memory_free(capture->reader);
}

/* ---- Opening ---- */

static bool check_section(const struct listing *listing, const struct listing_section *section,
			  uint64_t *left, struct error *err)
{
	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry = &listing->entries.at[section->entry_first + i];

		for (uint32_t j = 0; j < entry->node_count; j++) {
			const struct listing_node *node = &listing->nodes.at[entry->node_first + j];

			if (!node->own)
				continue;
			if (node->path_count > *left)
				return error_set_at(err, ERROR_LIMIT, entry->offset,
						    "has more frames than a report of this size "
						    "can have; print it with `perf report -g "
						    "folded`");
			*left -= node->path_count;
		}
	}
	return true;
}

static bool check_frames(const struct listing *listing, struct error *err)
{
	uint64_t left = LIMIT_LISTING_FREE_FRAMES +
			(uint64_t)LIMIT_LISTING_FRAMES_PER_BYTE * listing->text.length;

	for (size_t i = 0; i < listing->sections.count; i++)
		if (!check_section(listing, &listing->sections.at[i], &left, err))
			return false;
	return true;
}

/* Collects the DSOs of functions, and notes which functions are in the kernel. */
static void add_functions(struct listing *listing)
{
	for (size_t i = 0; i < listing->entries.count; i++) {
		const struct listing_row *row = &listing->entries.at[i].row;
		struct listing_function *function;
		uint32_t id =
			strings_intern(&listing->names, row->symbol.length ? row->symbol.at : "",
				       row->symbol.length)
				.i;
		bool is_new = id >= listing->functions.count;

		while (listing->functions.count <= id)
			vec_push(&listing->functions,
				 (struct listing_function){ .is_user = false });
		function = &listing->functions.at[id];
		if (is_new)
			function->object = row->object;
		else if (function->object.at &&
			 !(row->object.at && text_equal(function->object, row->object)))
			function->object = (struct text){ NULL, 0 };
		function->is_kernel |= row->is_kernel;
		function->is_user |= !row->is_kernel;
	}
}

/*
 * Returns a frame without the text that -g address appends: " main.c:12" or " +119". Without such a
 * text, returns the frame unchanged.
 */
static struct text without_address(struct text frame)
{
	const char *blank = frame.length ? memrchr(frame.at, ' ', frame.length) : NULL;
	struct text last;
	uint32_t digits;

	if (!blank || blank == frame.at)
		return frame;
	last = text_between(blank + 1, frame.at + frame.length);
	digits = scan_last_digits(last);
	if (digits && digits < last.length &&
	    (last.at[digits - 1] == ':' || (digits == 1 && last.at[0] == '+')))
		return text_trim(text_between(frame.at, blank));
	return frame;
}

static bool is_function(const struct listing *listing, struct text name)
{
	return strings_find(&listing->names, name).i != 0;
}

/*
 * The names of JavaScript functions also end in a source line, but then the rows have source lines,
 * too.
 */
static bool check_names(const struct listing *listing, struct error *err)
{
	for (size_t i = 0; i < listing->frames.count; i++) {
		struct text frame = listing_frame_text(listing, i);
		struct text name = without_address(frame);

		if (text_has_suffix(frame, " (inlined)"))
			return error_set_at(err, ERROR_UNSUPPORTED, listing->frames.at[i].begin,
					    "is the output of `perf report` with inlined "
					    "functions, which rows do not have; " LISTING_READABLE);
		if (name.length < frame.length && !is_function(listing, frame) &&
		    is_function(listing, name))
			return error_set_at(err, ERROR_UNSUPPORTED, listing->frames.at[i].begin,
					    "is the output of `perf report -g address`, with "
					    "source lines in names; " LISTING_READABLE);
	}
	return true;
}

/* Appends "12.34% of the samples" to a text. */
static void put_share(struct sink *sink, const char *before, uint64_t hundredths)
{
	if (hundredths)
		sink_printf(sink, "%s%s%" PRIu64 ".%02" PRIu64 "%% of the samples",
			    sink->used ? " and " : "", before, hundredths / 100, hundredths % 100);
}

static void note_losses(struct capture *capture, const struct listing_losses *losses)
{
	struct sink shares;

	sink_init_memory(&shares);
	put_share(&shares, "functions in the stacks of ", losses->cut);
	put_share(&shares, "", losses->unlisted);
	if (shares.used) {
		capture->is_partial = true;
		error_set(&capture->damage, ERROR_CORRUPT,
			  "the report omits %.*s; `perf report --percent-limit 0 --max-stack 1024 "
			  "-g graph,0,caller` prints all, without a limit after 0",
			  (int)shares.used, shares.buffer);
	}
	sink_deinit(&shares);
}

static bool perf_report_open(struct capture *capture, struct error *err)
{
	struct listing *listing = memory_alloc(1, sizeof(*listing));
	struct listing_losses losses;

	listing_init(listing);
	capture->reader = listing;
	if (!text_load(capture, LIMIT_LISTING_BYTES, "a report", &listing->text, err))
		return false;
	if (!listing_parse(listing, err))
		return false;
	add_functions(listing);
	if (!check_names(listing, err) || !listing_analyse(listing, &losses, err) ||
	    !check_frames(listing, err))
		return false;
	note_losses(capture, &losses);
	for (size_t i = 0; i < listing->sections.count; i++)
		capture->lacks_sample_counts |= listing->sections.at[i].entry_count &&
						listing->sections.at[i].unit != UNIT_SAMPLES;
	vec_push(&capture->slices, (struct slice){ .end = listing->text.length });
	return true;
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct listing *listing = capture->reader;
	bool is_approximate = false;

	(void)err;
	for (size_t i = 0; i < listing->sections.count; i++)
		is_approximate |= listing->sections.at[i].is_approximate;
	text_report_fact(sink, FACT_FORMAT,
			 text_of(is_approximate ? "output of perf report; weights are approximate, "
						  "because they are percentages"
						: "output of perf report"));
	for (int fact = 0; fact < FACT_COUNT; fact++)
		if (listing->facts[fact].at)
			text_report_fact(sink, (enum fact)fact, listing->facts[fact]);
	return true;
}

/* ---- Samples ---- */

static struct text event_of(const struct listing_section *section)
{
	if (section->event.length)
		return section->event;
	return text_of(section->unit == UNIT_MILLIONTHS ? "%overhead" : "samples");
}

static void send(struct listing_path *path, const struct text *frames, size_t count,
		 uint64_t weight)
{
	const struct listing_row *row = &path->entry->row;
	bool counts_samples = path->section->unit == UNIT_SAMPLES;
	bool has_tid = row->has_pid || row->has_tid;
	struct event_text_sample text = {
		.comm = row->comm.length ? row->comm : text_of(UNKNOWN_COMM),
		.event = event_of(path->section),
		.unit = path->section->unit,
		.sample_count = counts_samples ? weight : 1,
		.frames = frames,
		.frame_count = (uint32_t)count,
		.is_outermost_first = true,
		.shared_count = path->shared_count,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = path->entry->offset };

	event.sample = (struct event_sample){
		.pid = row->has_pid ? row->pid : row->tid,
		.tid = row->has_tid ? row->tid : row->pid,
		.present =
			SAMPLE_HAS_CALLCHAIN | SAMPLE_HAS_PERIOD | (has_tid ? SAMPLE_HAS_TID : 0),
		.period = weight,
		.text = &text,
	};
	event_send(path->sink, &event);
}

/*
 * Sends a stack whose first function in the report is the outermost one. If the stack is cut, its
 * leaf is the function of the entry.
 */
static void send_caller(struct listing_path *path, uint64_t weight, bool is_cut)
{
	size_t count = path->frames.count;

	if (is_cut)
		vec_push(&path->frames, text_of(NOT_SHOWN));
	if (is_cut || !count)
		vec_push(&path->frames, path->entry->row.symbol);
	send(path, path->frames.at, path->frames.count, weight);
	path->frames.count = count;
	path->shared_count = (uint32_t)count;
}

static void send_callee(struct listing_path *path, uint64_t weight, bool is_cut)
{
	size_t count = path->frames.count;

	path->reversed.count = 0;
	if (is_cut)
		vec_push(&path->reversed, text_of(NOT_SHOWN));
	while (count)
		vec_push(&path->reversed, path->frames.at[--count]);
	if (!path->frames.count)
		vec_push(&path->reversed, path->entry->row.symbol);
	path->shared_count = 0;
	send(path, path->reversed.at, path->reversed.count, weight);
}

static void send_own(struct listing_path *path, uint64_t weight, bool is_cut)
{
	if (path->section->order == LISTING_ORDER_CALLER)
		send_caller(path, weight, is_cut);
	else
		send_callee(path, weight, is_cut);
}

/* Removes all nodes below the parent, and their frames. */
static void return_to(struct listing_path *path, uint32_t parent)
{
	const struct listing_node *nodes = path->listing->nodes.at;

	while (path->nodes.count && path->nodes.at[path->nodes.count - 1] != parent)
		path->frames.count -= nodes[path->nodes.at[--path->nodes.count]].frame_count;
	if (path->shared_count > path->frames.count)
		path->shared_count = (uint32_t)path->frames.count;
}

static void read_entry(struct listing_path *path, const struct listing_entry *entry)
{
	path->entry = entry;
	path->nodes.count = path->frames.count = 0;
	path->shared_count = 0;
	if (entry->own)
		send_own(path, entry->own, entry->is_cut);
	for (uint32_t i = entry->node_first; i < entry->node_first + entry->node_count; i++) {
		const struct listing_node *node = &path->listing->nodes.at[i];

		return_to(path, node->parent);
		vec_push(&path->nodes, i);
		for (uint32_t j = 0; j < node->frame_count; j++)
			vec_push(&path->frames,
				 listing_frame_text(path->listing, node->frame_first + j));
		if (node->own)
			send_own(path, node->own, node->is_cut);
	}
}

/* All samples of an entry have the offset of the entry. */
static void read_section(struct listing_path *path, const struct listing_section *section,
			 struct slice slice)
{
	path->section = section;
	for (uint32_t i = 0; i < section->entry_count; i++) {
		const struct listing_entry *entry =
			&path->listing->entries.at[section->entry_first + i];

		if (entry->offset >= slice.begin && entry->offset < slice.end)
			read_entry(path, entry);
	}
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	const struct listing *listing = capture->reader;
	struct listing_path path = { .listing = listing, .sink = sink };

	(void)err;
	for (size_t i = 0; i < listing->sections.count; i++)
		read_section(&path, &listing->sections.at[i], slice);
	if (!slice.begin) {
		text_report_skips(&listing->skips, sink);
		text_report_loss(sink, LOSS_SAMPLES, listing->lost_count, 0);
	}
	vec_free(&path.nodes);
	vec_free(&path.frames);
	vec_free(&path.reversed);
	return true;
}

/*
 * A function without a symbol is an address. The address 0 is printed as "0", in old versions as
 * "(nil)".
 */
static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	const struct listing *listing = reader;
	struct event_frame frame = { .module = { "", 0 } };
	struct text rest;
	str_id id;

	frame.is_mark = text_is(raw, NOT_SHOWN);
	frame.name = rest = raw;
	id = strings_find(&listing->names, frame.name);
	if (id.i && id.i < listing->functions.count) {
		const struct listing_function *function = &listing->functions.at[id.i];

		if (function->object.at)
			frame.module = function->object;
		frame.is_kernel = function->is_kernel && !function->is_user;
	}
	if (text_is(rest, "0") || text_is(rest, "(nil)") ||
	    (scan_prefix(&rest, "0x") && scan_hex(&rest, &frame.address) && !rest.length))
		frame.name = text_of("");
	callback(context, &frame);
}

const struct input_format perf_report_format = {
	.name = "perf-report",
	.summary = "output of perf report with call graphs",
	.probe = listing_probe,
	.ends_in = "\n",
	.open = perf_report_open,
	.close = listing_destroy,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
