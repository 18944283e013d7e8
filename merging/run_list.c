/* SPDX-License-Identifier: MIT */
#include "merging/run_list.h"

#include <sys/resource.h>

#include "base/memory.h"
#include "merging/run_cursor.h"

/* Limits on the number of runs in one level. With the maximum, few levels suffice. */
#define TOGETHER_MIN 2u
#define TOGETHER_MAX 128u
/*
 * The runs of one level use this fraction of the files that the process can open. The rest is for
 * other levels, and for the files of a capture.
 */
#define FILES_SHARE 8u

/* Two uses share the memory: the runs that are merged, and the stacks that are written. */
#define MEMORY_SHARES 2u

void run_list_init(struct run_list *list, uint64_t memory_bytes, uint64_t spool_limit_bytes)
{
	struct rlimit files = { .rlim_cur = RLIM_INFINITY };

	*list = (struct run_list){
		.space.limit_bytes = spool_limit_bytes,
		.memory_bytes = memory_bytes / MEMORY_SHARES,
		.together_max = TOGETHER_MAX,
	};
	(void)getrlimit(RLIMIT_NOFILE, &files);
	if (files.rlim_cur < (rlim_t)TOGETHER_MAX * FILES_SHARE)
		list->together_max = files.rlim_cur / FILES_SHARE;
	if (list->together_max < TOGETHER_MIN)
		list->together_max = TOGETHER_MIN;
	strings_init(&list->strings);
}

void run_list_deinit(struct run_list *list)
{
	for (size_t i = 0; i < RUN_LIST_LEVELS; i++) {
		for (size_t k = 0; k < list->levels[i].count; k++)
			run_close(&list->levels[i].at[k]);
		vec_free(&list->levels[i]);
	}
	vec_free(&list->events);
	vec_free(&list->event_of_name);
	strings_deinit(&list->strings);
}

bool run_list_create(struct run_list *list, struct input *file, struct sink *sink,
		     struct error *err)
{
	if (!input_create_spool(file, &list->space, err)) {
		list->has_failed = true;
		return false;
	}
	sink_init_fd(sink, file->fd);
	return true;
}

bool run_list_complete(struct run_list *list, struct input *file, struct sink *sink,
		       struct run *ret, struct error *err)
{
	bool good = sink_flush(sink, err);

	file->size_bytes = sink->written;
	sink_deinit(sink);
	if (!good)
		input_close(file);
	good = good && run_open(ret, file, err);
	list->has_failed |= !good;
	return good;
}

/* Adds a run to a level, and counts the temporary file that it may have. */
static bool take(struct run_list *list, size_t level, const struct run *run, struct error *err)
{
	vec_push(&list->levels[level], *run);
	return !run->input.is_spool ||
	       temporary_space_add(&list->space, run->input.fd, run->input.size_bytes, err);
}

/* Closes the runs of a level. */
static void release(struct run_list *list, size_t level)
{
	for (size_t i = 0; i < list->levels[level].count; i++) {
		struct run *run = &list->levels[level].at[i];

		list->space.used_bytes -= run->input.is_spool ? run->input.size_bytes : 0;
		run_close(run);
	}
	list->levels[level].count = 0;
}

/* Replaces the runs of a level with their sum, one level up. */
static bool merge_level(struct run_list *list, size_t level, struct error *err)
{
	struct run *runs = list->levels[level].at;
	size_t count = list->levels[level].count;
	struct input file;
	struct sink sink;
	struct run sum;
	bool good;

	if (!run_list_create(list, &file, &sink, err))
		return false;
	if (!run_merge(runs, count, 0, &sink, err)) {
		list->has_failed = true;
		sink_deinit(&sink);
		input_close(&file);
		return false;
	}
	good = run_list_complete(list, &file, &sink, &sum, err) && take(list, level + 1, &sum, err);
	release(list, level);
	list->has_failed |= !good;
	return good;
}

/* Whether this many runs are enough to be merged. Two runs can always be merged. */
static bool is_full(const struct run_list *list, size_t count, uint64_t memory_bytes)
{
	return count >= list->together_max || (count >= 2 && memory_bytes >= list->memory_bytes);
}

