/* SPDX-License-Identifier: MIT */
/*
 * Writes the callgrind format, as described in the Valgrind manual. Each function has its self
 * cost, and its calls with their inclusive costs. The number of calls is unknown, and written as 1.
 *
 *     ob=(1) /bin/app
 *     fl=(1) scan.c
 *     fn=(2) parse
 *     7 3000
 *     cfn=(3) scan
 *     calls=1 0
 *     7 9000
 */
#include <inttypes.h>

#include "base/hash.h"
#include "render/escape.h"
#include "render/export/export.h"
#include "render/number.h"

struct call_cost {
	uint32_t caller, callee;
	uint64_t total;
};

struct callgrind {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	uint64_t divisor; /* of weights */
	uint64_t *self;   /* by frame */
	VEC(struct call_cost) calls;
	struct idtable call_ids;
	bool *is_named; /* by frame: the name was already written, with its number */
};

static struct call_cost *call_of(struct callgrind *callgrind, frame_id caller, frame_id callee)
{
	uint64_t hash = hash_pair(caller.i, callee.i);
	struct idtable_probe probe = idtable_find(&callgrind->call_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&callgrind->call_ids, &probe)) != IDTABLE_NONE)
		if (callgrind->calls.at[id].caller == caller.i &&
		    callgrind->calls.at[id].callee == callee.i)
			return &callgrind->calls.at[id];
	idtable_add(&callgrind->call_ids, hash, (uint32_t)callgrind->calls.count);
	vec_push(&callgrind->calls, (struct call_cost){ .caller = caller.i, .callee = callee.i });
	return &callgrind->calls.at[callgrind->calls.count - 1];
}

/*
 * Returns for each frame the first frame of the same function: readers do not distinguish an
 * inlined function, or one with another source line.
 */
static uint32_t *first_frames(const struct profile *profile)
{
	const struct frame *frames = profile->frames.at;
	uint32_t *firsts = memory_zalloc(profile->frames.count, sizeof(*firsts));
	struct idtable ids;

	idtable_init(&ids);
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		struct text name = profile_function_name(profile, (frame_id){ i });
		uint64_t hash = hash_bytes(name.at, name.length, frames[i].module.i);
		struct idtable_probe probe = idtable_find(&ids, hash);
		uint32_t id;

		while ((id = idtable_next(&ids, &probe)) != IDTABLE_NONE)
			if (frames[id].module.i == frames[i].module.i &&
			    text_equal(profile_function_name(profile, (frame_id){ id }), name))
				break;
		if (id == IDTABLE_NONE)
			idtable_add(&ids, hash, i);
		firsts[i] = id == IDTABLE_NONE ? i : id;
	}
	idtable_deinit(&ids);
	return firsts;
}

/*
 * Readers take the sum of the costs of all calls of a function as its inclusive cost. Of the calls
 * of a function in a stack, only the outermost counts, so that this sum contains each sample once.
 */
static void add_up(struct callgrind *callgrind)
{
	const struct profile *profile = callgrind->profile;
	const struct stack *stacks = profile->stacks.at;
	uint32_t *ends = memory_zalloc(profile->frames.count, sizeof(*ends));
	uint32_t *firsts = first_frames(profile);

	for (uint32_t i = 1; i < profile->stacks.count; i++) {
		uint32_t parent = stacks[i].parent;
		frame_id frame = stacks[i].frame;
		struct call_cost *call;

		callgrind->self[frame.i] += stacks[i].self;
		if (!stack_is_outermost(stacks, i, &ends[firsts[frame.i]]) || !parent)
			continue;
		call = call_of(callgrind, stacks[parent].frame, frame);
		call->total += stacks[i].total;
	}
	memory_free(firsts);
	memory_free(ends);
}

static int compare_calls(const void *a, const void *b)
{
	const struct call_cost *left = a;
	const struct call_cost *right = b;

	if (left->caller != right->caller)
		return left->caller < right->caller ? -1 : 1;
	return (left->callee > right->callee) - (left->callee < right->callee);
}

