/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_frames.h"

#include "diff/align/diff_name.h"
#include "profile/frame_table.h"

void diff_renames_init(struct diff_renames *renames)
{
	*renames = (struct diff_renames){ 0 };
	strings_init(&renames->names);
}

void diff_renames_deinit(struct diff_renames *renames)
{
	strings_deinit(&renames->names);
	vec_free(&renames->to);
}

static str_id intern_aligned(struct strings *strings, struct text name,
			     const struct diff_alignment *alignment, struct sink *scratch)
{
	struct text written;

	scratch->used = 0;
	diff_name_write_readable(scratch, name, alignment->naming, alignment->demangle);
	written = sink_memory(scratch);
	return strings_intern(strings, written.at, written.length);
}

void diff_renames_add(struct diff_renames *renames, struct text from, struct text to,
		      const struct diff_alignment *alignment)
{
	struct sink scratch;
	str_id from_id, to_id;

	sink_init_memory(&scratch);
	from_id = intern_aligned(&renames->names, from, alignment, &scratch);
	to_id = intern_aligned(&renames->names, to, alignment, &scratch);
	sink_deinit(&scratch);
	while (renames->to.count < renames->names.rows.count)
		vec_push(&renames->to, STR_EMPTY);
	renames->to.at[from_id.i] = to_id;
}

void diff_frames_init(struct diff_frames *frames, struct profile *profile,
		      const struct diff_alignment *alignment)
{
	*frames = (struct diff_frames){ .alignment = *alignment, .profile = profile };
	/* Row 0 stands for no module. */
	modules_intern(profile->modules, &(struct module){ .kind = MODULE_NONE });
	strings_init(&frames->group_keys);
}

void diff_frames_deinit(struct diff_frames *frames)
{
	for (size_t i = 0; i < ARRAY_SIZE(frames->of_name); i++)
		vec_free(&frames->of_name[i]);
	vec_free(&frames->group_names);
	strings_deinit(&frames->group_keys);
}

/* The text by which a frame is compared. */
static struct text key_of(const struct diff_frames *frames, const struct profile *from,
			  const struct frame *frame)
{
	const struct module *module = modules_get(from->modules, frame->module);
	str_id id = frame->name;

	if (frame->kind != FRAME_GROUP && frames->alignment.key == DIFF_KEY_MODULE &&
	    module->kind != MODULE_NONE)
		id = module->path;
	if (frame->kind != FRAME_GROUP && frames->alignment.key == DIFF_KEY_LINE && frame->source.i)
		id = frame->source;
	return strings_get(from->strings, id);
}

static bool is_ignored(const struct diff_frames *frames, const struct frame *frame,
		       struct text name)
{
	const struct diff_alignment *alignment = &frames->alignment;
	regmatch_t whole = { 0, (regoff_t)name.length };

	if (frame->kind == FRAME_GROUP)
		return false;
	if (alignment->naming == DIFF_NAMING_CUT && diff_name_is_dropped(name))
		return true;
	return alignment->key == DIFF_KEY_GROUP ||
	       (alignment->ignored &&
		regexec(alignment->ignored, name.at, 1, &whole, REG_STARTEND) == 0);
}

static str_id intern_name(struct diff_frames *frames, struct text name, bool is_before,
			  struct sink *scratch)
{
	const struct diff_renames *renames = frames->alignment.renames;
	struct strings *strings = frames->profile->strings;
	str_id id = intern_aligned(strings, name, &frames->alignment, scratch);
	str_id known;

	if (!renames || !is_before)
		return id;
	known = strings_find(&renames->names, strings_get(strings, id));
	if (known.i >= renames->to.count || !renames->to.at[known.i].i)
		return id;
	name = strings_get(&renames->names, renames->to.at[known.i]);
	return strings_intern(strings, name.at, name.length);
}

/*
 * In folded stacks, blanks in comms are underscores. The two spellings are therefore regarded as
 * equal, and the first one found is used for both.
 */
