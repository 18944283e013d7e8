/* SPDX-License-Identifier: MIT */
/*
 * Gives advice for DSOs without symbols: one command to copy, depending on what is missing. Texts
 * from the capture are quoted for a shell.
 *
 *     missing                   scp HOST:PATH . && kiln info --symbols ./NAME CAPTURE
 *     another build was found   debuginfod-find executable BUILD-ID
 *     kernel symbols            ssh HOST sudo cat /proc/kallsyms > kallsyms && ...
 *     JIT code                  scp HOST:/tmp/jit-PID.dump or perf-PID.map . && ...
 *     in a container            the same of HOST:/proc/PID/root/..., while it runs
 *     stripped                  debuginfod-find debuginfo BUILD-ID
 *     deleted on the host       nothing; a copy of the same build helps
 *
 * kiln bundle CAPTURE, on the host, collects everything at once.
 */
#ifndef RENDER_TEXT_INFO_ADVICE_H
#define RENDER_TEXT_INFO_ADVICE_H

#include "base/sink.h"
#include "profile/profile.h"

/*
 * Writes the command that would symbolise the module. unnamed: weight of its frames without a name.
 * Returns false if nothing helps.
 */
bool info_advice_write(const struct profile *profile, const struct module *module, uint64_t unnamed,
		       struct sink *sink);

/*
 * Writes a short form of the advice, to be read after the module's name: "copy /tmp/perf-5862.map
 * from db1". Writes nothing if nothing helps.
 */
void info_advice_write_short(const struct profile *profile, const struct module *module,
			     struct sink *sink);

/* The size of a buffer for a path. */
#define INFO_MAP_PATH_BYTES 64

/*
 * Returns the path of a process's perf map or jitdump: the path that was searched on the host or,
 * written to buffer, the default path of a map. For a process in a container, returns the path
 * outside the container, which exists only while the process is running. If its pid inside the
 * container is unknown, "*" stands for the pid.
 */
struct text info_advice_map_path(const struct profile *profile, const struct module *module,
				 char buffer[static INFO_MAP_PATH_BYTES]);

/*
 * Writes the three commands that are most useful for a capture, as the last section of kiln FILE.
 * input: the path as given by the user. Writes nothing if the path cannot be typed.
 */
void info_next_write(const struct profile *profile, struct text input, struct sink *sink);

#endif
