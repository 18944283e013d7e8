/* SPDX-License-Identifier: MIT */
/*
 * What a frame is called in a folded line or a box: a symbol without the noise that would keep
 * equal functions apart, or the module where there is no symbol.
 *
 *     std::vector<int>::push_back(int&&)    std::vector<int>::push_back
 *     LazyCompile:~f;g "x.js"               LazyCompile:~f:g x.js
 *     (none, in /usr/lib/libc.so.6)         [libc.so.6], or [libc.so.6+0x1f3c0]
 *
 * The literal form is what stackcollapse-perf.pl makes of perf script's text, but for names it takes
 * apart by mistake; the default differs where that loses part of a name (docs/differences.md).
 */
#ifndef PROFILE_FRAME_NAME_H
#define PROFILE_FRAME_NAME_H

#include "base/strings.h"
#include "profile/location.h"

struct frame_name_options {
	bool is_literal;
	bool shows_offsets;    /* of unnamed code: where in its file, or in the kernel, it is */
	bool keeps_separators; /* ";" and line ends too: whoever writes them escapes them */
	bool folds_comms; /* blanks in those of threads become "_", as in folded stacks of all tools */
	bool has_exact_comms; /* those of processes are shown as they are */
	bool is_java;         /* the process is called java...: drop the L of Lorg/example/Class */
};

/* The name of a location that symbolise has seen, interned. */
str_id frame_name_of(struct strings *strings, const struct modules *modules,
		     const struct location *location, const struct frame_name_options *options);

/* The same of a function that is inlined there. */
str_id frame_name_of_inlined(struct strings *strings, const struct inlined *inlined,
			     const struct frame_name_options *options);

/* The name of the box all stacks of a process or thread stand on. */
str_id frame_name_of_comm(struct strings *strings, struct text comm,
			  const struct frame_name_options *options);

/* The same of something else that stacks are told apart by. */
str_id frame_name_of_value(struct strings *strings, struct text value);

/* The box that stacks stand on which end in this module: the last part of its path. */
str_id frame_name_of_dso(struct strings *strings, const struct module *module);

/* The module as perf script prints it in parentheses: path, [ext4], /tmp/perf-PID.map. */
str_id frame_name_of_module(struct strings *strings, const struct module *module);

#endif
