/* SPDX-License-Identifier: MIT */
/*
 * The tables of a pprof profile, to which its samples refer by id or by index.
 *
 *     location id ─▶ location ─┬─▶ lines ─▶ function ─▶ name
 *                              └─▶ mapping ─▶ file                  names are indexes of strings
 *
 * An id may be any number, including one that no row has.
 */
#ifndef LIBPARSE_PPROF_PPROF_TABLES_H
#define LIBPARSE_PPROF_PPROF_TABLES_H

#include "base/idmap.h"
#include "base/vec.h"
#include "libparse/event.h"

/* The fields of the message Profile in profile.proto. */
enum pprof_field {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_SAMPLE = 2,
	PPROF_MAPPING = 3,
	PPROF_LOCATION = 4,
	PPROF_FUNCTION = 5,
	PPROF_STRING = 6,
	PPROF_PERIOD_TYPE = 11,
	PPROF_COMMENT = 13,
	PPROF_DEFAULT_TYPE = 14,
	PPROF_FIELD_LAST = 15, /* the link to the documentation */
};

/*
 * Maximum number of functions at one location, including the functions inlined there. In LLVM,
 * fewer than 100 functions are nested.
 */
#define LIMIT_PPROF_LINES 256u

struct pprof_type {
	struct text name;
	enum weight_unit unit;
	uint64_t factor; /* factor of the type's values: 1000 for microseconds */
};

struct pprof_location {
	uint64_t address, mapping;
	size_t first_line;
	uint32_t line_count;
};

struct pprof_tables {
	VEC(struct text) strings;
	VEC(struct pprof_type) types;
	uint32_t default_type;
	VEC(struct pprof_location) locations;
	VEC(uint64_t) lines; /* function ids, the innermost first */
	VEC(uint64_t) function_names;
	VEC(uint64_t) mapping_files;
	struct idmap location_ids, function_ids, mapping_ids; /* maps ids to indexes in the lists */
	uint64_t corrupt_count;                               /* messages that were skipped */
};

void pprof_tables_init(struct pprof_tables *tables);
void pprof_tables_deinit(struct pprof_tables *tables);

/*
 * Reads all fields but the samples. Texts point into message. Returns the number of bytes at the
 * end of `message` that are corrupt or incomplete.
 */
size_t pprof_tables_read(struct pprof_tables *tables, struct span message);

/* Returns a string, or an empty text if the string does not exist. */
struct text pprof_tables_string(const struct pprof_tables *tables, uint64_t index);

/* The name of the program: the name of the first mapping. */
struct text pprof_tables_program(const struct pprof_tables *tables);

/* Calls back for each function at a location, the outermost first. */
void pprof_tables_read_frame(const struct pprof_tables *tables, uint32_t location,
			     event_frame_callback *callback, void *context);

#endif