static void write_path(struct callgrind *callgrind, struct text path)
{
	struct sink home;

	sink_init_memory(&home);
	if (!callgrind->options->shows_homes)
		escape_home_path(&home, path);
	escape_terminal(callgrind->sink,
			callgrind->options->shows_homes ? path : sink_memory(&home));
	sink_deinit(&home);
}

/*
 * Writes the DSO and file of a function, and "fn=(1) name". prefix is "c" if the function is a
 * callee.
 */
static void write_function(struct callgrind *callgrind, uint32_t frame, const char *prefix)
{
	const struct profile *profile = callgrind->profile;
	module_id module = profile->frames.at[frame].module;
	struct text path =
		strings_get(profile->strings, modules_get(profile->modules, module)->path);
	struct export_place place = export_place_of(profile, (frame_id){ frame });

	sink_printf(callgrind->sink, "%sob=", prefix);
	write_path(callgrind, path.length ? path : text_of("???"));
	sink_printf(callgrind->sink, "\n%sfl=", prefix);
	write_path(callgrind, place.line ? place.file : text_of("???"));
	sink_printf(callgrind->sink, "\n%sfn=(%" PRIu32 ")", prefix, frame + 1);
	if (!callgrind->is_named[frame]) {
		sink_char(callgrind->sink, ' ');
		escape_terminal(callgrind->sink,
				profile_function_name(profile, (frame_id){ frame }));
	}
	callgrind->is_named[frame] = true;
	sink_char(callgrind->sink, '\n');
}

static void write_cost(struct callgrind *callgrind, uint32_t frame, uint64_t cost)
{
	struct export_place place = export_place_of(callgrind->profile, (frame_id){ frame });

	sink_printf(callgrind->sink, "%" PRIu64 " ", place.line);
	sink_u64(callgrind->sink, cost / callgrind->divisor);
	sink_char(callgrind->sink, '\n');
}

static void write_functions(struct callgrind *callgrind)
{
	const struct profile *profile = callgrind->profile;
	size_t next = 0;

	for (uint32_t i = 0; i < profile->frames.count; i++) {
		bool has_calls =
			next < callgrind->calls.count && callgrind->calls.at[next].caller == i;

		if (!callgrind->self[i] && !has_calls)
			continue;
		sink_char(callgrind->sink, '\n');
		write_function(callgrind, i, "");
		write_cost(callgrind, i, callgrind->self[i]);
		for (; next < callgrind->calls.count && callgrind->calls.at[next].caller == i;
		     next++) {
			write_function(callgrind, callgrind->calls.at[next].callee, "c");
			sink_puts(callgrind->sink, "calls=1 0\n");
			write_cost(callgrind, i, callgrind->calls.at[next].total);
		}
	}
}

void export_write_callgrind(const struct profile *profile, const struct export_options *options,
			    struct sink *sink)
{
	struct callgrind callgrind = {
		.profile = profile,
		.options = options,
		.sink = sink,
		.divisor = export_divisor(profile),
		.self = memory_zalloc(profile->frames.count, sizeof(uint64_t)),
		.is_named = memory_zalloc(profile->frames.count, sizeof(bool)),
	};

	idtable_init(&callgrind.call_ids);
	add_up(&callgrind);
	if (callgrind.calls.count > 1)
		qsort(callgrind.calls.at, callgrind.calls.count, sizeof(*callgrind.calls.at),
		      compare_calls);
	sink_puts(sink, "# callgrind format\nversion: 1\ncreator: kiln\npositions: line\nevents: ");
	for (struct text name = strings_get(profile->strings, profile->event_name); name.length;
	     name.at++, name.length--)
		sink_char(sink, strchr(" \t\n:", *name.at) ? '_' : *name.at);
	sink_char(sink, '\n');
	write_functions(&callgrind);
	sink_printf(sink, "\ntotals: ");
	sink_u64(sink, profile->stacks.count ? profile->stacks.at[0].total / callgrind.divisor : 0);
	sink_char(sink, '\n');
	memory_free(callgrind.self);
	memory_free(callgrind.is_named);
	vec_free(&callgrind.calls);
	idtable_deinit(&callgrind.call_ids);
}
