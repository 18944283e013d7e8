/* SPDX-License-Identifier: MIT */
/*
 * Writes the JSON object form of the Trace Event Format, which Perfetto, chrome://tracing and
 * speedscope read. A function is a slice for as long as consecutive samples of its thread contain
 * it:
 *
 *     samples      main;parse   main;parse   main;write            main
 *     slices       B main B parse           E parse B write E main  B main ... E main
 *
 * A sample represents the CPU time before it. A sample of an event without a rate, such as a
 * tracepoint, is an instant event with its stack. Times are microseconds since the first sample.
 */
#include "render/export/export.h"
#include "render/json.h"

/* Thread ids are below 2^22. Other events of a thread get separate ids from here on. */
#define EVENT_TID_FIRST (1u << 24)

struct chrome {
	const struct profile *profile;
	const struct tracks *tracks;
	struct json json;
	uint64_t origin_ns; /* of times */
	uint32_t pid, tid;  /* of the track */
	VEC(uint32_t) open; /* frames of the slices that have begun, the outermost first */
	VEC(uint32_t) next; /* frames of the sample */
};

static const char *category_of(enum frame_kind kind)
{
	if (kind == FRAME_KERNEL)
		return "kernel";
	return kind == FRAME_JIT ? "jit" : kind == FRAME_INLINED ? "inlined" : "user";
}

static void begin_event(struct chrome *chrome, const char *phase)
{
	json_open_object(&chrome->json, NULL);
	json_text(&chrome->json, "ph", text_of(phase));
	json_u64(&chrome->json, "pid", chrome->pid);
	json_u64(&chrome->json, "tid", chrome->tid);
}

static void write_time(struct chrome *chrome, uint64_t time_ns)
{
	json_decimal(&chrome->json, "ts", time_ns - chrome->origin_ns, 3);
}

static void begin_slice(struct chrome *chrome, uint32_t frame, uint64_t time_ns)
{
	const struct profile *profile = chrome->profile;

	begin_event(chrome, "B");
	write_time(chrome, time_ns);
	json_text(&chrome->json, "name", profile_frame_name(profile, (frame_id){ frame }));
	json_text(&chrome->json, "cat", text_of(category_of(profile->frames.at[frame].kind)));
	json_close_object(&chrome->json);
	vec_push(&chrome->open, frame);
}

/* Ends the slices from a depth on, the innermost first. */
static void end_slices(struct chrome *chrome, size_t depth, uint64_t time_ns)
{
	for (; chrome->open.count > depth; chrome->open.count--) {
		begin_event(chrome, "E");
		write_time(chrome, time_ns);
		json_close_object(&chrome->json);
	}
}

static void list_frames(struct chrome *chrome, uint32_t stack)
{
	uint32_t count = tracks_depth(chrome->tracks, stack);

	chrome->next.count = 0;
	vec_reserve(&chrome->next, count);
	chrome->next.count = tracks_frames(chrome->tracks, stack, chrome->next.at, count);
}

static void write_slices(struct chrome *chrome, const struct track *track)
{
	uint64_t end_ns = 0;

	for (size_t i = 0; i < track->samples.count; i++) {
		const struct track_sample *sample = &track->samples.at[i];
		uint64_t begin_ns = track_begin_ns(track, i);
		size_t shared = 0;

		if (begin_ns > end_ns)
			end_slices(chrome, 0, end_ns);
		list_frames(chrome, sample->stack);
		while (shared < chrome->open.count && shared < chrome->next.count &&
		       chrome->open.at[shared] == chrome->next.at[shared])
			shared++;
		end_slices(chrome, shared, begin_ns);
		for (size_t k = shared; k < chrome->next.count; k++)
			begin_slice(chrome, chrome->next.at[k], begin_ns);
		end_ns = sample->time_ns;
	}
	end_slices(chrome, 0, end_ns);
}

static void write_instants(struct chrome *chrome, const struct track *track)
{
	const struct profile *profile = chrome->profile;
	struct text event = strings_get(profile->strings, profile->events.at[track->event].name);

	for (size_t i = 0; i < track->samples.count; i++) {
		list_frames(chrome, track->samples.at[i].stack);
		begin_event(chrome, "i");
		write_time(chrome, track->samples.at[i].time_ns);
		json_text(&chrome->json, "name", event);
		json_text(&chrome->json, "s", text_of("t"));
		json_open_object(&chrome->json, "args");
		json_weight(&chrome->json, "weight", track->samples.at[i].weight, track->unit);
		json_open_array(&chrome->json, "stack");
		for (size_t k = 0; k < chrome->next.count; k++)
			json_text(&chrome->json, NULL,
				  profile_frame_name(profile, (frame_id){ chrome->next.at[k] }));
		json_close_array(&chrome->json);
		json_close_object(&chrome->json);
		json_close_object(&chrome->json);
	}
}

static void write_name(struct chrome *chrome, const char *what, struct text name)
{
	begin_event(chrome, "M");
	json_text(&chrome->json, "name", text_of(what));
	json_open_object(&chrome->json, "args");
	json_text(&chrome->json, "name", name);
	json_close_object(&chrome->json);
	json_close_object(&chrome->json);
}

static void write_track(struct chrome *chrome, size_t index)
{
	const struct track *track = &chrome->tracks->rows.at[index];
	struct sink name;

	sink_init_memory(&name);
	chrome->pid = track->pid;
	chrome->tid = export_track_tid(track);
	if (export_track_name(chrome->profile, chrome->tracks, index, &name))
		chrome->tid = EVENT_TID_FIRST + (uint32_t)index;
	if (!index || track[-1].pid != track->pid)
		write_name(chrome, "process_name",
			   strings_get(chrome->profile->strings, track->process));
	write_name(chrome, "thread_name", sink_memory(&name));
	if (track->has_durations)
		write_slices(chrome, track);
	else
		write_instants(chrome, track);
	sink_deinit(&name);
}

/* Returns the earliest time at which a sample begins. */
static uint64_t find_origin(const struct tracks *tracks)
{
	uint64_t origin_ns = UINT64_MAX;

	for (size_t i = 0; i < tracks->rows.count; i++)
		for (size_t k = 0; k < tracks->rows.at[i].samples.count; k++) {
			uint64_t begin_ns = track_begin_ns(&tracks->rows.at[i], k);

			if (begin_ns < origin_ns)
				origin_ns = begin_ns;
		}
	return origin_ns;
}

void export_write_chrome(const struct profile *profile, const struct tracks *tracks,
			 const struct export_options *options, struct sink *sink)
{
	struct chrome chrome = {
		.profile = profile,
		.tracks = tracks,
		.origin_ns = find_origin(tracks),
	};
	struct json *json = &chrome.json;

	json_init(json, sink);
	json->is_compact = true;
	json_open_object(json, NULL);
	json_text(json, "displayTimeUnit", text_of("ns"));
	json_open_object(json, "otherData");
	json_text(json, "exporter", text_of("kiln"));
	json_text(json, "title", text_of(options->title));
	json_close_object(json);
	json_open_array(json, "traceEvents");
	for (size_t i = 0; i < tracks->rows.count; i++)
		write_track(&chrome, i);
	json_close_array(json);
	json_close_object(json);
	json_finish(json);
	vec_free(&chrome.open);
	vec_free(&chrome.next);
}
