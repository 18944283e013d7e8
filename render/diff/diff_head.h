/* SPDX-License-Identifier: MIT */
/*
 * The lines below the title of a difference's flame graph:
 *
 *     before: v1.data, recorded 2026-11-22 12:35:11 UTC, 10.0 s long: perf record -g ./app
 *     after: v2.data, recorded 2026-11-22 12:41:02 UTC, 10.0 s long: perf record -g ./app
 *     cycles · before 12,345 samples · after 12,300 samples · each side's total is 100 %
 *     kernel differs: 6.1.0 before, 6.5.0 after
 *     threads of one role: svc_before is compared with svc_after
 */
#ifndef RENDER_DIFF_DIFF_HEAD_H
#define RENDER_DIFF_DIFF_HEAD_H

#include "base/sink.h"
#include "diff/diff.h"
#include "render/svg/svg_frames.h"

#define DIFF_HEAD_LINES 5

struct diff_head {
	struct svg_line lines[DIFF_HEAD_LINES];
	size_t count;
	struct sink texts[DIFF_HEAD_LINES], tooltips[DIFF_HEAD_LINES];
};

void diff_head_init(struct diff_head *head, const struct diff *diff);
void diff_head_deinit(struct diff_head *head);

#endif
