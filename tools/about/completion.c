/* SPDX-License-Identifier: MIT */
#include "tools/about/completion.h"

#include <stdio.h>
#include <sys/stat.h>

#include "cli/inputs.h"
#include "tools/about/commands.h"
#include "tools/about/help.h"

/*
 * Larger captures are not read, because reading a capture of this size takes a tenth of a second,
 * and users do not wait longer for a completion.
 */
#define CAPTURE_BYTES_MAX (32 << 20)
/* The maximum number of lines printed. No terminal shows more. */
#define NAMES_MAX 1000

/* The word to complete. For "a,b", this is "b"; each printed line begins with "a,". */
struct completion {
	struct text before, word;
	size_t count; /* of printed lines */
};

static void print_word(struct completion *wanted, struct text word, const char *help)
{
	if (!word.length || word.length < wanted->word.length ||
	    memcmp(word.at, wanted->word.at, wanted->word.length) != 0 ||
	    wanted->count >= NAMES_MAX)
		return;
	/* Each line is one word, so names with newlines or other control characters are omitted. */
	for (uint32_t i = 0; i < word.length; i++)
		if ((unsigned char)word.at[i] < ' ' || word.at[i] == 0x7f)
			return;
	wanted->count++;
	printf("%.*s%.*s", (int)wanted->before.length, wanted->before.at, (int)word.length,
	       word.at);
	printf("%s%s\n", help ? "\t" : "", help ? help : "");
}

static struct completion completion_of(const char *word)
{
	return (struct completion){ .before = { word, 0 }, .word = text_of(word) };
}

/* Divides the wanted word after its last separator. */
static void divide(struct completion *wanted, char separator)
{
	const char *at = memrchr(wanted->word.at, separator, wanted->word.length);
	uint32_t length = at ? (uint32_t)(at + 1 - wanted->word.at) : 0;

	wanted->before.length += length;
	wanted->word.at += length;
	wanted->word.length -= length;
}

static void print_commands(struct completion *wanted)
{
	for (const struct command *const *at = commands; *at; at++)
		print_word(wanted, text_of((*at)->name), (*at)->summary);
}

static void print_first(struct completion *wanted)
{
	print_commands(wanted);
	print_word(wanted, text_of("help"), "print the help of a command, or a guide");
	/* Options are rare as the first word, so list them only after a "-". */
	if (*wanted->word.at != '-')
		return;
	print_word(wanted, text_of("--help"), "list the commands");
	print_word(wanted, text_of("--version"), "print the version");
}

static void print_topics(struct completion *wanted)
{
	const char *guide;

	print_commands(wanted);
	for (size_t i = 0; (guide = help_topic(i)) != NULL; i++)
		print_word(wanted, text_of(guide), "guide");
}

static void print_options(struct completion *wanted, const struct command *command)
{
	char name[64];

	for (const struct option_group *const *group = command->groups; *group; group++)
		for (const struct option *row = (*group)->options; row->name; row++) {
			if (!row->help)
				continue;
			snprintf(name, sizeof(name), "--%s", row->name);
			print_word(wanted, text_of(name), row->help);
		}
}

static void print_choices(struct completion *wanted, const struct option *option)
{
	for (size_t i = 0; option->choices[i]; i++)
		print_word(wanted, text_of(option->choices[i]), NULL);
}

/* An option whose values are names in a capture, and the command that prints these names. */
struct value_source {
	const char *option;
	const struct command *command;
};

static void print_events(struct completion *wanted, const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].sample_count)
			print_word(wanted,
				   strings_get(profile->strings, profile->events.at[i].name), NULL);
}

static void print_dsos(struct completion *wanted, const struct profile *profile)
{
	for (size_t i = 1; i < profile->modules->rows.count; i++) {
		const struct module *module = &profile->modules->rows.at[i];

		if (module->location_count && module->kind != MODULE_MARK)
			print_word(wanted,
				   text_basename(strings_get(profile->strings, module->path)),
				   NULL);
	}
}

/* Stacks are grouped by comm. */
static void print_comms(struct completion *wanted, const struct profile *profile)
{
	for (size_t i = 0; i < profile->frames.count; i++)
		if (profile->frames.at[i].kind == FRAME_GROUP)
			print_word(wanted,
				   strings_get(profile->strings, profile->frames.at[i].name), NULL);
}

static void print_functions(struct completion *wanted, const struct profile *profile)
{
	for (size_t i = 0; i < profile->frames.count; i++)
		if (profile->frames.at[i].is_named && profile->frames.at[i].kind != FRAME_GROUP)
			print_word(wanted,
				   strings_get(profile->strings, profile->frames.at[i].name), NULL);
}

typedef void names_printer(struct completion *wanted, const struct profile *profile);

/* The word to complete is the last word of the command line. */
static enum exit_code print_names(struct settings *settings, names_printer *print, bool is_list)
{
	char **words = settings->command_line;
	struct completion wanted;
	struct inputs inputs;
	struct output output;

