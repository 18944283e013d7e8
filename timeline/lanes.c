/* SPDX-License-Identifier: MIT */
#include "timeline/lanes.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "libparse/event.h"

#define NONE UINT32_MAX

/*
 * Adjacent equal cells of a lane are merged when the lane has at least this many cells, and twice
 * as many as after the previous merge.
 */
#define JOIN_MIN ((size_t)4096)

void lanes_init(struct lanes *lanes, const struct lanes_options *options)
{
	*lanes = (struct lanes){ .options = *options };
	strings_init(&lanes->names);
	idtable_init(&lanes->thread_table);
	idtable_init(&lanes->kind_table);
	idtable_init(&lanes->candidate_table);
}

void lanes_deinit(struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->lanes.count; i++) {
		vec_free(&lanes->lanes.at[i].spans);
		vec_free(&lanes->lanes.at[i].cells);
		memory_free(lanes->lanes.at[i].sums);
	}
	vec_free(&lanes->lanes);
	vec_free(&lanes->threads);
	vec_free(&lanes->kinds);
	vec_free(&lanes->all_kinds);
	vec_free(&lanes->kind_of);
	vec_free(&lanes->candidates);
	idtable_deinit(&lanes->thread_table);
	idtable_deinit(&lanes->kind_table);
	idtable_deinit(&lanes->candidate_table);
	strings_deinit(&lanes->names);
}

static uint32_t find_thread(const struct lanes *lanes, uint32_t tid)
{
	struct idtable_probe probe = idtable_find(&lanes->thread_table, hash_u64(tid));
	uint32_t id;

	while ((id = idtable_next(&lanes->thread_table, &probe)) != IDTABLE_NONE)
		if (lanes->threads.at[id].tid == tid)
			return id;
	return NONE;
}

const struct lane_thread *lanes_find_thread(const struct lanes *lanes, uint32_t tid)
{
	uint32_t id = find_thread(lanes, tid);

	return id == NONE ? NULL : &lanes->threads.at[id];
}

struct lane_thread *lanes_thread(struct lanes *lanes, uint32_t tid)
{
	uint32_t id = find_thread(lanes, tid);

	if (id == NONE) {
		id = (uint32_t)lanes->threads.count;
		idtable_add(&lanes->thread_table, hash_u64(tid), id);
		vec_push(&lanes->threads, (struct lane_thread){ .tid = tid, .pid = EVENT_NO_TID });
	}
	return &lanes->threads.at[id];
}

uint32_t lanes_label(struct lanes *lanes, struct text text)
{
	return strings_intern(&lanes->names, text.at, text.length).i;
}

/* ---- The first pass ---- */

static uint32_t find_candidate(const struct lanes *lanes, uint32_t key)
{
	struct idtable_probe probe = idtable_find(&lanes->candidate_table, hash_u64(key));
	uint32_t id;

	while ((id = idtable_next(&lanes->candidate_table, &probe)) != IDTABLE_NONE)
		if (lanes->candidates.at[id].key == key)
			return id;
	return NONE;
}

static struct lane_candidate *candidate_of(struct lanes *lanes, uint32_t key)
{
	uint32_t id = find_candidate(lanes, key);

	if (id == NONE) {
		id = (uint32_t)lanes->candidates.count;
		idtable_add(&lanes->candidate_table, hash_u64(key), id);
		vec_push(&lanes->candidates, (struct lane_candidate){ .key = key });
	}
	return &lanes->candidates.at[id];
}

static struct lane_kind kind_of(struct lanes *lanes, const struct schedule_interval *interval)
{
	struct lane_kind kind = { .state = interval->state };

	if (lanes->options.by == LANES_BY_CPU)
		kind.label = lanes_thread(lanes, interval->tid)->comm;
	else if (interval->state == SCHEDULE_RUNNING || interval->state == SCHEDULE_BLOCKED)
		kind.label = interval->label;
	if (interval->state == SCHEDULE_BLOCKED && !kind.label)
		kind.task_state = interval->task_state;
	return kind;
}

