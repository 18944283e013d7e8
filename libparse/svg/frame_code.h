/* SPDX-License-Identifier: MIT */
/*
 * Values of the column `frame` in the profile that kiln embeds in its SVGs. render/svg/embed_columns.h
 * describes the columns; render/svg/viewer/model.js has the same numbers.
 *
 *     0        the frame after the last new one
 *     1        the frame whose number is next in the column `known`
 *     2 + n    the frame that was the n-th to appear below this caller
 */
#ifndef LIBPARSE_SVG_FRAME_CODE_H
#define LIBPARSE_SVG_FRAME_CODE_H

#define FRAME_CODE_NEW    0
#define FRAME_CODE_KNOWN  1
#define FRAME_CODE_CALLEE 2 /* and above */

#endif
