/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/notices.h"
#include "cli/progress.h"
#include "profile/tree/join_builds.h"
#include "profile/tree/merge.h"
#include "session/no_match.h"

#define DEFAULT_FILE "perf.data"
/*
 * Standard input may have been left open by mistake. If this directory has a perf.data file, which
 * kiln could read instead, kiln prints after this time that it waits for standard input.
 */
#define PATIENCE_MS 3000

static bool has_default_file(void)
{
	return access(DEFAULT_FILE, F_OK) == 0;
}

/* Waits until standard input has data, or has ended. */
static void wait_for_stdin(bool is_quiet)
{
	struct pollfd poll_fd = { .fd = STDIN_FILENO, .events = POLLIN };
	int timeout_ms = !is_quiet && has_default_file() ? PATIENCE_MS : -1;
	int count;

	while ((count = poll(&poll_fd, 1, timeout_ms)) <= 0) {
		if (count < 0 && errno != EINTR)
			return;
		if (count == 0)
			fprintf(stderr,
				"kiln: waiting for data on standard input; to read ./%s, name it "
				"as the input\n",
				DEFAULT_FILE);
		timeout_ms = count == 0 ? -1 : timeout_ms;
	}
}

/*
 * Whether standard input is a file without data after its current offset, or a pipe that ended
 * without data.
 */
static bool is_stdin_empty(const struct stat *status, bool is_quiet)
{
	off_t at;
	int count = 0;

	if (S_ISREG(status->st_mode)) {
		at = lseek(STDIN_FILENO, 0, SEEK_CUR);
		return status->st_size <= (at > 0 ? at : 0);
	}
	wait_for_stdin(is_quiet);
	return ioctl(STDIN_FILENO, FIONREAD, &count) == 0 && count == 0;
}

static bool find_default_input(const char **ret, bool is_quiet, struct error *err)
{
	struct stat status;

	if (fstat(STDIN_FILENO, &status) != 0 ||
	    !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISREG(status.st_mode))) {
		*ret = DEFAULT_FILE;
		return has_default_file() ||
		       error_set(err, ERROR_USAGE,
				 "no input: standard input is neither a pipe nor a file, and "
				 "./" DEFAULT_FILE " does not exist; give a capture as the input");
	}
	*ret = "-";
	return !is_stdin_empty(&status, is_quiet) ||
	       error_set(err, ERROR_FORMAT, "standard input is empty; %s",
			 has_default_file() ? "to read ./" DEFAULT_FILE ", give it as the input"
					    : "give a capture as the input");
}

static bool stat_input(const char *input, struct stat *ret)
{
	return (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, ret) : stat(input, ret)) == 0;
}

