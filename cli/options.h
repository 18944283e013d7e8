/* SPDX-License-Identifier: MIT */
/*
 * Command line options: tables drive both parsing and --help. An option is a row; a group of rows
 * (input, symbols, picture) is shared by every command that lists it. Values land in a struct
 * settings at the row's offset.
 *
 *     --name VALUE  --name=VALUE  -n VALUE  -nVALUE  -- (end)
 *
 * A row without help is not shown by --help and is understood by its whole name only: so other
 * programs' names for an option neither crowd --help nor make a beginning ambiguous.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/error.h"
#include "base/strings.h"
#include "base/vec.h"

enum option_kind {
	OPTION_FLAG,   /* bool: becomes true */
	OPTION_TEXT,   /* const char * */
	OPTION_MAYBE,  /* const char *: what stands behind "=", or "" */
	OPTION_LIST,   /* struct text_list: may be given several times */
	OPTION_NUMBER, /* uint64_t */
	OPTION_REAL,   /* double */
	OPTION_CHOICE, /* int: the index of the word in choices */
	OPTION_CONSTANT, /* int: becomes minimum; of several rows for one value the last given counts */
	OPTION_FOREIGN, /* another program's, which is not understood: answer says what is */
};

struct option {
	char short_name; /* 0: none */
	const char *name;
	enum option_kind kind;
	size_t offset;              /* in struct settings */
	const char *argument;       /* its name in --help */
	const char *help;           /* one sentence; NULL: not shown there */
	const char *more;           /* what only --help=all adds to it; may be NULL */
	const char *const *choices; /* OPTION_CHOICE: the default first, NULL at the end */
	uint64_t minimum, maximum;  /* OPTION_NUMBER; of OPTION_REAL the maximum */
	const char *answer;         /* OPTION_FOREIGN: "perf report; kiln ..." */
};

struct option_group {
	const char *title;
	const struct option *options; /* name NULL at the end */
};

typedef VEC(const char *) text_list;

/*
 * Parses the arguments after the command's name into settings. Everything that is no option goes to
 * inputs. Options may come before and after inputs; any unambiguous beginning of a name will do.
 */
bool options_parse(const struct option_group *const *groups, int argc, char **argv, void *settings,
		   text_list *inputs, struct error *err) WARN_UNUSED;

/* The other command that has an option of this name, or NULL. */
typedef const char *option_owner(struct text name);

/* The same, and an unknown option's owner is named in the error. */
bool options_parse_owned(const struct option_group *const *groups, option_owner *owner, int argc,
			 char **argv, void *settings, text_list *inputs,
			 struct error *err) WARN_UNUSED;

/* The option of exactly this name that --help shows, or NULL. */
const struct option *options_find(const struct option_group *const *groups, struct text name);

/* The same as Perl's Getopt::Long takes them: one dash does as well as two, and case does not matter. */
bool options_parse_perl(const struct option_group *const *groups, int argc, char **argv,
			void *settings, text_list *inputs, struct error *err) WARN_UNUSED;

/* Prints a paragraph broken into lines. */
void options_print_paragraph(const char *text, FILE *to);

/* Prints all options of the groups, as --help=all shows them. */
void options_print(const struct option_group *const *groups, FILE *to);

/* Prints those of these names alone, in their order, as --help shows them. names: NULL at the end. */
void options_print_named(const struct option_group *const *groups, const char *const *names,
			 FILE *to);

#endif
