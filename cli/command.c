/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/tree/merge.h"
#include "render/escape.h"
#include "session/no_match.h"
#include "cli/default_input.h"
#include "cli/health.h"
#include "cli/output.h"
#include "cli/progress.h"

/* Messages carry names out of captures, which must not steer the terminal. */
static void print_message(const char *text)
{
	struct sink sink;
	struct error ignored;

	sink_init_fd(&sink, STDERR_FILENO);
	sink_puts(&sink, "kiln: ");
	escape_terminal(&sink, text_of(text));
	sink_char(&sink, '\n');
	/* Where standard error is closed there is nobody to tell. */
	(void)!sink_flush(&sink, &ignored);
	sink_deinit(&sink);
}

/* Prints the message, or keeps it among notices where that is not NULL. */
static void say(struct notices *notices, double weight, const char *format, va_list args)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, args);
	if (notices)
		notices_add(notices, weight, text);
	else
		print_message(text);
}

void command_warn(const struct settings *settings, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!settings->is_quiet)
		say(NULL, 0, format, args);
	va_end(args);
}

void command_notice(const struct settings *settings, double weight, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!settings->is_quiet)
		say(settings->notices, weight, format, args);
	va_end(args);
}

void command_print_notices(const struct settings *settings)
{
	notices_print(settings->notices, settings->is_verbose, print_message);
}

enum exit_code command_fail(const struct error *err)
{
	char text[1024];

	print_message(error_text(err, text, sizeof(text)));
	return err->code == ERROR_USAGE ? EXIT_WRONG_USAGE : EXIT_IMPOSSIBLE;
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

/* Says what is missing of one input. Returns whether anything is that makes the answer partial. */
static bool tell_missing(const struct settings *settings, const struct course *course,
			 const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *reason = profile->partial_reason;
	bool is_partial = reason || profile->losses[LOSS_CORRUPT_RECORDS] ||
			  profile->losses[LOSS_UNKNOWN_IDS];

	if (!course->writes_health)
		health_warn(settings, session);
	else if (is_partial && !reason)
		reason = "records that are damaged, or of no known event, are left out";
	if (session->symbol_files.refusal.code != ERROR_NONE)
		command_warn(settings, "--symbols %s", session->symbol_files.refusal.text);
	if (settings->wants_stats)
		print_stats(session);
	if (reason)
		command_notice(settings, NOTICE_WRONG, "%s: partial: %s",
			       session->capture.input.name, reason);
	return is_partial;
}

static bool stat_input(const char *input, struct stat *ret)
{
	return (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, ret) : stat(input, ret)) == 0;
}

