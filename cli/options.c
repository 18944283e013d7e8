/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <strings.h>

#include "base/near_name.h"
#include "base/scan.h"

struct option_parser {
	const struct option_group *const *groups;
	int argc, at;
	char **argv;
	char *settings;
	text_list *inputs;
	bool is_perl;
	option_owner *owner; /* may be NULL */
};

static const struct option *find_short(const struct option_parser *parser, char name)
{
	for (const struct option_group *const *group = parser->groups; *group; group++)
		for (const struct option *row = (*group)->options; row->name; row++)
			if (row->short_name == name)
				return row;
	return NULL;
}

static bool matches_name(const struct option_parser *parser, const struct option *row,
			 struct text name)
{
	if (parser->is_perl)
		return strncasecmp(row->name, name.at, name.length) == 0;
	return strncmp(row->name, name.at, name.length) == 0 &&
	       (row->help || !row->name[name.length]);
}

/* Only kiln's own commands have an owner callback, and --help=all. */
static const char *help_advice(const struct option_parser *parser)
{
	return parser->owner ? "; --help=all lists the options" : "";
}

static bool refuse_unknown(const struct option_parser *parser, struct text name, struct error *err)
{
	struct near_name near = near_name_of(name);
	const char *owner = parser->owner ? parser->owner(name) : NULL;

	if (owner)
		return error_set(err, ERROR_USAGE,
				 "--%.*s is an option of kiln %s, not of this "
				 "command",
				 (int)name.length, name.at, owner);
	for (const struct option_group *const *group = parser->groups; *group; group++)
		for (const struct option *row = (*group)->options; row->name; row++)
			if (row->help)
				near_name_offer(&near, text_of(row->name));
	if (near.found.at)
		return error_set(err, ERROR_USAGE, "unknown option --%.*s; did you mean --%s?",
				 (int)name.length, name.at, near.found.at);
	return error_set(err, ERROR_USAGE, "unknown option --%.*s%s", (int)name.length, name.at,
			 help_advice(parser));
}

static bool refuse_foreign(const struct option *row, const char *name, struct error *err)
{
	return error_set(err, ERROR_USAGE, "%s is an option of %s", name, row->answer);
}

/* Finds an option by its name or an unambiguous abbreviation. */
static const struct option *find_long(const struct option_parser *parser, struct text name,
				      struct error *err)
{
	const struct option *found = NULL;
	bool is_ambiguous = false;

	for (const struct option_group *const *group = parser->groups; *group; group++) {
		for (const struct option *row = (*group)->options; row->name; row++) {
			if (!matches_name(parser, row, name))
				continue;
			if (row->name[name.length] == '\0')
				return row;
			is_ambiguous = found != NULL;
			found = row;
		}
	}
	if (!found)
		refuse_unknown(parser, name, err);
	else if (is_ambiguous)
		error_set(err, ERROR_USAGE, "--%.*s is ambiguous", (int)name.length, name.at);
	return is_ambiguous ? NULL : found;
}

const struct option *options_find(const struct option_group *const *groups, struct text name)
{
	for (const struct option_group *const *group = groups; *group; group++)
		for (const struct option *row = (*group)->options; row->name; row++)
			if (row->help && text_is(name, row->name))
				return row;
	return NULL;
}

static bool set_number(const struct option *row, const char *value, void *field, struct error *err)
{
	uint64_t number;

	if (!text_to_u64(text_of(value), &number) || number < row->minimum || number > row->maximum)
		return error_set(err, ERROR_USAGE,
				 "--%s requires a number from %" PRIu64 " to %" PRIu64
				 ", not \"%s\"",
				 row->name, row->minimum, row->maximum, value);
	*(uint64_t *)field = number;
	return true;
}

/* Parses a size. Units are powers of 1024, as in dd and perf record -m. */
static bool set_size(const struct option *row, const char *value, void *field, struct error *err)
{
	static const char units[] = "KMGT";
	struct text digits = text_of(value);
	const char *unit = NULL;
	uint64_t number;

	if (digits.length)
		unit = strchr(units, toupper((unsigned char)value[digits.length - 1]));
	if (unit)
		digits.length--;
	if (!text_to_u64(digits, &number) || (!number && !row->accepts_zero) ||
	    number > UINT64_MAX >> (unit ? 10 * (unit - units + 1) : 0))
		return error_set(err, ERROR_USAGE,
				 "--%s requires a size such as 500M or 2G, not \"%s\"", row->name,
				 value);
	number <<= unit ? 10 * (unit - units + 1) : 0;
	if (number < row->minimum)
		return error_set(err, ERROR_USAGE, "--%s requires at least %" PRIu64 " bytes",
				 row->name, row->minimum);
	if (row->maximum && number > row->maximum)
		return error_set(err, ERROR_USAGE, "--%s requires at most %" PRIu64 " bytes",
				 row->name, row->maximum);
	*(uint64_t *)field = number;
	return true;
}