/* Only regular files are compared, because a terminal or a pipe can be both input and output. */
static bool is_same_file(const char *input, const char *output)
{
	struct stat a;
	struct stat b;

	return stat_input(input, &a) && stat(output, &b) == 0 && S_ISREG(a.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Whether the input is a directory, and the output file would be in it. */
static bool is_inside(const char *input, const char *output)
{
	const char *slash = strrchr(output, '/');
	struct stat directory;
	struct stat parent;
	char *path;
	bool is_there;

	if (stat(input, &directory) != 0 || !S_ISDIR(directory.st_mode))
		return false;
	path = slash ? memory_duplicate(output, (size_t)(slash + 1 - output))
		     : memory_duplicate(".", 1);
	is_there = stat(path, &parent) == 0;
	memory_free(path);
	return is_there && directory.st_dev == parent.st_dev && directory.st_ino == parent.st_ino;
}

bool inputs_check_paths(const struct settings *settings, const text_list *paths, struct error *err)
{
	const char *output = settings->output;
	size_t stdin_count = 0;

	if (output && !*output)
		return error_set(err, ERROR_USAGE, "--output requires a file name");
	for (size_t i = 0; i < paths->count; i++) {
		if (!*paths->at[i])
			return error_set(err, ERROR_USAGE,
					 "an input has an empty name; is a shell variable unset?");
		if (output &&
		    (is_same_file(paths->at[i], output) || is_inside(paths->at[i], output)))
			return error_set(err, ERROR_USAGE,
					 "%s: the output is an input file, or is inside an input "
					 "directory; choose another output",
					 output);
		stdin_count += strcmp(paths->at[i], "-") == 0;
	}
	if (stdin_count > 1)
		return error_set(err, ERROR_USAGE, "standard input can be read only once");
	return true;
}

struct input_file {
	dev_t device;
	ino_t inode;
	size_t index; /* of the path */
};

static int compare_files(const void *a, const void *b)
{
	const struct input_file *left = a;
	const struct input_file *right = b;

	if (left->device != right->device)
		return left->device < right->device ? -1 : 1;
	if (left->inode != right->inode)
		return left->inode < right->inode ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

size_t inputs_count_repeats(const text_list *paths, size_t begin, size_t *first_ret)
{
	VEC(struct input_file) files = { .at = NULL };
	size_t first = paths->count;
	size_t count = 0;
	struct stat status;

	for (size_t i = 0; i < paths->count; i++)
		if (stat_input(paths->at[i], &status) && S_ISREG(status.st_mode))
			vec_push(&files, (struct input_file){ status.st_dev, status.st_ino, i });
	if (files.count)
		qsort(files.at, files.count, sizeof(*files.at), compare_files);
	for (size_t i = 1; i < files.count; i++) {
		if (files.at[i].device != files.at[i - 1].device ||
		    files.at[i].inode != files.at[i - 1].inode ||
		    (begin && (files.at[i].index < begin || files.at[i - 1].index >= begin)))
			continue;
		count++;
		first = files.at[i].index < first ? files.at[i].index : first;
	}
	vec_free(&files);
	*first_ret = first;
	return count;
}

void inputs_warn_of_repeats(const struct settings *settings, const text_list *paths)
{
	size_t first;
	size_t count = inputs_count_repeats(paths, 0, &first);

	if (count == 1)
		command_warn(settings, "%s: the same file as an earlier input; both are counted",
			     paths->at[first]);
	else if (count)
		command_warn(
			settings,
			"%zu inputs, such as %s, are the same files as earlier inputs; all are "
			"counted",
			count, paths->at[first]);
}

bool inputs_read_session(const struct settings *settings, struct session *session,
			 session_reader *read, struct error *err)
{
	struct progress progress;
	bool good;

	if (session->capture.has_only_counters && !settings->reports_missing)
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: this is a perf.data file from `perf stat record`, which has "
				 "counters but no samples; use the output of `perf stat report -i`",
				 session->capture.input.name);
	progress_begin(&progress, !settings->is_quiet);
	session->options.on_progress = progress_update;
	session->options.on_download = progress_fetch;
	session->options.progress_context = &progress;
	good = read(session, err);
	progress_end(&progress);
	session->options.on_progress = NULL;
	session->options.on_download = NULL;
	return good;
}

static void print_stats(const struct session *session)
{
	double total = 0;

	for (int i = 0; i < STAGE_COUNT; i++) {
		fprintf(stderr, "%-8s %8.1f ms\n", session_stage_name((enum session_stage)i),
			session->stage_seconds[i] * 1e3);
		total += session->stage_seconds[i];
	}
	fprintf(stderr, "%-8s %8.1f ms\n", "all", total * 1e3);
}

bool inputs_warn_of_missing(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *reason = profile->partial_reason;
	bool is_partial = reason || profile->losses[LOSS_CORRUPT_RECORDS] ||
			  profile->losses[LOSS_UNKNOWN_IDS];

	if (!settings->reports_missing)
		health_warn(settings, session);
	else if (is_partial && !reason)
		reason = "corrupt records or records of unknown events were skipped";
	if (session->symbol_files.refusal.code != ERROR_NONE)
		command_warn(settings, "--symbols %s", session->symbol_files.refusal.text);
	if (settings->wants_stats)
		print_stats(session);
	if (reason)
		command_notice(settings, NOTICE_WRONG, "%s: partial: %s",
			       session->capture.input.name, reason);
	return is_partial;
}

/* If an input has no selected samples, and there are other inputs, its error becomes a warning. */
static void skip_input(struct inputs *inputs, const struct error *why)
{
	if (inputs->no_match.code == ERROR_NONE)
		inputs->no_match = *why;
	if (inputs->paths.count > 1)
		command_warn(inputs->settings, "%s", why->text);
}

static void note_failure(struct inputs *inputs)
{
	if (inputs->err.code == ERROR_NO_MATCH)
		skip_input(inputs, &inputs->err);
	else
		inputs->has_failed = true;
}

bool inputs_next(struct inputs *inputs)
{
	struct session_options options = settings_session(inputs->settings);

	while (!inputs->has_failed && inputs->next < inputs->paths.count) {
		const char *path = inputs->paths.at[inputs->next++];

		inputs->is_open = session_open(&inputs->session, path, &options, &inputs->err);
		if (inputs->is_open) {
			/* Different events cannot be added up. */
			inputs->session.view.preferred_event = inputs->event;
			return true;
		}
		note_failure(inputs);
	}
	return false;
}

bool inputs_read(struct inputs *inputs, session_reader *read)
{
	struct error ignored;

	if (inputs_read_session(inputs->settings, &inputs->session, read, &inputs->err))
		return session_has_match(&inputs->session, &ignored);
	session_close(&inputs->session);
	inputs->is_open = false;
	note_failure(inputs);
	return false;
}

void inputs_check(struct inputs *inputs, bool is_good)
{
	inputs->has_failed |= !is_good;
}

static void add_profile(struct inputs *inputs, struct profile *sum)
{
	struct session *session = &inputs->session;

	if (!inputs->added_count++) {
		profile_deinit(sum);
		*sum = session_take_profile(session);
		inputs->event = strings_text(sum->strings, sum->event_name);
	} else if (!profile_merge(sum, &session->profile,
				  inputs->settings->view.naming.parts_modules, &inputs->err)) {
		inputs->has_failed = true;
		error_prefix(&inputs->err, "%s", session->capture.input.name);
	}
}

void inputs_close(struct inputs *inputs, struct profile *sum)
{
	struct session *session = &inputs->session;
	struct error why;
	bool has_match;

	if (!inputs->is_open)
		return;
	has_match = session_has_match(session, &why);
	inputs->has_match |= has_match;
	if (!has_match) {
		error_prefix(&why, "%s", session->capture.input.name);
		skip_input(inputs, &why);
	}
	if (!inputs->has_failed) {
		inputs->is_partial |= inputs_warn_of_missing(inputs->settings, session);
		if (has_match && sum)
			add_profile(inputs, sum);
	}
	session_close(session);
	inputs->is_open = false;
}

bool inputs_finish(struct inputs *inputs)
{
	if (inputs->has_failed || inputs->has_match)
		return !inputs->has_failed;
	if (inputs->paths.count > 1)
		error_set(&inputs->err, ERROR_NO_MATCH,
			  "none of the %zu inputs contains a selected sample", inputs->paths.count);
	else
		inputs->err = inputs->no_match;
	inputs->has_failed = true;
	return false;
}

bool inputs_build_profile(struct inputs *inputs, session_reader *read, struct profile *ret)
{
	profile_init(ret);
	if (!inputs->has_failed)
		inputs_warn_of_repeats(inputs->settings, &inputs->paths);
	while (inputs_next(inputs)) {
		(void)!inputs_read(inputs, read);
		inputs_close(inputs, ret);
	}
	if (inputs->paths.count > 1 && !inputs->has_failed)
		health_warn_of_overflow(inputs->settings, "all inputs", ret);
	join_builds(ret);
	return inputs_finish(inputs);
}

void command_open(struct inputs *inputs, struct output *output, const struct settings *settings)
{
	*inputs = (struct inputs){ .settings = settings, .paths = settings->inputs };
	*output = (struct output){ .fd = -1 };
	if (!inputs->paths.count) {
		inputs->paths.at = &inputs->default_path;
		inputs->paths.count = 1;
		inputs_check(inputs, find_default_input(&inputs->default_path, settings->is_quiet,
							&inputs->err));
	}
	/* Check that the output can be written before any input is read. */
	if (!inputs->has_failed)
		inputs_check(inputs, inputs_check_paths(settings, &inputs->paths, &inputs->err) &&
					     output_open(output, settings->output, &inputs->err));
}

enum exit_code command_close(struct inputs *inputs, struct output *output)
{
	inputs_check(inputs, output_close(output, !inputs->has_failed, &inputs->err));
	if (inputs->has_failed)
		return command_fail(&inputs->err);
	return inputs->is_partial ? EXIT_PARTIAL : EXIT_DONE;
}
