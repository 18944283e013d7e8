/* SPDX-License-Identifier: MIT */
/*
 * A source of names: one way to find out what is at an address of certain modules. symbolise.c
 * holds the table of all; adding one is a file and a line there. For every module that locations
 * lie in there is a struct naming; a source finds files, makes a symbol table and hands it to
 * naming_apply, or says why it could not.
 *
 *     struct naming_job ── run by one thread, memory of its own ── one or several struct naming
 */
#ifndef SYMBOLISE_SOURCE_H
#define SYMBOLISE_SOURCE_H

#include "base/arena.h"
#include "base/key_sort.h"
#include "object/locate.h"
#include "symbolise/elf/symbol_table.h"
#include "symbolise/symbolise.h"

struct map_owners;

/* What all jobs read and none changes. */
struct naming_context {
	const struct modules *modules;
	const struct locations *locations;
	const struct strings *strings;
	const struct symbolise_options *options;
	struct locator locator;
	const struct map_owners *map_owners; /* perf maps that addresses say the owner of */
};

/* A function at a location, as debug information has it. */
struct naming_frame {
	struct text name;
	struct text file, declared_file; /* empty: not known */
	uint32_t line, declared_line;
};

/* All in the job's arena. */
struct naming_result {
	struct text name; /* at NULL: unnamed */
	uint64_t symbol_start;
	const struct naming_frame *frames; /* the function itself, and those inlined into it */
	uint32_t frame_count;              /* 0: nothing is known of them */
};

/* A place that was looked in; its texts are in the job's arena. */
struct naming_path {
	struct text path, reason;
	enum match_status match;
};

/* One module and the locations in it. */
struct naming {
	const struct module *module;
	struct text path;
	const uint32_t *locations; /* rows of context->locations */
	uint32_t count;
	struct naming_result *results; /* one for each of locations */
	uint32_t named_count;

	/* Whether the module's build-id is its own, and what to say where it is not (in the job's arena). */
	enum build_id_proof proof;
	struct text proof_reason;

	enum match_status match;
	struct text symbol_file, reason, inline_reason; /* in the job's arena */
	bool is_stripped, is_denied;                    /* see struct module */

	VEC(struct naming_path) searched_paths; /* at most LIMIT_SEARCHED_PATHS */
	uint32_t searched_more_count;
};

struct naming_job {
	const struct naming_context *context;
	const struct symbol_source *source;
	struct naming *namings;
	size_t count;
	struct arena arena;
};

struct symbol_source {
	const char *name;
	const enum module_kind *kinds;
	size_t kind_count;
	bool is_joint; /* one job has all modules of these kinds: they share a file */
	void (*run)(struct naming_job *job);
};

/* How a location's address becomes one of the symbol table's; false: it lies outside. */
typedef bool naming_convert(const void *context, uint64_t address, uint64_t *ret);

/* A table that names locations of one module. */
struct naming_table {
	const struct symbol_table *symbols;
	naming_convert *convert; /* NULL: addresses are the table's */
	const void *convert_context;
	uint32_t owner; /* only its symbols count */
};

/* Names what can be named: a sweep over the table and the locations, both by address. */
void naming_apply(struct naming_job *job, struct naming *naming, const struct naming_table *table);

/* Fills places, of which there is room for all locations, with those that convert (NULL: with all), by their
 * address in its terms and then in order; how many. */
size_t naming_addresses(const struct naming_job *job, const struct naming *naming,
			naming_convert *convert, const void *context, struct key_row *rows);

/* A symbol's name for display, in the job's arena. */
struct text naming_display_name(struct naming_job *job, const struct symbol *symbol);

/* The address to look a location up at: that of the call, for one a call returns to. */
uint64_t naming_lookup_address(const struct naming_job *job, const struct naming *naming,
			       uint32_t index);

static inline module_id naming_module(const struct naming_job *job, const struct naming *naming)
{
	return (module_id){ (uint32_t)(naming->module - job->context->modules->rows.at) };
}

/* The same symbol rules for every table of this job. */
enum symbol_rules naming_rules(const struct naming_job *job);

/* Formatted text in the job's arena. */
struct text naming_text(struct naming_job *job, const char *format, ...) PRINTF_LIKE(2, 3);

/* Whether nothing was found at path, or what was is in use. */
bool naming_has_path(const struct naming *naming, const char *path);

/* Remembers that path was looked in, and what came of it. */
void naming_add_path(struct naming_job *job, struct naming *naming, const char *path,
		     enum match_status match, struct text reason);

/* Shows a file that was accepted, at path, to who collects them. */
void naming_collect(const struct naming_job *job, const struct collected_file *file);

/* Whether that is of any use for files of this module. */
bool naming_is_collected(const struct naming_job *job, const struct module *module);

void naming_collect_elf(const struct naming_job *job, const struct naming *naming,
			const struct elf_file *elf, const char *path, enum match_status match);

/* The same whether or not slim files are wanted. */
void naming_show_elf(const struct naming_job *job, const struct naming *naming,
		     const struct elf_file *elf, const char *path, enum match_status match);

/* Sets verdict, file and reason. file may be NULL. */
void naming_conclude(struct naming_job *job, struct naming *naming, enum match_status match,
		     const char *file, struct text reason);

extern const struct symbol_source kernel_source;
extern const struct symbol_source file_source;
extern const struct symbol_source perf_map_source;
extern const struct symbol_source ksymbol_source;
extern const struct symbol_source jitdump_source;

#endif
