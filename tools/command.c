/* SPDX-License-Identifier: MIT */
#include "tools/command.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "render/escape.h"
#include "tools/health.h"
#include "tools/output.h"
#include "tools/progress.h"

#define DEFAULT_INPUT "perf.data"

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

void command_warn(const struct settings *settings, const char *format, ...)
{
	char text[2048];
	va_list args;

	if (settings->is_quiet)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_message(text);
}

enum exit_code command_fail(const struct error *err)
{
	char text[1024];

	print_message(error_text(err, text, sizeof(text)));
	return err->code == ERROR_USAGE ? EXIT_WRONG_USAGE : EXIT_IMPOSSIBLE;
}

static const char *input_path(const struct settings *settings)
{
	if (settings->inputs.count)
		return settings->inputs.at[0];
	return isatty(STDIN_FILENO) ? DEFAULT_INPUT : "-";
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

static enum exit_code finish(const struct settings *settings, struct session *session)
{
	const struct profile *profile = &session->profile;

	health_warn(settings, session);
	if (settings->wants_stats)
		print_stats(session);
	if (!profile->partial_reason)
		return profile->losses[LOSS_DAMAGED_RECORDS] || profile->losses[LOSS_UNKNOWN_IDS]
			       ? EXIT_PARTIAL
			       : EXIT_DONE;
	command_warn(settings, "%s: partial: %s", session->capture.input.name,
		     profile->partial_reason);
	return EXIT_PARTIAL;
}

/* Whether the output would take the place of what is to be read. */
static bool is_same_file(const char *input, const char *output)
{
	struct stat a;
	struct stat b;

	return output && strcmp(input, "-") != 0 && stat(input, &a) == 0 && stat(output, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool check_files(const struct settings *settings, const char *input, struct error *err)
{
	if (settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE, "one input at a time, please");
	if (is_same_file(input, settings->output))
		return error_set(err, ERROR_USAGE, "%s: is the input; choose another output",
				 input);
	return true;
}

static bool write_output(const struct settings *settings, struct session *session,
			 command_write *write, struct output *output, struct error *err)
{
	if (write(settings, session, &output->sink, err))
		return output_commit(output, err);
	output_discard(output);
	return false;
}

static bool read_input(const struct settings *settings, const char *input, struct session *session,
		       bool (*prepare)(struct session *session, struct error *err),
		       struct error *err)
{
	struct session_options options = settings_session(settings);
	struct progress progress;
	bool good;

	progress_begin(&progress, !settings->is_quiet);
	options.on_progress = progress_update;
	options.progress_context = &progress;
	if (!session_open(session, input, &options, err))
		return false;
	good = (prepare ? prepare : session_build_profile)(session, err);
	progress_end(&progress);
	if (!good)
		session_close(session);
	return good;
}

enum exit_code command_run(const struct settings *settings,
			   bool (*prepare)(struct session *session, struct error *err),
			   command_write *write, void (*announce)(const struct session *session))
{
	const char *input = input_path(settings);
	struct session session;
	struct output output;
	struct error err;
	enum exit_code code;

	/* What cannot be written is said before the capture is read, not after. */
	if (!check_files(settings, input, &err) || !output_open(&output, settings->output, &err))
		return command_fail(&err);
	if (!read_input(settings, input, &session, prepare, &err)) {
		output_discard(&output);
		return command_fail(&err);
	}
	if (write_output(settings, &session, write, &output, &err)) {
		if (announce)
			announce(&session);
		code = finish(settings, &session);
	} else {
		code = command_fail(&err);
	}
	session_close(&session);
	return code;
}
