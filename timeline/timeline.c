/* SPDX-License-Identifier: MIT */
#include "timeline/timeline.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "process/process_history.h"

#define NAME_NONE UINT32_MAX

void timeline_init(struct timeline *timeline, const struct timeline_options *options,
		   const struct profile *profile)
{
	*timeline = (struct timeline){
		.options = *options,
		.profile = profile,
		.bin_ns = options->bin_ns,
	};
	if (!options->cell_max || options->cell_max > LIMIT_TIMELINE_CELLS)
		timeline->options.cell_max = LIMIT_TIMELINE_CELLS;
	strings_init(&timeline->names);
	idtable_init(&timeline->row_table);
	idtable_init(&timeline->cell_table);
}

void timeline_deinit(struct timeline *timeline)
{
	strings_deinit(&timeline->names);
	idtable_deinit(&timeline->row_table);
	idtable_deinit(&timeline->cell_table);
	vec_free(&timeline->rows);
	vec_free(&timeline->cells);
	vec_free(&timeline->of_comm);
	vec_free(&timeline->of_event);
}

static uint64_t hash_of_key(const struct timeline_key *key)
{
	uint64_t names = (uint64_t)key->event.i << 32 | key->comm.i;
	uint64_t task = (uint64_t)key->pid << 32 | key->tid;

	return hash_pair(hash_pair(names, task), (uint64_t)key->cpu << 1 | key->is_idle);
}

static bool is_same_key(const struct timeline_key *a, const struct timeline_key *b)
{
	return a->event.i == b->event.i && a->comm.i == b->comm.i && a->pid == b->pid &&
	       a->tid == b->tid && a->cpu == b->cpu && a->is_idle == b->is_idle;
}

/* Returns the row of a key; adds it if it is new. */
static uint32_t intern_row(struct timeline *timeline, const struct timeline_key *key)
{
	uint64_t hash = hash_of_key(key);
	struct idtable_probe probe = idtable_find(&timeline->row_table, hash);
	uint32_t row;

	while ((row = idtable_next(&timeline->row_table, &probe)) != IDTABLE_NONE)
		if (is_same_key(&timeline->rows.at[row].key, key))
			return row;
	row = (uint32_t)timeline->rows.count;
	vec_push(&timeline->rows, (struct timeline_row){
					  .key = *key,
					  .first_time_ns = UINT64_MAX,
					  .last_cell = IDTABLE_NONE,
				  });
	idtable_add(&timeline->row_table, hash, row);
	return row;
}

/* Returns the cell of a row and a bin; adds it if it is new. */
static uint32_t intern_cell(struct timeline *timeline, uint32_t row, uint64_t bin)
{
	uint32_t cell = timeline->rows.at[row].last_cell;
	uint64_t hash;
	struct idtable_probe probe;

	if (cell != IDTABLE_NONE && timeline->cells.at[cell].bin == bin)
		return cell;
	hash = hash_pair(bin, row);
	probe = idtable_find(&timeline->cell_table, hash);
	while ((cell = idtable_next(&timeline->cell_table, &probe)) != IDTABLE_NONE)
		if (timeline->cells.at[cell].row == row && timeline->cells.at[cell].bin == bin)
			break;
	if (cell == IDTABLE_NONE) {
		cell = (uint32_t)timeline->cells.count;
		vec_push(&timeline->cells, (struct timeline_cell){ .bin = bin, .row = row });
		idtable_add(&timeline->cell_table, hash, cell);
	}
	timeline->rows.at[row].last_cell = cell;
	return cell;
}

/* Adds the counts of another cell to the cell of this row and bin. */
static void add_to_cell(struct timeline *timeline, uint32_t row, uint64_t bin,
			const struct timeline_cell *more)
{
	uint32_t number = intern_cell(timeline, row, bin);
	struct timeline_cell *cell = &timeline->cells.at[number];

	cell->sample_count = saturate_add(cell->sample_count, more->sample_count);
	cell->weight = timeline_has_intervals(timeline) ? cell->weight + more->weight
							: saturate_add(cell->weight, more->weight);
	cell->covering += more->covering;
}

/* Adds a cell of narrower bins; `factor` of these bins make up one bin here. */
static void add_narrow(struct timeline *timeline, uint32_t row, const struct timeline_cell *narrow,
		       uint64_t factor)
{
	uint64_t later_bins = factor - 1 - narrow->bin % factor;
	struct timeline_cell cell = *narrow;

	cell.weight += cell.covering * later_bins * (timeline->bin_ns / factor);
	add_to_cell(timeline, row, narrow->bin / factor, &cell);
}