/* Returns the index of a kind in all_kinds; adds it if it is new. */
static uint32_t intern_kind(struct lanes *lanes, const struct lane_kind *kind)
{
	uint64_t hash = hash_pair(kind->label,
				  (uint64_t)kind->state << 8 | (unsigned char)kind->task_state);
	struct idtable_probe probe = idtable_find(&lanes->kind_table, hash);
	uint32_t id;

	while ((id = idtable_next(&lanes->kind_table, &probe)) != IDTABLE_NONE) {
		const struct lane_kind *row = &lanes->all_kinds.at[id];

		if (row->state == kind->state && row->label == kind->label &&
		    row->task_state == kind->task_state)
			return id;
	}
	id = (uint32_t)lanes->all_kinds.count;
	idtable_add(&lanes->kind_table, hash, id);
	vec_push(&lanes->all_kinds, *kind);
	return id;
}

/* Calls add for each part of an interval that is in a window. */
static void clip(struct lanes *lanes, const struct schedule_interval *interval,
		 void (*add)(struct lanes *lanes, const struct schedule_interval *part))
{
	const struct time_windows *windows = lanes->options.windows;
	struct schedule_interval part = *interval;

	if (!lanes_thread(lanes, interval->tid)->is_selected ||
	    (lanes->options.by == LANES_BY_CPU && interval->state != SCHEDULE_RUNNING))
		return;
	if (!windows || !windows->is_limited) {
		add(lanes, interval);
		return;
	}
	for (size_t i = vec_count_first(&windows->rows, row, row->end_ns <= interval->from_ns);
	     i < windows->rows.count && windows->rows.at[i].begin_ns < interval->to_ns; i++) {
		const struct time_window *window = &windows->rows.at[i];

		part.from_ns =
			window->begin_ns > interval->from_ns ? window->begin_ns : interval->from_ns;
		part.to_ns = window->end_ns < interval->to_ns ? window->end_ns : interval->to_ns;
		add(lanes, &part);
	}
}

static uint32_t key_of(const struct lanes *lanes, const struct schedule_interval *interval)
{
	return lanes->options.by == LANES_BY_CPU ? interval->cpu : interval->tid;
}

static void survey(struct lanes *lanes, const struct schedule_interval *part)
{
	struct lane_candidate *candidate = candidate_of(lanes, key_of(lanes, part));
	struct lane_kind kind = kind_of(lanes, part);
	uint32_t number = intern_kind(lanes, &kind);
	struct lane_kind *sum = &lanes->all_kinds.at[number];
	uint64_t duration_ns = part->to_ns - part->from_ns;

	sum->total_ns = saturate_add(sum->total_ns, duration_ns);
	sum->count++;
	if (lane_kind_is_active(&kind) ||
	    (part->state == SCHEDULE_BLOCKED && part->task_state == 'D'))
		candidate->weight_ns = saturate_add(candidate->weight_ns, duration_ns);
}

void lanes_survey(struct lanes *lanes, const struct schedule_interval *interval)
{
	clip(lanes, interval, survey);
}

/* ---- The plan ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/*
 * Sorts by state, then by sum, largest first. The running kind without a label is the last running
 * kind.
 */
static int compare_kinds(const void *left, const void *right, void *context)
{
	const struct lanes *lanes = context;
	const struct lane_kind *a = &lanes->all_kinds.at[*(const uint32_t *)left];
	const struct lane_kind *b = &lanes->all_kinds.at[*(const uint32_t *)right];

	if (a->state != b->state)
		return compare_numbers(a->state, b->state);
	if (a->state == SCHEDULE_RUNNING && !a->label != !b->label)
		return a->label ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return compare_numbers(b->total_ns, a->total_ns);
	if (a->label != b->label)
		return text_compare(strings_get(&lanes->names, (str_id){ a->label }),
				    strings_get(&lanes->names, (str_id){ b->label }));
	return compare_numbers((unsigned char)a->task_state, (unsigned char)b->task_state);
}

static uint32_t kind_limit(const struct lane_kind *kind)
{
	if (kind->state == SCHEDULE_RUNNING && kind->label)
		return LANES_RUNNING_KINDS;
	return kind->state == SCHEDULE_BLOCKED ? LANES_BLOCKED_KINDS : NONE;
}

