/* SPDX-License-Identifier: MIT */
/*
 * Which rows an SVG that may not grow beyond a limit still has room for: the widest. Those left out of one
 * parent become a single row.
 *
 *     all 9 ─ app 9 ─┬─ main 7           least 2: 4 rows        all 9 ─ app 9 ─┬─ main 7
 *                    ├─ trim 1                                                 └─ [left out] 2
 *                    └─ wait 1
 */
#ifndef RENDER_SVG_EMBED_LIMIT_H
#define RENDER_SVG_EMBED_LIMIT_H

#include "profile/profile.h"

/* The least weight a row has to have so that there are at most row_count, about; 0: all of them. */
uint64_t embed_limit_least(const struct profile *profile, uint64_t row_count);

#endif
