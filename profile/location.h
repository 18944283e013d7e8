/* SPDX-License-Identifier: MIT */
/*
 * Distinct code locations: pairs of module and address. Each is symbolised only once, even if many
 * samples contain it.
 *
 *     raw stacks ── address space at that time ──▶ locations ── symbolise ──▶ names ──▶ frames
 *
 * A location belongs to one function of the symbol table, and to the functions that the compiler
 * inlined there:
 *
 *     location   main, line 12: calls ──▶ inlined   parse, line 40: calls ──▶ inlined   next, line 7
 */
#ifndef PROFILE_LOCATION_H
#define PROFILE_LOCATION_H

#include "base/strings.h"
#include "base/vec.h"
#include "process/place.h"

typedef struct {
	uint32_t i;
} location_id;

/* Means "no location". */
#define LOCATION_NONE ((location_id){ UINT32_MAX })

struct location_list {
	location_id *at;
	size_t count, capacity;
};

/* A source line; 0 if not known. */
struct source_line {
	str_id file;
	uint32_t line;
};

/* A function that was inlined at a location. */
struct inlined {
	str_id name;
	struct source_line at;       /* the line that ran or called the next function */
	struct source_line declared; /* the function */
};

/* The kinds of locations. */
enum location_kind {
	LOCATION_OF_MODULE,
	LOCATION_INLINED, /* an inlined function in a text capture */
	LOCATION_JIT,
	LOCATION_GROUP, /* not code: a process in an SVG, or an annotation */
	LOCATION_MARK,
	/* Not code, on off-CPU stacks: */
	LOCATION_SEPARATOR, /* between a blocked thread and its waker */
	LOCATION_BLOCKED,
	LOCATION_PREEMPTED,
	LOCATION_RUN_QUEUE,
};

struct location {
	module_id module;
	/*
	 * For MODULE_FILE, MODULE_JITDUMP and MODULE_VDSO, an offset in the file. For all other
	 * kinds, the address at run time.
	 */
	uint64_t address;
	/*
	 * The address is a return address, so address - 1 is symbolised, because this byte belongs
	 * to the call.
	 */
	bool is_return;

	enum location_kind kind;
	bool is_exact; /* the name is shown unchanged */
	bool is_guess; /* perhaps not in this module: no evidence for or against its file */

	/* Set by symbolise; locations of text captures have names from the start. */
	bool is_named;
	str_id name;                           /* demangled, without suffixes; empty: unknown */
	uint64_t symbol_start;                 /* relative to the same origin as address */
	uint32_t inlined_first, inlined_count; /* in locations.inlined, innermost last */
	struct source_line at, declared;       /* of the function name */
};

struct locations {
	VEC(struct location) rows;
	VEC(struct inlined) inlined;
	/*
	 * The places of the first rows. Those of the others are added when a location is looked up.
	 */
	struct places places;
};

void locations_init(struct locations *locations);
void locations_deinit(struct locations *locations);

/*
 * Returns the id of a location; adds it if it is new. Not for locations of texts, which can have
 * the same place.
 */
location_id locations_intern(struct locations *locations, module_id module, uint64_t address,
			     bool is_return);

/*
 * A resolver may add places to locations_places, which lists the places of all locations.
 * locations_extend then adds their rows.
 */
struct places *locations_places(struct locations *locations);
void locations_extend(struct locations *locations);

/* Returns the name of the innermost function, inlined or not. */
static inline str_id locations_innermost_name(const struct locations *locations, location_id id)
{
	const struct location *row = &locations->rows.at[id.i];

	return row->inlined_count
		       ? locations->inlined.at[row->inlined_first + row->inlined_count - 1].name
		       : row->name;
}

#endif
