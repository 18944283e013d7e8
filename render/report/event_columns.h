/* SPDX-License-Identifier: MIT */
/*
 * Makes a table of a profile with several events, with columns for each event, and with ratios of
 * related events:
 *
 *     cycles   instructions   IPC   cache-misses   MPKI   symbol
 *     61.20%   40.10%         0.84  12.00%         1.20   parse
 *
 * Shares are relative to the event's own total. Ratios are computed from self weights or, if rows
 * are sorted by total, from total weights.
 */
#ifndef RENDER_REPORT_EVENT_COLUMNS_H
#define RENDER_REPORT_EVENT_COLUMNS_H

#include "render/report/report.h"

/* Events shown as columns. More columns are useless, and each row has a cell for each event. */
#define LIMIT_EVENT_COLUMNS 100u

/* Whether the number of events is within the limit. */
bool event_columns_check(const struct profile *profile, struct error *err) WARN_UNUSED;

/*
 * options->columns must include GROUP_EVENT: each event's rows fill the columns of that event. The
 * caller frees the table, then its rows.
 */
void event_columns_make(const struct profile *profile, const struct report_options *options,
			struct report_rows *rows, struct table *ret);

#endif
