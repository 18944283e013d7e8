/* SPDX-License-Identifier: MIT */
/*
 * What a person can do about a file whose code has no names: one command to copy, for what stands in the
 * way. Whatever comes from the capture is quoted for a shell.
 *
 *     missing                   scp HOST:PATH . && kiln info --symbols ./NAME CAPTURE
 *     another build was found   debuginfod-find executable BUILD-ID
 *     the kernel's symbols      ssh HOST sudo cat /proc/kallsyms > kallsyms && ...
 *     compiled at run time      scp HOST:/tmp/jit-PID.dump or perf-PID.map . && ...
 *     in a container            the same of HOST:/proc/PID/root/..., while it runs
 *     stripped                  debuginfod-find debuginfo BUILD-ID
 *
 * What is still on the host can as well be taken all at once: kiln bundle CAPTURE.
 */
#ifndef RENDER_TEXT_INFO_ADVICE_H
#define RENDER_TEXT_INFO_ADVICE_H

#include "base/sink.h"
#include "profile/profile.h"

/* Writes what would name the module, in code of which so much weight ended that has no name; false when
 * nothing can be done. */
bool info_advice_write(const struct profile *profile, const struct module *module, uint64_t unnamed,
		       struct sink *sink);

/* The same in a few words, for a line that has named the module: "copy /tmp/perf-5862.map from db1". Nothing
 * when nothing can be done. */
void info_advice_write_short(const struct profile *profile, const struct module *module,
			     struct sink *sink);

/* Of a path in buffer there is no more. */
#define INFO_MAP_PATH_BYTES 64

/*
 * The map or dump of a process's JIT code: that which was looked for where the process would have left it, else
 * where a map would be, in buffer. Of a process in a container, as others see it while it runs: its number
 * there may not be known, and is then *.
 */
struct text info_advice_map_path(const struct profile *profile, const struct module *module,
				 char buffer[static INFO_MAP_PATH_BYTES]);

/*
 * The three commands that fit a capture best, ready to be pasted into a shell: what kiln FILE ends
 * with.
 */
/* input is the path the user named. Nothing is written for one that cannot be typed. */
void info_next_write(const struct profile *profile, struct text input, struct sink *sink);

#endif