bool timeline_widen(struct timeline *timeline)
{
	uint64_t factor = timeline->level % 2 ? 5 : 2;
	struct timeline_cell *cells = timeline->cells.at;
	size_t count = timeline->cells.count;
	uint64_t bin_ns;

	if (__builtin_mul_overflow(timeline->bin_ns, factor, &bin_ns))
		return false;
	timeline->bin_ns = bin_ns;
	timeline->level++;
	timeline->cells.at = NULL;
	timeline->cells.count = timeline->cells.capacity = 0;
	idtable_deinit(&timeline->cell_table);
	idtable_init(&timeline->cell_table);
	for (size_t i = 0; i < timeline->rows.count; i++)
		timeline->rows.at[i].last_cell = IDTABLE_NONE;
	for (size_t i = 0; i < count; i++)
		add_narrow(timeline, cells[i].row, &cells[i], factor);
	memory_free(cells);
	return true;
}

static void widen_to_limit(struct timeline *timeline)
{
	while (timeline->cells.count >= timeline->options.cell_max && timeline_widen(timeline))
		;
}

/* Returns the id in `names` of a profile string. Each string is looked up only once. */
static str_id name_of_number(struct timeline *timeline, uint32_t number, str_id name, bool is_event)
{
	uint32_t *known;

	if (is_event) {
		while (timeline->of_event.count <= number)
			vec_push(&timeline->of_event, NAME_NONE);
		known = &timeline->of_event.at[number];
	} else {
		while (timeline->of_comm.count <= number)
			vec_push(&timeline->of_comm, NAME_NONE);
		known = &timeline->of_comm.at[number];
	}
	if (*known == NAME_NONE) {
		struct text text = strings_get(timeline->profile->strings, name);

		*known = strings_intern(&timeline->names, text.at, text.length).i;
	}
	return (str_id){ *known };
}

static str_id event_of(struct timeline *timeline, const struct ingested_sample *ingested)
{
	const struct event_text_sample *text = ingested->event->sample.text;
	uint32_t event = ingested->key->event;

	if (text)
		return strings_intern(&timeline->names, text->event.at, text->event.length);
	return name_of_number(timeline, event, timeline->profile->events.at[event].name, true);
}

static str_id comm_of(struct timeline *timeline, const struct ingested_sample *ingested)
{
	const struct event_sample *sample = &ingested->event->sample;
	uint32_t comm = ingested->key->comm;
	char buffer[COMM_BYTES];
	struct text text;

	if (!sample->text && comm != PROCESS_HISTORY_NONE)
		return name_of_number(timeline, comm, (str_id){ comm }, false);
	text = sample->text && sample->text->comm.at
		       ? sample->text->comm
		       : comm_text(timeline->profile->strings, PROCESS_HISTORY_NONE, sample->tid,
				   buffer);
	return strings_intern(&timeline->names, text.at, text.length);
}

static bool is_idle(const struct event_sample *sample)
{
	return sample->present & SAMPLE_HAS_TID && !sample->pid && !sample->tid;
}

static struct timeline_key key_of(struct timeline *timeline, const struct ingested_sample *ingested)
{
	const struct event_sample *sample = &ingested->event->sample;
	struct timeline_key key = {
		.event = event_of(timeline, ingested),
		.is_idle = is_idle(sample),
	};

	if (timeline->options.by == TIMELINE_BY_CPU) {
		key.cpu = sample->present & SAMPLE_HAS_CPU ? sample->cpu : EVENT_NO_CPU;
	} else if (timeline->options.by == TIMELINE_BY_THREAD) {
		bool has_tid = sample->present & SAMPLE_HAS_TID;

		key.pid = has_tid ? sample->pid : 0;
		key.tid = has_tid ? sample->tid : EVENT_NO_TID;
	} else if (timeline->options.by == TIMELINE_BY_COMM) {
		key.comm = comm_of(timeline, ingested);
	}
	return key;
}

/*
 * The latest comm of a thread becomes the thread's name. If two comms have the same time, the one
 * that sorts last is chosen.
 */
static void note_comm(struct timeline *timeline, struct timeline_row *row, str_id comm,
		      uint64_t time_ns)
{
	const struct strings *names = &timeline->names;

	if (time_ns < row->latest_ns ||
	    (time_ns == row->latest_ns &&
	     text_compare(strings_get(names, comm), strings_get(names, row->latest_comm)) <= 0))
		return;
	row->latest_comm = comm;
	row->latest_ns = time_ns;
}

static void note_time(struct timeline_row *row, uint64_t time_ns)
{
	if (time_ns < row->first_time_ns)
		row->first_time_ns = time_ns;
	if (time_ns > row->last_time_ns)
		row->last_time_ns = time_ns;
}

/*
 * For the beginning of an interval, adds the time from time_ns to the end of the capture; for the
 * end of an interval, subtracts this time.
 */
