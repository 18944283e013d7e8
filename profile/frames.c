/* SPDX-License-Identifier: MIT */
#include "profile/frames.h"

#include <inttypes.h>

#include "base/strings.h"
#include "process/process_history.h"
#include "profile/missing.h"

#define FRAME_NONE UINT32_MAX

static void make_merged(struct frames *frames)
{
	for (int i = 0; i < FRAME_SEVERAL; i++)
		frames->merged[i] = frame_table_intern(
			&frames->table,
			&(struct frame){
				.name = strings_intern_text(frames->strings, "[interpreter]"),
				.kind = FRAME_USER,
				.activity = (enum frame_activity)i,
				.is_named = true,
			});
}

void frames_init(struct frames *frames, struct strings *strings, const struct modules *modules,
		 const struct locations *locations, const struct frame_naming *naming)
{
	*frames = (struct frames){
		.strings = strings,
		.modules = modules,
		.locations = locations,
		.naming = naming,
	};
	frame_table_init(&frames->table);
	for (size_t i = 0; i < FRAMES_RECENT; i++)
		frames->recent[i] = LOCATION_NONE;
	if (naming->interpreter == INTERPRETER_MERGED)
		make_merged(frames);
	frames->string_count = strings->rows.count;
	frames->of_comm = memory_alloc(frames->string_count, sizeof(*frames->of_comm));
	for (size_t i = 0; i < frames->string_count; i++)
		frames->of_comm[i].frame = FRAME_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(frames->of_inlined); i++)
		frames->of_inlined[i] =
			memory_zalloc(frames->string_count, sizeof(*frames->of_inlined[i]));
}

void frames_deinit(struct frames *frames)
{
	for (size_t i = 0; i < ARRAY_SIZE(frames->of_location); i++)
		for (size_t k = 0; k < ARRAY_SIZE(frames->of_location[i]); k++)
			memory_free(frames->of_location[i][k]);
	for (size_t i = 0; i < ARRAY_SIZE(frames->of_inlined); i++)
		memory_free(frames->of_inlined[i]);
	vec_free(&frames->in_runs);
	vec_free(&frames->roles);
	memory_free(frames->of_comm);
	memory_free(frames->rank);
	frame_table_deinit(&frames->table);
}

static enum frame_kind kind_of(const struct module *module, const struct location *location)
{
	static const enum frame_kind kinds[] = {
		[LOCATION_INLINED] = FRAME_INLINED,     [LOCATION_JIT] = FRAME_JIT,
		[LOCATION_GROUP] = FRAME_GROUP,         [LOCATION_MARK] = FRAME_MARK,
		[LOCATION_SEPARATOR] = FRAME_MARK,      [LOCATION_BLOCKED] = FRAME_BLOCKED,
		[LOCATION_PREEMPTED] = FRAME_PREEMPTED, [LOCATION_RUN_QUEUE] = FRAME_RUN_QUEUE,
	};

	if (location->kind != LOCATION_OF_MODULE)
		return kinds[location->kind];
	switch (module->kind) {
	case MODULE_KERNEL:
	case MODULE_KERNEL_MODULE:
	case MODULE_KSYMBOL:
		return FRAME_KERNEL;
	case MODULE_MARK:
		return FRAME_MARK;
	case MODULE_ANONYMOUS:
	case MODULE_JITDUMP:
		return location->is_named ? FRAME_JIT : FRAME_USER;
	default:
		return FRAME_USER;
	}
}

/* "parse" becomes "parse:scan.c:40"; without a line, it stays unchanged. */
static str_id add_line(struct frames *frames, str_id name, struct source_line line)
{
	struct strings *strings = frames->strings;
	struct text file = text_basename(strings_get(strings, line.file));
	struct text base = strings_get(strings, name);
	char text[2 * LIMIT_SYMBOL_BYTES];
	int length;

	if (!line.line)
		return name;
	length = snprintf(text, sizeof(text), "%.*s:%.*s:%" PRIu32, (int)base.length, base.at,
			  (int)file.length, file.at, line.line);
	return frame_name_of_value(strings,
				   (struct text){ text, length < (int)sizeof(text)
								? (uint32_t)length
								: (uint32_t)sizeof(text) - 1 });
}

/* Appends FlameGraph's annotation for the kind of code: _[k], _[j] or _[i]. */
static str_id annotate(struct frames *frames, str_id name, enum frame_kind kind)
{
	static const char *const marks[FRAME_KIND_COUNT] = {
		[FRAME_KERNEL] = "_[k]",
		[FRAME_JIT] = "_[j]",
		[FRAME_INLINED] = "_[i]",
	};
	struct text base = strings_get(frames->strings, name);
	char text[2 * LIMIT_SYMBOL_BYTES];

	if (!marks[kind] || text_has_suffix(base, marks[kind]))
		return name;
	snprintf(text, sizeof(text), "%s%s", base.at, marks[kind]);
	return strings_intern_text(frames->strings, text);
}

