/* SPDX-License-Identifier: MIT */
/*
 * A file that callgrind of Valgrind wrote. "Callgrind Format Specification" in Valgrind's manual,
 * and callgrind/dump.c, describe these files. This reader accepts only files whose names contain
 * callers:
 *
 *     # callgrind format
 *     version: 1
 *     creator: callgrind-3.19.0
 *     pid: 20093
 *     cmd:  ./app 12
 *     part: 1                                several parts: --combine-dumps=yes
 *     thread: 1                              only with --separate-threads=yes
 *     positions: line                        numbers at the beginning of cost lines
 *     events: Ir Dr
 *     summary: 300 70
 *
 *     ob=(5) /usr/bin/app                    the DSO of the next functions
 *     fl=(7) app.c                           source files are not used
 *     fn=(12) parse'main                     the function, its number, and its callers
 *     16 100 20                              position, and the self costs of the function
 *     cfn=(13) scan'parse'main               a call
 *     calls=3 20
 *     +2 160 50                              the cost of all three calls, which is no self cost
 *     * 40                                   the same position, 40 of Ir and 0 of Dr
 *
 *     fn=(13)
 *     20 160 50
 *     totals: 300 70                         the sums of all self costs
 *
 * With --compress-mangled=yes, names consist of the numbers of other names: fn=(14) (3)'2'(1).
 */
#ifndef LIBPARSE_CALLGRIND_CALLGRIND_FILE_H
#define LIBPARSE_CALLGRIND_CALLGRIND_FILE_H

#include "libparse/callgrind/callgrind_stacks.h"
#include "libparse/text.h"

/*
 * Maximum number of events of a callgrind file. With all options, callgrind counts fewer than 30.
 */
#define LIMIT_CALLGRIND_EVENTS 64u

/*
 * Maximum size of the names and DSOs of all frames, for each byte of a callgrind file. callgrind
 * writes a name again for each DSO. The name is longer than the line for the DSO.
 */
#define LIMIT_CALLGRIND_NAME_BYTES_PER_BYTE 16u
/* Bytes of names that are allowed in any callgrind file, beyond those allowed for its size. */
#define LIMIT_CALLGRIND_FREE_NAME_BYTES (1u << 20)

struct callgrind_event {
	str_id name;
	enum weight_unit unit;
	uint64_t factor; /* factor from the numbers in the file to the unit */
};

/* The self cost of the innermost function of a stack. */
struct callgrind_cost {
	uint32_t stack; /* a context; after callgrind_costs_finish, a node */
	uint32_t event;
	uint32_t thread; /* callgrind's number of the thread; 0 if not recorded */
	str_id module;   /* DSO of the function */
	uint32_t frame;  /* frame of the function; set by finish */
	uint64_t value;
};

struct callgrind_costs {
	VEC(struct callgrind_cost) rows; /* rows in the order of the file */
	struct idtable table;
};

struct callgrind_file {
	struct callgrind_stacks stacks;
	VEC(struct callgrind_event) events;
	struct callgrind_costs costs;
	str_id command_line;
	uint32_t pid; /* 0 if not recorded */
	struct text_skips skips;
	uint64_t cut_count; /* stacks that lack their outermost callers */
};

void callgrind_file_init(struct callgrind_file *file);
void callgrind_file_deinit(struct callgrind_file *file);

/*
 * Reads a file. If the self costs of a part differ from its totals line, the capture becomes
 * partial. Fails if the names have no callers, or if the costs are of several processes.
 */
bool callgrind_file_read(struct callgrind_file *file, struct capture *capture,
			 struct error *err) WARN_UNUSED;

void callgrind_costs_init(struct callgrind_costs *costs);
void callgrind_costs_deinit(struct callgrind_costs *costs);

/* Adds a cost to the row of its stack, event, thread and DSO. A new row is added if necessary. */
void callgrind_costs_add(struct callgrind_costs *costs, struct callgrind_cost cost);

/*
 * Adds up the costs of each node, and sets the frames of all rows. Must be called after
 * callgrind_stacks_finish. Returns how many stacks with costs lack their outermost callers.
 */
uint64_t callgrind_costs_finish(struct callgrind_costs *costs, struct callgrind_stacks *stacks);

struct callgrind_numbered {
	uint64_t number;
	uint32_t value; /* a context, or the id of a string */
};

struct callgrind_number_table {
	VEC(struct callgrind_numbered) rows;
	struct idtable table;
};

/*
 * callgrind's numbers for names. The first line with a name also has its number. Later lines have
 * only the number. Functions and DSOs are numbered separately:
 *
 *     ob=(5) /usr/bin/app      DSO 5
 *     fn=(12) parse'main       function 12, with its caller
 *     cfn=(12)                 the same function
 *     fn=(14) (3)'2'(1)        function 14: functions 3 and 1, with --compress-mangled=yes
 *     fn=scan                  without a number, with --compress-strings=no
 */
struct callgrind_numbers {
	struct callgrind_stacks *stacks; /* the stacks that receive all names */
	struct callgrind_number_table functions, modules;
	bool is_too_large; /* LIMIT_CALLGRIND_NODES is reached */
};

/* `stacks` is borrowed for as long as the numbers are used. */
void callgrind_numbers_init(struct callgrind_numbers *numbers, struct callgrind_stacks *stacks);
void callgrind_numbers_deinit(struct callgrind_numbers *numbers);

/*
 * Returns the context of a function: "(12) name", "(12)" or "name". Returns CALLGRIND_NONE if the
 * number is unknown, or if there are too many functions.
 */
uint32_t callgrind_numbers_function(struct callgrind_numbers *numbers, struct text rest);

/*
 * Reads a DSO, in the same three forms as functions. If the number is unknown, returns false and
 * leaves `ret` unchanged.
 */
bool callgrind_numbers_module(struct callgrind_numbers *numbers, struct text rest,
			      str_id *ret) WARN_UNUSED;

/* The input format, in callgrind_reader.c. */
extern const struct input_format callgrind_format;

#endif
