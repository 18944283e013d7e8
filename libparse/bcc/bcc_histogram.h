/* SPDX-License-Identifier: MIT */
/*
 * Histograms as BCC's tools and libbpf-tools print them: biolatency, runqlat, funclatency and their like.
 * Each row is a frame with the row's count, below the section of the histogram if it has one:
 *
 *     disk = vda
 *          usecs               : count     distribution
 *              2 -> 3          : 12       |****        |        disk = vda;2 -> 3  12, of the event usecs
 *
 * Histograms printed at intervals are added up: each covers its interval.
 */
#ifndef LIBPARSE_BCC_BCC_HISTOGRAM_H
#define LIBPARSE_BCC_BCC_HISTOGRAM_H

#include "libparse/formats.h"

extern const struct input_format bcc_histogram_format;

#endif