static uint64_t memory_of_level(const struct run_list *list, size_t level)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < list->levels[level].count; i++)
		sum += run_cursor_memory_bytes(&list->levels[level].at[i]);
	return sum;
}

static const char *unit_name(enum weight_unit unit)
{
	static const char *const names[] = {
		[UNIT_SAMPLES] = "samples",         [UNIT_EVENTS] = "events",
		[UNIT_NANOSECONDS] = "nanoseconds", [UNIT_BYTES] = "bytes",
		[UNIT_MILLIONTHS] = "millionths",
	};

	return names[unit];
}

/*
 * Returns the entry of an event; adds it if it is new. Returns NULL if there are too many events.
 */
static struct run_list_event *find_event(struct run_list *list, const struct run *run,
					 const struct merged_event *event)
{
	str_id name = strings_intern(&list->strings, event->name.at, event->name.length);

	while (list->event_of_name.count <= name.i)
		vec_push(&list->event_of_name, UINT32_MAX);
	if (list->event_of_name.at[name.i] == UINT32_MAX) {
		if (list->events.count == LIMIT_MERGED_EVENTS)
			return NULL;
		list->event_of_name.at[name.i] = (uint32_t)list->events.count;
		vec_push(&list->events,
			 (struct run_list_event){
				 .input = strings_intern_text(&list->strings, run->input.name),
				 .unit = event->unit,
			 });
	}
	return &list->events.at[list->event_of_name.at[name.i]];
}

/* Whether the event has the same unit as in all previous runs. */
static bool check_unit(struct run_list *list, const struct run *run,
		       const struct merged_event *event, struct error *err)
{
	const struct run_list_event *known = find_event(list, run, event);

	if (!known)
		return error_set(err, ERROR_LIMIT,
				 "%s: the inputs have more events than the limit of %u",
				 run->input.name, LIMIT_MERGED_EVENTS);
	return known->unit == event->unit ||
	       error_set(err, ERROR_USAGE,
			 "%s: weights of %.*s are %s here, but %s in %s; different units cannot be "
			 "added up",
			 run->input.name, (int)event->name.length, event->name.at,
			 unit_name(event->unit), unit_name(known->unit),
			 strings_text(&list->strings, known->input));
}

bool run_list_add(struct run_list *list, struct run *run, struct error *err)
{
	const struct merged_summary *summary = &run->file.summary;

	for (size_t i = 0; i < summary->events.count; i++)
		if (!check_unit(list, run, &summary->events.at[i], err)) {
			run_close(run);
			return false;
		}
	if (!take(list, 0, run, err)) {
		list->has_failed = true;
		return error_prefix(err, "%s", run->input.name);
	}
	for (size_t i = 0; i + 1 < RUN_LIST_LEVELS; i++)
		if (is_full(list, list->levels[i].count, memory_of_level(list, i)) &&
		    !merge_level(list, i, err))
			return false;
	return true;
}

/* Merges the smaller levels until all runs can be merged at the same time. */
static bool reduce(struct run_list *list, struct error *err)
{
	for (size_t i = 0; i + 1 < RUN_LIST_LEVELS; i++) {
		uint64_t memory_bytes = 0;
		size_t count = 0;

		for (size_t k = i; k < RUN_LIST_LEVELS; k++) {
			count += list->levels[k].count;
			memory_bytes += memory_of_level(list, k);
		}
		if (count <= 2 || !is_full(list, count, memory_bytes))
			return true;
		if (list->levels[i].count == 1)
			vec_push(&list->levels[i + 1], list->levels[i].at[0]);
		else if (list->levels[i].count && !merge_level(list, i, err))
			return false;
		list->levels[i].count = 0;
	}
	return true;
}

bool run_list_merge(struct run_list *list, struct sink *sink, struct error *err)
{
	VEC(struct run) all = { 0 };
	bool good;

	if (!reduce(list, err))
		return false;
	for (size_t i = 0; i < RUN_LIST_LEVELS; i++)
		for (size_t k = 0; k < list->levels[i].count; k++)
			vec_push(&all, list->levels[i].at[k]);
	good = run_merge(all.at, all.count, list->skipped_count, sink, err);
	vec_free(&all);
	return good;
}
