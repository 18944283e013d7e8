/* SPDX-License-Identifier: MIT */
#include "render/text/latency_list.h"

#include <inttypes.h>

#include "offcpu/single_intervals.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"
#include "render/text/latency.h"

struct listed_interval {
	const struct single_interval *single;
	uint32_t row; /* row of its leaf frame */
};

/*
 * The frames of an interval, root first, without group frames and the leaf; and the stacks of its
 * wakers:
 *
 *     main  read  schedule  --  wake_up  write  writer  --  wake_up  timer  [interrupt]
 *                           separators[1]               separators[0]
 */
struct parts {
	VEC(struct text) frames;
	VEC(size_t) separators; /* indexes of frames, the last first */
	size_t begin, end;      /* the frames of the thread that waited */
	const char *mark;       /* why a runnable thread did not run; NULL if it was blocked */
};

/* As in ps(1) and the kernel's task_state_array. */
static const char *state_name(char state)
{
	static const struct {
		char letter;
		const char *name;
	} rows[] = {
		{ 'S', "sleeping" },       { 'D', "uninterruptible sleep" },
		{ 'I', "idle" },           { 'T', "stopped" },
		{ 't', "traced" },         { 'P', "parked" },
		{ 'K', "killable sleep" }, { 'R', "runnable" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].letter == state)
			return rows[i].name;
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const struct single_interval *left = ((const struct listed_interval *)a)->single;
	const struct single_interval *right = ((const struct listed_interval *)b)->single;

	if (left->duration_ns != right->duration_ns)
		return left->duration_ns > right->duration_ns ? -1 : 1;
	if (left->begin_ns != right->begin_ns)
		return left->begin_ns < right->begin_ns ? -1 : 1;
	return (left->interval > right->interval) - (left->interval < right->interval);
}

static void find_parts(const struct profile *profile, uint32_t leaf, struct parts *parts)
{
	const struct stack *stacks = profile->stacks.at;
	uint32_t depth = stacks[leaf].depth - 1;

	vec_reserve(&parts->frames, depth);
	parts->frames.count = parts->end = depth;
	parts->separators.count = parts->begin = 0;
	parts->mark = NULL;
	for (uint32_t row = stacks[leaf].parent; depth; row = stacks[row].parent) {
		const struct frame *frame = &profile->frames.at[stacks[row].frame.i];
		struct text name = profile_frame_name(profile, stacks[row].frame);

		parts->frames.at[--depth] = name;
		if (frame->kind == FRAME_GROUP && !parts->begin)
			parts->begin = depth + 1;
		if (frame->kind == FRAME_RUN_QUEUE || frame->kind == FRAME_PREEMPTED) {
			parts->mark = frame->kind == FRAME_RUN_QUEUE ? "run queue" : "preempted";
			parts->end = depth;
		}
		if (frame->kind == FRAME_MARK && text_is(name, "--")) {
			vec_push(&parts->separators, depth);
			parts->end = depth;
		}
	}
}

/* The stack of a waker, innermost frame first, followed by the name of its thread. */
struct waker {
	const struct text *frames;
	size_t count; /* with the name */
};

/* Returns a waker by its number: waker 0 woke the waiting thread, and waker 1 woke waker 0. */
static struct waker waker_of(const struct parts *parts, size_t number)
{
	size_t count = parts->separators.count;
	size_t begin = parts->separators.at[count - 1 - number] + 1;
	size_t end =
		number + 1 < count ? parts->separators.at[count - 2 - number] : parts->frames.count;

	return (struct waker){ parts->frames.at + begin, end - begin };
}

static void write_frames(struct sink *sink, const struct text *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		sink_puts(sink, i ? ";" : "");
		escape_terminal(sink, frames[i]);
	}
}

/*
 * Writes "D, uninterruptible sleep" or "run queue". Writes nothing for the time between two events.
 */
static void write_reason(struct sink *sink, const struct parts *parts, char state)
{
	const char *name = state_name(state);

	if (parts->mark)
		sink_printf(sink, ": %s", parts->mark);
	else if (name)
		sink_printf(sink, ": %c, %s", state, name);
}

static void write_command(struct sink *sink, const struct latency_list_options *options,
			  const struct single_interval *single)
{
	sink_puts(sink, "kiln script --time ");
	latency_write_window(sink, single);
	if (!options->input_name)
		return;
	sink_char(sink, ' ');
	escape_shell(sink, text_of(options->input_name));
}

static void write_thread(struct sink *sink, const struct profile *profile,
			 const struct single_interval *single)
{
	escape_terminal(sink, strings_get(profile->strings, single->comm));
	sink_printf(sink, "  pid %" PRId32 ", tid %" PRId32, (int32_t)single->pid,
		    (int32_t)single->tid);
	if (single->cpu != EVENT_NO_CPU)
		sink_printf(sink, ", CPU %" PRIu32, single->cpu);
}

