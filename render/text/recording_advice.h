/* SPDX-License-Identifier: MIT */
/*
 * Advises how to improve the next recording, for kiln doctor: derives options of perf record from
 * the facts that kiln info prints.
 *
 *     callchains    none were recorded, so a flame graph has one level
 *                   -g
 *     lost samples  1,700 records lost while recording (5.1%)
 *                   -m 8M -F 500
 *
 *     record again with
 *       perf record -F 500 -m 8M --call-graph fp -- ./server
 */
#ifndef RENDER_TEXT_RECORDING_ADVICE_H
#define RENDER_TEXT_RECORDING_ADVICE_H

#include "profile/profile.h"
#include "render/json.h"

/* Fails if perf record did not make the capture. */
bool recording_advice_write(const struct profile *profile, bool is_json, struct sink *sink,
			    struct error *err) WARN_UNUSED;

#endif
