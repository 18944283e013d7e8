/* SPDX-License-Identifier: MIT */
/*
 * The frames of a profile and their numbering: every location in code and every process name gets
 * the frame it is drawn as. Frames are numbered in the order of their names, so that comparing
 * numbers compares names; frames of equal name are neighbours with the same rank, unless the files they
 * are in tell them apart.
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "profile/frame_name.h"
#include "profile/frame_table.h"
#include "profile/grouping.h"
#include "profile/interpreter.h"
#include "profile/location.h"
#include "profile/profile.h"
#include "profile/resolve.h"

/* How frames of code are named. */
struct frame_naming {
	bool is_literal;       /* as stackcollapse-perf.pl has them */
	bool shows_offsets;    /* of code without a name, in its module */
	bool keeps_separators; /* in names: whoever writes them escapes them */
	bool folds_comms;      /* with _ for blanks: whoever writes them writes folded stacks */
	bool has_exact_comms;  /* shown as they are */
	bool has_lines;        /* function:file:line */
	bool is_annotated; /* _[k], _[i], _[j] behind those of the kernel, inlined, compiled at run time */
	bool has_dsos;      /* libc.so.6`read: which file a function is in, as DTrace writes it */
	bool parts_modules; /* functions of equal name in different files are different frames */
	bool keeps_source;  /* frames say where their function is declared */
	enum interpreter_style interpreter;
};

struct comm_frame {
	uint32_t frame; /* UINT32_MAX: not known yet */
	bool is_java;
};

/* The frames of one location, the function itself first: rows of in_runs. */
struct frame_run {
	uint32_t first;
	uint32_t count; /* 0: not known yet */
};

/* What frames of one location are told apart by. */
struct frame_variant {
	bool is_java; /* of a process called so: names are tidied further */
	enum frame_activity activity;
};

struct frames {
	struct strings *strings;
	const struct modules *modules;
	const struct locations *locations;
	struct frame_naming naming;
	struct frame_table table;
	VEC(uint32_t) in_runs; /* frames */
	/* By variant and location; NULL: none of it has been asked for. */
	struct frame_run *of_location[2][FRAME_SEVERAL];
	/* By str_id of the comm; those threads are called by that no record named are not in it. */
	struct comm_frame *of_comm;
	/* By str_id of the name the function was found under; STR_EMPTY: not tidied yet. As above. */
	str_id *of_inlined[2];
	size_t string_count; /* when the frames were begun: none of the above is of a later one */
	interpreter_roles roles;        /* of frames; none where interpreters are shown */
	uint32_t merged[FRAME_SEVERAL]; /* by activity: the frame interpreters are merged to */
	uint32_t *rank;                 /* by frame, after frames_number */
};

void frames_init(struct frames *frames, struct strings *strings, const struct modules *modules,
		 const struct locations *locations, const struct frame_naming *naming);
void frames_deinit(struct frames *frames);

/* The frames of a location, and the one a process's stacks stand on. */
struct frame_run frames_of_location(struct frames *frames, location_id location,
				    struct frame_variant variant);
struct comm_frame frames_of_comm(struct frames *frames, const struct resolved_callers *callers);

/* The frame of one of the things stacks can stand on. */
uint32_t frames_of_group(struct frames *frames, const struct profile *profile,
			 const struct resolved_callers *callers, enum group_by by);

/* The frame of the module a location is in; NULL: of no location. */
uint32_t frames_of_dso(struct frames *frames, const struct location *location);

/* The same for a value that is text. */
uint32_t frames_of_value(struct frames *frames, struct text value);

/* The runs of all locations, by location, when those of this variant have been made. */
const struct frame_run *frames_of_locations(const struct frames *frames,
					    struct frame_variant variant);

/* After the last new frame: computes ranks. */
void frames_number(struct frames *frames);

#endif
