/* SPDX-License-Identifier: MIT */
/* Three lines about a profile: how many samples, over what time, and where they mostly ended. */
#ifndef RENDER_SVG_SUMMARY_H
#define RENDER_SVG_SUMMARY_H

#include "base/sink.h"
#include "profile/profile.h"

void summary_write(const struct profile *profile, struct sink *sink);

#endif
