/* SPDX-License-Identifier: MIT */
#include "offcpu/single_intervals.h"

#include "base/scan.h"
#include "process/process_history.h"

void single_intervals_init(struct single_intervals *singles, uint64_t list_max)
{
	*singles = (struct single_intervals){ .list_max = list_max };
	idtable_init(&singles->ids);
}

void single_intervals_deinit(struct single_intervals *singles)
{
	idtable_deinit(&singles->ids);
	vec_free(&singles->longest);
	vec_free(&singles->listed_ns);
	vec_free(&singles->rows);
}

/* If intervals are equally long, the earliest is chosen. */
static bool is_longer(const struct interval *interval, const struct longest_of_stack *than)
{
	return interval->duration_ns > than->duration_ns ||
	       (interval->duration_ns == than->duration_ns && interval->begin_ns < than->begin_ns);
}

/* Returns whether the interval is the longest of its stack so far. */
static bool note_stack(struct single_intervals *singles, const struct interval *interval,
		       uint64_t stack_hash)
{
	struct idtable_probe probe = idtable_find(&singles->ids, stack_hash);
	struct longest_of_stack own = { stack_hash, interval->begin_ns, interval->duration_ns };
	uint32_t id;

	while ((id = idtable_next(&singles->ids, &probe)) != IDTABLE_NONE) {
		struct longest_of_stack *longest = &singles->longest.at[id];

		if (longest->stack_hash != stack_hash)
			continue;
		if (!is_longer(interval, longest))
			return false;
		*longest = own;
		return true;
	}
	idtable_add(&singles->ids, stack_hash, (uint32_t)singles->longest.count);
	vec_push(&singles->longest, own);
	return true;
}

static void sift_up(uint64_t *heap, size_t at)
{
	for (; at && heap[at] < heap[(at - 1) / 2]; at = (at - 1) / 2) {
		uint64_t parent = heap[(at - 1) / 2];

		heap[(at - 1) / 2] = heap[at];
		heap[at] = parent;
	}
}

static void sift_down(uint64_t *heap, size_t count)
{
	for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
		uint64_t moved = heap[at];

		if (child + 1 < count && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= moved)
			return;
		heap[at] = heap[child];
		heap[child] = moved;
	}
}

/*
 * Returns whether the interval is among the longest of all so far. Intervals as long as the
 * shortest of these are included, because intervals of equal length are sorted by time later.
 */
static bool note_length(struct single_intervals *singles, uint64_t duration_ns)
{
	if (singles->listed_ns.count < singles->list_max) {
		vec_push(&singles->listed_ns, duration_ns);
		sift_up(singles->listed_ns.at, singles->listed_ns.count - 1);
		return true;
	}
	if (!singles->list_max || duration_ns < singles->listed_ns.at[0])
		return false;
	singles->listed_ns.at[0] = duration_ns;
	sift_down(singles->listed_ns.at, singles->listed_ns.count);
	return true;
}

bool single_intervals_choose(void *context, const struct ingested_sample *sample,
			     uint64_t stack_hash, uint32_t interval)
{
	struct single_intervals *singles = context;
	bool is_longest = note_stack(singles, sample->interval, stack_hash);
	bool is_listed = note_length(singles, sample->interval->duration_ns);

	if (!is_longest && !is_listed)
		return false;
	vec_push(&singles->rows, (struct single_interval){
					 .interval = interval,
					 .pid = sample->event->sample.pid,
					 .tid = sample->event->sample.tid,
					 .cpu = sample->event->sample.cpu,
					 .comm = { sample->key->comm },
					 .state = sample->interval->state,
					 .begin_ns = sample->interval->begin_ns,
					 .duration_ns = sample->interval->duration_ns,
				 });
	return true;
}

void single_intervals_add(const struct single_intervals *singles, struct profile *profile)
{
	char buffer[COMM_BYTES];

	for (size_t i = 0; i < singles->rows.count; i++) {
		struct single_interval row = singles->rows.at[i];
		struct text comm = comm_text(profile->strings, row.comm.i, row.tid, buffer);

		row.comm = strings_intern(profile->strings, comm.at, comm.length);
		vec_push(&profile->singles, row);
	}
}

static int compare(const void *a, const void *b)
{
	const struct single_interval *left = a;
	const struct single_interval *right = b;

	return (left->interval > right->interval) - (left->interval < right->interval);
}

void single_intervals_finish(struct profile *profile)
{
	if (profile->singles.count > 1)
		qsort(profile->singles.at, profile->singles.count, sizeof(*profile->singles.at),
		      compare);
}

static int compare_single(const void *key, const void *row)
{
	uint64_t wanted = *(const uint64_t *)key;
	const struct single_interval *single = row;

	return (wanted > single->interval) - (wanted < single->interval);
}

const struct single_interval *single_intervals_find(const struct profile *profile, frame_id frame)
{
	struct text name = profile_frame_name(profile, frame);
	uint64_t interval;

	if (!profile->singles.count || !scan_prefix(&name, "@") || !text_to_u64(name, &interval))
		return NULL;
	return bsearch(&interval, profile->singles.at, profile->singles.count,
		       sizeof(*profile->singles.at), compare_single);
}
