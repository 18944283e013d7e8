/* SPDX-License-Identifier: MIT */
/*
 * Which frame of the union a capture's frame is: what both sides call by one name.
 *
 *     parse.isra.0                      parse           aligned, diff/align/diff_name.h
 *     old_parse    before, renamed      parse
 *     std::invoke  ignored              none: what it calls is called by its caller
 *     parse (libjson.so)  by module     libjson.so      and so by comm and by line
 */
#ifndef DIFF_ALIGN_DIFF_FRAMES_H
#define DIFF_ALIGN_DIFF_FRAMES_H

#include <regex.h>

#include "diff/align/diff_name.h"
#include "profile/profile.h"

#define DIFF_FRAME_NONE UINT32_MAX

/* What is compared. */
enum diff_key {
	DIFF_KEY_FUNCTION,
	DIFF_KEY_MODULE,
	DIFF_KEY_GROUP, /* comms, and whatever else groups stacks; functions are left out */
	DIFF_KEY_LINE,
};

/* Functions that are called otherwise after. */
struct diff_renames {
	struct strings names;
	VEC(str_id) to; /* by the str_id of the name before; empty: it is not renamed */
};

struct diff_alignment {
	enum diff_naming naming;
	enum diff_key key;
	diff_name_demangler *demangle;      /* NULL: names stay mangled */
	const regex_t *ignored;             /* of names that are left out; NULL: none are */
	const struct diff_renames *renames; /* NULL: none */
	bool mends;         /* folds inlined functions and joins spellings that only one side has */
	bool pairs_roots;   /* threads of one role, whose names differ */
	bool finds_renames; /* lists functions that look renamed */
	bool applies_renames; /* and compares those that surely are */
};

struct diff_frames {
	struct diff_alignment alignment;
	struct profile *profile;  /* where strings, modules and frames of the union are made */
	VEC(uint32_t) of_name;    /* by str_id in the profile; DIFF_FRAME_NONE: none yet */
	VEC(uint32_t) of_inlined; /* the same of inlined functions, which are frames of their own */
	struct strings group_keys; /* names of groups, blanks as underscores */
	VEC(str_id) group_names;   /* by their ids: the name first met, in the profile */
};

void diff_renames_init(struct diff_renames *renames);
void diff_renames_deinit(struct diff_renames *renames);

/* from, when it is met before, is called to; both are aligned. The last of equals wins. */
void diff_renames_add(struct diff_renames *renames, struct text from, struct text to,
		      const struct diff_alignment *alignment);

/* profile is initialised and empty; what alignment points to is kept by the caller. */
void diff_frames_init(struct diff_frames *frames, struct profile *profile,
		      const struct diff_alignment *alignment);
void diff_frames_deinit(struct diff_frames *frames);

/* Whether names of the profile were cut as stackcollapse-perf.pl cuts them. */
bool diff_frames_are_cut(const struct profile *profile);

/* The frames in the union of all frames of a profile, by frame_id, DIFF_FRAME_NONE for those that
 * are left out; the caller's to free. is_before: renames are for its names. */
uint32_t *diff_frames_take(struct diff_frames *frames, const struct profile *from, bool is_before);

/* The frame of a function of that name that is not inlined, where the profile has it; else the frame itself. */
uint32_t diff_frames_plain(const struct diff_frames *frames, uint32_t frame);

#endif
