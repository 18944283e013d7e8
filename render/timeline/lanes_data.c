/* SPDX-License-Identifier: MIT */
/*
 * Embeds the intervals in the SVG, for its script, as compressed JSON:
 *
 *     {"first":"9297000000000", "last":..., "column":"2400000",    nanoseconds
 *      "kinds":["running: main", ...],
 *      "threads":["make 412",3, ...],                              name and lane, or -1; wakers, or what ran on CPUs
 *      "lanes":[["make 412", SPANS, CELLS], ...]}
 *
 * SPANS is "gap,duration,kind,flags,thread,..." with five numbers for each long interval. gap:
 * nanoseconds since the end of the previous interval. flags: enum schedule_waker, plus 4 if the
 * interval is open. thread: 1 for the first of "threads"; 0 if there is none.
 *
 * CELLS is "columns,kind,nanoseconds,count,..." with four numbers for each kind in a column of
 * short intervals. columns: the distance from the column of the previous four numbers.
 */
#include <inttypes.h>

#include "base/base64.h"
#include "base/idmap.h"
#include "compress/codec.h"
#include "render/escape.h"
#include "render/timeline/lanes_colour.h"
#include "render/timeline/lanes_output.h"

#define FLAG_OPEN 4u

/* The threads to which spans refer. */
struct references {
	struct idmap numbers; /* by tid */
	VEC(uint32_t) tids;
};

static uint32_t thread_of(const struct lanes *lanes, const struct lane_span *span)
{
	return lanes->options.by == LANES_BY_CPU ? span->tid : span->waker_tid;
}

static void find_references(const struct lanes *lanes, struct references *references)
{
	for (size_t i = 0; i < lanes->lanes.count; i++) {
		const struct lane *lane = &lanes->lanes.at[i];

		for (size_t k = 0; k < lane->spans.count; k++)
			if (thread_of(lanes, &lane->spans.at[k]))
				vec_push(&references->tids, thread_of(lanes, &lane->spans.at[k]));
	}
}

static int compare_tids(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* Numbers the threads in the order of their tids. */
static void number_references(struct references *references)
{
	size_t kept = 0;

	if (references->tids.count)
		qsort(references->tids.at, references->tids.count, sizeof(*references->tids.at),
		      compare_tids);
	for (size_t i = 0; i < references->tids.count; i++)
		if (!i || references->tids.at[i] != references->tids.at[i - 1])
			references->tids.at[kept++] = references->tids.at[i];
	references->tids.count = kept;
	for (size_t i = 0; i < kept; i++)
		idmap_add(&references->numbers, references->tids.at[i], (uint32_t)i + 1);
	idmap_sort(&references->numbers);
}

static void write_string(struct text text, struct sink *sink)
{
	sink_char(sink, '"');
	escape_json(sink, text);
	sink_char(sink, '"');
}

static void write_head(const struct lanes *lanes, struct sink *sink)
{
	struct sink name;

	sink_init_memory(&name);
	sink_printf(sink,
		    "{\"first\":\"%" PRIu64 "\",\"last\":\"%" PRIu64 "\",\"column\":\"%" PRIu64
		    "\",\n\"kinds\":[",
		    lanes->first_ns, lanes->last_ns, lanes->column_ns);
	for (uint32_t i = 0; i < lanes->kinds.count; i++) {
		name.used = 0;
		lanes_kind_name(lanes, i, &name);
		sink_puts(sink, i ? "," : "");
		write_string(sink_memory(&name), sink);
	}
	sink_deinit(&name);
}

static void write_references(const struct lanes *lanes, const struct references *references,
			     struct sink *sink)
{
	struct sink name;

	sink_init_memory(&name);
	sink_puts(sink, "],\n\"threads\":[");
	for (size_t i = 0; i < references->tids.count; i++) {
		uint32_t tid = references->tids.at[i];
		uint32_t lane =
			lanes->options.by == LANES_BY_THREAD ? lanes_find(lanes, tid) : UINT32_MAX;

		name.used = 0;
		lanes_thread_name(lanes, tid, &name);
		sink_puts(sink, i ? "," : "");
		write_string(sink_memory(&name), sink);
		sink_printf(sink, ",%" PRId64, lane == UINT32_MAX ? -1 : (int64_t)lane);
	}
	sink_deinit(&name);
}

static void write_spans(const struct lanes *lanes, const struct lane *lane,
			const struct references *references, struct sink *sink)
{
	uint64_t last_ns = lanes->first_ns;

	for (size_t i = 0; i < lane->spans.count; i++) {
		const struct lane_span *span = &lane->spans.at[i];
		uint32_t tid = thread_of(lanes, span);
		/* If the input is text or lacks switches, intervals on the same CPU can overlap. */
		uint64_t to_ns = span->to_ns > last_ns ? span->to_ns : last_ns;
		uint64_t gap_ns = span->from_ns > last_ns ? span->from_ns - last_ns : 0;

		sink_printf(sink, "%s%" PRIu64 ",%" PRIu64 ",%u,%u,%" PRIu32, i ? "," : "", gap_ns,
			    to_ns - last_ns - gap_ns, span->kind,
			    (unsigned)span->waker + (span->is_open ? FLAG_OPEN : 0),
			    tid ? idmap_find(&references->numbers, tid) : 0);
		last_ns = to_ns;
	}
}

static void write_cells(const struct lane *lane, struct sink *sink)
{
	uint32_t column = 0;

	for (size_t i = 0; i < lane->cells.count; i++) {
		const struct lane_cell *cell = &lane->cells.at[i];

		sink_printf(sink, "%s%" PRIu32 ",%u,%" PRIu64 ",%" PRIu64, i ? "," : "",
			    cell->column - column, cell->kind, cell->total_ns, cell->count);
		column = cell->column;
	}
}

static void write_lanes(const struct lanes *lanes, const struct references *references,
			struct sink *sink)
{
	struct sink name;

	sink_init_memory(&name);
	sink_puts(sink, "],\n\"lanes\":[");
	for (uint32_t i = 0; i < lanes->lanes.count; i++) {
		name.used = 0;
		lanes_name(lanes, i, &name);
		sink_puts(sink, i ? ",\n[" : "[");
		write_string(sink_memory(&name), sink);
		sink_puts(sink, ",\"");
		write_spans(lanes, &lanes->lanes.at[i], references, sink);
		sink_puts(sink, "\",\"");
		write_cells(&lanes->lanes.at[i], sink);
		sink_puts(sink, "\"]");
	}
	sink_puts(sink, "]}");
	sink_deinit(&name);
}

void lanes_write_data(const struct lanes *lanes, struct sink *sink)
{
	struct references references = { .tids = { 0 } };
	struct sink json;
	struct sink packed;
	bool is_packed;

	idmap_init(&references.numbers);
	sink_init_memory(&json);
	sink_init_memory(&packed);
	find_references(lanes, &references);
	number_references(&references);
	write_head(lanes, &json);
	write_references(lanes, &references, &json);
	write_lanes(lanes, &references, &json);
	is_packed = codec_write_deflate(&packed, sink_memory(&json), SIZE_MAX);
	sink_printf(sink, "<metadata id=\"lanes\" class=\"%s\">", is_packed ? "deflate" : "plain");
	if (is_packed)
		base64_write(sink, sink_memory(&packed));
	else
		escape_xml(sink, sink_memory(&json));
	sink_puts(sink, "</metadata>\n");
	sink_deinit(&packed);
	sink_deinit(&json);
	vec_free(&references.tids);
	idmap_deinit(&references.numbers);
}
