/* SPDX-License-Identifier: MIT */
/*
 * What a person can do about a file whose code has no names: one command to copy, for what stands in the
 * way. Whatever comes from the capture is quoted for a shell.
 *
 *     missing, another build    scp HOST:PATH . && kiln info --symbols ./NAME CAPTURE
 *     the kernel's symbols      ssh HOST sudo cat /proc/kallsyms > kallsyms && ...
 *     compiled at run time      scp HOST:/tmp/jit-PID.dump or perf-PID.map . && ...
 *     stripped                  debuginfod-find debuginfo BUILD-ID
 *
 * What is still on the host can as well be taken all at once: kiln bundle CAPTURE.
 */
#ifndef RENDER_INFO_ADVICE_H
#define RENDER_INFO_ADVICE_H

#include "base/sink.h"
#include "profile/profile.h"

/* Writes what would name the module, in code of which so much weight ended that has no name; false when
 * nothing can be done. */
bool info_advice_write(const struct profile *profile, const struct module *module, uint64_t unnamed,
		       struct sink *sink);

#endif