static str_id intern_group_name(struct diff_frames *frames, str_id id, struct sink *scratch)
{
	struct text name = strings_get(frames->profile->strings, id);
	str_id key;

	if (frames->alignment.naming < DIFF_NAMING_ALIGNED)
		return id;
	scratch->used = 0;
	for (uint32_t i = 0; i < name.length; i++)
		sink_char(scratch, name.at[i] == ' ' ? '_' : name.at[i]);
	name = sink_memory(scratch);
	key = strings_intern(&frames->group_keys, name.at, name.length);
	while (frames->group_names.count < frames->group_keys.rows.count)
		vec_push(&frames->group_names, id);
	return frames->group_names.at[key.i];
}

/* Modules are compared by path; build-ids are ignored. */
static module_id intern_module(struct diff_frames *frames, const struct profile *from, module_id id)
{
	struct strings *strings = frames->profile->strings;
	const struct module *module = modules_get(from->modules, id);
	struct text path = strings_get(from->strings, module->path);
	struct module row = { .kind = module->kind };

	if (module->kind == MODULE_NONE)
		return (module_id){ 0 };
	row.path = strings_intern(strings, path.at, path.length);
	return modules_intern(frames->profile->modules, &row);
}

static enum diff_role role_of(const struct frame *frame)
{
	switch (frame->kind) {
	case FRAME_GROUP:
		return DIFF_ROLE_GROUP;
	case FRAME_INLINED:
		return DIFF_ROLE_INLINED;
	default:
		return DIFF_ROLE_CALLED;
	}
}

/* Returns the table entry for the frame with this name. */
static uint32_t *frame_of_name(struct diff_frames *frames, str_id name, enum diff_role role)
{
	while (frames->of_name[role].count <= name.i)
		vec_push(&frames->of_name[role], DIFF_FRAME_NONE);
	return &frames->of_name[role].at[name.i];
}

/*
 * Returns the union's frame with the same name and role. The frame has no module if frames in
 * different modules have this name.
 */
static uint32_t intern_frame(struct diff_frames *frames, const struct frame *frame)
{
	struct profile *profile = frames->profile;
	uint32_t *known = frame_of_name(frames, frame->name, role_of(frame));

	if (*known == DIFF_FRAME_NONE) {
		*known = (uint32_t)profile->frames.count;
		vec_push(&profile->frames, *frame);
		return *known;
	}
	frame_merge(&profile->frames.at[*known], frame, profile->modules);
	return *known;
}

bool diff_frames_are_cut(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		const struct frame *frame = &profile->frames.at[i];

		if (frame->kind != FRAME_GROUP &&
		    diff_name_is_cut(profile_frame_name(profile, (frame_id){ i })))
			return true;
	}
	return false;
}

uint32_t *diff_frames_intern(struct diff_frames *frames, const struct profile *from, bool is_before)
{
	uint32_t *interned = memory_alloc(from->frames.count, sizeof(*interned));
	struct sink scratch;

	sink_init_memory(&scratch);
	for (size_t i = 0; i < from->frames.count; i++) {
		struct frame frame = from->frames.at[i];
		struct text key = key_of(frames, from, &frame);

		interned[i] = DIFF_FRAME_NONE;
		if (is_ignored(frames, &frame, key))
			continue;
		frame.name = intern_name(frames, key, is_before, &scratch);
		if (frame.kind == FRAME_GROUP)
			frame.name = intern_group_name(frames, frame.name, &scratch);
		frame.module = intern_module(frames, from, frame.module);
		/* Line numbers change between builds. */
		frame.source = STR_EMPTY;
		interned[i] = intern_frame(frames, &frame);
	}
	sink_deinit(&scratch);
	return interned;
}

uint32_t diff_frames_plain(const struct diff_frames *frames, uint32_t frame)
{
	uint32_t name = frames->profile->frames.at[frame].name.i;
	uint32_t plain = DIFF_FRAME_NONE;

	if (name < frames->of_name[DIFF_ROLE_CALLED].count)
		plain = frames->of_name[DIFF_ROLE_CALLED].at[name];
	return plain == DIFF_FRAME_NONE ? frame : plain;
}
