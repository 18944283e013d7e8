/* SPDX-License-Identifier: MIT */
/*
 * Hides interpreter frames. If a runtime publishes the names of interpreted functions, most stacks
 * repeat a few interpreter frames between these functions:
 *
 *     shown    py::main  _PyEval_EvalFrameDefault  PyObject_Vectorcall  py::parse  _PyEval_EvalFrameDefault
 *     hidden   py::main  py::parse
 *     merged   py::main  [interpreter]  py::parse  [interpreter]
 *
 * Stacks without an interpreted function stay unchanged, because they consist only of interpreter
 * frames.
 */
#ifndef PROFILE_INTERPRETER_H
#define PROFILE_INTERPRETER_H

#include "base/strings.h"
#include "base/vec.h"

enum interpreter_style {
	INTERPRETER_SHOWN,
	INTERPRETER_HIDDEN,
	INTERPRETER_MERGED,
};

/* The values of --interpreter, NULL-terminated. */
extern const char *const interpreter_style_names[];

/* Bit sets of runtimes. */
struct interpreter_role {
	uint8_t named_by;    /* runtimes that name their functions like this one */
	uint8_t internal_to; /* runtimes whose interpreter contains this function */
};

/* By frame; frames beyond the end have no role. */
typedef VEC(struct interpreter_role) interpreter_roles;

struct interpreter_role interpreter_role_of(struct text name);

struct frames;

/*
 * Copies a stack without hidden frames. `to` has space for count frames and may equal `from`.
 * Returns the number of frames that remain.
 */
uint32_t interpreter_elide(const struct frames *frames, const uint32_t *from, uint32_t count,
			   uint32_t *to);

#endif