/* Whether the output would take the place of what is to be read. A terminal or a pipe may be both. */
static bool is_same_file(const char *input, const char *output)
{
	struct stat a;
	struct stat b;

	return output && stat_input(input, &a) && stat(output, &b) == 0 && S_ISREG(a.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Whether the output would be put among the files of a capture that is a folder. */
static bool is_inside(const char *input, const char *output)
{
	const char *slash = output ? strrchr(output, '/') : NULL;
	struct stat folder;
	struct stat parent;
	char *path;
	bool is_there;

	if (!output || stat(input, &folder) != 0 || !S_ISDIR(folder.st_mode))
		return false;
	path = slash ? memory_duplicate(output, (size_t)(slash + 1 - output))
		     : memory_duplicate(".", 1);
	is_there = stat(path, &parent) == 0;
	memory_free(path);
	return is_there && folder.st_dev == parent.st_dev && folder.st_ino == parent.st_ino;
}

bool command_check_files(const struct settings *settings, const text_list *inputs,
			 struct error *err)
{
	size_t stdin_count = 0;

	if (settings->output && !*settings->output)
		return error_set(err, ERROR_USAGE, "--output wants a name");
	for (size_t i = 0; i < inputs->count; i++) {
		if (is_same_file(inputs->at[i], settings->output) ||
		    is_inside(inputs->at[i], settings->output))
			return error_set(err, ERROR_USAGE,
					 "%s: is the input, or in it; choose another output",
					 settings->output);
		stdin_count += strcmp(inputs->at[i], "-") == 0;
	}
	if (stdin_count > 1)
		return error_set(err, ERROR_USAGE, "standard input can be read once only");
	return true;
}

static bool build(const struct settings *settings, const struct course *course,
		  struct session *session, struct error *err)
{
	struct progress progress;
	bool good;

	if (session->capture.has_only_counters && !course->writes_health)
		return error_set(
			err, ERROR_UNSUPPORTED,
			"%s: is a perf.data of `perf stat record`, counters without samples; kiln "
			"reads what `perf stat report -i` prints of it",
			session->capture.input.name);
	progress_begin(&progress, !settings->is_quiet);
	session->options.on_progress = progress_update;
	session->options.on_download = progress_fetch;
	session->options.progress_context = &progress;
	good = (course->prepare ? course->prepare : session_build_profile)(session, err);
	progress_end(&progress);
	/* What reads the samples again does so without it. */
	session->options.on_progress = NULL;
	session->options.on_download = NULL;
	return good;
}

static bool read_input(const struct settings *settings, const char *input,
		       const struct course *course, struct session *session, struct error *err)
{
	struct session_options options = settings_session(settings);

	options.is_read_once = course->reads_once;
	if (!session_open(session, input, &options, err))
		return false;
	if (build(settings, course, session, err))
		return true;
	session_close(session);
	return false;
}

bool command_build_profile(const struct settings *settings, struct session *session,
			   struct error *err)
{
	return build(settings, &(struct course){ 0 }, session, err);
}

bool command_take_profile(const struct settings *settings, struct session *session,
			  struct profile *ret)
{
	bool is_partial = tell_missing(settings, &(struct course){ 0 }, session);

	*ret = session_take_profile(session);
	return is_partial;
}

void command_write_line(const struct settings *settings, struct sink *sink)
{
	struct sink word;

	sink_init_memory(&word);
	sink_puts(sink, "kiln");
	for (char *const *at = settings->command_line + 1; *at; at++) {
		word.used = 0;
		if (settings->svg.shows_host)
			sink_puts(&word, *at);
		else
			private_path_write_word(&word, text_of(*at));
		sink_char(sink, ' ');
		escape_shell(sink, sink_memory(&word));
	}
	sink_char(sink, '\0');
	sink_deinit(&word);
}

/* One run of a command: what has been made of the inputs so far. */
struct run {
	const struct settings *settings;
	const struct course *course;
	struct output output;
	struct profile profile; /* of all inputs, where the course wants one */
	size_t input_count;     /* in it */
	bool are_several;       /* inputs */
	bool is_partial;
	bool has_match;        /* of an input something is selected */
	struct error no_match; /* why not, of the first of which nothing is */
};

/* Of several inputs one alone need have what is asked for. */
static void pass_over(struct run *run, const struct error *why)
{
	if (run->no_match.code == ERROR_NONE)
		run->no_match = *why;
	if (run->are_several)
		command_warn(run->settings, "%s", why->text);
}

/* Makes the session's profile part of the whole. */
static bool add_profile(struct run *run, struct session *session, struct error *err)
{
	if (run->input_count++) {
		return profile_merge(&run->profile, &session->profile, err) ||
		       error_prefix(err, "%s", session->capture.input.name);
	}
	profile_deinit(&run->profile);
	run->profile = session_take_profile(session);
	return true;
}

static bool write_each(struct run *run, struct session *session, struct error *err)
{
	const struct course *course = run->course;

	return !course->write_each ||
	       course->write_each(run->settings, session, &run->output.sink, err);
}

static bool take_input(struct run *run, const char *input, struct error *err)
{
	const struct course *course = run->course;
	struct session session;
	struct error why;
	bool has_match;
	bool good;

	if (!read_input(run->settings, input, course, &session, err)) {
		if (err->code != ERROR_NO_MATCH)
			return false;
		pass_over(run, err);
		return true;
	}
	has_match = session_has_match(&session, &why);
	good = !has_match || write_each(run, &session, err);
	/* Of single samples that is known when they were visited. */
	has_match = has_match && session_has_match(&session, &why);
	run->has_match |= has_match;
	if (!has_match) {
		error_prefix(&why, "%s", session.capture.input.name);
		pass_over(run, &why);
	}
	run->is_partial |= good && tell_missing(run->settings, course, &session);
	good = good && (!has_match || !course->write_all || add_profile(run, &session, err));
	session_close(&session);
	return good;
}

static bool take_inputs(struct run *run, const text_list *inputs, struct error *err)
{
	run->are_several = inputs->count > 1;
	for (size_t i = 0; i < inputs->count; i++)
		if (!take_input(run, inputs->at[i], err))
			return false;
	if (!run->has_match && run->are_several)
		return error_set(err, ERROR_NO_MATCH, "nothing of these %zu inputs is selected",
				 inputs->count);
	if (!run->has_match) {
		*err = run->no_match;
		return false;
	}
	return !run->course->write_all ||
	       run->course->write_all(run->settings, &run->profile, &run->output.sink, err);
}

static bool run_course(struct run *run, const text_list *inputs, struct error *err)
{
	/* What cannot be written is said before anything is read, not after. */
	if (!command_check_files(run->settings, inputs, err) ||
	    !output_open(&run->output, run->settings->output, err))
		return false;
	if (take_inputs(run, inputs, err))
		return output_commit(&run->output, err);
	output_discard(&run->output);
	return false;
}

enum exit_code command_run(const struct settings *settings, const struct course *course)
{
	struct run run = { .settings = settings, .course = course };
	const char *only_input = NULL;
	text_list inputs = { .at = &only_input, .count = 1 };
	enum exit_code code = EXIT_DONE;
	struct error err;

	if (settings->inputs.count)
		inputs = settings->inputs;
	else if (!default_input_find(&only_input, settings->is_quiet, &err))
		return command_fail(&err);
	profile_init(&run.profile);
	if (!run_course(&run, &inputs, &err))
		code = command_fail(&err);
	else if (run.is_partial)
		code = EXIT_PARTIAL;
	if (code != EXIT_IMPOSSIBLE && code != EXIT_WRONG_USAGE && course->announce)
		course->announce(&run.profile);
	profile_deinit(&run.profile);
	return code;
}
