/* SPDX-License-Identifier: MIT */
/*
 * A symbol source: one way to name the addresses of certain kinds of modules. The table in
 * symbolise.c lists all sources. Each module with sampled locations has a struct naming. A source
 * finds the module's files, makes a symbol table and calls naming_apply. A source that cannot name
 * the module sets the reason.
 *
 *     struct naming_job ── run by one thread, with its own arena ── one or several struct naming
 */
#ifndef SYMBOLISE_SOURCE_H
#define SYMBOLISE_SOURCE_H

#include "base/arena.h"
#include "base/key_sort.h"
#include "object/locate.h"
#include "symbolise/elf/symbol_table.h"
#include "symbolise/mangled_names.h"
#include "symbolise/symbolise.h"

/* Maximum size of a copy of kallsyms, a perf map or a System.map. A copy of kallsyms takes 10 MB.
 * At most 1 MB of a perf map is in memory at a time. */
#define LIMIT_SYMBOL_TEXT_BYTES ((uint64_t)1 << 30)
/* Maximum number of searched paths that are listed for one DSO. Further paths are only counted. */
#define LIMIT_SEARCHED_PATHS 64u

struct map_owners;
struct reading_reserve;

/* All jobs share the context, and only the reserve changes. */
struct naming_context {
	const struct modules *modules;
	const struct locations *locations;
	const struct strings *strings;
	const struct symbolise_options *options;
	struct locator locator;
	const struct map_owners *map_owners; /* owners of perf maps, found by comparing addresses */
	/* steps for reading debug information, beyond those of each file */
	struct reading_reserve *reserve;
	/*
	 * Rows of locations, sorted by module; and for each module the index of its first row, with
	 * one more index at the end. NULL if there are no locations.
	 */
	const uint32_t *by_module, *first_of_module;
};

/* A function at a location, from debug information. */
struct naming_frame {
	struct text name;
	struct text file, declared_file; /* empty if not known */
	uint32_t line, declared_line;
};

/* The result, its texts and its frames live in the job's arena. */
struct naming_result {
	struct text name; /* .at is NULL if unnamed */
	uint64_t symbol_start;
	const struct naming_frame *frames; /* the function, then functions inlined into it */
	uint32_t frame_count;              /* 0 if there is no debug information */
};

/* A path that was searched; its texts are in the job's arena. */
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
	struct naming_result *results; /* one for each of `locations` */
	uint32_t named_count;

	/*
	 * Whether the build-id belongs to the mapped file, and if not, the reason (in the job's
	 * arena).
	 */
	enum build_id_proof proof;
	struct text proof_reason;

	enum match_status match;
	struct text symbol_file, reason, inline_reason; /* texts in the job's arena */
	/* why the cache of debug information was not written; in the job's arena */
	struct text cache_reason;
	bool is_stripped, is_denied; /* see struct module */

	VEC(struct naming_path) searched_paths; /* searched paths, at most LIMIT_SEARCHED_PATHS */
	uint32_t searched_more_count;
};

struct naming_job {
	const struct naming_context *context;
	const struct symbol_source *source;
	struct naming *namings;
	size_t count;
	size_t number; /* jobs begin in the order of their numbers */
	struct arena arena;
	struct mangled_names mangled; /* the mangled names of this job, if a worker demangles */
};

struct symbol_source {
	const char *name;
	const enum module_kind *kinds;
	size_t kind_count;
	bool is_joint; /* one job handles all modules of these kinds, because they share a file */
	void (*run)(struct naming_job *job);
};

/*
 * Converts a location's address to an address in the symbol table. Returns false if the symbol
 * table does not cover the address.
 */
typedef bool naming_convert(const void *context, uint64_t address, uint64_t *ret);

/* A symbol table for the locations of one module. */
struct naming_table {
	const struct symbol_table *symbols;
	naming_convert *convert; /* NULL if no conversion is needed */
	const void *convert_context;
	uint32_t owner; /* use only symbols with this owner */
};

/* Names all locations that the table covers, in one sweep by ascending address. */
void naming_apply(struct naming_job *job, struct naming *naming, const struct naming_table *table);

/*
 * Lists the locations whose addresses can be converted, in ascending order. If convert is NULL,
 * lists all locations. key: the converted address; row: the index of the location. rows must have
 * space for naming->count. Returns the number of rows.
 */
size_t naming_addresses(const struct naming_job *job, const struct naming *naming,
			naming_convert *convert, const void *context, struct key_row *rows);

/*
 * The symbol's display name, in the job's arena. If a worker demangles, the name is one of
 * job->mangled.
 */
struct text naming_display_name(struct naming_job *job, const struct symbol *symbol);

/*
 * The address to look up. For a return address, the address to look up is one byte before, inside
 * the call.
 */
uint64_t naming_lookup_address(const struct naming_job *job, const struct naming *naming,
			       uint32_t index);

static inline module_id naming_module(const struct naming_job *job, const struct naming *naming)
{
	return (module_id){ (uint32_t)(naming->module - job->context->modules->rows.at) };
}

/* The rules for choosing among symbols in this job's tables. */
enum symbol_rules naming_rules(const struct naming_job *job);

/*
 * Converts file offsets to addresses in an ELF file, which is the context. Offsets of data are
 * converted only if data is named.
 */
naming_convert *naming_file_convert(const struct naming_job *job);

/* Formatted text in the job's arena. */
struct text naming_text(struct naming_job *job, const char *format, ...) PRINTF_LIKE(2, 3);

/* Whether path has already been searched, and is either missing or in use. */
bool naming_has_path(const struct naming *naming, const char *path);

/* Records a path that was searched, and the result of the search. */
void naming_add_path(struct naming_job *job, struct naming *naming, const char *path,
		     enum match_status match, struct text reason);

/* Passes an accepted file to the collector, if the job has a collector. */
void naming_collect(const struct naming_job *job, const struct collected_file *file);

/* Whether the collector requests the files of this module. */
bool naming_is_collected(const struct naming_job *job, const struct module *module);

void naming_collect_elf(const struct naming_job *job, const struct naming *naming,
			const struct elf_file *elf, const char *path, enum match_status match);

/* Like naming_collect_elf, but also passes the file if the collector requests slim files. */
void naming_show_elf(const struct naming_job *job, const struct naming *naming,
		     const struct elf_file *elf, const char *path, enum match_status match);

/* Sets the match status, symbol file (may be NULL) and reason. */
void naming_conclude(struct naming_job *job, struct naming *naming, enum match_status match,
		     const char *file, struct text reason);

extern const struct symbol_source kernel_source;
extern const struct symbol_source file_source;
extern const struct symbol_source perf_map_source;
extern const struct symbol_source ksymbol_source;
extern const struct symbol_source jitdump_source;

#endif
