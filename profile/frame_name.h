/* SPDX-License-Identifier: MIT */
/*
 * The name of a frame: the symbol, or the DSO if there is no symbol. Argument lists and similar
 * parts are removed, because they would split a function into several frames.
 *
 *     std::vector<int>::push_back(int&&)    std::vector<int>::push_back
 *     LazyCompile:~f;g "x.js"               LazyCompile:~f:g x.js
 *     (none, in /usr/lib/libc.so.6)         [libc.so.6], or [libc.so.6+0x1f3c0]
 *
 * Literal names equal those of stackcollapse-perf.pl, except where that script splits a name by
 * mistake. Default names differ from the script's names where the script loses part of a name
 * (docs/differences.md).
 */
#ifndef PROFILE_FRAME_NAME_H
#define PROFILE_FRAME_NAME_H

#include "base/sink.h"
#include "base/strings.h"
#include "profile/interpreter.h"
#include "profile/location.h"

/* How frames are named. */
struct frame_naming {
	bool uses_perf_names;  /* use the literal names of perf script and stackcollapse-perf.pl */
	bool keeps_arguments;  /* keep everything from the first "(", as perf report does */
	bool shows_offsets;    /* append the offset in the DSO to code without a symbol */
	bool keeps_separators; /* keep ";" and newlines, which the writer escapes */
	bool folds_comms; /* replace blanks in comms by "_", as other tools do in folded stacks */
	bool has_exact_comms; /* leave comms unchanged */
	bool has_lines;       /* function:file:line */
	bool is_annotated;    /* append _[k] to kernel, _[i] to inlined and _[j] to JIT frames */
	bool has_dsos;        /* libc.so.6`read, as in DTrace */
	/* functions with the same name in different DSOs become different frames */
	bool parts_modules;
	bool keeps_source;        /* each frame has its function's source line */
	bool keeps_mangled_names; /* keep mangled names of C++, Rust and D */
	bool keeps_suffixes;      /* keep suffixes that compilers add: .cold, .part.0 */
	enum interpreter_style interpreter;
};

/*
 * Returns the name of a symbolised location, interned. is_java: the comm begins with "java", so the
 * L of Lorg/example/Class is dropped.
 */
str_id frame_name_of(struct strings *strings, const struct modules *modules,
		     const struct location *location, const struct frame_naming *naming,
		     bool is_java);

/* Returns the name of the innermost function at a location, inlined or not. */
str_id frame_name_innermost(struct strings *strings, const struct modules *modules,
			    const struct locations *locations, location_id id,
			    const struct frame_naming *naming);

/* Appends the default name of a frame with this symbol. */
void frame_name_write(struct sink *sink, struct text name);

/* Returns the name of an inlined function. */
str_id frame_name_of_inlined(struct strings *strings, const struct inlined *inlined,
			     const struct frame_naming *naming, bool is_java);

/* Returns the name of the group frame of a comm. */
str_id frame_name_of_comm(struct strings *strings, struct text comm,
			  const struct frame_naming *naming);

/* Returns the name of a group frame for any other value. */
str_id frame_name_of_value(struct strings *strings, struct text value);

/* Returns the name of the group frame of a DSO: its file name. */
str_id frame_name_of_dso(struct strings *strings, const struct module *module);

/* Returns a module as perf script prints it: path, [ext4], /tmp/perf-PID.map. */
str_id frame_name_of_module(struct strings *strings, const struct module *module);

#endif