static void write_listed(const struct profile *profile, const struct latency_list_options *options,
			 const struct single_interval *single, const struct parts *parts,
			 struct sink *sink)
{
	number_duration(sink, single->duration_ns);
	sink_puts(sink, "  ");
	write_thread(sink, profile, single);
	write_reason(sink, parts, single->state);
	sink_puts(sink, "\n    ");
	write_command(sink, options, single);
	for (size_t i = 0; i < parts->separators.count; i++) {
		struct waker waker = waker_of(parts, i);

		if (!waker.count)
			continue;
		sink_puts(sink, i ? "\n    which was woken by " : "\n    woken by ");
		escape_terminal(sink, waker.frames[waker.count - 1]);
		sink_puts(sink, waker.count > 1 ? ": " : "");
		write_frames(sink, waker.frames, waker.count - 1);
	}
	sink_puts(sink, "\n    ");
	write_frames(sink, parts->frames.at + parts->begin, parts->end - parts->begin);
	sink_char(sink, '\n');
}

static void write_json_frames(struct json *json, const char *key, const struct text *frames,
			      size_t count)
{
	json_open_array(json, key);
	for (size_t i = 0; i < count; i++)
		json_text(json, NULL, frames[i]);
	json_close_array(json);
}

static void write_json_listed(const struct profile *profile,
			      const struct latency_list_options *options,
			      const struct single_interval *single, const struct parts *parts,
			      struct json *json)
{
	struct sink text;

	sink_init_memory(&text);
	json_open_object(json, NULL);
	json_u64(json, "duration_ns", single->duration_ns);
	json_u64(json, "begin_ns", single->begin_ns);
	latency_write_window(&text, single);
	json_text(json, "time", sink_memory(&text));
	json_text(json, "comm", strings_get(profile->strings, single->comm));
	json_u64(json, "pid", single->pid);
	json_u64(json, "tid", single->tid);
	if (single->cpu != EVENT_NO_CPU)
		json_u64(json, "cpu", single->cpu);
	if (parts->mark)
		json_text(json, "reason", text_of(parts->mark));
	else if (state_name(single->state))
		json_text(json, "state", (struct text){ &single->state, 1 });
	text.used = 0;
	write_command(&text, options, single);
	json_text(json, "command", sink_memory(&text));
	write_json_frames(json, "stack", parts->frames.at + parts->begin,
			  parts->end - parts->begin);
	json_open_array(json, "wakers");
	for (size_t i = 0; i < parts->separators.count; i++) {
		struct waker waker = waker_of(parts, i);

		json_open_object(json, NULL);
		if (waker.count) {
			json_text(json, "comm", waker.frames[waker.count - 1]);
			write_json_frames(json, "stack", waker.frames, waker.count - 1);
		}
		json_close_object(json);
	}
	json_close_array(json);
	json_close_object(json);
	sink_deinit(&text);
}

typedef VEC(struct listed_interval) listed_rows;

static void find_listed(const struct profile *profile, uint64_t limit, listed_rows *ret)
{
	for (uint32_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];
		const struct single_interval *single = single_intervals_find(profile, stack->frame);

		if (stack->self && single)
			vec_push(ret, (struct listed_interval){ single, i });
	}
	if (ret->count > 1)
		qsort(ret->at, ret->count, sizeof(*ret->at), compare);
	if (ret->count > limit)
		ret->count = (size_t)limit;
}

static void write_text(const struct profile *profile, const struct latency_list_options *options,
		       const listed_rows *listed, struct parts *parts, struct sink *sink)
{
	sink_puts(sink, "# ");
	escape_terminal(sink, strings_get(profile->strings, profile->weight_name));
	sink_puts(sink, ", from ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, ": the ");
	number_grouped(sink, listed->count);
	sink_puts(sink, " longest of ");
	number_grouped(sink, profile->view_sample_count);
	sink_puts(sink, profile->view_sample_count == 1 ? " interval\n" : " intervals\n");
	for (size_t i = 0; i < listed->count; i++) {
		find_parts(profile, listed->at[i].row, parts);
		sink_printf(sink, "%zu.  ", i + 1);
		write_listed(profile, options, listed->at[i].single, parts, sink);
	}
}

static void write_json(const struct profile *profile, const struct latency_list_options *options,
		       const listed_rows *listed, struct parts *parts, struct sink *sink)
{
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_text(&json, "of", strings_get(profile->strings, profile->weight_name));
	json_u64(&json, "count", profile->view_sample_count);
	json_open_array(&json, "longest");
	for (size_t i = 0; i < listed->count; i++) {
		find_parts(profile, listed->at[i].row, parts);
		write_json_listed(profile, options, listed->at[i].single, parts, &json);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

void latency_list_write(const struct profile *profile, const struct latency_list_options *options,
			struct sink *sink)
{
	struct parts parts = { .begin = 0 };
	listed_rows listed = { 0 };

	find_listed(profile, options->limit, &listed);
	if (options->is_json)
		write_json(profile, options, &listed, &parts, sink);
	else
		write_text(profile, options, &listed, &parts, sink);
	vec_free(&listed);
	vec_free(&parts.frames);
	vec_free(&parts.separators);
}