static bool is_same_group(const struct lane_kind *a, const struct lane_kind *b)
{
	return a->state == b->state && (a->state != SCHEDULE_RUNNING || !a->label == !b->label);
}

/* Sorts the kinds. If a state has more kinds than its limit, merges the excess kinds. */
static void choose_kinds(struct lanes *lanes)
{
	size_t count = lanes->all_kinds.count;
	uint32_t *order = memory_alloc(count, sizeof(*order));
	uint32_t of_group = 0;

	for (uint32_t i = 0; i < count; i++) {
		order[i] = i;
		vec_push(&lanes->kind_of, 0);
	}
	if (count)
		qsort_r(order, count, sizeof(*order), compare_kinds, lanes);
	for (size_t i = 0; i < count; i++) {
		const struct lane_kind *kind = &lanes->all_kinds.at[order[i]];
		bool is_first = !i || !is_same_group(&lanes->all_kinds.at[order[i - 1]], kind);

		of_group = is_first ? 1 : of_group + 1;
		if (of_group <= kind_limit(kind)) {
			vec_push(&lanes->kinds, *kind);
		} else if (of_group == kind_limit(kind) + 1) {
			vec_push(&lanes->kinds, *kind);
			lanes->kinds.at[lanes->kinds.count - 1].other_count = 1;
		} else {
			lanes->kinds.at[lanes->kinds.count - 1].other_count++;
		}
		lanes->kind_of.at[order[i]] = (uint16_t)(lanes->kinds.count - 1);
	}
	/* The second pass adds up the sums again, for the lanes that are shown. */
	for (size_t i = 0; i < lanes->kinds.count; i++)
		lanes->kinds.at[i].total_ns = lanes->kinds.at[i].count = 0;
	memory_free(order);
}

static int compare_candidates(const void *left, const void *right, void *context)
{
	const struct lanes *lanes = context;
	const struct lane_candidate *a = &lanes->candidates.at[*(const uint32_t *)left];
	const struct lane_candidate *b = &lanes->candidates.at[*(const uint32_t *)right];

	return a->weight_ns != b->weight_ns ? compare_numbers(b->weight_ns, a->weight_ns)
					    : compare_numbers(a->key, b->key);
}

static int compare_keys(const void *left, const void *right, void *context)
{
	const struct lanes *lanes = context;

	return compare_numbers(lanes->candidates.at[*(const uint32_t *)left].key,
			       lanes->candidates.at[*(const uint32_t *)right].key);
}

static void push_lane(struct lanes *lanes, uint32_t key, uint32_t other_count)
{
	vec_push(&lanes->lanes,
		 (struct lane){
			 .key = key,
			 .other_count = other_count,
			 .sums = memory_zalloc(lanes->kinds.count, sizeof(struct lane_sum)),
			 .join_at = JOIN_MIN,
		 });
}

/* Sorts threads or CPUs, and gives those with the largest weight their own lanes. */
static void choose_lanes(struct lanes *lanes)
{
	size_t count = lanes->candidates.count;
	size_t kept = count <= lanes->options.lane_max ? count : lanes->options.lane_max;
	uint32_t *order = memory_alloc(count, sizeof(*order));

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (count)
		qsort_r(order, count, sizeof(*order), compare_candidates, lanes);
	if (kept && lanes->options.by == LANES_BY_CPU)
		qsort_r(order, kept, sizeof(*order), compare_keys, lanes);
	for (size_t i = 0; i < count; i++) {
		struct lane_candidate *candidate = &lanes->candidates.at[order[i]];

		if (i < kept)
			push_lane(lanes, candidate->key, 0);
		else if (i == kept)
			push_lane(lanes, NONE, (uint32_t)(count - kept));
		candidate->lane = (uint32_t)lanes->lanes.count - 1;
		lanes->lanes.at[candidate->lane].weight_ns = saturate_add(
			lanes->lanes.at[candidate->lane].weight_ns, candidate->weight_ns);
	}
	memory_free(order);
}

