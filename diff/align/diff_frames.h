/* SPDX-License-Identifier: MIT */
/*
 * Maps the frames of a capture to frames of the union, by aligned name:
 *
 *     capture                           union
 *     parse.isra.0                      parse           diff/align/diff_name.h
 *     old_parse    with --rename        parse
 *     std::invoke  with --ignore-path   none: its callees are called by its caller
 *     parse (libjson.so)  by module     libjson.so
 */
#ifndef DIFF_ALIGN_DIFF_FRAMES_H
#define DIFF_ALIGN_DIFF_FRAMES_H

#include "diff/align/diff_alignment.h"
#include "profile/profile.h"

#define DIFF_FRAME_NONE UINT32_MAX

/* Frames with the same name but different roles are separate frames of the union. */
enum diff_role {
	DIFF_ROLE_GROUP, /* such as the thread sort, in which the function sort may run */
	DIFF_ROLE_CALLED,
	DIFF_ROLE_INLINED,
	DIFF_ROLE_COUNT,
};

struct diff_frames {
	struct diff_alignment alignment;
	struct profile *profile; /* the union */
	/* By str_id; DIFF_FRAME_NONE if there is no frame yet. */
	VEC(uint32_t) of_name[DIFF_ROLE_COUNT];
	struct strings group_keys; /* names of groups, with _ in place of blanks */
	VEC(str_id) group_names;   /* by id of the key: the first name with this key */
};

void diff_renames_init(struct diff_renames *renames);
void diff_renames_deinit(struct diff_renames *renames);

/*
 * Renames the function `from` on the BEFORE side. Both names are aligned. A later rename of the
 * same function replaces an earlier one.
 */
void diff_renames_add(struct diff_renames *renames, struct text from, struct text to,
		      const struct diff_alignment *alignment);

/* profile must be initialised and empty. alignment, and everything it points to, is borrowed. */
void diff_frames_init(struct diff_frames *frames, struct profile *profile,
		      const struct diff_alignment *alignment);
void diff_frames_deinit(struct diff_frames *frames);

/* Whether the profile has names that stackcollapse-perf.pl has truncated. */
bool diff_frames_are_cut(const struct profile *profile);

/*
 * Interns the frames of a profile. Returns an array of the union's frames by frame_id, with
 * DIFF_FRAME_NONE for ignored frames. The caller frees it. is_before: the profile belongs to the
 * BEFORE side, so renames apply.
 */
uint32_t *diff_frames_intern(struct diff_frames *frames, const struct profile *from,
			     bool is_before);

/* Returns the function with the same name that is not inlined, or the frame itself. */
uint32_t diff_frames_plain(const struct diff_frames *frames, uint32_t frame);

#endif
