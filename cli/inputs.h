/* SPDX-License-Identifier: MIT */
/*
 * Reads the inputs of a command one by one, and opens and closes its output:
 *
 *     command_open(&inputs, &output, settings);
 *     while (inputs_next(&inputs)) {
 *             if (inputs_read(&inputs, session_build_profile))
 *                     ...                          inputs.session has selected samples
 *             inputs_close(&inputs, &sum);         warns, and adds its profile to sum
 *     }
 *     if (inputs_finish(&inputs))
 *             ...                                  write sum to output.sink
 *     return command_close(&inputs, &output);      commits the output; after an error, discards it
 *
 * inputs.err keeps the first error, after which all later steps do nothing.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/command.h"
#include "cli/output.h"
#include "session/session.h"

/* A function that reads the samples of an open session, such as session_build_profile. */
typedef bool session_reader(struct session *session, struct error *err);

struct inputs {
	const struct settings *settings;
	text_list paths;          /* borrowed */
	const char *default_path; /* the input if the command line does not name one */
	size_t next;
	struct session session; /* session of the open input */
	bool is_open;
	size_t added_count;    /* profiles in the sum */
	const char *event;     /* the event of the sum, which borrows it; NULL if there is none */
	bool is_partial;       /* an input is incomplete; a warning explained this */
	bool has_match;        /* an input has selected samples */
	struct error no_match; /* why the first input without selected samples has no match */
	bool has_failed;
	struct error err;
};

/*
 * Finds the inputs and opens the output. If the command line has no input, the type of standard
 * input determines the input:
 *
 *     pipe, socket, file              standard input; an error if it is empty
 *     terminal, /dev/null, closed     perf.data in this directory; an error if there is none
 *
 * An empty pipe means that the program before it failed, so perf.data is not read instead.
 */
void command_open(struct inputs *inputs, struct output *output, const struct settings *settings);

/* Commits the output. After an error, prints the error and discards the output. */
enum exit_code command_close(struct inputs *inputs, struct output *output);

/* Opens the next input. Returns false if there is none, or after an error. */
bool inputs_next(struct inputs *inputs);

/*
 * Reads the samples, and shows progress on the terminal. Returns false if none is selected, or
 * after an error.
 */
bool inputs_read(struct inputs *inputs, session_reader *read);

/* If is_good is false, records that a step failed. The error of the step is in inputs.err. */
void inputs_check(struct inputs *inputs, bool is_good);

/*
 * Warns about missing parts of the input, adds its profile to sum (unless sum is NULL), and closes
 * the input.
 */
void inputs_close(struct inputs *inputs, struct profile *sum);

/*
 * Must be called after the last input. Returns true if there was no error, and at least one input
 * had selected samples.
 */
bool inputs_finish(struct inputs *inputs);

/*
 * Does all of the steps above, and builds one profile of all inputs. The caller must free the
 * profile even after an error.
 */
bool inputs_build_profile(struct inputs *inputs, session_reader *read, struct profile *ret);

/* For kiln diff, which opens sessions itself: checks that the output is not also an input. */
bool inputs_check_paths(const struct settings *settings, const text_list *paths,
			struct error *err) WARN_UNUSED;

/*
 * Counts the paths that are the same file as an earlier path. begin: if not 0, counts only those from
 * this index on whose earlier path is before it. *first_ret: the index of the first of them.
 */
size_t inputs_count_repeats(const text_list *paths, size_t begin, size_t *first_ret);

/* For commands that add up or compare several inputs: warns if some are the same file. */
void inputs_warn_of_repeats(const struct settings *settings, const text_list *paths);

/* For kiln diff: reads an open session, and shows progress. */
bool inputs_read_session(const struct settings *settings, struct session *session,
			 session_reader *read, struct error *err) WARN_UNUSED;

/*
 * health.c: warns about an input: lost samples, frames without a name, other events. Each warning
 * is one line on standard error. kiln info prints all details.
 *
 *     kiln: perf.data: 47% of the profile has frames without a name, mostly ...; see kiln info --why
 */
void health_warn(const struct settings *settings, const struct session *session);

/* health.c: warns if the weights of a profile add up to the largest number, where sums stop. */
void health_warn_of_overflow(const struct settings *settings, const char *input,
			     const struct profile *profile);

/* For kiln diff: warns of missing parts of a session. Returns true if the result is partial. */
bool inputs_warn_of_missing(const struct settings *settings, const struct session *session);

#endif
