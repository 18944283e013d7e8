/* SPDX-License-Identifier: MIT */
/*
 * Histograms as BCC's tools and libbpf-tools print them: biolatency, runqlat, funclatency and their like.
 * Each row is a frame that counts what the row says, on what the histogram is of, where that is told:
 *
 *     disk = vda
 *          usecs               : count     distribution
 *              2 -> 3          : 12       |****        |        disk = vda;2 -> 3  12, of the event usecs
 *
 * Histograms that come several times, at an interval, add up: each is of its interval.
 */
#ifndef LIBPARSE_BCC_BCC_HISTOGRAM_H
#define LIBPARSE_BCC_BCC_HISTOGRAM_H

#include "libparse/formats.h"

extern const struct input_format bcc_histogram_format;

#endif