static bool set_real(const struct option *row, const char *value, void *field, struct error *err)
{
	char *end;
	double number;

	errno = 0;
	number = strtod(value, &end);
	/* strtod would also accept blanks, signs, "inf" and hexadecimal numbers. */
	if (errno || end == value || *end || value[strspn(value, "0123456789.")])
		return error_set(err, ERROR_USAGE, "--%s requires a number, not \"%s\"", row->name,
				 value);
	if (row->maximum && number > (double)row->maximum)
		return error_set(err, ERROR_USAGE,
				 "--%s requires a number from 0 to %" PRIu64 ", not \"%s\"",
				 row->name, row->maximum, value);
	*(double *)field = number;
	return true;
}

/* Appends "kiln (default), hot, mem". mark: the text after the default, such as " (default)". */
static void list_choices(const struct option *row, const char *mark, char *text, size_t size)
{
	for (int i = 0; row->choices[i]; i++) {
		size_t length = strlen(text);

		snprintf(text + length, size - length, "%s%s%s", i ? ", " : "", row->choices[i],
			 i ? "" : mark);
	}
}

static bool set_choice(const struct option *row, const char *value, void *field, struct error *err)
{
	char known[200] = "";

	for (int i = 0; row->choices[i]; i++)
		if (strcmp(row->choices[i], value) == 0) {
			*(int *)field = i;
			return true;
		}
	list_choices(row, "", known, sizeof(known));
	return error_set(err, ERROR_USAGE, "--%s must be one of %s, not \"%s\"", row->name, known,
			 value);
}

static bool set_value(const struct option_parser *parser, const struct option *row,
		      const char *value, struct error *err)
{
	void *field = parser->settings + row->offset;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return true;
	case OPTION_MAYBE:
		*(const char **)field = value ? value : "";
		return true;
	case OPTION_TEXT:
		*(const char **)field = value;
		return true;
	case OPTION_LIST:
		vec_push((text_list *)field, value);
		return true;
	case OPTION_NUMBER:
		return set_number(row, value, field, err);
	case OPTION_SIZE:
		return set_size(row, value, field, err);
	case OPTION_REAL:
		return set_real(row, value, field, err);
	case OPTION_CHOICE:
		return set_choice(row, value, field, err);
	case OPTION_CONSTANT:
		*(int *)field = (int)row->minimum;
		return true;
	case OPTION_FOREIGN:
		break;
	}
	return false;
}

static bool has_value(const struct option *row)
{
	return row->kind != OPTION_FLAG && row->kind != OPTION_CONSTANT;
}

/* Accepts an option. attached: the value after "=" or directly after the letter; or NULL. */
static bool accept_option(struct option_parser *parser, const struct option *row,
			  const char *attached, struct error *err)
{
	if (!has_value(row)) {
		if (attached)
			return error_set(err, ERROR_USAGE, "--%s takes no value", row->name);
		return set_value(parser, row, NULL, err);
	}
	if (!attached && row->kind != OPTION_MAYBE) {
		if (parser->at >= parser->argc)
			return error_set(err, ERROR_USAGE, "--%s requires a value: %s", row->name,
					 row->argument);
		attached = parser->argv[parser->at++];
	}
	return set_value(parser, row, attached, err);
}

static bool parse_long(struct option_parser *parser, const char *name, struct error *err)
{
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option *row = find_long(parser, (struct text){ name, (uint32_t)length }, err);
	char shown[64];

	if (row && row->kind == OPTION_FOREIGN) {
		snprintf(shown, sizeof(shown), "--%s", row->name);
		return refuse_foreign(row, shown, err);
	}
	return row && accept_option(parser, row, equals ? equals + 1 : NULL, err);
}

