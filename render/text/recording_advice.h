/* SPDX-License-Identifier: MIT */
/*
 * Advises how to improve the next recording, for kiln doctor: derives options of perf record from
 * the facts that kiln info prints.
 *
 *     callchains    cycles has no callchains; its flame graph has only one level
 *                   --call-graph fp
 *     lost samples  1,700 records lost while recording (5.1%)
 *                   -F 499 -m 8M
 *
 *     record again with
 *       perf record -F 499 --call-graph fp -m 8M -- ./server
 */
#ifndef RENDER_TEXT_RECORDING_ADVICE_H
#define RENDER_TEXT_RECORDING_ADVICE_H

#include "profile/profile.h"
#include "render/json.h"

/* Fails if perf record did not make the capture. */
bool recording_advice_write(const struct profile *profile, bool is_json, struct sink *sink,
			    struct error *err) WARN_UNUSED;

#endif
