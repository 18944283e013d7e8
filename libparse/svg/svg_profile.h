/* SPDX-License-Identifier: MIT */
/* The profile that kiln puts into its own pictures, which says all of it: render/svg/embed.h. */
#ifndef LIBPARSE_SVG_SVG_PROFILE_H
#define LIBPARSE_SVG_SVG_PROFILE_H

#include "libparse/svg/spooled.h"

/* Reads what the element holds, unpacked first where is_packed. False, with stacks as far as they
 * came: it is damaged, or of a version that is not known. */
bool svg_profile_read(struct spooled *stacks, struct text content, bool is_packed,
		      struct error *err) WARN_UNUSED;

#endif