static bool parse_short(struct option_parser *parser, const char *letters, struct error *err)
{
	for (; *letters; letters++) {
		const struct option *row = find_short(parser, *letters);

		if (!row)
			return error_set(err, ERROR_USAGE, "unknown option -%c%s", *letters,
					 help_advice(parser));
		if (row->kind == OPTION_FOREIGN)
			return refuse_foreign(row, (char[]){ '-', *letters, '\0' }, err);
		if (has_value(row) && row->kind != OPTION_MAYBE)
			return accept_option(parser, row, letters[1] ? letters + 1 : NULL, err);
		if (!accept_option(parser, row, NULL, err))
			return false;
	}
	return true;
}

static bool parse_all(struct option_parser *parser, struct error *err)
{
	bool only_inputs = false;

	while (parser->at < parser->argc) {
		const char *argument = parser->argv[parser->at++];

		if (only_inputs || argument[0] != '-' || !argument[1]) {
			vec_push(parser->inputs, argument);
		} else if (argument[1] != '-') {
			if (parser->is_perl ? !parse_long(parser, argument + 1, err)
					    : !parse_short(parser, argument + 1, err))
				return false;
		} else if (!argument[2]) {
			only_inputs = true;
		} else if (!parse_long(parser, argument + 2, err)) {
			return false;
		}
	}
	return true;
}

bool options_parse(const struct option_group *const *groups, option_owner *owner, int argc,
		   char **argv, void *settings, text_list *inputs, struct error *err)
{
	struct option_parser parser = { groups, argc, 0, argv, settings, inputs, false, owner };

	return parse_all(&parser, err);
}

bool options_parse_perl(const struct option_group *const *groups, int argc, char **argv,
			void *settings, text_list *inputs, struct error *err)
{
	struct option_parser parser = { groups, argc, 0, argv, settings, inputs, true, NULL };

	return parse_all(&parser, err);
}

#define HELP_COLUMN 28
#define HELP_WIDTH  80

/* Wraps text at words, and indents all lines except the first to the column. */
static void print_wrapped(const char *text, size_t column, FILE *to)
{
	size_t room = HELP_WIDTH - column;

	while (strlen(text) > room) {
		size_t cut = room;

		while (cut && text[cut] != ' ')
			cut--;
		if (!cut)
			break;
		fprintf(to, "%.*s\n%*s", (int)cut, text, (int)column, "");
		text += cut + 1;
	}
	fprintf(to, "%s\n", text);
}

void options_print_paragraph(const char *text, FILE *to)
{
	print_wrapped(text, 0, to);
}

/* Writes "output format: svg (default), html; html is a page that contains the SVG". */
static void write_help(const struct option *row, bool is_full, char *text, size_t size)
{
	size_t length;

	snprintf(text, size, "%s%s", row->help, row->choices ? ": " : "");
	if (row->choices)
		list_choices(row, " (default)", text, size);
	length = strlen(text);
	if (is_full && row->more)
		snprintf(text + length, size - length, ". %s", row->more);
}

/* An argument may contain characters of several bytes, as in FILE:±TIME. */
static int count_characters(const char *text)
{
	int count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

static void print_option(const struct option *row, bool is_full, FILE *to)
{
	char left[100];
	char help[600];
	int shown;

	snprintf(left, sizeof(left), "  %c%c%s--%s%s%s%s", row->short_name ? '-' : ' ',
		 row->short_name ? row->short_name : ' ', row->short_name ? ", " : "  ", row->name,
		 row->kind == OPTION_MAYBE ? "[="
		 : row->argument           ? " "
					   : "",
		 row->argument ? row->argument : "", row->kind == OPTION_MAYBE ? "]" : "");
	shown = count_characters(left);
	if (shown + 1 >= HELP_COLUMN)
		fprintf(to, "%s\n%*s", left, HELP_COLUMN, "");
	else
		fprintf(to, "%s%*s", left, HELP_COLUMN - shown, "");
	write_help(row, is_full, help, sizeof(help));
	print_wrapped(help, HELP_COLUMN, to);
}

static bool is_shown(const struct option_group *group)
{
	for (const struct option *row = group->options; row->name; row++)
		if (row->help)
			return true;
	return false;
}

void options_print(const struct option_group *const *groups, FILE *to)
{
	for (; *groups; groups++) {
		if (!is_shown(*groups))
			continue;
		fprintf(to, "\n%s:\n", (*groups)->title);
		for (const struct option *row = (*groups)->options; row->name; row++)
			if (row->help)
				print_option(row, true, to);
	}
}

void options_print_named(const struct option_group *const *groups, const char *const *names,
			 FILE *to)
{
	for (; *names; names++) {
		const struct option *row = options_find(groups, text_of(*names));

		if (row)
			print_option(row, false, to);
	}
}
