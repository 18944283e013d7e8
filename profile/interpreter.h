/* SPDX-License-Identifier: MIT */
/*
 * Interpreters beneath the functions they run. Where a runtime names its functions, most stacks have a few frames of
 * the interpreter between any two of them, all alike:
 *
 *     shown    py::main  _PyEval_EvalFrameDefault  PyObject_Vectorcall  py::parse  _PyEval_EvalFrameDefault
 *     hidden   py::main  py::parse
 *     merged   py::main  [interpreter]  py::parse  [interpreter]
 *
 * Only stacks with a function that the runtime named are changed: without one these frames are all there is.
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

/* What --interpreter calls these, and NULL. */
extern const char *const interpreter_style_names[];

/* Sets of runtimes, a bit each. */
struct interpreter_role {
	uint8_t named_by;    /* runtimes whose functions have such names */
	uint8_t internal_to; /* runtimes that call this function to run others */
};

typedef VEC(struct interpreter_role)
	interpreter_roles; /* by frame; those behind the end have none */

struct interpreter_role interpreter_role_of(struct text name);

struct frames;

/*
 * Copies a stack without the frames that are not to be shown; to has room for count frames, and may be from. Returns
 * how many are left.
 */
uint32_t interpreter_elide(const struct frames *frames, const uint32_t *from, uint32_t count,
			   uint32_t *to);

#endif
