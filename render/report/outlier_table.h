/* SPDX-License-Identifier: MIT */
/*
 * Writes the functions whose share in one group of samples differs from their share in the other
 * groups (diff/outlier.h). Groups are the values of one key, such as the hosts of a merged profile:
 *
 *     # event cpu-clock, 40 values of host, 1,200 functions, p-values are for 48,000 comparisons
 *     # share   others  deviation        p  host   symbol
 *       9.72%    4.07%      0.21%  <0.0001  web-4  parse
 */
#ifndef RENDER_REPORT_OUTLIER_TABLE_H
#define RENDER_REPORT_OUTLIER_TABLE_H

#include "base/error.h"
#include "render/report/report.h"

/*
 * options->columns must be a key and GROUP_SYMBOL, and the profile must keep sample counts. Fails
 * if the key has too few values.
 */
bool outlier_table_write(const struct profile *profile, const struct report_options *options,
			 struct sink *sink, struct error *err) WARN_UNUSED;

#endif
