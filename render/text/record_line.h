/* SPDX-License-Identifier: MIT */
/*
 * Rewrites the command line of a recording: adds options after "record", and removes -q and the
 * options that they replace.
 *
 *     recorded   /usr/bin/perf record -q -F 4000 -g -- ./server -F 1
 *     add        -F 999, --call-graph dwarf,16384
 *     result     perf record -F 999 --call-graph dwarf,16384 -- ./server -F 1
 */
#ifndef RENDER_TEXT_RECORD_LINE_H
#define RENDER_TEXT_RECORD_LINE_H

#include "base/sink.h"
#include "base/strings.h"

/* The options of perf record that kiln adds. */
enum record_option {
	RECORD_FREQUENCY,
	RECORD_CALL_GRAPH,
	RECORD_BUFFER,
	RECORD_CLOCK,
	RECORD_BUILD_IDS,
	RECORD_TIMES,
	RECORD_MAP_TIMEOUT,
	RECORD_OPTION_COUNT,
};

/*
 * values: the value of each option to add, such as "999"; "" if the option has no value, or NULL if
 * it is not added.
 */
struct record_line {
	const char *values[RECORD_OPTION_COUNT];
};

/* The option as it is typed: "-F 999". */
void record_line_write_option(const struct record_line *line, enum record_option option,
			      struct sink *sink);

/*
 * recorded: a command line, quoted for a shell. If it does not call perf record, the new line has a
 * placeholder for the program.
 */
void record_line_write(const struct record_line *line, struct text recorded, struct sink *sink);

#endif
