/* SPDX-License-Identifier: MIT */
/* The complete profile that kiln embeds in its SVGs as JSON: render/svg/embed.h. */
#ifndef LIBPARSE_SVG_SVG_PROFILE_H
#define LIBPARSE_SVG_SVG_PROFILE_H

#include "libparse/spooled.h"

/* Reads the content of the metadata element. False: it is corrupt, or of an unknown version; the
 * stacks are then incomplete. */
bool svg_profile_read(struct spooled *stacks, struct text content, bool is_compressed,
		      struct error *err) WARN_UNUSED;

#endif