static void choose_columns(struct lanes *lanes, uint64_t first_ns, uint64_t last_ns)
{
	const struct time_windows *windows = lanes->options.windows;
	uint64_t duration_ns;

	if (windows && windows->is_limited && windows->rows.count) {
		uint64_t begin_ns = windows->rows.at[0].begin_ns;
		uint64_t end_ns = windows->rows.at[windows->rows.count - 1].end_ns;

		first_ns = begin_ns > first_ns ? begin_ns : first_ns;
		last_ns = end_ns < last_ns ? end_ns : last_ns;
	}
	duration_ns = last_ns > first_ns ? last_ns - first_ns : 1;
	if (first_ns > UINT64_MAX - duration_ns)
		first_ns--;
	lanes->first_ns = first_ns;
	lanes->last_ns = first_ns + duration_ns;
	lanes->column_ns = (duration_ns - 1) / lanes->options.column_max + 1;
	lanes->column_count = (uint32_t)((duration_ns - 1) / lanes->column_ns + 1);
}

void lanes_plan(struct lanes *lanes, uint64_t first_ns, uint64_t last_ns)
{
	choose_columns(lanes, first_ns, last_ns);
	choose_kinds(lanes);
	choose_lanes(lanes);
}

/* ---- The second pass ---- */

static int compare_cells(const void *left, const void *right)
{
	const struct lane_cell *a = left;
	const struct lane_cell *b = right;

	return a->column != b->column ? compare_numbers(a->column, b->column)
				      : compare_numbers(a->kind, b->kind);
}

/* Sorts the cells of a lane, and joins those of the same column and kind. */
static void join_cells(struct lane *lane)
{
	size_t kept = 0;

	if (lane->cells.count)
		qsort(lane->cells.at, lane->cells.count, sizeof(*lane->cells.at), compare_cells);
	for (size_t i = 0; i < lane->cells.count; i++) {
		const struct lane_cell *cell = &lane->cells.at[i];
		struct lane_cell *last = kept ? &lane->cells.at[kept - 1] : NULL;

		if (!last || compare_cells(last, cell) != 0) {
			lane->cells.at[kept++] = *cell;
			continue;
		}
		last->total_ns = saturate_add(last->total_ns, cell->total_ns);
		last->count += cell->count;
		last->covering += cell->covering;
	}
	lane->cells.count = kept;
	lane->join_at = kept * 2 > JOIN_MIN ? kept * 2 : JOIN_MIN;
}

static void add_cell(struct lane *lane, const struct lane_cell *cell)
{
	/* Most intervals are in the same column as the previous interval. */
	for (size_t i = lane->cells.count; i && lane->cells.at[i - 1].column == cell->column; i--) {
		struct lane_cell *last = &lane->cells.at[i - 1];

		if (last->kind != cell->kind)
			continue;
		last->total_ns = saturate_add(last->total_ns, cell->total_ns);
		last->count += cell->count;
		last->covering += cell->covering;
		return;
	}
	if (lane->cells.count >= lane->join_at)
		join_cells(lane);
	vec_push(&lane->cells, *cell);
}

/*
 * Adds an interval to its columns. The columns that an interval covers entirely are stored as only
 * two cells, one where they begin and one where they end, because many threads can share a lane.
 */
static void add_to_columns(const struct lanes *lanes, struct lane *lane, uint16_t kind,
			   uint64_t from_ns, uint64_t to_ns)
{
	uint64_t column = (from_ns - lanes->first_ns) / lanes->column_ns;
	uint64_t count = 1;

	while (from_ns < to_ns) {
		uint64_t end_ns = saturate_add(lanes->first_ns,
					       saturate_multiply(column + 1, lanes->column_ns));
		uint64_t part_ns = (to_ns < end_ns ? to_ns : end_ns) - from_ns;
		uint64_t whole = part_ns == lanes->column_ns ? (to_ns - from_ns) / part_ns : 0;

		add_cell(lane, &(struct lane_cell){ .column = (uint32_t)column,
						    .kind = kind,
						    .total_ns = whole ? 0 : part_ns,
						    .count = count,
						    .covering = whole != 0 });
		if (whole)
			add_cell(lane, &(struct lane_cell){ .column = (uint32_t)(column + whole),
							    .kind = kind,
							    .covering = -1 });
		from_ns += whole ? whole * part_ns : part_ns;
		count = 0;
		column += whole ? whole : 1;
	}
}