static void add_bound(struct timeline *timeline, uint32_t row, uint64_t time_ns, bool is_end,
		      uint64_t count)
{
	struct timeline_cell cell = {
		.sample_count = count,
		.weight = timeline->bin_ns - time_ns % timeline->bin_ns,
		.covering = 1,
	};

	if (is_end) {
		cell.weight = -cell.weight;
		cell.covering = -cell.covering;
	}
	add_to_cell(timeline, row, time_ns / timeline->bin_ns, &cell);
	widen_to_limit(timeline);
}

/* Adds the parts of an interval that are in windows, which add up to its duration. */
static void add_interval(struct timeline *timeline, uint32_t number,
			 const struct interval *interval)
{
	uint64_t from_ns = interval->begin_ns;
	uint64_t count = 1;

	for (uint64_t rest_ns = interval->duration_ns; rest_ns; count = 0) {
		uint64_t part_ns = time_windows_next(timeline->options.windows, &from_ns, rest_ns);

		/* A part is empty only if the interval was clipped to other windows. */
		if (!part_ns)
			break;
		note_time(&timeline->rows.at[number], from_ns);
		note_time(&timeline->rows.at[number], from_ns + part_ns - 1);
		add_bound(timeline, number, from_ns, false, count);
		add_bound(timeline, number, from_ns + part_ns, true, 0);
		from_ns += part_ns;
		rest_ns -= part_ns;
	}
}

static void add_sample(struct timeline *timeline, uint32_t number,
		       const struct ingested_sample *sample)
{
	uint64_t time_ns = sample->event->time_ns;

	note_time(&timeline->rows.at[number], time_ns);
	add_to_cell(timeline, number, time_ns / timeline->bin_ns,
		    &(struct timeline_cell){ .sample_count = sample->sample_count,
					     .weight = sample->weight });
	widen_to_limit(timeline);
}

/* Whether the timeline counts this sample or, if it counts intervals, the sample's interval. */
static bool is_counted(const struct timeline *timeline, const struct ingested_sample *sample)
{
	return !timeline_has_intervals(timeline) ||
	       (sample->interval && timeline->options.marks & 1u << sample->interval->mark);
}

void timeline_on_sample(void *context, const struct ingested_sample *sample)
{
	struct timeline *timeline = context;
	struct timeline_key key;
	struct timeline_row *row;
	uint32_t number;

	if (!is_counted(timeline, sample))
		return;
	key = key_of(timeline, sample);
	number = intern_row(timeline, &key);
	row = &timeline->rows.at[number];
	if (!sample->event->has_time) {
		row->timeless_count = saturate_add(row->timeless_count, sample->sample_count);
		return;
	}
	if (timeline->options.by == TIMELINE_BY_THREAD)
		note_comm(timeline, row, comm_of(timeline, sample), sample->event->time_ns);
	row->sample_count = saturate_add(row->sample_count, sample->sample_count);
	row->weight = saturate_add(row->weight, sample->weight);
	if (sample->interval)
		add_interval(timeline, number, sample->interval);
	else
		add_sample(timeline, number, sample);
}

static str_id copy_name(struct timeline *timeline, const struct timeline *from, str_id name)
{
	struct text text = strings_get(&from->names, name);

	return strings_intern(&timeline->names, text.at, text.length);
}

/* Adds a row of another timeline, without its cells. Returns its index in this timeline. */
static uint32_t merge_row(struct timeline *timeline, const struct timeline *from,
			  const struct timeline_row *more)
{
	struct timeline_key key = more->key;
	struct timeline_row *row;
	uint32_t number;

	key.event = copy_name(timeline, from, key.event);
	key.comm = copy_name(timeline, from, key.comm);
	number = intern_row(timeline, &key);
	row = &timeline->rows.at[number];
	note_comm(timeline, row, copy_name(timeline, from, more->latest_comm), more->latest_ns);
	if (more->first_time_ns < row->first_time_ns)
		row->first_time_ns = more->first_time_ns;
	if (more->last_time_ns > row->last_time_ns)
		row->last_time_ns = more->last_time_ns;
	row->sample_count = saturate_add(row->sample_count, more->sample_count);
	row->weight = saturate_add(row->weight, more->weight);
	row->timeless_count = saturate_add(row->timeless_count, more->timeless_count);
	return number;
}

void timeline_merge(struct timeline *timeline, const struct timeline *from)
{
	uint32_t *numbers = memory_alloc(from->rows.count, sizeof(*numbers));

	for (size_t i = 0; i < from->rows.count; i++)
		numbers[i] = merge_row(timeline, from, &from->rows.at[i]);
	while (timeline->level < from->level && timeline_widen(timeline))
		;
	for (size_t i = 0; i < from->cells.count; i++) {
		const struct timeline_cell *cell = &from->cells.at[i];

		/* Several bins of `from` make up one bin here. */
		add_narrow(timeline, numbers[cell->row], cell, timeline->bin_ns / from->bin_ns);
		widen_to_limit(timeline);
	}
	memory_free(numbers);
}