	while (words[1])
		words++;
	wanted = completion_of(words[0]);
	if (strncmp(words[0], "--", 2) == 0 || strcmp(words[0], "=") == 0)
		divide(&wanted, '=');
	if (is_list)
		divide(&wanted, ',');
	settings->reports_missing = true;
	command_open(&inputs, &output, settings);
	while (inputs_next(&inputs)) {
		if (inputs_read(&inputs, session_build_profile))
			print(&wanted, &inputs.session.profile);
		inputs_close(&inputs, NULL);
	}
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static enum exit_code run_events(struct settings *settings)
{
	return print_names(settings, print_events, false);
}

static enum exit_code run_dsos(struct settings *settings)
{
	return print_names(settings, print_dsos, true);
}

static enum exit_code run_comms(struct settings *settings)
{
	return print_names(settings, print_comms, true);
}

static enum exit_code run_functions(struct settings *settings)
{
	return print_names(settings, print_functions, true);
}

static const struct option_group *const groups[] = { &settings_symbols, &settings_resolving,
						     &settings_common, NULL };

static const struct command event_values = { .name = "complete",
					     .groups = groups,
					     .run = run_events };
static const struct command dso_values = { .name = "complete", .groups = groups, .run = run_dsos };
static const struct command comm_values = { .name = "complete",
					    .groups = groups,
					    .run = run_comms };
static const struct command function_values = { .name = "complete",
						.groups = groups,
						.run = run_functions };

static const struct value_source sources[] = {
	{ "event", &event_values },      { "comm", &comm_values },
	{ "dso", &dso_values },          { "symbol", &function_values },
	{ "callers", &function_values }, { "callees", &function_values },
	{ "peek", &function_values },
};

static const struct command *find_source(const struct option *option)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (strcmp(sources[i].option, option->name) == 0)
			return sources[i].command;
	return NULL;
}

/* Whether reading the file is cheap and has no side effects, as draining a FIFO would be. */
static bool is_cheap(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       status.st_size <= CAPTURE_BYTES_MAX;
}

/* Finds the first word that is a file, or ./perf.data. */
static const char *find_capture(char **words)
{
	for (; words[0] && words[1]; words++)
		if (is_cheap(words[0]))
			return words[0];
	return is_cheap("perf.data") ? "perf.data" : NULL;
}

/*
 * Prints the values of an option, or sets `arguments` and returns the command that prints the
 * values.
 */
static const struct command *complete_value(struct completion *wanted, char **words,
					    const struct option *option,
					    const char *arguments[COMPLETION_ARGUMENTS])
{
	const struct command *source = find_source(option);
	const char *capture = source ? find_capture(words) : NULL;

	if (option->choices)
		print_choices(wanted, option);
	if (strcmp(option->name, "input-format") == 0)
		for (const struct input_format *const *at = formats_table; *at; at++)
			print_word(wanted, text_of((*at)->name), (*at)->summary);
	if (!capture)
		return NULL;
	arguments[0] = "--quiet";
	arguments[1] = "--no-inline";
	arguments[2] = "--";
	arguments[3] = capture;
	arguments[4] = NULL;
	return source;
}

static bool has_value(const struct option *option)
{
	return option && option->kind != OPTION_FLAG && option->kind != OPTION_CONSTANT &&
	       option->kind != OPTION_FOREIGN;
}

static const struct option *find_letter(const struct command *command, char letter)
{
	for (const struct option_group *const *group = command->groups; *group; group++)
		for (const struct option *row = (*group)->options; row->name; row++)
			if (row->short_name == letter)
				return row;
	return NULL;
}

/* Finds the option that this word names, if its value is the next word. */
static const struct option *find_option(const struct command *command, const char *word)
{
	const struct option *option = NULL;

	if (word[0] != '-' || !word[1])
		return NULL;
	if (word[1] == '-')
		option = options_find(command->groups, text_of(word + 2));
	else if (!word[2])
		option = find_letter(command, word[1]);
	return has_value(option) ? option : NULL;
}

/* Finds the option in --name=VALUE, which bash divides into three words. */
static const struct option *find_attached(struct completion *wanted, const struct command *command,
					  char **words, size_t last)
{
	const char *equals = strchr(words[last], '=');
	struct text name = { words[last] + 2, 0 };

	if (strcmp(words[last], "=") == 0 && last >= 1) {
		divide(wanted, '=');
		return find_option(command, words[last - 1]);
	}
	if (last >= 2 && strcmp(words[last - 1], "=") == 0)
		return find_option(command, words[last - 2]);
	if (strncmp(words[last], "--", 2) != 0 || !equals)
		return NULL;
	name.length = (uint32_t)(equals - name.at);
	divide(wanted, '=');
	return options_find(command->groups, name);
}

static const struct command *complete_command(struct completion *wanted,
					      const struct command *command, char **words,
					      size_t last,
					      const char *arguments[COMPLETION_ARGUMENTS])
{
	const struct option *option = find_attached(wanted, command, words, last);

	if (!option && last >= 1)
		option = find_option(command, words[last - 1]);
	if (option && (option->kind != OPTION_MAYBE || strchr(words[last], '=')))
		return complete_value(wanted, words, option, arguments);
	if (*words[last] == '-')
		print_options(wanted, command);
	return NULL;
}

const struct command *completion_print(char **words, const char *arguments[COMPLETION_ARGUMENTS])
{
	const struct command *command;
	struct completion wanted;
	size_t last = 0;

	if (words[0] && strcmp(words[0], "--") == 0)
		words++;
	if (!words[0])
		return NULL;
	while (words[last + 1])
		last++;
	wanted = completion_of(words[last]);
	command = last ? commands_find(words[0]) : NULL;
	if (!last)
		print_first(&wanted);
	else if (strcmp(words[0], "help") == 0)
		print_topics(&wanted);
	return command ? complete_command(&wanted, command, words, last, arguments) : NULL;
}