static void add(struct lanes *lanes, const struct schedule_interval *interval)
{
	struct lane_kind key = kind_of(lanes, interval);
	uint16_t kind = lanes->kind_of.at[intern_kind(lanes, &key)];
	uint32_t candidate = find_candidate(lanes, key_of(lanes, interval));
	struct lane *lane = &lanes->lanes.at[lanes->candidates.at[candidate].lane];
	uint64_t from_ns =
		interval->from_ns < lanes->first_ns ? lanes->first_ns : interval->from_ns;
	uint64_t to_ns = interval->to_ns > lanes->last_ns ? lanes->last_ns : interval->to_ns;
	uint64_t duration_ns = interval->to_ns - interval->from_ns;
	struct lane_sum *sum = &lane->sums[kind];

	sum->total_ns = saturate_add(sum->total_ns, duration_ns);
	sum->count++;
	if (duration_ns > sum->longest_ns)
		sum->longest_ns = duration_ns;
	lanes->kinds.at[kind].total_ns = saturate_add(lanes->kinds.at[kind].total_ns, duration_ns);
	lanes->kinds.at[kind].count++;
	if (from_ns >= to_ns)
		return;
	if (lane->other_count && !lane_kind_is_active(&lanes->kinds.at[kind]))
		return;
	if (lane->other_count || duration_ns < lanes->column_ns) {
		add_to_columns(lanes, lane, kind, from_ns, to_ns);
		return;
	}
	vec_push(&lane->spans, (struct lane_span){
				       .from_ns = from_ns,
				       .to_ns = to_ns,
				       .tid = interval->tid,
				       .waker_tid = interval->waker_tid,
				       .kind = kind,
				       .waker = interval->waker,
				       .is_open = interval->is_open,
			       });
}

void lanes_add(struct lanes *lanes, const struct schedule_interval *interval)
{
	clip(lanes, interval, add);
}

static int compare_spans(const void *left, const void *right)
{
	const struct lane_span *a = left;
	const struct lane_span *b = right;

	return compare_numbers(a->from_ns, b->from_ns);
}

/* Adds the columns that intervals cover entirely. Cells are sorted. */
static void fill_columns(const struct lanes *lanes, struct lane *lane)
{
	int64_t *covering = memory_zalloc(lanes->kinds.count, sizeof(*covering));
	__typeof__(lane->cells) filled = { .at = NULL };
	size_t next = 0;

	for (uint32_t column = 0; column < lanes->column_count; column++) {
		for (uint16_t kind = 0; kind < lanes->kinds.count; kind++) {
			struct lane_cell cell = { .column = column, .kind = kind };

			if (next < lane->cells.count &&
			    compare_cells(&lane->cells.at[next], &cell) == 0)
				cell = lane->cells.at[next++];
			covering[kind] += cell.covering;
			cell.covering = 0;
			cell.total_ns = saturate_add(
				cell.total_ns,
				saturate_multiply((uint64_t)covering[kind], lanes->column_ns));
			if (cell.total_ns || cell.count)
				vec_push(&filled, cell);
		}
	}
	memory_free(covering);
	vec_free(&lane->cells);
	lane->cells = filled;
}

void lanes_finish(struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->lanes.count; i++) {
		struct lane *lane = &lanes->lanes.at[i];

		join_cells(lane);
		if (lane->other_count)
			fill_columns(lanes, lane);
		if (lane->spans.count)
			qsort(lane->spans.at, lane->spans.count, sizeof(*lane->spans.at),
			      compare_spans);
	}
}

uint32_t lanes_find(const struct lanes *lanes, uint32_t key)
{
	uint32_t candidate = find_candidate(lanes, key);

	return candidate == NONE ? NONE : lanes->candidates.at[candidate].lane;
}
