/* SPDX-License-Identifier: MIT */
/*
 * Writes an annotation: for each function, its hottest lines and loops, then all instructions below
 * their source lines. Shares are relative to the function's samples.
 *
 *     # parse in /usr/bin/app: 34.12% of cycles, 1,234 of 4,321 samples
 *     #  share  samples  address  code
 *                                 parse.c:40  while (*at)
 *       12.30%      152  1139     ┌▶ movzbl (%rdi), %eax
 *       45.00%      555  113c     └─ jne 0x1139
 *
 * Programs get one row for each instruction.
 */
#ifndef RENDER_TEXT_ANNOTATION_TEXT_H
#define RENDER_TEXT_ANNOTATION_TEXT_H

#include "annotate/annotation.h"
#include "profile/profile.h"
#include "render/table/table.h"

void annotation_write(const struct annotation *annotation, const struct profile *profile,
		      enum table_format format, struct sink *sink);

#endif