/* "[libc.so.6]" */
static bool is_bracketed(struct text name, struct text dso)
{
	return name.length == dso.length + 2 && text_has_prefix(name, "[") &&
	       text_equal((struct text){ name.at + 1, dso.length }, dso);
}

/* Prepends the DSO. A frame without a symbol already shows its DSO. */
static str_id prefix_dso(struct frames *frames, const struct frame *frame)
{
	const struct module *module = modules_get(frames->modules, frame->module);
	struct text name = strings_get(frames->strings, frame->name);
	struct text dso = strings_get(frames->strings, frame_name_of_dso(frames->strings, module));
	char text[3 * LIMIT_SYMBOL_BYTES];
	int length;

	if (!frame->is_named || module->kind == MODULE_NONE || module->kind == MODULE_MARK ||
	    is_bracketed(name, dso))
		return frame->name;
	length = snprintf(text, sizeof(text), "%.*s`%.*s", (int)dso.length, dso.at,
			  (int)name.length, name.at);
	return strings_intern(frames->strings, text,
			      length < (int)sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

static str_id source_text(struct frames *frames, struct source_line line)
{
	struct text file = strings_get(frames->strings, line.file);
	char text[LIMIT_NAME_BYTES + 16];

	if (!line.line)
		return STR_EMPTY;
	snprintf(text, sizeof(text), "%.*s:%" PRIu32, (int)file.length, file.at, line.line);
	return strings_intern_text(frames->strings, text);
}

/*
 * Records the role of a frame. Callers derive it from the name that the runtime wrote, without
 * annotations.
 */
static void set_role(struct frames *frames, uint32_t frame, struct interpreter_role role)
{
	while (frames->roles.count <= frame)
		vec_push(&frames->roles, (struct interpreter_role){ 0, 0 });
	frames->roles.at[frame] = role;
}

static void push_frame(struct frames *frames, struct frame *frame, struct source_line at,
		       struct source_line declared)
{
	str_id name = frame->name;
	uint32_t id;

	if (frames->naming->has_lines) {
		frame->name = add_line(frames, frame->name, at);
		frame->source = source_text(frames, at);
	} else if (frames->naming->keeps_source) {
		frame->source = source_text(frames, declared);
	}
	if (frames->naming->is_annotated)
		frame->name = annotate(frames, frame->name, frame->kind);
	if (frames->naming->has_dsos)
		frame->name = prefix_dso(frames, frame);
	id = frame_table_intern(&frames->table, frame);
	if (frames->naming->interpreter != INTERPRETER_SHOWN)
		set_role(frames, id, interpreter_role_of(strings_get(frames->strings, name)));
	vec_push(&frames->in_runs, id);
}

/* Many locations have the same inlined functions. */
static str_id name_of_inlined(struct frames *frames, const struct inlined *inlined, bool is_java)
{
	str_id *known = &frames->of_inlined[is_java][inlined->name.i];

	if (known->i == STR_EMPTY.i)
		*known = frame_name_of_inlined(frames->strings, inlined, frames->naming, is_java);
	return *known;
}

const struct frame_run *frames_of_locations(const struct frames *frames,
					    struct frame_variant variant)
{
	return frames->of_location[variant.is_java][variant.activity];
}

static struct frame_run *known_run(struct frames *frames, location_id location,
				   struct frame_variant variant)
{
	struct frame_run **of_location = &frames->of_location[variant.is_java][variant.activity];

	if (!*of_location)
		*of_location = memory_zalloc(frames->locations->rows.count, sizeof(**of_location));
	return &(*of_location)[location.i];
}

static bool is_same_line(struct source_line a, struct source_line b)
{
	return a.file.i == b.file.i && a.line == b.line;
}

/* Whether two locations have the same single frame. */
static bool have_same_frame(const struct frame_naming *naming, const struct location *a,
			    const struct location *b)
{
	return a->name.i == b->name.i && a->module.i == b->module.i && a->kind == b->kind &&
	       a->is_named == b->is_named && a->is_exact == b->is_exact &&
	       (a->is_named || !naming->shows_offsets) &&
	       (!naming->has_lines || is_same_line(a->at, b->at)) &&
	       is_same_line(a->declared, b->declared) && !a->inlined_count && !b->inlined_count;
}

/* Takes the run of another location, if that exists, and the frames are the same. */
static bool take_run(struct frames *frames, location_id location, location_id other,
		     struct frame_variant variant)
{
	const struct location *rows = frames->locations->rows.at;
	const struct frame_run *run = known_run(frames, other, variant);

	if (!run->count || !have_same_frame(frames->naming, &rows[other.i], &rows[location.i]))
		return false;
	*known_run(frames, location, variant) = *run;
	return true;
}

/*
 * Takes the run of the location before, because sorted locations are often in the same function, or
 * of one that is remembered. Otherwise, remembers this location.
 */
static bool take_known_run(struct frames *frames, location_id location,
			   struct frame_variant variant)
{
	const struct location *row = &frames->locations->rows.at[location.i];
	location_id *recent = &frames->recent[(row->name.i ^ row->module.i) % FRAMES_RECENT];

	if (location.i && take_run(frames, location, (location_id){ location.i - 1 }, variant))
		return true;
	if (recent->i != LOCATION_NONE.i && take_run(frames, location, *recent, variant))
		return true;
	*recent = location;
	return false;
}

struct frame_run frames_of_location(struct frames *frames, location_id location,
				    struct frame_variant variant)
{
	struct frame_run *known = known_run(frames, location, variant);
	const struct location *row = &frames->locations->rows.at[location.i];
	struct frame frame;

	if (known->count)
		return *known;
	if (take_known_run(frames, location, variant))
		return *known;
	*known = (struct frame_run){ (uint32_t)frames->in_runs.count, row->inlined_count + 1 };
	frame = (struct frame){
		.name = frame_name_of(frames->strings, frames->modules, row, frames->naming,
				      variant.is_java),
		.module = row->kind < LOCATION_MARK ? row->module : (module_id){ 0 },
		.kind = kind_of(modules_get(frames->modules, row->module), row),
		.activity = variant.activity,
		.is_named = row->is_named,
	};
	push_frame(frames, &frame, row->at, row->declared);
	for (uint32_t i = 0; i < row->inlined_count; i++) {
		const struct inlined *inlined =
			&frames->locations->inlined.at[row->inlined_first + i];

		frame = (struct frame){
			.name = name_of_inlined(frames, inlined, variant.is_java),
			.module = row->module,
			.kind = FRAME_INLINED,
			.activity = variant.activity,
			.is_named = true,
		};
		push_frame(frames, &frame, inlined->at, inlined->declared);
	}
	return *known;
}

static struct comm_frame make_comm_frame(struct frames *frames, const struct stack_key *key)
{
	char buffer[COMM_BYTES];
	struct text comm = comm_text(frames->strings, key->comm, key->unnamed_tid, buffer);
	struct frame frame = {
		.name = frame_name_of_comm(frames->strings, comm, frames->naming),
		.kind = missing_is_name(comm) ? FRAME_MARK : FRAME_GROUP,
		.is_named = true,
	};

	return (struct comm_frame){
		.frame = frame_table_intern(&frames->table, &frame),
		.is_java = text_has_prefix(comm, "java"),
	};
}

struct comm_frame frames_of_comm(struct frames *frames, const struct stack_key *key)
{
	struct comm_frame *known;

	if (key->comm >= frames->string_count)
		return make_comm_frame(frames, key);
	known = &frames->of_comm[key->comm];
	if (known->frame == FRAME_NONE)
		*known = make_comm_frame(frames, key);
	return *known;
}

uint32_t frames_of_group(struct frames *frames, const struct profile *profile,
			 const struct stack_key *key, enum group_by by)
{
	char text[32];

	switch (by) {
	case GROUP_COMM:
		return frames_of_comm(frames, key).frame;
	case GROUP_PID:
		snprintf(text, sizeof(text), "pid %d", (int32_t)key->pid);
		break;
	case GROUP_TID:
		snprintf(text, sizeof(text), "tid %d", (int32_t)key->tid);
		break;
	case GROUP_CPU:
		snprintf(text, sizeof(text), "cpu %d", (int32_t)key->cpu);
		break;
	case GROUP_FILE:
		return frames_of_value(frames, strings_get(frames->strings, profile->input_name));
	case GROUP_EVENT:
	case GROUP_CGROUP: /* text: frames_of_value */
	case GROUP_FIELD:
	case GROUP_DSO: /* a frame for each leaf: frames_of_dso */
	case GROUP_SYMBOL:
	case GROUP_SRCLINE: /* tables only */
	case GROUP_BY_COUNT:
		return frames_of_value(
			frames, strings_get(frames->strings, profile->events.at[key->event].name));
	}
	return frames_of_value(frames, text_of(text));
}

uint32_t frames_of_dso(struct frames *frames, const struct location *location)
{
	const struct module *module;

	if (!location)
		return frames_of_value(frames, text_of("[none]"));
	module = modules_get(frames->modules, location->module);
	return frame_table_intern(&frames->table,
				  &(struct frame){
					  .name = frame_name_of_dso(frames->strings, module),
					  .kind = FRAME_GROUP,
					  .is_named = true,
				  });
}

uint32_t frames_of_value(struct frames *frames, struct text value)
{
	return frame_table_intern(&frames->table,
				  &(struct frame){
					  .name = frame_name_of_value(frames->strings, value),
					  .kind = FRAME_GROUP,
					  .is_named = true,
				  });
}

void frames_number(struct frames *frames)
{
	memory_free(frames->rank);
	frames->rank = frame_ranks(
		frames->strings, frames->modules, frames->table.rows.at, frames->table.rows.count,
		frames->naming->parts_modules ? FRAME_RANK_MODULE : FRAME_RANK_NAME);
}
