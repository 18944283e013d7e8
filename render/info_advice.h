/* SPDX-License-Identifier: MIT */
/*
 * What a person can do about a file that could not be named: one command to copy, for what stands
 * in the way. Whatever comes from the capture is quoted for a shell.
 *
 *     missing, another build    scp HOST:PATH . && kiln info --symbols ./NAME CAPTURE
 *     the kernel's symbols      ssh HOST sudo cat /proc/kallsyms > kallsyms && ...
 *     compiled at run time      scp HOST:/tmp/perf-PID.map . && ...
 *     stripped                  debuginfod-find debuginfo BUILD-ID
 */
#ifndef RENDER_INFO_ADVICE_H
#define RENDER_INFO_ADVICE_H

#include "base/sink.h"
#include "profile/profile.h"

/* Writes what would name the module, which so much weight ended in; false when nothing is amiss. */
bool info_advice_write(const struct profile *profile, const struct module *module, uint64_t self,
		       struct sink *sink);

#endif
