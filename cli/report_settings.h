/* SPDX-License-Identifier: MIT */
/* Options of kiln report: which table to print, and its rows, columns and format. */
#ifndef CLI_REPORT_SETTINGS_H
#define CLI_REPORT_SETTINGS_H

#include "cli/options.h"
#include "profile/grouping.h"
#include "profile/tree/call_tree.h"
#include "render/report/branch_table.h"
#include "render/report/memory_table.h"
#include "render/report/report.h"
#include "render/report/report_rows.h"

/* The order with --no-children: like REPORT_SELF_FIRST, but totals are omitted. */
#define REPORT_ORDER_OF_SELF (-1)

struct report_settings {
	const char *by;    /* as given; NULL means symbol */
	const char *sort;  /* as given; NULL means by self weight */
	const char *shown; /* as given */
	const char *graph; /* perf report's -g, as given */
	struct grouping columns;
	struct report_shown columns_shown;
	bool has_event_columns; /* columns include GROUP_EVENT: each event has its own columns */
	int order;              /* enum report_order, or REPORT_ORDER_OF_SELF */
	double least_percent;   /* negative: the default of the table */
	int format;             /* enum table_format */

	const char *tree; /* "" means caller; NULL means not given, also in the next three */
	const char *callers, *callees, *peek;

	const char *latency; /* the grouping key: "" means stack, NULL means not given */
	bool lists_latencies;
	const char *branches; /* what a row represents: "" means function, NULL means not given */
	enum branch_by branches_by;
	const char *memory; /* what a row represents: "" means level, NULL means not given */
	enum memory_by memory_by;
	const char *outliers;  /* the key whose values are compared; NULL if not given */
	const char *histogram; /* the scale: "" means log, NULL means not given */
	bool draws_histogram_svg;
};

extern const struct option_group settings_report;
extern const struct option_group settings_report_latency;
extern const struct option_group settings_perf_table;

struct settings;

/* Turns perf report's -g into --tree. Must be called before the options are checked. */
bool report_settings_set_graph(struct report_settings *report, struct error *err) WARN_UNUSED;

/* Parses the values, and sets the view that the table needs. */
bool report_settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

#endif
