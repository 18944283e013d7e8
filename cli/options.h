/* SPDX-License-Identifier: MIT */
/*
 * Parses command line options. The same tables of options are used for parsing and for --help: each
 * option is a row, and a command lists the groups of rows that it accepts. Values are stored in
 * struct settings, at the offset in the row.
 *
 *     --name VALUE  --name=VALUE  -n VALUE  -nVALUE  -- (end)
 *
 * Rows without a help text are aliases that other tools use. --help does not list them, and they
 * cannot be abbreviated.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/error.h"
#include "base/strings.h"
#include "base/vec.h"

enum option_kind {
	OPTION_FLAG,     /* bool: set to true */
	OPTION_TEXT,     /* const char * */
	OPTION_MAYBE,    /* const char *: the value after "=", or "" */
	OPTION_LIST,     /* text_list: may be repeated */
	OPTION_NUMBER,   /* uint64_t */
	OPTION_SIZE,     /* uint64_t, in bytes: 4096, 500M, 2G */
	OPTION_REAL,     /* double */
	OPTION_CHOICE,   /* int: the index of the word in choices */
	OPTION_CONSTANT, /* int: set to minimum */
	OPTION_FOREIGN,  /* an option of another tool: an error with `answer` */
};

struct option {
	char short_name; /* 0 if none */
	const char *name;
	enum option_kind kind;
	size_t offset;              /* in struct settings */
	const char *argument;       /* name of the value in --help */
	const char *help;           /* an imperative phrase; NULL if not listed */
	const char *more;           /* further help, only for --help=all; can be NULL */
	const char *const *choices; /* OPTION_CHOICE: the default first; NULL-terminated */
	/* OPTION_NUMBER has both; OPTION_SIZE has a minimum and, like OPTION_REAL, may have a maximum */
	uint64_t minimum, maximum;
	bool accepts_zero;  /* OPTION_SIZE: 0 is valid */
	const char *answer; /* OPTION_FOREIGN: "perf report; kiln ..." */
};

struct option_group {
	const char *title;
	const struct option *options; /* name NULL at the end */
};

typedef VEC(const char *) text_list;

/* The other command that has this option, or NULL. */
typedef const char *option_owner(struct text name);

/*
 * Parses the arguments after the command's name into settings. Arguments that are not options are
 * appended to inputs. Long names may be abbreviated. The error for an unknown option names the
 * command that `owner` returns; owner may be NULL.
 */
bool options_parse(const struct option_group *const *groups, option_owner *owner, int argc,
		   char **argv, void *settings, text_list *inputs, struct error *err) WARN_UNUSED;

/*
 * Like options_parse, but by the rules of Perl's Getopt::Long: one dash suffices, and case is
 * ignored.
 */
bool options_parse_perl(const struct option_group *const *groups, int argc, char **argv,
			void *settings, text_list *inputs, struct error *err) WARN_UNUSED;

/* Returns the option with exactly this name if --help lists it; otherwise NULL. */
const struct option *options_find(const struct option_group *const *groups, struct text name);

/* Prints text wrapped to the width of a screen. */
void options_print_paragraph(const char *text, FILE *to);

/* Prints all options, as --help=all does. */
void options_print(const struct option_group *const *groups, FILE *to);

/* Prints the named options in this order, as --help does. names: NULL-terminated. */
void options_print_named(const struct option_group *const *groups, const char *const *names,
			 FILE *to);

#endif
